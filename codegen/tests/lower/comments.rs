//! Which comments count for which item.

use crate::support::{Scratch, book, resource};
use kube_codegen::model::{Resource, Scope, Verb};

const TAGS: [&str; 4] =
    ["genclient", "genclient:nonNamespaced", "genclient:skipVerbs=delete,watch", "resourceName=volumes"];

fn orders() -> Vec<Vec<&'static str>> {
    let mut orders: Vec<Vec<&'static str>> = vec![Vec::new()];
    for _ in TAGS {
        orders = orders
            .into_iter()
            .flat_map(|order| {
                let rest = TAGS.into_iter().filter(|tag| !order.contains(tag)).collect::<Vec<_>>();
                rest.into_iter().map(move |tag| [order.clone(), vec![tag]].concat())
            })
            .collect();
    }
    orders
}

/// What is said, without where.
fn facts(resource: &Resource) -> impl PartialEq + std::fmt::Debug {
    (
        resource.scope,
        resource.verbs.clone(),
        resource.names.clone(),
        resource.docs.clone(),
        resource.generators,
    )
}

fn of(markers: &str) -> Resource {
    resource(&Scratch::package(&book(markers)).load(), "Book").clone()
}

#[test]
fn c043_order_blank_lines_and_text_between_tags_do_not_matter() {
    let expected = of(&TAGS.map(|tag| format!("// +{tag}\n")).concat());
    assert_eq!(expected.scope, Scope::Cluster);
    assert!(!expected.verbs.contains(Verb::Watch) && expected.verbs.contains(Verb::Get));
    assert_eq!(expected.names.plural, "volumes");
    for order in orders() {
        let plain: Vec<String> = order.iter().map(|tag| format!("// +{tag}")).collect();
        let layouts = [
            plain.join("\n"),
            plain.join("\n\n"),
            format!("{}\n\n\n", plain.join("\n")),
            order.iter().map(|tag| format!("/// +{tag}")).collect::<Vec<_>>().join("\n"),
            format!("{}\n#[allow(dead_code)]\n{}", plain[..2].join("\n"), plain[2..].join("\n")),
            format!("// Prose about it.\n{}\n// and more prose.", plain.join("\n// in between\n")),
            format!(
                "{}\n/// +{}\n#[allow(dead_code)]\n/// +{}\n// +{}",
                plain[0], order[1], order[2], order[3]
            ),
            format!("/** +{}\n * +{}\n */\n//  +{}\n//+{}", order[0], order[1], order[2], order[3]),
        ];
        for layout in layouts {
            assert_eq!(facts(&of(&layout)), facts(&expected), "{layout}");
        }
    }
}

#[test]
fn markers_leave_the_documentation() {
    let book = of("/// Before.\n/// +genclient\n/// After.\n// no documentation\n");
    assert_eq!(book.docs, "Before.\nAfter.\nA book.");
}

#[test]
fn only_the_nearest_block_counts_when_prose_stands_between() {
    let text = "// +kubebuilder:resource:scope=Cluster\n// of something that is gone.\n\n// Another remark.\n\n// +genclient\n";
    let far = of(text);
    assert_eq!(far.scope, Scope::Namespaced);
}

#[test]
fn comments_that_are_no_comments_do_not_count() {
    let text = r####"
pub const A: &str = "
// +genclient:readonly
";
pub const B: &str = r##"// +genclient:readonly "# /* "##;
pub const C: char = '"';
pub const D: &[u8] = b"/* ";
pub fn f<'a>(x: &'a str) -> &'a str { let _ = '\''; let _ = 'x'; /* a /* nested */ // +genclient:readonly
    */
    // +genclient:readonly
    x
}
pub const E: i32 = 1; // +genclient:readonly
"####;
    let all = of("// +genclient\n").verbs;
    assert_eq!(
        resource(&Scratch::package(&format!("{text}{}", book("// +genclient\n"))).load(), "Book").verbs,
        all
    );
}

#[test]
fn markers_of_the_package_may_stand_above_the_first_item() {
    let uses = crate::support::USES;
    let text = format!("// +groupName=library.example.com\n\n// +genclient\n{}\n{uses}", book(""));
    let scratch = Scratch::new().file("src/library/v1.rs", &text).input("library", "v1");
    let model = scratch.load();
    assert_eq!(model.groups[0].name, "library.example.com");
    assert_eq!(resource(&model, "Book").kind, "Book");
}

#[test]
fn markers_of_the_package_may_stand_in_any_of_its_files_and_in_its_documentation() {
    let uses = crate::support::USES;
    for (root, inner) in [
        ("//! Books.\n//! +groupName=library.example.com\nmod book;\npub use book::*;\n", ""),
        ("//! Books.\nmod book;\npub use book::*;\n", "// +groupName=library.example.com\n\n"),
        ("/*! Books.\n +groupName=library.example.com\n*/\nmod book;\npub use book::*;\n", ""),
    ] {
        let scratch = Scratch::new()
            .file("src/library/v1/mod.rs", root)
            .file("src/library/v1/book.rs", &format!("{inner}{uses}{}", book("// +genclient")))
            .input("library", "v1");
        let model = scratch.load();
        assert_eq!(model.groups[0].name, "library.example.com");
        assert_eq!(model.groups[0].versions[0].package.docs, "Books.");
    }
}
