// +groupName=networking.k8s.io

//! Network policies.

// +genclient
pub use k8s_openapi::api::networking::v1::NetworkPolicy;

// +genclient
// +genclient:nonNamespaced
pub use k8s_openapi::api::networking::v1::IngressClass;
