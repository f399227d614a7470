//! Custom kinds as a type package has them, written out by hand.

use k8s_openapi::{
    Metadata, NamespaceResourceScope, Resource, apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use kube_codegen_apiserver::Registration;
use serde::{Deserialize, Serialize};

/// A kind with a status part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct At {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) metadata: ObjectMeta,
    pub(crate) spec: AtSpec,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<AtStatus>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct AtSpec {
    pub(crate) command: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct AtStatus {
    pub(crate) phase: String,
}

impl At {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            api_version: Self::API_VERSION.into(),
            kind: Self::KIND.into(),
            metadata: ObjectMeta { name: Some(name.into()), ..ObjectMeta::default() },
            spec: AtSpec { command: "echo".into() },
            status: None,
        }
    }
}

impl Resource for At {
    const API_VERSION: &'static str = "cnat.example.com/v1";
    const GROUP: &'static str = "cnat.example.com";
    const KIND: &'static str = "At";
    const VERSION: &'static str = "v1";
    const URL_PATH_SEGMENT: &'static str = "ats";
    type Scope = NamespaceResourceScope;
}

impl Metadata for At {
    type Ty = ObjectMeta;
    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }
    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

/// A kind whose plural guessers get wrong, without a status part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Gateway {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) metadata: ObjectMeta,
}

impl Gateway {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            api_version: Self::API_VERSION.into(),
            kind: Self::KIND.into(),
            metadata: ObjectMeta {
                name: Some(name.into()),
                namespace: Some("default".into()),
                ..ObjectMeta::default()
            },
        }
    }
}

impl Resource for Gateway {
    const API_VERSION: &'static str = "net.example.com/v1";
    const GROUP: &'static str = "net.example.com";
    const KIND: &'static str = "Gateway";
    const VERSION: &'static str = "v1";
    const URL_PATH_SEGMENT: &'static str = "gateways";
    type Scope = NamespaceResourceScope;
}

impl Metadata for Gateway {
    type Ty = ObjectMeta;
    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }
    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

pub(crate) fn registrations() -> [Registration; 2] {
    [Registration::of::<At>().status(), Registration::of::<Gateway>()]
}
