//! A set of paths, kept as a tree, and its algebra.

use std::collections::{BTreeMap, BTreeSet};

use super::PathElement;
use crate::schema::TypeSchema;

/// A set of paths. A path may be in the set while paths below it are not, and the other way round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet {
    pub(super) members: BTreeSet<PathElement>,
    /// Never holds an empty set.
    pub(super) children: BTreeMap<PathElement, Self>,
}

impl FieldSet {
    /// The set of some paths through objects, each written with dots: `metadata.name`.
    #[must_use]
    pub fn of_fields(paths: &[&str]) -> Self {
        let mut set = Self::default();
        for path in paths {
            let path: Vec<_> = path.split('.').map(PathElement::field).collect();
            set.insert(&path);
        }
        set
    }

    /// Adds a path. The empty path adds nothing.
    pub fn insert(&mut self, path: &[PathElement]) {
        match path {
            [] => {}
            [last] => {
                self.members.insert(last.clone());
            }
            [first, rest @ ..] => self.children.entry(first.clone()).or_default().insert(rest),
        }
    }

    /// Whether the set has no path.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.children.values().all(Self::is_empty)
    }

    /// How many paths the set has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len() + self.children.values().map(Self::len).sum::<usize>()
    }

    /// Whether a path itself is in the set.
    #[must_use]
    pub fn has(&self, path: &[PathElement]) -> bool {
        match path {
            [] => false,
            [last] => self.members.contains(last),
            [first, rest @ ..] => self.children.get(first).is_some_and(|child| child.has(rest)),
        }
    }

    /// Whether the set has the path of one element.
    #[must_use]
    pub fn has_member(&self, element: &PathElement) -> bool {
        self.members.contains(element)
    }

    /// What the set holds below an element.
    #[must_use]
    pub fn below(&self, element: &PathElement) -> Option<&Self> {
        self.children.get(element).filter(|child| !child.is_empty())
    }

    /// The paths in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut out = self.clone();
        out.extend(other);
        out
    }

    fn extend(&mut self, other: &Self) {
        self.members.extend(other.members.iter().cloned());
        for (element, child) in &other.children {
            self.children.entry(element.clone()).or_default().extend(child);
        }
    }

    /// The paths in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let child = |(element, child): (&PathElement, &Self)| {
            let both = child.intersection(other.children.get(element)?);
            (!both.is_empty()).then(|| (element.clone(), both))
        };
        Self {
            members: self.members.intersection(&other.members).cloned().collect(),
            children: self.children.iter().filter_map(child).collect(),
        }
    }

    /// The paths in this set but not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let child = |(element, child): (&PathElement, &Self)| {
            let rest = match other.children.get(element) {
                Some(other) => child.difference(other),
                None => child.clone(),
            };
            (!rest.is_empty()).then(|| (element.clone(), rest))
        };
        Self {
            members: self.members.difference(&other.members).cloned().collect(),
            children: self.children.iter().filter_map(child).collect(),
        }
    }

    /// The paths in this set that are neither in the other nor below one of its paths.
    #[must_use]
    pub fn without_subtrees(&self, other: &Self) -> Self {
        let child = |(element, child): (&PathElement, &Self)| {
            if other.members.contains(element) {
                return None;
            }
            let rest = match other.children.get(element) {
                Some(other) => child.without_subtrees(other),
                None => child.clone(),
            };
            (!rest.is_empty()).then(|| (element.clone(), rest))
        };
        Self {
            members: self.members.difference(&other.members).cloned().collect(),
            children: self.children.iter().filter_map(child).collect(),
        }
    }

    /// The set with every declared field on the way to its paths.
    #[must_use]
    pub fn with_named_parents(&self, schema: &TypeSchema) -> Self {
        let mut members = self.members.clone();
        let mut children = BTreeMap::new();
        for (element, child) in &self.children {
            let below = match element {
                PathElement::Field(name) => {
                    if schema.field(name).is_some() {
                        members.insert(element.clone());
                    }
                    schema.child(name)
                }
                _ => schema.items(),
            };
            children.insert(
                element.clone(),
                child.with_named_parents(&below.unwrap_or_else(TypeSchema::deduced)),
            );
        }
        Self { members, children }
    }

    /// All paths: those of one element first, then deeper ones.
    #[must_use]
    pub fn paths(&self) -> Vec<Vec<PathElement>> {
        let mut out = Vec::new();
        self.collect(&mut Vec::new(), &mut out);
        out
    }

    fn collect(&self, prefix: &mut Vec<PathElement>, out: &mut Vec<Vec<PathElement>>) {
        for element in &self.members {
            let mut path = prefix.clone();
            path.push(element.clone());
            out.push(path);
        }
        for (element, child) in &self.children {
            prefix.push(element.clone());
            child.collect(prefix, out);
            prefix.pop();
        }
    }
}
