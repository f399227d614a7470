//! What has to be done before objects go.
//!
//! In: clean-ups, each under the name of a finalizer; an object. Out: an object that cannot go without them, or one of which they are done.
//! Never: a finalizer removed whose clean-up has not succeeded, or one of somebody else's.

use std::{fmt, future::Future, sync::Arc};

use futures::future::BoxFuture;
use tracing::warn;

use super::{Failure, add_finalizer, has_finalizer, remove_finalizer};
use crate::{
    client::{Error, ResourceClient},
    object::Object,
};

/// A clean-up.
type CleanUp<K> = Box<dyn Fn(Arc<K>) -> BoxFuture<'static, Result<(), Failure>> + Send + Sync>;

/// The finalizers of one controller, with what stands behind each (controller-runtime: `finalizer.Finalizers`).
///
/// ```
/// # use std::sync::Arc;
/// # use k8s_openapi::api::core::v1::ConfigMap;
/// # use kube_codegen_runtime::{client::ResourceClient, controller::{Action, Failure, Finalized, Finalizers}};
/// # async fn remove_bucket(_: &str) -> Result<(), Failure> { Ok(()) }
/// # async fn example(maps: ResourceClient<ConfigMap>, map: Arc<ConfigMap>) -> Result<Action, Failure> {
/// let finalizers = Finalizers::new().with("example.com/bucket", |map: Arc<ConfigMap>| async move {
///     // It may be called again for the same object: a crash can come between this and the write behind it.
///     remove_bucket(map.metadata.name.as_deref().unwrap_or_default()).await
/// })?;
///
/// // In a run:
/// let map = match finalizers.settle(&maps, &map).await? {
///     Finalized::Kept(map) => map,
///     Finalized::Going => return Ok(Action::Done),
/// };
/// // ... the object as it is now, which cannot go without its clean-ups ...
/// # let _ = map; Ok(Action::Done) }
/// ```
pub struct Finalizers<K> {
    /// In the order in which they are called.
    all: Vec<(String, CleanUp<K>)>,
}

/// How an object stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finalized<K> {
    /// It is to stay, and has all finalizers: the object as the server has it now.
    Kept(Arc<K>),
    /// It is on its way out, and all of this controller's that had to be done is done.
    Going,
}

/// A finalizer that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FinalizerError {
    /// Names without a domain are Kubernetes' own.
    #[error("{0:?} is no name for a finalizer: it needs a domain, as in example.com/bucket")]
    Name(String),
    /// Two clean-ups of one name.
    #[error("the finalizer {0:?} is there already")]
    Twice(String),
}

impl<K: Object> Finalizers<K> {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { all: Vec::new() }
    }

    /// The same with one more: `clean_up` is called for objects that are to go, after those that were given before. It may be called more
    /// than once for an object.
    ///
    /// # Errors
    /// If the name is none, or is there already.
    pub fn with<F>(
        mut self,
        finalizer: &str,
        clean_up: impl Fn(Arc<K>) -> F + Send + Sync + 'static,
    ) -> Result<Self, FinalizerError>
    where
        F: Future<Output = Result<(), Failure>> + Send + 'static,
    {
        if !finalizer.split_once('/').is_some_and(|(domain, name)| !domain.is_empty() && !name.is_empty()) {
            return Err(FinalizerError::Name(finalizer.to_owned()));
        }
        if self.all.iter().any(|(name, _)| name == finalizer) {
            return Err(FinalizerError::Twice(finalizer.to_owned()));
        }
        self.all.push((finalizer.to_owned(), Box::new(move |object| Box::pin(clean_up(object)))));
        Ok(self)
    }

    /// Gives an object its finalizers, or, if it was deleted, does what stands behind those that it has and takes them away. What changes is
    /// written, over the version of `object`, which may come from a cache.
    ///
    /// # Errors
    /// The first failure of a clean-up that may pass, or else the first; the others are called nevertheless, and each failure is logged. That
    /// of the write, such as a conflict if the object was an old one.
    pub async fn settle(&self, client: &ResourceClient<K>, object: &Arc<K>) -> Result<Finalized<K>, Failure> {
        if object.meta().deletion_timestamp.is_some() {
            return self.clean_up(client, object).await;
        }
        let mut wanted = K::clone(object);
        let mut changed = false;
        for (name, _) in &self.all {
            changed |= add_finalizer(&mut wanted, name);
        }
        if !changed {
            return Ok(Finalized::Kept(Arc::clone(object)));
        }
        Ok(Finalized::Kept(Arc::new(client.update(&wanted).await?)))
    }

    async fn clean_up(&self, client: &ResourceClient<K>, object: &Arc<K>) -> Result<Finalized<K>, Failure> {
        let mut wanted = K::clone(object);
        let (mut changed, mut failures) = (false, Vec::new());
        for (name, clean_up) in &self.all {
            if !has_finalizer(&**object, name) {
                continue;
            }
            match clean_up(Arc::clone(object)).await {
                Ok(()) => changed |= remove_finalizer(&mut wanted, name),
                Err(failure) => {
                    warn!(finalizer = name, %failure, "a clean-up failed");
                    failures.push(failure);
                }
            }
        }
        if changed {
            match client.update(&wanted).await {
                // Somebody else has taken the last finalizers away.
                Ok(_) | Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let passing = failures.iter().position(|failure| !failure.is_terminal()).unwrap_or_default();
        match failures.into_iter().nth(passing) {
            Some(failure) => Err(failure),
            None => Ok(Finalized::Going),
        }
    }
}

impl<K: Object> Default for Finalizers<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> fmt::Debug for Finalizers<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all.iter().map(|(name, _)| name)).finish()
    }
}
