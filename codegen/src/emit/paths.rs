//! Every path outside of the generated code that generated code names: the one place where the generators know the
//! runtime, the API server and the crates below them.

/// `kube::Client`.
pub(crate) const CLIENT: &str = "kube_codegen_runtime::client::Client";
/// The generic typed client.
pub(crate) const RESOURCE_CLIENT: &str = "kube_codegen_runtime::client::ResourceClient";
/// What client calls give.
pub(crate) const RESULT: &str = "kube_codegen_runtime::client::Result";
/// What a delete gives.
pub(crate) const DELETED: &str = "kube_codegen_runtime::client::Deleted";
/// A list in pages.
pub(crate) const PAGES: &str = "kube_codegen_runtime::client::Pages";
/// A stream of events.
pub(crate) const WATCH: &str = "kube_codegen_runtime::client::Watch";
/// A list of objects.
pub(crate) const OBJECT_LIST: &str = "kube_codegen_runtime::client::ObjectList";
/// A patch of any kind.
pub(crate) const PATCH: &str = "kube_codegen_runtime::client::Patch";
/// Options of deletes.
pub(crate) const DELETE_PARAMS: &str = "kube_codegen_runtime::client::DeleteParams";
/// Options of reads.
pub(crate) const GET_PARAMS: &str = "kube_codegen_runtime::client::GetParams";
/// Options of lists.
pub(crate) const LIST_PARAMS: &str = "kube_codegen_runtime::client::ListParams";
/// Options of patches and applies.
pub(crate) const PATCH_PARAMS: &str = "kube_codegen_runtime::client::PatchParams";
/// Options of creates and updates.
pub(crate) const POST_PARAMS: &str = "kube_codegen_runtime::client::PostParams";
/// Options of watches.
pub(crate) const WATCH_PARAMS: &str = "kube_codegen_runtime::client::WatchParams";

/// The cached reader of one kind, all namespaces.
pub(crate) const LISTER: &str = "kube_codegen_runtime::lister::Lister";
/// The cached reader of one kind in one namespace.
pub(crate) const NAMESPACE_LISTER: &str = "kube_codegen_runtime::lister::NamespaceLister";
/// The cached reader of one cluster-scoped kind.
pub(crate) const CLUSTER_LISTER: &str = "kube_codegen_runtime::lister::ClusterLister";
/// A label selector.
pub(crate) const SELECTOR: &str = "kube_codegen_runtime::store::Selector";
/// The informer of one kind.
pub(crate) const SHARED_INFORMER: &str = "kube_codegen_runtime::informer::SharedInformer";
/// What a shared informer factory is made of.
pub(crate) const FACTORY: &str = "kube_codegen_runtime::informer::Factory";
/// The options of a factory.
pub(crate) const FACTORY_BUILDER: &str = "kube_codegen_runtime::informer::FactoryBuilder";

/// `apiVersion` and `kind` of a type.
pub(crate) const TYPE_META: &str = "kube_codegen_runtime::object::TypeMeta";
/// The trait of apply configurations.
pub(crate) const APPLY_CONFIGURATION: &str = "kube_codegen_runtime::object::ApplyConfiguration";
/// The list helper of setters.
pub(crate) const EXTEND_ITEMS: &str = "kube_codegen_runtime::object::extend_items";
/// The map helper of setters.
pub(crate) const INSERT_ENTRIES: &str = "kube_codegen_runtime::object::insert_entries";
/// What a manager owns of an object.
pub(crate) const EXTRACT: &str = "kube_codegen_runtime::object::extract";
/// What a manager owns of a subresource.
pub(crate) const EXTRACT_SUBRESOURCE: &str = "kube_codegen_runtime::object::extract_subresource";
/// Why that cannot be told.
pub(crate) const EXTRACT_ERROR: &str = "kube_codegen_runtime::object::ExtractError";
/// The list type of a kind.
pub(crate) const OBJECT_LIST_TYPE: &str = "kube_codegen_runtime::object::ObjectList";

/// The recording fake API server.
pub(crate) const FAKE: &str = "kube_codegen_apiserver::testing::Fake";
/// Settings for it.
pub(crate) const FAKE_BUILDER: &str = "kube_codegen_apiserver::testing::FakeBuilder";
/// An object that a fake starts with.
pub(crate) const SEED: &str = "kube_codegen_apiserver::testing::Seed";
/// Why a fake cannot start with it.
pub(crate) const SEED_ERROR: &str = "kube_codegen_apiserver::testing::SeedError";
/// A kind that an API server serves.
pub(crate) const REGISTRATION: &str = "kube_codegen_apiserver::Registration";

/// Object metadata.
pub(crate) const OBJECT_META: &str = "k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta";
/// List metadata.
pub(crate) const LIST_META: &str = "k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta";
/// An owner reference.
pub(crate) const OWNER_REFERENCE: &str = "k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference";
/// Any JSON.
pub(crate) const JSON_VALUE: &str = "k8s_openapi::serde_json::Value";

/// serde's traits and derives.
pub(crate) const SERIALIZE: &str = "serde::Serialize";
/// serde's traits and derives.
pub(crate) const DESERIALIZE: &str = "serde::Deserialize";

/// Shared pointers.
pub(crate) const ARC: &str = "std::sync::Arc";
/// Sorted maps.
pub(crate) const BTREE_MAP: &str = "std::collections::BTreeMap";
/// Access to what a newtype wraps.
pub(crate) const DEREF: &str = "std::ops::Deref";
