//! Words of a definition: names that clients use, labels, annotations, warnings. What a server would refuse of them.
//!
//! In: the markers of a kind. Out: problems, each at the argument that holds the word. Paths and schemas are looked at elsewhere.

use super::build::span;
use crate::diagnostic::{CrdProblem, Diagnostics, ServerProblem};
use crate::model::{Marker, MarkerValue, Resource};
use crate::naming::{is_label, is_label_key, is_label_value};

/// The longest warning, in letters.
const WARNING_LIMIT: usize = 256;

const LABEL_RULE: &str =
    "it is up to 63 small letters, digits and `-`, beginning with a letter and ending with a letter or digit";
const KIND_RULE: &str = "it is up to 63 letters of the alphabet and digits, beginning with a letter";
const KEY_RULE: &str = "a key is up to 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends; a DNS name and `/` may stand before it";
const VALUE_RULE: &str =
    "a value is up to 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends";

/// Checks what the markers of a kind say in words.
pub(super) fn check(resource: &Resource, wrong: &mut Diagnostics) {
    if !is_label(&resource.kind.to_lowercase()) {
        let found = resource.kind.clone();
        let problem = ServerProblem::BadWord { what: "the name of a kind", found, rule: KIND_RULE };
        wrong.add(problem, span(&resource.place));
    }
    for marker in &resource.markers {
        match marker.name.as_str() {
            "kubebuilder:resource" => names(marker, wrong),
            "kubebuilder:metadata" => metadata(marker, wrong),
            "kubebuilder:deprecatedversion" => warning(marker, wrong),
            "kubebuilder:printcolumn" if marker.text("name").is_none() => {
                wrong.add(ServerProblem::NamelessColumn, span(marker.place_of("name")));
            }
            _ => {}
        }
    }
}

fn names(marker: &Marker, wrong: &mut Diagnostics) {
    let singular = marker.text("singular").map(str::to_owned).into_iter().collect();
    let lists = [
        ("singular", "a singular", singular),
        ("shortName", "a short name", marker.texts("shortName")),
        ("categories", "a category", marker.texts("categories")),
    ];
    for (argument, what, found) in lists {
        for found in found.into_iter().filter(|found| !is_label(found)) {
            let problem = ServerProblem::BadWord { what, found, rule: LABEL_RULE };
            wrong.add(problem, span(marker.place_of(argument)));
        }
    }
}

fn metadata(marker: &Marker, wrong: &mut Diagnostics) {
    let bad = |what, found: &str, rule| ServerProblem::BadWord { what, found: found.to_owned(), rule };
    for (argument, what) in [("labels", "the key of a label"), ("annotations", "the key of an annotation")] {
        let place = || span(marker.place_of(argument));
        for pair in marker.texts(argument) {
            let Some((key, value)) = pair.split_once('=') else {
                wrong.add(CrdProblem::NoPair { text: pair }, place());
                continue;
            };
            // The case of an annotation's key does not matter.
            let known = if argument == "labels" { key.to_owned() } else { key.to_lowercase() };
            if !is_label_key(&known) {
                wrong.add(bad(what, key, KEY_RULE), place());
            }
            if argument == "labels" && !is_label_value(value) {
                wrong.add(bad("the value of a label", value, VALUE_RULE), place());
            }
        }
    }
}

fn warning(marker: &Marker, wrong: &mut Diagnostics) {
    let Some(text) = marker.argument("warning").and_then(MarkerValue::as_text) else { return };
    let letters = text.chars().count();
    let fault = match () {
        () if text.is_empty() => "it is empty".to_owned(),
        () if letters > WARNING_LIMIT => format!("it has {letters} letters, and {WARNING_LIMIT} are allowed"),
        () if text.chars().any(char::is_control) => "it has letters that cannot be printed".to_owned(),
        () => return,
    };
    wrong.add(ServerProblem::BadWarning { fault }, span(marker.place_of("warning")));
}
