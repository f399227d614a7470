//! Strategies: what a kind does before it is stored.
//!
//! In: an object and, for updates, the stored one. Out: the object as it is to be stored, or what is wrong with it. Facts that are a
//! word long stand in [`Rules`]; what needs code is a [`Strategy`], one file a group of kinds. Nothing here reads the store.

mod account;
mod api_service;
mod batch;
mod daemon;
mod definition;
mod device;
mod facts;
mod namespace;
mod node;
mod pod;
mod request;
mod secret;
mod service;
mod versions;
mod volume;
mod warnings;

pub(crate) use crate::schema::Amount;
pub(crate) use crate::validation::organizations;
pub(crate) use facts::{builtin, custom, storage_folder};
pub(crate) use pod::{quality_of_service, tolerate};
pub(crate) use service::{address_errors, has_health_port, has_node_ports};

use warnings::Warnings;

pub(crate) use versions::{Turn, home, turn};

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::{
    definition::Aside,
    protocol::{FieldError, Fields},
    schema::LeftOut,
    validation::Checks,
};

/// The facts about a kind.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub name: NameRule,
    pub generation: Generation,
    /// Which metadata a write of the status takes along.
    pub status_metadata: &'static [&'static str],
    /// Whether an update may come without a resource version.
    pub unconditional_update: bool,
    /// Whether an update of what is not there creates it.
    pub create_on_update: bool,
    /// Whether a new object may come with a status.
    pub status_on_create: bool,
    /// Whether a delete answers with the object rather than with a `Status`.
    pub answers_deleted: bool,
    /// What becomes of dependents when a delete leaves it open.
    pub dependents: Dependents,
    /// The fields that selectors may name besides name and namespace.
    pub selectable: &'static [&'static str],
    pub strategy: &'static dyn Strategy,
    /// What a client is told besides the answer.
    pub warnings: Warnings,
    /// The same of a new status.
    pub status_warnings: Warnings,
    pub checks: Checks,
}

impl Rules {
    /// What is wrong with a new object, beside its metadata. What only the checks look at is gone afterwards.
    pub(crate) fn errors_of_new(&self, object: &mut Fields, left_out: &LeftOut) -> Vec<FieldError> {
        shown_whole(object, left_out, |object| self.check_new(object))
    }

    fn check_new(&self, object: &mut Fields) -> Vec<FieldError> {
        let mut errors = self.strategy.validate_new(object);
        let whole = Value::Object(std::mem::take(object));
        errors.extend(self.checks.create(&checked(&whole)));
        put_back(object, whole);
        self.strategy.set_aside(object);
        errors
    }

    /// What is wrong with an object that is to replace `old`, beside its metadata. What only the checks look at is gone afterwards.
    pub(crate) fn errors_of_update(
        &self,
        object: &mut Fields,
        old: &mut Fields,
        left_out: &LeftOut,
    ) -> Vec<FieldError> {
        shown_whole(object, left_out, |object| self.check_update(object, old))
    }

    fn check_update(&self, object: &mut Fields, old: &mut Fields) -> Vec<FieldError> {
        let mut errors = self.strategy.validate(object);
        errors.extend(self.strategy.validate_update(object, old));
        as_values(object, old, |object, old| errors.extend(self.checks.update(object, old)));
        self.strategy.set_aside(object);
        errors
    }

    /// What is wrong with a status that is to replace that of `old`.
    pub(crate) fn errors_of_status(
        &self,
        object: &mut Fields,
        old: &mut Fields,
        left_out: &LeftOut,
    ) -> Vec<FieldError> {
        shown_whole(object, left_out, |object| self.check_status(object, old))
    }

    fn check_status(&self, object: &mut Fields, old: &mut Fields) -> Vec<FieldError> {
        let mut errors = self.strategy.validate_status(object, old);
        as_values(object, old, |object, old| errors.extend(self.checks.status(object, old)));
        errors
    }

    /// What is wrong with a pod whose sizes have changed, as if it were new.
    pub(crate) fn errors_of_resize(&self, object: &Fields) -> Vec<FieldError> {
        let mut bare = object.clone();
        if let Some(spec) = child(&mut bare, "spec") {
            spec.remove("ephemeralContainers");
        }
        let mut errors = self.strategy.validate(&bare);
        errors.extend(self.checks.create(&Value::Object(bare)));
        errors
    }
}

/// What is wrong with an object, in words that show also its empty lists and maps.
fn shown_whole(
    object: &mut Fields,
    left_out: &LeftOut,
    mut check: impl FnMut(&mut Fields) -> Vec<FieldError>,
) -> Vec<FieldError> {
    if !left_out.has_empty() {
        return check(object);
    }
    let mut whole = object.clone();
    let errors = check(object);
    if errors.is_empty() {
        return errors;
    }
    left_out.put_back(&mut whole);
    let shown = check(&mut whole);
    // They change how a value is shown, never whether it is right.
    let same = |(error, shown): (&FieldError, &FieldError)| {
        (&error.field, error.class) == (&shown.field, shown.class)
    };
    let alike = errors.len() == shown.len() && errors.iter().zip(&shown).all(same);
    if alike { shown } else { errors }
}

