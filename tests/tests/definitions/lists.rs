//! Lists and maps: keys, items, nesting.

use serde_json::{Value, json};

use crate::support::{Served, define};

/// C064: the keys of a list are always there. Those of Kubernetes' own lists come out right; an optional key of one's own is an error.
#[tokio::test]
async fn c064_the_keys_of_keyed_lists_are_required_or_have_a_default() {
    let served = Served::new(
        "#[types] pub struct ThingSpec { pub template: PodTemplateSpec, pub containers: Vec<Container> }",
    )
    .await;
    let ports = json!([{ "containerPort": 80 }, { "containerPort": 80, "protocol": "UDP" }]);
    let container = json!({ "name": "a", "image": "b", "ports": ports });
    let spec = json!({ "template": { "spec": { "containers": [container] } }, "containers": [] });
    let stored = served.create(spec).await.unwrap();
    // The second key of the list of ports has a default.
    assert_eq!(stored["template"]["spec"]["containers"][0]["ports"][0]["protocol"], "TCP");

    let types = "#[types] pub struct ThingSpec {
            // +listType=map
            // +listMapKey=name
            pub parts: Vec<Part>,
         }
         #[types] pub struct Part { #[serde(default)] pub name: String, pub size: i32 }";
    let wrong = define(types, &Default::default()).unwrap_err().to_string();
    assert!(wrong.contains("the key `name` of `parts` may be left out"), "{wrong}");
    assert!(wrong.contains("make the field required, or give it a default"), "{wrong}");
    assert!(wrong.contains("// +listMapKey=name"), "{wrong}");
    let mended = types
        .replace("#[serde(default)] pub name", "\n// +kubebuilder:default=main\n#[serde(default)] pub name");
    let served = Served::new(&mended).await;
    let stored = served.create(json!({ "parts": [{ "size": 1 }] })).await.unwrap();
    assert_eq!(stored["parts"][0]["name"], "main");
    served.refuses(json!({ "parts": [{ "size": 1 }, { "name": "main", "size": 2 }] })).await;
}

/// C073: rules for items and rules for their list each stand in their own place.
#[tokio::test]
async fn c073_rules_for_items_are_not_rules_for_the_list() {
    let served = Served::new(
        "#[types] pub struct ThingSpec {
            // +kubebuilder:validation:MaxItems=3
            // +kubebuilder:validation:items:MinLength=1
            pub names: Vec<String>,
         }",
    )
    .await;
    let names = &served.spec_schema()["properties"]["names"];
    assert_eq!(names["maxItems"], 3);
    assert_eq!(names["items"], json!({ "type": "string", "minLength": 1 }));
    assert!(names.get("minLength").is_none());
    served.accepts(json!({ "names": ["a", "b", "c"] })).await;
    served.refuses(json!({ "names": [""] })).await;
    served.refuses(json!({ "names": ["a", "b", "c", "d"] })).await;
}

/// C075: maps of maps, lists, bytes and optional structs; a key that is no text is an error.
#[tokio::test]
async fn c075_maps_of_anything_with_keys_of_text() {
    let served = Served::new(
        "#[types] pub struct ThingSpec {
            pub nested: BTreeMap<String, BTreeMap<String, String>>,
            pub lists: BTreeMap<String, Vec<Part>>,
            pub bytes: BTreeMap<String, k8s_openapi::ByteString>,
            pub parts: BTreeMap<String, Option<Part>>,
         }
         #[types] pub struct Part { pub size: i32 }",
    )
    .await;
    let spec = json!({
        "nested": { "a": { "b": "c" } },
        "lists": { "a": [{ "size": 1 }] },
        "bytes": { "a": "aGVsbG8=" },
        "parts": { "a": { "size": 2 } },
    });
    assert_eq!(served.create(spec.clone()).await.unwrap(), spec);
    let properties = &served.spec_schema()["properties"];
    let value_of = |name: &str| &properties[name]["additionalProperties"];
    assert_eq!(value_of("nested")["additionalProperties"], json!({ "type": "string" }));
    assert_eq!(value_of("lists")["items"]["properties"]["size"]["type"], "integer");
    assert_eq!(*value_of("bytes"), json!({ "type": "string", "format": "byte" }));
    assert_eq!(value_of("parts")["required"], json!(["size"]));
    served.refuses(json!({ "nested": { "a": { "b": 1 } }, "lists": {}, "bytes": {}, "parts": {} })).await;

    for (key, found) in [("Part", "`Part`"), ("i32", "`i32`"), ("(u8, u8)", "a tuple")] {
        let types = format!(
            "#[types] pub struct ThingSpec {{ pub by: BTreeMap<{key}, String> }}
             #[types] pub struct Part {{ pub size: i32 }}"
        );
        let wrong = define(&types, &Default::default()).unwrap_err().to_string();
        assert!(wrong.contains(&format!("the keys of `by` are {found}")), "{wrong}");
    }
    let exit = controller_gen_on("#[types] pub struct ThingSpec { pub by: BTreeMap<i32, Value> }");
    assert_eq!(exit, 1);
}

/// The exit code of the command.
fn controller_gen_on(types: &str) -> u8 {
    use kube_codegen::cli::{Terminal, Tool, run};
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("v1.rs"),
        format!("// +groupName=a.example.com\n// +versionName=v1\n{types}"),
    )
    .unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = ["crd".to_owned(), format!("paths={}", folder.path().display()), "output:stdout".to_owned()];
    let exit = run(Tool::ControllerGen, words.map(Into::into), &mut Terminal::new(&mut out, &mut err)).code();
    assert!(out.is_empty(), "{:?}", Value::from(String::from_utf8_lossy(&out)));
    exit
}
