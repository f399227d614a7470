//! The client of one kind in one place: where its requests go.
//!
//! In: a `kube::Client` and a namespace. Out: [`ResourceClient`], whose verbs stand in the neighbouring files.
//! Never: a namespaced kind without a namespace argument, or a cluster-scoped one with it; neither compiles.

use std::{any::TypeId, borrow::Cow, fmt, marker::PhantomData, sync::Arc};

use kube::{
    Client,
    core::{ClusterResourceScope, NamespaceResourceScope, Request, Resource},
};

use super::{Error, Result, path};
use crate::object::Object;

/// A typed client for the objects of one kind, in one namespace, in all of them, or cluster-wide.
///
/// Each verb comes plain and, with a name ending in `_with`, with its options. Generated clients wrap this and let
/// through the verbs their kind has.
///
/// ```no_run
/// use k8s_openapi::api::core::v1::{ConfigMap, Node};
/// use kube_codegen_runtime::client::{ListParams, ResourceClient};
///
/// # async fn example(client: kube::Client) -> kube_codegen_runtime::client::Result<()> {
/// let config_maps = ResourceClient::<ConfigMap>::namespaced(client.clone(), "default");
/// let settings = config_maps.get("settings").await?;
///
/// let nodes = ResourceClient::<Node>::cluster(client);
/// let workers = nodes.list_with(&ListParams::default().labels("role=worker")).await?;
/// # Ok(()) }
/// ```
///
/// A cluster-scoped kind has no namespace to ask in:
///
/// ```compile_fail
/// # use kube_codegen_runtime::client::ResourceClient;
/// # fn example(client: kube::Client) {
/// ResourceClient::<k8s_openapi::api::core::v1::Node>::namespaced(client, "default");
/// # }
/// ```
///
/// and a namespaced one is not asked for without:
///
/// ```compile_fail
/// # use kube_codegen_runtime::client::ResourceClient;
/// # fn example(client: kube::Client) {
/// ResourceClient::<k8s_openapi::api::core::v1::ConfigMap>::cluster(client);
/// # }
/// ```
pub struct ResourceClient<K> {
    client: Client,
    reach: Reach,
    resource_name: Option<&'static str>,
    /// The path of the collection, made once.
    collection: Arc<str>,
    kind: PhantomData<fn() -> K>,
}

/// Where the objects of a client are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reach {
    Cluster,
    AllNamespaces,
    Namespace(Arc<str>),
}

impl Reach {
    fn namespace(&self) -> Option<&str> {
        match self {
            Self::Namespace(namespace) => Some(namespace),
            Self::Cluster | Self::AllNamespaces => None,
        }
    }
}

impl<K: Object> ResourceClient<K> {
    /// A client for the objects in `namespace`.
    ///
    /// An empty namespace means all of them: list, watch and delete-collection reach across namespaces, every other
    /// verb answers [`Error::MissingNamespace`] without sending anything.
    #[must_use]
    pub fn namespaced(client: Client, namespace: &str) -> Self
    where
        K: Resource<Scope = NamespaceResourceScope>,
    {
        let reach =
            if namespace.is_empty() { Reach::AllNamespaces } else { Reach::Namespace(Arc::from(namespace)) };
        Self::new(client, reach, None)
    }

    /// A client for a cluster-scoped kind.
    #[must_use]
    pub fn cluster(client: Client) -> Self
    where
        K: Resource<Scope = ClusterResourceScope>,
    {
        Self::new(client, Reach::Cluster, None)
    }

    /// A client for a kind of whatever scope: `namespace` is empty for all namespaces and for cluster-scoped kinds.
    pub(crate) fn reaching(client: Client, namespace: &str) -> Self {
        let cluster = TypeId::of::<K::Scope>() == TypeId::of::<ClusterResourceScope>();
        let reach = match namespace {
            _ if cluster => Reach::Cluster,
            "" => Reach::AllNamespaces,
            namespace => Reach::Namespace(Arc::from(namespace)),
        };
        Self::new(client, reach, None)
    }

    /// The same client for a resource that is served under another name than the kind's registered plural
    /// (marker `+resourceName`).
    #[must_use]
    pub fn with_resource_name(self, plural: &'static str) -> Self {
        Self::new(self.client, self.reach, Some(plural))
    }

    fn new(client: Client, reach: Reach, resource_name: Option<&'static str>) -> Self {
        let collection = path::collection::<K>(resource_name, reach.namespace()).into();
        Self { client, reach, resource_name, collection, kind: PhantomData }
    }

    /// The same client, sending its requests with another.
    pub(super) fn map_client(self, change: impl FnOnce(Client) -> Client) -> Self {
        Self { client: change(self.client), ..self }
    }

    /// The client that requests are sent with.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The namespace of the objects; `None` for all namespaces and for cluster-scoped kinds.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.reach.namespace()
    }

    /// The plural name under which the kind is served.
    #[must_use]
    pub fn resource_name(&self) -> Cow<'static, str> {
        match self.resource_name {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(K::plural(&()).into_owned()),
        }
    }

    /// Builds requests on the collection, for verbs that reach across namespaces.
    pub(super) fn collection(&self) -> Result<Request> {
        if let Some(namespace) = self.namespace() {
            path::check(namespace)?;
        }
        Ok(Request::new(&*self.collection))
    }

    /// Builds requests on single objects, which need to be in a known namespace.
    pub(super) fn in_one_namespace(&self) -> Result<Request> {
        if self.reach == Reach::AllNamespaces {
            return Err(Error::MissingNamespace { resource: self.resource_name() });
        }
        self.collection()
    }

    /// Builds requests on the object `name`, and gives that name as a path segment.
    pub(super) fn on_object<'n>(&self, name: &'n str) -> Result<(Request, Cow<'n, str>)> {
        let request = self.in_one_namespace()?;
        if name.is_empty() {
            return Err(Error::MissingName { resource: self.resource_name() });
        }
        Ok((request, path::segment(name)?))
    }

    /// Builds requests on the object that `object` is a version of.
    pub(super) fn on_object_of<'o>(&self, object: &'o K) -> Result<(Request, Cow<'o, str>)> {
        self.on_object(object.meta().name.as_deref().unwrap_or_default())
    }
}

impl<K> Clone for ResourceClient<K> {
    fn clone(&self) -> Self {
        Self {
            client: self.client.clone(),
            reach: self.reach.clone(),
            resource_name: self.resource_name,
            collection: Arc::clone(&self.collection),
            kind: PhantomData,
        }
    }
}

impl<K> fmt::Debug for ResourceClient<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceClient").field("path", &self.collection).finish_non_exhaustive()
    }
}
