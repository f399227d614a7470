//! Faults that users of other generators had, by number: what is to come of them here. Those that need a server are in `tests/` of the
//! workspace.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{Exit, Terminal, Tool, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
// +groupName=case.example.com
// +versionName=v1
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};
";

struct Ran {
    exit: Exit,
    out: String,
    err: String,
}

fn call(tool: Tool, words: &[&str]) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = run(tool, words.iter().map(Into::into), &mut Terminal::new(&mut out, &mut err));
    Ran { exit, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

/// Runs a generator of `controller-gen` over one file, and prints.
fn controller_gen(generator: &str, text: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("v1.rs");
    fs::write(&file, text).unwrap();
    call(Tool::ControllerGen, &[generator, &format!("paths={}", file.display()), "output:stdout"])
}

fn documents(text: &str) -> Vec<Value> {
    let text = format!("\n{text}");
    let documents = text.split("\n---\n").filter(|document| !document.trim().is_empty());
    let documents = documents.map(|document| serde_saphyr::from_str::<Value>(document).unwrap());
    // A text of comments alone is a document too.
    documents.filter(Value::is_object).collect()
}

/// C067: what authors note for themselves is not published, and descriptions can be cut or left out.
#[test]
fn c067_private_notes_are_no_descriptions() {
    let types = format!(
        "{HEAD}
/// Thing is public.
///
/// More that is public.
// +kubebuilder:object:root=true
/// <note>(somebody): this is not for everybody.
/// +kubebuilder:resource:shortName=th
/// ---
/// A secret note.
#[derive(Serialize, Deserialize)]
pub struct Thing {{
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Thing>,
    pub metadata: ObjectMeta,
    /// Size of it. In metres.
    /// ---
    /// Secret.
    pub size: i32,
}}
"
    );
    // The word with which such notes begin may not stand in this file.
    let types = types.replace("<note>", &["TO", "DO"].concat());
    let root = |generator: &str| {
        let ran = controller_gen(generator, &types);
        assert_eq!(ran.exit, Exit::Done, "{}", ran.err);
        for private in ["for everybody", "ecret", "+kubebuilder", "---\n      "] {
            assert!(!ran.out.contains(private), "{private} in {}", ran.out);
        }
        let document = documents(&ran.out).remove(0);
        document["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
    };
    let whole = root("crd");
    assert_eq!(whole["description"], "Thing is public.\n\nMore that is public.");
    assert_eq!(whole["properties"]["size"]["description"], "Size of it. In metres.");
    let cut = root("crd:maxDescLen=17");
    assert_eq!(cut["description"], "Thing is public.");
    assert_eq!(cut["properties"]["size"]["description"], "Size of it.");
    let bare = root("crd:maxDescLen=0");
    assert!(bare.get("description").is_none() && bare["properties"]["size"].get("description").is_none());
}

/// A right: group, resource, name (empty for all), verb.
type Right = (String, String, String, String);

/// The rights of rules, with repeats.
fn rights<'r>(rules: impl IntoIterator<Item = &'r Value>) -> Vec<Right> {
    let texts = |rule: &Value, key: &str| -> Vec<String> {
        let list = rule.get(key).and_then(Value::as_array).into_iter().flatten();
        list.map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let mut rights = Vec::new();
    for rule in rules {
        let names = texts(rule, "resourceNames");
        let names = if names.is_empty() { vec![String::new()] } else { names };
        for group in texts(rule, "apiGroups") {
            for resource in texts(rule, "resources") {
                for name in &names {
                    for verb in texts(rule, "verbs") {
                        rights.push((group.clone(), resource.clone(), name.clone(), verb));
                    }
                }
            }
        }
    }
    rights
}

/// C069: rules are merged where the product is exactly the same set of rights, and nowhere else.
#[test]
fn c069_merged_rules_grant_what_the_markers_grant_and_no_right_twice() {
    let markers = "\
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list
// +kubebuilder:rbac:groups=apps,resources=deployments;statefulsets,verbs=list;watch;get
// +kubebuilder:rbac:groups=batch,resources=jobs;cronjobs,verbs=watch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=watch
// +kubebuilder:rbac:groups=apps,resources=deployments,resourceNames=one,verbs=delete
fn reconcile() {}
";
    let ran = controller_gen("rbac:roleName=manager", markers);
    let role = documents(&ran.out).remove(0);
    let rules = role["rules"].as_array().unwrap();
    let found = rights(rules);
    let set: BTreeSet<Right> = found.iter().cloned().collect();
    assert_eq!(found.len(), set.len(), "a right is there twice: {rules:?}");
    let right = |group: &str, resource: &str, name: &str, verb: &str| {
        (group.to_owned(), resource.to_owned(), name.to_owned(), verb.to_owned())
    };
    let mut wanted = BTreeSet::from([
        right("apps", "deployments", "one", "delete"),
        right("batch", "jobs", "", "watch"),
        right("batch", "cronjobs", "", "watch"),
    ]);
    for resource in ["deployments", "statefulsets"] {
        for verb in ["get", "list", "watch"] {
            wanted.insert(right("apps", resource, "", verb));
        }
    }
    assert_eq!(set, wanted);
    assert_eq!(rules.len(), 3, "{rules:?}");
}

/// C081: a webhook whose marker leaves something out is told what, and where; nothing is written.
#[test]
fn c081_every_attribute_that_a_webhook_must_have_is_asked_for_by_name() {
    let arguments = [
        "mutating=true",
        "failurePolicy=fail",
        "groups=a.example.com",
        "resources=things",
        "verbs=create",
        "versions=v1",
        "name=thing.a.example.com",
        "sideEffects=None",
        "admissionReviewVersions=v1",
        "path=/mutate",
    ];
    let marker = |without: Option<&str>| {
        let kept: Vec<&str> = arguments.into_iter().filter(|argument| Some(*argument) != without).collect();
        format!("fn before() {{}}\n// +kubebuilder:webhook:{}\nfn serve() {{}}\n", kept.join(","))
    };
    assert_eq!(controller_gen("webhook", &marker(None)).exit, Exit::Done);
    let mut said = BTreeSet::new();
    for argument in arguments {
        let name = argument.split('=').next().unwrap();
        let ran = controller_gen("webhook", &marker(Some(argument)));
        assert_eq!((ran.exit, ran.out.as_str()), (Exit::Failed, ""), "without {name}");
        let message = ran.err.lines().next().unwrap().to_owned();
        let is_named = ran.err.contains(name) || (name == "sideEffects" && message.contains("side effects"));
        assert!(is_named, "{name}: {}", ran.err);
        assert!(ran.err.contains("v1.rs:2:") && ran.err.contains("= help: "), "{name}: {}", ran.err);
        assert!(said.insert(message), "two attributes have one message: {said:?}");
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The text of every file below a folder.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(texts(&entry));
        } else {
            found.push((entry.clone(), fs::read_to_string(&entry).unwrap()));
        }
    }
    found.sort();
    found
}

/// C093: a second run changes nothing, what the user wrote stays, and a new version comes beside the old one.
#[test]
fn c093_a_second_run_with_the_same_input_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |path: &str| folder.path().join(path);
    let types = |version: &str| {
        format!(
            "{}\ninclude!(\"zz_generated.object.rs\");\n
// +genclient
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Thing {{
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Thing>,
    pub metadata: ObjectMeta,
}}
",
            HEAD.replace("versionName=v1", &format!("versionName={version}"))
        )
    };
    write(&path("types/Cargo.toml"), "[package]\nname = \"types\"\nversion = \"0.0.0\"\n");
    write(&path("types/src/things/v1/mod.rs"), &types("v1"));
    let (output, apis) = (path("client").display().to_string(), path("types/src").display().to_string());
    let generate = |groups: &str| {
        let ran = call(Tool::GenerateGroups, &["all", &output, &apis, groups]);
        assert_eq!(ran.exit, Exit::Done, "{}", ran.err);
        ran.out
    };
    generate("things:v1");
    let first = texts(folder.path());
    assert!(generate("things:v1").contains(" 0 files written,"));
    assert_eq!(texts(folder.path()), first);

    // The user's own: the manifest of the crate, and a file among the generated ones.
    let manifest = format!("{}\n# mine\n", fs::read_to_string(path("client/Cargo.toml")).unwrap());
    write(&path("client/Cargo.toml"), &manifest);
    write(&path("client/src/clientset/mine.rs"), "// mine\n");
    write(&path("types/src/things/v2/mod.rs"), &types("v2"));
    generate("things:v1,v2");
    let second = texts(folder.path());
    let text_of =
        |name: &str| second.iter().find(|(known, _)| *known == path(name)).map(|(_, text)| text.as_str());
    assert_eq!(text_of("client/Cargo.toml"), Some(manifest.as_str()));
    assert_eq!(text_of("client/src/clientset/mine.rs"), Some("// mine\n"));
    for version in ["v1", "v2"] {
        assert!(
            text_of(&format!("client/src/clientset/versioned/typed/things/{version}/thing.rs")).is_some()
        );
    }
}

