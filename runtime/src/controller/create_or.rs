//! Objects that are to be as somebody wants them, whether they are there or not.
//!
//! In: an object's name and what to make of it. Out: the object as the server has it now, and what that took. Never: a write that changes
//! nothing.

use serde_json::{Map, Value};

use crate::{
    client::{Error, Patch, ResourceClient, Result},
    object::Object,
};

/// What had to be done (controller-runtime: `OperationResult`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Changed {
    /// Nothing: it was there and as wanted.
    Unchanged,
    /// It was not there.
    Created,
    /// It was there and is changed.
    Updated,
    /// Its status was changed as well.
    UpdatedWithStatus,
    /// Its status was changed, and nothing else.
    UpdatedStatusOnly,
}

/// Has `mutate` make an object as it is to be, and writes what came of it: with `create` if there is none of its name, with `update` if it
/// differs. `object` needs a name; its other fields are what a new object begins with.
///
/// Between the read and the write another writer may come; then this fails with [`Error::Conflict`] or [`Error::AlreadyExists`], and can
/// be called again.
///
/// # Errors
/// Those of `get`, `create` and `update`.
pub async fn create_or_update<K: Object>(
    client: &ResourceClient<K>,
    mut object: K,
    mutate: impl FnOnce(&mut K),
) -> Result<(K, Changed)> {
    let Some(found) = find(client, &object).await? else {
        mutate(&mut object);
        return Ok((client.create(&object).await?, Changed::Created));
    };
    let mut wanted = found.clone();
    mutate(&mut wanted);
    if fields(&found)? == fields(&wanted)? {
        return Ok((found, Changed::Unchanged));
    }
    Ok((client.update(&wanted).await?, Changed::Updated))
}

/// Like [`create_or_update`], with merge patches that hold the differences alone: one for the object, one for its status. What others
/// change at the same time stays, and nothing conflicts; the last writer of a field wins.
///
/// # Errors
/// Those of `get`, `create`, `patch` and `patch_status`.
pub async fn create_or_patch<K: Object>(
    client: &ResourceClient<K>,
    mut object: K,
    mutate: impl FnOnce(&mut K),
) -> Result<(K, Changed)> {
    let Some(found) = find(client, &object).await? else {
        mutate(&mut object);
        return Ok((client.create(&object).await?, Changed::Created));
    };
    let mut wanted = found.clone();
    mutate(&mut wanted);
    let (mut before, mut after) = (fields(&found)?, fields(&wanted)?);
    let (status_before, status_after) = (before.remove("status"), after.remove("status"));
    let name = found.meta().name.clone().unwrap_or_default();
    let mut now = found;
    let patch = difference(&before, &after);
    let changed = !patch.is_empty();
    if changed {
        now = client.patch(&name, &Patch::Merge(patch)).await?;
    }
    let status = difference(&under_status(status_before), &under_status(status_after));
    if status.is_empty() {
        return Ok((now, if changed { Changed::Updated } else { Changed::Unchanged }));
    }
    now = client.patch_status(&name, &Patch::Merge(status)).await?;
    Ok((now, if changed { Changed::UpdatedWithStatus } else { Changed::UpdatedStatusOnly }))
}

async fn find<K: Object>(client: &ResourceClient<K>, object: &K) -> Result<Option<K>> {
    match client.get(object.meta().name.as_deref().unwrap_or_default()).await {
        Ok(found) => Ok(Some(found)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn fields<K: Object>(object: &K) -> Result<Map<String, Value>> {
    match serde_json::to_value(object).map_err(Error::Encode)? {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Map::new()),
    }
}

fn under_status(status: Option<Value>) -> Map<String, Value> {
    status.map(|status| Map::from_iter([("status".to_owned(), status)])).unwrap_or_default()
}

/// The merge patch (RFC 7386) that makes `after` of `before`.
fn difference(before: &Map<String, Value>, after: &Map<String, Value>) -> Map<String, Value> {
    let removed = before.keys().filter(|key| !after.contains_key(*key)).map(|key| (key.clone(), Value::Null));
    let mut patch: Map<String, Value> = removed.collect();
    for (key, new) in after {
        match (before.get(key), new) {
            (Some(old), new) if old == new => {}
            (Some(Value::Object(old)), Value::Object(new)) => {
                patch.insert(key.clone(), difference(old, new).into());
            }
            (_, new) => {
                patch.insert(key.clone(), new.clone());
            }
        }
    }
    patch
}
