//! What create, update, patch and apply have in common.
//!
//! In: the fields of an object that is to be stored. Out: the stored object and its answer. Every write of an object goes through here,
//! so that the rules about metadata, generation, status, finalizers and unchanged content hold for all of them.

use std::{borrow::Cow, sync::Arc};

use serde_json::Value;

use crate::{
    patch::apply::{open_owners, same_owners},
    protocol::{Fields, Status, escape_html},
    registry::Resource,
    schema::{TypeSchema, write_members},
    store::{Change, Draft, Hand, Stored, Texts},
    strategy::{Generation, at},
};

use super::{
    Context, Core,
    admission::Admitted,
    certificates, custom,
    definitions::is_definition,
    dispatch::Side,
    metadata,
    options::WriteOptions,
    owners::Writer,
    pod_parts,
    read::object_reply,
    reply::Reply,
    services::{self, Wish},
    sides,
};

/// A write that replaces a stored object.
pub(super) struct Replacement<'a> {
    pub context: &'a Context<'a>,
    pub options: &'a WriteOptions,
    pub side: Side,
    /// The subresource that is written, as managed fields name it.
    pub subresource: &'a str,
    pub owners: Owners,
    pub old: Arc<Stored>,
    pub old_fields: Fields,
}

impl Replacement<'_> {
    fn admitted(&self) -> Admitted<'_> {
        Admitted {
            subresource: self.subresource,
            name: self.old.name(),
            ..Admitted::write(self.context, self.options, Some(&self.old_fields))
        }
    }
}

/// Where the managed fields of a new state come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owners {
    /// They are found out by comparing the states.
    Tracked,
    /// They are in the new state already.
    Kept,
}

/// What a write has led to.
pub(super) struct Written {
    pub object: Arc<Stored>,
    pub warnings: Vec<String>,
}

impl Core {
    /// Stores what replaces a stored object, if it differs at all.
    pub(super) fn replace(&mut self, write: Replacement<'_>, new: Fields) -> Result<Reply, Status> {
        let context = write.context;
        let written = self.replace_stored(write, new)?;
        let shown = context.resource.see(&written.object);
        Ok(object_reply(context, 200, &shown).warned(written.warnings))
    }

    /// Remembers what was stored, where it is changed in the form in which it is stored.
    pub(super) fn remember(&mut self, resource: &Resource, stored: &Arc<Stored>, fields: Fields) {
        if resource.custom.is_none() && resource.turned.is_none() {
            self.store.remember(stored, fields);
        }
    }

    /// The same, with the stored object rather than an answer.
    pub(super) fn replace_stored(
        &mut self,
        mut write: Replacement<'_>,
        new: Fields,
    ) -> Result<Written, Status> {
        let context = write.context;
        let resource = &context.resource;
        let mut warnings = Vec::new();
        if write.side == Side::Main {
            self.confirm_rights(context, &new, Some(&write.old_fields))?;
        }
        let mut new = tracked(&write, new, &mut warnings);
        // A scale has been asked about as such.
        let is_scale = write.subresource == "scale";
        if !is_scale {
            self.admit_changes(&write.admitted(), &mut new, &mut warnings)?;
        }
        let wish = (write.side == Side::Main && services::is_service(resource))
            .then(|| Wish::of(&new, Some(&write.old_fields)));
        let mut new = completed(&mut write, new, &mut warnings)?;
        if let Some(wish) = wish {
            self.give(context, write.options, &mut new, (&wish, Some(&write.old_fields)))?;
        }
        let charges = match is_scale {
            true => Vec::new(),
            false => self.admit_object(&write.admitted(), Some(&new), &mut warnings)?,
        };
        let Replacement { old, old_fields, .. } = &write;
        let done = |object: Arc<Stored>| Ok(Written { object, warnings });
        if is_finished(&new) {
            if !write.options.dry_run {
                self.store.remove(resource.table, &old.key);
            }
            return done(detached(context, &new, old.version));
        }
        let stale = resource.custom.as_ref().is_some_and(|custom| custom.is_stale(old));
        let rehearsed = self.rehearsed(context, &new, old.version)?;
        let same = match &rehearsed {
            Some(stored) => unchanged(&old.fields(), &stored.fields()),
            None => unchanged(old_fields, &new),
        };
        if !stale && same {
            return done(Arc::clone(old));
        }
        if write.options.dry_run {
            return done(rehearsed.unwrap_or_else(|| detached(context, &new, old.version)));
        }
        self.store_charges(context, charges);
        let stored = self.store.put(resource.table, draft(resource, Arc::clone(&old.key), &new));
        self.remember(resource, &stored, new);
        done(stored)
    }
}

