//! `schemapatch`: the schemas in definitions that are kept by hand follow the types, and nothing else changes.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{Exit, Terminal, Tool, run};
use kube_codegen::output::yaml::patch_schemas;
use serde_json::{Value, json};
use std::fs;

const TYPES: &str = "// +groupName=fine.example.com
// +versionName=v1

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

/// A thing.
// +kubebuilder:object:root=true
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Thing {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Thing>,
    pub metadata: ObjectMeta,
    pub spec: ThingSpec,
}

/// What it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ThingSpec {
    pub size: i32,
}
";

const KEPT: &str = "# Kept by hand.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.fine.example.com   # never rename
  labels: {tier: one}
spec:
  # Old clusters had this.
  validation:
    openAPIV3Schema:
      type: object
  names:
    kind: Thing
    plural: things
  group: fine.example.com
  versions:
  - name: v1  # the one
    # what it looks like
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: string}

    # it is served
    served: true
    storage: true
  # gone from the source
  - name: v0
    served: false
    schema:
      openAPIV3Schema:
        type: object
  scope: Namespaced
---
# somebody else's
apiVersion: v1
kind: ConfigMap
data: {a: b}
";

/// Runs a tool over the types and a folder with manifests, and gives back the one that was kept by hand.
fn patched_by(tool: Tool, words: fn(&str, &str) -> Vec<String>, kept: &str) -> (Exit, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("kept")).unwrap();
    fs::write(path("types.rs"), TYPES).unwrap();
    fs::write(path("kept/things.yaml"), kept).unwrap();
    fs::write(path("kept/others.yaml"), "apiVersion: v1\nkind: Secret\n").unwrap();
    let text = |name: &str| path(name).display().to_string();
    let words = words(&text("kept"), &text("types.rs")).into_iter().map(Into::into);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = run(tool, words, &mut Terminal::new(&mut out, &mut err));
    assert_eq!(fs::read_to_string(path("kept/others.yaml")).unwrap(), "apiVersion: v1\nkind: Secret\n");
    (exit, fs::read_to_string(path("kept/things.yaml")).unwrap(), String::from_utf8(err).unwrap())
}

fn patched(kept: &str) -> (Exit, String, String) {
    let by_go_words = |kept: &str, types: &str| {
        vec![format!("schemapatch:manifests={kept}"), format!("paths={types}"), format!("output:dir={kept}")]
    };
    let by_flags = |kept: &str, types: &str| {
        ["schemapatch", types, "--manifests", kept, "--quiet"].map(str::to_owned).to_vec()
    };
    let first = patched_by(Tool::ControllerGen, by_go_words, kept);
    let second = patched_by(Tool::KubeCodegen, by_flags, kept);
    assert_eq!((first.0, &first.1), (second.0, &second.1));
    first
}

#[test]
fn schemas_follow_the_types_and_all_else_stays() {
    let (exit, text, err) = patched(KEPT);
    assert_eq!((exit, err.as_str()), (Exit::Done, ""));
    let is_kept = |line: &&str| {
        !line.contains("openAPIV3Schema") && !line.contains("type:") && !line.contains("properties:")
    };
    let comments = [
        "# Kept by hand.",
        "# never rename",
        "# the one",
        "# what it looks like",
        "# it is served",
        "# gone from the source",
        "# somebody else's",
    ];
    for comment in comments {
        assert!(text.contains(comment), "{comment} is gone:\n{text}");
    }
    assert!(
        KEPT.lines().filter(is_kept).filter(|line| line.contains("name")).all(|line| text.contains(line)),
        "{text}"
    );
    let first = text.split("\n---\n").next().unwrap();
    let value: Value = serde_saphyr::from_str(first).unwrap();
    assert_eq!(
        value.pointer("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size"),
        Some(&json!({"type": "integer", "format": "int32"}))
    );
    assert_eq!(value.pointer("/spec/versions/0/storage"), Some(&json!(true)));
    assert_eq!(value.pointer("/spec/versions/1"), Some(&json!({"name": "v0", "served": false})));
    assert_eq!(
        (value.pointer("/spec/validation"), value.pointer("/spec/scope")),
        (None, Some(&json!("Namespaced")))
    );
    let again = patched(&text);
    assert_eq!(again.1, text, "a second run changes nothing");
}

#[test]
fn definitions_of_another_api_version_are_refused() {
    let (exit, text, err) = patched(&KEPT.replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"));
    assert_eq!(exit, Exit::Failed);
    assert!(
        err.contains("`apiVersion: apiextensions.k8s.io/v1beta1` of a definition is not supported"),
        "{err}"
    );
    assert!(text.contains("validation:"), "nothing is written");
}

/// What `crd` writes is what `schemapatch` would write.
#[test]
fn a_definition_that_is_up_to_date_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let text = |name: &str| folder.path().join(name).display().to_string();
    let long =
        "/// What it is, in words that do not fit into one line of a manifest, however wide it may be.\n"
            .repeat(3);
    fs::write(text("types.rs"), TYPES.replace("    pub size", &format!("    {long}    pub size"))).unwrap();
    let run = |words: &[&str]| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let words = words.iter().map(Into::into);
        let exit = run(Tool::KubeCodegen, words, &mut Terminal::new(&mut out, &mut err));
        assert_eq!(exit, Exit::Done, "{}{}", String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
    };
    run(&["crd", &text("types.rs"), "--output", &text("crd")]);
    run(&["schemapatch", &text("types.rs"), "--manifests", &text("crd"), "--check"]);
}

#[test]
fn a_manifest_that_is_no_yaml_is_refused_with_its_place() {
    for broken in ["kind: [\n", "a: &a [*a\n", "\t- x: {\n", &format!("a: {}\n", "[".repeat(100_000))] {
        let (exit, text, err) = patched(&format!("{KEPT}---\n{broken}"));
        assert_eq!(exit, Exit::Failed, "{broken}");
        assert!(err.contains("things.yaml") && err.contains("a document is no YAML"), "{err}");
        assert!(text.starts_with(KEPT), "nothing is written");
    }
}

#[test]
fn versions_are_found_in_every_block_form() {
    let schema = |name: &str| (name != "v3").then(|| json!({"type": "object", "title": name}));
    let table = [
        "spec:\n  versions:\n  - name: v1\n",
        "spec:\n  versions:\n    - name: v1\n      served: true\n",
        "spec:\n  versions:\n  - schema: {}\n    name: v1\n  - name: \"v2\"\n    schema:\n      openAPIV3Schema:\n        description: |-\n          text\n\n          - more\n        type: object\n    served: true\n",
        "spec:\n    versions:\n    -   served: true\n        name: v1\n    -   name: v3\n        schema:\n            openAPIV3Schema: {type: object}\n    other: 1\n",
    ];
    for text in table {
        let patched = patch_schemas(text, schema).unwrap();
        let (mut value, new): (Value, Value) =
            (serde_saphyr::from_str(text).unwrap(), serde_saphyr::from_str(&patched).unwrap());
        for version in value.pointer_mut("/spec/versions").unwrap().as_array_mut().unwrap() {
            let map = version.as_object_mut().unwrap();
            let name = map["name"].as_str().unwrap().to_owned();
            map.remove("schema");
            map.extend(schema(&name).map(|schema| ("schema".to_owned(), json!({"openAPIV3Schema": schema}))));
        }
        assert_eq!(new, value, "{patched}");
    }
    assert!(patch_schemas("spec: {versions: [{name: v1}]}\n", schema).is_err());
    assert!(patch_schemas("spec:\n  versions: [{name: v1}]\n", schema).is_err());
}
