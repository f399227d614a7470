//! What create, update, patch and apply have in common.
//!
//! In: the fields of an object that is to be stored. Out: the stored object and its answer. Every write of an object goes through here,
//! so that the rules about metadata, generation, status, finalizers and unchanged content hold for all of them.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    protocol::{Fields, Status},
    registry::Resource,
    store::{Change, Draft, Stored},
    strategy::{Generation, at},
};

use super::{
    Context, Core,
    dispatch::Side,
    metadata,
    options::WriteOptions,
    read::{METADATA_HEAD, object_reply},
    reply::{Part, Reply},
};

/// A write that replaces a stored object.
pub(super) struct Replacement<'a> {
    pub context: &'a Context<'a>,
    pub options: &'a WriteOptions,
    pub side: Side,
    pub old: Arc<Stored>,
    pub old_fields: Fields,
}

impl Core {
    /// Stores what replaces a stored object, if it differs at all.
    pub(super) fn replace(&mut self, write: &Replacement<'_>, mut new: Fields) -> Result<Reply, Status> {
        let Replacement { context, old, old_fields, .. } = write;
        let resource = &context.resource;
        keep_other_side(write, &mut new);
        let old_metadata = metadata_of(old_fields);
        let mut meta = take_metadata(&mut new);
        metadata::keep_owned(&mut meta, &old_metadata);
        new.insert("metadata".to_owned(), meta.into());
        if write.side == Side::Main {
            resource.rules.strategy.prepare_update(&mut new, old_fields);
        }
        if write.side == Side::Main && counts(resource, &new, old_fields) {
            raise_generation(&mut new);
        }
        let mut meta = take_metadata(&mut new);
        metadata::drop_empty(&mut meta);
        let mut errors = metadata::validate_update(&meta, &old_metadata);
        errors.extend(metadata::validate(&meta, resource.rules.name));
        new.insert("metadata".to_owned(), meta.into());
        errors.extend(resource.rules.strategy.validate(&new));
        errors.extend(resource.rules.strategy.validate_update(&new, old_fields));
        if !errors.is_empty() {
            return Err(Status::invalid(resource.kind_name(), old.name(), &errors));
        }
        if is_finished(&new) && !is_finished(old_fields) {
            if !write.options.dry_run {
                self.store.remove(resource.table, &old.key);
            }
            return Ok(self.detached(context, &new, old.version));
        }
        if new == without_version(old_fields) {
            return Ok(object_reply(context, 200, old));
        }
        if write.options.dry_run {
            return Ok(self.detached(context, &new, old.version));
        }
        let draft = draft(resource, Arc::clone(&old.key), &new);
        let stored = self.store.put(resource.table, draft);
        Ok(object_reply(context, 200, &stored))
    }

    /// An object that is not stored (any more), as an answer.
    fn detached(&self, context: &Context<'_>, fields: &Fields, version: u64) -> Reply {
        let draft = draft(&context.resource, context.key(), fields);
        object_reply(context, 200, &Stored::write(draft, version, Change::Modified))
    }
}

/// The draft of an object.
pub(super) fn draft<'a>(resource: &'a Resource, key: Arc<str>, fields: &'a Fields) -> Draft<'a> {
    Draft { key, head: &resource.head, fields, selectable: selectable(resource, fields) }
}

/// An object without a version, as an answer.
pub(super) fn unversioned(context: &Context<'_>, code: u16, fields: &Fields) -> Reply {
    let mut out = match context.part {
        Part::Whole => context.resource.head.as_bytes().to_vec(),
        Part::Metadata => METADATA_HEAD.as_bytes().to_vec(),
    };
    let shown = fields.iter().filter(|(name, _)| context.part == Part::Whole || *name == "metadata");
    for (index, (name, value)) in shown.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        // Writing JSON into memory fails for no value that JSON can hold.
        let _ = serde_json::to_writer(&mut out, name);
        out.push(b':');
        let _ = serde_json::to_writer(&mut out, value);
    }
    out.push(b'}');
    Reply::json(code, out.into())
}

