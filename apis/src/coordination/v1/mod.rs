// +groupName=coordination.k8s.io

//! `coordination.k8s.io/v1`: leases.

// +genclient
pub use k8s_openapi::api::coordination::v1::Lease;
