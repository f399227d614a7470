//! patch: the stored object, changed.
//!
//! In: a patch in a body. Out: the object as it is stored, or why it is not. How a patch changes a value is not known here.

use serde_json::Value;

use crate::protocol::{Details, Fields, PatchFormat, Status};

use super::{
    Context, Core, decode,
    dispatch::Side,
    options::{OptionsOf, WriteOptions},
    reply::Reply,
    update::same_version,
    write::Replacement,
};

impl Core {
    pub(super) fn patch(&mut self, context: &Context<'_>, side: Side) -> Result<Reply, Status> {
        let content_type = context.header(http::header::CONTENT_TYPE);
        let format = PatchFormat::of(content_type).ok_or_else(|| unknown_format(context))?;
        let verb = match format {
            PatchFormat::Apply => OptionsOf::Apply,
            _ => OptionsOf::Patch,
        };
        let options = WriteOptions::read(context, verb)?;
        let body = context.request.body();
        let patch: Value = match format {
            PatchFormat::Apply => crate::protocol::yaml(body).map_err(Status::bad_request)?,
            _ => serde_json::from_slice(body).map_err(|_| Status::bad_request("invalid JSON patch"))?,
        };
        let resource = &context.resource;
        let old =
            self.store.get(resource.table, &context.key()).cloned().ok_or_else(|| context.not_found())?;
        let old_fields = old.fields();
        let new = patched(context, format, &patch, &old_fields)?;
        let mut new = decode::strip_type(context, new)?;
        let meta = new.get("metadata").and_then(Value::as_object);
        let given = meta
            .and_then(|meta| meta.get("resourceVersion"))
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        same_version(context, &given, &old)?;
        if !new.get("metadata").is_some_and(Value::is_object) {
            new.insert("metadata".to_owned(), Value::Object(Fields::new()));
        }
        let write = Replacement { context, options: &options, side, old, old_fields };
        self.replace(&write, new)
    }
}

fn patched(
    context: &Context<'_>,
    format: PatchFormat,
    patch: &Value,
    old: &Fields,
) -> Result<Fields, Status> {
    let mut document = old.clone();
    document.insert("kind".to_owned(), context.resource.kind.clone().into());
    document.insert("apiVersion".to_owned(), context.resource.api_version().into());
    let mut document = Value::Object(document);
    match format {
        PatchFormat::Json => {
            let operations: json_patch::Patch = serde_json::from_value(patch.clone())
                .map_err(|error| Status::bad_request(error.to_string()))?;
            json_patch::patch(&mut document, &operations).map_err(|_| rejected())?;
        }
        PatchFormat::Merge | PatchFormat::Strategic => json_patch::merge(&mut document, patch),
        PatchFormat::Apply => {
            return Err(Status::new(501, "NotImplemented", "apply is not implemented by this server"));
        }
    }
    match document {
        Value::Object(fields) => Ok(fields),
        _ => Err(rejected()),
    }
}

fn rejected() -> Status {
    Status::new(422, "Invalid", "the server rejected our request due to an error in our request")
        .with_details(Details::default())
}

fn unknown_format(context: &Context<'_>) -> Status {
    if context.resource.builtin {
        return Status::unsupported_media_type("415: Unsupported Media Type")
            .with_details(Details::default());
    }
    Status::unsupported_media_type(
        "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, \
         application/merge-patch+json, application/apply-patch+yaml",
    )
}
