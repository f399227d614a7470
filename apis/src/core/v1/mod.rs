// +groupName=

//! `v1`: the kinds of the core group that controllers use most.

// +genclient
// +genclient:method=Evict,verb=create,subresource=eviction,input=k8s_openapi::api::policy::v1::Eviction,result=k8s_openapi::apimachinery::pkg::apis::meta::v1::Status
// +genclient:method=Bind,verb=create,subresource=binding,input=k8s_openapi::api::core::v1::Binding,result=k8s_openapi::apimachinery::pkg::apis::meta::v1::Status
pub use k8s_openapi::api::core::v1::Pod;

// +genclient
pub use k8s_openapi::api::core::v1::ConfigMap;

// +genclient
pub use k8s_openapi::api::core::v1::Secret;

// +genclient
// +genclient:nonNamespaced
// +genclient:skipVerbs=deleteCollection
pub use k8s_openapi::api::core::v1::Namespace;

// +genclient
pub use k8s_openapi::api::core::v1::Event;
