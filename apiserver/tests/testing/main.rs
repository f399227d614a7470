//! The room `testing` from outside: actions, reactors, faults and seeds, and what other fakes got wrong.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, its helpers too"
)]

#[macro_use]
mod ways;

mod actions;
mod cases;
mod cases_watch;
mod faults;
mod reactors;
mod seeds;
mod streams;
mod types;

use std::fmt::Debug;

use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::{Api, api::PostParams};
use kube_codegen_apiserver::testing::Fake;
use serde_json::{Value, json};

/// A fake that knows the custom kinds of these tests.
fn fake() -> Fake {
    Fake::new(types::registrations(), [])
}

fn maps(fake: &Fake) -> Api<ConfigMap> {
    Api::namespaced(fake.client(), "default")
}

fn pods(fake: &Fake) -> Api<Pod> {
    Api::namespaced(fake.client(), "default")
}

fn map(name: &str) -> ConfigMap {
    let mut map = ConfigMap::default();
    map.metadata.name = Some(name.into());
    map
}

fn pod(name: &str, node: &str) -> Pod {
    let spec = json!({"nodeName": node, "containers": [{"name": "main", "image": "busybox"}]});
    serde_json::from_value(json!({"metadata": {"name": name}, "spec": spec})).unwrap()
}

async fn create<K>(api: &Api<K>, object: &K) -> K
where
    K: Clone + Debug + serde::Serialize + serde::de::DeserializeOwned,
{
    api.create(&PostParams::default(), object).await.unwrap()
}

/// The code of an API failure.
fn code<T: Debug>(result: kube::Result<T>) -> u16 {
    match result {
        Err(kube::Error::Api(status)) => status.code,
        other => panic!("no failure of the API: {other:?}"),
    }
}

fn data(key: &str, value: &str) -> Value {
    json!({"data": {key: value}})
}
