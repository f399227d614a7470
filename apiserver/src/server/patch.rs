//! patch: the stored object, changed.
//!
//! In: a patch in a body. Out: the object as it is stored, or why it is not. How a patch changes a value is not known here.

use serde_json::Value;

use crate::{
    patch::{JsonPatch, MergePatch, PatchError},
    protocol::{Cause, Details, Fields, PatchFormat, Status},
    strategy::text,
};

use super::{
    Context, Core, decode,
    dispatch::Side,
    options::{OptionsOf, WriteOptions},
    reply::Reply,
    update::same_version,
    write::{Owners, Replacement},
};

impl Core {
    pub(super) fn patch(&mut self, context: &Context<'_>, side: Side) -> Result<Reply, Status> {
        let (format, options, patch) = read_patch(context)?;
        if format == PatchFormat::Apply {
            return Err(Status::new(501, "NotImplemented", "apply is not implemented by this server"));
        }
        let resource = &context.resource;
        let old = self.store.get(resource.table, &context.key()).cloned();
        let old = old.ok_or_else(|| context.not_found())?;
        let old_fields = old.fields();
        let new = patched(format, &patch, &old_fields)?;
        let mut new = decode::set_type(context, new)?;
        same_version(context, text(&new, "metadata.resourceVersion"), &old)?;
        if !new.get("metadata").is_some_and(Value::is_object) {
            new.insert("metadata".to_owned(), Value::Object(Fields::new()));
        }
        let write = Replacement {
            context,
            options: &options,
            side,
            subresource: side.subresource(),
            owners: Owners::Tracked,
            old,
            old_fields,
        };
        self.replace(&write, new)
    }
}

/// Reads the patch of a request, and the options beside it.
pub(super) fn read_patch(context: &Context<'_>) -> Result<(PatchFormat, WriteOptions, Value), Status> {
    let content_type = context.header(http::header::CONTENT_TYPE);
    let format = PatchFormat::of(content_type).ok_or_else(|| unknown_format(context))?;
    let verb = match format {
        PatchFormat::Apply => OptionsOf::Apply,
        _ => OptionsOf::Patch,
    };
    let options = WriteOptions::read(context, verb)?;
    let body = context.request.body();
    let patch = match format {
        PatchFormat::Apply => crate::protocol::yaml(body).map_err(Status::bad_request)?,
        _ => serde_json::from_slice(body).map_err(|_| Status::bad_request("invalid JSON patch"))?,
    };
    Ok((format, options, patch))
}

/// A document with a patch in it.
pub(super) fn patched(format: PatchFormat, patch: &Value, old: &Fields) -> Result<Fields, Status> {
    let refused = |error: PatchError| refused(&error);
    let document = Value::Object(old.clone());
    let document = match format {
        PatchFormat::Json => {
            JsonPatch::from_value(patch).and_then(|patch| patch.apply(&document)).map_err(refused)?
        }
        _ => MergePatch::from_value(patch.clone()).map_err(refused)?.apply(&document),
    };
    match document {
        Value::Object(fields) => Ok(fields),
        _ => Err(refused(PatchError::Rejected)),
    }
}

/// A patch that was refused, as an answer.
pub(super) fn refused(error: &PatchError) -> Status {
    let status = Status::new(error.code(), error.reason(), error.to_string());
    if !error.has_details() {
        return status;
    }
    let causes = error.causes();
    let causes: Vec<_> = causes
        .into_iter()
        .map(|cause| Cause { reason: cause.reason, message: cause.message, field: cause.field })
        .collect();
    status.with_details(Details { causes, ..Details::default() })
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
