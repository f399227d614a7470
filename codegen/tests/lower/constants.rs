//! Constants in attributes, wherever they are declared.

use crate::support::{Scratch, USES, book, field, type_def};

/// The greatest length of the field `title`, where it is known.
fn most(attribute: &str, files: &[(&str, &str)]) -> Option<String> {
    let text = book("// +genclient").replacen("pub title", &format!("{attribute}\n    pub title"), 1);
    let mut scratch = Scratch::new()
        .file("src/lib.rs", "pub mod library;\npub mod limits;\n")
        .file("src/library/mod.rs", "pub mod v1;\n")
        .file(
            "src/library/v1.rs",
            &format!("// +groupName=library.example.com\n\n{USES}use crate::limits::*;\n{text}"),
        )
        .input("library", "v1");
    for (path, text) in files {
        scratch = scratch.file(path, text);
    }
    let model = scratch.load();
    let spec = type_def(&model, "my_apis::library::v1::BookSpec");
    let title = field(spec, "title");
    assert!(title.gaps.len() < 2);
    let marker = title.markers.iter().find(|marker| marker.name == "kubebuilder:validation:MaxLength");
    marker.and_then(|marker| marker.value()).map(|value| format!("{value:?}"))
}

#[test]
fn they_are_followed_through_imports_and_sums() {
    for limits in [
        "pub const MOST: u32 = 12;",
        "pub const MOST: usize = 2 * HALF;\nconst HALF: usize = 5 + 1;",
        "pub const MOST: u8 = (DOZEN as u8);\npub use self::more::*;\nmod more { pub use super::*; pub static DOZEN: i64 = 0xC; }",
        "pub use more::DOZEN as MOST;\nmod more { pub const DOZEN: u32 = 12; }",
    ] {
        let files = [("src/limits.rs", limits)];
        for attribute in
            ["#[schemars(length(max = MOST))]", "#[validate(length(min = 1, max = crate::limits::MOST))]"]
        {
            assert_eq!(most(attribute, &files).as_deref(), Some("Integer(12)"), "{limits} {attribute}");
        }
    }
}

#[test]
fn what_code_works_out_or_leads_around_is_not_known() {
    for limits in [
        "",
        "pub const MOST: u32 = most();",
        "pub const MOST: u32 = OTHER;\nconst OTHER: u32 = MOST;",
        "pub use self::one::*;\nmod one { pub use super::two::*; }\nmod two { pub use super::one::*; }",
        "pub const MOST: i128 = 170141183460469231731687303715884105727 + 1;",
    ] {
        assert_eq!(most("#[schemars(length(max = MOST))]", &[("src/limits.rs", limits)]), None, "{limits}");
    }
}
