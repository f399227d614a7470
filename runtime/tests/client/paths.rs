//! Names that are no path segments, and what is refused before anything is sent.

use k8s_openapi::api::{core::v1::ConfigMap, rbac::v1::ClusterRole};
use kube_codegen_runtime::{
    client::{
        DeleteParams, Error, GetParams, ListParams, Patch, PatchParams, PostParams, ResourceClient, Result,
        WatchParams,
    },
    object::ObjectMeta,
};
use serde_json::{Value, json};

use crate::mock::Mock;

type ConfigMaps = ResourceClient<ConfigMap>;

fn named(name: Option<&str>) -> ConfigMap {
    let metadata = ObjectMeta { name: name.map(str::to_owned), ..ObjectMeta::default() };
    ConfigMap { metadata, ..ConfigMap::default() }
}

/// Every verb on one object, by the object's name.
async fn by_name(c: &ConfigMaps, name: &str) -> Vec<Result<()>> {
    let patch = Patch::Merge(json!({}));
    let (get, post, patching) = (GetParams::default(), PostParams::default(), PatchParams::default());
    let value = json!({});
    vec![
        c.update(&named(Some(name))).await.map(drop),
        c.update_status(&named(Some(name))).await.map(drop),
        c.get(name).await.map(drop),
        c.delete(name).await.map(drop),
        c.patch(name, &patch).await.map(drop),
        c.patch_status(name, &patch).await.map(drop),
        c.create_subresource::<_, Value>(name, "x", &post, &value).await.map(drop),
        c.update_subresource::<_, Value>(name, "x", &post, &value).await.map(drop),
        c.get_subresource::<Value>(name, "x", &get).await.map(drop),
        c.list_subresource::<Value>(name, "x", &ListParams::default()).await.map(drop),
        c.patch_subresource::<_, Value>(name, "x", &patching, &patch).await.map(drop),
        c.apply_subresource::<_, Value>(name, "x", &patching, &value).await.map(drop),
        c.update_as::<_, Value>(name, &post, &value).await.map(drop),
        c.get_as::<Value>(name, &get).await.map(drop),
        c.patch_as::<_, Value>(name, &patching, &patch).await.map(drop),
        c.apply_as::<_, Value>(name, &patching, &value).await.map(drop),
    ]
}

#[tokio::test]
async fn names_that_would_leave_their_segment_are_refused() {
    let mock = Mock::default();
    let client = ConfigMaps::namespaced(mock.client(), "default");
    for name in [".", "..", "a/b", "/", "a%2Fb", "%"] {
        for result in by_name(&client, name).await {
            let error = result.unwrap_err();
            assert!(matches!(&error, Error::InvalidSegment { segment, .. } if segment == name), "{error:?}");
            assert!(error.to_string().contains(&format!("{name:?}")), "{error}");
        }
    }
    assert!(mock.seen().is_empty());
}

#[tokio::test]
async fn an_empty_name_is_refused() {
    let mock = Mock::default();
    let client = ConfigMaps::namespaced(mock.client(), "default");
    for result in by_name(&client, "").await {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::MissingName { .. }), "{error:?}");
        assert_eq!(error.to_string(), "configmaps: a name is required");
    }
    assert!(matches!(client.update(&named(None)).await, Err(Error::MissingName { .. })));
    assert!(mock.seen().is_empty());
}

/// All that needs one namespace is refused; what reaches across namespaces is not.
#[tokio::test]
async fn a_missing_namespace_is_refused() {
    let mock = Mock::default();
    let client = ConfigMaps::namespaced(mock.client(), "");
    let mut results = by_name(&client, "a").await;
    results.push(client.create(&named(Some("a"))).await.map(drop));
    results.push(client.create_as::<_, Value>(&PostParams::default(), &json!({})).await.map(drop));
    for result in results {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::MissingNamespace { .. }), "{error:?}");
        assert!(error.to_string().starts_with("configmaps: a namespace is required"), "{error}");
    }
    assert!(mock.seen().is_empty());
}

#[tokio::test]
async fn a_namespace_is_a_segment_too() {
    let mock = Mock::default();
    for namespace in ["..", "a/b", "a%b"] {
        let client = ConfigMaps::namespaced(mock.client(), namespace);
        let list = ListParams::default();
        let results = [
            client.list().await.map(drop),
            client.watch_lines(&WatchParams::default(), "0").await.map(drop),
            client.create(&named(None)).await.map(drop),
            client.get("a").await.map(drop),
            client.delete_collection_with(&DeleteParams::default(), &list).await.map(drop),
        ];
        for result in results {
            assert!(matches!(&result, Err(Error::InvalidSegment { segment, .. }) if segment == namespace));
        }
    }
    assert!(mock.seen().is_empty());
}

#[tokio::test]
async fn a_subresource_is_a_segment_too() {
    let mock = Mock::default();
    let client = ConfigMaps::namespaced(mock.client(), "default");
    for subresource in ["", "..", "a//b", "a/../b", "/", "a%b"] {
        let result = client.get_subresource::<Value>("a", subresource, &GetParams::default()).await;
        assert!(matches!(result, Err(Error::InvalidSegment { .. })), "{subresource}");
    }
    assert!(mock.seen().is_empty());
}

/// Roles may have names that mean something in a URL; they are one segment all the same.
#[tokio::test]
async fn unusual_names_are_escaped() {
    let names = [
        ("system:node", "system:node"),
        ("a b", "a%20b"),
        ("what?x=1", "what%3Fx=1"),
        ("#1", "%231"),
        ("é", "%C3%A9"),
        ("a+b@c", "a+b@c"),
    ];
    let mock = Mock::answering(names.map(|_| json!({"metadata": {}})));
    let roles = ResourceClient::<ClusterRole>::cluster(mock.client());
    for (name, _) in names {
        roles.get(name).await.unwrap();
    }
    let expected =
        names.map(|(_, segment)| format!("GET /apis/rbac.authorization.k8s.io/v1/clusterroles/{segment}"));
    assert_eq!(mock.lines(), expected);
}

#[tokio::test]
async fn options_that_contradict_each_other_are_refused() {
    let mock = Mock::default();
    let client = ConfigMaps::namespaced(mock.client(), "default");
    let params = PatchParams::apply("me").force();
    let result = client.patch_with("a", &params, &Patch::Merge(json!({}))).await;
    assert!(matches!(result, Err(Error::InvalidRequest(_))), "{result:?}");
    assert!(mock.seen().is_empty());
}