/// The new state with its owners, and with managed fields that say what it has changed.
fn tracked(write: &Replacement<'_>, mut new: Fields, warnings: &mut Vec<String>) -> Fields {
    let Replacement { context, old_fields, .. } = write;
    let mut meta = take_metadata(&mut new);
    warnings.extend(metadata::merge_owners(&mut meta));
    new.insert("metadata".to_owned(), meta.into());
    if write.owners == Owners::Kept {
        return new;
    }
    let writer = Writer { context, options: write.options, subresource: write.subresource };
    writer.track(Some(old_fields), new)
}

/// The new state with everything that the server and the kind have to say about it, checked.
fn completed(
    write: &mut Replacement<'_>,
    mut new: Fields,
    warnings: &mut Vec<String>,
) -> Result<Fields, Status> {
    let context = write.context;
    let resource = &context.resource;
    sides::keep_other_side(write, &mut new);
    let nothing = Fields::new();
    let old_metadata = write.old_fields.get("metadata").and_then(Value::as_object).unwrap_or(&nothing);
    let mut meta = take_metadata(&mut new);
    metadata::keep_owned(&mut meta, old_metadata);
    new.insert("metadata".to_owned(), meta.into());
    if write.side == Side::Main {
        resource.rules.strategy.prepare_update(&mut new, &write.old_fields);
        if services::is_service(resource) {
            services::refuse_early(resource, &mut new, None)?;
        }
    }
    let counted = matches!(write.side, Side::Main | Side::EphemeralContainers | Side::Sizes);
    let aside = resource.rules.strategy.set_aside(&mut new);
    if counted && counts(resource, &new, &write.old_fields) {
        raise_generation(&mut new);
    }
    aside.put_back(&mut new);
    let mut meta = take_metadata(&mut new);
    metadata::drop_empty(&mut meta);
    let mut errors = metadata::validate_update(&meta, old_metadata);
    if resource.custom.is_some() || is_definition(resource) {
        // Those of custom kinds and their definitions are looked at twice.
        errors.extend(metadata::validate_kept(&meta));
        errors.extend(errors.clone());
    }
    errors.extend(metadata::validate(&meta, resource));
    new.insert("metadata".to_owned(), meta.into());
    let (left_out, old_fields) = (&write.options.left_out, &mut write.old_fields);
    match write.side {
        Side::Status | Side::Approval if certificates::is_request(resource) => {
            errors.extend(certificates::errors(write.side, &new, old_fields));
        }
        Side::Status | Side::Approval => {
            errors.extend(resource.rules.errors_of_status(&mut new, old_fields, left_out));
            warnings.extend((resource.rules.status_warnings)(&new, Some(old_fields)));
        }
        Side::EphemeralContainers => errors.extend(pod_parts::ephemeral_errors(&new, old_fields)),
        Side::Sizes => {
            errors.extend(resource.rules.errors_of_resize(&new));
            errors.extend(pod_parts::resize_errors(&new, old_fields));
        }
        Side::Main | Side::Finalizers => {
            errors.extend(resource.rules.errors_of_update(&mut new, old_fields, left_out));
            warnings.extend((resource.rules.warnings)(&new, Some(old_fields)));
        }
    }
    let mut told = Vec::new();
    if let Some(custom) = &resource.custom {
        let found = custom::check_change((custom, resource.scale.as_ref()), (&new, old_fields), write.side);
        errors.extend(found.errors);
        told = found.warnings;
        warnings.extend(found.later);
    }
    if errors.is_empty() {
        warnings.extend(told);
        return Ok(new);
    }
    Err(resource.invalid(write.old.name(), errors).with_warnings(told))
}

