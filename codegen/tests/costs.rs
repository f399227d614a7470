//! The costs of rules are those that kube-apiserver 1.37.2 reckons.
//!
//! `costs/asked.tsv` has what it said of rules on `costs/types.rs`: the most items of the list they are in, by how much the cost of the
//! rule exceeds what one rule may cost, and the rule.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::crd::{CrdOptions, Refusals};
use kube_codegen::schema::{Floats, PER_RULE, RuleCost, SchemaOptions, rule_costs};
use kube_codegen::{Inputs, PackageInput, Wanted, load_definitions};
use std::collections::BTreeMap;
use std::fs;

/// What the rules cost in a list of so many items.
fn costs(rules: &[&str], most: &str) -> Vec<RuleCost> {
    let types = fs::read_to_string("tests/costs/types.rs").unwrap();
    let markers: String =
        rules.iter().map(|rule| format!("// +kubebuilder:validation:XValidation:rule=`{rule}`\n")).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("v1.rs");
    fs::write(&file, types.replace("=MOST", &format!("={most}")).replace("// RULES\n", &markers)).unwrap();
    let schema = SchemaOptions { floats: Floats::Allowed, ..SchemaOptions::default() };
    let options = CrdOptions { schema, refusals: Refusals::Ignore, ..CrdOptions::default() };
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new([PackageInput::new(&file, "", "")]) };
    let loaded = load_definitions(&inputs, &options).unwrap();
    rule_costs(&loaded.definitions[0].versions[0].schema)
}

/// A cost as a server says it.
fn factor(cost: u64) -> String {
    let factor = cost as f64 / PER_RULE as f64;
    if factor < 1.5 { format!("{factor:.6}") } else { format!("{factor:.1}") }
}

#[test]
fn the_costs_of_rules_are_those_of_a_server() {
    let asked = fs::read_to_string("tests/costs/asked.tsv").unwrap();
    let mut by_most: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for line in asked.lines() {
        let [most, said, rule] = line.splitn(3, '\t').collect::<Vec<_>>().try_into().unwrap();
        by_most.entry(most).or_default().push((said, rule));
    }
    let (mut count, mut wrong) = (0, Vec::new());
    for (most, lines) in by_most {
        let rules: Vec<&str> = lines.iter().map(|(_, rule)| *rule).collect();
        let found = costs(&rules, most);
        assert_eq!(found.len(), rules.len(), "a rule has no cost");
        for ((said, rule), cost) in lines.iter().zip(&found) {
            count += 1;
            assert_eq!(cost.rule.rule, *rule);
            if factor(cost.cost) != *said {
                wrong.push(format!("{rule}: {said} is said, and {} found", factor(cost.cost)));
            }
        }
    }
    assert!(count >= 190, "rules are missing: {count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
