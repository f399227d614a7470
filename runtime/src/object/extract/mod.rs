//! What one field manager owns of an object, as an apply configuration.
//!
//! In: an object as a server returned it, with its managed fields. Out: the apply configuration that its manager would
//! send to leave everything as it is. Never: a field of another manager, or one that an update rather than an
//! apply set.

mod fields;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use self::fields::FieldSet;
use super::{ApplyConfiguration, Object};

/// Why [`extract`] could not tell what a manager owns.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// The object could not be written as JSON.
    #[error("cannot write the object as JSON")]
    Encode(#[source] serde_json::Error),
    /// The owned part does not fit the apply configuration.
    #[error("what {manager:?} owns does not fit the apply configuration")]
    Decode {
        /// The field manager.
        manager: String,
        /// What did not fit.
        #[source]
        source: serde_json::Error,
    },
    /// The managed fields are in a format other than `FieldsV1`.
    #[error(
        "the managed fields of {manager:?} have the unknown type {fields_type:?}; only FieldsV1 is understood"
    )]
    UnknownFieldsType {
        /// The field manager.
        manager: String,
        /// The unknown format.
        fields_type: String,
    },
    /// The managed fields hold a key that is not one of `.`, `f:`, `k:`, `v:` and `i:` followed by its proper text.
    #[error("the managed fields of {manager:?} hold the malformed key {key:?}")]
    MalformedKey {
        /// The field manager.
        manager: String,
        /// The key.
        key: String,
    },
}

/// What `field_manager` owns of `object` through applies to the object itself.
///
/// The result keeps name and namespace. A manager that owns nothing gets nothing more than these, so
/// that "extract, change, apply" works on the first round too.
///
/// # Errors
/// If managed fields are malformed, or the result does not fit `A`.
pub fn extract<A>(object: &A::Object, field_manager: &str) -> Result<A, ExtractError>
where
    A: ApplyConfiguration + DeserializeOwned,
{
    extract_subresource(object, field_manager, "")
}

/// What `field_manager` owns of `object` through applies to a subresource such as `status`; `""` is the object itself.
///
/// # Errors
/// As [`extract`].
pub fn extract_subresource<A>(
    object: &A::Object,
    field_manager: &str,
    subresource: &str,
) -> Result<A, ExtractError>
where
    A: ApplyConfiguration + DeserializeOwned,
{
    let owned = owned_fields(object, field_manager, subresource)?;
    let everybodys = all_fields(object)?;
    let value = serde_json::to_value(object).map_err(ExtractError::Encode)?;
    let mut part = match &value {
        Value::Object(fields) => owned.pick_fields(fields, &everybodys),
        _ => Map::new(),
    };
    keep_identity(&mut part, object);
    serde_json::from_value(Value::Object(part))
        .map_err(|source| ExtractError::Decode { manager: field_manager.to_owned(), source })
}

/// The union of the manager's applies to this subresource; there is one for each API version it applied with.
fn owned_fields<K: Object>(
    object: &K,
    field_manager: &str,
    subresource: &str,
) -> Result<FieldSet, ExtractError> {
    let mut owned = FieldSet::default();
    for entry in object.meta().managed_fields.iter().flatten() {
        let applied = entry.operation.as_deref() == Some("Apply");
        let same_subresource = entry.subresource.as_deref().unwrap_or_default() == subresource;
        if applied && same_subresource && entry.manager.as_deref() == Some(field_manager) {
            owned.add(entry)?;
        }
    }
    Ok(owned)
}

/// The union of what anybody owns; it shows which maps and lists are owned entry by entry.
fn all_fields<K: Object>(object: &K) -> Result<FieldSet, ExtractError> {
    let mut all = FieldSet::default();
    for entry in object.meta().managed_fields.iter().flatten() {
        all.add(entry)?;
    }
    Ok(all)
}

/// Type, name and namespace are nobody's property and belong to every apply.
fn keep_identity<K: Object>(part: &mut Map<String, Value>, object: &K) {
    part.insert("apiVersion".to_owned(), K::api_version(&()).into());
    part.insert("kind".to_owned(), K::kind(&()).into());
    let metadata = part.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(metadata) = metadata {
        let meta = object.meta();
        for (field, value) in [("name", &meta.name), ("namespace", &meta.namespace)] {
            if let Some(value) = value {
                metadata.insert(field.to_owned(), value.as_str().into());
            }
        }
    }
}
