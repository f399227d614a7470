//! Deleting: one object, or all that match.
//!
//! In: a name, or selectors. Out: whether the object is gone or held back. Never: waiting until it is gone.

use kube::{
    api::{DeleteParams, ListParams},
    core::Status,
};
use serde::Deserialize;

use super::{Error, ObjectList, ResourceClient, Result, transport};
use crate::object::Object;

/// What a server made of a delete.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "an object has metadata and is about as large as a Status")]
pub enum Deleted<K> {
    /// The server answered with the object. As a rule it is still there, with a deletion time set, until its finalizers
    /// are gone or its grace period is over; a few built-in kinds answer with their last state instead.
    Pending(K),
    /// The object is gone.
    Done(Status),
}

impl<K: Object> ResourceClient<K> {
    /// Deletes an object.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none of that name.
    pub async fn delete(&self, name: &str) -> Result<Deleted<K>> {
        self.delete_with(name, &DeleteParams::default()).await
    }

    /// Deletes an object, with options.
    ///
    /// # Errors
    /// As [`delete`](Self::delete), and [`Error::Conflict`] if a precondition does not hold.
    pub async fn delete_with(&self, name: &str, params: &DeleteParams) -> Result<Deleted<K>> {
        let (request, name) = self.on_object(name)?;
        let body = transport::bytes(self.client(), request.delete(&name, params)?).await?;
        if is_status(&body)? {
            return transport::decode(&body).map(Deleted::Done);
        }
        transport::decode(&body).map(Deleted::Pending)
    }

    /// Deletes every object that `list` selects, each on its own, and gives those that the server says it handled.
    ///
    /// The list of the answer is empty if the server answered with a mere success.
    ///
    /// # Errors
    /// Of the first delete that failed; others may have been done.
    pub async fn delete_collection(&self, list: &ListParams) -> Result<ObjectList<K>> {
        self.delete_collection_with(&DeleteParams::default(), list).await
    }

    /// Deletes every object that `list` selects, with options.
    ///
    /// # Errors
    /// As [`delete_collection`](Self::delete_collection).
    pub async fn delete_collection_with(
        &self,
        params: &DeleteParams,
        list: &ListParams,
    ) -> Result<ObjectList<K>> {
        let request = self.collection()?.delete_collection(params, list)?;
        let body = transport::bytes(self.client(), request).await?;
        if is_status(&body)? {
            let (types, metadata) = (kube::core::TypeMeta::list::<K>(), kube::core::ListMeta::default());
            return Ok(ObjectList { types, metadata, items: Vec::new() });
        }
        transport::decode(&body)
    }
}

/// Whether a body is a `Status` rather than an object, read without building either.
fn is_status(body: &[u8]) -> Result<bool> {
    #[derive(Deserialize)]
    struct Kind {
        #[serde(default)]
        kind: String,
        #[serde(default, rename = "apiVersion")]
        api_version: String,
    }
    let kind: Kind = serde_json::from_slice(body).map_err(Error::Decode)?;
    Ok(kind.kind == "Status" && kind.api_version == "v1")
}
