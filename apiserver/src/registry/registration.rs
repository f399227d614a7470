//! `Registration`: a custom kind that a server serves.
//!
//! In: a type that knows its own names, or the names. Out: a resource. Nothing is guessed: the names are the ones that the type's
//! client uses.

use std::sync::OnceLock;

use kube::core::{ClusterResourceScope, NamespaceResourceScope};

use crate::{
    printers::{Column, Printer},
    store::TableId,
    strategy,
};

use super::resource::{Resource, Subresource, Verb, Verbs, custom_head, group_version, storage_hash};

/// A custom kind that a server serves.
///
/// ```
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kube_codegen_apiserver::Registration;
///
/// let registration = Registration::of::<ConfigMap>().status().resource_name("settings");
/// assert_eq!(registration.plural(), "settings");
/// ```
#[derive(Clone, Debug)]
pub struct Registration {
    group: String,
    version: String,
    kind: String,
    list_kind: String,
    plural: String,
    singular: String,
    namespaced: bool,
    verbs: Verbs,
    status: bool,
    scale: Option<ScalePaths>,
    columns: Vec<Column>,
}

/// Where in an object its scale lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScalePaths {
    pub spec: Vec<String>,
    pub status: Vec<String>,
    pub selector: Option<Vec<String>>,
}

impl ScalePaths {
    /// The scale of the built-in kinds that have one.
    pub(super) fn builtin(group: &str, plural: &str) -> Option<Self> {
        let scaled = ["deployments", "replicasets", "statefulsets", "replicationcontrollers"];
        let known = ["apps", ""].contains(&group) && scaled.contains(&plural);
        known.then(|| Self::new(".spec.replicas", ".status.replicas", None))
    }

    pub(super) fn new(spec: &str, status: &str, selector: Option<&str>) -> Self {
        let parts = |path: &str| -> Vec<String> {
            let parts = path.split('.').filter(|part| !part.is_empty());
            parts.map(str::to_owned).collect()
        };
        Self { spec: parts(spec), status: parts(status), selector: selector.map(parts) }
    }
}

/// The scopes that a registered type can have.
pub trait RegistrationScope {
    /// Whether objects live in namespaces.
    const NAMESPACED: bool;
}

impl RegistrationScope for NamespaceResourceScope {
    const NAMESPACED: bool = true;
}

impl RegistrationScope for ClusterResourceScope {
    const NAMESPACED: bool = false;
}

impl Registration {
    /// The kind of a type, with every verb and no subresource.
    #[must_use]
    pub fn of<K>() -> Self
    where
        K: kube::Resource<DynamicType = ()>,
        K::Scope: RegistrationScope,
    {
        let kind = K::kind(&()).into_owned();
        Self {
            group: K::group(&()).into_owned(),
            version: K::version(&()).into_owned(),
            list_kind: format!("{kind}List"),
            plural: K::plural(&()).into_owned(),
            singular: kind.to_lowercase(),
            namespaced: <K::Scope as RegistrationScope>::NAMESPACED,
            verbs: Verbs::ALL,
            status: false,
            scale: None,
            columns: Vec::new(),
            kind,
        }
    }

    /// The same with a status subresource.
    #[must_use]
    pub fn status(mut self) -> Self {
        self.status = true;
        self
    }

    /// The same with a scale subresource. The paths are those of a CRD (`.spec.replicas`); an empty `selector` means none.
    #[must_use]
    pub fn scale(mut self, spec: &str, status: &str, selector: &str) -> Self {
        let selector = (!selector.is_empty()).then_some(selector);
        self.scale = Some(ScalePaths::new(spec, status, selector));
        self
    }

    /// The same with one more column in tables, beside the name: its name, its type (`string`, `integer`, `number`, `boolean` or
    /// `date`) and the path of what it shows (`.spec.replicas`). A path that cannot be read shows nothing. A kind without columns shows
    /// its age.
    #[must_use]
    pub fn column(mut self, name: &str, kind: &str, path: &str) -> Self {
        let entry = serde_json::json!({"name": name, "type": kind, "jsonPath": path});
        self.columns.extend(Column::read(&entry));
        self
    }

    /// The same under another plural.
    #[must_use]
    pub fn resource_name(mut self, plural: impl Into<String>) -> Self {
        self.plural = plural.into();
        self
    }

    /// The same with another kind of lists.
    #[must_use]
    pub fn list_kind(mut self, kind: impl Into<String>) -> Self {
        self.list_kind = kind.into();
        self
    }

    /// The same with these verbs only (`create`, `get`, `list`, `watch`, `update`, `patch`, `delete`, `deletecollection`).
    #[must_use]
    pub fn verbs<'a>(mut self, verbs: impl IntoIterator<Item = &'a str>) -> Self {
        let list: Vec<&str> = verbs.into_iter().collect();
        self.verbs = Verbs::parse(&list.join(","));
        self
    }

    /// The API group.
    pub fn group(&self) -> &str {
        &self.group
    }

    /// The version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The kind.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The plural: what stands in paths.
    pub fn plural(&self) -> &str {
        &self.plural
    }

    /// Whether objects live in namespaces.
    pub fn is_namespaced(&self) -> bool {
        self.namespaced
    }

    pub(super) fn resource(&self) -> Resource {
        let verbs = [Verb::Get, Verb::Patch, Verb::Update].into_iter().fold(Verbs::default(), Verbs::with);
        let mut subresources = Vec::new();
        if self.status {
            subresources.push(Subresource {
                name: "status".to_owned(),
                group_version: None,
                kind: self.kind.clone(),
                verbs,
            });
        }
        if self.scale.is_some() {
            subresources.push(Subresource {
                name: "scale".to_owned(),
                group_version: Some(("autoscaling".to_owned(), "v1".to_owned())),
                kind: "Scale".to_owned(),
                verbs,
            });
        }
        Resource {
            group: self.group.clone(),
            version: self.version.clone(),
            kind: self.kind.clone(),
            list_kind: self.list_kind.clone(),
            plural: self.plural.clone(),
            singular: self.singular.clone(),
            namespaced: self.namespaced,
            verbs: self.verbs,
            short_names: Vec::new(),
            categories: Vec::new(),
            storage_hash: storage_hash(&self.group, &self.version, &self.kind),
            subresources,
            builtin: false,
            scale: self.scale.clone(),
            rules: strategy::custom(),
            turned: None,
            custom: None,
            table: TableId(0),
            head: custom_head(&self.kind, &group_version(&self.group, &self.version)),
            published: None,
            printer: Printer::custom(self.columns.clone()),
            types: OnceLock::new(),
        }
    }
}
