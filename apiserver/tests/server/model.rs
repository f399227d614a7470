//! A server as simple as can be: what the real one is measured by.

use std::collections::BTreeMap;

/// An object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Thing {
    pub(crate) version: u64,
    pub(crate) label: String,
    pub(crate) data: u32,
    pub(crate) finalizer: bool,
    pub(crate) deleting: bool,
}

/// One change.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) version: u64,
    pub(crate) key: String,
    pub(crate) before: Option<Thing>,
    pub(crate) after: Option<Thing>,
}

/// Everything there is, and everything that ever happened.
#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) things: BTreeMap<String, Thing>,
    pub(crate) steps: Vec<Step>,
    pub(crate) version: u64,
}

/// What an answer is to be: a code, and the version that it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Expected {
    pub(crate) code: u16,
    pub(crate) version: Option<u64>,
}

fn failed(code: u16) -> Expected {
    Expected { code, version: None }
}

impl Model {
    fn put(&mut self, key: &str, mut thing: Thing) -> u64 {
        self.version += 1;
        thing.version = self.version;
        let before = self.things.insert(key.to_owned(), thing.clone());
        self.steps.push(Step { version: self.version, key: key.to_owned(), before, after: Some(thing) });
        self.version
    }

    fn remove(&mut self, key: &str) {
        self.version += 1;
        let before = self.things.remove(key);
        self.steps.push(Step { version: self.version, key: key.to_owned(), before, after: None });
    }

    pub(crate) fn create(&mut self, key: &str, thing: Thing) -> Expected {
        if self.things.contains_key(key) {
            return failed(409);
        }
        let version = self.put(key, thing);
        Expected { code: 201, version: Some(version) }
    }

    /// An update, or a patch that comes to the same.
    pub(crate) fn update(&mut self, key: &str, wanted: Thing, rests_on: Option<u64>) -> Expected {
        let Some(old) = self.things.get(key).cloned() else {
            return failed(404);
        };
        if rests_on.is_some_and(|version| version != old.version) {
            return failed(409);
        }
        if old.deleting && wanted.finalizer && !old.finalizer {
            return failed(422);
        }
        let new = Thing { deleting: old.deleting, version: old.version, ..wanted };
        if new.deleting && !new.finalizer {
            self.remove(key);
            return Expected { code: 200, version: Some(old.version) };
        }
        if new == old {
            return Expected { code: 200, version: Some(old.version) };
        }
        let version = self.put(key, new);
        Expected { code: 200, version: Some(version) }
    }

    pub(crate) fn delete(&mut self, key: &str, rests_on: Option<u64>) -> Expected {
        let Some(old) = self.things.get(key).cloned() else {
            return failed(404);
        };
        if rests_on.is_some_and(|version| version != old.version) {
            return failed(409);
        }
        if !old.finalizer {
            self.remove(key);
            return Expected { code: 200, version: None };
        }
        if old.deleting {
            return Expected { code: 200, version: Some(old.version) };
        }
        let version = self.put(key, Thing { deleting: true, ..old });
        Expected { code: 200, version: Some(version) }
    }

    pub(crate) fn delete_collection(&mut self, prefix: &str, label: &str) {
        for key in self.select(prefix, label).into_iter().map(|(key, _)| key).collect::<Vec<_>>() {
            self.delete(&key, None);
        }
    }

    /// What a list shows; an empty label is any.
    pub(crate) fn select(&self, prefix: &str, label: &str) -> Vec<(String, Thing)> {
        let selected = |(key, thing): &(&String, &Thing)| {
            key.starts_with(prefix) && (label.is_empty() || thing.label == label)
        };
        self.things.iter().filter(selected).map(|(key, thing)| (key.clone(), thing.clone())).collect()
    }

    /// What a watch shows that begins after a version: kind, key, version, data.
    pub(crate) fn events(
        &self,
        after: u64,
        prefix: &str,
        label: &str,
    ) -> Vec<(&'static str, String, u64, u32)> {
        let wants =
            |thing: &Option<Thing>| thing.clone().filter(|thing| label.is_empty() || thing.label == label);
        let steps = self.steps.iter().filter(|step| step.version > after && step.key.starts_with(prefix));
        let events = steps.filter_map(|step| {
            let (kind, shown) = match (wants(&step.before), wants(&step.after)) {
                (None, None) => return None,
                (None, Some(after)) => ("ADDED", after),
                (Some(_), Some(after)) => ("MODIFIED", after),
                (Some(before), None) => ("DELETED", before),
            };
            Some((kind, step.key.clone(), step.version, shown.data))
        });
        events.collect()
    }
}
