//! The key of an object as a store keeps it: the text itself, beside the object.
//!
//! In: an [`ObjectKey`]. Out: comparisons with a text, and the key again. Never: a look at another place in memory, unless the
//! key is unusually long.
//!
//! A lookup in a large store waits for memory and for little else. A text on the heap would be one more place to wait for, on a
//! page of its own among all that objects take.

use crate::object::ObjectKey;

/// So many bytes have room beside the object; with it they fill two lines of a processor's cache. A namespace and the name
/// of a pod rarely come to more than 80.
const ROOM: usize = 110;

/// The text of a key.
#[derive(Clone, Debug)]
pub(super) enum StoredKey {
    Short { len: u8, text: [u8; ROOM] },
    Long(ObjectKey),
}

impl StoredKey {
    pub(super) fn new(key: &ObjectKey) -> Self {
        let bytes = key.as_str().as_bytes();
        let mut text = [0; ROOM];
        match (text.get_mut(..bytes.len()), u8::try_from(bytes.len())) {
            (Some(start), Ok(len)) => {
                start.copy_from_slice(bytes);
                Self::Short { len, text }
            }
            _ => Self::Long(key.clone()),
        }
    }

    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short { len, text } => text.get(..usize::from(*len)).unwrap_or_default(),
            Self::Long(key) => key.as_str().as_bytes(),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        // It was copied from a text.
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Whether this is the key of that text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.as_bytes() == text.as_bytes()
    }

    pub(super) fn to_key(&self) -> ObjectKey {
        match self {
            Self::Short { .. } => ObjectKey::from_text(self.as_str()),
            Self::Long(key) => key.clone(),
        }
    }
}
