//! Finalizers of an object in memory; the change has to be written.
//!
//! In: an object and a finalizer's name. Out: the object with or without it, and whether that is a change. Never: a request.

use kube::Resource;

/// Whether the object has this finalizer.
#[must_use]
pub fn has_finalizer(object: &impl Resource, finalizer: &str) -> bool {
    object.meta().finalizers.iter().flatten().any(|name| name == finalizer)
}

/// Adds a finalizer, and says whether it was not there.
pub fn add_finalizer(object: &mut impl Resource, finalizer: &str) -> bool {
    let missing = !has_finalizer(object, finalizer);
    if missing {
        object.meta_mut().finalizers.get_or_insert_default().push(finalizer.to_owned());
    }
    missing
}

/// Removes a finalizer, and says whether it was there.
pub fn remove_finalizer(object: &mut impl Resource, finalizer: &str) -> bool {
    let there = has_finalizer(object, finalizer);
    if let Some(names) = &mut object.meta_mut().finalizers {
        names.retain(|name| name != finalizer);
    }
    there
}
