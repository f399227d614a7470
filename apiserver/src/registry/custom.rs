//! Kinds that definitions define.
//!
//! In: definitions. Out: the resources that are served for them, one a version, each with its schema and with what it takes to show
//! objects that were stored under another one.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use crate::{
    conversion::Converter,
    definition::{Definition, Version},
    printers::Printer,
    schema::structural::{Root, Rules},
    store::{Stored, TableId},
    strategy,
};

use super::{
    Custom, Registry, ScalePaths,
    form::{Form, Forms},
    resource::{Resource, Subresource, Verb, Verbs, group_version, storage_hash},
};

/// What is known of each definition, as of a version of it.
pub(super) type Defined = BTreeMap<String, (u64, Kinds)>;

/// A definition's kind in all its versions.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    /// As it is served.
    served: Vec<Arc<Resource>>,
    /// Where a webhook converts, each version as if it were the stored one: for what the server does by itself.
    inner: Vec<Arc<Resource>>,
}

/// Names for what is the same as long as a version says the same.
pub(super) type Shapes = BTreeMap<(String, String), u64>;

impl Registry {
    /// The resource under which a definition's objects are reached.
    pub(crate) fn defined_by(&self, definition: &str) -> Option<Arc<Resource>> {
        let defines = |resource: &&Arc<Resource>| {
            resource.custom.as_ref().is_some_and(|custom| custom.definition == definition)
        };
        self.resources.iter().find(defines).map(Arc::clone)
    }

    /// Serves the kinds of these definitions, and of no others besides those that were registered. Says which tables are shown
    /// otherwise than before.
    pub(crate) fn define(&mut self, definitions: &[(u64, Arc<Definition>)]) -> Vec<TableId> {
        let before = self.shown();
        let mut defined = Defined::new();
        let mut custom = Vec::new();
        for (version, definition) in definitions.iter().filter(|(_, definition)| definition.established) {
            let kinds = match self.defined.remove(&definition.name) {
                Some((known, kinds)) if known == *version => kinds,
                _ => self.kinds_of(definition),
            };
            custom.extend(kinds.served.iter().cloned());
            defined.insert(definition.name.clone(), (*version, kinds));
        }
        self.defined = defined;
        custom.sort_by(|left, right| {
            let key = |resource: &Arc<Resource>| (resource.group.clone(), priority(&resource.version));
            key(left).cmp(&key(right)).then_with(|| left.plural.cmp(&right.plural))
        });
        let defined = |resource: &Resource| {
            custom.iter().any(|other| other.group == resource.group && other.plural == resource.plural)
        };
        let mut resources = self.base.clone();
        resources.retain(|resource| !defined(resource));
        self.clear();
        for resource in resources {
            self.list(resource);
        }
        for resource in custom {
            self.list(resource);
        }
        let after = self.shown();
        before.into_iter().filter(|(key, _)| !after.contains_key(key)).map(|(_, table)| table).collect()
    }

    /// What of defined kinds watches depend on: the version, its schema, and how it is stored.
    fn shown(&self) -> BTreeMap<(TableId, String, u64, u64), TableId> {
        let shown = |resource: &Arc<Resource>| {
            let custom = resource.custom.as_ref()?;
            let key = (resource.table, resource.version.clone(), custom.form.shape, custom.storage.shape);
            Some((key, resource.table))
        };
        self.resources.iter().filter_map(shown).collect()
    }

    fn shape(&mut self, definition: &Definition, version: &Version) -> u64 {
        let place = format!("{} {} {}", definition.name, definition.uid, version.name);
        let content = format!("{} {:?}", version.json, version.selectable);
        let next = u64::try_from(self.shapes.len()).unwrap_or(u64::MAX).saturating_add(1);
        *self.shapes.entry((place, content)).or_insert(next)
    }

    fn kinds_of(&mut self, definition: &Definition) -> Kinds {
        let mut forms = Forms::new();
        for version in &definition.versions {
            let api_version = group_version(&definition.group, &version.name);
            let shape = self.shape(definition, version);
            let form = Form::new(&definition.accepted.kind, api_version.clone(), version, shape);
            forms.insert(api_version, Arc::new(form));
        }
        let forms = Arc::new(forms);
        let converter = definition.conversion.as_ref();
        let converter = converter.map(|webhook| Arc::new(Converter::new(webhook, Arc::clone(&self.desk))));
        let table = self.table(&definition.group, &definition.accepted.plural);
        let make = |version: &Version, stored: Option<&Version>| {
            let form = |version: &Version| forms.get(&group_version(&definition.group, &version.name));
            let custom = Custom {
                definition: definition.name.clone(),
                form: Arc::clone(form(version)?),
                rules: Rules::compile(&version.schema, Root::Whole),
                terminating: definition.terminating,
                warning: deprecation(definition, version),
                converter: converter.clone(),
                storage: Arc::clone(form(stored?)?),
                forms: Arc::clone(&forms),
                kept: parking_lot::Mutex::default(),
            };
            Some(Arc::new(Resource { table, ..resource(definition, version, custom) }))
        };
        let stored = definition.storage();
        let served = definition.versions.iter().filter(|version| version.served);
        let inner = definition.versions.iter().filter(|_| converter.is_some());
        Kinds {
            served: served.filter_map(|version| make(version, stored)).collect(),
            inner: inner.filter_map(|version| make(version, Some(version))).collect(),
        }
    }

