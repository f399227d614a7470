//! Names that come through imports of everything, through other crates, and through crates by other names.

use crate::support::{Scratch, field, type_def};
use kube_codegen::model::TypeExpr;

const HEAD: &str = "// +groupName=library.example.com\n\nuse serde::{Deserialize, Serialize};\n";

/// A crate whose package is `library/v1`, with these lines and a struct of these fields.
fn crate_with(uses: &str, fields: &str) -> Scratch {
    let text = format!("{HEAD}{uses}\n#[derive(Serialize, Deserialize)]\npub struct Shelf {{ {fields} }}\n");
    Scratch::new().file("src/library/v1/mod.rs", &text).input("library", "v1").any().crates(&[])
}

/// The type of the field `it`, as the model prints it.
fn of_it(scratch: &Scratch) -> String {
    let model = scratch.load();
    let field = field(type_def(&model, "my_apis::library::v1::Shelf"), "it").ty.clone();
    match field {
        TypeExpr::Named { path, .. } => path.to_string(),
        other => format!("{other:?}"),
    }
}

const INT_OR_STRING: &str = "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString";

#[test]
fn a_prelude_that_exports_types_of_other_crates() {
    for uses in ["use self::prelude::*;", "use prelude::*;", "use prelude::IntOrString;"] {
        let prelude = format!("mod prelude {{ pub use {INT_OR_STRING}; }}");
        assert_eq!(of_it(&crate_with(&format!("{prelude}\n{uses}"), "pub it: IntOrString")), INT_OR_STRING);
    }
    let chain = "mod prelude { pub use super::inner::*; }
        mod inner { pub(crate) use k8s_openapi::apimachinery::pkg::util::intstr::*; }
        use prelude::*;";
    assert_eq!(of_it(&crate_with(chain, "pub it: IntOrString")), INT_OR_STRING);
}

#[test]
fn a_prelude_of_the_crate() {
    let scratch =
        crate_with("use crate::prelude::*;", "pub it: Page, pub other: super::super::prelude::Page")
            .file("src/lib.rs", "pub mod library { pub mod v1; }\npub mod prelude;\nmod page;")
            .file("src/prelude.rs", "pub use crate::page::*;\npub(crate) use std::collections::*;")
            .file("src/page.rs", "use serde::*;\n#[derive(Serialize)]\npub struct Page { pub number: i32 }");
    assert_eq!(of_it(&scratch), "my_apis::page::Page");
}

#[test]
fn globs_that_lead_around_end() {
    let around =
        "mod a { pub use super::b::*; pub struct Page; } mod b { pub use super::a::*; pub use super::c::*; }
        mod c { pub use super::b::*; } use c::*; use b::*;";
    assert_eq!(of_it(&crate_with(around, "pub it: Page")), "my_apis::library::v1::a::Page");
    let problems = crate_with(around, "pub it: Nobody").problems();
    assert_eq!(problems, ["there is no type `Nobody` here"]);
}

#[test]
fn names_come_before_globs_and_what_is_private_does_not_come() {
    let pages = "mod a { pub struct Page; } mod b { pub struct Page; }";
    let named = format!("{pages} use a::*; use b::Page;");
    assert_eq!(of_it(&crate_with(&named, "pub it: Page")), "my_apis::library::v1::b::Page");
    let private = "mod a { pub struct Page; } mod b { struct Page; use super::a::Page as Leaf; } mod d { pub struct Leaf; }
        use a::*; use b::*; use d::*;";
    assert_eq!(of_it(&crate_with(private, "pub it: Page")), "my_apis::library::v1::a::Page");
    assert_eq!(of_it(&crate_with(private, "pub it: Leaf")), "my_apis::library::v1::d::Leaf");
    // The same by two ways is no question.
    let twice = "mod a { pub struct Page; } mod b { pub use super::a::*; } use a::*; use b::*;";
    assert_eq!(of_it(&crate_with(twice, "pub it: Page")), "my_apis::library::v1::a::Page");
}

#[test]
fn two_types_of_one_name_are_refused() {
    let both = "mod a { pub struct Page; } mod b { pub struct Page; } use a::*; use b::*;";
    assert_eq!(
        crate_with(both, "pub it: Page").problems(),
        [
            "`Page` is `my_apis::library::v1::a::Page` or `my_apis::library::v1::b::Page`, which are both imported with `*`"
        ]
    );
}

#[test]
fn a_module_sees_what_is_private_above_it() {
    let uses = "struct Page; mod deep { use super::*; #[derive(serde::Serialize)] pub struct Leaf { pub of: Page } }";
    let model = crate_with(uses, "pub it: deep::Leaf").load();
    let leaf = type_def(&model, "my_apis::library::v1::deep::Leaf");
    assert_eq!(field(leaf, "of").ty.path().expect("a path").to_string(), "my_apis::library::v1::Page");
}

