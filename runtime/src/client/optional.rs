//! `Optional`: an object that is not there, as a value and not as an error.
//!
//! In: the result of a request. Out: the same, with `None` for [`Error::NotFound`]. Never: another error taken away.

use super::{Error, Result};

/// Makes of the answer that there is no such object a `None`, where that is nothing wrong.
///
/// ```
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kube_codegen_runtime::client::{Optional, ResourceClient};
///
/// # async fn example() -> kube_codegen_runtime::client::Result<()> {
/// # let client = kube_codegen_apiserver::ApiServer::default().client();
/// let maps = ResourceClient::<ConfigMap>::namespaced(client, "default");
/// assert!(maps.get("settings").await.optional()?.is_none());
/// maps.delete("settings").await.optional()?; // gone already is as good
/// # Ok(()) }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(example()).unwrap();
/// ```
pub trait Optional<T> {
    /// The value; `None` if there is no such object.
    ///
    /// # Errors
    /// Every other error.
    fn optional(self) -> Result<Option<T>>;
}

impl<T> Optional<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(Error::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
