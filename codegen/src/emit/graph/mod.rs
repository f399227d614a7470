//! Graphs: the kinds of a model with what may be done with them, and who owns and watches whom, as a picture.

mod mermaid;
mod svg;

pub use mermaid::mermaid;
pub use svg::svg;

use crate::model::{ControllerUse, Model, Resource, Scope, Tie, Verb};
use std::collections::BTreeMap;

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    groups: Vec<Cluster>,
    edges: Vec<Edge>,
}

/// A group with its kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cluster {
    name: String,
    nodes: Vec<Node>,
}

/// A kind.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Node {
    kind: String,
    /// What is said of it, a line each.
    lines: Vec<String>,
}

/// An arrow between kinds, each named by the places of its group and of itself in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edge {
    from: (usize, usize),
    to: (usize, usize),
    tie: Tie,
}

impl Graph {
    /// The picture of a model and of the controllers that work on it.
    pub fn new(model: &Model, controllers: &[ControllerUse]) -> Self {
        let groups: Vec<Cluster> = model
            .groups
            .iter()
            .map(|group| {
                let mut kinds: BTreeMap<&str, Vec<(&str, &Resource)>> = BTreeMap::new();
                for version in &group.versions {
                    for resource in &version.resources {
                        kinds.entry(&resource.kind).or_default().push((&version.name, resource));
                    }
                }
                let name = if group.name.is_empty() { "core".to_owned() } else { group.name.clone() };
                Cluster {
                    name,
                    nodes: kinds.into_iter().map(|(kind, versions)| node(kind, &versions)).collect(),
                }
            })
            .filter(|group| !group.nodes.is_empty())
            .collect();
        let place = |(group, kind): &(String, String)| {
            let name = if group.is_empty() { "core" } else { group };
            let at = groups.iter().position(|cluster| cluster.name == name)?;
            let node = groups.get(at)?.nodes.iter().position(|node| node.kind == *kind)?;
            Some((at, node))
        };
        let mut edges: Vec<Edge> = Vec::new();
        for controller in controllers {
            for (tie, kind) in &controller.ties {
                if let (Some(from), Some(to)) = (place(&controller.kind), place(kind)) {
                    let edge = Edge { from, to, tie: *tie };
                    if !edges.contains(&edge) {
                        edges.push(edge);
                    }
                }
            }
        }
        Self { groups, edges }
    }
}

fn node(kind: &str, versions: &[(&str, &Resource)]) -> Node {
    let mut lines = Vec::new();
    let names: Vec<&str> = versions.iter().map(|(name, _)| *name).collect();
    if let Some((_, best)) = versions.first() {
        let scope = match best.scope {
            Scope::Namespaced => "namespaced",
            Scope::Cluster => "cluster",
        };
        lines.push(format!("{}, {scope}", names.join(", ")));
        lines.extend(verbs(best));
        if !best.methods.is_empty() {
            let methods: Vec<&str> = best.methods.iter().map(|method| method.names.name.as_str()).collect();
            lines.push(methods.join(", "));
        }
    }
    Node { kind: kind.to_owned(), lines }
}

/// What clients may do, in as few words as can be: the verbs, or those that are missing.
fn verbs(resource: &Resource) -> Vec<String> {
    let of_status = [Verb::UpdateStatus, Verb::ApplyStatus];
    let possible = Verb::ALL.into_iter().filter(|verb| resource.has_status || !of_status.contains(verb));
    let (has, lacks): (Vec<Verb>, Vec<Verb>) = possible.partition(|verb| resource.verbs.contains(*verb));
    let names = |verbs: &[Verb]| verbs.iter().map(|verb| verb.name()).collect::<Vec<_>>().join(", ");
    if !resource.generators.client {
        return vec!["no client".to_owned()];
    }
    vec![match (has.len(), lacks.len()) {
        (0, _) => "no verbs".to_owned(),
        (_, 0) => "all verbs".to_owned(),
        (_, 1..4) => format!("all but {}", names(&lacks)),
        _ => names(&has),
    }]
}

impl Tie {
    /// The word on an arrow.
    const fn word(self) -> &'static str {
        match self {
            Self::Owns => "owns",
            Self::Watches => "watches",
        }
    }
}
