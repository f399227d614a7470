//! Names that the model derives from groups, versions and kinds.

use crate::support::{Scratch, USES, book, resource};

fn package(head: &str, kinds: &str) -> String {
    format!("{head}\n\n{USES}\n{kinds}")
}

#[test]
fn groups_and_versions_are_in_order() {
    let mut scratch = Scratch::new();
    for (group, version) in [("z", "v1"), ("a", "v1alpha1"), ("a", "v10"), ("a", "v2"), ("core", "v1")] {
        let name = if group == "core" { String::new() } else { format!("{group}.example.com") };
        let text = package(&format!("// +groupName={name}"), &book("// +genclient"));
        scratch = scratch.file(&format!("src/{group}/{version}.rs"), &text).input(group, version);
    }
    let model = scratch.load();
    let versions: Vec<String> = model.versions().map(|(group, version)| version.api_version(group)).collect();
    assert_eq!(
        versions,
        ["v1", "a.example.com/v10", "a.example.com/v2", "a.example.com/v1alpha1", "z.example.com/v1"]
    );
    let accessors: Vec<&str> = model.versions().map(|(_, version)| version.names.accessor.as_str()).collect();
    assert_eq!(accessors, ["core_v1", "a_v10", "a_v2", "a_v1alpha1", "z_v1"]);
}

#[test]
fn c041_a_name_for_code_tells_groups_apart() {
    let text = |group: &str, go: &str| {
        package(&format!("// +groupName={group}\n// +groupGoName={go}"), &book("// +genclient"))
    };
    let scratch = Scratch::new()
        .file("src/policy/v1.rs", &text("policy.example.com", "Policy"))
        .file("src/rules/v1.rs", &text("policy.example.org", "OtherPolicy"))
        .input("policy", "v1")
        .input("rules", "v1");
    let model = scratch.load();
    let accessors: Vec<&str> = model.versions().map(|(_, version)| version.names.accessor.as_str()).collect();
    assert_eq!(accessors, ["policy_v1", "other_policy_v1"]);
}

#[test]
fn explicit_plurals_win_for_the_resource_and_leave_the_accessor() {
    for marker in ["resourceName=tomes", "kubebuilder:resource:path=tomes,shortName=t"] {
        let model = Scratch::package(&book(&format!("// +genclient\n// +{marker}"))).load();
        let names = &resource(&model, "Book").names;
        assert_eq!((names.plural.as_str(), names.getter.as_str()), ("tomes", "books"));
        assert!(names.plural_is_explicit);
    }
}

#[test]
fn plural_exceptions_of_the_caller() {
    let mut scratch = Scratch::package(&book("// +genclient"));
    scratch.inputs.plural_exceptions.insert("Book", "Bookses");
    let model = scratch.load();
    let names = &resource(&model, "Book").names;
    assert_eq!((names.plural.as_str(), names.getter.as_str()), ("bookses", "bookses"));
}

#[test]
fn the_model_is_the_same_whatever_the_order_of_packages() {
    let text = |group: &str| package(&format!("// +groupName={group}.example.com"), &book("// +genclient"));
    let scratch = Scratch::new()
        .file("src/a/v1.rs", &text("a"))
        .file("src/a/v2.rs", &text("a"))
        .file("src/b/v1.rs", &text("b"))
        .input("a", "v1")
        .input("a", "v2")
        .input("b", "v1");
    let model = scratch.load();
    let mut turned = scratch;
    turned.inputs.packages.reverse();
    assert_eq!(turned.load(), model);
}
