//! `rbac --from-usage`: what code may ask of generated clients, against what its markers grant.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{Exit, Terminal, Tool, run};
use std::fs;
use std::path::Path;

const TYPES: &str = r#"
// +groupName=fine.example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Thing {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Thing>,
    pub metadata: ObjectMeta,
    pub status: Option<String>,
}

// +genclient
// +genclient:nonNamespaced
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Place {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Place>,
    pub metadata: ObjectMeta,
}
"#;

struct Ran {
    exit: Exit,
    out: String,
    err: String,
}

/// Compares with this code in a crate of its own.
fn audit(code: &str, flag: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("kube-codegen.toml", "apis = \"src/apis\"\n[rbac]\npaths = [\"controller\"]\n");
    write("src/apis/fine/v1/mod.rs", TYPES);
    write("controller/main.rs", code);
    let config = folder.path().join("kube-codegen.toml").display().to_string();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = ["rbac", flag, "--config", &config];
    let exit =
        run(Tool::KubeCodegen, arguments.iter().map(Into::into), &mut Terminal::new(&mut out, &mut err));
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { exit, out: text(out), err: text(err).replace(&shown(folder.path()), "") }
}

fn shown(path: &Path) -> String {
    format!("{}/", path.display())
}

/// The requests that are not granted, as `resource: verbs`.
fn missing(code: &str) -> Vec<String> {
    let ran = audit(code, "--from-usage");
    let lines = ran.err.lines().filter_map(|line| line.strip_prefix("error: the code may "));
    let found: Vec<String> = lines
        .map(|line| {
            let (verbs, rest) = line.rsplit_once(" `").unwrap();
            format!("{}: {}", rest.split('`').next().unwrap(), verbs.replace('`', ""))
        })
        .collect();
    assert_eq!(ran.exit == Exit::Failed, !found.is_empty(), "{}", ran.err);
    found
}

#[test]
fn a_call_on_the_spot_is_a_request() {
    let code = "async fn f(c: &Clientset) { c.fine_v1().things(\"a\").create(&t).await?; }";
    assert_eq!(missing(code), ["things: create"]);
}

#[test]
fn a_client_is_followed_by_what_holds_it() {
    for code in [
        "async fn f(c: &Clientset) { let x = c.fine_v1().things(ns); x.get(\"a\").await?; }",
        "async fn f(c: &Clientset) { let fine = c.fine_v1(); let x = fine.things(ns); x.get(\"a\").await?; }",
        "async fn f(c: &Clientset) { let fine = c.fine_v1(); fine.things(ns).get_with(&p, \"a\").await?; }",
        "struct S { things: Things }\nimpl S { async fn f(&self) { self.things.get(\"a\").await?; } }",
        "fn new(c: &Clientset) -> S { S { held: c.fine_v1().things(\"\") } }\nimpl S { async fn f(&self) { self.held.get(\"a\").await; } }",
        "async fn f(x: &client::Things) { x.get(\"a\").await?; }",
        "async fn f(x: Option<Arc<Things>>, y: u8) { x.get(\"a\").await?; }",
        "fn things_of(c: &Clientset) -> Things { c.fine_v1().things(\"\") }\nasync fn f() { things_of(&c).get(\"a\").await?; }",
        "async fn f() { let x = Things::new(client, \"ns\"); x.get(\"a\").await?; }",
        "async fn f() { tokio::select! { r = c.fine_v1().things(ns).get(\"a\") => r } }",
    ] {
        assert_eq!(missing(code), ["things: get"], "{code}");
    }
}

#[test]
fn every_method_is_the_verb_that_a_server_asks_about() {
    let calls = [
        ("update_status(&t)", "things/status: update"),
        ("patch_status(\"a\", &p)", "things/status: patch"),
        ("apply(&a, \"m\")", "things: patch"),
        ("apply_status(&a, \"m\")", "things/status: patch"),
        ("delete_collection(&l)", "things: deletecollection"),
        ("pages(&l)", "things: list"),
        ("watch_from(&l, \"1\")", "things: watch"),
        ("get_scale(\"a\")", "things/scale: get"),
    ];
    for (call, expected) in calls {
        let code = format!("async fn f(c: &Clientset) {{ c.fine_v1().things(ns).{call}.await?; }}");
        assert_eq!(missing(&code), [expected], "{call}");
    }
}

#[test]
fn informers_list_and_watch() {
    for code in [
        "fn f(factory: &SharedInformerFactory) { let informer = factory.fine_v1().things(); }",
        "fn f(factory: &SharedInformerFactory) { Controller::new(\"Thing\", &factory.fine_v1().things(), handler) }",
        "fn f(x: &X) { let lister = x.fine_v1().things().lister(); }",
    ] {
        assert_eq!(missing(code), ["things: list`, `watch".replace('`', "")], "{code}");
    }
    let cluster = "fn f(factory: &SharedInformerFactory) { let informer = factory.fine_v1().places(); }";
    assert_eq!(missing(cluster), ["places: list, watch"]);
    let client = "async fn f(c: &Clientset) { c.fine_v1().places().delete(\"a\").await?; }";
    assert_eq!(missing(client), ["places: delete"]);
}

