//! Owner references and finalizers.

use k8s_openapi::api::{
    apps::v1::ReplicaSet,
    core::v1::{ConfigMap, Namespace},
};
use kube_codegen_runtime::controller::{
    OwnerError, add_finalizer, controller_of, has_finalizer, is_controlled_by, remove_finalizer,
    remove_owner_reference, set_controller_reference, set_owner_reference,
};
use serde_json::json;

use super::support::{map, set};

fn stored(name: &str, uid: &str) -> ReplicaSet {
    let mut owner = set(name);
    owner.metadata.uid = Some(uid.to_owned());
    owner
}

#[test]
fn an_object_has_one_controller_and_any_number_of_owners() {
    let (first, second) = (stored("first", "1"), stored("second", "2"));
    let mut child = map("child");
    set_owner_reference(&second, &mut child).unwrap();
    set_controller_reference(&first, &mut child).unwrap();
    assert!(is_controlled_by(&child, &first) && !is_controlled_by(&child, &second));
    let references = child.metadata.owner_references.clone().unwrap();
    assert_eq!(
        serde_json::to_value(&references).unwrap(),
        json!([
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "second", "uid": "2"},
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "first", "uid": "1", "controller": true, "blockOwnerDeletion": true},
        ])
    );
    let refused = set_controller_reference(&second, &mut child).unwrap_err();
    assert_eq!(refused.to_string(), "ConfigMap child is controlled by ReplicaSet first already");
    assert_eq!(child.metadata.owner_references.as_ref(), Some(&references), "nothing is changed by it");

    // The same owner, made anew.
    set_controller_reference(&stored("first", "3"), &mut child).unwrap();
    assert_eq!(controller_of(&child).unwrap().uid, "3");
    assert_eq!(child.metadata.owner_references.as_ref().unwrap().len(), 2);

    assert!(remove_owner_reference(&second, &mut child) && !remove_owner_reference(&second, &mut child));
    assert_eq!(child.metadata.owner_references.unwrap().len(), 1);
}

/// A garbage collector takes a reference across namespaces for one to an owner that is gone, and deletes the object.
#[test]
fn a_reference_that_would_delete_its_object_is_refused() {
    let owner = stored("owner", "1");
    let mut elsewhere = map("child");
    elsewhere.metadata.namespace = Some("other".to_owned());
    let mut cluster = Namespace::default();
    cluster.metadata.name = Some("n".to_owned());
    for refused in [
        set_owner_reference(&owner, &mut elsewhere).unwrap_err(),
        set_controller_reference(&owner, &mut elsewhere).unwrap_err(),
    ] {
        assert_eq!(
            refused.to_string(),
            "ConfigMap child in the namespace other cannot have the owner ReplicaSet owner in the namespace default"
        );
    }
    let refused = set_controller_reference(&owner, &mut cluster).unwrap_err();
    assert!(matches!(refused, OwnerError::ClusterScoped { .. }), "{refused}");
    let refused = set_controller_reference(&set("new"), &mut map("child")).unwrap_err();
    assert!(refused.to_string().contains("ReplicaSet new has no uid yet"), "{refused}");
    assert!(elsewhere.metadata.owner_references.is_none() && cluster.metadata.owner_references.is_none());

    let mut everywhere = cluster.clone();
    everywhere.metadata.uid = Some("2".to_owned());
    set_controller_reference(&everywhere, &mut elsewhere).unwrap();
    set_controller_reference(&everywhere, &mut cluster).unwrap();
}

#[test]
fn finalizers_are_there_once() {
    let mut object: ConfigMap = map("a");
    assert!(!remove_finalizer(&mut object, "example.com/x"));
    assert!(add_finalizer(&mut object, "example.com/x") && !add_finalizer(&mut object, "example.com/x"));
    assert!(add_finalizer(&mut object, "example.com/y") && has_finalizer(&object, "example.com/x"));
    assert!(remove_finalizer(&mut object, "example.com/x") && !has_finalizer(&object, "example.com/x"));
    assert_eq!(object.metadata.finalizers.unwrap(), ["example.com/y"]);
}
