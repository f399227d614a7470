//! What to wait for.
//!
//! In: an object as it is, or that there is none. Out: yes or no. Never: a memory of what was before.

use std::{fmt, sync::Arc};

use serde_json::Value;

use crate::object::Object;

type Holds<K> = dyn Fn(Option<&K>) -> bool + Send + Sync;

/// Says whether an object is as it is wanted. A cheap clone.
pub struct Condition<K>(Arc<Holds<K>>);

impl<K> Clone for Condition<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K> fmt::Debug for Condition<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Condition")
    }
}

impl<K: Object> Condition<K> {
    /// Whether it holds for this object; `None` where there is none.
    #[must_use]
    pub fn holds(&self, object: Option<&K>) -> bool {
        (self.0)(object)
    }

    /// Holds where both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        new(move |object| self.holds(object) && other.holds(object))
    }

    /// Holds where one of them holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        new(move |object| self.holds(object) || other.holds(object))
    }

    /// Holds where this one does not.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "the three words of the algebra belong together, and `!` would hide one"
    )]
    pub fn not(self) -> Self {
        new(move |object| !self.holds(object))
    }
}

/// A condition of one's own.
pub fn new<K: Object>(holds: impl Fn(Option<&K>) -> bool + Send + Sync + 'static) -> Condition<K> {
    Condition(Arc::new(holds))
}

/// A condition of one's own, on an object that is there.
pub fn of<K: Object>(holds: impl Fn(&K) -> bool + Send + Sync + 'static) -> Condition<K> {
    new(move |object| object.is_some_and(&holds))
}

/// There is an object.
#[must_use]
pub fn exists<K: Object>() -> Condition<K> {
    new(|object| object.is_some())
}

/// The object with this uid is gone; another may stand in its place.
#[must_use]
pub fn deleted<K: Object>(uid: &str) -> Condition<K> {
    let uid = uid.to_owned();
    new(move |object| object.is_none_or(|object: &K| object.meta().uid.as_deref() != Some(&uid)))
}

/// The condition of this type in the object's status has this value (`True`, `False`, `Unknown`), and is not about an older generation
/// (`kubectl wait --for=condition=Type=Value`).
#[must_use]
pub fn status<K: Object>(type_: &str, value: &str) -> Condition<K> {
    let (type_, value) = (type_.to_owned(), value.to_owned());
    at("/status/conditions", move |object: &K, conditions| {
        let generation = object.meta().generation.unwrap_or_default();
        let conditions = conditions.as_array().map(Vec::as_slice).unwrap_or_default();
        conditions.iter().any(|condition| {
            let text = |name: &str| condition.get(name).and_then(Value::as_str);
            let observed = condition.get("observedGeneration").and_then(Value::as_i64);
            text("type") == Some(&type_)
                && text("status").is_some_and(|status| status.eq_ignore_ascii_case(&value))
                && observed.is_none_or(|observed| observed >= generation)
        })
    })
}

/// The field at this path (RFC 6901, such as `/status/phase`) has this value (`kubectl wait --for=jsonpath=...`).
#[must_use]
pub fn field<K: Object>(pointer: &str, value: impl Into<Value>) -> Condition<K> {
    let value = value.into();
    at(pointer, move |_, found| *found == value)
}

fn at<K: Object>(pointer: &str, holds: impl Fn(&K, &Value) -> bool + Send + Sync + 'static) -> Condition<K> {
    let pointer = pointer.to_owned();
    of(move |object: &K| {
        // What cannot be written as JSON was never read from a server.
        let whole = serde_json::to_value(object).unwrap_or_default();
        whole.pointer(&pointer).is_some_and(|found| holds(object, found))
    })
}
