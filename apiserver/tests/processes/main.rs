//! Containers that are processes: what they are given, what they write and how they end.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

#[path = "../server/http.rs"]
#[expect(dead_code, reason = "it serves other tests as well")]
mod http;

use std::time::Duration;

use futures::StreamExt as _;
use kube::api::LogParams;
use kube_codegen_apiserver::{ApiServer, Kubelet};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::http::{get, send, text};

const PODS: &str = "/api/v1/namespaces/default/pods";
const SOON: Duration = Duration::from_secs(60);

fn server() -> ApiServer {
    ApiServer::builder().kubelet(Kubelet::processes().unwrap()).build()
}

fn run(server: &ApiServer, name: &str, policy: &str, container: &Value) {
    let mut all = json!({"name": "main", "image": "busybox"});
    for (name, value) in container.as_object().unwrap() {
        all[name] = value.clone();
    }
    let pod = json!({"metadata": {"name": name, "labels": {"app": "demo"}}, "spec": {
        "restartPolicy": policy, "containers": [all],
    }});
    let (code, answer) = send(server, "POST", PODS, &pod);
    assert_eq!(code, 201, "{answer}");
}

fn shell(script: &str) -> Value {
    json!({"command": ["sh", "-c", script]})
}

/// Waits until the pod is as it should be, and says how it is then.
async fn until(server: &ApiServer, name: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let waiting = async {
        loop {
            let (_, pod) = get(server, &format!("{PODS}/{name}"));
            if holds(&pod) {
                return pod;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    match timeout(SOON, waiting).await {
        Ok(pod) => pod,
        Err(_) => {
            let (_, pod) = get(server, &format!("{PODS}/{name}"));
            assert_eq!(pod["status"], "something else");
            pod
        }
    }
}

async fn phase(server: &ApiServer, name: &str, phase: &str) -> Value {
    until(server, name, |pod| pod["status"]["phase"] == phase).await
}

fn log(server: &ApiServer, name: &str, query: &str) -> String {
    let (code, text) = text(server, &format!("{PODS}/{name}/log{query}"));
    assert_eq!(code, 200, "{text}");
    text
}

#[tokio::test]
async fn hello_world() {
    let server = server();
    run(&server, "hello", "Never", &json!({"command": ["echo", "hello world!"]}));
    let pod = phase(&server, "hello", "Succeeded").await;
    assert_eq!(pod["status"]["containerStatuses"][0]["state"]["terminated"]["exitCode"], 0);
    assert_eq!(log(&server, "hello", ""), "hello world!\n");
    let stamped = log(&server, "hello", "?timestamps=true");
    let (time, text) = stamped.split_once(' ').unwrap();
    assert_eq!(text, "hello world!\n");
    time.parse::<jiff::Timestamp>().unwrap();
}

#[tokio::test]
async fn the_code_is_that_of_the_process_and_both_streams_are_kept() {
    let server = server();
    run(&server, "fails", "Never", &shell("echo out; echo err >&2; printf end; exit 3"));
    let pod = phase(&server, "fails", "Failed").await;
    assert_eq!(pod["status"]["containerStatuses"][0]["state"]["terminated"]["exitCode"], 3);
    assert_eq!(log(&server, "fails", "?stream=Stderr"), "err\n");
    assert_eq!(log(&server, "fails", "?stream=Stdout"), "out\nend");
}

#[tokio::test]
async fn the_environment_comes_from_where_the_spec_says() {
    let server = server();
    let maps = "/api/v1/namespaces/default/configmaps";
    send(&server, "POST", maps, &json!({"metadata": {"name": "m"}, "data": {"COLOUR": "blue", "size": "3"}}));
    let secrets = "/api/v1/namespaces/default/secrets";
    send(&server, "POST", secrets, &json!({"metadata": {"name": "s"}, "stringData": {"word": "open"}}));
    let mut container = shell("echo $NAME $APP $COLOUR $SIZE $WORD $GREETING $(NAME) $CPU $LEFT $ROOM; pwd");
    container["workingDir"] = "/data".into();
    container["resources"] = json!({"requests": {"cpu": "250m"}, "limits": {"memory": "64Mi"}});
    container["envFrom"] = json!([{"configMapRef": {"name": "m"}}]);
    container["env"] = json!([
        {"name": "NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
        {"name": "APP", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['app']"}}},
        {"name": "SIZE", "valueFrom": {"configMapKeyRef": {"name": "m", "key": "size"}}},
        {"name": "WORD", "valueFrom": {"secretKeyRef": {"name": "s", "key": "word"}}},
        {"name": "GREETING", "value": "hi-$(NAME)"},
        {"name": "CPU", "valueFrom": {"resourceFieldRef": {"resource": "requests.cpu", "divisor": "1m"}}},
        {"name": "LEFT", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
        {"name": "ROOM", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory", "divisor": "1Mi"}}},
        {"name": "NOT", "valueFrom": {"secretKeyRef": {"name": "absent", "key": "x", "optional": true}}},
    ]);
    run(&server, "env", "Never", &container);
    phase(&server, "env", "Succeeded").await;
    let written = log(&server, "env", "");
    let (values, folder) = written.split_once('\n').unwrap();
    assert_eq!(values, "env demo blue 3 open hi-env env 250 8 64");
    assert!(folder.trim_end().ends_with("/main/data"), "{folder}");

    let mut missing = shell("true");
    missing["envFrom"] = json!([{"configMapRef": {"name": "absent"}}]);
    run(&server, "missing", "Never", &missing);
    let waiting = |pod: &Value| pod["status"]["containerStatuses"][0]["state"]["waiting"].clone();
    let pod = until(&server, "missing", |pod| waiting(pod)["reason"] == "CreateContainerConfigError").await;
    assert_eq!(waiting(&pod)["message"], "configmap \"absent\" not found");
    let (_, why) = text(&server, &format!("{PODS}/missing/log"));
    assert!(why.contains("is waiting to start: CreateContainerConfigError"), "{why}");
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let server = server();
    run(&server, "absent", "Never", &json!({"command": ["no-such-program-anywhere"]}));
    run(&server, "image", "Never", &json!({"image": "nginx"}));
    run(&server, "again", "Always", &json!({"command": ["no-such-program-anywhere"]}));
    let first = |pod: &Value| pod["status"]["containerStatuses"][0].clone();
    let pod = phase(&server, "absent", "Failed").await;
    let ended = &first(&pod)["state"]["terminated"];
    assert_eq!(ended["reason"], "StartError");
    assert_eq!(ended["exitCode"], 128);
    assert_eq!(ended["startedAt"], "1970-01-01T00:00:00Z");
    assert!(ended["message"].as_str().unwrap().contains("no-such-program-anywhere"), "{ended}");
    assert_eq!(log(&server, "absent", ""), "");
    let held = |pod: &Value| first(pod)["state"]["waiting"]["reason"] == "CrashLoopBackOff";
    let pod = until(&server, "again", held).await;
    assert_eq!(first(&pod)["lastState"]["terminated"]["reason"], "StartError");
    assert_eq!(pod["status"]["phase"], "Running");
    let reason = |pod: &Value| first(pod)["state"]["waiting"]["reason"].clone();
    until(&server, "image", |pod| reason(pod) == "CreateContainerError").await;
}

#[tokio::test]
async fn a_deleted_pod_is_asked_to_end_and_then_made_to() {
    let server = server();
    run(
        &server,
        "polite",
        "Never",
        &shell("trap 'echo bye; exit 0' TERM; echo up; while true; do sleep 0.05; done"),
    );
    run(&server, "stubborn", "Never", &shell("trap '' TERM; echo up; while true; do sleep 0.05; done"));
    for name in ["polite", "stubborn"] {
        phase(&server, name, "Running").await;
        while text(&server, &format!("{PODS}/{name}/log")) != (200, "up\n".to_owned()) {
            sleep(Duration::from_millis(10)).await;
        }
    }
    let follow = server.client();
    let pods: kube::Api<k8s_openapi::api::core::v1::Pod> = kube::Api::default_namespaced(follow);
    let follow = LogParams { follow: true, ..LogParams::default() };
    let stream = pods.log_stream("polite", &follow).await.unwrap();
    send(&server, "DELETE", &format!("{PODS}/polite"), &Value::Null);
    let lines = futures::AsyncBufReadExt::lines(stream).map(Result::unwrap).collect::<Vec<_>>();
    assert_eq!(timeout(SOON, lines).await.unwrap(), ["up", "bye"]);
    send(&server, "DELETE", &format!("{PODS}/stubborn"), &json!({"gracePeriodSeconds": 1}));
    for name in ["polite", "stubborn"] {
        until(&server, name, |pod| pod["code"] == 404).await;
    }
}

#[tokio::test]
async fn the_log_of_the_run_before_is_kept() {
    let server = server();
    run(
        &server,
        "again",
        "OnFailure",
        &shell("if [ -e done ]; then echo second; sleep 100; fi; touch done; echo first; exit 1"),
    );
    let restarted = |pod: &Value| {
        let status = &pod["status"]["containerStatuses"][0];
        status["restartCount"] == 1 && status["state"]["running"].is_object()
    };
    until(&server, "again", restarted).await;
    assert_eq!(log(&server, "again", "?previous=true"), "first\n");
    while log(&server, "again", "") != "second\n" {
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn processes_end_with_the_server() {
    let server = server();
    run(&server, "long", "Never", &shell("echo $$$$; sleep 1000"));
    phase(&server, "long", "Running").await;
    let pid = loop {
        let (_, text) = text(&server, &format!("{PODS}/long/log"));
        if text.ends_with('\n') {
            break text.trim_end().to_owned();
        }
        sleep(Duration::from_millis(10)).await;
    };
    assert!(std::path::Path::new(&format!("/proc/{pid}")).exists() || cfg!(not(target_os = "linux")));
    drop(server);
    let gone = async {
        while std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z")) {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(SOON, gone).await.unwrap();
}
