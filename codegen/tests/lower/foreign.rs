//! Kinds of other crates.

use crate::support::{Scratch, field, resource, type_def};
use kube_codegen::model::{Model, Origin, Scope, Shape, TypeExpr};
use kube_codegen::source::{CargoSources, CrateSources};
use kube_codegen::{Inputs, PackageInput, load};
use std::path::Path;
use std::sync::Arc;

/// Loads a package of re-exports against the k8s-openapi of this workspace.
fn core(text: &str) -> Result<Model, String> {
    #[derive(Debug)]
    struct Here(CargoSources);
    impl CrateSources for Here {
        fn find(&self, name: &str, _from: &Path) -> Result<kube_codegen::source::CrateSource, String> {
            self.0.find(name, Path::new(env!("CARGO_MANIFEST_DIR")))
        }
    }
    let scratch = Scratch::new().file("src/core/v1.rs", text);
    let package = PackageInput::new(scratch.path().join("src"), "core", "v1");
    let sources = Arc::new(Here(CargoSources::default()));
    load(&Inputs { packages: vec![package], sources, ..Inputs::default() }).map_err(|wrong| wrong.to_string())
}

#[test]
fn a_built_in_kind_with_all_that_it_is_made_of() {
    let model =
        core("// +groupName=\n\n// +genclient\npub use k8s_openapi::api::core::v1::Pod;\n").expect("a model");
    let pod = resource(&model, "Pod");
    assert_eq!(pod.path.to_string(), "my_apis::core::v1::Pod");
    assert!(
        matches!(&pod.shape, Shape::ReExport { original } if original.to_string() == "k8s_openapi::api::core::v1::Pod")
    );
    assert_eq!((pod.names.plural.as_str(), pod.scope, pod.has_status), ("pods", Scope::Namespaced, true));
    assert!(pod.docs.starts_with("Pod is a collection of containers"));
    let root = model.root(pod).expect("its definition");
    assert_eq!(field(root, "metadata").ty, TypeExpr::ObjectMeta);

    let spec = type_def(&model, "k8s_openapi::api::core::v1::PodSpec");
    assert_eq!(spec.origin, Origin::Foreign);
    assert_eq!(field(spec, "host_ipc").wire.serialize, "hostIPC");
    assert_eq!(
        field(spec, "containers").ty.children()[0].path().map(|path| path.name.as_str()),
        Some("Container")
    );
    let status = type_def(&model, "k8s_openapi::api::core::v1::PodStatus");
    assert_eq!(field(status, "pod_ips").wire.serialize, "podIPs");
    let port = type_def(&model, "k8s_openapi::api::core::v1::ContainerPort");
    assert_eq!(field(port, "host_ip").wire.serialize, "hostIP");
    let condition = type_def(&model, "k8s_openapi::api::core::v1::PodCondition");
    assert_eq!(field(condition, "type_").wire.serialize, "type");
    assert!(model.types.len() > 100, "{} types", model.types.len());
    assert!(
        model.types.keys().all(|path| path.modules.first().is_none_or(|module| module != "apimachinery"))
    );
}

#[test]
fn every_wire_name_is_read_from_the_source() {
    let text = "// +groupName=\n\n// +genclient\npub use k8s_openapi::api::core::v1::{Pod, Service, Node, PersistentVolume};\n";
    let model = core(text).expect("a model");
    assert_eq!(model.resources().count(), 4);
    for definition in model.types.values().filter(|definition| definition.origin == Origin::Foreign) {
        for field in definition.fields() {
            let wire = &field.wire.serialize;
            let plain = |text: &str| text.replace(['_', '-', '$'], "").to_lowercase();
            assert_eq!(plain(wire), plain(&field.ident), "{}", definition.path);
        }
    }
    let service = type_def(&model, "k8s_openapi::api::core::v1::ServiceSpec");
    assert_eq!(field(service, "external_ips").wire.serialize, "externalIPs");
    assert_eq!(field(service, "cluster_ip").wire.serialize, "clusterIP");
}

#[test]
fn a_renamed_kind_of_cluster_scope() {
    let text = "// +groupName=\n\n// +genclient\n// +genclient:nonNamespaced\npub use k8s_openapi::api::core::v1::Namespace as Space;\n";
    let model = core(text).expect("a model");
    let space = resource(&model, "Namespace");
    assert_eq!((space.path.name.as_str(), space.scope), ("Space", Scope::Cluster));
}

