//! Subresources, and verbs on the main resource, with types other than the kind's own.
//!
//! In: a name, a subresource and any serializable input. Out: any deserializable result. This is what
//! `+genclient:method=` methods are made of. Never: a check that the types fit; the marker says they do.

use kube::{
    api::{GetParams, ListParams, Patch, PatchParams, PostParams},
    core::Request,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Error, ResourceClient, Result, object::encode, path, transport};
use crate::object::Object;

/// # Subresources
///
/// `I` is what is sent, `R` what comes back: `Eviction` and `Status`, say, or `Scale` and `Scale`.
impl<K: Object> ResourceClient<K> {
    /// Posts to a subresource.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub async fn create_subresource<I, R>(
        &self,
        name: &str,
        subresource: &str,
        params: &PostParams,
        input: &I,
    ) -> Result<R>
    where
        I: Serialize,
        R: DeserializeOwned,
    {
        let (request, name) = self.on_subresource(name, subresource)?;
        let request = request.create_subresource(subresource, &name, params, encode(input)?)?;
        transport::object(self.client(), request).await
    }

    /// Replaces a subresource.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub async fn update_subresource<I, R>(
        &self,
        name: &str,
        subresource: &str,
        params: &PostParams,
        input: &I,
    ) -> Result<R>
    where
        I: Serialize,
        R: DeserializeOwned,
    {
        let (request, name) = self.on_subresource(name, subresource)?;
        let request = request.replace_subresource(subresource, &name, params, encode(input)?)?;
        transport::object(self.client(), request).await
    }

    /// Reads a subresource.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub async fn get_subresource<R>(&self, name: &str, subresource: &str, params: &GetParams) -> Result<R>
    where
        R: DeserializeOwned,
    {
        let (request, name) = self.on_subresource(name, subresource)?;
        // The subresource is the last segment, so it is read as an object of a collection named by the rest.
        let parent = Request::new(format!("{}/{name}", request.url_path));
        transport::object(self.client(), parent.get(subresource, params)?).await
    }

    /// Lists a subresource; `R` is the list type.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub async fn list_subresource<R>(&self, name: &str, subresource: &str, params: &ListParams) -> Result<R>
    where
        R: DeserializeOwned,
    {
        let (request, name) = self.on_subresource(name, subresource)?;
        let items = Request::new(format!("{}/{name}/{subresource}", request.url_path));
        transport::object(self.client(), items.list(params)?).await
    }

    /// Changes a subresource by a patch.
    ///
    /// # Errors
    /// As [`patch`](Self::patch).
    pub async fn patch_subresource<P, R>(
        &self,
        name: &str,
        subresource: &str,
        params: &PatchParams,
        patch: &Patch<P>,
    ) -> Result<R>
    where
        P: Serialize,
        R: DeserializeOwned,
    {
        let (request, name) = self.on_subresource(name, subresource)?;
        let request = request.patch_subresource(subresource, &name, params, patch)?;
        transport::object(self.client(), request).await
    }

    /// Applies to a subresource.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub async fn apply_subresource<A, R>(
        &self,
        name: &str,
        subresource: &str,
        params: &PatchParams,
        configuration: &A,
    ) -> Result<R>
    where
        A: Serialize,
        R: DeserializeOwned,
    {
        let sent = without_managed_fields(configuration)?;
        self.patch_subresource(name, subresource, params, &Patch::Apply(sent)).await
    }

    fn on_subresource<'n>(
        &self,
        name: &'n str,
        subresource: &str,
    ) -> Result<(Request, std::borrow::Cow<'n, str>)> {
        for part in subresource.split('/') {
            if part.is_empty() {
                let segment = subresource.to_owned();
                return Err(Error::InvalidSegment { segment, reason: "may not be empty" });
            }
            path::check(part)?;
        }
        self.on_object(name)
    }
}

/// # The main resource with other types
impl<K: Object> ResourceClient<K> {
    /// Posts `input` to the collection.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub async fn create_as<I, R>(&self, params: &PostParams, input: &I) -> Result<R>
    where
        I: Serialize,
        R: DeserializeOwned,
    {
        let request = self.in_one_namespace()?.create(params, encode(input)?)?;
        transport::object(self.client(), request).await
    }

    /// Replaces the object `name` by `input`.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub async fn update_as<I, R>(&self, name: &str, params: &PostParams, input: &I) -> Result<R>
    where
        I: Serialize,
        R: DeserializeOwned,
    {
        let (request, name) = self.on_object(name)?;
        transport::object(self.client(), request.replace(&name, params, encode(input)?)?).await
    }

    /// Reads the object `name` as another type.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub async fn get_as<R: DeserializeOwned>(&self, name: &str, params: &GetParams) -> Result<R> {
        let (request, name) = self.on_object(name)?;
        transport::object(self.client(), request.get(&name, params)?).await
    }

    /// Lists as another list type.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub async fn list_as<R: DeserializeOwned>(&self, params: &ListParams) -> Result<R> {
        transport::object(self.client(), self.collection()?.list(params)?).await
    }

    /// Changes the object `name` by a patch and reads the answer as another type.
    ///
    /// # Errors
    /// As [`patch`](Self::patch).
    pub async fn patch_as<P, R>(&self, name: &str, params: &PatchParams, patch: &Patch<P>) -> Result<R>
    where
        P: Serialize,
        R: DeserializeOwned,
    {
        let (request, name) = self.on_object(name)?;
        transport::object(self.client(), request.patch(&name, params, patch)?).await
    }

    /// Applies `configuration` to the object `name`.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub async fn apply_as<A, R>(&self, name: &str, params: &PatchParams, configuration: &A) -> Result<R>
    where
        A: Serialize,
        R: DeserializeOwned,
    {
        self.patch_as(name, params, &Patch::Apply(without_managed_fields(configuration)?)).await
    }
}

/// The configuration as JSON, without the managed fields that servers refuse in an apply.
fn without_managed_fields(configuration: &impl Serialize) -> Result<Value> {
    let mut value = serde_json::to_value(configuration).map_err(Error::Encode)?;
    if let Some(Value::Object(metadata)) = value.get_mut("metadata") {
        metadata.remove("managedFields");
    }
    Ok(value)
}
