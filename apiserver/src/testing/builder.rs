//! `FakeBuilder`: a fake that knows the schemas of its kinds.

use std::{fmt, marker::PhantomData, path::PathBuf};

use crate::{ApiServer, LoadError, Manifests, Registration};

use super::{Fake, Seed, SeedError};

/// Settings for a [`Fake`], or for what is made of one.
///
/// A kind whose CustomResourceDefinition is given is treated as a real server treats it: objects are pruned, get their defaults and are
/// checked, rules included. Kinds without one take any object.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use kube_codegen_apiserver::testing::{Fake, FakeBuilder};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("definitions.yaml"), "
/// apiVersion: apiextensions.k8s.io/v1
/// kind: CustomResourceDefinition
/// metadata: {name: ats.cnat.example.com}
/// spec:
///   group: cnat.example.com
///   scope: Namespaced
///   names: {plural: ats, kind: At}
///   versions:
///   - name: v1
///     served: true
///     storage: true
///     schema: {openAPIV3Schema: {type: object}}
/// ")?;
/// let fake: Fake = FakeBuilder::new([]).crds(folder.path()).build()?;
/// # let _ = fake;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct FakeBuilder<F = Fake> {
    registrations: Vec<Registration>,
    definitions: Vec<PathBuf>,
    objects: Vec<Seed>,
    into: PhantomData<fn() -> F>,
}

/// Why a fake cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FakeError {
    /// The definitions cannot be read, or no server would take them.
    #[error(transparent)]
    Definitions(#[from] LoadError),
    /// The objects cannot be stored.
    #[error(transparent)]
    Objects(#[from] SeedError),
}

impl<F: From<Fake>> FakeBuilder<F> {
    /// A fake that serves the built-in kinds and these.
    pub fn new(registrations: impl IntoIterator<Item = Registration>) -> Self {
        Self {
            registrations: registrations.into_iter().collect(),
            definitions: Vec::new(),
            objects: Vec::new(),
            into: PhantomData,
        }
    }

    /// Defines kinds by the CustomResourceDefinitions in a file, or in the `.yaml`, `.yml` and `.json` files of a folder.
    pub fn crds(mut self, path: impl Into<PathBuf>) -> Self {
        self.definitions.push(path.into());
        self
    }

    /// Starts with these objects too. They have to fit the schemas of their kinds.
    pub fn objects(mut self, objects: impl IntoIterator<Item = Seed>) -> Self {
        self.objects.extend(objects);
        self
    }

    /// The fake. Has to be called in a tokio runtime.
    ///
    /// # Errors
    ///
    /// When a definition or an object cannot be read or stored, with its place or name and what is wrong with it.
    pub fn build(self) -> Result<F, FakeError> {
        let server = ApiServer::builder().register_all(self.registrations).create_namespaces().build();
        server.load(&Manifests::read(&self.definitions)?)?;
        Ok(F::from(Fake::try_over(server, self.objects)?))
    }
}

impl<F> fmt::Debug for FakeBuilder<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeBuilder")
            .field("definitions", &self.definitions)
            .field("objects", &self.objects.len())
            .finish_non_exhaustive()
    }
}