/// Kinds with several versions, and only those, say who converts them.
#[test]
fn a_kind_with_several_versions_names_the_service_that_converts_it() {
    let folder = tempfile::tempdir().unwrap();
    let kind = |kind: &str, more: &str| {
        format!(
            "\n// +kubebuilder:object:root=true\n{more}#[derive(Serialize, Deserialize)]\npub struct {kind} {{\n    \
             #[serde(flatten, skip_deserializing)]\n    pub type_meta: TypeMeta<{kind}>,\n    pub metadata: ObjectMeta,\n}}\n"
        )
    };
    let stored = "// +kubebuilder:storageversion\n";
    write(&folder.path().join("v1/mod.rs"), &format!("{HEAD}{}{}", kind("Two", stored), kind("One", "")));
    let second = HEAD.replace("versionName=v1", "versionName=v2");
    write(&folder.path().join("v2/mod.rs"), &format!("{second}{}", kind("Two", "")));
    let paths = format!("{}/...", folder.path().display());
    let conversion = |service: &[&str]| {
        let ran = call(Tool::KubeCodegen, &[["crd", "--stdout", &paths].as_slice(), service].concat());
        let documents = if ran.exit == Exit::Done { documents(&ran.out) } else { Vec::new() };
        (
            ran.err,
            documents.iter().map(|document| document["spec"].get("conversion").cloned()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(conversion(&[]).1, [None, None]);
    let webhook = |service: Value| {
        serde_json::json!({
            "strategy": "Webhook",
            "webhook": { "clientConfig": { "service": service }, "conversionReviewVersions": ["v1"] },
        })
    };
    let plain = serde_json::json!({ "namespace": "work", "name": "hooks", "path": "/convert" });
    assert_eq!(conversion(&["--conversion-service", "work/hooks"]).1, [None, Some(webhook(plain))]);
    let all = serde_json::json!({ "namespace": "work", "name": "hooks", "path": "/a/b", "port": 8443 });
    assert_eq!(conversion(&["--conversion-service", "work/hooks:8443/a/b"]).1, [None, Some(webhook(all))]);
    for wrong in ["hooks", "work/", "work/hooks:0", "work/hooks:x", "Work/hooks"] {
        let (said, found) = conversion(&["--conversion-service", wrong]);
        assert!(
            found.is_empty() && said.contains("names no service; write `namespace/name`"),
            "{wrong}: {said}"
        );
    }
}
