//! The simulated kubelet, in paused time.

use std::time::Duration;

use kube_codegen_apiserver::{ApiServer, Controllers, Kubelet};
use serde_json::{Value, json};
use tokio::time::{advance, sleep};

use crate::http::{get, patch, send, text};

const PODS: &str = "/api/v1/namespaces/default/pods";

fn server() -> ApiServer {
    ApiServer::builder().controllers(Controllers::Stepped).kubelet(Kubelet::simulated()).build()
}

/// A pod with annotations of the kubelet, and what else its spec has.
fn pod(name: &str, annotations: &[(&str, &str)], spec: &Value) -> Value {
    let annotations: serde_json::Map<String, Value> = annotations
        .iter()
        .map(|(name, value)| (format!("kubelet.kube-codegen/{name}"), (*value).into()))
        .collect();
    let mut pod = json!({"metadata": {"name": name, "annotations": annotations}, "spec": {
        "containers": [{"name": "main", "image": "busybox"}],
    }});
    for (name, value) in spec.as_object().unwrap() {
        pod["spec"][name] = value.clone();
    }
    pod
}

fn create(server: &ApiServer, pod: &Value) {
    let (code, answer) = send(server, "POST", PODS, pod);
    assert_eq!(code, 201, "{answer}");
    server.settle();
}

fn status(server: &ApiServer, name: &str) -> Value {
    get(server, &format!("{PODS}/{name}")).1["status"].clone()
}

