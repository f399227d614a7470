//! The way in: one writer, one kind, one moment.

use std::sync::LazyLock;

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{
    last_applied,
    managed::{Entry, ManagedFields, Operation, Owner, remove_from},
    update::{Change, Failure, Reckoning},
};
use crate::{
    patch::{PatchError, fields::FieldSet, typed::validate},
    schema::TypeSchema,
};

/// More owners by update than these are merged into one.
const MOST_UPDATERS: usize = 10;
const OLD_UPDATERS: &str = "ancient-changes";
const BEFORE_FIRST_APPLY: &str = "before-first-apply";

/// Fields that nobody owns.
static UNTRACKED: LazyLock<FieldSet> = LazyLock::new(|| {
    FieldSet::of_fields(&[
        "apiVersion",
        "kind",
        "metadata",
        "metadata.name",
        "metadata.namespace",
        "metadata.creationTimestamp",
        "metadata.selfLink",
        "metadata.uid",
        "metadata.clusterName",
        "metadata.generation",
        "metadata.managedFields",
        "metadata.resourceVersion",
    ])
});

/// The versions of a kind.
pub trait Versions {
    /// The object in another version, with that version's type. None where the version is not served.
    fn convert(&self, object: &Value, api_version: &str) -> Option<(Value, TypeSchema)>;
}

/// Versions that differ in nothing but `apiVersion`: all that are told.
#[derive(Clone, Debug)]
pub struct SameFields<'a> {
    /// The type in every version.
    pub schema: &'a TypeSchema,
    /// The versions that are served.
    pub api_versions: &'a [&'a str],
}

impl Versions for SameFields<'_> {
    fn convert(&self, object: &Value, api_version: &str) -> Option<(Value, TypeSchema)> {
        if !self.api_versions.contains(&api_version) {
            return None;
        }
        let mut object = object.clone();
        object["apiVersion"] = api_version.into();
        Some((object, self.schema.clone()))
    }
}

/// A kind in the version of a request.
#[derive(Clone, Copy)]
pub struct Kind<'a> {
    /// The type of the whole object.
    pub schema: &'a TypeSchema,
    /// Version as objects write it, such as `apps/v1`.
    pub api_version: &'a str,
    /// Name of the kind.
    pub kind: &'a str,
    /// Other versions that entries may be in.
    pub versions: &'a dyn Versions,
}

/// Tracks owners through the writes of one request.
#[derive(Clone, Copy)]
pub struct Tracker<'a> {
    /// What is written.
    pub kind: Kind<'a>,
    /// The subresource that is written; empty for the main resource.
    pub subresource: &'a str,
    /// Who writes: the field manager, or the first part of the user agent.
    pub manager: &'a str,
    /// When.
    pub now: Timestamp,
    /// The fields that this way of writing cannot change, with all below them.
    pub reset: &'a FieldSet,
}

