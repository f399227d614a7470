// +groupName=webapp.my.domain

//! `webapp.my.domain/v1`: a guestbook, in the shape of kube's derive.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// +genclient
/// What a guestbook holds.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(group = "webapp.my.domain", version = "v1", kind = "Guestbook", namespaced)]
#[kube(status = "GuestbookStatus", derive = "Default", derive = "PartialEq")]
#[serde(rename_all = "camelCase")]
pub struct GuestbookSpec {
    /// An example field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foo: Option<String>,
}

/// What is known of a guestbook.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestbookStatus {
    /// The generation that was last looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}