/// The form in which an object is checked: of autoscalers the newest, whatever the client speaks.
fn checked(object: &Value) -> Cow<'_, Value> {
    let is = |name: &str, wanted: &str| object.get(name).is_some_and(|value| value == wanted);
    if is("apiVersion", "autoscaling/v1")
        && is("kind", "HorizontalPodAutoscaler")
        && let Some(turn) = turn("autoscaling", "v2", "horizontalpodautoscalers")
        && let Some(mut fields) = object.as_object().cloned()
    {
        turn(&mut fields);
        return Cow::Owned(Value::Object(fields));
    }
    Cow::Borrowed(object)
}

/// Shows two objects as values, in the form in which they are checked.
fn as_values(object: &mut Fields, old: &mut Fields, show: impl FnOnce(&Value, &Value)) {
    let wholes = (Value::Object(std::mem::take(object)), Value::Object(std::mem::take(old)));
    show(&checked(&wholes.0), &checked(&wholes.1));
    put_back(object, wholes.0);
    put_back(old, wholes.1);
}

fn put_back(object: &mut Fields, whole: Value) {
    if let Value::Object(fields) = whole {
        *object = fields;
    }
}

/// What becomes of the dependents of an object that is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dependents {
    /// They are deleted.
    Deleted,
    /// They are let go: the way of kinds that are older than the choice.
    Orphaned,
    /// Objects of this kind have none, whatever the client asks for.
    None,
}

/// What a name may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameRule {
    Subdomain,
    Label,
    PathSegment,
    /// An address of the network.
    Address,
    /// What the signer in the object demands; its own checks look at it.
    BySigner,
}

/// What makes the generation rise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generation {
    /// Nothing: the kind does not count.
    None,
    /// Nothing: a new object has the first, and keeps it.
    Once,
    /// A change of anything outside metadata and status.
    Content,
    /// The same, and a new object has no generation yet.
    ContentOnceChanged,
    /// The same, or of the annotations.
    ContentAndAnnotations,
    /// The same, or of the labels.
    ContentAndLabels,
    /// A change of anything outside metadata; of the status only where that is no part of its own.
    Custom,
}

/// What only code can say about a kind. Every step has the answer of most kinds as its default.
pub(crate) trait Strategy: Sync + std::fmt::Debug {
    /// Fills in what a client left open; what is filled in belongs to the client.
    fn default(&self, _object: &mut Fields) {}

    /// Takes out of an object what only its checks look at and nobody stores.
    fn set_aside(&self, _object: &mut Fields) -> Aside {
        Aside::default()
    }

    /// Completes an object that is about to be created.
    fn prepare_create(&self, _object: &mut Fields) {}

    /// Completes an object that is about to replace a stored one.
    fn prepare_update(&self, _object: &mut Fields, _old: &Fields) {}

    /// Checks an object that is about to be stored.
    fn validate(&self, _object: &Fields) -> Vec<FieldError> {
        Vec::new()
    }

    /// Checks an object that is about to be created.
    fn validate_new(&self, object: &Fields) -> Vec<FieldError> {
        self.validate(object)
    }

    /// Checks what is about to replace a stored object of which only the status changes.
    fn validate_status(&self, object: &Fields, old: &Fields) -> Vec<FieldError> {
        let mut errors = self.validate(object);
        errors.extend(self.validate_update(object, old));
        errors
    }

    /// Checks what is about to replace a stored object.
    fn validate_update(&self, _object: &Fields, _old: &Fields) -> Vec<FieldError> {
        Vec::new()
    }

    /// For kinds whose objects end after a while: how many seconds, when the client leaves it open or asks for `wanted`.
    fn grace(&self, _object: &Fields, _wanted: Option<i64>) -> Option<i64> {
        None
    }
}

/// The strategy of a kind that needs none.
#[derive(Debug)]
pub(crate) struct Plain;

impl Strategy for Plain {}

/// The object under a member, made if it is not there (or is none).
pub(crate) fn child<'a>(object: &'a mut Fields, name: &str) -> Option<&'a mut Fields> {
    let value = object.entry(name).or_insert(Value::Null);
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut()
}

/// Puts a value at a dotted path, making what is missing on the way.
pub(crate) fn set(object: &mut Fields, path: &str, value: impl Into<Value>) {
    match path.split_once('.') {
        Some((first, rest)) => {
            if let Some(members) = child(object, first) {
                set(members, rest, value);
            }
        }
        None => {
            object.insert(path.to_owned(), value.into());
        }
    }
}

/// The value at a dotted path.
pub(crate) fn at<'a>(object: &'a Fields, path: &str) -> Option<&'a Value> {
    let mut parts = path.split('.');
    let first = object.get(parts.next()?)?;
    parts.try_fold(first, |value, part| value.get(part))
}

/// The text at a dotted path; everything else is empty.
pub(crate) fn text<'a>(object: &'a Fields, path: &str) -> &'a str {
    at(object, path).and_then(Value::as_str).unwrap_or_default()
}

/// Sets a member that is not there.
fn fill(members: &mut Fields, name: &str, value: Value) {
    members.entry(name).or_insert(value);
}