impl Tracker<'_> {
    /// Tracks a create, update, or patch other than apply. `live` is the object before, none for a create; `new` is the object after,
    /// decoded and defaulted, but with fields that the write cannot change still as sent. Returns `new` with its owners.
    ///
    /// Where owners cannot be told (an item without its key), those of the live object stay.
    #[must_use]
    pub fn update(&self, live: Option<&Value>, mut new: Value) -> Value {
        let managed = self.owners_before(live, &new);
        remove_from(&mut new);
        let empty = self.empty_object();
        let mut old = live.unwrap_or(&empty).clone();
        remove_from(&mut old);
        if managed.entries.is_empty() && live.is_some() {
            return new;
        }
        let kept = live.map(|live| ManagedFields::of(live).unwrap_or_default()).unwrap_or_default();
        let managed = self.track(&old, &new, managed, self.manager).unwrap_or(kept);
        managed.write_to(&mut new);
        new
    }

    /// Applies an object. `live` is the stored object, none where it is to be created; `applied` is the body as sent. Returns the new
    /// object with its owners, which the server has still to decode, default and validate.
    ///
    /// # Errors
    ///
    /// 400 for another kind or sent `managedFields`, 500 for an object that does not fit its type, 409 for conflicts.
    pub fn apply(&self, live: Option<&Value>, applied: &Value, force: bool) -> Result<Value, PatchError> {
        self.check(applied)?;
        let empty = self.empty_object();
        let live = live.unwrap_or(&empty);
        let mut managed = ManagedFields::of(live)
            .map_err(|text| PatchError::Internal(format!("failed to decode managed fields: {text}")))?;
        let mut old = live.clone();
        remove_from(&mut old);
        if managed.entries.is_empty() {
            managed = self.track(&empty, &old, managed, BEFORE_FIRST_APPLY).map_err(|text| {
                PatchError::Internal(format!("failed to create manager for existing fields: {text}"))
            })?;
        }
        let mut applied = applied.clone();
        remove_from(&mut applied);
        self.check_type(&applied)?;
        let (mut new, managed) = self.merge(&old, &applied, managed, force)?;
        if self.manager == last_applied::KUBECTL {
            last_applied::renew(&mut new, &applied);
        }
        managed.write_to(&mut new);
        Ok(new)
    }

    fn merge(
        &self,
        old: &Value,
        applied: &Value,
        managed: ManagedFields,
        force: bool,
    ) -> Result<(Value, ManagedFields), PatchError> {
        match self.merge_once(old, applied, managed.clone(), force) {
            Err(Failure::Conflicts(conflicts)) => {
                let allowed = match self.manager {
                    last_applied::KUBECTL => {
                        last_applied::fields(old, self.kind.schema, self.kind.api_version)
                    }
                    _ => None,
                };
                let Some(allowed) = allowed else { return Err(conflicts.into_error()) };
                if !conflicts.fields().difference(&allowed).is_empty() {
                    return Err(conflicts.without(&allowed).into_error());
                }
                match self.merge_once(old, applied, managed, true) {
                    Ok(done) => Ok(done),
                    Err(Failure::Conflicts(conflicts)) => Err(conflicts.into_error()),
                    Err(Failure::Other(text)) => Err(PatchError::Internal(text)),
                }
            }
            Err(Failure::Other(text)) => Err(PatchError::Internal(text)),
            Ok(done) => Ok(done),
        }
    }

    fn merge_once(
        &self,
        old: &Value,
        applied: &Value,
        mut managed: ManagedFields,
        force: bool,
    ) -> Result<(Value, ManagedFields), Failure> {
        let owner = Owner::new(self.manager, Operation::Apply, self.kind.api_version, self.subresource);
        let changed = self.reckoning().apply(old, applied, &mut managed, (&owner, force))?;
        strip(&mut managed, &owner);
        if changed.is_some()
            && let Some(entry) = managed.entries.get_mut(&owner)
        {
            entry.time = Some(self.now);
        }
        Ok((changed.unwrap_or_else(|| old.clone()), managed))
    }

    /// The owners after an update.
    fn track(
        &self,
        old: &Value,
        new: &Value,
        mut managed: ManagedFields,
        manager: &str,
    ) -> Result<ManagedFields, String> {
        let owner = Owner::new(manager, Operation::Update, self.kind.api_version, self.subresource);
        // The writer keeps what it owns of what it did not touch, but loses what it removed, as everybody does.
        let nobody = Owner::default();
        let taken = self.reckoning().update(Change { old, new }, &mut managed, &nobody)?;
        let taken = taken.difference(&UNTRACKED);
        if !taken.is_empty() {
            let entry = managed.entries.entry(owner).or_default();
            entry.set = entry.set.union(&taken);
            entry.version = self.kind.api_version.to_owned();
            entry.time = Some(self.now);
        }
        cap(&mut managed);
        Ok(managed)
    }

    fn reckoning(&self) -> Reckoning<'_> {
        Reckoning {
            schema: self.kind.schema,
            version: self.kind.api_version,
            reset: self.reset,
            versions: self.kind.versions,
        }
    }

    /// The owners that an update starts from: those that it sends, else those that are stored.
    fn owners_before(&self, live: Option<&Value>, new: &Value) -> ManagedFields {
        let stored = || live.and_then(|live| ManagedFields::of(live).ok()).unwrap_or_default();
        if !self.subresource.is_empty() {
            return stored();
        }
        let Some(Value::Array(sent)) = new.pointer("/metadata/managedFields") else { return stored() };
        if is_reset(sent) {
            return ManagedFields::default();
        }
        match ManagedFields::decode(sent) {
            Ok(managed) if !managed.entries.is_empty() => managed,
            _ => stored(),
        }
    }

    /// What an object is before it is created.
    fn empty_object(&self) -> Value {
        let mut empty = self.kind.schema.zero();
        if !empty.is_object() {
            empty = Value::Object(Map::new());
        }
        empty["apiVersion"] = self.kind.api_version.into();
        empty["kind"] = self.kind.kind.into();
        empty
    }

    fn check(&self, applied: &Value) -> Result<(), PatchError> {
        let text = |name: &str| applied.get(name).and_then(Value::as_str).unwrap_or_default();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        if (api_version, kind) != (self.kind.api_version, self.kind.kind) {
            return Err(PatchError::BadRequest(format!(
                "invalid object type: {}",
                describe(api_version, kind)
            )));
        }
        match applied.pointer("/metadata/managedFields") {
            None | Some(Value::Null) => Ok(()),
            Some(_) => Err(PatchError::BadRequest("metadata.managedFields must be nil".into())),
        }
    }

    fn check_type(&self, applied: &Value) -> Result<(), PatchError> {
        validate(applied, self.kind.schema).map_err(|failure| {
            let text = |name: &str| applied["metadata"][name].as_str().unwrap_or_default();
            PatchError::Internal(format!(
                "failed to create typed patch object ({}/{}; {}): {failure}",
                text("namespace"),
                text("name"),
                describe(self.kind.api_version, self.kind.kind)
            ))
        })
    }
}

