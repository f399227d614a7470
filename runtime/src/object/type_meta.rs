//! `apiVersion` and `kind` without storing them.
//!
//! In: a type that knows its group, version and kind. Out: those two fields when the object is written.
//! Never: read; what an answer says about its own type was already decided by the URL that was asked.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
};

use serde::{Serialize, Serializer, ser::SerializeStruct};

/// The type fields of an object of type `K`: nothing in memory, `apiVersion` and `kind` on the wire.
///
/// Put it first into a root type, flattened when written and skipped when read:
///
/// ```
/// # use serde::{Deserialize, Serialize};
/// # use kube::core::ObjectMeta;
/// use kube_codegen_runtime::object::TypeMeta;
///
/// #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
/// pub struct At {
///     #[serde(flatten, skip_deserializing)]
///     pub type_meta: TypeMeta<At>,
///     #[serde(default)]
///     pub metadata: ObjectMeta,
/// }
/// # impl k8s_openapi::Resource for At {
/// #     const API_VERSION: &'static str = "cnat.example.com/v1";
/// #     const GROUP: &'static str = "cnat.example.com";
/// #     const KIND: &'static str = "At";
/// #     const VERSION: &'static str = "v1";
/// #     const URL_PATH_SEGMENT: &'static str = "ats";
/// #     type Scope = k8s_openapi::NamespaceResourceScope;
/// # }
/// # impl k8s_openapi::Metadata for At {
/// #     type Ty = ObjectMeta;
/// #     fn metadata(&self) -> &ObjectMeta { &self.metadata }
/// #     fn metadata_mut(&mut self) -> &mut ObjectMeta { &mut self.metadata }
/// # }
///
/// let text = serde_json::to_string(&At::default())?;
/// assert_eq!(text, r#"{"apiVersion":"cnat.example.com/v1","kind":"At","metadata":{}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct TypeMeta<K>(PhantomData<fn() -> K>);

impl<K> TypeMeta<K> {
    /// The only value there is.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<K> Serialize for TypeMeta<K>
where
    K: kube::Resource<DynamicType = ()>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("TypeMeta", 2)?;
        fields.serialize_field("apiVersion", &K::api_version(&()))?;
        fields.serialize_field("kind", &K::kind(&()))?;
        fields.end()
    }
}

impl<K> fmt::Debug for TypeMeta<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TypeMeta")
    }
}

// Written out, as derives would ask all of this of `K`, which is not stored.

impl<K> Default for TypeMeta<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> Clone for TypeMeta<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for TypeMeta<K> {}

impl<K> PartialEq for TypeMeta<K> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<K> Eq for TypeMeta<K> {}

impl<K> PartialOrd for TypeMeta<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> Ord for TypeMeta<K> {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl<K> Hash for TypeMeta<K> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
