//! Server-side apply, and the tracking of owners for every other write.
//!
//! In: the stored object, the new or applied one, their type, who writes, when. Out: the object with `metadata.managedFields` as a real
//! server would store it, or the conflicts. It neither defaults nor validates, and it stores nothing.

mod conflict;
mod last_applied;
mod managed;
mod scale;
mod tracker;
mod update;

pub(crate) use managed::{
    open as open_owners, put_back as put_owners_back, remove_from as take_owners, same_owners,
};
pub use scale::ScaleMapping;
pub use tracker::{Kind, SameFields, Tracker, Versions};

use serde_json::Value;

/// Whether two states of an object differ in nothing but the times in `metadata.managedFields`: a write that changes no more is none.
#[must_use]
pub fn same_but_times(old: &Value, new: &Value) -> bool {
    let timeless = |object: &Value| {
        let mut object = object.clone();
        if let Some(Value::Array(entries)) = object.pointer_mut("/metadata/managedFields") {
            for entry in entries.iter_mut().filter_map(Value::as_object_mut) {
                entry.remove("time");
            }
        }
        object
    };
    old == new || timeless(old) == timeless(new)
}