/// An object that is not stored (any more).
pub(super) fn detached(context: &Context<'_>, fields: &Fields, version: u64) -> Arc<Stored> {
    if let Some(custom) = context.resource.custom.as_ref().filter(|custom| custom.asks()) {
        let draft = Draft::new(context.key(), Arc::clone(&context.resource.head), fields);
        return Arc::new(Stored::write(
            Draft { shape: custom.form.shape, ..draft },
            version,
            Change::Modified,
        ));
    }
    let draft = draft(&context.resource, context.key(), fields);
    context.resource.see(&Arc::new(Stored::write(draft, version, Change::Modified)))
}

/// Writes the members of an object in the order of its type.
#[derive(Debug)]
struct Typed(TypeSchema);

impl Hand for Typed {
    fn write(&self, out: &mut Vec<u8>, fields: &Fields, skipped: &[&str]) {
        write_members(out, fields, &self.0, skipped);
    }
}

/// The draft of an object.
pub(super) fn draft<'a>(resource: &'a Resource, key: Arc<str>, fields: &'a Fields) -> Draft<'a> {
    if let Some(custom) = &resource.custom {
        return custom.draft(key, fields);
    }
    let draft = Draft::new(key, Arc::clone(&resource.head), fields);
    let hand = Typed(resource.schema());
    Draft { selectable: selectable(resource, fields), hand: Some(Box::new(hand)), ..draft }
}

/// An object without a version, as an answer.
pub(super) fn unversioned(context: &Context<'_>, code: u16, fields: &Fields) -> Reply {
    let mut fields = fields.clone();
    open_owners(&mut fields);
    let only = context.metadata_only();
    let mut out = match only {
        None => context.resource.head.as_bytes().to_vec(),
        Some(version) => version.head().as_bytes().to_vec(),
    };
    let shown = fields.iter().filter(|(name, _)| match name.as_str() {
        "metadata" => true,
        "kind" | "apiVersion" => false,
        _ => only.is_none(),
    });
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
    escape_html(&mut out, 0);
    Reply::json(code, out.into())
}

/// The metadata of an object, taken out of it.
pub(super) fn take_metadata(fields: &mut Fields) -> Fields {
    match fields.remove("metadata") {
        Some(Value::Object(metadata)) => metadata,
        _ => Fields::new(),
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
        Generation::None | Generation::Once => false,
        Generation::Content | Generation::ContentOnceChanged => content(false),
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

/// Whether two states differ in nothing but the version and the times of managed fields.
fn unchanged(old: &Fields, new: &Fields) -> bool {
    let same = |(name, value): (&String, &Value)| match name.as_str() {
        "metadata" => same_metadata(Some(value), new.get(name)),
        name => new.get(name) == Some(value),
    };
    old.len() == new.len() && old.iter().all(same) && same_owners(old, new)
}

/// Whether metadata is the same, but for the version and the owners.
fn same_metadata(old: Option<&Value>, new: Option<&Value>) -> bool {
    let (Some(old), Some(new)) = (old.and_then(Value::as_object), new.and_then(Value::as_object)) else {
        return old == new;
    };
    let mut names = old.keys().chain(new.keys());
    names.all(|name| {
        matches!(name.as_str(), "resourceVersion" | "managedFields") || old.get(name) == new.get(name)
    })
}

/// The values of the fields that selectors may name.
fn selectable(resource: &Resource, fields: &Fields) -> Texts {
    let values = resource.rules.selectable.iter().map(|path| {
        let value = match *path {
            "source" => at(fields, "source.component").or_else(|| fields.get("reportingComponent")),
            path => at(fields, path),
        };
        match (value, *path) {
            (Some(Value::String(text)), _) => Cow::Borrowed(text.as_str()),
            (Some(other), _) => Cow::Owned(other.to_string()),
            (None, "spec.unschedulable" | "spec.hostNetwork") => Cow::Borrowed("false"),
            (None, "status.replicas" | "status.successful") => Cow::Borrowed("0"),
            (None, _) => Cow::default(),
        }
    });
    values.collect()
}
