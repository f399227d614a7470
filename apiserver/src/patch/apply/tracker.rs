//! The way in: one writer, one kind, one moment.

use std::{borrow::Cow, sync::LazyLock};

use jiff::Timestamp;
use serde_json::Value;

use super::{
    last_applied,
    managed::{self, Entry, ManagedFields, Operation, Order, Owner, remove_from},
    update::{Change, Failure, Reckoning},
};
use crate::{
    patch::{
        PatchError,
        fields::FieldSet,
        typed::{fits, validate},
    },
    schema::TypeSchema,
};

/// The members of an object.
type Object = serde_json::Map<String, Value>;

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

static NOTHING: LazyLock<FieldSet> = LazyLock::new(FieldSet::default);

/// The versions of a kind.
pub trait Versions {
    /// The object in another version, with that version's type, or why it has none. None where there is no such version.
    fn convert(&self, object: &Object, api_version: &str) -> Option<Result<(Object, TypeSchema), String>>;
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
    fn convert(&self, object: &Object, api_version: &str) -> Option<Result<(Object, TypeSchema), String>> {
        if !self.api_versions.contains(&api_version) {
            return None;
        }
        let mut object = object.clone();
        object.insert("apiVersion".into(), api_version.into());
        Some(Ok((object, self.schema.clone())))
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
    pub fn update(&self, live: Option<&Object>, new: Object) -> Object {
        let mut new = self.update_closed(live, new);
        managed::open(&mut new);
        new
    }

    /// The same, with the owners closed.
    pub(crate) fn update_closed(&self, live: Option<&Object>, mut new: Object) -> Object {
        let managed = self.owners_before(live, &new);
        remove_from(&mut new);
        if managed.entries.is_empty() && live.is_some() {
            return new;
        }
        // Decoding has seen to the types of Go's structs; those of custom kinds may hold anything where nothing is checked yet.
        let typed = self.kind.schema.is_go_struct()
            || [Some(&new), live].into_iter().flatten().all(|object| fits(object, self.kind.schema));
        let managed = if typed {
            let old = live.map_or_else(|| Cow::Owned(self.empty_object()), Cow::Borrowed);
            self.track(&old, &new, managed, self.manager).unwrap_or_else(|_| stored_owners(live))
        } else {
            managed
        };
        managed.write_to(&mut new, self.order());
        new
    }

    /// Applies an object. `live` is the stored object, none where it is to be created; `applied` is the body as sent. Returns the new
    /// object with its owners, which the server has still to decode, default and validate.
    ///
    /// # Errors
    ///
    /// 400 for another kind or sent `managedFields`, 500 for an object that does not fit its type, 409 for conflicts.
    pub fn apply(&self, live: Option<&Object>, applied: &Value, force: bool) -> Result<Object, PatchError> {
        let mut new = self.apply_closed(live, applied, force)?;
        managed::open(&mut new);
        Ok(new)
    }

    /// The same, with the owners closed.
    pub(crate) fn apply_closed(
        &self,
        live: Option<&Object>,
        applied: &Value,
        force: bool,
    ) -> Result<Object, PatchError> {
        self.check(applied)?;
        let empty = self.empty_object();
        let old = live.unwrap_or(&empty);
        let mut managed = ManagedFields::of(old)
            .map_err(|text| PatchError::Internal(format!("failed to decode managed fields: {text}")))?;
        if managed.entries.is_empty() {
            managed = self.track(&empty, old, managed, BEFORE_FIRST_APPLY).map_err(|text| {
                PatchError::Internal(format!("failed to create manager for existing fields: {text}"))
            })?;
        }
        let applied = without_owners(applied);
        self.check_type(&applied)?;
        let (mut new, managed) = self.merge(old, &applied, managed, force)?;
        if self.manager == last_applied::KUBECTL {
            last_applied::renew(&mut new, &applied);
        }
        managed.write_to(&mut new, self.order());
        Ok(new)
    }

    fn merge(
        &self,
        old: &Object,
        applied: &Value,
        managed: ManagedFields,
        force: bool,
    ) -> Result<(Object, ManagedFields), PatchError> {
        // Only one manager may try again.
        let again = (self.manager == last_applied::KUBECTL).then(|| managed.clone());
        match self.merge_once(old, applied, managed, force) {
            Err(Failure::Conflicts(conflicts)) => {
                let allowed = || last_applied::fields(old, self.kind.schema, self.kind.api_version);
                let Some((managed, allowed)) = again.and_then(|managed| Some((managed, allowed()?))) else {
                    return Err(conflicts.into_error());
                };
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
        old: &Object,
        applied: &Value,
        mut managed: ManagedFields,
        force: bool,
    ) -> Result<(Object, ManagedFields), Failure> {
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
        old: &Object,
        new: &Object,
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
            entry.set.merge(taken);
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
            // The main resource of a custom kind says of its own version alone what it resets.
            reset_elsewhere: if self.kind.schema.is_go_struct() || !self.subresource.is_empty() {
                self.reset
            } else {
                &NOTHING
            },
            versions: self.kind.versions,
        }
    }

    /// The owners that an update starts from: those that it sends, else those that are stored.
    fn owners_before(&self, live: Option<&Object>, new: &Object) -> ManagedFields {
        if !self.subresource.is_empty() {
            return stored_owners(live);
        }
        let Some(sent) = managed::sent(new) else { return stored_owners(live) };
        if is_reset(sent) {
            return ManagedFields::default();
        }
        match ManagedFields::decode(sent) {
            Ok(managed) if !managed.entries.is_empty() => managed,
            _ => stored_owners(live),
        }
    }

    fn order(&self) -> Order {
        if self.kind.schema.is_go_struct() { Order::Declared } else { Order::Sorted }
    }

    /// What an object is before it is created.
    fn empty_object(&self) -> Object {
        let mut empty = self.kind.schema.zero().as_object().cloned().unwrap_or_default();
        empty.insert("apiVersion".into(), self.kind.api_version.into());
        empty.insert("kind".into(), self.kind.kind.into());
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

/// What is applied, without the place of owners, which holds nothing.
fn without_owners(applied: &Value) -> Cow<'_, Value> {
    let mut applied = Cow::Borrowed(applied);
    if applied.pointer("/metadata/managedFields").is_some()
        && let Value::Object(members) = applied.to_mut()
    {
        remove_from(members);
    }
    applied
}

/// The owners of the stored object; what cannot be read is none.
fn stored_owners(live: Option<&Object>) -> ManagedFields {
    live.and_then(|live| ManagedFields::of(live).ok()).unwrap_or_default()
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
        entry.set = std::mem::take(&mut entry.set).difference(&UNTRACKED);
        if entry.set.is_empty() {
            managed.entries.remove(owner);
        }
    }
}

/// Merges the oldest updaters of a version until there are few enough.
fn cap(managed: &mut ManagedFields) {
    let updaters = || managed.entries.iter().filter(|(owner, _)| owner.operation == Operation::Update);
    let mut left = updaters().count();
    if left <= MOST_UPDATERS {
        return;
    }
    let mut updaters: Vec<(Owner, Entry)> =
        updaters().map(|(owner, entry)| (owner.clone(), entry.clone())).collect();
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
        merged.set.merge(entry.set);
        merged.version = entry.version;
        merged.time = entry.time;
        managed.entries.remove(&owner);
        managed.entries.insert(bucket, merged);
        left -= 1;
    }
}