/// The metadata of an object, taken out of it.
pub(super) fn take_metadata(fields: &mut Fields) -> Fields {
    match fields.remove("metadata") {
        Some(Value::Object(metadata)) => metadata,
        _ => Fields::new(),
    }
}

/// A copy of the metadata of an object.
pub(super) fn metadata_of(fields: &Fields) -> Fields {
    fields.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Restores the part of the object that this write is not about.
fn keep_other_side(write: &Replacement<'_>, new: &mut Fields) {
    let resource = &write.context.resource;
    match write.side {
        Side::Main if resource.has_status() => match write.old_fields.get("status") {
            Some(status) => {
                new.insert("status".to_owned(), status.clone());
            }
            None => {
                new.remove("status");
            }
        },
        Side::Main => {}
        Side::Status => {
            let status = new.remove("status");
            let given = take_metadata(new);
            let mut kept = write.old_fields.clone();
            match status {
                Some(status) if !status.is_null() => kept.insert("status".to_owned(), status),
                _ => kept.remove("status"),
            };
            let mut metadata = take_metadata(&mut kept);
            for name in resource.rules.status_metadata {
                match given.get(*name) {
                    Some(value) => metadata.insert((*name).to_owned(), value.clone()),
                    None => metadata.remove(*name),
                };
            }
            for name in ["uid", "name", "namespace"] {
                if let Some(value) = given.get(name) {
                    metadata.insert(name.to_owned(), value.clone());
                }
            }
            kept.insert("metadata".to_owned(), metadata.into());
            *new = kept;
        }
    }
}

/// Whether a change lets the generation rise.
fn counts(resource: &Resource, new: &Fields, old: &Fields) -> bool {
    let content = |status_counts: bool| {
        let counted = |name: &str| name != "metadata" && (status_counts || name != "status");
        let names = new.keys().chain(old.keys());
        names.into_iter().any(|name| counted(name) && new.get(name) != old.get(name))
    };
    let differs = |path: &str| at(new, path) != at(old, path);
    match resource.rules.generation {
        Generation::None => false,
        Generation::Content => content(false),
        Generation::ContentAndAnnotations => content(false) || differs("metadata.annotations"),
        Generation::ContentAndLabels => content(false) || differs("metadata.labels"),
        Generation::Custom => content(!resource.has_status()),
    }
}

/// Adds one to the generation.
pub(super) fn raise_generation(fields: &mut Fields) {
    let generation = at(fields, "metadata.generation").and_then(Value::as_i64).unwrap_or_default();
    crate::strategy::set(fields, "metadata.generation", generation + 1);
}

/// Whether nothing holds an object that is being deleted any more.
pub(super) fn is_finished(fields: &Fields) -> bool {
    let Some(metadata) = fields.get("metadata").and_then(Value::as_object) else {
        return false;
    };
    let held = at(fields, "spec.finalizers").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let grace = metadata.get("deletionGracePeriodSeconds").and_then(Value::as_i64).unwrap_or_default();
    metadata.contains_key("deletionTimestamp")
        && grace == 0
        && !held
        && metadata::finalizer_names(metadata).is_empty()
}

fn without_version(fields: &Fields) -> Fields {
    let mut fields = fields.clone();
    if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("resourceVersion");
    }
    fields
}

/// The values of the fields that selectors may name.
fn selectable(resource: &Resource, fields: &Fields) -> Box<[Box<str>]> {
    let values = resource.rules.selectable.iter().map(|path| {
        let value = match *path {
            "source" => at(fields, "source.component").or_else(|| fields.get("reportingComponent")),
            path => at(fields, path),
        };
        match (value, *path) {
            (Some(Value::String(text)), _) => text.as_str().into(),
            (Some(other), _) => other.to_string().into(),
            (None, "spec.unschedulable" | "spec.hostNetwork") => "false".into(),
            (None, "status.replicas" | "status.successful") => "0".into(),
            (None, _) => Box::default(),
        }
    });
    values.collect()
}
