//! Server-side apply of typed apply configurations.
//!
//! In: an apply configuration with a name, and a field manager. Out: the object as the server then has it.
//! Never: managed fields in the request, which servers refuse; they come along when a configuration was extracted.

use kube::api::{Patch, PatchParams};

use super::{ResourceClient, Result, transport};
use crate::object::{ApplyConfiguration, Object};

impl<K: Object> ResourceClient<K> {
    /// Makes the object be as configured, owning as `field_manager` what is set and giving up what no longer is.
    ///
    /// Creates the object if there is none. The namespace is this client's if the configuration has none.
    ///
    /// # Errors
    /// [`Error::ApplyConflict`](super::Error::ApplyConflict) if another manager owns a field with another value,
    /// [`Error::MissingName`](super::Error::MissingName) if the configuration has no name.
    pub async fn apply<A>(&self, configuration: &A, field_manager: &str) -> Result<K>
    where
        A: ApplyConfiguration<Object = K>,
    {
        self.apply_with(&PatchParams::apply(field_manager), configuration).await
    }

    /// Applies with options, such as `PatchParams::apply("manager").force()`.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub async fn apply_with<A>(&self, params: &PatchParams, configuration: &A) -> Result<K>
    where
        A: ApplyConfiguration<Object = K>,
    {
        let sent = self.prepare(configuration);
        let (request, name) = self.on_object(sent.metadata().name.as_deref().unwrap_or_default())?;
        let request = request.patch(&name, params, &Patch::Apply(&sent))?;
        transport::object(self.client(), request).await
    }

    /// Applies to the status of an object, which must exist.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub async fn apply_status<A>(&self, configuration: &A, field_manager: &str) -> Result<K>
    where
        A: ApplyConfiguration<Object = K>,
    {
        self.apply_status_with(&PatchParams::apply(field_manager), configuration).await
    }

    /// Applies to the status of an object, with options.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub async fn apply_status_with<A>(&self, params: &PatchParams, configuration: &A) -> Result<K>
    where
        A: ApplyConfiguration<Object = K>,
    {
        let sent = self.prepare(configuration);
        let name = sent.metadata().name.as_deref().unwrap_or_default();
        self.patch_subresource(name, "status", params, &Patch::Apply(&sent)).await
    }

    fn prepare<A: ApplyConfiguration>(&self, configuration: &A) -> A {
        let mut sent = configuration.clone();
        let metadata = sent.metadata_mut();
        metadata.managed_fields = None;
        if metadata.namespace.is_none() {
            metadata.namespace = self.namespace().map(str::to_owned);
        }
        sent
    }
}
