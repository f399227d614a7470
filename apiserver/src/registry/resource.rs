//! `Resource`: one resource in one version, with everything that paths, answers and rules need of it.
//!
//! Plain data, made by the table of built-in kinds or by a registration.

use std::sync::{Arc, LazyLock, OnceLock};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    printers::Printer,
    protocol::{FieldError, ResourceName, Status},
    schema::{TypeSchema, builtin},
    store::{Lens, Stored, TableId},
    strategy::{self, Rules},
};

use super::{Custom, ScalePaths};

/// One resource in one version.
#[derive(Debug)]
pub(crate) struct Resource {
    pub group: String,
    pub version: String,
    pub kind: String,
    pub list_kind: String,
    pub plural: String,
    pub singular: String,
    pub namespaced: bool,
    pub verbs: Verbs,
    pub short_names: Vec<String>,
    pub categories: Vec<String>,
    pub storage_hash: String,
    pub subresources: Vec<Subresource>,
    /// Whether it is part of Kubernetes rather than registered.
    pub builtin: bool,
    pub scale: Option<ScalePaths>,
    pub rules: Rules,
    /// What a definition says of it; none for built-in and registered kinds.
    /// How objects of the kind's other version look in this one.
    pub turned: Option<Arc<Turned>>,
    pub custom: Option<Arc<Custom>>,
    pub table: TableId,
    /// `{"kind":"Pod","apiVersion":"v1",`
    pub head: Arc<str>,
    /// What the OpenAPI documents say of a custom kind: an `openAPIV3Schema`; none where anything goes.
    pub published: Option<Arc<Value>>,
    /// What tables show of it.
    pub printer: Printer,
    /// The type of its objects, where no definition says it; looked up once.
    pub types: OnceLock<TypeSchema>,
}

/// A path below an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subresource {
    pub name: String,
    /// Group and version of its kind, where they are not the resource's.
    pub group_version: Option<(String, String)>,
    pub kind: String,
    pub verbs: Verbs,
}

/// One verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Verb {
    Create,
    Delete,
    DeleteCollection,
    Get,
    List,
    Patch,
    Update,
    Watch,
}

impl Verb {
    const ALL: [(Self, &'static str); 8] = [
        (Self::Create, "create"),
        (Self::Delete, "delete"),
        (Self::DeleteCollection, "deletecollection"),
        (Self::Get, "get"),
        (Self::List, "list"),
        (Self::Patch, "patch"),
        (Self::Update, "update"),
        (Self::Watch, "watch"),
    ];

    /// The verb as requests and rules name it.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(verb, _)| *verb == self).map(|(_, name)| *name).unwrap_or_default()
    }
}

/// A set of verbs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verbs(u8);

impl Verbs {
    pub(crate) const ALL: Self = Self(u8::MAX);

    /// Reads `all` or a list with commas; names that are no verbs are passed over.
    pub(crate) fn parse(text: &str) -> Self {
        if text == "all" {
            return Self::ALL;
        }
        Verb::ALL
            .iter()
            .filter(|(_, name)| text.split(',').any(|verb| verb == *name))
            .fold(Self::default(), |verbs, (verb, _)| verbs.with(*verb))
    }

    pub(crate) fn with(self, verb: Verb) -> Self {
        Self(self.0 | 1 << verb as u8)
    }

    pub(crate) fn contains(self, verb: Verb) -> bool {
        self.0 & 1 << verb as u8 != 0
    }

    /// The names, sorted.
    pub(crate) fn names(self) -> Vec<&'static str> {
        Verb::ALL.iter().filter(|(verb, _)| self.contains(*verb)).map(|(_, name)| *name).collect()
    }
}

/// A version of a built-in kind that is served in two.
#[derive(Debug)]
pub(crate) struct Turned {
    pub turn: strategy::Turn,
    pub head: Arc<str>,
}

impl Lens for Turned {
    fn see(&self, object: &Arc<Stored>) -> Arc<Stored> {
        if object.head() == self.head.as_bytes() {
            return Arc::clone(object);
        }
        let mut fields = object.fields();
        (self.turn)(&mut fields);
        Arc::new(object.shown_as(Arc::clone(&self.head), &fields))
    }
}

/// The type of objects of custom kinds of which no schema is known: their metadata is that of all kinds.
static CUSTOM: LazyLock<TypeSchema> = LazyLock::new(|| {
    TypeSchema::from_openapi(&json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}))
});

impl Resource {
    /// The type of its objects.
    pub(crate) fn schema(&self) -> TypeSchema {
        if let Some(custom) = &self.custom {
            return custom.form.types.clone();
        }
        let known = || self.builtin.then(|| builtin::kind(&self.group, &self.version, &self.kind)).flatten();
        self.types.get_or_init(|| known().unwrap_or_else(|| CUSTOM.clone())).clone()
    }

