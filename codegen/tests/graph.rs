//! `kube-codegen graph`: the model as a picture.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{Exit, Terminal, Tool, run};
use std::fs;

const HEAD: &str = "
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};
";

fn kind(name: &str, markers: &str) -> String {
    format!(
        "\n// +genclient\n{markers}#[derive(Clone, Serialize, Deserialize)]\npub struct {name} {{\n    \
         #[serde(flatten, skip_deserializing)]\n    pub type_meta: TypeMeta<{name}>,\n    pub metadata: ObjectMeta,\n}}\n"
    )
}

/// The picture of some types and of code that works on them.
fn graph(code: &str, format: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("kube-codegen.toml", "apis = \"src/apis\"\n[rbac]\npaths = [\"controller\"]\n");
    let fleet = [
        kind("Ship", "// +genclient:method=GetScale,verb=get,subresource=scale\n"),
        kind("Port", "// +genclient:nonNamespaced\n// +genclient:readonly\n"),
    ];
    write("src/apis/fleet/v1/mod.rs", &format!("// +groupName=fleet.example.com\n{HEAD}{}", fleet.concat()));
    write(
        "src/apis/fleet/v2/mod.rs",
        &format!(
            "// +groupName=fleet.example.com\n{HEAD}{}",
            kind("Ship", "// +genclient:skipVerbs=watch\n")
        ),
    );
    write(
        "src/apis/crew/v1/mod.rs",
        &format!("// +groupName=crew.example.com\n{HEAD}{}", kind("Sailor", "")),
    );
    write("controller/main.rs", code);
    let config = folder.path().join("kube-codegen.toml").display().to_string();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = ["graph", "--format", format, "--config", &config];
    let exit = run(Tool::KubeCodegen, words.iter().map(Into::into), &mut Terminal::new(&mut out, &mut err));
    assert_eq!(exit, Exit::Done, "{}", String::from_utf8_lossy(&err));
    String::from_utf8(out).unwrap()
}

const CONTROLLER: &str = "
fn ships(factory: &SharedInformerFactory, ports: &PortInformer) {
    let (ships, sailors) = (factory.fleet_v1().ships(), factory.crew_v1().sailors());
    let builder = Controller::builder(\"ships\", &ships).workers(2).owns(&sailors);
    builder.watches(ports, |port| port.keys()).build(reconciler)
}
fn sailors(f: &F) {
    Controller::builder(\"sailors\", &f.crew_v1().sailors()).owns_filtered(&f.crew_v1().sailors(), filter).build(r)
}
";

#[test]
fn mermaid_has_groups_kinds_verbs_and_who_owns_and_watches_whom() {
    let expected = "\
graph LR
  subgraph g0[\"crew.example.com\"]
    g0n0[\"<b>Sailor</b><br/>v1, namespaced<br/>all verbs\"]
  end
  subgraph g1[\"fleet.example.com\"]
    g1n0[\"<b>Port</b><br/>v1, cluster<br/>get, list, watch\"]
    g1n1[\"<b>Ship</b><br/>v2, v1, namespaced<br/>all but watch\"]
  end
  g1n1 -- owns --> g0n0
  g1n1 -. watches .-> g1n0
  g0n0 -- owns --> g0n0
";
    assert_eq!(graph(CONTROLLER, "mermaid"), expected);
}

#[test]
fn without_controllers_there_are_no_arrows() {
    assert!(!graph("fn main() {}", "mermaid").contains("-->"));
}

#[test]
fn svg_is_a_document_with_a_box_for_each_kind_and_an_arrow_for_each_tie() {
    let svg = graph(CONTROLLER, "svg");
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=") && svg.ends_with("</svg>\n")
    );
    for text in ["crew.example.com", ">Sailor<", ">Ship<", ">v2, v1, namespaced<", ">owns<", ">watches<"] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
    assert_eq!(svg.matches("marker-end").count(), 3);
    assert_eq!(svg.matches("<rect").count(), 1 + 2 + 3);
    // Every element is closed, by itself or by its end.
    let opened = svg.matches('<').count() - svg.matches("</").count();
    let closed = svg.matches("/>").count() + svg.matches("</").count();
    assert_eq!(opened, closed);
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}
