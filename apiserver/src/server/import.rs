//! Objects that are there already.
//!
//! In: whole objects, status included, as a test's seed or a recorded cluster has them. Out: the same objects, stored. What is missing is
//! filled in, defaults of built-in kinds as well, since whatever is written later is compared with what is stored. Nothing is stored that
//! a request could not read back.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    protocol::{FieldError, Fields, Status},
    registry::Resource,
    strategy::Generation,
};

use super::{
    Core, custom, decode, metadata, timestamp,
    write::{draft, take_metadata},
};

impl Core {
    /// Stores an object as it is given. Its uid, times, generation, managed fields and status stay; what is missing of the first
    /// three is filled in. Its version is the store's next, whatever it says itself. A missing namespace is made.
    pub(crate) fn import(&mut self, object: Value, now: Timestamp) -> Result<(), Status> {
        let Value::Object(mut fields) = object else {
            return Err(Status::bad_request("what is to be stored is no object"));
        };
        let api_version = take_text(&mut fields, "apiVersion");
        let kind = take_text(&mut fields, "kind");
        let registry = Arc::clone(&self.registry);
        let resource = registry.of_kind(&api_version, &kind).ok_or_else(|| {
            Status::bad_request(format!("no kind {kind:?} of {api_version:?} is registered with this server"))
        })?;
        let decode::Form { mut fields, unknown, .. } =
            decode::normal(resource, fields, crate::registry::Nulls::Dropped)
                .map_err(|why| unfit(resource, &why))?;
        if !unknown.is_empty() {
            return Err(unfit(resource, &unknown.join(", ")));
        }
        let mut meta = take_metadata(&mut fields);
        let name = text(&meta, "name").to_owned();
        let namespace = match (resource.namespaced, text(&meta, "namespace")) {
            (false, _) => String::new(),
            (true, "") => "default".to_owned(),
            (true, namespace) => namespace.to_owned(),
        };
        self.complete(&mut meta, &namespace, now);
        if !meta.contains_key("generation") && resource.rules.generation != Generation::None {
            meta.insert("generation".to_owned(), 1.into());
        }
        let status = fields.get("status").cloned();
        fields.insert("metadata".to_owned(), meta.into());
        resource.rules.strategy.prepare_create(&mut fields);
        if let Some(status) = status {
            fields.insert("status".to_owned(), status);
        }
        let mut errors = refused(&fields);
        let meta = fields.get("metadata").and_then(Value::as_object);
        errors.extend(meta.map(|meta| metadata::validate(meta, resource)).unwrap_or_default());
        errors.extend(resource.rules.strategy.validate_new(&fields));
        resource.rules.strategy.set_aside(&mut fields);
        if let Some(custom) = &resource.custom {
            errors.extend(custom::check_new((custom, resource.scale.as_ref()), &fields).errors);
        }
        if !errors.is_empty() {
            return Err(Status::invalid(resource.kind_name(), &name, &errors));
        }
        let key = resource.key(&namespace, &name);
        if self.store.get(resource.table, &key).is_some() {
            return Err(Status::already_exists(resource.name(), &name));
        }
        self.ensure_namespace(&namespace, now);
        self.store.put(resource.table, draft(resource, key, &fields));
        self.follow_definitions(now);
        self.take_for_kept();
        Ok(())
    }

    fn complete(&mut self, meta: &mut Fields, namespace: &str, now: Timestamp) {
        for name in ["resourceVersion", "selfLink", "namespace"] {
            meta.remove(name);
        }
        if !namespace.is_empty() {
            meta.insert("namespace".to_owned(), namespace.into());
        }
        if text(meta, "uid").is_empty() {
            meta.insert("uid".to_owned(), self.uid().into());
        }
        if text(meta, "creationTimestamp").is_empty() {
            meta.insert("creationTimestamp".to_owned(), timestamp(now).into());
        }
        metadata::drop_empty(meta);
    }

    fn ensure_namespace(&mut self, name: &str, now: Timestamp) {
        let missing = |table| self.store.get(table, name).is_none();
        let namespaces = self.registry.namespaces().map(|namespaces| namespaces.table);
        if !name.is_empty() && namespaces.is_some_and(missing) {
            self.make_namespace(name, now);
        }
    }
}

/// What does not have the form of its kind.
fn unfit(resource: &Resource, why: &str) -> Status {
    Status::bad_request(format!("cannot be read as {} of {}: {why}", resource.kind, resource.api_version()))
}

/// What no server would hold.
fn refused(fields: &Fields) -> Vec<FieldError> {
    let meta = fields.get("metadata").and_then(Value::as_object);
    let gone = meta.is_some_and(|meta| {
        meta.contains_key("deletionTimestamp") && metadata::finalizer_names(meta).is_empty()
    });
    let why = "an object that is being deleted exists only as long as it has finalizers";
    if gone { vec![FieldError::forbidden("metadata.deletionTimestamp", why)] } else { Vec::new() }
}

fn text<'a>(fields: &'a Fields, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn take_text(fields: &mut Fields, name: &str) -> String {
    match fields.remove(name) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    }
}