    /// The same kind in the version in which an object is stored, or new ones are: none where versions convert without being asked.
    pub(crate) fn as_stored(
        &self,
        resource: &Resource,
        object: Option<&Arc<Stored>>,
    ) -> Option<Arc<Resource>> {
        let custom = resource.custom.as_ref().filter(|custom| custom.asks())?;
        let (_, kinds) = self.defined.get(&custom.definition)?;
        let of = |head: &[u8]| kinds.inner.iter().find(|inner| inner.head.as_bytes() == head).cloned();
        object.and_then(|object| of(object.head())).or_else(|| of(custom.storage.head.as_bytes()))
    }
}

fn resource(definition: &Definition, version: &Version, custom: Custom) -> Resource {
    let names = &definition.accepted;
    let changing = [Verb::Get, Verb::Patch, Verb::Update].into_iter().fold(Verbs::default(), Verbs::with);
    let mut subresources = Vec::new();
    if version.status {
        subresources.push(Subresource {
            name: "status".to_owned(),
            group_version: None,
            kind: names.kind.clone(),
            verbs: changing,
        });
    }
    if version.scale.is_some() {
        subresources.push(Subresource {
            name: "scale".to_owned(),
            group_version: Some(("autoscaling".to_owned(), "v1".to_owned())),
            kind: "Scale".to_owned(),
            verbs: changing,
        });
    }
    Resource {
        turned: None,
        group: definition.group.clone(),
        version: version.name.clone(),
        kind: names.kind.clone(),
        list_kind: names.list_kind.clone(),
        plural: names.plural.clone(),
        singular: names.singular.clone(),
        namespaced: definition.namespaced,
        verbs: Verbs::ALL,
        short_names: names.short_names.clone(),
        categories: names.categories.clone(),
        storage_hash: definition
            .storage()
            .map(|stored| storage_hash(&definition.group, &stored.name, &names.kind))
            .unwrap_or_default(),
        subresources,
        builtin: false,
        scale: version.scale.as_ref().map(|scale| {
            let selector = (!scale.selector.is_empty()).then_some(scale.selector.as_str());
            ScalePaths::new(&scale.spec, &scale.status, selector)
        }),
        rules: strategy::custom(),
        table: TableId(0),
        head: Arc::clone(&custom.form.head),
        custom: Some(Arc::new(custom)),
        published: Some(Arc::new(version.json.clone())),
        printer: Printer::custom(version.columns.clone()),
        types: OnceLock::new(),
    }
}

/// What clients of a deprecated version are told.
fn deprecation(definition: &Definition, version: &Version) -> Option<String> {
    let words = version.deprecated.as_ref()?;
    if !words.is_empty() {
        return Some(words.clone());
    }
    let kind = &definition.accepted.kind;
    let name = |version: &str| format!("{} {kind}", group_version(&definition.group, version));
    let mut newer: Vec<&Version> = definition
        .versions
        .iter()
        .filter(|other| other.served && other.deprecated.is_none())
        .filter(|other| priority(&other.name) < priority(&version.name))
        .collect();
    newer.sort_by_key(|version| priority(&version.name));
    Some(match newer.first() {
        Some(best) => format!("{} is deprecated; use {}", name(&version.name), name(&best.name)),
        None => format!("{} is deprecated", name(&version.name)),
    })
}

/// How versions are ordered: stable ones first, then betas, alphas and all others; the newest of each first.
fn priority(version: &str) -> (u8, std::cmp::Reverse<(u64, u64)>, String) {
    let parsed = || {
        let rest = version.strip_prefix('v')?;
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let (major, rest) = rest.split_at(digits);
        let major: u64 = major.parse().ok().filter(|_| !major.starts_with('0'))?;
        let minor = |text: &str| text.parse::<u64>().ok().filter(|_| !text.starts_with('0'));
        match rest {
            "" => Some((0, major, 0)),
            rest => match (rest.strip_prefix("beta"), rest.strip_prefix("alpha")) {
                (Some(number), _) => Some((1, major, minor(number)?)),
                (_, Some(number)) => Some((2, major, minor(number)?)),
                _ => None,
            },
        }
    };
    match parsed() {
        Some((level, major, minor)) => (level, std::cmp::Reverse((major, minor)), String::new()),
        None => (3, std::cmp::Reverse((0, 0)), version.to_owned()),
    }
}
