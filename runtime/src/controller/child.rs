//! Objects that are made once for each occasion.
//!
//! In: an owner, and a child for one occasion. Out: that child, whether this call made it or one before. Never: two children for one
//! occasion, however old the cache is that led to the call.

use kube::Resource;

use super::{Changed, OwnerError, is_controlled_by, set_controller_reference};
use crate::{
    client::{Error, ResourceClient},
    object::{Object, letters, stable_hash},
};

/// The longest name that all kinds take, in bytes: it has to do as a label as well.
const LONGEST_NAME: usize = 63;

/// Why there is no child.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChildError {
    /// The owner cannot own it.
    #[error(transparent)]
    Owner(#[from] OwnerError),
    /// The request has failed.
    #[error("cannot create the child")]
    Client(#[from] Error),
    /// An object of this name is there, and not the owner's.
    #[error("{kind} {name} is there already and is not controlled by {owner}")]
    Foreign {
        /// The kind of the child.
        kind: String,
        /// Its name.
        name: String,
        /// The name of the owner.
        owner: String,
    },
}

/// The name of an owner's child for one occasion, such as the time at which it was due: the owner's name, cut where it is too long, and
/// some letters that depend on the owner's uid and the occasion alone.
#[must_use]
pub fn child_name(owner: &impl Resource, occasion: &str) -> String {
    let meta = owner.meta();
    let parts = [meta.uid.as_deref().unwrap_or_default(), meta.name.as_deref().unwrap_or_default(), occasion];
    let suffix = letters(stable_hash(&parts));
    let room = LONGEST_NAME - suffix.len() - 1;
    let name = meta.name.as_deref().unwrap_or_default();
    let end = (0..=room.min(name.len())).rev().find(|end| name.is_char_boundary(*end)).unwrap_or_default();
    let start = name.get(..end).unwrap_or_default().trim_end_matches(['-', '.']);
    format!("{start}-{suffix}")
}

/// Creates a child, controlled by its owner. That it is there already and the owner's counts as success, so that a run whose cache does
/// not know of the child yet, or that crashed after it made it, makes no other; its name has to be a function of the owner and the
/// occasion, see [`child_name`].
///
/// # Errors
/// If the owner cannot own it, an object of that name is not the owner's, or the requests fail.
pub async fn create_child<O, K>(
    client: &ResourceClient<K>,
    owner: &O,
    mut child: K,
) -> Result<(K, Changed), ChildError>
where
    O: Resource<DynamicType = ()>,
    K: Object,
{
    set_controller_reference(owner, &mut child)?;
    match client.create(&child).await {
        Ok(created) => return Ok((created, Changed::Created)),
        Err(Error::AlreadyExists(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let name = child.meta().name.clone().unwrap_or_default();
    let there = client.get(&name).await?;
    if is_controlled_by(&there, owner) {
        return Ok((there, Changed::Unchanged));
    }
    let owner = owner.meta().name.clone().unwrap_or_default();
    Err(ChildError::Foreign { kind: K::kind(&()).into_owned(), name, owner })
}
