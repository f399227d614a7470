//! A fault of the server, or of what it was given to call, ends one request and no more.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use futures::StreamExt as _;
use jiff::Timestamp;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, ListParams, PostParams, WatchParams};
use kube_codegen_apiserver::ApiServer;

/// A server whose clock can be broken.
fn server() -> (ApiServer, Arc<AtomicBool>) {
    let broken = Arc::new(AtomicBool::new(false));
    let is_broken = Arc::clone(&broken);
    let clock = move || {
        assert!(!is_broken.load(Ordering::SeqCst), "the clock is broken");
        Timestamp::now()
    };
    (ApiServer::builder().clock(clock).build(), broken)
}

fn map(name: &str) -> ConfigMap {
    let mut map = ConfigMap::default();
    map.metadata.name = Some(name.to_owned());
    map
}

#[tokio::test]
async fn a_request_that_panics_is_answered_with_500() {
    let (server, broken) = server();
    let maps: Api<ConfigMap> = Api::default_namespaced(server.client());
    broken.store(true, Ordering::SeqCst);
    let Err(kube::Error::Api(status)) = maps.create(&PostParams::default(), &map("a")).await else {
        unreachable!("a broken clock makes nothing")
    };
    assert_eq!((status.code, status.reason.as_str()), (500, "InternalError"));
    assert_eq!(status.message, "This request caused apiserver to panic. Look in the logs for details.");
    broken.store(false, Ordering::SeqCst);
    maps.create(&PostParams::default(), &map("a")).await.unwrap();
    assert_eq!(maps.list(&ListParams::default()).await.unwrap().items.len(), 1);
}

#[tokio::test]
async fn a_watch_that_panics_ends() {
    let (server, broken) = server();
    let maps: Api<ConfigMap> = Api::default_namespaced(server.client());
    maps.create(&PostParams::default(), &map("a")).await.unwrap();
    let quiet = WatchParams { bookmarks: false, ..WatchParams::default() };
    let mut watch = Box::pin(maps.watch(&quiet, "0").await.unwrap());
    assert!(watch.next().await.unwrap().is_ok());
    broken.store(true, Ordering::SeqCst);
    let last = watch.next().await;
    assert!(last.is_none(), "{last:?}");
    broken.store(false, Ordering::SeqCst);
    maps.get("a").await.unwrap();
}
