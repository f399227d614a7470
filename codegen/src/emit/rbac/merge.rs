//! Merging: permissions to the rules of a role, as few as they can be without allowing more.

use crate::model::Permission;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

type Names = BTreeSet<String>;

/// A rule of a role.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rule {
    groups: Names,
    resources: Names,
    names: Names,
    urls: Names,
    verbs: Names,
}

impl Rule {
    pub(super) fn to_json(&self) -> Value {
        let mut map = Map::new();
        let optional = [
            ("apiGroups", &self.groups),
            ("nonResourceURLs", &self.urls),
            ("resourceNames", &self.names),
            ("resources", &self.resources),
        ];
        for (name, list) in optional.into_iter().filter(|(_, list)| !list.is_empty()) {
            map.insert(name.to_owned(), json!(list));
        }
        let all = self.verbs.contains("*");
        map.insert("verbs".to_owned(), if all { json!(["*"]) } else { json!(self.verbs) });
        Value::Object(map)
    }

    /// What rules are sorted by.
    fn order(&self) -> String {
        let joined = |names: &Names| names.iter().map(String::as_str).collect::<Vec<_>>().join("&");
        let parts = [&self.groups, &self.resources, &self.names, &self.urls].map(joined);
        parts.join(" + ")
    }
}

/// The rules of one role.
pub(super) fn merged(permissions: &[&Permission]) -> Vec<Rule> {
    let mut rules: Vec<Rule> = permissions.iter().copied().flat_map(split).collect();
    // In this order: each step joins rules that differ in one respect alone, so that no step widens a permission.
    rules = join(
        rules,
        |rule| Rule { verbs: Names::new(), ..rule.clone() },
        |into, rule| into.verbs.extend(rule.verbs),
    );
    rules = join(
        rules,
        |rule| Rule { resources: Names::new(), ..rule.clone() },
        |into, rule| into.resources.extend(rule.resources),
    );
    rules = join(
        rules,
        |rule| Rule { groups: Names::new(), ..rule.clone() },
        |into, rule| into.groups.extend(rule.groups),
    );
    rules = join(
        rules,
        |rule| Rule { urls: Names::new(), ..rule.clone() },
        |into, rule| into.urls.extend(rule.urls),
    );
    rules.sort_by_cached_key(Rule::order);
    rules
}

/// One rule for each resource of a permission, or a single one when it names none.
fn split(permission: &Permission) -> Vec<Rule> {
    let set = |list: &[String]| list.iter().cloned().collect::<Names>();
    let groups = permission.groups.iter().map(|group| if group == "core" { "" } else { group.as_str() });
    let rule = Rule {
        groups: groups.map(str::to_owned).collect(),
        resources: Names::new(),
        names: set(&permission.resource_names),
        urls: set(&permission.urls),
        verbs: set(&permission.verbs),
    };
    if permission.resources.is_empty() {
        return vec![rule];
    }
    let of = |resource: &String| Rule { resources: Names::from([resource.clone()]), ..rule.clone() };
    permission.resources.iter().map(of).collect()
}

/// Joins rules that are alike but for one set.
fn join(rules: Vec<Rule>, alike: impl Fn(&Rule) -> Rule, add: impl Fn(&mut Rule, Rule)) -> Vec<Rule> {
    let mut joined: BTreeMap<Rule, Rule> = BTreeMap::new();
    for rule in rules {
        let key = alike(&rule);
        match joined.get_mut(&key) {
            Some(into) => add(into, rule),
            None => {
                joined.insert(key, rule);
            }
        }
    }
    joined.into_values().collect()
}
