//! Garbage collection, step by step.

use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::{
    MAPS, blocking, create, create_held, delete, exists,
    http::{Watch, get, patch, send},
    metadata, reference, stepped,
};

fn changes(watch: &mut Watch) -> Vec<String> {
    let event = |event: Value| {
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        format!("{} {}", word(&event["type"]), word(&event["object"]["metadata"]["name"]))
    };
    watch.drain().into_iter().map(event).collect()
}

fn watch(server: &ApiServer) -> Watch {
    let path = format!("{MAPS}?watch=true&resourceVersion={}", server.resource_version());
    Watch::open(server, &path)
}

#[tokio::test]
async fn c092_in_the_background_the_owner_goes_first() {
    let server = stepped();
    let owner = create(&server, "owner", &[]);
    let child = create(&server, "child", &[reference("owner", &owner)]);
    create(&server, "grandchild", &[reference("child", &child)]);
    server.settle();
    let mut watch = watch(&server);
    assert_eq!(delete(&server, "owner", "Background")["status"], "Success");
    server.settle();
    assert_eq!(changes(&mut watch), ["DELETED owner", "DELETED child", "DELETED grandchild"]);
    assert!(!server.step());
}

#[tokio::test]
async fn c092_in_the_foreground_the_last_dependent_goes_first() {
    let server = stepped();
    let owner = create(&server, "owner", &[]);
    let child = create(&server, "child", &[blocking("owner", &owner)]);
    create(&server, "grandchild", &[blocking("child", &child)]);
    server.settle();
    let mut watch = watch(&server);
    let answer = delete(&server, "owner", "Foreground");
    assert_eq!(answer["metadata"]["finalizers"], json!(["foregroundDeletion"]));
    assert!(answer["metadata"]["deletionTimestamp"].is_string());
    assert!(exists(&server, "grandchild"), "nothing happens before the answer");
    server.settle();
    assert_eq!(
        changes(&mut watch),
        ["MODIFIED owner", "MODIFIED child", "DELETED grandchild", "DELETED child", "DELETED owner"]
    );
}

#[test]
fn a_dependent_that_blocks_holds_its_owner_and_others_do_not() {
    let server = stepped();
    let owner = create(&server, "owner", &[]);
    create_held(&server, "blocks", &[blocking("owner", &owner)], &["example.com/hold"]);
    create_held(&server, "follows", &[reference("owner", &owner)], &["example.com/hold"]);
    delete(&server, "owner", "Foreground");
    server.settle();
    for name in ["owner", "blocks", "follows"] {
        assert!(metadata(&server, name)["deletionTimestamp"].is_string(), "{name}");
    }
    patch(&server, &format!("{MAPS}/blocks"), &json!({"metadata": {"finalizers": null}}));
    server.settle();
    assert!(!exists(&server, "owner") && !exists(&server, "blocks") && exists(&server, "follows"));
}

#[test]
fn a_reference_that_blocks_no_longer_frees_the_owner() {
    let server = stepped();
    let owner = create(&server, "owner", &[]);
    create_held(&server, "child", &[blocking("owner", &owner)], &["example.com/hold"]);
    delete(&server, "owner", "Foreground");
    server.settle();
    let freed = json!({"metadata": {"ownerReferences": [reference("owner", &owner)]}});
    assert_eq!(patch(&server, &format!("{MAPS}/child"), &freed).0, 200);
    server.settle();
    assert!(!exists(&server, "owner"));
    assert!(exists(&server, "child"));
}

#[test]
fn c092_orphans_stay_and_lose_their_reference() {
    let server = stepped();
    let owner = create(&server, "owner", &[]);
    let other = create(&server, "other", &[]);
    create(&server, "child", &[reference("owner", &owner), reference("other", &other)]);
    create(&server, "only", &[blocking("owner", &owner)]);
    let answer = delete(&server, "owner", "Orphan");
    assert_eq!(answer["metadata"]["finalizers"], json!(["orphan"]));
    server.settle();
    assert!(!exists(&server, "owner"));
    assert_eq!(metadata(&server, "child")["ownerReferences"], json!([reference("other", &other)]));
    assert_eq!(metadata(&server, "only")["ownerReferences"], Value::Null);
}

#[test]
fn a_second_delete_in_the_background_ends_the_waiting() {
    let server = stepped();
    let owner = create(&server, "owner", &[]);
    create_held(&server, "child", &[blocking("owner", &owner)], &["example.com/hold"]);
    delete(&server, "owner", "Foreground");
    server.settle();
    assert_eq!(delete(&server, "owner", "Background")["status"], "Success");
    assert!(!exists(&server, "owner"));
}

#[test]
fn c092_two_owners_keep_a_dependent_until_both_are_gone() {
    let server = stepped();
    let one = create(&server, "one", &[]);
    let two = create(&server, "two", &[]);
    create(&server, "child", &[reference("one", &one), reference("two", &two)]);
    delete(&server, "one", "Background");
    server.settle();
    assert_eq!(metadata(&server, "child")["ownerReferences"], json!([reference("two", &two)]));
    delete(&server, "two", "Background");
    server.settle();
    assert!(!exists(&server, "child"));
}

#[test]
fn owners_that_are_not_there_are_as_good_as_gone() {
    let server = stepped();
    let owner = create(&server, "owner", &[]);
    create(&server, "ghost", &[reference("nobody", "00000000-0000-4000-8000-000000000001")]);
    create(&server, "misnamed", &[reference("someone", &owner)]);
    create(&server, "successor", &[reference("owner", "00000000-0000-4000-8000-000000000002")]);
    let mut wrong_kind = reference("owner", &owner);
    wrong_kind["kind"] = "Secret".into();
    create(&server, "kind", &[wrong_kind]);
    let mut unserved = reference("owner", &owner);
    unserved["apiVersion"] = "example.com/v1".into();
    create(&server, "unserved", &[unserved]);
    server.settle();
    for name in ["ghost", "misnamed", "successor", "kind"] {
        assert!(!exists(&server, name), "{name}");
    }
    assert!(exists(&server, "unserved") && exists(&server, "owner"));
}

