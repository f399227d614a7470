//! Apply configurations: objects of which only the set fields exist.
//!
//! In: the structs that the `applyconfiguration` generator writes. Out: the trait by which the client sends them,
//! and the helpers their setters call. Never: a field that nobody set.

use std::collections::BTreeMap;

use kube::core::ObjectMeta;
use serde::Serialize;

use super::Object;

/// A partial object for server-side apply: every field is optional and only those that were set are sent.
///
/// Implemented by generated code.
pub trait ApplyConfiguration: Clone + Serialize + Send + Sync {
    /// The object that this configures.
    type Object: Object;

    /// The metadata to apply.
    fn metadata(&self) -> &ObjectMeta;

    /// The metadata to apply, to be changed.
    fn metadata_mut(&mut self) -> &mut ObjectMeta;
}

/// Adds entries to a map that may not exist yet; an entry with a known key replaces the old one.
///
/// The map exists afterwards, even if there were no entries: applying an empty map is not the same as not applying it.
pub fn insert_entries<K: Ord, V>(
    map: &mut Option<BTreeMap<K, V>>,
    entries: impl IntoIterator<Item = (impl Into<K>, impl Into<V>)>,
) {
    map.get_or_insert_default().extend(entries.into_iter().map(|(key, value)| (key.into(), value.into())));
}

/// Appends items to a list that may not exist yet. The list exists afterwards, even if there were no items.
pub fn extend_items<T>(list: &mut Option<Vec<T>>, items: impl IntoIterator<Item = impl Into<T>>) {
    list.get_or_insert_default().extend(items.into_iter().map(Into::into));
}
