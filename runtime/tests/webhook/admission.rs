//! Defaults and verdicts.

use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Error,
    api::{DeleteParams, PostParams},
};
use kube_codegen_runtime::webhook::{
    AdmissionRequest, Defaulter, Denied, Validator, mutating_path, validating_path,
};
use serde_json::{Value, json};

use super::support::{Colors, cluster, color, colors, map, unserved};

fn refused<T: std::fmt::Debug>(answer: kube::Result<T>) -> (u16, String, Vec<String>) {
    match answer.unwrap_err() {
        Error::Api(status) => {
            let causes = status.details.iter().flat_map(|details| &details.causes);
            let causes = causes.map(|cause| format!("{}: {}", cause.field, cause.message)).collect();
            (status.code, status.message.clone(), causes)
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn defaults_are_filled_in_and_objects_are_judged() {
    let maps = cluster(colors(unserved())).await;
    let params = PostParams::default();
    assert_eq!(color(&maps.create(&params, &map("open", None)).await.unwrap()), "red");
    assert_eq!(color(&maps.create(&params, &map("said", Some("blue"))).await.unwrap()), "blue");

    let (code, message, _) = refused(maps.create(&params, &map("m", Some("gray"))).await);
    let told = "admission webhook \"colors.example.com\" denied the request: ";
    assert_eq!((code, message), (403, format!("{told}gray is not a color")));

    let (code, message, causes) = refused(maps.create(&params, &map("m", Some("pink"))).await);
    let why = "Unsupported value: \"pink\": supported values: \"blue\", \"green\", \"red\"";
    assert_eq!((code, message), (422, format!("{told}ConfigMap \"m\" is invalid: data.color: {why}")));
    assert_eq!(causes, [format!("data.color: {why}")]);

    let (code, message, causes) = refused(maps.replace("open", &params, &map("open", Some("green"))).await);
    let whys = ["Invalid value: \"green\": was \"red\"", "Forbidden: cannot be changed"];
    let all = whys.map(|why| format!("data.color: {why}"));
    assert_eq!((code, message), (422, format!("{told}ConfigMap \"open\" is invalid: [{}]", all.join(", "))));
    assert_eq!(causes, all);

    let (code, message, _) = refused(maps.delete("said", &DeleteParams::default()).await);
    assert_eq!((code, message), (403, format!("{told}blue stays")));
    maps.delete("open", &DeleteParams::default()).await.unwrap();
}

#[tokio::test]
async fn a_panic_refuses_the_request_and_nothing_else() {
    let maps = cluster(colors(unserved())).await;
    let params = PostParams::default();
    let (code, message, _) = refused(maps.create(&params, &map("m", Some("black"))).await);
    assert_eq!(code, 500);
    assert!(message.ends_with("denied the request: panic: black is too much [recovered]"), "{message}");
    maps.create(&params, &map("m", Some("red"))).await.unwrap();
}

fn review(operation: &str, object: &Value) -> Value {
    json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {
            "uid": "u-1", "operation": operation, "object": object, "oldObject": null, "name": "m", "namespace": "default",
            "kind": {"group": "", "version": "v1", "kind": "ConfigMap"},
            "resource": {"group": "", "version": "v1", "resource": "configmaps"},
            "userInfo": {"username": "me"},
        },
    })
}

/// What a patch in an answer makes of an object.
fn patched(answer: &Value, mut object: Value) -> Value {
    if let Some(patch) = answer["response"]["patch"].as_str() {
        let patch: k8s_openapi::ByteString = serde_json::from_value(patch.into()).unwrap();
        let patch: json_patch::Patch = serde_json::from_slice(&patch.0).unwrap();
        json_patch::patch(&mut object, &patch).unwrap();
    }
    object
}

#[tokio::test]
async fn a_defaulter_loses_nothing_that_its_type_does_not_know_or_does_not_write() {
    let webhooks = colors(unserved());
    let kept = json!({"labels": {}, "name": "m", "novelty": {"a": [1]}, "creationTimestamp": null});
    for data in [json!(null), json!({}), json!({"other": "x"}), json!({"color": "blue"})] {
        let sent = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": kept, "data": data, "binaryData": {}, "newer": {}});
        let answer = webhooks.answer(&mutating_path::<ConfigMap>(), review("CREATE", &sent)).await;
        assert_eq!(
            (&answer["response"]["uid"], &answer["response"]["allowed"]),
            (&json!("u-1"), &json!(true))
        );
        let mut wanted = sent.clone();
        if wanted["data"]["color"].is_null() {
            wanted["data"]["color"] = "red".into();
        }
        assert_eq!(patched(&answer, sent), wanted);
    }
}

/// Removes a member and changes a list.
struct Cutter;

impl Defaulter<ConfigMap> for Cutter {
    async fn default(&self, map: &mut ConfigMap, _: &AdmissionRequest<ConfigMap>) -> Result<(), Denied> {
        map.data = None;
        map.metadata.finalizers = Some(vec!["example.com/kept".to_owned()]);
        Ok(())
    }
}

impl Validator<ConfigMap> for Cutter {}

#[tokio::test]
async fn what_a_defaulter_removes_is_removed() {
    let webhooks = unserved().defaulter_at("/cut", Cutter);
    let metadata = json!({"name": "m", "finalizers": ["example.com/gone", "example.com/too"]});
    let sent = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "b"}, "newer": 1});
    let answer = webhooks.answer("/cut", review("UPDATE", &sent)).await;
    let metadata = json!({"name": "m", "finalizers": ["example.com/kept"]});
    assert_eq!(
        patched(&answer, sent),
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "newer": 1})
    );
}

