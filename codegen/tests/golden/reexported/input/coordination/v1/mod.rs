// +groupName=coordination.k8s.io

//! Leases.

// +genclient
pub use k8s_openapi::api::coordination::v1::Lease;
