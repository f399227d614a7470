//! Scenarios recorded from a real server, run against the functions alone: who owns what, which conflicts, which data.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use jiff::{SignedDuration, Timestamp};
use kube_codegen_apiserver::{
    patch::{
        JsonPatch, MergePatch, PatchError,
        apply::{Kind, SameFields, Tracker, same_but_times},
        fields::FieldSet,
    },
    schema::{TypeSchema, builtin, set_defaults},
};
use serde_json::{Map, Value, json};

/// The smallest server that can tell: objects by path, no defaults, no validation.
struct World {
    custom: Option<TypeSchema>,
    objects: Map<String, Value>,
    now: Timestamp,
}

enum Answer {
    Object(Value),
    Error(PatchError),
}

impl World {
    fn step(&mut self, step: &Value) -> Answer {
        let path = step["path"].as_str().unwrap();
        let live = self.objects.get(path).cloned();
        let (api_version, kind) = match (&live, step["body"]["kind"].as_str()) {
            (Some(live), _) => {
                (live["apiVersion"].as_str().unwrap().to_owned(), live["kind"].as_str().unwrap().to_owned())
            }
            (None, _) if path.starts_with("deployments") => ("apps/v1".to_owned(), "Deployment".to_owned()),
            (None, _) if path.starts_with("configmaps") => ("v1".to_owned(), "ConfigMap".to_owned()),
            (None, _) if path.starts_with("pods") => ("v1".to_owned(), "Pod".to_owned()),
            _ => ("ns.example.com/v1".to_owned(), "Widget".to_owned()),
        };
        let schema = self.custom.clone().unwrap_or_else(|| builtin::object(&api_version, &kind).unwrap());
        let versions = SameFields { schema: &schema, api_versions: &[] };
        let reset = FieldSet::of_fields(if self.custom.is_some() { &[] } else { &["status"] });
        let tracker = Tracker {
            kind: Kind { schema: &schema, api_version: &api_version, kind: &kind, versions: &versions },
            subresource: "",
            manager: step["manager"].as_str().unwrap_or("conformance"),
            now: self.now,
            reset: &reset,
        };
        let sent = &step["body"];
        let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
        let stored = live.as_ref().map(members);
        let new = match (step["method"].as_str().unwrap(), step["type"].as_str().unwrap_or_default()) {
            ("PATCH", "apply-patch") => {
                tracker.apply(stored.as_ref(), sent, step["force"] == true).map(Value::from)
            }
            ("PATCH", kind) => {
                let live = live.as_ref().unwrap();
                let patched = match kind {
                    "json-patch" => JsonPatch::from_value(sent).and_then(|patch| patch.apply(live)),
                    _ => MergePatch::from_value(sent.clone()).map(|patch| patch.apply(live.clone())),
                };
                patched.map(|patched| tracker.update(stored.as_ref(), members(&patched)).into())
            }
            _ => Ok(tracker.update(stored.as_ref(), members(sent)).into()),
        };
        match new {
            Err(error) => Answer::Error(error),
            Ok(mut new) => {
                match &self.custom {
                    Some(schema) => set_defaults(&mut new["spec"], schema.child("spec").unwrap()),
                    None => tidy(&mut new),
                }
                if let Some(live) = live.filter(|live| same_but_times(live, &new)) {
                    new = live;
                }
                self.objects.insert(path.to_owned(), new.clone());
                Answer::Object(new)
            }
        }
    }
}

/// What decoding a ConfigMap does to nulls.
fn tidy(object: &mut Value) {
    for map in ["/data", "/metadata/annotations"] {
        if let Some(Value::Object(members)) = object.pointer_mut(map) {
            members.values_mut().filter(|value| value.is_null()).for_each(|value| *value = "".into());
        }
    }
    object.as_object_mut().unwrap().retain(|_, value| !value.is_null());
}

/// Times as `<time>`, as the recordings have them.
fn without_times(entries: &Value) -> Value {
    let mut entries = entries.clone();
    for entry in entries.as_array_mut().into_iter().flatten() {
        if entry.get("time").is_some() {
            entry["time"] = "<time>".into();
        }
    }
    entries
}

#[test]
fn recorded_scenarios() {
    let scenarios: Vec<Value> = serde_json::from_str(include_str!("data/apply.json")).unwrap();
    let mut failures = Vec::new();
    let mut checks = 0;
    for scenario in &scenarios {
        let custom = scenario.get("schema").map(TypeSchema::from_openapi);
        let mut world = World { custom, objects: Map::new(), now: "2026-01-01T00:00:00Z".parse().unwrap() };
        for (place, step) in scenario["steps"].as_array().unwrap().iter().enumerate() {
            if let Some(wait) = step["wait"].as_i64() {
                world.now += SignedDuration::from_secs(wait);
                continue;
            }
            if step["status"].as_u64().is_some_and(|status| status == 422) {
                continue; // validation, which is not here
            }
            let answer = world.step(step);
            let mut check = |what: &str, found: Value, wanted: &Value| {
                checks += 1;
                if &found != wanted {
                    failures.push(format!(
                        "{} step {place}: {what}\n  found  {found}\n  wanted {wanted}",
                        scenario["name"]
                    ));
                }
            };
            match answer {
                Answer::Error(error) => {
                    check("status", error.code().into(), &step["status"]);
                    if step.get("message").is_some() {
                        check("message", error.to_string().into(), &step["message"]);
                    }
                    if step.get("causes").is_some() {
                        let causes =
                            error.causes().into_iter().map(|cause| json!([cause.field, cause.message]));
                        check("causes", causes.collect(), &step["causes"]);
                    }
                }
                Answer::Object(object) => {
                    if step.get("managedFields").is_some() {
                        let found = object["metadata"].get("managedFields").cloned().unwrap_or(json!([]));
                        check("managedFields", without_times(&found), &step["managedFields"]);
                    }
                    for (name, wanted) in step["object"].as_object().into_iter().flatten() {
                        check(name, object[name].clone(), wanted);
                    }
                    if step["status"].as_u64().is_some_and(|status| status >= 300) {
                        check("status", "an object".into(), &step["status"]);
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {checks} checks failed:\n{}", failures.len(), failures.join("\n"));
}
