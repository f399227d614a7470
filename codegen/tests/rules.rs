//! Rules are refused that kube-apiserver 1.37.2 refuses, and no others: `rules.tsv` of the API server's own tests has what it said of a
//! thousand of them, on the types of `rules/types.rs`.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::crd::{CrdOptions, Refusals};
use kube_codegen::schema::{Floats, SchemaOptions};
use kube_codegen::{Inputs, PackageInput, Wanted, load_definitions};
use std::collections::BTreeSet;
use std::fs;

/// What a server refuses and we do not: literals that mix a value of any type with one of a known type, types as values, two signs before
/// the least number of all.
const LEFT_TO_SERVERS: [&str; 14] = [
    "[dyn(1),'a'].size() == 2",
    "[dyn(1), 1].size() == 2",
    "[1, dyn(1)].size() == 2",
    "[self.ios, 1].size() == 2",
    "[self.ios, 'a'].size() == 2",
    "[1, self.ios].size() == 2",
    "[[1], [dyn('a')]].size() == 2",
    "{'a': dyn(1), 'b': 'c'}.size() == 2",
    "{'a': 1, 'b': dyn(1)}.size() == 2",
    "{dyn('a'): 1, 'b': 1}.size() == 2",
    "--9223372036854775808 == self.i",
    "[[dyn(1)], [1]].size() == 1",
    "[type(1), type('a')].size() == 1",
    "[int, string].size() == 1",
];

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
    let asked = fs::read_to_string("../apiserver/tests/custom/rules.tsv").unwrap();
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
        let is_left = LEFT_TO_SERVERS.contains(rule);
        if is_refused == (*said == "fits" || is_left) {
            wrong
                .push(format!("{rule}\n  a server: {said}\n  we: {}", if is_refused { "no" } else { "yes" }));
        }
    }
    assert!(rules.len() > 1000 && wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
