//! What rules may cost: our server reckons as kube-apiserver 1.37.2 does, whose words are beside the tests of the generator.

use std::{collections::BTreeMap, fs};

use super::accepted::{refusals, workspace, written};

/// By how much each rule is too dear in a list of so many items, as our server says it.
fn factors(rules: &[&str], most: &str) -> BTreeMap<usize, String> {
    let types = fs::read_to_string(workspace().join("codegen/tests/costs/types.rs")).unwrap();
    let markers: String =
        rules.iter().map(|rule| format!("// +kubebuilder:validation:XValidation:rule=`{rule}`\n")).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("v1.rs");
    fs::write(&file, types.replace("=MOST", &format!("={most}")).replace("// RULES\n", &markers)).unwrap();
    let made = written("crd:allowDangerousTypes=true", "ignore", &file).unwrap();
    let said = refusals(made.path()).join("\n");
    let parts = said.split("x-kubernetes-validations[").skip(1);
    let read = parts.filter_map(|part| {
        let (index, rest) = part.split_once(']')?;
        let factor =
            rest.strip_prefix(".rule: Forbidden: estimated rule cost exceeds budget by factor of ")?;
        Some((index.parse().ok()?, factor.split_once("x ")?.0.to_owned()))
    });
    read.collect()
}

#[tokio::test]
async fn rules_cost_what_a_real_server_says() {
    let asked = fs::read_to_string(workspace().join("codegen/tests/costs/asked.tsv")).unwrap();
    let mut by_most: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for line in asked.lines() {
        let [most, said, rule] = line.splitn(3, '\t').collect::<Vec<_>>().try_into().unwrap();
        by_most.entry(most).or_default().push((said, rule));
    }
    let mut wrong = Vec::new();
    for (most, lines) in by_most {
        let rules: Vec<&str> = lines.iter().map(|(_, rule)| *rule).collect();
        let found = factors(&rules, most);
        for (index, (said, rule)) in lines.iter().enumerate() {
            let ours = found.get(&index).map_or("nothing", String::as_str);
            if ours != *said {
                wrong.push(format!("{rule}: {said} is said, and {ours} by ours"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
