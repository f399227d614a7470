//! Verbs on one object: create, update, get.
//!
//! In: objects and names. Out: the object as the server then has it. Never: a change of the given object; a server fills
//! in the namespace and everything else that was left out.

use kube::api::{GetParams, PostParams};
use serde::Serialize;

use super::{Error, ResourceClient, Result, transport};
use crate::object::Object;

impl<K: Object> ResourceClient<K> {
    /// Creates an object.
    ///
    /// # Errors
    /// [`Error::AlreadyExists`] if there is one of that name, [`Error::Invalid`] if the server refuses it.
    pub async fn create(&self, object: &K) -> Result<K> {
        self.create_with(&PostParams::default(), object).await
    }

    /// Creates an object, with options.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub async fn create_with(&self, params: &PostParams, object: &K) -> Result<K> {
        let request = self.in_one_namespace()?.create(params, encode(object)?)?;
        transport::object(self.client(), request).await
    }

    /// Replaces an object.
    ///
    /// The object should carry the `resourceVersion` it was read with, so that a change made meanwhile is not lost.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the object has changed since it was read, [`Error::NotFound`] if it is gone.
    pub async fn update(&self, object: &K) -> Result<K> {
        self.update_with(&PostParams::default(), object).await
    }

    /// Replaces an object, with options.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub async fn update_with(&self, params: &PostParams, object: &K) -> Result<K> {
        let (request, name) = self.on_object_of(object)?;
        transport::object(self.client(), request.replace(&name, params, encode(object)?)?).await
    }

    /// Replaces the status of an object; all else in `object` but its name and `resourceVersion` is ignored.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub async fn update_status(&self, object: &K) -> Result<K> {
        self.update_status_with(&PostParams::default(), object).await
    }

    /// Replaces the status of an object, with options.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub async fn update_status_with(&self, params: &PostParams, object: &K) -> Result<K> {
        let (request, name) = self.on_object_of(object)?;
        let request = request.replace_subresource("status", &name, params, encode(object)?)?;
        transport::object(self.client(), request).await
    }

    /// Reads an object, in its newest version.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none of that name.
    pub async fn get(&self, name: &str) -> Result<K> {
        self.get_with(name, &GetParams::default()).await
    }

    /// Reads an object, with options: an older version will do, or a given one must have been reached.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub async fn get_with(&self, name: &str, params: &GetParams) -> Result<K> {
        let (request, name) = self.on_object(name)?;
        let request = match K::metadata_api() {
            true => request.get_metadata(&name, params)?,
            false => request.get(&name, params)?,
        };
        transport::object(self.client(), request).await
    }
}

/// A request body.
pub(super) fn encode(body: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(body).map_err(Error::Encode)
}
