//! Kinds that definitions define.
//!
//! In: definitions. Out: the resources that are served for them, one a version, each with its schema and with what it takes to show
//! objects that were stored under another one.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use serde_json::Value;

use crate::{
    definition::{Definition, Version},
    printers::Printer,
    protocol::Fields,
    schema::{
        TypeSchema,
        structural::{
            Path, Root, Rules, Structural, coerce_embedded, coerce_metadata, drop_nulls, has_whole_fractions,
            make_whole, prune, set_defaults,
        },
    },
    store::{Change, Draft, Lens, Stored, TableId, Texts},
    strategy,
};

use super::{
    Registry, ScalePaths,
    resource::{Resource, Subresource, Verb, Verbs, group_version, head, storage_hash},
};

/// What only kinds of definitions have.
#[derive(Debug)]
pub(crate) struct Custom {
    /// Name of the definition.
    pub definition: String,
    pub schema: Arc<Structural>,
    /// The rules of the schema, compiled.
    pub rules: Option<Rules>,
    /// The same, as apply walks it.
    pub types: TypeSchema,
    pub selectable: Vec<String>,
    /// Whether the definition is being deleted: nothing is created any more.
    pub terminating: bool,
    /// What answers warn of, where the version is deprecated.
    pub warning: Option<String>,
    /// How versions become each other.
    pub conversion: Conversion,
    head: Arc<str>,
    /// The name of what was written under this schema; see [`Stored::shape`].
    shape: u64,
    storage: Storage,
    /// The schemas of all versions, by `apiVersion`.
    versions: Arc<BTreeMap<String, Arc<Structural>>>,
}

/// How versions of a kind become each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversion {
    /// By another `apiVersion`.
    None,
    /// By a webhook, which nobody calls.
    Webhook,
}

/// How objects of a kind are stored.
#[derive(Clone, Debug)]
struct Storage {
    head: Arc<str>,
    shape: u64,
    schema: Arc<Structural>,
    selectable: Vec<String>,
}

/// What is served of each definition, as of a version of it.
pub(super) type Defined = BTreeMap<String, (u64, Vec<Arc<Resource>>)>;

/// Names for what is the same as long as a version says the same.
pub(super) type Shapes = BTreeMap<(String, String), u64>;

impl Custom {
    /// The draft of an object, in the version in which the kind is stored.
    pub(crate) fn draft<'a>(&self, key: Arc<str>, fields: &'a Fields) -> Draft<'a> {
        let storage = &self.storage;
        let mut draft = Draft::new(key, Arc::clone(&storage.head), fields);
        if storage.shape != self.shape {
            let fields = draft.fields.to_mut();
            convert(fields, &storage.schema);
            fill(fields, &storage.schema);
        } else if lacks_status(&draft.fields, &storage.schema) {
            fill(draft.fields.to_mut(), &storage.schema);
        }
        if draft.fields.values().any(has_whole_fractions) {
            draft.fields.to_mut().values_mut().for_each(make_whole);
        }
        draft.selectable = selectable(&draft.fields, &storage.selectable);
        draft.shape = storage.shape;
        draft
    }

    /// Whether objects are stored in another version than this one.
    pub(crate) fn is_stored_elsewhere(&self) -> bool {
        self.storage.head != self.head
    }

    /// Whether a stored object is of another version than this one.
    pub(crate) fn is_foreign(&self, object: &Stored) -> bool {
        object.head() != self.head.as_bytes()
    }

    /// Whether a stored object would be stored otherwise today.
    pub(crate) fn is_stale(&self, object: &Stored) -> bool {
        object.shape != self.storage.shape
    }
}

impl Lens for Custom {
    fn see(&self, object: &Arc<Stored>) -> Arc<Stored> {
        if object.shape == self.shape {
            return Arc::clone(object);
        }
        let mut fields = object.fields();
        let version = fields.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        if let Some(schema) = self.versions.get(version) {
            convert(&mut fields, schema);
            fill(&mut fields, schema);
        }
        convert(&mut fields, &self.schema);
        let mut draft = Draft::new(Arc::clone(&object.key), Arc::clone(&self.head), &fields);
        draft.selectable = selectable(&fields, &self.selectable);
        draft.shape = self.shape;
        Arc::new(Stored::write(draft, object.version, Change::Modified))
    }
}

