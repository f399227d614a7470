//! Bodies that are objects.
//!
//! In: a request. Out: the object's fields, with the `apiVersion` and `kind` that the path stands for.

use serde_json::{Map, Value};

use crate::{
    patch::PatchError,
    protocol::{
        BodyFormat, FieldError, Fields, ResourceName, Status, beginning, decode_object, decode_protobuf,
        go_no_object, media_type, protobuf,
    },
    registry::{Nulls, Resource, decode_custom},
    schema::{
        LeftOut, builtin, go_json_kind, normalize, parse_strict, set_builtin_defaults, structural::make_whole,
    },
};

use super::{
    Context,
    options::{FieldValidation, WriteOptions},
};

/// An object as it was read.
pub(super) struct Decoded {
    pub fields: Fields,
    pub warnings: Vec<String>,
    pub left_out: LeftOut,
}

/// The object in the body of a create or update, in the form of its kind, with what a client leaves open filled in.
pub(super) fn object(context: &Context<'_>, options: &WriteOptions) -> Result<Decoded, Status> {
    let content_type = context.header(http::header::CONTENT_TYPE);
    let format = BodyFormat::of(content_type).ok_or_else(|| unknown_format(context))?;
    let resource = &context.resource;
    let body = context.request.body();
    let schema = resource.schema();
    let typed = resource.builtin.then_some(&schema);
    let (value, findings) = match format {
        BodyFormat::Json => match parse_strict(body, typed) {
            Ok(strict) => (strict.value, strict.findings),
            Err(_) => (decode_object(body, format, &resource.kind)?, Vec::new()),
        },
        BodyFormat::Yaml => {
            let mut read = crate::protocol::yaml(body).map_err(|why| unrecognised(&resource.kind, &why))?;
            // YAML tells no 2.0 from 2.
            make_whole(&mut read.0);
            (read.0, yaml_findings(options, read.1))
        }
        // Custom kinds have no messages.
        BodyFormat::Protobuf if !resource.builtin => return Err(unknown_format(context)),
        BodyFormat::Protobuf => (decode_protobuf(body, &resource.api_version(), &resource.kind)?, Vec::new()),
    };
    let fields = match value {
        Value::Object(fields) => fields,
        Value::Null => Map::new(),
        other => {
            return Err(Status::bad_request(format!(
                "the object provided is unrecognized (must be of type {}): {} ({})",
                resource.kind,
                go_no_object(&other),
                beginning(body),
            )));
        }
    };
    if let Some(why) = untyped(&fields, body) {
        let why = format!("couldn't get version/kind; json parse error: json: {why} ({})", beginning(body));
        return Err(unrecognised(&resource.kind, &why));
    }
    let fields = set_type(context, fields)?;
    let unfit = |why: String| {
        Status::bad_request(format!(
            "{} in version \"{}\" cannot be handled as a {}: {why}",
            resource.kind, resource.version, resource.kind
        ))
    };
    let Form { fields, unknown, left_out } = normal(resource, fields, Nulls::Dropped).map_err(unfit)?;
    let mut all = findings;
    all.extend(unknown.into_iter().filter(|text| !all.contains(text)).collect::<Vec<_>>());
    let warnings = judge(options, all).map_err(unfit)?;
    Ok(Decoded { fields, warnings, left_out })
}

/// What is wrong where `apiVersion` or `kind` is no text: of two the one that the text has first.
fn untyped(fields: &Fields, body: &[u8]) -> Option<String> {
    let place = |name: &str| {
        let quoted = format!("\"{name}\"");
        body.windows(quoted.len()).position(|part| part == quoted.as_bytes()).unwrap_or(body.len())
    };
    let odd = |name: &&str| fields.get(*name).is_some_and(|value| !value.is_string() && !value.is_null());
    let name = ["apiVersion", "kind"].into_iter().filter(odd).min_by_key(|name| place(name))?;
    let found = go_json_kind(fields.get(name)?);
    Some(format!("cannot unmarshal {found} into Go struct field .{name} of type string"))
}

fn unrecognised(kind: &str, why: &str) -> Status {
    Status::bad_request(format!("the object provided is unrecognized (must be of type {kind}): {why}"))
}

