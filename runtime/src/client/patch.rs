//! Patches: JSON, merge, strategic merge, and server-side apply of hand-made values.
//!
//! In: a name and a patch. Out: the object as the server then has it. Never: typed applies; see `apply`.

use kube::api::{Patch, PatchParams};
use serde::Serialize;

use super::{ResourceClient, Result, transport};
use crate::object::Object;

impl<K: Object> ResourceClient<K> {
    /// Changes an object by a patch.
    ///
    /// # Errors
    /// [`Error::NotFound`](super::Error::NotFound) if there is none of that name,
    /// [`Error::Invalid`](super::Error::Invalid) if the result is refused.
    pub async fn patch<P: Serialize>(&self, name: &str, patch: &Patch<P>) -> Result<K> {
        self.patch_with(name, &PatchParams::default(), patch).await
    }

    /// Changes an object by a patch, with options.
    ///
    /// # Errors
    /// As [`patch`](Self::patch).
    pub async fn patch_with<P: Serialize>(
        &self,
        name: &str,
        params: &PatchParams,
        patch: &Patch<P>,
    ) -> Result<K> {
        let (request, name) = self.on_object(name)?;
        transport::object(self.client(), request.patch(&name, params, patch)?).await
    }

    /// Changes the status of an object by a patch.
    ///
    /// # Errors
    /// As [`patch`](Self::patch).
    pub async fn patch_status<P: Serialize>(&self, name: &str, patch: &Patch<P>) -> Result<K> {
        self.patch_status_with(name, &PatchParams::default(), patch).await
    }

    /// Changes the status of an object by a patch, with options.
    ///
    /// # Errors
    /// As [`patch`](Self::patch).
    pub async fn patch_status_with<P: Serialize>(
        &self,
        name: &str,
        params: &PatchParams,
        patch: &Patch<P>,
    ) -> Result<K> {
        self.patch_subresource(name, "status", params, patch).await
    }
}