    /// Through what lists and watches see the objects, where that is not how they are stored.
    pub(crate) fn lens(&self) -> Option<Arc<dyn Lens>> {
        let custom = self.custom.clone().map(|custom| custom as Arc<dyn Lens>);
        custom.or_else(|| self.turned.clone().map(|turned| turned as Arc<dyn Lens>))
    }

    /// `v1` or `apps/v1`.
    pub(crate) fn api_version(&self) -> String {
        group_version(&self.group, &self.version)
    }

    /// How most errors name it: by its plural.
    pub(crate) fn name(&self) -> ResourceName<'_> {
        ResourceName { group: &self.group, resource: &self.plural }
    }

    /// How errors of validation name it: by its kind.
    pub(crate) fn kind_name(&self) -> ResourceName<'_> {
        ResourceName { group: strategy::home(&self.group, &self.plural), resource: &self.kind }
    }

    /// 422: what is wrong with an object. A real server tells the same fault of a built-in kind once only.
    pub(crate) fn invalid(&self, name: &str, mut errors: Vec<FieldError>) -> Status {
        let declared =
            self.builtin && !["apiextensions.k8s.io", "apiregistration.k8s.io"].contains(&&*self.group);
        if declared {
            let mut seen = Vec::with_capacity(errors.len());
            errors.retain(|error| {
                let new = !seen.contains(error);
                seen.push(error.clone());
                new
            });
        }
        Status::invalid(self.kind_name(), name, &errors)
    }

    pub(crate) fn subresource(&self, name: &str) -> Option<&Subresource> {
        self.subresources.iter().find(|sub| sub.name == name)
    }

    /// A stored object as this version shows it.
    pub(crate) fn see(&self, object: &Arc<Stored>) -> Arc<Stored> {
        match &self.custom {
            Some(custom) => custom.show(object),
            None => self.turned.as_ref().map_or_else(|| Arc::clone(object), |turned| turned.see(object)),
        }
    }

    /// The kind of a subresource as if it were a resource, where it is a kind of its own.
    pub(crate) fn of_subresource(&self, name: &str) -> Option<Self> {
        let subresource = self.subresource(name)?;
        let (group, version) =
            subresource.group_version.clone().unwrap_or_else(|| (self.group.clone(), self.version.clone()));
        let kind = subresource.kind.clone();
        let rules = if self.builtin { strategy::builtin(&group, &kind) } else { strategy::custom() };
        Some(Self {
            list_kind: format!("{kind}List"),
            plural: self.plural.clone(),
            singular: self.singular.clone(),
            namespaced: self.namespaced,
            verbs: subresource.verbs,
            short_names: Vec::new(),
            categories: Vec::new(),
            storage_hash: String::new(),
            subresources: Vec::new(),
            builtin: self.builtin,
            scale: None,
            turned: None,
            custom: None,
            published: None,
            printer: self.printer.clone(),
            types: OnceLock::new(),
            rules,
            table: self.table,
            head: head(&kind, &group_version(&group, &version)),
            group,
            version,
            kind,
        })
    }

    /// Whether status is a part of its own.
    pub(crate) fn has_status(&self) -> bool {
        self.subresource("status").is_some()
    }

    /// Whether objects of it are kept at all; the others are only questions.
    pub(crate) fn is_stored(&self) -> bool {
        self.verbs.contains(Verb::Get) && self.plural != "componentstatuses"
    }

    /// The key of an object.
    pub(crate) fn key(&self, namespace: &str, name: &str) -> Arc<str> {
        if self.namespaced { format!("{namespace}/{name}").into() } else { name.into() }
    }

    /// The key as a real server's storage names it.
    pub(crate) fn storage_key(&self, key: &str) -> String {
        match self.builtin {
            true => format!("/registry/{}/{key}", strategy::storage_folder(&self.group, &self.plural)),
            false => format!("/registry/{}/{}/{key}", self.group, self.plural),
        }
    }
}

/// `v1` or `apps/v1`.
pub(crate) fn group_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

/// `{"kind":"Pod","apiVersion":"v1",`
pub(crate) fn head(kind: &str, api_version: &str) -> Arc<str> {
    let text = |value: &str| serde_json::to_string(value).unwrap_or_default();
    format!("{{\"kind\":{},\"apiVersion\":{},", text(kind), text(api_version)).into()
}

/// The same for a custom kind, whose members come by name: `{"apiVersion":"example.com/v1","kind":"At",`
pub(crate) fn custom_head(kind: &str, api_version: &str) -> Arc<str> {
    let text = |value: &str| serde_json::to_string(value).unwrap_or_default();
    format!("{{\"apiVersion\":{},\"kind\":{},", text(api_version), text(kind)).into()
}

/// The mark of the version in which a kind is stored, as discovery shows it.
pub(super) fn storage_hash(group: &str, version: &str, kind: &str) -> String {
    let digest = Sha256::digest(format!("{group}/{version}/{kind}"));
    STANDARD.encode(digest.get(..8).unwrap_or_default())
}
