//! Owners of an object in memory; the change has to be written.
//!
//! In: an owner and what it owns. Out: the owned object with its reference, or why there can be none. Never: a request, or a reference
//! that a garbage collector would take for one to an owner that is gone.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::Resource;

/// A reference that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OwnerError {
    /// The object has another controller already, and it can have one only.
    #[error("{object} is controlled by {} {} already", .controller.kind, .controller.name)]
    AlreadyOwned {
        /// Kind and name of the object.
        object: String,
        /// Its controller.
        controller: Box<OwnerReference>,
    },
    /// A namespaced owner and an object of the cluster: a garbage collector would delete the object.
    #[error("{object} is of the cluster and cannot have the owner {owner} in the namespace {namespace}")]
    ClusterScoped {
        /// Kind and name of the object.
        object: String,
        /// Kind and name of the owner.
        owner: String,
        /// The owner's namespace.
        namespace: String,
    },
    /// Two namespaces: a garbage collector would delete the object.
    #[error("{object} in the namespace {other} cannot have the owner {owner} in the namespace {namespace}")]
    OtherNamespace {
        /// Kind and name of the object.
        object: String,
        /// Its namespace.
        other: String,
        /// Kind and name of the owner.
        owner: String,
        /// The owner's namespace.
        namespace: String,
    },
    /// The owner has no name or uid: it was not read from a server.
    #[error(
        "{owner} has no uid yet and cannot own anything: create it first, and use what the server answers"
    )]
    NotStored {
        /// Kind and name of the owner.
        owner: String,
    },
}

/// Makes `owner` the one controller of `object`, and blocks the owner's foreground deletion by it
/// (controller-runtime: `SetControllerReference`). A reference to the same owner is replaced.
///
/// # Errors
/// If the object has another controller, the namespaces do not fit, or the owner is not stored.
pub fn set_controller_reference<O, K>(owner: &O, object: &mut K) -> Result<(), OwnerError>
where
    O: Resource<DynamicType = ()>,
    K: Resource<DynamicType = ()>,
{
    let mut reference = reference(owner, object)?;
    (reference.controller, reference.block_owner_deletion) = (Some(true), Some(true));
    if let Some(controller) = controller_of(object).filter(|controller| !is_same(controller, &reference)) {
        return Err(OwnerError::AlreadyOwned {
            object: shown(object),
            controller: Box::new(controller.clone()),
        });
    }
    put(object, reference);
    Ok(())
}

/// Makes `owner` one of the owners of `object`, beside others. A reference to the same owner is replaced.
///
/// # Errors
/// If the namespaces do not fit, or the owner is not stored.
pub fn set_owner_reference<O, K>(owner: &O, object: &mut K) -> Result<(), OwnerError>
where
    O: Resource<DynamicType = ()>,
    K: Resource<DynamicType = ()>,
{
    let reference = reference(owner, object)?;
    put(object, reference);
    Ok(())
}

/// Removes the reference to `owner`, and says whether there was one.
pub fn remove_owner_reference<O, K>(owner: &O, object: &mut K) -> bool
where
    O: Resource<DynamicType = ()>,
    K: Resource,
{
    let uid = owner.meta().uid.as_deref();
    let Some(references) = &mut object.meta_mut().owner_references else { return false };
    let before = references.len();
    references.retain(|reference| Some(reference.uid.as_str()) != uid);
    references.len() < before
}

/// The one controller of an object, if it has one.
#[must_use]
pub fn controller_of(object: &impl Resource) -> Option<&OwnerReference> {
    object.meta().owner_references.iter().flatten().find(|reference| reference.controller == Some(true))
}

/// Whether `owner` is the controller of `object`; the uid decides, since names are used again.
#[must_use]
pub fn is_controlled_by<K: Resource, O: Resource>(object: &K, owner: &O) -> bool {
    let uid = owner.meta().uid.as_deref();
    uid.is_some() && controller_of(object).map(|reference| reference.uid.as_str()) == uid
}

fn reference<O, K>(owner: &O, object: &K) -> Result<OwnerReference, OwnerError>
where
    O: Resource<DynamicType = ()>,
    K: Resource<DynamicType = ()>,
{
    if let Some(namespace) = owner.meta().namespace.as_deref().filter(|namespace| !namespace.is_empty()) {
        let (object_shown, owner, namespace) = (shown(object), shown(owner), namespace.to_owned());
        match object.meta().namespace.as_deref() {
            None | Some("") => {
                return Err(OwnerError::ClusterScoped { object: object_shown, owner, namespace });
            }
            Some(other) if other != namespace => {
                let other = other.to_owned();
                return Err(OwnerError::OtherNamespace { object: object_shown, other, owner, namespace });
            }
            Some(_) => {}
        }
    }
    let stored = |part: &Option<String>| part.clone().filter(|text| !text.is_empty());
    let (Some(name), Some(uid)) = (stored(&owner.meta().name), stored(&owner.meta().uid)) else {
        return Err(OwnerError::NotStored { owner: shown(owner) });
    };
    Ok(OwnerReference {
        api_version: O::api_version(&()).into_owned(),
        kind: O::kind(&()).into_owned(),
        name,
        uid,
        ..OwnerReference::default()
    })
}

fn put(object: &mut impl Resource, reference: OwnerReference) {
    let references = object.meta_mut().owner_references.get_or_insert_default();
    match references.iter_mut().find(|before| is_same(before, &reference)) {
        Some(before) => *before = reference,
        None => references.push(reference),
    }
}

/// Whether two references are to one owner: its version may be another, and its uid if it was made anew.
fn is_same(one: &OwnerReference, other: &OwnerReference) -> bool {
    let group = |reference: &OwnerReference| {
        reference.api_version.split_once('/').map_or(String::new(), |(group, _)| group.to_owned())
    };
    group(one) == group(other) && one.kind == other.kind && one.name == other.name
}

fn shown<K: Resource<DynamicType = ()>>(object: &K) -> String {
    format!("{} {}", K::kind(&()), object.meta().name.as_deref().unwrap_or("(without a name)"))
}