/// Repeated keys of YAML: warnings one by one, a refusal in one text.
pub(super) fn yaml_findings(options: &WriteOptions, repeated: Vec<String>) -> Vec<String> {
    if options.validation != FieldValidation::Strict || repeated.is_empty() {
        return repeated;
    }
    vec![format!("yaml: unmarshal errors:\n  {}", repeated.join("\n  "))]
}

/// What a patch has led to, in the form of its kind. `document` is what a refusal shows.
pub(super) fn patched(
    context: &Context<'_>,
    options: &WriteOptions,
    patched: Patched<'_>,
) -> Result<Decoded, PatchError> {
    let Patched { value, findings, document, words, nulls } = patched;
    let unfit = |detail: String| PatchError::Undecodable { document: document(), detail };
    let Value::Object(fields) = value else { return Err(unfit(go_no_object(&value))) };
    let fields = match type_of_patched(context, fields) {
        Ok(fields) => fields,
        Err(detail) => return Err(unfit(detail)),
    };
    let Form { fields, unknown, left_out } =
        normal(&context.resource, fields, nulls).map_err(|detail| unfit(words(detail)))?;
    let all = findings.into_iter().chain(unknown).collect();
    let warnings = judge(options, all).map_err(unfit)?;
    Ok(Decoded { fields, warnings, left_out })
}

impl Patched<'_> {
    /// The namespace that the object names.
    pub(super) fn namespace(&self) -> String {
        let namespace = self.value.pointer("/metadata/namespace").and_then(Value::as_str);
        namespace.unwrap_or_default().to_owned()
    }
}

/// What a patch has led to, before it is decoded.
pub(super) struct Patched<'a> {
    pub value: Value,
    /// Keys that the patch has twice, and the like.
    pub findings: Vec<String>,
    /// What a refusal shows.
    pub document: Box<dyn Fn() -> String + 'a>,
    /// How what does not fit is told, given the words of the decoder of JSON.
    pub words: fn(String) -> String,
    pub nulls: Nulls,
}

/// A patched object of another kind cannot be decoded; without a kind it is taken for the right one.
fn type_of_patched(context: &Context<'_>, mut fields: Fields) -> Result<Fields, String> {
    let resource = &context.resource;
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    let expected = resource.api_version();
    let given_version = if api_version.is_empty() { &expected } else { &api_version };
    let given_kind = if kind.is_empty() { &resource.kind } else { &kind };
    if resource.builtin && (given_version, given_kind) != (&expected, &resource.kind) {
        if !builtin::is_known(given_version, given_kind) {
            return Err(format!(
                "no kind \"{given_kind}\" is registered for version \"{given_version}\" in scheme \"pkg/runtime/scheme.go:111\""
            ));
        }
        if let Some(schema) = builtin::object(given_version, given_kind) {
            // It is read as what it says it is.
            normalize(Value::Object(fields), &schema)?;
        }
        let version = given_version.rsplit('/').next().unwrap_or_default();
        let group = resource.group.split('.').next().filter(|group| !group.is_empty()).unwrap_or("core");
        return Err(format!(
            "converting ({version}.{given_kind}) to ({group}.{}): unknown conversion",
            resource.kind
        ));
    }
    if resource.builtin {
        fields.insert("kind".to_owned(), resource.kind.clone().into());
        fields.insert("apiVersion".to_owned(), expected.into());
    }
    Ok(fields)
}

/// An object in the form of its kind.
pub(super) struct Form {
    /// With what a client leaves open filled in.
    pub fields: Fields,
    /// What nobody knows.
    pub unknown: Vec<String>,
    pub left_out: LeftOut,
}

/// The form of the kind.
pub(super) fn normal(resource: &Resource, fields: Fields, nulls: Nulls) -> Result<Form, String> {
    let clears = clears_owners(&fields);
    let Form { mut fields, unknown, left_out } = if resource.builtin {
        let schema = resource.schema();
        let mut normal = normalize(Value::Object(fields), &schema)?;
        set_builtin_defaults(&mut normal.value, &schema);
        Form { fields: members(normal.value), unknown: normal.unknown, left_out: normal.left_out }
    } else {
        let (fields, unknown) = decode_custom(fields, resource.custom.as_deref(), nulls)?;
        Form { fields, unknown, left_out: LeftOut::default() }
    };
    if clears {
        crate::strategy::set(&mut fields, "metadata.managedFields", Vec::<Value>::new());
    }
    resource.rules.strategy.default(&mut fields);
    Ok(Form { fields, unknown, left_out })
}

