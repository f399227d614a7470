//! The key of one object among those of its kind.
//!
//! In: a namespace and a name. Out: a small, cheaply cloned value that maps and queues hold, and lookups that do not
//! allocate. Never: the kind (a store or queue holds one kind), or the uid.

use std::{borrow::Borrow, fmt, str::FromStr, sync::Arc};

use kube::Resource;

/// Room for the longest legal key: a namespace of 63 bytes, the slash, a name of 253.
const LONGEST_KEY: usize = 63 + 1 + 253;

/// Namespace and name of an object, held as the text `namespace/name`, or `name` for cluster-scoped kinds.
///
/// Two words wide; a clone counts up and copies nothing. It hashes, compares and orders as its text, so that a
/// `HashMap<ObjectKey, _>` or `BTreeMap<ObjectKey, _>` is searched with a `&str`, and the order is the one in which
/// an API server lists.
///
/// ```
/// use kube_codegen_runtime::object::ObjectKey;
///
/// let key = ObjectKey::new("default", "nightly");
/// assert_eq!(key.to_string(), "default/nightly");
/// assert_eq!((key.namespace(), key.name()), (Some("default"), "nightly"));
/// assert_eq!("default/nightly".parse(), Ok(key));
/// ```
///
/// Neither part may hold a slash. API servers see to that; text from elsewhere goes through [`FromStr`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey(Arc<str>);

impl ObjectKey {
    /// The key of a namespaced object. An empty namespace stands for none, as in the Kubernetes API.
    #[must_use]
    pub fn new(namespace: &str, name: &str) -> Self {
        Self::lookup(namespace, name, |text| Self(Arc::from(text)))
    }

    /// The key of a cluster-scoped object.
    #[must_use]
    pub fn cluster(name: &str) -> Self {
        Self(Arc::from(name))
    }

    /// The key of an object. An object without a name, which no server stores, gets an empty one.
    #[must_use]
    pub fn of(object: &impl Resource) -> Self {
        let meta = object.meta();
        Self::new(meta.namespace.as_deref().unwrap_or_default(), meta.name.as_deref().unwrap_or_default())
    }

    /// The namespace; `None` for cluster-scoped kinds.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.0.split_once('/').map(|(namespace, _)| namespace)
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or(&*self.0, |(_, name)| name)
    }

    /// The key as text, `namespace/name` or `name`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key of which this is the text.
    #[cfg(feature = "client")]
    pub(crate) fn from_text(text: &str) -> Self {
        Self(Arc::from(text))
    }

    /// Hands the text of the key of `namespace` (empty for none) and `name` to `find`, without allocating.
    ///
    /// This is how a map is searched by two strings:
    ///
    /// ```
    /// # use std::collections::HashMap;
    /// use kube_codegen_runtime::object::ObjectKey;
    ///
    /// let phases = HashMap::from([(ObjectKey::new("default", "nightly"), "DONE")]);
    /// let phase = ObjectKey::lookup("default", "nightly", |key| phases.get(key));
    /// assert_eq!(phase, Some(&"DONE"));
    /// ```
    pub fn lookup<R>(namespace: &str, name: &str, find: impl FnOnce(&str) -> R) -> R {
        if namespace.is_empty() {
            return find(name);
        }
        let mut buffer = [0; LONGEST_KEY];
        match join(&mut buffer, namespace, name) {
            Some(text) => find(text),
            // Too long to be the key of any stored object, yet not ours to refuse.
            None => find(&format!("{namespace}/{name}")),
        }
    }
}

/// Writes `namespace/name` into the buffer; `None` when it does not fit.
fn join<'b>(buffer: &'b mut [u8], namespace: &str, name: &str) -> Option<&'b str> {
    let (start, rest) = buffer.split_at_mut_checked(namespace.len())?;
    let (slash, rest) = rest.split_first_mut()?;
    start.copy_from_slice(namespace.as_bytes());
    *slash = b'/';
    rest.get_mut(..name.len())?.copy_from_slice(name.as_bytes());
    std::str::from_utf8(buffer.get(..namespace.len() + 1 + name.len())?).ok()
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectKey({})", self.0)
    }
}

impl Borrow<str> for ObjectKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for ObjectKey {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromStr for ObjectKey {
    type Err = ParseObjectKeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let empty_part = text.split('/').any(str::is_empty);
        if empty_part || text.matches('/').count() > 1 {
            return Err(ParseObjectKeyError { text: text.to_owned() });
        }
        Ok(Self(Arc::from(text)))
    }
}

/// A text that is neither `namespace/name` nor `name`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not an object key: expected \"namespace/name\", or \"name\" for a cluster-scoped kind")]
pub struct ParseObjectKeyError {
    text: String,
}