#[test]
fn tests_and_other_methods_of_the_same_name_are_no_requests() {
    assert!(missing("#[cfg(test)]\nmod tests { fn f() { c.fine_v1().things(ns).create(&t); } }").is_empty());
    assert!(missing("fn f(map: &Map) { map.get(\"a\"); map.things(1).get(2); }").is_empty());
}

#[test]
fn parts_of_the_runtime_ask_for_what_they_need() {
    let leases = "leases: create, get, update";
    for (code, expected) in [
        ("fn f() { LeaderElector::builder(l, \"a\", \"b\").build() }", leases),
        ("fn f() { let (config, rest) = ManagerConfig::of_this_process()?; }", leases),
        ("struct Options { #[command(flatten)] manager: ManagerConfig }", leases),
        ("fn f() { EventBroadcaster::new(client); }", "events: create, patch"),
    ] {
        assert_eq!(missing(code), [expected], "{code}");
    }
    assert!(
        missing("use kube_codegen_runtime::manager::ManagerConfig;\nuse a::{ManagerConfig, b};").is_empty()
    );
}

#[test]
fn what_is_granted_is_granted_in_any_spelling() {
    let call = "async fn f(c: &Clientset) { c.fine_v1().things(ns).update_status(&t).await?; }";
    for marker in [
        "groups=fine.example.com,resources=things/status,verbs=update",
        "groups=*,resources=things;things/status,verbs=*",
        "groups=fine.example.com,resources=*,verbs=get;update",
        "groups=fine.example.com,resources=*/status,verbs=update,namespace=work",
    ] {
        assert!(missing(&format!("// +kubebuilder:rbac:{marker}\n{call}")).is_empty(), "{marker}");
    }
    for marker in [
        "groups=other.example.com,resources=things/status,verbs=update",
        "groups=fine.example.com,resources=things,verbs=update",
        "groups=fine.example.com,resources=things/status,verbs=get",
    ] {
        assert_eq!(missing(&format!("// +kubebuilder:rbac:{marker}\n{call}")), ["things/status: update"]);
    }
}

#[test]
fn the_report_has_places_and_cures_and_the_exit_code_is_for_ci() {
    let code = "\
// +kubebuilder:rbac:groups=fine.example.com,resources=things,verbs=get;delete
async fn f(c: &Clientset) {
    let things = c.fine_v1().things(\"a\");
    things.get(\"a\").await?;
    things.create(&thing).await?;
    things.update(&thing).await?;
}
";
    let ran = audit(code, "--from-usage");
    assert_eq!(ran.exit, Exit::Failed);
    let expected = "\
error: the code may `create`, `update` `things`, and no marker grants it
 --> controller/main.rs:5:12
  |
5 |     things.create(&thing).await?;
  |            ^^^^^^
6 |     things.update(&thing).await?;
  |            ------ `update` here
  |
  = help: add `// +kubebuilder:rbac:groups=fine.example.com,resources=things,verbs=create;update` beside it
";
    assert!(ran.err.contains(expected), "{}", ran.err);
    assert!(ran.err.contains("warning: the marker grants `delete` of `things`"), "{}", ran.err);
    assert_eq!(ran.out, "3 requests of generated clients: the markers do not say the same\n");
}

#[test]
fn what_is_granted_for_nothing_fails_only_when_told_to() {
    let code = "\
// +kubebuilder:rbac:groups=fine.example.com,resources=things,verbs=get;delete
// +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,verbs=get;create;update
async fn f(c: &Clientset) { c.fine_v1().things(\"a\").get(\"a\").await?; }
";
    let ran = audit(code, "--from-usage");
    assert_eq!((ran.exit, ran.out.as_str()), (Exit::Done, "1 request of generated clients: all granted\n"));
    assert_eq!(audit(code, "--from-usage=exact").exit, Exit::Failed);
    let exact = audit(&code.replace(";delete", ""), "--from-usage=exact");
    assert_eq!(exact.exit, Exit::Done, "{}", exact.err);
    assert!(exact.out.ends_with("all granted, and nothing else\n"));
}

#[test]
fn a_client_that_cannot_be_followed_is_said() {
    let ran = audit("fn f(c: &Clientset) { spawn(c.fine_v1().things(\"a\")); }", "--from-usage");
    assert_eq!(ran.exit, Exit::Done, "{}", ran.err);
    assert!(ran.err.contains("warning: a client for `things` is made here"), "{}", ran.err);
    assert_eq!(
        audit("fn f(c: &Clientset) { spawn(c.fine_v1().things(\"a\")); }", "--from-usage=exact").exit,
        Exit::Failed
    );
}
