//! Objects as values: their type, their key, and the part of them that one field manager owns.
//!
//! In: typed objects. Out: [`TypeMeta`], which writes `apiVersion` and `kind`; [`ObjectKey`], the key of stores and
//! queues; [`ApplyConfiguration`] and [`extract`] for server-side apply. Never: IO, a client, an async runtime.

mod apply;
mod extract;
#[cfg(feature = "client")]
mod hash;
mod key;
mod type_meta;

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

pub use apply::{ApplyConfiguration, extend_items, insert_entries};
pub use extract::{ExtractError, extract, extract_subresource};
#[cfg(feature = "client")]
pub(crate) use hash::{letters, stable_hash};
pub use key::{ObjectKey, ParseObjectKeyError};
pub use kube::core::{ObjectList, ObjectMeta};
pub use type_meta::TypeMeta;

/// A Kubernetes object whose group, version and kind are known when the program is compiled.
///
/// Implemented for every type that has what it asks for: the types of k8s-openapi, those of
/// `#[derive(CustomResource)]` and those with a generated `zz_generated.object.rs`.
pub trait Object:
    kube::Resource<DynamicType = ()> + Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

impl<K> Object for K where
    K: kube::Resource<DynamicType = ()>
        + Clone
        + Debug
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static
{
}