fn conditions(status: &Value) -> Vec<String> {
    let conditions = status["conditions"].as_array().unwrap();
    let shown = conditions.iter().map(|condition| {
        let text = |name: &str| condition[name].as_str().unwrap_or_default();
        format!("{}={} {}", text("type"), text("status"), text("reason")).trim_end().to_owned()
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort();
    shown
}

async fn pass(server: &ApiServer, time: Duration) {
    advance(time).await;
    server.settle();
}

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn a_pod_is_bound_runs_and_ends() {
    let server = server();
    create(&server, &pod("p", &[("run-for", "5s")], &json!({"restartPolicy": "Never"})));
    let (_, object) = get(&server, &format!("{PODS}/p"));
    assert_eq!(object["spec"]["nodeName"], "kube-codegen");
    let running = status(&server, "p");
    assert_eq!(running["phase"], "Running");
    assert_eq!(running["podIP"], "10.244.0.2");
    assert!(running["startTime"].is_string());
    let container = &running["containerStatuses"][0];
    assert_eq!(
        (&container["ready"], &container["started"], &container["restartCount"]),
        (&json!(true), &json!(true), &json!(0))
    );
    assert!(container["state"]["running"]["startedAt"].is_string());
    assert_eq!(
        conditions(&running),
        [
            "ContainersReady=True",
            "Initialized=True",
            "PodReadyToStartContainers=True",
            "PodScheduled=True",
            "Ready=True"
        ]
    );
    pass(&server, 5 * SECOND).await;
    let ended = status(&server, "p");
    assert_eq!(ended["phase"], "Succeeded");
    assert_eq!(ended["containerStatuses"][0]["state"]["terminated"]["reason"], "Completed");
    assert_eq!(
        conditions(&ended),
        [
            "ContainersReady=False PodCompleted",
            "Initialized=True PodCompleted",
            "PodReadyToStartContainers=False",
            "PodScheduled=True",
            "Ready=False PodCompleted"
        ]
    );
    let (_, events) = get(&server, "/api/v1/namespaces/default/events");
    let mut reasons: Vec<&str> =
        events["items"].as_array().unwrap().iter().map(|event| event["reason"].as_str().unwrap()).collect();
    reasons.sort_unstable();
    assert_eq!(reasons, ["Created", "Scheduled", "Started"]);
}

#[tokio::test(start_paused = true)]
async fn failures_are_restarted_with_growing_pauses() {
    let server = server();
    let rules = [("run-for", "1s"), ("exit-code", "3")];
    create(&server, &pod("p", &rules, &json!({"restartPolicy": "OnFailure"})));
    pass(&server, SECOND).await;
    assert_eq!(status(&server, "p")["containerStatuses"][0]["restartCount"], 1, "the first time at once");
    pass(&server, SECOND).await;
    let held = status(&server, "p");
    let container = &held["containerStatuses"][0];
    assert_eq!(held["phase"], "Running");
    assert_eq!(container["state"]["waiting"]["reason"], "CrashLoopBackOff");
    let message = container["state"]["waiting"]["message"].as_str().unwrap();
    assert!(message.starts_with("back-off 10s restarting failed container=main pod=p_default("), "{message}");
    assert_eq!(container["lastState"]["terminated"]["exitCode"], 3);
    pass(&server, 10 * SECOND).await;
    assert_eq!(status(&server, "p")["containerStatuses"][0]["restartCount"], 2);
    pass(&server, SECOND).await;
    pass(&server, 19 * SECOND).await;
    assert_eq!(status(&server, "p")["containerStatuses"][0]["restartCount"], 2);
    pass(&server, SECOND).await;
    assert_eq!(status(&server, "p")["containerStatuses"][0]["restartCount"], 3);
    patch(
        &server,
        &format!("{PODS}/p"),
        &json!({"metadata": {"annotations": {"kubelet.kube-codegen/exit-code": "0"}}}),
    );
    server.settle();
    pass(&server, SECOND).await;
    assert_eq!(status(&server, "p")["phase"], "Succeeded");
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_is_not_restarted_fails_the_pod() {
    let server = server();
    create(&server, &pod("p", &[("exit-code", "7")], &json!({"restartPolicy": "Never"})));
    pass(&server, SECOND).await;
    let failed = status(&server, "p");
    assert_eq!(failed["phase"], "Failed");
    let terminated = &failed["containerStatuses"][0]["state"]["terminated"];
    assert_eq!((&terminated["exitCode"], &terminated["reason"]), (&json!(7), &json!("Error")));
}

#[tokio::test(start_paused = true)]
async fn init_containers_come_one_after_the_other() {
    let server = server();
    let spec = json!({"restartPolicy": "Never", "initContainers": [
        {"name": "one", "image": "busybox"},
        {"name": "beside", "image": "busybox", "restartPolicy": "Always"},
        {"name": "two", "image": "busybox"},
    ]});
    create(&server, &pod("p", &[("run-for.main", "3s"), ("run-for.beside", "forever")], &spec));
    let begun = status(&server, "p");
    assert_eq!(begun["phase"], "Pending");
    assert_eq!(begun["containerStatuses"][0]["state"]["waiting"]["reason"], "PodInitializing");
    assert!(begun["initContainerStatuses"][1]["state"]["waiting"].is_object());
    pass(&server, SECOND).await;
    let second = status(&server, "p");
    assert!(second["initContainerStatuses"][1]["state"]["running"].is_object(), "{second}");
    assert!(second["initContainerStatuses"][2]["state"]["running"].is_object());
    pass(&server, SECOND).await;
    assert_eq!(status(&server, "p")["phase"], "Running");
    pass(&server, 3 * SECOND).await;
    let ended = status(&server, "p");
    assert_eq!(ended["phase"], "Succeeded", "{ended}");
    assert!(ended["initContainerStatuses"][1]["state"]["terminated"].is_object());
}

#[tokio::test(start_paused = true)]
async fn a_failed_init_container_fails_the_pod() {
    let server = server();
    let spec = json!({"restartPolicy": "Never", "initContainers": [{"name": "one", "image": "busybox"}]});
    create(&server, &pod("p", &[("exit-code.one", "1")], &spec));
    pass(&server, SECOND).await;
    assert_eq!(status(&server, "p")["phase"], "Failed");
}

#[tokio::test(start_paused = true)]
async fn deletion_gives_the_containers_their_time() {
    let server = server();
    create(&server, &pod("p", &[("stop-after", "4s")], &json!({"terminationGracePeriodSeconds": 10})));
    let (code, marked) = send(&server, "DELETE", &format!("{PODS}/p"), &Value::Null);
    assert_eq!((code, &marked["metadata"]["deletionGracePeriodSeconds"]), (200, &json!(10)));
    server.settle();
    pass(&server, 3 * SECOND).await;
    assert_eq!(status(&server, "p")["phase"], "Running");
    pass(&server, SECOND).await;
    assert_eq!(get(&server, &format!("{PODS}/p")).0, 404);

    create(&server, &pod("q", &[("stop-after", "1h")], &json!({"terminationGracePeriodSeconds": 10})));
    send(&server, "DELETE", &format!("{PODS}/q"), &Value::Null);
    server.settle();
    pass(&server, 10 * SECOND).await;
    assert_eq!(get(&server, &format!("{PODS}/q")).0, 404, "made to end");
}

#[tokio::test(start_paused = true)]
async fn readiness_starts_and_images_follow_the_rules() {
    let server = server();
    let rules = [("start-after", "2s"), ("ready-after", "3s")];
    create(&server, &pod("p", &rules, &json!({})));
    assert_eq!(
        status(&server, "p")["containerStatuses"][0]["state"]["waiting"]["reason"],
        "ContainerCreating"
    );
    pass(&server, 2 * SECOND).await;
    let running = status(&server, "p");
    assert_eq!(
        (&running["phase"], &running["containerStatuses"][0]["ready"]),
        (&json!("Running"), &json!(false))
    );
    assert!(conditions(&running).contains(&"Ready=False ContainersNotReady".to_owned()));
    pass(&server, 3 * SECOND).await;
    assert_eq!(status(&server, "p")["containerStatuses"][0]["ready"], true);

    create(&server, &pod("q", &[("waiting", "ErrImagePull")], &json!({})));
    let stuck = status(&server, "q");
    assert_eq!(
        (&stuck["phase"], &stuck["containerStatuses"][0]["state"]["waiting"]["reason"]),
        (&json!("Pending"), &json!("ErrImagePull"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_deadline_fails_the_pod() {
    let server = server();
    create(&server, &pod("p", &[], &json!({"activeDeadlineSeconds": 30})));
    pass(&server, 30 * SECOND).await;
    let late = status(&server, "p");
    assert_eq!((&late["phase"], &late["reason"]), (&json!("Failed"), &json!("DeadlineExceeded")), "{late}");
}

#[tokio::test(start_paused = true)]
async fn pods_that_fit_no_node_or_want_another_scheduler_wait() {
    let server = server();
    create(&server, &pod("p", &[], &json!({"nodeSelector": {"disk": "ssd"}})));
    let waiting = status(&server, "p");
    assert_eq!(waiting["phase"], "Pending");
    assert_eq!(waiting["conditions"][0]["reason"], "Unschedulable");
    create(&server, &pod("q", &[], &json!({"schedulerName": "mine"})));
    assert_eq!(get(&server, &format!("{PODS}/q")).1["spec"]["nodeName"], Value::Null);
}

#[tokio::test(start_paused = true)]
async fn logs_are_what_the_annotation_says() {
    let server = server();
    create(&server, &pod("p", &[("logs", "one\ntwo\nthree\n")], &json!({"restartPolicy": "Never"})));
    pass(&server, SECOND).await;
    let log = |query: &str| text(&server, &format!("{PODS}/p/log{query}"));
    assert_eq!(log(""), (200, "one\ntwo\nthree\n".to_owned()));
    assert_eq!(log("?tailLines=2"), (200, "two\nthree\n".to_owned()));
    assert_eq!(log("?limitBytes=5"), (200, "one\nt".to_owned()));
    assert_eq!(log("?follow=true&tailLines=1"), (200, "three\n".to_owned()), "it has ended");
    let (code, previous) = get(&server, &format!("{PODS}/p/log?previous=true"));
    assert_eq!(
        (code, previous["message"].as_str()),
        (400, Some("previous terminated container \"main\" in pod \"p\" not found"))
    );
}

#[tokio::test(start_paused = true)]
async fn the_node_says_that_it_is_alive() {
    let server = ApiServer::builder().kubelet(Kubelet::simulated().node("here")).build();
    let lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/here";
    // Who has a client has a node, before asking for one.
    let _client = server.client();
    sleep(SECOND).await;
    let (_, node) = get(&server, "/api/v1/nodes/here");
    let ready =
        node["status"]["conditions"].as_array().unwrap().iter().find(|c| c["type"] == "Ready").unwrap();
    assert_eq!((&ready["status"], &ready["reason"]), (&json!("True"), &json!("KubeletReady")));
    let first = get(&server, lease).1;
    assert_eq!(first["spec"]["holderIdentity"], "here");
    assert_eq!(first["metadata"]["ownerReferences"][0]["name"], "here");
    let version = |lease: &Value| lease["metadata"]["resourceVersion"].clone();
    sleep(25 * SECOND).await;
    assert_ne!(version(&get(&server, lease).1), version(&first));
}

#[tokio::test(start_paused = true)]
async fn pods_of_a_namespace_that_goes_end_first() {
    let server = ApiServer::builder().kubelet(Kubelet::simulated()).build();
    send(&server, "POST", "/api/v1/namespaces", &json!({"metadata": {"name": "box"}}));
    let body = pod("p", &[("stop-after", "3s")], &json!({}));
    assert_eq!(send(&server, "POST", "/api/v1/namespaces/box/pods", &body).0, 201);
    sleep(SECOND).await;
    send(&server, "DELETE", "/api/v1/namespaces/box", &Value::Null);
    sleep(3 * SECOND).await;
    assert_eq!(get(&server, "/api/v1/namespaces/box").0, 200);
    sleep(60 * SECOND).await;
    assert_eq!(get(&server, "/api/v1/namespaces/box").0, 404);
}

#[tokio::test(start_paused = true)]
async fn an_annotation_that_says_nothing_is_told_once_with_what_it_takes() {
    let server = server();
    let rules = [
        ("run-for", "5 minutes"),
        ("ready-after", "soon"),
        ("exit-code.main", "x"),
        ("stop-after.other", "1s"),
        ("start-after", "1m0.5s"),
        ("runs-for", "1s"),
    ];
    create(&server, &pod("p", &rules, &json!({})));
    let told = || {
        let events = get(&server, "/api/v1/namespaces/default/events").1;
        let events = events["items"].as_array().unwrap().iter();
        let own = events.filter(|event| event["reason"] == "InvalidAnnotation" && event["type"] == "Warning");
        let mut texts: Vec<String> = own
            .map(|event| event["message"].as_str().unwrap().replace("kubelet.kube-codegen/", ""))
            .collect();
        texts.sort();
        texts
    };
    let wanted = [
        r#"exit-code.main says nothing: "x" is not a whole number, such as 0 or 137"#,
        r#"ready-after says nothing: "soon" is not a duration, such as 90, 1.5s, 200ms or 1m30s, or never"#,
        r#"run-for says nothing: "5 minutes" is not a duration, such as 90, 1.5s, 200ms or 1m30s, or forever"#,
        "runs-for says nothing: the kubelet knows start-after, run-for, exit-code, ready-after, stop-after, waiting, logs",
        r#"stop-after.other says nothing: the pod has no container "other", but main"#,
    ];
    assert_eq!(told(), wanted);
    pass(&server, 60 * SECOND).await;
    assert_eq!(status(&server, "p")["phase"], "Pending");
    pass(&server, SECOND).await;
    assert_eq!(status(&server, "p")["phase"], "Running");
    assert_eq!(told(), wanted);
}
