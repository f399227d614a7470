//! Defaults of built-in kinds: what was sent to a real server beside what it stored.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kube_codegen_apiserver::schema::{builtin, normalize, set_builtin_defaults};
use serde_json::{Map, Value};

/// What a real server adds by more than the object itself, addresses, admission, controllers, selectors; and what is set for definitions when
/// they are stored.
const NOT_DEFAULTS: &[&str] = &[
    "/spec/clusterIP",
    "/spec/clusterIPs",
    "/spec/ipFamilies",
    "/spec/ipFamilyPolicy",
    "/spec/priority",
    "/spec/preemptionPolicy",
    "/spec/tolerations",
    "/spec/volumes",
    "/spec/serviceAccountName",
    "/spec/selector",
    "/spec/finalizers",
    "/spec/dataSourceRef",
    "/spec/acquireTime",
    "/spec/renewTime",
    "/spec/storageClassName",
    "/spec/template/metadata/labels",
    "/spec/versions",
    "/spec/names",
    "/spec/conversion",
    "/stringData",
    "/data",
];

fn without(value: &Value) -> Value {
    let mut value = value.clone();
    for path in NOT_DEFAULTS {
        let (parent, name) = path.rsplit_once('/').unwrap();
        if let Some(Value::Object(members)) = value.pointer_mut(parent) {
            members.remove(name);
        }
    }
    value
}

#[test]
fn recorded_creations() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("data/defaults.json")).unwrap();
    let mut failures = Vec::new();
    for case in &cases {
        let sent = &case["sent"];
        let schema =
            builtin::object(sent["apiVersion"].as_str().unwrap(), sent["kind"].as_str().unwrap()).unwrap();
        let mut found = normalize(sent.clone(), &schema).unwrap().value;
        set_builtin_defaults(&mut found, &schema);
        let members = case["stored"].as_object().unwrap();
        let wanted: Value = members.clone().into();
        let found: Map<String, Value> =
            members.keys().map(|name| (name.clone(), found.get(name).cloned().unwrap_or_default())).collect();
        let (found, wanted) = (without(&found.into()), without(&wanted));
        if found != wanted {
            failures.push(format!("{} {}\n  found  {found}\n  wanted {wanted}", case["from"], sent["kind"]));
        }
    }
    assert!(failures.is_empty(), "{} of {} differ:\n{}", failures.len(), cases.len(), failures.join("\n"));
}
