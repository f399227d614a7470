//! What is embedded in a spec: metadata and defaults.

use kube_codegen::{
    crd::CrdOptions,
    schema::{EmbeddedObjectMeta, SchemaOptions},
};
use serde_json::json;

use crate::support::{Served, define};

/// C062: labels and annotations of a template within a spec are kept, where the option says so; root metadata is never described.
#[tokio::test]
async fn c062_the_metadata_of_a_template_survives() {
    let schema =
        SchemaOptions { embedded_object_meta: EmbeddedObjectMeta::Fields, ..SchemaOptions::default() };
    let options = CrdOptions { schema, ..CrdOptions::default() };
    let types = "#[types] pub struct ThingSpec { pub template: PodTemplateSpec, pub meta: ObjectMeta }";
    let served = Served::with(types, &options).await;
    let metadata =
        json!({ "labels": { "a": "b" }, "annotations": { "c": "d" }, "name": "e", "finalizers": ["f"] });
    let spec = json!({ "template": { "metadata": metadata }, "meta": metadata });
    assert_eq!(served.create(spec.clone()).await.unwrap(), spec);
    let root = &served.definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(root["properties"]["metadata"], json!({ "type": "object" }));

    // Without it they are pruned, as with every definition that controller-gen writes by default.
    let bare = Served::new(types).await;
    let stored = bare.create(spec).await.unwrap();
    assert_eq!(stored, json!({ "template": { "metadata": {} }, "meta": {} }));
}

/// C065: an empty object is a default, from which the defaults below it follow.
#[tokio::test]
async fn c065_an_empty_object_as_a_default_brings_the_defaults_below() {
    let types = "#[types] pub struct ThingSpec {
            // +kubebuilder:default={}
            #[serde(default)] pub probe: Option<Checks>,
         }
         #[types] pub struct Checks {
            // +kubebuilder:default=true
            #[serde(default)] pub enabled: bool,
            // +kubebuilder:default=90
            #[serde(default)] pub seconds: i32,
         }";
    let served = Served::new(types).await;
    let stored = served.create(json!({})).await.unwrap();
    assert_eq!(stored, json!({ "probe": { "enabled": true, "seconds": 90 } }));

    let without = Served::new(&types.replacen("// +kubebuilder:default={}", "", 1)).await;
    assert_eq!(without.create(json!({})).await.unwrap(), json!({}));
    let partly = without.create(json!({ "probe": { "seconds": 3 } })).await.unwrap();
    assert_eq!(partly, json!({ "probe": { "enabled": true, "seconds": 3 } }));

    let needs = types.replace("// +kubebuilder:default=90\n            #[serde(default)]", "");
    let wrong = define(&needs, &CrdOptions::default()).unwrap_err().to_string();
    assert!(wrong.contains("`seconds` is required, and has no default of its own"), "{wrong}");
}
