//! Objects to write, and a handler that remembers.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{DeleteParams, Patch, PatchParams, PostParams},
};
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    client::ResourceClient,
    informer::{Event, SharedInformer, SharedInformerBuilder},
};
use parking_lot::Mutex;

use super::network::Network;

pub(crate) fn config_map(name: &str, value: &str) -> ConfigMap {
    let mut object = ConfigMap::default();
    object.metadata.name = Some(name.to_owned());
    object.data = Some(BTreeMap::from([("value".to_owned(), value.to_owned())]));
    object
}

pub(crate) fn value(object: &ConfigMap) -> String {
    object.data.as_ref().and_then(|data| data.get("value")).cloned().unwrap_or_default()
}

/// Writes to the server, around the network.
#[derive(Clone)]
pub(crate) struct Hand(pub(crate) Api<ConfigMap>);

impl Hand {
    pub(crate) fn new(server: &ApiServer) -> Self {
        Self(Api::namespaced(server.client(), "default"))
    }

    pub(crate) async fn create(&self, name: &str, value: &str) -> ConfigMap {
        self.0.create(&PostParams::default(), &config_map(name, value)).await.unwrap()
    }

    pub(crate) async fn update(&self, name: &str, value: &str) {
        let patch = serde_json::json!({ "data": { "value": value } });
        self.0.patch(name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
    }

    pub(crate) async fn delete(&self, name: &str) {
        self.0.delete(name, &DeleteParams::default()).await.unwrap();
    }

    pub(crate) async fn state(&self) -> BTreeMap<String, String> {
        let list = self.0.list(&kube::api::ListParams::default()).await.unwrap();
        list.items.iter().map(|object| (name(object), value(object))).collect()
    }
}

pub(crate) fn name(object: &ConfigMap) -> String {
    object.metadata.name.clone().unwrap_or_default()
}

pub(crate) fn builder(network: &Network) -> SharedInformerBuilder<ConfigMap> {
    SharedInformer::builder(ResourceClient::namespaced(network.client(), "default")).seed(1)
}

pub(crate) fn stored(informer: &SharedInformer<ConfigMap>) -> BTreeMap<String, String> {
    informer.store().list().iter().map(|object| (name(object), value(object))).collect()
}

/// What a handler was told, as text.
#[derive(Clone, Default)]
pub(crate) struct Diary(Arc<Mutex<Vec<String>>>);

impl Diary {
    pub(crate) fn write(&self, event: &Event<ConfigMap>) {
        let line = match event {
            Event::Added { object, initial: true } => format!("initial {}={}", name(object), value(object)),
            Event::Added { object, .. } => format!("added {}={}", name(object), value(object)),
            Event::Updated { old, new } => format!("updated {}={}->{}", name(new), value(old), value(new)),
            Event::Deleted { key, missed: true, .. } => format!("missed {}", key.name()),
            Event::Deleted { key, .. } => format!("deleted {}", key.name()),
        };
        self.0.lock().push(line);
    }

    pub(crate) fn writer(&self) -> impl Fn(Event<ConfigMap>) + Send + Sync + 'static {
        let diary = self.clone();
        move |event| diary.write(&event)
    }

    /// What was written since it was last taken.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock())
    }
}

/// Lets everything happen that is about to.
pub(crate) async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}