/// What a schema makes of an object that was written under another one.
fn convert(fields: &mut Fields, schema: &Structural) {
    let mut value = Value::Object(std::mem::take(fields));
    prune(&mut value, schema, Some(""));
    drop_nulls(&mut value, Some(schema));
    // What cannot be coerced was stored under a schema that did not ask for it, and is shown as it is.
    let _ = coerce_embedded(&mut value, schema, &Path::Root(""), &mut Vec::new());
    *fields = members(value);
}

/// Sets the defaults of a schema.
fn fill(fields: &mut Fields, schema: &Structural) {
    let mut value = Value::Object(std::mem::take(fields));
    set_defaults(&mut value, schema);
    *fields = members(value);
}

/// Whether an object has no status though every object of its kind has one: a new one loses what its client said of it.
fn lacks_status(fields: &Fields, schema: &Structural) -> bool {
    let has_default = |status: &Structural| status.default.is_some();
    schema.properties.get("status").is_some_and(has_default) && !fields.contains_key("status")
}

fn members(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields,
        _ => Fields::new(),
    }
}

/// The values of the fields that selectors may name.
fn selectable(fields: &Fields, paths: &[String]) -> Texts {
    let text = |path: &String| match strategy::at(fields, path) {
        Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
        Some(Value::Null) | None => Cow::default(),
        Some(other) => Cow::Owned(other.to_string()),
    };
    paths.iter().map(text).collect()
}

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
            let resources = match self.defined.remove(&definition.name) {
                Some((known, resources)) if known == *version => resources,
                _ => self.resources_of(definition),
            };
            custom.extend(resources.iter().cloned());
            defined.insert(definition.name.clone(), (*version, resources));
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
            let key = (resource.table, resource.version.clone(), custom.shape, custom.storage.shape);
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

    fn resources_of(&mut self, definition: &Definition) -> Vec<Arc<Resource>> {
        let api_version = |version: &Version| group_version(&definition.group, &version.name);
        let schemas =
            definition.versions.iter().map(|version| (api_version(version), Arc::clone(&version.schema)));
        let versions: Arc<BTreeMap<_, _>> = Arc::new(schemas.collect());
        let Some(stored) = definition.storage() else { return Vec::new() };
        let storage = Storage {
            head: head(&definition.accepted.kind, &api_version(stored)),
            shape: self.shape(definition, stored),
            schema: Arc::clone(&stored.schema),
            selectable: stored.selectable.clone(),
        };
        let served: Vec<&Version> = definition.versions.iter().filter(|version| version.served).collect();
        let mut resources = Vec::new();
        for version in served {
            let shape = self.shape(definition, version);
            let custom = Custom {
                definition: definition.name.clone(),
                schema: Arc::clone(&version.schema),
                rules: Rules::compile(&version.schema, Root::Whole),
                types: TypeSchema::from_openapi(&version.json),
                selectable: version.selectable.clone(),
                terminating: definition.terminating,
                warning: deprecation(definition, version),
                conversion: match definition.conversion {
                    Some(_) => Conversion::Webhook,
                    None => Conversion::None,
                },
                head: head(&definition.accepted.kind, &api_version(version)),
                shape,
                storage: storage.clone(),
                versions: Arc::clone(&versions),
            };
            let mut resource = resource(definition, version, custom);
            resource.table = self.table(&resource.group, &resource.plural);
            resources.push(Arc::new(resource));
        }
        resources
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
        head: Arc::clone(&custom.head),
        custom: Some(Arc::new(custom)),
        published: Some(Arc::new(version.json.clone())),
        printer: Printer::custom(version.columns.clone()),
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

/// The object of a custom kind in the form of its schema, with its defaults; and what was unknown in it.
pub(crate) fn decode(fields: Fields, custom: Option<&Custom>) -> Result<(Fields, Vec<String>), String> {
    let mut fields = fields;
    let mut unknown = coerce_metadata(&mut fields, "")?;
    if let Some(custom) = custom {
        let schema = &custom.schema;
        let mut value = Value::Object(fields);
        unknown.extend(prune(&mut value, schema, Some("")));
        drop_nulls(&mut value, Some(schema));
        let mut embedded = Vec::new();
        coerce_embedded(&mut value, schema, &Path::Root(""), &mut embedded)
            .map_err(|error| error.to_string())?;
        embedded.sort();
        unknown.extend(embedded);
        set_defaults(&mut value, schema);
        fields = members(value);
    }
    Ok((fields, unknown.into_iter().map(|path| format!("unknown field \"{path}\"")).collect()))
}
