//! Objects that a webhook converts: what a request needs of it before it goes on.
//!
//! In: what the request has looked at so far. Out: nothing where every object could be converted; else the wait for the webhook, or the refusal
//! in a real server's words for what was tried. Which version an object is in is settled elsewhere.

use std::{borrow::Cow, sync::Arc};

use serde_json::Value;

use crate::{
    admission::calls::Calls,
    conversion::Failure,
    patch::apply::Versions,
    protocol::{Cause, Details, Fields, Status},
    registry::{Custom, Resource},
    schema::TypeSchema,
    store::{Change, Draft, Stored},
};

use super::{Context, Core, write::draft};

/// What is tried with an object that has to be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It is shown or removed.
    Read,
    /// It is what a write starts from.
    Basis,
    /// It is stored.
    Write,
    /// It is one of many.
    List,
    /// The same, for a watch, which a real server follows no further than to the first that it cannot read.
    Watch,
}

impl Core {
    /// Whether everything that was looked at could be converted.
    pub(super) fn converted(&self, context: &Context<'_>, step: Step) -> Result<(), Status> {
        let desk = self.registry.desk();
        if desk.waits() {
            return Err(Calls::pending());
        }
        let Some(failure) = desk.failure() else { return Ok(()) };
        Err(match (step, &failure.stored) {
            (Step::Watch, Some((_, version))) => {
                let status =
                    Status::too_large_resource_version(self.store.version(), version.saturating_sub(1));
                let message = format!("Timeout: {}", status.message());
                status.with_message(message)
            }
            _ => told(&context.resource, step, &failure),
        })
    }

    /// A stored object in the version of a request.
    pub(super) fn seen(
        &self,
        context: &Context<'_>,
        object: &Arc<Stored>,
        step: Step,
    ) -> Result<Arc<Stored>, Status> {
        let seen = context.resource.see(object);
        self.converted(context, step)?;
        Ok(seen)
    }

    /// How an object would be stored; the webhook has then been asked for that form, and how it is shown. None where there is no webhook.
    pub(super) fn rehearsed(
        &self,
        context: &Context<'_>,
        fields: &Fields,
        version: u64,
    ) -> Result<Option<Arc<Stored>>, Status> {
        let resource = &context.resource;
        if !resource.custom.as_ref().is_some_and(|custom| custom.asks()) {
            return Ok(None);
        }
        let draft = draft(resource, context.key(), fields);
        self.converted(context, Step::Write)?;
        let stored = Arc::new(Stored::write(draft, version, Change::Modified));
        self.seen(context, &stored, Step::Write)?;
        Ok(Some(stored))
    }

    /// The same request about an object in the version in which it is stored: what changes nothing but its metadata needs no webhook.
    pub(super) fn as_stored<'c, 'r>(
        &self,
        context: &'c Context<'r>,
        object: &Arc<Stored>,
    ) -> Cow<'c, Context<'r>> {
        match self.registry.as_stored(&context.resource, Some(object)) {
            Some(resource) => Cow::Owned(Context { resource, ..context.clone() }),
            None => Cow::Borrowed(context),
        }
    }
}

/// An object that was shown before, with the metadata that it has now.
pub(super) fn shown_again(resource: &Resource, before: &Stored, object: &Arc<Stored>) -> Arc<Stored> {
    if !resource.custom.as_ref().is_some_and(|custom| custom.asks()) {
        return resource.see(object);
    }
    let mut fields = before.fields();
    let said = fields.get("metadata").cloned().unwrap_or_default();
    if let Some(Value::Object(mut metadata)) = object.fields().remove("metadata") {
        for name in ["labels", "annotations"] {
            match said.get(name) {
                Some(value) => metadata.insert(name.to_owned(), value.clone()),
                None => metadata.remove(name),
            };
        }
        fields.insert("metadata".to_owned(), metadata.into());
    }
    let draft = Draft {
        shape: before.shape,
        ..Draft::new(Arc::clone(&object.key), Arc::clone(&resource.head), &fields)
    };
    Arc::new(Stored::write(draft, object.version, Change::Modified))
}

/// The versions of a kind, as the owners of fields see them.
pub(super) struct ByForm<'a>(pub Option<&'a Custom>);

impl Versions for ByForm<'_> {
    fn convert(&self, object: &Fields, api_version: &str) -> Option<Result<(Fields, TypeSchema), String>> {
        Some(self.0?.turn(object, api_version))
    }
}

fn told(resource: &Resource, step: Step, failure: &Failure) -> Status {
    let Failure { why, stored } = failure;
    let Some((key, version)) = stored else { return Status::new(500, "", why.as_str()) };
    let undecodable = format!("object not decodable revision={version}: {why}");
    let corrupt = |key: &str| {
        format!(
            "StorageError: corrupt object, Code: 7, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: {undecodable}"
        )
    };
    match step {
        Step::Write | Step::Watch => Status::new(500, "", why.as_str()),
        Step::Basis => Status::new(500, "", undecodable),
        Step::Read => Status::internal(corrupt(&format!("/{}/{}/{key}", resource.group, resource.plural))),
        Step::List => {
            let key = resource.storage_key(key);
            let message = corrupt(&key);
            let text = format!("failed to read one or more {} from the storage: {message}", resource.name());
            let cause = Cause { reason: "UnexpectedServerResponse", message, field: key };
            let details = Details {
                name: "list".to_owned(),
                group: resource.group.clone(),
                kind: resource.plural.clone(),
                causes: vec![cause],
                ..Details::default()
            };
            Status::new(500, "StorageReadError", text).with_details(details)
        }
    }
}
