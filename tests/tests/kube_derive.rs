//! The same types through kube's derive and through the generator, which reads this file: where kube's definition is one that a server takes
//! and means what the types say, the two are equal. The differences that are meant are taken out by `comparable`, each with its reason.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test stops at what it does not expect")]
#![expect(dead_code, missing_docs, reason = "the types are there for their definitions")]

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kube::{CustomResource, CustomResourceExt};
use kube_codegen::{Inputs, PackageInput, Wanted, crd::CrdOptions, load_definitions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

// +groupName=derive.example.com
// +versionName=v1

/// A garden, with everything that `#[kube]` can say.
#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(
    group = "derive.example.com",
    version = "v1",
    kind = "Garden",
    plural = "gardens",
    singular = "garden",
    namespaced,
    status = "GardenStatus",
    shortname = "gd",
    shortname = "grd",
    category = "outdoors",
    printcolumn(
        name = "Size",
        type_ = "integer",
        json_path = ".spec.size",
        description = "how large",
        priority = 1
    ),
    printcolumn = r#"{"name":"Open","type":"boolean","jsonPath":".spec.open"}"#,
    scale(
        spec_replicas_path = ".spec.size",
        status_replicas_path = ".status.seen",
        label_selector_path = ".status.selector"
    ),
    selectable = ".spec.name",
    annotation("example.com/owner", "me"),
    label("tier", "back")
)]
#[serde(rename_all = "camelCase")]
pub struct GardenSpec {
    /// Its name.
    #[schemars(length(min = 1, max = 63), regex(pattern = "^[a-z]+$"))]
    name: String,
    size: i32,
    #[serde(default)]
    open: bool,
    /// Paths through it.
    walking_paths: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    planted_at: Option<Time>,
    #[serde(rename = "type")]
    kind: Soil,
    labels: BTreeMap<String, String>,
    counts: HashMap<String, i64>,
    beds: Vec<Bed>,
    #[schemars(range(min = 1, max = 9))]
    level: i32,
    #[serde(flatten)]
    fence: Fence,
    #[serde(skip)]
    private: String,
}

/// What it is like.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct GardenStatus {
    seen: i32,
    selector: String,
    conditions: Vec<Condition>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Soil {
    Sand,
    RedClay,
    #[serde(rename = "PEAT")]
    Peat,
}

/// A bed.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Bed {
    width: i64,
    crop: Option<Crop>,
}

/// One of the crops.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Crop {
    /// Beans climb.
    Beans { poles: i32 },
    /// Roots do not.
    Roots(Roots),
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Roots {
    depth: i32,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fence {
    fence_height: i32,
    #[serde(default)]
    gates: Vec<String>,
}

/// Weather is of the whole cluster, and deprecated.
#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(
    group = "derive.example.com",
    version = "v1",
    kind = "Weather",
    plural = "weathers",
    deprecated = "use Climate"
)]
pub struct WeatherSpec {
    sunny: bool,
    wind: Wind,
}

/// Of an enum with a tag kube makes nothing at all: it ends with a panic.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Wind {
    Breeze { speed: i32 },
    Storm { gusts: i32, since: Option<String> },
}

/// The definition that the generator makes of a kind in this file.
fn ours(kind: &str) -> Value {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/kube_derive.rs");
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new([PackageInput::new(file, "", "")]) };
    let loaded = load_definitions(&inputs, &CrdOptions::default()).unwrap_or_else(|wrong| panic!("{wrong}"));
    loaded.definitions.iter().find(|definition| definition.kind == kind).unwrap().to_value()
}

/// A definition without what is different on purpose.
fn comparable(mut definition: Value) -> Value {
    for version in definition["spec"]["versions"].as_array_mut().unwrap() {
        let root = version["schema"]["openAPIV3Schema"].as_object_mut().unwrap();
        // The root's texts of kube's are fixed; ours has the three properties of every object.
        root.remove("title");
        root.remove("description");
        for own in ["apiVersion", "kind", "metadata"] {
            root["properties"].as_object_mut().unwrap().remove(own);
        }
        root["properties"]["spec"].as_object_mut().unwrap().remove("description");
        schema(&mut version["schema"]["openAPIV3Schema"]);
        // kube lists what nobody set; an empty list of subresources is the same as none.
        version.as_object_mut().unwrap().retain(|_, value| {
            !matches!(value, Value::Array(list) if list.is_empty())
                && *value != json!({})
                && *value != json!(false)
        });
    }
    let names = definition["spec"]["names"].as_object_mut().unwrap();
    names.retain(|_, value| !matches!(value, Value::Array(list) if list.is_empty()));
    // kube's singular is the kind in small letters too, and its list kind follows.
    names.remove("listKind");
    definition
}

fn schema(value: &mut Value) {
    match value {
        Value::Object(map) => {
            // Unset is not null: a field that may be absent is left out.
            map.remove("nullable");
            // A server would prune below a date either way.
            fold(map);
            map.values_mut().for_each(schema);
        }
        // `9.0` and `9` are the same bound.
        Value::Number(number) => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0);
            if let Some(whole) = whole.and_then(|number| format!("{number}").parse::<i64>().ok()) {
                *value = Value::from(whole);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(schema),
        _ => {}
    }
}

/// Line breaks of texts, the order of `required`, and what only one side says.
fn fold(map: &mut Map<String, Value>) {
    if let Some(Value::String(text)) = map.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if let Some(Value::Array(required)) = map.get_mut("required") {
        required.sort_by_key(Value::to_string);
    }
    // kube says the default of the Rust type where serde has one; a server would then store what nobody asked for.
    map.remove("default");
}

/// Every place where two values differ.
fn differences(theirs: &Value, ours: &Value, path: &str, found: &mut Vec<String>) {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            for key in theirs.keys().chain(ours.keys().filter(|key| !theirs.contains_key(*key))) {
                let (left, right) =
                    (theirs.get(key).unwrap_or(&Value::Null), ours.get(key).unwrap_or(&Value::Null));
                differences(left, right, &format!("{path}.{key}"), found);
            }
        }
        (Value::Array(theirs), Value::Array(ours)) if theirs.len() == ours.len() => {
            for (at, (left, right)) in theirs.iter().zip(ours).enumerate() {
                differences(left, right, &format!("{path}[{at}]"), found);
            }
        }
        _ if theirs == ours => {}
        _ => found.push(format!("{path}: kube has {theirs}, we have {ours}")),
    }
}

fn compare(theirs: &impl Serialize, kind: &str, known: &[&str]) {
    let theirs = comparable(serde_json::to_value(theirs).unwrap());
    let ours = comparable(ours(kind));
    let mut found = Vec::new();
    differences(&theirs, &ours, "", &mut found);
    found.retain(|line| !known.iter().any(|known| line.contains(known)));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_kind_with_everything_that_kube_knows() {
    let known = [
        // A field without a text of its own has that of its type.
        ".crop.description",
        // Types of Kubernetes are as controller-gen has them: times without a text, conditions with all their bounds.
        ".plantedAt.description",
        ".conditions.items.",
    ];
    compare(&Garden::crd(), "Garden", &known);
}

#[test]
fn a_kind_of_the_cluster_with_an_enum() {
    compare(&Weather::crd(), "Weather", &[]);
}
