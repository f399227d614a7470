//! Bodies that are objects.
//!
//! In: a request. Out: the object's fields, with the `apiVersion` and `kind` that the path stands for.

use serde_json::{Map, Value};

use crate::protocol::{BodyFormat, FieldError, Fields, Status, decode_object, quoted};

use super::{
    Context,
    normal::normalise,
    options::{FieldValidation, WriteOptions},
};

/// The object in the body of a create or update.
pub(super) fn object(context: &Context<'_>) -> Result<Fields, Status> {
    let content_type = context.header(http::header::CONTENT_TYPE);
    let format = BodyFormat::of(content_type).ok_or_else(|| unknown_format(context))?;
    let value = decode_object(context.request.body(), format, &context.resource.kind)?;
    let fields = match value {
        Value::Object(fields) => fields,
        Value::Null => Map::new(),
        other => {
            return Err(Status::bad_request(format!(
                "the object provided is unrecognized (must be of type {}): couldn't get version/kind; json parse error: json: \
                 cannot unmarshal {} into Go value of type struct {{ APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind \
                 string \"json:\\\"kind,omitempty\\\"\" }} ({})",
                context.resource.kind,
                go_kind(&other),
                shown(context.request.body()),
            )));
        }
    };
    set_type(context, fields)
}

fn shown(body: &[u8]) -> String {
    match std::str::from_utf8(body) {
        Ok(text) => text.to_owned(),
        Err(_) => String::new(),
    }
}

fn go_kind(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::Null | Value::Object(_) => "object",
    }
}

/// Sets `apiVersion` and `kind` to those of the path, after a look at what is there.
pub(super) fn set_type(context: &Context<'_>, mut fields: Fields) -> Result<Fields, Status> {
    let resource = &context.resource;
    let kind = fields.remove("kind").unwrap_or_default();
    let api_version = fields.remove("apiVersion").unwrap_or_default();
    let kind = kind.as_str().unwrap_or_default();
    let api_version = api_version.as_str().unwrap_or_default();
    let expected = resource.api_version();
    let wrong_version = !["", &expected].contains(&api_version);
    let wrong_kind = !["", &resource.kind].contains(&kind);
    if !resource.builtin && wrong_kind && !wrong_version {
        let value = Value::from(kind);
        let error = FieldError::invalid("kind", &value, format!("must be {}", resource.kind));
        return Err(Status::invalid(resource.kind_name(), "", &[error]));
    }
    if wrong_version || wrong_kind {
        let given = if api_version.is_empty() { &expected } else { api_version };
        return Err(mismatch(context, given, kind));
    }
    fields.insert("kind".to_owned(), resource.kind.clone().into());
    fields.insert("apiVersion".to_owned(), expected.into());
    Ok(fields)
}

fn mismatch(context: &Context<'_>, api_version: &str, kind: &str) -> Status {
    let resource = &context.resource;
    let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
    let given = if kind.is_empty() { &resource.kind } else { kind };
    if api_version != resource.api_version() {
        return Status::bad_request(format!(
            "the API version in the data ({api_version}) does not match the expected API version ({})",
            resource.api_version()
        ));
    }
    Status::bad_request(format!(
        "{given} in version \"{version}\" cannot be handled as a {}: converting ({group}.{given}) to ({}.{}): unknown conversion",
        resource.kind, resource.group, resource.kind
    ))
}

/// An object in the form that its kind gives it, with what a client leaves open filled in; and the fields that nobody knows.
pub(super) fn complete(context: &Context<'_>, fields: Fields) -> (Fields, Vec<String>) {
    let resource = &context.resource;
    let mut unknown = Vec::new();
    let mut value = Value::Object(fields);
    normalise(&mut value, &resource.schema(), "", &mut unknown);
    let mut fields = match value {
        Value::Object(fields) => fields,
        _ => Fields::new(),
    };
    resource.rules.strategy.default(&mut fields);
    unknown.sort_by_key(|path| (!path.starts_with("metadata."), path.clone()));
    (fields, unknown)
}

/// What is said about unknown fields: nothing, warnings, or a refusal.
pub(super) fn judge(
    context: &Context<'_>,
    options: &WriteOptions,
    unknown: &[String],
) -> Result<Vec<String>, Status> {
    let texts: Vec<String> = unknown.iter().map(|path| format!("unknown field {}", quoted(path))).collect();
    match options.validation {
        FieldValidation::Ignore => Ok(Vec::new()),
        FieldValidation::Warn => Ok(texts),
        FieldValidation::Strict if texts.is_empty() => Ok(texts),
        FieldValidation::Strict => {
            let resource = &context.resource;
            Err(Status::bad_request(format!(
                "{} in version \"{}\" cannot be handled as a {}: strict decoding error: {}",
                resource.kind,
                resource.version,
                resource.kind,
                texts.join(", ")
            )))
        }
    }
}

/// 415 about the body of anything but a patch.
pub(super) fn unknown_format(context: &Context<'_>) -> Status {
    let types = if context.resource.builtin {
        "application/json, application/yaml, application/vnd.kubernetes.protobuf"
    } else {
        "application/json, application/yaml"
    };
    Status::unsupported_media_type(format!(
        "the body of the request was in an unknown format - accepted media types include: {types}"
    ))
}
