//! update: an object replaces the stored one.
//!
//! In: an object in a body. Out: the object as it is stored, or why it is not.

use serde_json::Value;

use crate::{
    protocol::{FieldError, Fields, Status, number_error},
    store::Stored,
};

use super::{
    Context, Core, create,
    decode::{self, Decoded},
    dispatch::Side,
    options::{OptionsOf, WriteOptions},
    owners::Writer,
    reply::Reply,
    write::{Owners, Replacement, take_metadata},
};

impl Core {
    pub(super) fn update(&mut self, context: &Context<'_>, side: Side) -> Result<Reply, Status> {
        let mut options = WriteOptions::read(context, OptionsOf::Update)?;
        let Decoded { fields, warnings, left_out } = decode::object(context, &options)?;
        options.left_out = left_out;
        let reply = self.update_to(context, side, &options, fields);
        Ok(reply.unwrap_or_else(Reply::from).forewarned(warnings))
    }

    fn update_to(
        &mut self,
        context: &Context<'_>,
        side: Side,
        options: &WriteOptions,
        mut fields: Fields,
    ) -> Result<Reply, Status> {
        let mut meta = take_metadata(&mut fields);
        check_name(context, &mut meta)?;
        create::place(context, &mut meta)?;
        let resource = &context.resource;
        let uid = text(&meta, "uid");
        let Some(old) = self.store.get(resource.table, &context.key()).cloned() else {
            if side == Side::Main && resource.rules.create_on_update {
                if !uid.is_empty() {
                    return Err(other_uid(context, &uid, ""));
                }
                meta.remove("managedFields");
                fields.insert("metadata".to_owned(), meta.into());
                let writer = Writer { context, options, subresource: "" };
                let fields = writer.track(None, fields);
                return self.insert(context, options, fields);
            }
            return Err(context.not_found());
        };
        if !uid.is_empty() && uid != *old.uid {
            return Err(other_uid(context, &uid, &old.uid));
        }
        same_version(context, &text(&meta, "resourceVersion"), &old)?;
        fields.insert("metadata".to_owned(), meta.into());
        let old_fields = self.seen(context, &old, options.basis())?.closed_fields();
        let write = Replacement {
            context,
            options,
            side,
            subresource: side.subresource(),
            owners: Owners::Tracked,
            old,
            old_fields,
        };
        self.replace(write, fields)
    }
}

fn text(meta: &Fields, name: &str) -> String {
    meta.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The name in the body must be that of the path; where there is none, it is set.
fn check_name(context: &Context<'_>, meta: &mut Fields) -> Result<(), Status> {
    let given = text(meta, "name");
    if given.is_empty() {
        return Err(Status::bad_request(format!(
            "the name of the object ({} based on URL) was undeterminable: name must be provided",
            context.name
        )));
    }
    if given != context.name {
        return Err(Status::bad_request(format!(
            "the name of the object ({given}) does not match the name on the URL ({})",
            context.name
        )));
    }
    Ok(())
}

/// The version that a write rests on must be the stored one.
pub(super) fn same_version(context: &Context<'_>, given: &str, old: &Stored) -> Result<(), Status> {
    let resource = &context.resource;
    let version: u64 = if given.is_empty() {
        0
    } else {
        given.parse().map_err(|_| Status::new(500, "", number_error("ParseUint", given)))?
    };
    if version == 0 {
        if resource.rules.unconditional_update {
            return Ok(());
        }
        let error =
            FieldError::invalid_printed("metadata.resourceVersion", "0", "must be specified for an update");
        return Err(Status::invalid(resource.name(), &context.name, &[error]));
    }
    if version != old.version {
        return Err(modified(context));
    }
    Ok(())
}

/// 409: somebody else was quicker.
pub(super) fn modified(context: &Context<'_>) -> Status {
    Status::conflict(
        context.resource.name(),
        &context.name,
        "the object has been modified; please apply your changes to the latest version and try again",
    )
}

pub(super) fn other_uid(context: &Context<'_>, given: &str, stored: &str) -> Status {
    let key = context.resource.storage_key(&context.key());
    Status::conflict(
        context.resource.name(),
        &context.name,
        &format!(
            "StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in \
             precondition: {given}, UID in object meta: {stored}"
        ),
    )
}