#[test]
fn what_the_type_says_must_be_true() {
    let wrong = core(
        "// +groupName=apps\n\n// +genclient\n// +genclient:nonNamespaced\npub use k8s_openapi::api::core::v1::Pod;\n\n// +genclient\npub use k8s_openapi::api::core::v1::Pud;\n\n// +genclient\npub use k8s_openapi::api::core::v1::PodSpec;\n",
    )
    .expect_err("wrong");
    assert!(wrong.contains("`Pod` says that its group is ``, its package says `apps`"), "{wrong}");
    assert!(wrong.contains("`Pod::Scope` says that `Pod` is in namespaces"), "{wrong}");
    assert!(wrong.contains("there is no type `k8s_openapi::api::core::v1::Pud`"), "{wrong}");
    assert!(wrong.contains("`k8s_openapi::api::core::v1::PodSpec` is no Kubernetes kind"), "{wrong}");
}

const FOREIGN_LIB: &str = "pub mod apis;\npub use apis::inner as short;\n";
const FOREIGN_MODULE: &str = r#"
use kube::CustomResource;
use serde::{Deserialize, Serialize};

/// What is wished of a gate.
#[derive(CustomResource, Clone, Debug, Deserialize, Serialize)]
#[kube(group = "gates.example.org", version = "v1", kind = "Gate", status = "GateStatus")]
#[serde(rename_all = "camelCase")]
pub struct GateSpec {
    pub open_wide: bool,
    pub hinges: Vec<super::common::Hinge>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct GateStatus {
    pub open: bool,
}
"#;

#[test]
fn a_derived_kind_of_another_crate() {
    let scratch = Scratch::new()
        .file("src/gates/v1.rs", "// +groupName=gates.example.org\n\n// +genclient\npub use gates::short::Gate;\n")
        .file("gates/lib.rs", FOREIGN_LIB)
        .file("gates/apis/mod.rs", "pub mod inner;\npub mod common;\n")
        .file("gates/apis/inner.rs", FOREIGN_MODULE)
        .file("gates/apis/common.rs", "use serde::{Deserialize, Serialize};\n#[derive(Serialize, Deserialize)]\npub struct Hinge { #[serde(rename = \"SIZE\")] pub size: i32 }\n")
        .input("gates", "v1")
        .foreign("gates", "gates/lib.rs");
    let model = scratch.load();
    let gate = resource(&model, "Gate");
    assert_eq!((gate.scope, gate.has_status), (Scope::Cluster, true));
    let spec = type_def(&model, "gates::apis::inner::GateSpec");
    assert_eq!(field(spec, "open_wide").wire.serialize, "openWide");
    let hinge = type_def(&model, "gates::apis::common::Hinge");
    assert_eq!(field(hinge, "size").wire.serialize, "SIZE");
}

#[test]
fn a_type_that_a_method_applies_is_taken_apart() {
    let text = "// +groupName=\n\n// +genclient\n// +genclient:method=ApplyScale,verb=apply,subresource=scale,input=k8s_openapi::api::autoscaling::v1::Scale\npub use k8s_openapi::api::core::v1::ReplicationController;\n";
    let model = core(text).expect("a model");
    assert_eq!(
        field(type_def(&model, "k8s_openapi::api::autoscaling::v1::Scale"), "spec").wire.serialize,
        "spec"
    );
    assert!(!type_def(&model, "k8s_openapi::api::autoscaling::v1::ScaleSpec").fields().is_empty());
}

#[test]
fn a_crate_that_lies_beside_is_found_without_asking_cargo() {
    for (dependency, workspace) in [
        ("wood-shelf = { path = \"shelf\", features = [\"oak\"] }", ""),
        (
            "wood-shelf = { workspace = true, features = [\"oak\"] }",
            "[workspace.dependencies]\nwood-shelf = { path = \"shelf\" }\n",
        ),
    ] {
        // Cargo would stumble over the other dependency.
        let manifest = format!(
            "[package]\nname = \"my-apis\"\nversion = \"0.1.0\"\n[dependencies]\n{dependency}\nnot-there = \"999\"\n{workspace}"
        );
        let scratch = Scratch::new()
            .file("Cargo.toml", &manifest)
            .file("shelf/Cargo.toml", "[package]\nname = \"wood-shelf\"\nversion = \"0.1.0\"\n");
        let found = CargoSources::default().find("wood_shelf", scratch.path()).unwrap();
        assert!(found.lib.ends_with("shelf/src/lib.rs"), "{found:?}");
        assert_eq!(found.features, ["oak"]);
    }
}
