//! One hazard, one case.

use crate::support::{Scratch, USES, book, field, resource, type_def};

fn kind(name: &str) -> String {
    format!(
        "// +genclient\n#[derive(Serialize, Deserialize)]\npub struct {name} {{\n    #[serde(flatten, skip_deserializing)]\n    pub type_meta: TypeMeta<{name}>,\n    pub metadata: ObjectMeta,\n}}\n"
    )
}

#[test]
fn a_group_with_a_hyphen() {
    let text = format!("// +groupName=hyphen-group.example.com\n{USES}{}", book("// +genclient"));
    let model = Scratch::new().file("src/hyphen_group/v1.rs", &text).input("hyphen_group", "v1").load();
    assert_eq!(model.groups[0].names.go_name, "HyphenGroup");
    assert_eq!(model.groups[0].versions[0].names.accessor, "hyphen_group_v1");
}

#[test]
fn folders_with_capitals_and_hyphens() {
    let text = format!("// +groupName=mixed.example.com\n{USES}{}", book("// +genclient"));
    let model = Scratch::new().file("src/MixedCase/v1.rs", &text).input("MixedCase", "v1").load();
    assert_eq!(model.groups[0].names.folder, "mixed_case");
    assert_eq!(resource(&model, "Book").path.to_string(), "my_apis::MixedCase::v1::Book");
}

#[test]
fn a_group_that_is_a_keyword() {
    let text = format!("// +groupName=type.example.com\n{USES}{}", book("// +genclient"));
    let model = Scratch::new().file("src/type/v1.rs", &text).input("type", "v1").load();
    assert_eq!(model.groups[0].names.module, "r#type");
    assert_eq!(resource(&model, "Book").path.to_string(), "my_apis::r#type::v1::Book");
}

#[test]
fn kinds_that_are_keywords_plurals_or_rust_types() {
    let kinds = ["Type", "Endpoints", "Mod", "Option", "String", "Vec", "Box", "Result", "Ref", "Crate"];
    let text: String = kinds.iter().map(|name| kind(name)).collect();
    let model = Scratch::package(&text).load();
    assert_eq!(model.resources().count(), kinds.len());
    let names = |kind: &str| resource(&model, kind).names.clone();
    assert_eq!(names("Type").module, "r#type");
    assert_eq!(names("Mod").file, "mod_.rs");
    assert_eq!(names("Crate").variable, "crate_");
    assert_eq!(
        (names("Endpoints").client.as_str(), names("Endpoints").plural.as_str()),
        ("EndpointsClient", "endpoints")
    );
}

#[test]
fn a_type_of_ones_own_hides_that_of_the_prelude() {
    let text = format!(
        "{}\npub struct Option<T>(pub T);\npub struct Holder {{\n    pub a: Option<i32>,\n}}\n",
        book("// +genclient").replace("Option<BookStatus>", "BookStatus")
    );
    let model = Scratch::package(&text).load();
    let holder = type_def(&model, "my_apis::library::v1::Holder");
    assert_eq!(
        field(holder, "a").ty.path().map(ToString::to_string).as_deref(),
        Some("my_apis::library::v1::Option")
    );
}

#[test]
fn a_type_that_holds_itself() {
    let text = format!(
        "{}\npub struct Node {{\n    pub next: Option<Box<Node>>,\n    pub all: Vec<Node>,\n}}\n",
        book("// +genclient")
    );
    let model = Scratch::package(&text).load();
    assert_eq!(
        field(type_def(&model, "my_apis::library::v1::Node"), "next")
            .ty
            .inner()
            .path()
            .map(|path| path.name.as_str()),
        Some("Node")
    );
}

#[test]
fn modules_that_import_each_other_whole() {
    let text = format!(
        "{}\npub mod a {{\n    pub use super::b::*;\n    pub use super::c::*;\n    pub struct A {{ pub c: C }}\n}}\npub mod b {{\n    pub use super::a::*;\n    pub use super::c::*;\n    pub struct B {{ pub a: A, pub c: C }}\n}}\npub mod c {{\n    pub use super::a::*;\n    pub use super::b::*;\n    pub struct C {{ pub a: Option<Box<A>>, pub b: Option<Box<B>> }}\n}}\n",
        book("// +genclient")
    );
    let model = Scratch::package(&text).load();
    let c = type_def(&model, "my_apis::library::v1::c::C");
    assert_eq!(
        field(c, "b").ty.inner().path().map(ToString::to_string).as_deref(),
        Some("my_apis::library::v1::b::B")
    );
}

#[test]
fn types_that_a_macro_writes_are_left_as_they_are() {
    let text = format!(
        "{}\nmacros::make! {{ Made }}\npub struct Holder {{\n    pub made: Made,\n}}\n",
        book("// +genclient")
    );
    let model = Scratch::package(&text).load();
    let holder = type_def(&model, "my_apis::library::v1::Holder");
    assert_eq!(
        field(holder, "made").ty.path().map(ToString::to_string).as_deref(),
        Some("my_apis::library::v1::Made")
    );
}

#[test]
fn several_versions_may_name_each_others_types() {
    let text =
        |extra: &str| format!("// +groupName=library.example.com\n{USES}{}{extra}", book("// +genclient"));
    let holder = "\npub struct Holder {\n    pub old: super::v1::BookSpec,\n    pub own: BookSpec,\n}\n";
    let model = Scratch::new()
        .file("src/lib.rs", "pub mod library;\n")
        .file("src/library/mod.rs", "pub mod v1;\npub mod v2;\n")
        .file("src/library/v1.rs", &text(""))
        .file("src/library/v2.rs", &text(holder))
        .input("library", "v1")
        .input("library", "v2")
        .load();
    let holder = type_def(&model, "my_apis::library::v2::Holder");
    assert_eq!(
        field(holder, "old").ty.path().map(ToString::to_string).as_deref(),
        Some("my_apis::library::v1::BookSpec")
    );
    assert_eq!(
        field(holder, "own").ty.path().map(ToString::to_string).as_deref(),
        Some("my_apis::library::v2::BookSpec")
    );
}

#[test]
fn a_crate_of_another_name_and_place() {
    let manifest = "[package]\nname = \"some-crate\"\nversion = \"0.1.0\"\n\n[lib]\nname = \"other\"\npath = \"code/root.rs\"\n";
    let text = format!("// +groupName=library.example.com\n{USES}{}", book("// +genclient"));
    let mut scratch = Scratch::new()
        .file("Cargo.toml", manifest)
        .file("code/root.rs", "pub mod library;\n")
        .file("code/library/mod.rs", "pub mod v1;\n")
        .file("code/library/v1.rs", &text);
    let folder = scratch.path().join("code");
    scratch.inputs.packages = vec![kube_codegen::PackageInput::new(folder, "library", "v1")];
    assert_eq!(resource(&scratch.load(), "Book").path.to_string(), "other::library::v1::Book");
}
