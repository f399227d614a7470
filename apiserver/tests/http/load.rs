//! Objects from files.

use std::{error::Error as _, fs, path::Path};

use k8s_openapi::api::{
    apps::v1::Deployment,
    core::v1::{ConfigMap, Namespace, Pod},
};
use kube::Api;
use kube_codegen_apiserver::{ApiServer, LoadError, Manifests};
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn load(server: &ApiServer, path: &Path) -> Result<usize, LoadError> {
    let manifests = Manifests::read([path])?;
    server.load(&manifests)?;
    Ok(manifests.len())
}

const DEPLOYMENT: &str = "
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
---
# nothing
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
";

#[tokio::test]
async fn namespaces_come_before_what_is_in_them() {
    let folder = folder(&[("all.yaml", DEPLOYMENT), ("notes.txt", "not: {yaml")]);
    let server = ApiServer::default();
    assert_eq!(load(&server, folder.path()).unwrap(), 2);
    let web: Deployment = Api::namespaced(server.client(), "shop").get("web").await.unwrap();
    assert_eq!(web.spec.replicas, Some(1), "what a client creates gets its defaults");
}

#[tokio::test]
async fn lists_json_and_objects_that_are_there_already() {
    let json = r#"{"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "labels": {"tier": "test"}}},
        {"apiVersion": "v1", "kind": "ConfigMapList", "items": [{"metadata": {"name": "one"}}]}
    ]}
    {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "two"}}"#;
    let folder = folder(&[("objects.json", json)]);
    let server = ApiServer::default();
    assert_eq!(load(&server, &folder.path().join("objects.json")).unwrap(), 3);
    let default: Namespace = Api::all(server.client()).get("default").await.unwrap();
    assert_eq!(default.metadata.labels.unwrap()["tier"], "test");
    let maps: Api<ConfigMap> = Api::default_namespaced(server.client());
    maps.get("one").await.unwrap();
    maps.get("two").await.unwrap();
}

#[tokio::test]
async fn status_and_uid_are_kept() {
    let text = "
apiVersion: v1
kind: Pod
metadata: {name: saved, uid: 11111111-2222-4333-8444-555555555555, resourceVersion: '7'}
spec: {containers: [{name: web, image: nginx}]}
status: {phase: Running}
---
apiVersion: v1
kind: Pod
metadata: {name: written}
spec: {containers: [{name: web, image: nginx}]}
status: {phase: Failed}
";
    let folder = folder(&[("pods.yml", text)]);
    let server = ApiServer::default();
    load(&server, folder.path()).unwrap();
    let pods: Api<Pod> = Api::default_namespaced(server.client());
    let saved = pods.get("saved").await.unwrap();
    assert_eq!(saved.metadata.uid.unwrap(), "11111111-2222-4333-8444-555555555555");
    assert_eq!(saved.status.unwrap().phase.unwrap(), "Running");
    assert_eq!(pods.get("written").await.unwrap().status.unwrap().phase.unwrap(), "Failed");
}

#[tokio::test]
async fn a_saved_object_changes_the_one_that_the_server_has() {
    let text = "
apiVersion: v1
kind: Namespace
metadata:
  name: default
  uid: 11111111-2222-4333-8444-555555555555
  resourceVersion: '7'
  creationTimestamp: 2020-01-02T03:04:05Z
  labels: {tier: saved}
spec: {finalizers: [kubernetes]}
status: {phase: Active}
";
    let folder = folder(&[("namespaces.yaml", text)]);
    let server = ApiServer::default();
    load(&server, folder.path()).unwrap();
    let default: Namespace = Api::all(server.client()).get("default").await.unwrap();
    assert_eq!(default.metadata.labels.unwrap()["tier"], "saved");
    assert_ne!(default.metadata.uid.unwrap(), "11111111-2222-4333-8444-555555555555");
}

#[test]
fn errors_name_the_file_and_the_document() {
    let fine = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n---\n";
    let cases = [
        (
            "kind: ConfigMap\nmetadata: {name: two}\n",
            "document 2: an object has to say its apiVersion and its kind",
        ),
        ("- 1\n", "document 2: this is no object"),
        (
            "apiVersion: v9\nkind: Ding\nmetadata: {name: two}\n",
            "document 2: no kind \"Ding\" of \"v9\" is served here",
        ),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n",
            "document 2: configmaps \"one\" already exists",
        ),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: two, namespace: gone}\n",
            "document 2: namespaces \"gone\" not found",
        ),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: two}\ndate: {}\n", "unknown field \"date\""),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a/b}\n",
            "document 2: ConfigMap \"a/b\" is invalid",
        ),
        ("a: [\n", "is not YAML"),
    ];
    for (text, expected) in cases {
        let folder = folder(&[("objects.yaml", &format!("{fine}{text}"))]);
        let error = load(&ApiServer::default(), folder.path()).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("objects.yaml") && message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = folder(&[]);
    let error = Manifests::read([folder.path()]).unwrap_err();
    assert!(error.to_string().ends_with("holds no .yaml, .yml or .json file"), "{error}");
    let error = Manifests::read([folder.path().join("gone.yaml")]).unwrap_err();
    assert!(error.to_string().ends_with("gone.yaml") && error.source().is_some(), "{error}");
}