/// A version and kind as Go prints them.
fn describe(api_version: &str, kind: &str) -> String {
    match api_version.split_once('/') {
        Some((group, version)) => format!("{group}/{version}, Kind={kind}"),
        None => format!("/{api_version}, Kind={kind}"),
    }
}

/// `[]` and `[{}]` clear the owners.
fn is_reset(sent: &[Value]) -> bool {
    match sent {
        [] => true,
        [Value::Object(only)] => only.values().all(|value| value.is_null() || value.as_str() == Some("")),
        _ => false,
    }
}

fn strip(managed: &mut ManagedFields, owner: &Owner) {
    if let Some(entry) = managed.entries.get_mut(owner) {
        entry.set = entry.set.difference(&UNTRACKED);
        if entry.set.is_empty() {
            managed.entries.remove(owner);
        }
    }
}

/// Merges the oldest updaters of a version until there are few enough.
fn cap(managed: &mut ManagedFields) {
    let mut updaters: Vec<(Owner, Entry)> = managed
        .entries
        .iter()
        .filter(|(owner, _)| owner.operation == Operation::Update)
        .map(|(owner, entry)| (owner.clone(), entry.clone()))
        .collect();
    let mut left = updaters.len();
    if left <= MOST_UPDATERS {
        return;
    }
    updaters.sort_by(|(left_owner, left), (right_owner, right)| {
        let seconds = |entry: &Entry| entry.time.map_or(0, Timestamp::as_second);
        seconds(left).cmp(&seconds(right)).then_with(|| left_owner.cmp(right_owner))
    });
    let mut first: Vec<(String, Owner)> = Vec::new();
    for (owner, entry) in updaters {
        if left <= MOST_UPDATERS {
            break;
        }
        let Some((_, oldest)) = first.iter().find(|(version, _)| *version == entry.version) else {
            first.push((entry.version, owner));
            continue;
        };
        let bucket = Owner::new(OLD_UPDATERS, Operation::Update, &entry.version, "");
        let mut merged = match managed.entries.remove(&bucket) {
            Some(bucket) => bucket,
            None => managed.entries.remove(oldest).unwrap_or_default(),
        };
        merged.set = merged.set.union(&entry.set);
        merged.version = entry.version;
        merged.time = entry.time;
        managed.entries.remove(&owner);
        managed.entries.insert(bucket, merged);
        left -= 1;
    }
}
