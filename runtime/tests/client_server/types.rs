//! A kind with a status, and a server that knows it.

use k8s_openapi::{Metadata, NamespaceResourceScope, Resource};
use kube_codegen_apiserver::{ApiServer, Registration};
use kube_codegen_runtime::{
    client::ResourceClient,
    object::{ObjectMeta, TypeMeta},
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct At {
    #[serde(flatten, skip_deserializing)]
    pub(crate) type_meta: TypeMeta<At>,
    #[serde(default)]
    pub(crate) metadata: ObjectMeta,
    #[serde(default)]
    pub(crate) spec: AtSpec,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<AtStatus>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AtSpec {
    #[serde(default)]
    pub(crate) schedule: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AtStatus {
    #[serde(default)]
    pub(crate) phase: String,
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

impl At {
    pub(crate) fn new(name: &str, schedule: &str) -> Self {
        let metadata = ObjectMeta { name: Some(name.into()), ..ObjectMeta::default() };
        Self { metadata, spec: AtSpec { schedule: schedule.into() }, ..Self::default() }
    }

    pub(crate) fn labelled(mut self, key: &str, value: &str) -> Self {
        self.metadata.labels.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    pub(crate) fn name(&self) -> &str {
        self.metadata.name.as_deref().unwrap()
    }

    pub(crate) fn version(&self) -> &str {
        self.metadata.resource_version.as_deref().unwrap()
    }

    pub(crate) fn phase(&self) -> Option<&str> {
        self.status.as_ref().map(|status| status.phase.as_str())
    }
}

pub(crate) fn server() -> ApiServer {
    ApiServer::builder().register(Registration::of::<At>().status()).create_namespaces().seed(7).build()
}

pub(crate) fn ats(server: &ApiServer) -> ResourceClient<At> {
    ResourceClient::namespaced(server.client(), "default")
}
