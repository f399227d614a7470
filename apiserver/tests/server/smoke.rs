//! The server through `kube::Client`, in one breath.

use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use kube_codegen_apiserver::ApiServer;
use serde_json::json;

fn map(name: &str) -> ConfigMap {
    let mut map = ConfigMap::default();
    map.metadata.name = Some(name.to_owned());
    map
}

#[tokio::test]
async fn every_verb_works_once() {
    let server = ApiServer::default();
    let client = server.client();
    let maps: Api<ConfigMap> = Api::default_namespaced(client.clone());
    let created = maps.create(&PostParams::default(), &map("a")).await.unwrap();
    let version = created.metadata.resource_version.clone().unwrap();
    let read = maps.get("a").await.unwrap();
    assert_eq!(read, created);
    let mut changed = read.clone();
    changed.data = Some([("k".to_owned(), "v".to_owned())].into());
    let changed = maps.replace("a", &PostParams::default(), &changed).await.unwrap();
    assert_ne!(changed.metadata.resource_version, created.metadata.resource_version);
    let patch = Patch::Merge(json!({"data": {"l": "w"}}));
    let patched = maps.patch("a", &PatchParams::default(), &patch).await.unwrap();
    assert_eq!(patched.data.as_ref().unwrap().len(), 2);
    let list = maps.list(&ListParams::default()).await.unwrap();
    assert_eq!(list.items.len(), 1);
    let deleted = maps.delete("a", &DeleteParams::default()).await.unwrap();
    assert!(deleted.is_right());
    assert!(maps.get_opt("a").await.unwrap().is_none());
    let events: Vec<_> =
        maps.watch(&WatchParams::default(), &version).await.unwrap().take(3).try_collect().await.unwrap();
    assert!(matches!(
        events.as_slice(),
        [WatchEvent::Modified(_), WatchEvent::Modified(_), WatchEvent::Deleted(_)]
    ));
    let version = client.apiserver_version().await.unwrap();
    assert_eq!(version.minor, "37");
    let groups = client.list_api_groups().await.unwrap();
    assert!(groups.groups.iter().any(|group| group.name == "apps"));
}
