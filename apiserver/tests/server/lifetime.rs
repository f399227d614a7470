//! What is dropped is gone: no task holds a server, a client or a watch.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use futures::StreamExt as _;
use jiff::Timestamp;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, PostParams, WatchParams};
use kube_codegen_apiserver::ApiServer;

/// A server, and a sign of its life: the clock that it owns.
fn server() -> (ApiServer, Weak<()>) {
    let life = Arc::new(());
    let sign = Arc::downgrade(&life);
    let clock = move || {
        let _owned = &life;
        Timestamp::now()
    };
    (ApiServer::builder().clock(clock).build(), sign)
}

async fn gone(sign: &Weak<()>) -> bool {
    for _ in 0..100 {
        if sign.upgrade().is_none() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    false
}

#[tokio::test]
async fn a_server_goes_with_its_last_client_and_watch() {
    let (server, sign) = server();
    let client = server.client();
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    let mut map = ConfigMap::default();
    map.metadata.name = Some("a".to_owned());
    maps.create(&PostParams::default(), &map).await.unwrap();
    let mut watches = Vec::new();
    for _ in 0..50 {
        let mut watch = Box::pin(maps.watch(&WatchParams::default(), "0").await.unwrap());
        assert!(watch.next().await.unwrap().is_ok());
        watches.push(watch);
    }
    drop(server);
    drop((maps, client));
    assert!(sign.upgrade().is_some(), "its watches still need it");
    drop(watches);
    assert!(gone(&sign).await, "something holds the server");
}

#[tokio::test]
async fn a_client_alone_keeps_its_server() {
    let (server, sign) = server();
    let client = server.client();
    drop(server);
    assert_eq!(client.apiserver_version().await.unwrap().minor, "37");
    drop(client);
    assert!(gone(&sign).await, "something holds the server");
}
