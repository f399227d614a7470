//! The built-in resources, read from the table in `data/kinds.txt`.
//!
//! The form of the table stands at its head. It was made from the discovery documents of a real server.

use std::sync::{Arc, OnceLock};

use crate::{printers::Printer, store::TableId, strategy};

use super::{
    ScalePaths,
    resource::{Resource, Subresource, Turned, Verbs, group_version, head},
};

const TABLE: &str = include_str!("../../data/kinds.txt");

/// Every built-in resource, in the order of discovery.
pub(super) fn resources() -> Vec<Resource> {
    let mut resources: Vec<Resource> = Vec::new();
    let mut current = ("", "");
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (line.starts_with(' '), words.as_slice()) {
            (false, [name]) => current = name.rsplit_once('/').unwrap_or(("", name)),
            (true, [path, group_version, kind, verbs]) => {
                if let Some(resource) = resources.last_mut() {
                    resource.subresources.extend(subresource(path, group_version, kind, verbs));
                }
            }
            (true, words) => resources.extend(resource(current, words)),
            _ => {}
        }
    }
    resources
}

fn subresource(path: &str, group_version: &str, kind: &str, verbs: &str) -> Option<Subresource> {
    let own = group_version == "-";
    let (group, version) = group_version.rsplit_once('/').unwrap_or(("", group_version));
    Some(Subresource {
        name: path.strip_prefix('/')?.to_owned(),
        group_version: (!own).then(|| (group.to_owned(), version.to_owned())),
        kind: kind.to_owned(),
        verbs: Verbs::parse(verbs),
    })
}

fn resource((group, version): (&str, &str), words: &[&str]) -> Option<Resource> {
    let [plural, kind, singular, scope, verbs, short_names, categories, hash] = words else {
        return None;
    };
    let list = |text: &str| -> Vec<String> {
        let words = text.split(',').filter(|word| *word != "-");
        words.map(str::to_owned).collect()
    };
    Some(Resource {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: (*kind).to_owned(),
        list_kind: format!("{kind}List"),
        plural: (*plural).to_owned(),
        singular: (*singular).to_owned(),
        namespaced: *scope == "Namespaced",
        verbs: Verbs::parse(verbs),
        short_names: list(short_names),
        categories: list(categories),
        storage_hash: list(hash).concat(),
        subresources: Vec::new(),
        builtin: true,
        scale: ScalePaths::builtin(group, plural),
        rules: strategy::builtin(group, plural),
        turned: turned(group, version, plural, kind),
        custom: None,
        table: TableId(0),
        head: head(kind, &group_version(group, version)),
        published: None,
        printer: Printer::builtin(group, version, plural),
        types: OnceLock::new(),
    })
}

fn turned(group: &str, version: &str, plural: &str, kind: &str) -> Option<Arc<Turned>> {
    let turn = strategy::turn(group, version, plural)?;
    Some(Arc::new(Turned { turn, head: head(kind, &group_version(group, version)) }))
}
