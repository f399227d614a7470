//! The shapes of root types.

use crate::support::{Scratch, book, field, resource, type_def};
use kube_codegen::model::{Generators, Origin, Scope, Shape, TypeExpr, Verb};

#[test]
fn the_go_shape() {
    let model = Scratch::package(&book("// +genclient")).load();
    let book = resource(&model, "Book");
    assert_eq!(book.path.to_string(), "my_apis::library::v1::Book");
    assert_eq!(book.shape, Shape::GoRoot);
    assert_eq!(book.docs, "A book.");
    let root = model.root(book).expect("its definition");
    assert_eq!(field(root, "metadata").ty, TypeExpr::ObjectMeta);
    assert!(matches!(&field(root, "type_meta").ty, TypeExpr::TypeMeta(of) if of.path() == Some(&book.path)));
    let (group, version, _) = model.resources().next().expect("one");
    assert_eq!(version.api_version(group), "library.example.com/v1");
}

#[test]
fn self_stands_for_the_type() {
    let text = book("// +genclient").replace("TypeMeta<Book>", "TypeMeta<Self>");
    assert_eq!(resource(&Scratch::package(&text).load(), "Book").shape, Shape::GoRoot);
}

const DERIVED: &str = r##"
use kube::CustomResource;
use schemars::JsonSchema;

// +genclient
/// What is wished of a shelf.
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "library.example.com", version = "v1", kind = "Shelf", namespaced)]
#[kube(status = "ShelfStatus", shortname = "sh", printcolumn = r#"{"name":"A"}"#)]
#[kube(scale(spec_replicas_path = ".spec.boards", status_replicas_path = ".status.boards"), derive = "Default")]
pub struct ShelfSpec {
    pub boards: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShelfStatus {
    pub boards: i32,
}
"##;

fn derived() -> String {
    DERIVED.to_owned()
}

#[test]
fn the_derived_shape() {
    let model = Scratch::package(&derived()).load();
    let shelf = resource(&model, "Shelf");
    assert_eq!(shelf.path.to_string(), "my_apis::library::v1::Shelf");
    assert!(matches!(&shelf.shape, Shape::KubeDerive { spec } if spec.name == "ShelfSpec"));
    assert_eq!(shelf.scope, Scope::Namespaced);
    assert_eq!(shelf.names.plural, "shelfs", "the derive's plural is what the client asks for");
    assert_eq!(shelf.names.getter, "shelves");
    assert_eq!(shelf.generators, Generators { object: false, ..Generators::ALL });
    assert!(shelf.has_status && shelf.verbs.contains(Verb::UpdateStatus));
    let root = model.root(shelf).expect("its definition");
    assert_eq!(root.origin, Origin::KubeDerive);
    let names: Vec<&str> = root.fields().iter().map(|field| field.ident.as_str()).collect();
    assert_eq!(names, ["metadata", "spec", "status"]);
    assert_eq!(
        field(root, "status").ty.inner().path().map(ToString::to_string).as_deref(),
        Some("my_apis::library::v1::ShelfStatus")
    );
}

#[test]
fn keys_of_the_derive_win() {
    let text = derived()
        .replace("namespaced)", "plural = \"racks\", root = \"Rack\", doc = \"A rack.\")")
        .replace("status = \"ShelfStatus\", ", "");
    let model = Scratch::package(&text).load();
    let shelf = resource(&model, "Shelf");
    assert_eq!(shelf.path.name, "Rack");
    assert_eq!(shelf.names.plural, "racks");
    assert_eq!(shelf.scope, Scope::Cluster);
    assert_eq!(shelf.docs, "A rack.");
    assert!(!shelf.has_status);
}

#[test]
fn a_package_of_derived_kinds_needs_no_group_marker() {
    let text = derived();
    let text = format!("use serde::{{Deserialize, Serialize}};\n{text}");
    let model = Scratch::new().file("src/library/v1.rs", &text).input("library", "v1").load();
    assert_eq!(model.groups[0].name, "library.example.com");
    assert_eq!(model.groups[0].versions[0].name, "v1");
}

#[test]
fn other_types_may_name_a_derived_kind() {
    let text = format!(
        "{}\n#[derive(Serialize, Deserialize)]\npub struct Wall {{\n    pub shelves: Vec<Shelf>,\n}}\n",
        derived()
    );
    let model = Scratch::package(&text).load();
    let wall = type_def(&model, "my_apis::library::v1::Wall");
    assert!(
        matches!(&field(wall, "shelves").ty, TypeExpr::List(_, item) if item.path().is_some_and(|path| path.name == "Shelf"))
    );
}

#[test]
fn a_list_type_written_by_hand_is_no_kind() {
    let text = format!(
        "{}
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta;
// +kubebuilder:object:root=true
#[derive(Serialize, Deserialize)]
pub struct BookList {{
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<BookList>,
    pub metadata: ListMeta,
    pub items: Vec<Book>,
}}
",
        book("// +genclient")
    );
    assert_eq!(Scratch::package(&text).load().resources().count(), 1);
}
