//! Headings are titles, as for schemars; a plural is that of the name for one object.
// +groupName=shop.example.com
// +versionName=v1

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// # The parcel
///
/// What is sent.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Parcel", singular = "packet")]
pub struct ParcelSpec {
    /// # Weight
    /// In grams.
    pub weight: u32,
    /// ## Only a heading
    pub label: String,
    /// Plain, with a title of its type.
    pub state: State,
    /// # Hidden
    #[schemars(title = "Said")]
    pub said: String,
    pub plain: Plain,
}

/// # State
/// Where it is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub enum State {
    Here,
    There,
}

/// # No schema of schemars, no title
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plain {
    pub a: String,
}
