//! What is sent, to the letter: as client-go's recorder for `events.k8s.io` sends it.

use std::time::Duration;

use k8s_openapi::api::core::v1::Node;
use kube_codegen_runtime::events::{EventRecorder, EventType, Occurrence};
use serde_json::{Value, json};

use super::{Desk, map, settle};

fn body(desk: &Desk, index: usize) -> Value {
    serde_json::from_slice(desk.fake.actions()[index].body()).unwrap()
}

/// Empty parts and nulls, which Go writes and nobody reads, are left out.
#[tokio::test(start_paused = true)]
async fn the_first_is_created_the_second_makes_a_series_the_third_is_counted() {
    let desk = Desk::open();
    desk.recorder.normal(&map("a"), "Scheduled", "Binding", "assigned to node-1");
    settle().await;
    assert_eq!(
        body(&desk, 0),
        json!({
            "apiVersion": "events.k8s.io/v1",
            "kind": "Event",
            "metadata": {"name": "a.1a46e83335d50000", "namespace": "default"},
            "eventTime": "2030-01-01T00:00:00.000000Z",
            "reportingController": "my-controller",
            "reportingInstance": "my-controller-host1",
            "action": "Binding",
            "reason": "Scheduled",
            "regarding": {
                "apiVersion": "v1", "kind": "ConfigMap", "namespace": "default", "name": "a", "uid": "uid-a", "resourceVersion": "7",
            },
            "note": "assigned to node-1",
            "type": "Normal",
        })
    );
    tokio::time::sleep(Duration::from_secs(60)).await;
    for _ in 0..3 {
        desk.recorder.normal(&map("a"), "Scheduled", "Binding", "assigned to node-1");
        settle().await;
    }
    let patches: Vec<String> = desk.fake.actions().iter().map(ToString::to_string).collect();
    let name = "default/a.1a46e83335d50000";
    assert_eq!(patches, [format!("create events {name}"), format!("patch events {name}")]);
    assert_eq!(
        body(&desk, 1),
        json!({"series": {"count": 2, "lastObservedTime": "2030-01-01T00:01:00.002000Z"}})
    );
    desk.close().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_of_the_cluster_has_its_events_in_the_default_namespace() {
    let desk = Desk::open();
    let mut node = Node::default();
    node.metadata.name = Some("Odd_Name".to_owned());
    let occurrence = Occurrence::new(EventType::Warning, "NotReady", "Watching", "x".repeat(2000))
        .related(&map("a"))
        .annotation("example.com/run", "7");
    desk.recorder.record(&node, occurrence);
    settle().await;
    let event = desk.events().await.remove(0);
    let name = event.metadata.name.unwrap();
    assert_eq!(event.metadata.namespace.as_deref(), Some("default"));
    assert!(name.len() == 36 && name.as_bytes()[14] == b'4', "no name can be made of the object's: {name}");
    assert_eq!(event.related.unwrap().name.as_deref(), Some("a"));
    assert_eq!(event.metadata.annotations.unwrap()["example.com/run"], "7");
    let note = event.note.unwrap();
    assert!(note.len() == 1024 && note.ends_with("x..."), "{}", note.len());
    desk.close().await;
}

#[test]
fn a_recorder_for_tests_keeps_lines() {
    let (recorder, recorded) = EventRecorder::recording("c");
    recorder.warning(&map("a"), "FailedMount", "Mounting", format!("no volume {}", "data"));
    recorder.normal(&Node::default(), "Ready", "Watching", "fine");
    assert_eq!(
        recorded.take(),
        [
            "Warning FailedMount Mounting ConfigMap default/a: no volume data",
            "Normal Ready Watching Node : fine"
        ]
    );
    EventRecorder::silent("c").normal(&map("a"), "R", "A", "nobody hears");
}