#[test]
fn an_owner_in_another_namespace_is_none_and_an_event_says_so() {
    let server = stepped();
    let owner = create(&server, "owner", &[]);
    send(&server, "POST", "/api/v1/namespaces", &json!({"metadata": {"name": "other"}}));
    let child = json!({"metadata": {"name": "child", "ownerReferences": [reference("owner", &owner)]}});
    assert_eq!(send(&server, "POST", "/api/v1/namespaces/other/configmaps", &child).0, 201);
    server.settle();
    assert_eq!(get(&server, "/api/v1/namespaces/other/configmaps/child").0, 404);
    let (_, events) = get(&server, "/api/v1/namespaces/other/events");
    let event = &events["items"][0];
    assert_eq!(event["reason"], "OwnerRefInvalidNamespace");
    assert_eq!(
        event["message"],
        format!(
            "ownerRef [v1/ConfigMap, namespace: other, name: owner, uid: {owner}] does not exist in namespace \"other\""
        )
    );
    assert_eq!(event["involvedObject"]["name"], "child");
    assert_eq!(event["source"]["component"], "garbage-collector-controller");
}

#[test]
fn outside_all_namespaces_an_owner_inside_one_cannot_be_found() {
    let server = stepped();
    let owner = create(&server, "owner", &[]);
    let child =
        json!({"metadata": {"name": "child", "ownerReferences": [reference("owner", &owner)]}, "rules": []});
    let roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    assert_eq!(send(&server, "POST", roles, &child).0, 201);
    delete(&server, "owner", "Background");
    server.settle();
    assert_eq!(get(&server, &format!("{roles}/child")).0, 200);
    let role = get(&server, &format!("{roles}/child")).1["metadata"]["uid"].as_str().unwrap().to_owned();
    let owned = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "name": "child", "uid": role,
    });
    create(&server, "inside", &[owned]);
    server.settle();
    assert!(exists(&server, "inside"), "the other way round is allowed");
    send(&server, "DELETE", &format!("{roles}/child"), &Value::Null);
    server.settle();
    assert!(!exists(&server, "inside"));
}

#[test]
fn two_that_own_each_other_do_not_wait_for_ever() {
    let server = stepped();
    let one = create(&server, "one", &[]);
    let two = create(&server, "two", &[blocking("one", &one)]);
    let owned = json!({"metadata": {"ownerReferences": [blocking("two", &two)]}});
    assert_eq!(patch(&server, &format!("{MAPS}/one"), &owned).0, 200);
    server.settle();
    assert!(exists(&server, "one") && exists(&server, "two"));
    delete(&server, "one", "Foreground");
    server.settle();
    assert!(!exists(&server, "one") && !exists(&server, "two"));
}

#[test]
fn what_a_seed_says_of_its_owners_is_believed() {
    let server = stepped();
    let child = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "child", "ownerReferences": [reference("elsewhere", "u-1")]},
    });
    server.import(child).unwrap();
    server.settle();
    assert!(exists(&server, "child"));
}

#[test]
fn jobs_let_their_dependents_go_unless_told_otherwise() {
    let server = stepped();
    let jobs = "/apis/batch/v1/namespaces/default/jobs";
    let job = json!({"metadata": {"name": "job"}, "spec": {"template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "one", "image": "busybox"}],
    }}}});
    let (_, job) = send(&server, "POST", jobs, &job);
    let owner =
        json!({"apiVersion": "batch/v1", "kind": "Job", "name": "job", "uid": job["metadata"]["uid"]});
    create(&server, "child", &[owner]);
    let (code, answer) = send(&server, "DELETE", &format!("{jobs}/job"), &Value::Null);
    assert_eq!((code, &answer["metadata"]["finalizers"]), (200, &json!(["orphan"])));
    server.settle();
    assert_eq!(get(&server, &format!("{jobs}/job")).0, 404);
    assert_eq!(metadata(&server, "child")["ownerReferences"], Value::Null);
}

/// Makes a hundred owners with so many dependents each, deletes them all, and says in how many steps the dependents have followed.
fn collect(policy: &str, dependents: usize) -> usize {
    let server = stepped();
    for owner in 0..100 {
        let name = format!("owner-{owner}");
        let uid = create(&server, &name, &[]);
        for child in 0..dependents {
            create(&server, &format!("{name}-{child}"), &[blocking(&name, &uid)]);
        }
    }
    server.settle();
    for owner in 0..100 {
        delete(&server, &format!("owner-{owner}"), policy);
    }
    let steps = server.settle();
    let left = get(&server, MAPS).1["items"].as_array().unwrap().len();
    assert_eq!(left, if policy == "Orphan" { 100 * dependents } else { 0 });
    steps
}

#[test]
fn ten_thousand_dependents_of_a_hundred_owners_are_gone_in_as_many_steps() {
    let steps = collect("Background", 100);
    assert!(steps <= 10_000, "{steps}");
}

#[test]
fn the_other_ways_take_no_more_steps_than_there_are_objects() {
    for policy in ["Foreground", "Orphan"] {
        for dependents in [1, 10] {
            let steps = collect(policy, dependents);
            assert!(steps <= 100 * (2 * dependents + 2), "{policy}, {dependents}: {steps}");
        }
    }
}
