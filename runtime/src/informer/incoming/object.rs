//! One object, not decoded: its JSON, and which object it is.
//!
//! In: a cursor before an object. Out: its identity, read on the way to its end. Never: more of it.

use std::borrow::Cow;

use serde::{
    Deserialize,
    de::{Error as _, IgnoredAny},
};
use serde_json::{Result, value::RawValue};

use super::{cursor::Cursor, version};
use crate::{object::ObjectKey, store::ResourceVersion};

/// An object as it came.
pub(in crate::informer) struct Raw<'o> {
    pub(in crate::informer) json: &'o str,
    pub(in crate::informer) identity: Identity<'o>,
    managed_fields: Option<&'o str>,
}

/// Which object this is, and which version of it.
pub(in crate::informer) struct Identity<'o> {
    pub(in crate::informer) key: ObjectKey,
    pub(in crate::informer) uid: Cow<'o, str>,
    pub(in crate::informer) version: Option<ResourceVersion>,
}

#[derive(Deserialize)]
struct Identified<'o> {
    #[serde(borrow)]
    metadata: Meta<'o>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'o> {
    #[serde(borrow)]
    name: Cow<'o, str>,
    #[serde(borrow, default)]
    namespace: Cow<'o, str>,
    #[serde(borrow, default)]
    uid: Cow<'o, str>,
    #[serde(borrow, default)]
    resource_version: Cow<'o, str>,
    #[serde(borrow, default)]
    managed_fields: Option<&'o RawValue>,
}

impl<'o> Raw<'o> {
    /// Reads one object: `Ok(Err(..))` if it is JSON, but has no identity.
    pub(in crate::informer) fn read(cursor: &mut Cursor<'o>) -> Result<Result<Self>> {
        let read = match cursor.is_at_object() {
            true => cursor.value::<Identified>(),
            false => Err(serde_json::Error::custom("expected an object")),
        };
        match read {
            Ok((Identified { metadata }, json)) => Ok(Ok(Self::new(json, metadata))),
            // Does it at least end somewhere?
            Err(error) => cursor.value::<IgnoredAny>().map(|_| Err(error)),
        }
    }

    fn new(json: &'o str, meta: Meta<'o>) -> Self {
        let identity = Identity {
            key: ObjectKey::new(&meta.namespace, &meta.name),
            uid: meta.uid,
            version: version(&meta.resource_version),
        };
        Self { json, identity, managed_fields: meta.managed_fields.map(RawValue::get) }
    }

    /// The JSON without the record of who owns which field.
    pub(in crate::informer) fn without_managed_fields(&self) -> Cow<'o, str> {
        let cut = self.managed_fields.and_then(|fields| cut_member(self.json, "\"managedFields\"", fields));
        cut.map_or(Cow::Borrowed(self.json), Cow::Owned)
    }
}

/// The text without the member that has `name` and of which `value`, a part of that text, is the value.
fn cut_member(json: &str, name: &str, value: &str) -> Option<String> {
    let start = (value.as_ptr() as usize).checked_sub(json.as_ptr() as usize)?;
    let before = json.get(..start)?.trim_end().strip_suffix(':')?.trim_end().strip_suffix(name)?.trim_end();
    let after = json.get(start + value.len()..)?.trim_start();
    // One comma goes with it: that before, or that behind the first member.
    let (before, after) = match before.strip_suffix(',') {
        Some(before) => (before, after),
        None => (before, after.strip_prefix(',').unwrap_or(after)),
    };
    Some([before, after].concat())
}