/// An empty list of managed fields says something, unlike other empty lists.
fn clears_owners(fields: &Fields) -> bool {
    let list = crate::strategy::at(fields, "metadata.managedFields").and_then(Value::as_array);
    list.is_some_and(Vec::is_empty)
}

fn members(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields,
        _ => Fields::new(),
    }
}

/// What is said about unknown and duplicate fields: nothing, warnings, or a refusal.
pub(super) fn judge(options: &WriteOptions, findings: Vec<String>) -> Result<Vec<String>, String> {
    match options.validation {
        FieldValidation::Ignore => Ok(Vec::new()),
        FieldValidation::Warn => Ok(findings),
        FieldValidation::Strict if findings.is_empty() => Ok(findings),
        FieldValidation::Strict => Err(format!("strict decoding error: {}", findings.join(", "))),
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
    if resource.custom.is_some() {
        let name = fields.get("metadata").and_then(|metadata| metadata.get("name")).and_then(Value::as_str);
        check_custom_type(context, (api_version, kind), name.unwrap_or_default())?;
    }
    if wrong_version || wrong_kind {
        let given = if api_version.is_empty() { &expected } else { api_version };
        return Err(mismatch(context, given, kind));
    }
    fields.insert("kind".to_owned(), resource.kind.clone().into());
    fields.insert("apiVersion".to_owned(), expected.into());
    Ok(fields)
}

/// Objects of defined kinds must say what they are.
fn check_custom_type(
    context: &Context<'_>,
    (api_version, kind): (&str, &str),
    name: &str,
) -> Result<(), Status> {
    let resource = &context.resource;
    if kind.is_empty() {
        let body = context.request.body();
        let text = String::from_utf8_lossy(body);
        return Err(unrecognised(
            &resource.kind,
            &format!("Object 'Kind' is missing in '{text}' ({})", beginning(body)),
        ));
    }
    if api_version != resource.api_version() {
        return Err(mismatch(context, api_version, kind));
    }
    if kind != resource.kind {
        let error = FieldError::invalid_text("kind", kind, format!("must be {}", resource.kind));
        let named = ResourceName { group: &resource.group, resource: kind };
        return Err(Status::invalid(named, name, &[error]));
    }
    Ok(())
}

fn mismatch(context: &Context<'_>, api_version: &str, kind: &str) -> Status {
    let resource = &context.resource;
    let version = api_version.rsplit('/').next().unwrap_or_default();
    let given = if kind.is_empty() { &resource.kind } else { kind };
    let unfit = |why: String| {
        let own = &resource.kind;
        Status::bad_request(format!("{given} in version \"{version}\" cannot be handled as a {own}: {why}"))
    };
    if api_version.matches('/').count() > 1 {
        let shown = beginning(context.request.body());
        return Status::bad_request(format!(
            "the object provided is unrecognized (must be of type {}): unexpected GroupVersion string: {api_version} ({shown})",
            resource.kind
        ));
    }
    if resource.builtin && !builtin::is_known(api_version, given) {
        return unfit(format!(
            "no kind \"{given}\" is registered for version \"{api_version}\" in scheme \"pkg/runtime/scheme.go:111\""
        ));
    }
    if api_version != resource.api_version() {
        return Status::bad_request(format!(
            "the API version in the data ({api_version}) does not match the expected API version ({})",
            resource.api_version()
        ));
    }
    let group = resource.group.split('.').next().filter(|group| !group.is_empty()).unwrap_or("core");
    unfit(format!("converting ({version}.{given}) to ({group}.{}): unknown conversion", resource.kind))
}

/// 415 about the body of anything but a patch.
pub(super) fn unknown_format(context: &Context<'_>) -> Status {
    // A real server names protobuf for custom kinds too, and breaks off when it gets it.
    let sent = media_type(context.header(http::header::CONTENT_TYPE));
    let types = if sent == protobuf::MEDIA_TYPE {
        "application/json, application/yaml"
    } else {
        "application/json, application/yaml, application/vnd.kubernetes.protobuf"
    };
    Status::unsupported_media_type(format!(
        "the body of the request was in an unknown format - accepted media types include: {types}"
    ))
}
