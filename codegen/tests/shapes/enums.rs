//! Enums with data, in serde's four forms.
// +groupName=shop.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

// +kubebuilder:object:root=true
/// Order is what somebody wants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Order>,
    pub metadata: ObjectMeta,
    pub spec: OrderSpec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrderSpec {
    pub external: External,
    pub internal: Internal,
    pub adjacent: Adjacent,
    pub untagged: Untagged,
    pub mixed: Mixed,
    /// Choices, several of them.
    pub choices: Vec<External>,
    #[serde(flatten)]
    pub flattened: Internal,
}

/// External has the variant as its key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum External {
    /// Card is charged.
    Card { number: String },
    BankTransfer(Transfer),
    #[serde(skip)]
    Secret,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Transfer {
    pub account: String,
    pub bank: Option<String>,
}

/// Internal has the variant beside the data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Internal {
    Cash,
    Card { number: String, owner: Option<String> },
    Transfer(Transfer),
}

/// Adjacent has both beside each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value")]
pub enum Adjacent {
    Cash,
    Card { number: String },
    Transfer(Transfer),
}

/// Untagged has the data alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Untagged {
    Card { number: String },
    Transfer(Transfer),
}

/// Mixed is a number or a text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Mixed {
    Number(i32),
    Text(String),
}
