//! Definitions have in them what the author said, and nothing more.

use std::collections::BTreeSet;

use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};

use crate::support::{Served, define_with, definitions};

const SMALLEST: &str = "#[types] pub struct ThingSpec { pub size: i32 }";

/// Every key of a value, at any depth.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                found.push(key.clone());
                keys(value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

/// C020: lists that nobody set are not there; one that is set comes alone.
#[test]
fn c020_what_is_not_set_is_left_out() {
    let of = |markers: &str| {
        let mut found = Vec::new();
        keys(&define_with(markers, SMALLEST, &Default::default()).unwrap().to_value(), &mut found);
        found.into_iter().collect::<BTreeSet<_>>()
    };
    let smallest = of("");
    for key in ["categories", "shortNames", "additionalPrinterColumns", "labels", "annotations", "conversion"]
    {
        assert!(!smallest.contains(key), "{key}");
    }
    for (marker, key) in [
        ("resource:categories=all", "categories"),
        ("resource:shortName=th", "shortNames"),
        ("selectablefield:JSONPath=.spec.size", "selectableFields"),
        ("metadata:labels=tier=b", "labels"),
        ("deprecatedversion", "deprecated"),
    ] {
        let with = of(&format!("// +kubebuilder:{marker}"));
        let added: Vec<&str> = with.difference(&smallest).map(String::as_str).collect();
        assert!(added.contains(&key), "{marker}: {added:?}");
        // What the key holds may have keys of its own.
        assert!(added.len() <= 2, "{marker}: {added:?}");
    }
}

/// C078: no status, no creation time and no null are in a definition, and to apply it again changes nothing.
#[tokio::test]
async fn c078_a_definition_settles() {
    let served = Served::new(SMALLEST).await;
    let text = served.definition.to_string();
    assert!(
        served.definition.get("status").is_none()
            && !text.contains("null")
            && !text.contains("creationTimestamp")
    );
    let definitions = definitions(served.client.clone());
    let apply = || async {
        let params = PatchParams::apply("test").force();
        let patch = Patch::Apply(served.definition.clone());
        definitions.patch("things.case.example.com", &params, &patch).await.unwrap()
    };
    let first = apply().await;
    let second = apply().await;
    assert_eq!(first.metadata.resource_version, second.metadata.resource_version);
    assert_eq!(first.metadata.generation, second.metadata.generation);
    assert_eq!(second.data["spec"]["names"]["plural"], json!("things"));
}
