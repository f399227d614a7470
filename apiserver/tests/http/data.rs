//! The file that keeps the state across runs.

use std::fs;

use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::{
    Api,
    api::{DeleteParams, PostParams},
    config::Kubeconfig,
};
use serde_json::json;
use tempfile::TempDir;

use crate::{
    client,
    program::{Program, output, program},
};

async fn maps(program: &Program) -> Api<ConfigMap> {
    Api::default_namespaced(client(Kubeconfig::read_from(program.kubeconfig()).unwrap()).await)
}

fn map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({"metadata": {"name": name}, "data": {"of": name}})).unwrap()
}

fn start(folder: &TempDir) -> Program {
    let data = folder.path().join("cluster.data");
    Program::start(program().arg("--data").arg(data).arg("--kubelet"))
}

#[tokio::test]
async fn what_was_there_is_there_again_and_versions_go_on() {
    let folder = TempDir::new().unwrap();
    let mut first = start(&folder);
    let api = maps(&first).await;
    let one = api.create(&PostParams::default(), &map("one")).await.unwrap();
    let two = api.create(&PostParams::default(), &map("two")).await.unwrap();
    api.delete("one", &DeleteParams::default()).await.unwrap();
    assert_eq!(first.terminate(), Some(0));

    let second = start(&folder);
    let api = maps(&second).await;
    assert!(api.get_opt("one").await.unwrap().is_none());
    assert_eq!(api.get("two").await.unwrap(), two);
    let three = api.create(&PostParams::default(), &map("three")).await.unwrap();
    let version = |map: &ConfigMap| map.metadata.resource_version.clone().unwrap().parse::<u64>().unwrap();
    assert!(version(&three) > version(&two).max(version(&one)) + 1);
}

#[tokio::test]
async fn pods_that_ran_are_run_again() {
    let folder = TempDir::new().unwrap();
    let mut first = start(&folder);
    let pods: Api<Pod> =
        Api::default_namespaced(client(Kubeconfig::read_from(first.kubeconfig()).unwrap()).await);
    let pod = json!({"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "busybox"}]}});
    pods.create(&PostParams::default(), &serde_json::from_value(pod).unwrap()).await.unwrap();
    let running = |pod: Pod, restarts: i32| {
        let status = pod.status.and_then(|status| status.container_statuses);
        status.is_some_and(|all| all.iter().all(|one| one.ready && one.restart_count == restarts))
    };
    while !running(pods.get("p").await.unwrap(), 0) {}
    first.terminate();
    let second = start(&folder);
    let pods: Api<Pod> =
        Api::default_namespaced(client(Kubeconfig::read_from(second.kubeconfig()).unwrap()).await);
    while !running(pods.get("p").await.unwrap(), 1) {}
}

#[tokio::test]
async fn a_damaged_file_is_refused_and_left_as_it_is() {
    let folder = TempDir::new().unwrap();
    let mut first = start(&folder);
    maps(&first).await.create(&PostParams::default(), &map("one")).await.unwrap();
    first.terminate();
    let path = folder.path().join("cluster.data");
    let whole = fs::read(&path).unwrap();
    let cut = &whole[..whole.len() / 2];
    let mut turned = whole.clone();
    turned[whole.len() / 3] ^= 1;
    for damaged in [cut, &turned, b"", b"something else\n"] {
        fs::write(&path, damaged).unwrap();
        let (code, _, errors) = output(program().arg("--data").arg(&path));
        assert_eq!(code, Some(1));
        assert!(errors.contains("cluster.data is damaged ("), "{errors}");
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
}
