//! Rules are refused that kube-apiserver 1.37.2 refuses, and no others: `rules.tsv` of the API server's own tests has what it said of a
//! thousand of them, `rules/types.tsv` of those that turn on the types of their parts, all on the types of `rules/types.rs`.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::crd::{CrdOptions, Refusals};
use kube_codegen::schema::{Floats, SchemaOptions};
use kube_codegen::{Inputs, PackageInput, Wanted, load_definitions};
use std::collections::BTreeSet;
use std::fs;

/// The lines of a source that errors are about.
fn refused(source: &str) -> BTreeSet<usize> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("v1.rs");
    fs::write(&file, source).unwrap();
    let schema = SchemaOptions { floats: Floats::Allowed, ..SchemaOptions::default() };
    let options = CrdOptions { schema, refusals: Refusals::Ignore, ..CrdOptions::default() };
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new([PackageInput::new(&file, "", "")]) };
    let found = load_definitions(&inputs, &options).err().unwrap_or_default();
    found.iter().map(|diagnostic| diagnostic.span.line).collect()
}

#[test]
fn rules_are_refused_that_a_server_refuses_and_no_others() {
    let asked = ["../apiserver/tests/custom/rules.tsv", "tests/rules/types.tsv"]
        .map(|path| fs::read_to_string(path).unwrap())
        .concat();
    let rules: Vec<(&str, &str)> = asked.lines().map(|line| line.split_once('\t').unwrap()).collect();
    let types = fs::read_to_string("tests/rules/types.rs").unwrap();
    let before = types.split("// RULES\n").next().unwrap().lines().count();
    let markers = rules.iter().map(|(rule, _)| {
        format!("// +kubebuilder:validation:XValidation:rule={}\n", serde_json::Value::from(*rule))
    });
    let refused = refused(&types.replace("// RULES\n", &markers.collect::<String>()));
    let mut wrong = Vec::new();
    for (index, (rule, said)) in rules.iter().enumerate() {
        let is_refused = refused.contains(&(before + index + 1));
        if is_refused == (*said == "fits") {
            wrong
                .push(format!("{rule}\n  a server: {said}\n  we: {}", if is_refused { "no" } else { "yes" }));
        }
    }
    assert!(rules.len() > 1290 && wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn types_that_double_with_each_step_are_read_all_the_same() {
    let doubled = (0..60).fold("optional.of(1)".to_owned(), |rule, _| format!("{rule}.optMap(x, {{x: x}})"));
    let types = fs::read_to_string("tests/rules/types.rs").unwrap();
    let rule = serde_json::Value::from(format!("{doubled}.hasValue()"));
    let marker = format!("// +kubebuilder:validation:XValidation:rule={rule}\n");
    assert!(refused(&types.replace("// RULES\n", &marker)).is_empty());
}
