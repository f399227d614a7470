//! The picture of the crates in ARCHITECTURE.md: made from their manifests. It is written anew with `UPDATE_EXPECT=1`.

use std::fs;

use toml::{Table, Value};

use super::{
    crates::{dependencies, manifest, workspace},
    walk::root,
};

const OPENING: &str = "```mermaid\n";

/// Crates from elsewhere that are drawn, under one name.
const OUTSIDE: [(&str, &str); 3] = [("kube", "kube"), ("kube-core", "kube"), ("kube-client", "kube")];

/// The crates that are no part of what is shipped.
fn is_drawn(folder: &str) -> bool {
    !folder.contains('/') && folder != "tests"
}

fn picture() -> String {
    let (members, shared) = workspace();
    let drawn: Vec<String> = members.into_iter().filter(|folder| is_drawn(folder)).collect();
    let folder_of = |package: &str| {
        let name = |folder: &str| manifest(folder)["package"]["name"].as_str().map(str::to_owned);
        drawn.iter().find(|folder| name(folder).as_deref() == Some(package)).cloned()
    };
    let mut lines = Vec::new();
    for folder in &drawn {
        let features = manifest(folder).remove("features");
        let mut own = Vec::new();
        let mut is_reached = false;
        for (package, dependency) in dependencies(folder) {
            if let Some(target) = folder_of(&package) {
                let arrow = arrow((&package, &dependency), features.as_ref(), &shared);
                own.push(format!("  {folder} {arrow} {target}"));
                is_reached |= outside(&target).is_some();
            }
        }
        // Not where another crate of the picture leads to it already.
        own.extend(outside(folder).filter(|_| !is_reached).map(|name| format!("  {folder} --> {name}")));
        if own.is_empty() {
            own.push(format!("  {folder}"));
        }
        own.sort();
        lines.extend(own);
    }
    lines.sort();
    format!("{OPENING}graph LR\n{}\n```\n", lines.join("\n"))
}

/// The crate from elsewhere that a crate depends on.
fn outside(folder: &str) -> Option<&'static str> {
    let dependencies = dependencies(folder);
    OUTSIDE.iter().find(|(package, _)| dependencies.contains_key(*package)).map(|(_, name)| *name)
}

/// A plain arrow, one with the feature that brings an optional crate in, or one for a crate whose features are all off.
fn arrow((package, dependency): (&str, &Value), features: Option<&Value>, shared: &Table) -> String {
    let is = |value: Option<&Value>, key: &str, wanted: bool| {
        value.and_then(|value| value.get(key)).and_then(Value::as_bool) == Some(wanted)
    };
    if is(Some(dependency), "optional", true) {
        let enables = |list: &Value| {
            let items = list.as_array().into_iter().flatten();
            items.filter_map(Value::as_str).any(|item| item == format!("dep:{package}"))
        };
        let features = features.and_then(Value::as_table).into_iter().flatten();
        let feature = features.into_iter().find(|(_, list)| enables(list)).map(|(name, _)| name.as_str());
        return format!("-. feature {} .->", feature.unwrap_or(package));
    }
    let is_bare = is(shared.get(package), "default-features", false) && dependency.get("features").is_none();
    if is_bare { "-- without features -->".to_owned() } else { "-->".to_owned() }
}

#[test]
fn the_picture_of_the_crates_is_what_their_manifests_say() {
    let file = root().join("ARCHITECTURE.md");
    let text = fs::read_to_string(&file).unwrap();
    let start = text.find(OPENING).unwrap();
    let length = text.get(start + OPENING.len()..).unwrap().find("```\n").unwrap() + OPENING.len() + 4;
    let (before, rest) = text.split_at(start);
    let (drawn, after) = rest.split_at(length);
    let picture = picture();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, format!("{before}{picture}{after}")).unwrap();
        return;
    }
    assert_eq!(drawn, picture, "run again with UPDATE_EXPECT=1 if this is right");
}
