//! When the generation of an object rises.

use k8s_openapi::{
    Metadata, NamespaceResourceScope, Resource, apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use kube_codegen_apiserver::{ApiServer, Registration};
use serde_json::{Value, json};

use crate::http::{get, patch, send, send_as};

/// Only its names count here; objects are sent as they are written.
struct Widget(ObjectMeta);

impl Resource for Widget {
    const API_VERSION: &'static str = "example.com/v1";
    const GROUP: &'static str = "example.com";
    const KIND: &'static str = "Widget";
    const VERSION: &'static str = "v1";
    const URL_PATH_SEGMENT: &'static str = "widgets";
    type Scope = NamespaceResourceScope;
}

impl Metadata for Widget {
    type Ty = ObjectMeta;
    fn metadata(&self) -> &ObjectMeta {
        &self.0
    }
    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.0
    }
}

const COLLECTION: &str = "/apis/example.com/v1/namespaces/default/widgets";
const OBJECT: &str = "/apis/example.com/v1/namespaces/default/widgets/w";

#[derive(Clone, Copy, PartialEq)]
enum How {
    Update,
    MergePatch,
    Apply,
}

fn server(has_status: bool) -> ApiServer {
    let registration = Registration::of::<Widget>();
    let registration = if has_status { registration.status() } else { registration };
    ApiServer::builder().seed(1).register(registration).build()
}

fn widget() -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {"name": "w"},
        "spec": {"a": 1},
        "status": {"s": 1},
        "other": 1,
    })
}

fn generation(object: &Value) -> i64 {
    object["metadata"]["generation"].as_i64().unwrap()
}

/// Writes a change of a fresh widget and answers its generation.
fn changed(has_status: bool, how: How, change: &Value) -> i64 {
    let server = server(has_status);
    let (code, created) = send(&server, "POST", COLLECTION, &widget());
    assert_eq!((code, generation(&created)), (201, 1));
    let (code, object) = match how {
        How::MergePatch => patch(&server, OBJECT, change),
        How::Update => {
            let mut object = get(&server, OBJECT).1;
            json_patch::merge(&mut object, change);
            send(&server, "PUT", OBJECT, &object)
        }
        How::Apply => {
            let mut applied =
                json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}});
            json_patch::merge(&mut applied, change);
            let path = format!("{OBJECT}?fieldManager=m&force=true");
            send_as(&server, ("PATCH", &path), "application/apply-patch+yaml", &applied)
        }
    };
    assert_eq!(code, 200, "{object}");
    generation(&object)
}

#[test]
fn c101_generation_counts_what_is_outside_metadata_and_status() {
    // (change, with a status part, without one)
    let table = [
        (json!({"metadata": {"labels": {"l": "v"}}}), 1, 1),
        (json!({"metadata": {"annotations": {"n": "v"}}}), 1, 1),
        (json!({"metadata": {"finalizers": ["example.com/f"]}}), 1, 1),
        (json!({"metadata": {"generation": 9}}), 1, 1),
        (json!({"spec": {"a": 2}}), 2, 2),
        (json!({"spec": {"b": 2}}), 2, 2),
        (json!({"status": {"s": 2}}), 1, 2),
        (json!({"other": 2}), 2, 2),
        (json!({"spec": {"a": 1}}), 1, 1),
    ];
    for how in [How::Update, How::MergePatch, How::Apply] {
        for (change, with, without) in &table {
            let name = format!("{change}");
            assert_eq!(changed(true, how, change), *with, "with a status part: {name}");
            assert_eq!(changed(false, how, change), *without, "without one: {name}");
        }
    }
}

#[test]
fn c101_a_write_of_the_status_does_not_count() {
    let server = server(true);
    send(&server, "POST", COLLECTION, &widget());
    let (code, object) =
        patch(&server, &format!("{OBJECT}/status"), &json!({"status": {"s": 5}, "spec": {"a": 7}}));
    assert_eq!((code, generation(&object)), (200, 1));
    assert_eq!((&object["spec"]["a"], &object["status"]["s"]), (&json!(1), &json!(5)));
}

#[test]
fn c101_the_first_delete_of_what_stays_counts_and_the_second_does_not() {
    for has_status in [true, false] {
        let server = server(has_status);
        let mut object = widget();
        object["metadata"]["finalizers"] = json!(["example.com/f"]);
        send(&server, "POST", COLLECTION, &object);
        let (code, first) = send(&server, "DELETE", OBJECT, &Value::Null);
        assert_eq!((code, generation(&first)), (200, 2));
        let (code, second) = send(&server, "DELETE", OBJECT, &Value::Null);
        assert_eq!((code, &second), (200, &first));
    }
}