#[tokio::test]
async fn what_is_no_review_of_the_kind_is_denied_with_what_is_wrong() {
    let webhooks = colors(unserved()).validator_at::<ConfigMap>("/all", Cutter);
    let path = validating_path::<ConfigMap>();
    let whole = || review("CREATE", &json!({"metadata": {}}));
    let changed = |pointer: &str, value: Value| {
        let mut review = whole();
        *review.pointer_mut(pointer).unwrap() = value;
        review
    };
    for (path, review, wanted) in [
        ("/elsewhere", whole(), "there is no webhook at /elsewhere"),
        (
            path.as_str(),
            changed("/request/kind/kind", "Secret".into()),
            "this webhook is for v1, Kind=ConfigMap, and was asked about v1, Kind=Secret: check the rules of its configuration",
        ),
        (
            &path,
            changed("/request/object", json!({"data": []})),
            "the review cannot be read: invalid type: sequence, expected a map",
        ),
        (
            &path,
            changed("/request/operation", "READ".into()),
            "the review cannot be read: unknown variant `READ`, expected one of `CREATE`, `UPDATE`, `DELETE`, `CONNECT`",
        ),
        (
            &path,
            changed("/request/operation", "UPDATE".into()),
            "the review of a Update lacks the object that it is about",
        ),
        (
            &path,
            changed("/request", Value::Null),
            "this webhook is for v1, Kind=ConfigMap, and was asked about , Kind=: check the rules of its configuration",
        ),
        (
            &path,
            json!([]),
            "this webhook is for v1, Kind=ConfigMap, and was asked about , Kind=: check the rules of its configuration",
        ),
    ] {
        let answer = webhooks.answer(path, review).await;
        let response = &answer["response"];
        assert_eq!(response["allowed"], false, "{answer}");
        assert_eq!(
            (&response["status"]["code"], &response["status"]["message"]),
            (&json!(400), &json!(wanted))
        );
    }
    // Whoever says nothing about a kind admits all of it.
    for (operation, old) in
        [("CREATE", Value::Null), ("UPDATE", json!({"metadata": {}})), ("CONNECT", Value::Null)]
    {
        let mut review = review(operation, &json!({"metadata": {}}));
        review["request"]["oldObject"] = old;
        assert_eq!(webhooks.answer("/all", review).await["response"], json!({"uid": "u-1", "allowed": true}));
    }
}

#[test]
fn paths_are_those_of_kubebuilder() {
    use k8s_openapi::api::{batch::v1::CronJob, rbac::v1::ClusterRole};
    assert_eq!(mutating_path::<CronJob>(), "/mutate-batch-v1-cronjob");
    assert_eq!(validating_path::<ClusterRole>(), "/validate-rbac-authorization-k8s-io-v1-clusterrole");
    assert_eq!(validating_path::<ConfigMap>(), "/validate--v1-configmap");
    let webhooks = colors(unserved()).validator::<ConfigMap>(Colors);
    assert_eq!(webhooks.paths().collect::<Vec<_>>(), ["/mutate--v1-configmap", "/validate--v1-configmap"]);
}