#[test]
fn modules_of_the_standard_library_and_of_known_crates() {
    for (uses, ty, expected) in [
        (
            "use std::collections::*;\nuse k8s_openapi::apimachinery::pkg::apis::meta::v1::*;",
            "BTreeSet<String>",
            "Set(BTreeSet, String)",
        ),
        (
            "use std::collections::*;\nuse k8s_openapi::apimachinery::pkg::apis::meta::v1::*;",
            "Condition",
            "k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition",
        ),
        ("use std::net::*;\nuse chrono::prelude::*;\nuse serde_json::*;", "Ipv4Addr", "std::net::Ipv4Addr"),
        (
            "use std::net::*;\nuse chrono::prelude::*;\nuse serde_json::*;",
            "DateTime<Utc>",
            "chrono::prelude::DateTime",
        ),
        ("use std::net::*;\nuse chrono::prelude::*;\nuse serde_json::*;", "Value", "Json"),
        (
            "use std::net::*;\nuse std::time::*;",
            "Option<Duration>",
            "Option(Named { path: TypePath { crate_name: \"std\", modules: [\"time\"], name: \"Duration\" }, arguments: [] })",
        ),
        ("use kube::*;\nuse unknown::*;\nuse other::*;", "String", "String"),
    ] {
        assert_eq!(of_it(&crate_with(uses, &format!("pub it: {ty}"))), expected, "{uses} {ty}");
    }
}

#[test]
fn other_crates_are_asked_for_what_they_export() {
    let scratch = |uses: &str, ty: &str| {
        crate_with(uses, &format!("pub it: {ty}"))
            .file("common/src/lib.rs", "pub mod prelude { pub use crate::parts::*; pub use deeper::*; pub use std::collections::BTreeMap as Map; }\nmod parts;\nextern crate deeper;")
            .file("common/src/parts.rs", "pub use k8s_openapi::apimachinery::pkg::util::intstr::*;\npub struct Part { pub leaf: u8 }\nstruct Private;\npub type Names<T> = Vec<T>;")
            .file("deeper/src/lib.rs", "pub struct Leaf { pub size: u16 }\npub(crate) struct Hidden;")
            .file("other/src/lib.rs", "pub struct Private { pub size: u16 }")
            .crates(&[("common", "common/src/lib.rs"), ("deeper", "deeper/src/lib.rs"), ("other", "other/src/lib.rs")])
    };
    let both = "use common::prelude::*;\nuse other::*;";
    assert_eq!(of_it(&scratch(both, "Part")), "common::prelude::Part");
    assert_eq!(of_it(&scratch(both, "Leaf")), "common::prelude::Leaf");
    assert_eq!(of_it(&scratch(both, "Private")), "other::Private");
    assert_eq!(
        of_it(&scratch("use common::prelude::*;", "IntOrString")),
        "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString"
    );
    assert_eq!(
        of_it(&scratch("use common::prelude::*;", "Map<String, String>")),
        "Map(BTreeMap, String, String)"
    );
    let problems = scratch("use deeper::*;\nuse other::*;", "Hidden").problems();
    assert_eq!(problems, ["there is no type `Hidden` here"]);
    let model = scratch(both, "Leaf").load();
    assert!(model.aliases.keys().any(|path| path.to_string() == "common::prelude::Leaf"));
    assert!(model.others.keys().any(|path| path.to_string() == "deeper::Leaf"));
    let model = scratch(both, "Names<String>").load();
    assert!(model.aliases.keys().any(|path| path.to_string() == "common::prelude::Names"));
}

#[test]
fn crates_by_other_names() {
    let path = "apimachinery::pkg::util::intstr::IntOrString";
    for uses in [
        format!("use k8s_openapi as k8s;\nuse k8s::{path};"),
        format!(
            "use k8s_openapi::apimachinery as machinery;\nuse machinery::pkg::util::intstr::*;\n// {path}"
        ),
        format!("mod all {{ pub use k8s_openapi as k8s; }}\nuse all::*;\nuse k8s::{path};"),
    ] {
        assert_eq!(of_it(&crate_with(&uses, "pub it: IntOrString")), INT_OR_STRING, "{uses}");
    }
    let declared = crate_with(&format!("use k8s::{path};"), "pub it: IntOrString").file(
        "src/lib.rs",
        "extern crate k8s_openapi as k8s;\nextern crate self as me;\npub mod library { pub mod v1; }",
    );
    assert_eq!(of_it(&declared), INT_OR_STRING);
    let own = crate_with("use me::page::Page;", "pub it: Page").file(
        "src/lib.rs",
        "extern crate self as me;\npub mod library { pub mod v1; }\npub mod page { pub struct Page; }",
    );
    assert_eq!(of_it(&own), "my_apis::page::Page");
}

