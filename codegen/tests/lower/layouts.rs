//! Where type packages may lie.

use crate::support::{Scratch, USES, book, resource};
use std::fs;

fn text() -> String {
    format!("// +groupName=library.example.com\n\n{USES}\n{}", book("// +genclient"))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

#[test]
fn folders_files_and_inline_modules_are_the_same() {
    let inline = format!("pub mod v1 {{\n{}}}\n", indented(&text()));
    let nested = format!("pub mod library {{\n{}}}\n", indented(&inline));
    let layouts = [
        vec![("src/library/v1/mod.rs", text())],
        vec![("src/library/v1.rs", text())],
        vec![("src/library/mod.rs", inline.clone())],
        vec![("src/library.rs", inline)],
        vec![("src/lib.rs", nested.clone())],
        vec![("src/main.rs", nested)],
        vec![
            ("src/lib.rs", "#[path = \"elsewhere/books.rs\"]\npub mod library;\n".to_owned()),
            ("src/elsewhere/books.rs", "pub mod v1;\n".to_owned()),
            ("src/elsewhere/v1.rs", text()),
        ],
        vec![
            ("src/library/v1/mod.rs", "mod kinds;\npub use kinds::*;\n".to_owned()),
            ("src/library/v1/kinds.rs", text()),
        ],
        vec![
            ("src/library/v1.rs", "mod kinds;\npub use kinds::*;\n".to_owned()),
            ("src/library/v1/kinds.rs", text()),
        ],
    ];
    for layout in layouts {
        let mut scratch = Scratch::new().input("library", "v1");
        for (path, text) in &layout {
            scratch = scratch.file(path, text);
        }
        let model = scratch.load();
        let book = resource(&model, "Book");
        assert_eq!(book.names.plural, "books");
        assert_eq!(book.path.name, "Book", "{layout:?}");
        assert_eq!(book.path.crate_name, "my_apis");
        assert_eq!(book.path.modules, ["library", "v1"], "{layout:?}");
        assert_eq!(model.types.len(), 3);
    }
}

#[test]
fn a_macro_that_stands_for_the_files_of_a_folder_is_followed() {
    let head = "// +groupName=library.example.com\n";
    let uses = "pub use kinds::*;\npub use more_kinds::*;\n";
    let layouts = [
        ("src/library/v1/mod.rs", format!("{head}automod::dir!(pub \"src/library/v1\");\n{uses}")),
        ("src/library/v1.rs", format!("{head}::automod::dir!(\"src/library/v1\");\n{uses}")),
        (
            "src/library/v1.rs",
            format!("{head}mod all {{ automod::dir!(pub \"src/library/v1\"); }}\npub use all::kinds::*;\n"),
        ),
    ];
    for (file, text) in layouts {
        let kinds = format!("{USES}\n{}", book("// +genclient"));
        let scratch = Scratch::new()
            .file(file, &text)
            .file("src/library/v1/kinds.rs", &kinds)
            .file("src/library/v1/more-kinds.rs", "pub struct Shelf;\n")
            .file("src/library/v1/notes.txt", "no source")
            .input("library", "v1");
        let model = scratch.load();
        assert_eq!(resource(&model, "Book").names.plural, "books", "{text}");
        assert_eq!(model.types.len(), 4, "{text}");
    }
}

#[test]
fn a_macro_that_stands_for_no_file_is_reported() {
    let text = format!("// +groupName=library.example.com\nautomod::dir!(\"src/nowhere\");\n{}", text());
    let said = Scratch::new()
        .file("src/library/v1.rs", &text)
        .input("library", "v1")
        .try_load()
        .unwrap_err()
        .to_string();
    assert!(said.contains("there is no source file in `src/nowhere`"), "{said}");
    assert!(said.contains("v1.rs:2:1") && said.contains("starts at the folder of `Cargo.toml`"), "{said}");
}

#[test]
fn the_folder_of_the_crate_will_do() {
    let mut scratch = Scratch::new().file("src/library/v1.rs", &text());
    let root = scratch.path().to_owned();
    scratch.inputs.packages = vec![kube_codegen::PackageInput::new(root, "library", "v1")];
    assert_eq!(resource(&scratch.load(), "Book").path.to_string(), "my_apis::library::v1::Book");
}

#[test]
fn a_module_in_a_file_above_can_be_named_like_a_folder() {
    let inline = format!("pub mod v1 {{\n{}}}\n", indented(&text()));
    let nested =
        format!("pub mod apis {{\n    pub mod library {{\n{}    }}\n}}\n", indented(&indented(&inline)));
    for file in ["src/lib.rs", "src/main.rs"] {
        let mut scratch = Scratch::new().file(file, &nested);
        let apis = scratch.path().join("src/apis");
        scratch.inputs.packages = vec![kube_codegen::PackageInput::new(apis, "library", "v1")];
        assert_eq!(resource(&scratch.load(), "Book").path.to_string(), "my_apis::apis::library::v1::Book");
    }
}

#[test]
fn the_object_file_lies_where_modules_of_the_package_lie() {
    let file = |path: &str| {
        let scratch = Scratch::new().file(path, &text()).input("library", "v1");
        let model = scratch.load();
        let file = &model.groups[0].versions[0].package.object_file;
        file.strip_prefix(scratch.path()).expect("below").to_owned()
    };
    assert_eq!(file("src/library/v1/mod.rs"), std::path::Path::new("src/library/v1/zz_generated.object.rs"));
    assert_eq!(file("src/library/v1.rs"), std::path::Path::new("src/library/v1/zz_generated.object.rs"));
}

#[test]
fn generated_files_are_not_read_and_may_be_missing() {
    let text = format!(
        "#[path = \"zz_generated.object.rs\"]\nmod zz_generated_object;\nmod zz_generated_other;\n{}",
        text()
    );
    let scratch = Scratch::new().file("src/library/v1/mod.rs", &text).input("library", "v1");
    assert_eq!(scratch.load().types.len(), 3);
    let scratch = scratch.file("src/library/v1/zz_generated.object.rs", "this is no Rust {");
    assert_eq!(scratch.load().types.len(), 3);
}

#[test]
fn modules_for_tests_are_not_read() {
    let text = format!(
        "{}\n#[cfg(test)]\nmod tests {{\n    // +genclient:nonsense\n    pub struct Book;\n}}\n#[cfg(all(test, unix))]\nmod missing;\n#[cfg(test)]\npub struct Wrong {{ a: Nowhere }}\n",
        text()
    );
    let scratch = Scratch::new().file("src/library/v1.rs", &text).input("library", "v1");
    assert_eq!(scratch.problems(), Vec::<String>::new());
}

#[test]
fn a_broken_file_does_not_hide_what_is_wrong_in_others() {
    let scratch = Scratch::new()
        .file("src/library/v1/mod.rs", "// +groupName=library.example.com\n\nmod a;\nmod b;\nmod c;\n")
        .file("src/library/v1/a.rs", "pub struct A {")
        .file("src/library/v1/b.rs", "// +genclient:nonsense\npub struct B;\n")
        .file("src/other/v1.rs", "pub struct C { a b }\n")
        .input("library", "v1")
        .input("other", "v1");
    assert_eq!(
        scratch.problems(),
        [
            "this bracket is not closed",
            "unknown marker `+genclient:nonsense`",
            "the file of module `c` is missing",
            "cannot parse: expected `:`",
        ]
    );
}

#[test]
fn files_that_cannot_be_read_are_reported() {
    let scratch = Scratch::new()
        .file("src/library/v1.rs", "mod latin;\nmod large;\nmod folder;\n")
        .input("library", "v1");
    let folder = scratch.path().join("src/library/v1");
    fs::create_dir_all(folder.join("folder.rs")).expect("a folder");
    fs::write(folder.join("latin.rs"), b"// caf\xe9\n").expect("a file");
    fs::write(folder.join("large.rs"), " ".repeat(9 << 20)).expect("a file");
    let problems = scratch.problems();
    assert_eq!(problems.len(), 3, "{problems:#?}");
    assert!(problems.iter().any(|problem| problem == "the text is not UTF-8"));
    assert!(problems.iter().any(|problem| problem.contains("the limit is")));
    assert!(problems.iter().any(|problem| problem.contains("`folder` is missing")));
}

#[test]
fn two_files_for_one_module_are_reported() {
    let scratch = Scratch::new()
        .file("src/library/v1.rs", &text())
        .file("src/library/v1/mod.rs", &text())
        .input("library", "v1");
    assert!(scratch.problems()[0].contains("is declared twice"));
}

#[cfg(unix)]
#[test]
fn loops_of_links_and_paths_end() {
    let scratch = Scratch::new()
        .file("src/library/v1.rs", "#[path = \"v1.rs\"]\nmod again;\nmod a;\nmod dead;\n")
        .input("library", "v1");
    let folder = scratch.path().join("src/library/v1");
    fs::create_dir_all(&folder).expect("a folder");
    std::os::unix::fs::symlink("../v1.rs", folder.join("a.rs")).expect("a link");
    std::os::unix::fs::symlink("dead.rs", folder.join("dead.rs")).expect("a link");
    let problems = scratch.problems();
    assert_eq!(
        problems,
        [
            "module `again` is its own ancestor",
            "module `a` is its own ancestor",
            "the file of module `dead` is missing",
        ]
    );
}
