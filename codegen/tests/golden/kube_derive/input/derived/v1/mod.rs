// +groupName=derived.example.com

//! Derived kinds.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// +genclient
/// What a document holds.
#[derive(CustomResource, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "derived.example.com",
    version = "v1",
    kind = "Document",
    namespaced,
    status = "DocumentStatus"
)]
#[kube(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"))]
#[serde(rename_all = "camelCase")]
pub struct DocumentSpec {
    /// The title.
    pub title: String,
    /// How often it is printed.
    pub replicas: Option<i32>,
    /// Who wrote it.
    #[serde(default)]
    pub authors: Vec<Author>,
}

/// An author.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Author {
    /// The name.
    pub full_name: String,
}

/// What is known of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentStatus {
    /// How many are printed.
    pub replicas: Option<i32>,
}

// +genclient
/// What a tenant holds.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(group = "derived.example.com", version = "v1", kind = "Tenant", plural = "tenantry")]
pub struct TenantSpec {
    /// The owner.
    pub owner: Option<String>,
}

// +genclient
/// What a payment is.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "derived.example.com",
    version = "v1",
    kind = "Payment",
    namespaced,
    status = "DocumentStatus"
)]
#[serde(rename_all = "camelCase")]
pub enum PaymentSpec {
    /// By card.
    Card {
        /// Its number.
        number: String,
    },
    /// In cash.
    Cash(Author),
}

// +genclient
/// What a size is.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "derived.example.com", version = "v1", kind = "Size")]
pub enum SizeSpec {
    /// A small one.
    Small,
    /// A large one.
    Large,
}