#[test]
fn crates_that_the_manifest_calls_otherwise() {
    let manifest = "[package]\nname = \"my-apis\"\nversion = \"0.1.0\"\n[dependencies]\nk8s = { package = \"k8s-openapi\", version = \"0.29\" }\nmoment.workspace = true\n";
    let workspace =
        "[workspace]\n[workspace.dependencies]\nmoment = { package = \"chrono\", version = \"0.4\" }\n";
    for (ty, expected) in [
        ("k8s::apimachinery::pkg::util::intstr::IntOrString", INT_OR_STRING),
        ("moment::DateTime<moment::Utc>", "chrono::DateTime"),
    ] {
        let scratch = crate_with("", &format!("pub it: {ty}"));
        let scratch = scratch.file("Cargo.toml", &format!("{manifest}{workspace}"));
        assert_eq!(of_it(&scratch), expected);
    }
}

#[test]
fn parts_of_a_module_in_other_files_belong_to_it() {
    let uses = "use std::collections::*;\ninclude!(\"parts/page.rs\");\nstd::include!(\"more.rs\");\nmod below { use super::*; pub struct Low { pub page: Page } }";
    let scratch = crate_with(uses, "pub it: Page, pub all: Vec<Sheet>, pub low: below::Low, pub leaf: self::Sheet")
        .file("src/library/v1/parts/page.rs", "use super::v1::Sheet as Leaf;\n#[derive(serde::Serialize)]\npub struct Page { pub sheets: BTreeMap<String, Sheet>, pub leaf: Leaf, pub low: below::Low }")
        .file("src/library/v1/more.rs", "struct Sheet { pub of: Option<Box<Page>> }")
        .file("src/lib.rs", "pub mod library { pub mod v1; }");
    let page = "my_apis::library::v1::Page";
    assert_eq!(of_it(&scratch), page);
    let model = scratch.load();
    let low = type_def(&model, "my_apis::library::v1::below::Low");
    assert_eq!(field(low, "page").ty.path().expect("a path").to_string(), page);
    let sheet = type_def(&model, "my_apis::library::v1::Sheet");
    assert_eq!(field(sheet, "of").ty.inner().path().expect("a path").to_string(), page);
    let leaf = field(type_def(&model, page), "leaf").ty.path().expect("a path");
    assert_eq!(leaf, &sheet.path);
}

#[test]
fn a_part_that_is_not_there_is_told_with_its_place() {
    let problems = crate_with("include!(\"nowhere.rs\");", "pub it: String").problems();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("nowhere.rs"), "{problems:?}");
    // What a build writes is not there yet, and what we write is not read.
    let uses = "include!(concat!(env!(\"OUT_DIR\"), \"/built.rs\"));\ninclude!(\"zz_generated.object.rs\");";
    assert!(crate_with(uses, "pub it: String").problems().is_empty());
}

#[test]
fn what_is_declared_twice_under_conditions_is_refused() {
    let types = "#[cfg(unix)]\npub struct Page;\n#[cfg(not(unix))]\npub struct Page { pub a: u8 }";
    let said =
        "is declared twice in this module, each under a condition, and it cannot be seen which one holds";
    assert_eq!(crate_with(types, "pub it: Page").problems(), [format!("`Page` {said}")]);
    let modules = "#[cfg(unix)]\nmod a { pub struct Page; }\n#[cfg(not(unix))]\nmod a { pub struct Page; }";
    assert_eq!(crate_with(modules, "pub it: a::Page").problems(), [format!("`a` {said}")]);
    assert!(crate_with(modules, "pub it: String").problems().is_empty());
    let tests = "pub struct Page;\n#[cfg(test)]\nmod a { pub struct Page; }\n#[cfg(test)]\npub struct Page { pub a: u8 }";
    assert!(crate_with(tests, "pub it: Page").problems().is_empty());
}

#[test]
fn modules_at_other_places_and_variants_as_names() {
    let uses = "#[path = \"odd place.rs\"]\npub mod odd;\npub use odd::*;\npub use odd::Colour::*;\npub use Colour::{Red as Blue};";
    let scratch = crate_with(uses, "pub it: Colour, pub other: Red").file(
        "src/library/v1/odd place.rs",
        "#[derive(serde::Serialize)]\npub enum Colour { Red, Green }\npub struct Red;",
    );
    assert_eq!(of_it(&scratch), "my_apis::library::v1::odd::Colour");
}
