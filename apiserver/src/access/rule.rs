//! `PolicyRule`: one thing that a role allows.
//!
//! In: a rule as roles hold it. Out: whether it allows a request, whether it covers another rule, and its text. Where rules come from
//! is not known here.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::protocol::quoted;

use super::{Attributes, Subject};

/// One thing that a role allows.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PolicyRule {
    pub verbs: Vec<String>,
    pub groups: Vec<String>,
    pub resources: Vec<String>,
    pub names: Vec<String>,
    pub urls: Vec<String>,
}

impl PolicyRule {
    /// Reads a rule.
    pub(crate) fn read(value: &Value) -> Self {
        let list = |name: &str| {
            let items = value.get(name).and_then(Value::as_array);
            items.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Self {
            verbs: list("verbs"),
            groups: list("apiGroups"),
            resources: list("resources"),
            names: list("resourceNames"),
            urls: list("nonResourceURLs"),
        }
    }

    /// Reads a list of rules.
    pub(crate) fn read_all(value: Option<&Value>) -> Vec<Self> {
        value.and_then(Value::as_array).into_iter().flatten().map(Self::read).collect()
    }

    /// The rules that allow everything.
    pub(crate) fn everything() -> [Self; 2] {
        let all = || vec!["*".to_owned()];
        [
            Self { verbs: all(), groups: all(), resources: all(), ..Self::default() },
            Self { verbs: all(), urls: all(), ..Self::default() },
        ]
    }

    /// Whether it allows a request.
    pub(crate) fn allows(&self, attributes: &Attributes) -> bool {
        if !has(&self.verbs, &attributes.verb) {
            return false;
        }
        match &attributes.subject {
            Subject::Path(path) => self.urls.iter().any(|url| url == "*" || url_covers(url, path)),
            Subject::Resource(asked) => {
                has(&self.groups, &asked.group)
                    && self.resources.iter().any(|own| match own.strip_prefix("*/") {
                        _ if own == "*" => true,
                        Some(subresource) if !asked.subresource.is_empty() => {
                            subresource == asked.subresource
                        }
                        _ => *own == asked.combined(),
                    })
                    && (self.names.is_empty() || self.names.contains(&asked.name))
            }
        }
    }

    /// Whether it allows all that an atomic rule does.
    fn covers(&self, atom: &Self) -> bool {
        let all = |own: &[String], other: &[String]| other.iter().all(|one| has(own, one));
        let resource = |one: &String| {
            has(&self.resources, one)
                || one.split_once('/').is_some_and(|(_, sub)| self.resources.contains(&format!("*/{sub}")))
        };
        all(&self.verbs, &atom.verbs)
            && all(&self.groups, &atom.groups)
            && atom.resources.iter().all(resource)
            && atom.urls.iter().all(|one| self.urls.iter().any(|own| url_covers(own, one)))
            && (self.names.is_empty()
                || (!atom.names.is_empty() && atom.names.iter().all(|name| self.names.contains(name))))
    }

    /// The rules with one verb, resource and name each that make up this one.
    fn atoms(&self) -> Vec<Self> {
        let one = |text: &String| vec![text.clone()];
        let mut atoms = Vec::new();
        for group in &self.groups {
            for resource in &self.resources {
                for verb in &self.verbs {
                    let atom = Self {
                        verbs: one(verb),
                        groups: one(group),
                        resources: one(resource),
                        ..Self::default()
                    };
                    if self.names.is_empty() {
                        atoms.push(atom.clone());
                    }
                    atoms.extend(self.names.iter().map(|name| Self { names: one(name), ..atom.clone() }));
                }
            }
        }
        for url in &self.urls {
            for verb in &self.verbs {
                atoms.push(Self { verbs: one(verb), urls: one(url), ..Self::default() });
            }
        }
        atoms
    }

    /// The members of a review's answer that show it: as a rule about objects, or about paths.
    pub(crate) fn shown(&self) -> (Option<Value>, Option<Value>) {
        let full = |pairs: &[(&str, &Vec<String>)]| {
            let mut members = Map::new();
            for (name, list) in pairs.iter().filter(|(name, list)| *name == "verbs" || !list.is_empty()) {
                members.insert((*name).to_owned(), json!(list));
            }
            Value::Object(members)
        };
        let objects = full(&[
            ("verbs", &self.verbs),
            ("apiGroups", &self.groups),
            ("resources", &self.resources),
            ("resourceNames", &self.names),
        ]);
        let paths = full(&[("verbs", &self.verbs), ("nonResourceURLs", &self.urls)]);
        ((!self.resources.is_empty()).then_some(objects), (!self.urls.is_empty()).then_some(paths))
    }
}

impl std::fmt::Display for PolicyRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            ("APIGroups", &self.groups),
            ("Resources", &self.resources),
            ("NonResourceURLs", &self.urls),
            ("ResourceNames", &self.names),
            ("Verbs", &self.verbs),
        ];
        let parts = parts.iter().filter(|(_, list)| !list.is_empty());
        let texts: Vec<String> = parts.map(|(name, list)| format!("{name}:{}", quoted_list(list))).collect();
        write!(f, "{{{}}}", texts.join(", "))
    }
}

/// Texts as Go prints a slice of them: `["a" "b"]`.
pub(crate) fn quoted_list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(" "))
}

/// What `wanted` allows and `held` does not, one line a rule, verbs put together; none where nothing is missing.
pub(crate) fn missing(held: &[PolicyRule], wanted: &[PolicyRule]) -> Option<String> {
    let atoms = wanted.iter().flat_map(PolicyRule::atoms);
    // By all but the verbs.
    let mut compact: BTreeMap<PolicyRule, Vec<String>> = BTreeMap::new();
    let mut lines = Vec::new();
    for mut atom in atoms.filter(|atom| !held.iter().any(|rule| rule.covers(atom))) {
        if atom.urls.is_empty() {
            let verbs = std::mem::take(&mut atom.verbs);
            compact.entry(atom).or_default().extend(verbs);
        } else {
            lines.push(atom.to_string());
        }
    }
    lines.extend(compact.into_iter().map(|(rule, verbs)| PolicyRule { verbs, ..rule }.to_string()));
    lines.sort();
    lines.dedup();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn has(list: &[String], one: &str) -> bool {
    list.iter().any(|own| own == "*" || own == one)
}

fn url_covers(own: &str, path: &str) -> bool {
    own == path || (own.ends_with('*') && path.starts_with(own.trim_end_matches('*')))
}
