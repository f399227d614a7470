//! Writes.
//!
//! In: objects and patches. Out: the server's answers, which are noted. Never: a write that is only made here.

use std::sync::Arc;

use kube::api::{DeleteParams, Patch};
use serde::Serialize;

use super::CachedClient;
use crate::{
    client::{Deleted, Result},
    object::{ApplyConfiguration, Object, ObjectKey},
};

impl<K: Object> CachedClient<K> {
    /// Creates an object.
    ///
    /// # Errors
    /// As [`ResourceClient::create`](crate::client::ResourceClient::create).
    pub async fn create(&self, object: &K) -> Result<Arc<K>> {
        Ok(self.note(self.live.create(object).await?))
    }

    /// Replaces an object.
    ///
    /// # Errors
    /// As [`ResourceClient::update`](crate::client::ResourceClient::update).
    pub async fn update(&self, object: &K) -> Result<Arc<K>> {
        Ok(self.note(self.live.update(object).await?))
    }

    /// Replaces the status of an object.
    ///
    /// # Errors
    /// As [`ResourceClient::update_status`](crate::client::ResourceClient::update_status).
    pub async fn update_status(&self, object: &K) -> Result<Arc<K>> {
        Ok(self.note(self.live.update_status(object).await?))
    }

    /// Changes an object by a patch.
    ///
    /// # Errors
    /// As [`ResourceClient::patch`](crate::client::ResourceClient::patch).
    pub async fn patch<P: Serialize>(&self, name: &str, patch: &Patch<P>) -> Result<Arc<K>> {
        Ok(self.note(self.live.patch(name, patch).await?))
    }

    /// Changes the status of an object by a patch.
    ///
    /// # Errors
    /// As [`ResourceClient::patch_status`](crate::client::ResourceClient::patch_status).
    pub async fn patch_status<P: Serialize>(&self, name: &str, patch: &Patch<P>) -> Result<Arc<K>> {
        Ok(self.note(self.live.patch_status(name, patch).await?))
    }

    /// Makes the object be as configured, see [`ResourceClient::apply`](crate::client::ResourceClient::apply).
    ///
    /// # Errors
    /// As there.
    pub async fn apply<A>(&self, configuration: &A, field_manager: &str) -> Result<Arc<K>>
    where
        A: ApplyConfiguration<Object = K>,
    {
        Ok(self.note(self.live.apply(configuration, field_manager).await?))
    }

    /// Deletes an object.
    ///
    /// # Errors
    /// As [`ResourceClient::delete`](crate::client::ResourceClient::delete).
    pub async fn delete(&self, name: &str) -> Result<Deleted<K>> {
        self.delete_with(name, &DeleteParams::default()).await
    }

    /// Deletes an object, with options.
    ///
    /// # Errors
    /// As [`ResourceClient::delete_with`](crate::client::ResourceClient::delete_with).
    pub async fn delete_with(&self, name: &str, params: &DeleteParams) -> Result<Deleted<K>> {
        let deleted = self.live.delete_with(name, params).await?;
        if params.dry_run {
            return Ok(deleted);
        }
        match &deleted {
            Deleted::Pending(object) if object.meta().deletion_timestamp.is_some() => {
                self.note(object.clone());
            }
            // The last state of something that is gone.
            Deleted::Pending(object) => self.note_gone(object),
            Deleted::Done(status) => {
                let key = ObjectKey::new(self.live.namespace().unwrap_or_default(), name);
                let uid = status.details.as_ref().map(|details| details.uid.clone());
                self.own.lock().note_gone(key, uid.filter(|uid| !uid.is_empty()), &self.store);
            }
        }
        Ok(deleted)
    }

    /// Notes the state in which a write has left an object, as the server answered it: for writes through
    /// [`live`](Self::live), or by another client.
    pub fn note(&self, object: K) -> Arc<K> {
        let object = Arc::new(object);
        let meta = object.meta();
        let held = meta.finalizers.as_ref().is_some_and(|finalizers| !finalizers.is_empty())
            || meta.deletion_grace_period_seconds.is_some_and(|seconds| seconds > 0);
        if meta.deletion_timestamp.is_some() && !held {
            // With its last finalizer it went itself.
            self.note_gone(&object);
        } else {
            self.own.lock().note(Arc::clone(&object), &self.store);
        }
        object
    }

    fn note_gone(&self, object: &K) {
        let (key, uid) = (ObjectKey::of(object), object.meta().uid.clone());
        self.own.lock().note_gone(key, uid, &self.store);
    }
}
