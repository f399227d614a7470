//! Enums with data, optional fields, one-of sets, and fields that take a number or a text.

use kube_codegen::{
    crd::CrdOptions,
    schema::{OneOfStyle, SchemaOptions},
};
use serde_json::{Value, json};

use crate::support::Served;

/// C016: enums with data are structural: the members of all variants stand side by side, the choice is a list of what is required.
#[tokio::test]
async fn c016_one_variant_of_an_enum_with_data_is_accepted_and_two_are_not() {
    let served = Served::new(
        "#[types] pub struct ThingSpec { pub steps: Vec<Step> }
         #[types] pub enum Step { Run(Run), Wait { seconds: i32 }, Copy(Copy) }
         #[types] pub struct Run { pub command: String }
         #[types] pub struct Copy { pub from: String, pub to: String }",
    )
    .await;
    served.accepts(json!({ "steps": [] })).await;
    served.accepts(json!({ "steps": [{ "run": { "command": "a" } }, { "wait": { "seconds": 3 } }] })).await;
    served.refuses(json!({ "steps": [{ "run": { "command": "a" }, "wait": { "seconds": 3 } }] })).await;
    served.refuses(json!({ "steps": [{}] })).await;
    served.refuses(json!({ "steps": [{ "copy": { "from": "a" } }] })).await;
}

/// C019: fields that are not set are left out and not nullable, on both sides; the fields of an optional list are there to be explained.
#[tokio::test]
async fn c019_an_object_with_nothing_set_is_stored_without_a_null() {
    let served = Served::new(
        "#[types] pub struct ThingSpec {
            #[serde(default, skip_serializing_if = \"Option::is_none\")] pub size: Option<i32>,
            #[serde(default, skip_serializing_if = \"Option::is_none\")] pub parts: Option<Vec<Part>>,
            // +nullable
            #[serde(default)] pub note: Option<String>,
         }
         #[types] pub struct Part { pub name: String }",
    )
    .await;
    assert_eq!(served.create(json!({})).await.unwrap(), json!({}));
    let parts = &served.spec_schema()["properties"]["parts"];
    assert_eq!(parts["items"]["properties"]["name"], json!({ "type": "string" }));
    assert!(parts.get("nullable").is_none(), "{parts}");
    // What may be null is said by a marker, and is kept.
    assert_eq!(served.create(json!({ "note": null })).await.unwrap(), json!({ "note": null }));
    // A null where none may be is pruned, or refused where it cannot be.
    served.refuses(json!({ "size": "null" })).await;
}

const SETS: &str = "#[types] pub struct ThingSpec {
            // +kubebuilder:validation:MaxItems=10
            pub rows: Vec<Row>,
         }
         #[types] pub struct Row {
            // +kubebuilder:validation:MaxItems=10
            pub cells: Vec<Cell>,
         }
         // +kubebuilder:validation:ExactlyOneOf=text;number;flag
         // +kubebuilder:validation:XValidation:rule=\"!has(self.number) || self.number > 0\"
         #[types] pub struct Cell {
            #[serde(default)] pub text: Option<String>,
            #[serde(default)] pub number: Option<i32>,
            #[serde(default)] pub flag: Option<bool>,
         }";

fn cell(cell: &Value) -> Value {
    json!({ "rows": [{ "cells": [cell] }] })
}

/// What a set of three fields of which exactly one is there takes, in either style; says with what words it refuses.
async fn is_exactly_one(served: &Served) -> Vec<String> {
    served.accepts(cell(&json!({ "text": "a" }))).await;
    served.accepts(cell(&json!({ "number": 1 }))).await;
    served.refuses(cell(&json!({ "number": 0 }))).await;
    let mut said = Vec::new();
    for wrong in [json!({}), json!({ "text": "a", "flag": true })] {
        said.push(served.refuses(cell(&wrong)).await);
    }
    said
}

/// C072: sets of which one field is there, in a list in a list: rules whose cost is bounded, in a fixed order.
#[tokio::test]
async fn c072_exactly_one_of_three_fields_in_a_list_in_a_list() {
    let served = Served::new(SETS).await;
    for said in is_exactly_one(&served).await {
        assert!(said.contains("exactly one of the fields in [text number flag] must be set"), "{said}");
    }
    let rows = &served.spec_schema()["properties"]["rows"];
    let rules = &rows["items"]["properties"]["cells"]["items"]["x-kubernetes-validations"];
    let rules: Vec<&str> =
        rules.as_array().unwrap().iter().map(|rule| rule["rule"].as_str().unwrap()).collect();
    assert!(rules[0].starts_with("!has(self.number)") && rules[1].ends_with("== 1"), "{rules:?}");
}

/// C072: the same as alternatives of the schema, which need no bounds since they cost nothing.
#[tokio::test]
async fn c072_sets_as_alternatives_of_the_schema() {
    let schema = SchemaOptions { one_of: OneOfStyle::Alternatives, ..SchemaOptions::default() };
    let options = CrdOptions { schema, ..CrdOptions::default() };
    let served = Served::with(SETS, &options).await;
    is_exactly_one(&served).await;

    let others = "// +kubebuilder:validation:AtMostOneOf=a;b;c
         // +kubebuilder:validation:AtMostOneOf=c;d
         // +kubebuilder:validation:AtLeastOneOf=a;d
         // +kubebuilder:validation:AtLeastOneOf=b;d
         #[types] pub struct ThingSpec {
            #[serde(default)] pub a: Option<i32>,
            #[serde(default)] pub b: Option<i32>,
            #[serde(default)] pub c: Option<i32>,
            #[serde(default)] pub d: Option<i32>,
         }";
    let served = Served::with(others, &options).await;
    assert!(served.spec_schema().get("x-kubernetes-validations").is_none());
    served.accepts(json!({ "d": 1 })).await;
    served.accepts(json!({ "a": 1, "d": 1 })).await;
    for wrong in [
        json!({}),
        json!({ "a": 1 }),
        json!({ "a": 1, "b": 1 }),
        json!({ "c": 1, "d": 1 }),
        json!({ "a": 1, "b": 1, "d": 1 }),
    ] {
        served.refuses(wrong).await;
    }
}

/// C076: quantities and fields with a number or a text take both.
#[tokio::test]
async fn c076_quantities_and_ports_take_numbers_and_texts() {
    let served = Served::new(
        "#[types] pub struct ThingSpec {
            #[serde(default)] pub resources: ResourceRequirements,
            #[serde(default)] pub probe: Option<Probe>,
            #[serde(default)] pub port: Option<IntOrString>,
            #[serde(default)] pub limit: Option<Quantity>,
         }",
    )
    .await;
    served.accepts(json!({ "resources": { "limits": { "cpu": 1, "memory": "500m" } }, "limit": 3 })).await;
    served.accepts(json!({ "limit": "1.5Gi", "port": 80 })).await;
    served.accepts(json!({ "port": "http", "probe": { "httpGet": { "port": 80 } } })).await;
    served.accepts(json!({ "probe": { "httpGet": { "port": "http" } } })).await;
    served.refuses(json!({ "limit": "abc" })).await;
    served.refuses(json!({ "resources": { "limits": { "cpu": "abc" } } })).await;
    served.refuses(json!({ "port": true })).await;
}
