//! Types as the generators write them: one in the Go shape, and one whose spec is whatever a test needs.

use k8s_openapi::{Metadata, NamespaceResourceScope, Resource};
use kube_codegen_runtime::object::{ApplyConfiguration, ObjectMeta, TypeMeta};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A root type in the Go shape.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct At {
    #[serde(flatten, skip_deserializing)]
    pub(crate) type_meta: TypeMeta<At>,
    #[serde(default)]
    pub(crate) metadata: ObjectMeta,
    #[serde(default)]
    pub(crate) spec: AtSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AtSpec {
    #[serde(default)]
    pub(crate) schedule: String,
}

/// A root type that takes any spec and status.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Anything {
    #[serde(flatten, skip_deserializing)]
    pub(crate) type_meta: TypeMeta<Anything>,
    #[serde(default)]
    pub(crate) metadata: ObjectMeta,
    #[serde(default)]
    pub(crate) spec: Value,
    #[serde(default)]
    pub(crate) status: Value,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AnythingApplyConfiguration {
    #[serde(flatten, skip_deserializing)]
    pub(crate) type_meta: TypeMeta<Anything>,
    #[serde(default)]
    pub(crate) metadata: ObjectMeta,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) spec: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<Value>,
}

impl ApplyConfiguration for AnythingApplyConfiguration {
    type Object = Anything;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

macro_rules! resource {
    ($type:ty, $kind:literal, $plural:literal) => {
        impl Resource for $type {
            const API_VERSION: &'static str = "cnat.example.com/v1";
            const GROUP: &'static str = "cnat.example.com";
            const KIND: &'static str = $kind;
            const VERSION: &'static str = "v1";
            const URL_PATH_SEGMENT: &'static str = $plural;
            type Scope = NamespaceResourceScope;
        }

        impl Metadata for $type {
            type Ty = ObjectMeta;

            fn metadata(&self) -> &ObjectMeta {
                &self.metadata
            }

            fn metadata_mut(&mut self) -> &mut ObjectMeta {
                &mut self.metadata
            }
        }
    };
}

resource!(At, "At", "ats");
resource!(Anything, "Anything", "anythings");
