//! Resources: the root types, with all that clients need to know of them.

use super::{Generators, Marker, Place, TypePath};
use crate::naming::{MethodNames, ResourceNames};
use serde::Serialize;
use std::collections::BTreeSet;

/// One kind of a version.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Resource {
    /// The kind: `At`.
    pub kind: String,
    /// Its derived names.
    pub names: ResourceNames,
    /// The documentation of the root type, without markers.
    pub docs: String,
    /// The path by which generated code names the root type. For a re-export this is the path in the type package, and
    /// [`Shape::ReExport`] has the original. [`Model::types`](super::Model::types) has its definition under this path.
    pub path: TypePath,
    /// How the root type is written.
    pub shape: Shape,
    /// Whether its objects live in namespaces.
    pub scope: Scope,
    /// What clients may do with it. Empty with `+genclient:noVerbs`.
    pub verbs: Verbs,
    /// Whether the type has a status (and no `+genclient:noStatus`).
    pub has_status: bool,
    /// `+genclient:method=`: further methods, in the order written.
    pub methods: Vec<Method>,
    /// Which generators work on it: the package's switches, `+genclient`, and what the verbs allow (a lister needs
    /// get and list, an informer list and watch).
    pub generators: Generators,
    /// All markers on the root type.
    pub markers: Vec<Marker>,
    /// Where the root type is declared.
    pub place: Place,
}

/// How a root type is written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Shape {
    /// The struct is written out, with `TypeMeta<Self>` and `ObjectMeta`; the `object` generator writes its impls.
    GoRoot,
    /// `#[derive(CustomResource)]` on the spec writes the struct and its impls.
    KubeDerive {
        /// The struct with the derive.
        spec: TypePath,
    },
    /// `pub use other_crate::Kind;`.
    ReExport {
        /// The type in its own crate.
        original: TypePath,
    },
}

/// Whether objects live in namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Scope {
    /// They do.
    Namespaced,
    /// They do not.
    Cluster,
}

/// A verb of client-gen's tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Verb {
    /// `create`.
    Create,
    /// `update`.
    Update,
    /// `updateStatus`.
    UpdateStatus,
    /// `delete`.
    Delete,
    /// `deleteCollection`.
    DeleteCollection,
    /// `get`.
    Get,
    /// `list`.
    List,
    /// `watch`.
    Watch,
    /// `patch`.
    Patch,
    /// `apply`.
    Apply,
    /// `applyStatus`.
    ApplyStatus,
}

impl Verb {
    /// All verbs, in the order in which clients show them.
    pub const ALL: [Self; 11] = [
        Self::Create,
        Self::Update,
        Self::UpdateStatus,
        Self::Delete,
        Self::DeleteCollection,
        Self::Get,
        Self::List,
        Self::Watch,
        Self::Patch,
        Self::Apply,
        Self::ApplyStatus,
    ];

    /// The name in tags: `deleteCollection`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::UpdateStatus => "updateStatus",
            Self::Delete => "delete",
            Self::DeleteCollection => "deleteCollection",
            Self::Get => "get",
            Self::List => "list",
            Self::Watch => "watch",
            Self::Patch => "patch",
            Self::Apply => "apply",
            Self::ApplyStatus => "applyStatus",
        }
    }

    /// The verb of a name in tags.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.name() == name)
    }
}

/// A set of verbs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verbs(BTreeSet<Verb>);

impl Verbs {
    /// Every verb.
    pub fn all() -> Self {
        Self::from_iter(Verb::ALL)
    }

    /// Whether the set has this verb.
    pub fn contains(&self, verb: Verb) -> bool {
        self.0.contains(&verb)
    }

    /// Adds a verb.
    pub fn insert(&mut self, verb: Verb) {
        self.0.insert(verb);
    }

    /// Takes a verb out.
    pub fn remove(&mut self, verb: Verb) {
        self.0.remove(&verb);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The verbs in the order of [`Verb::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = Verb> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<Verb> for Verbs {
    fn from_iter<I: IntoIterator<Item = Verb>>(verbs: I) -> Self {
        Self(verbs.into_iter().collect())
    }
}

/// A further method of a client, mostly for a subresource.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Method {
    /// Its derived names.
    pub names: MethodNames,
    /// What it does: any verb but `updateStatus`, `applyStatus`, `delete`, `deleteCollection`, `watch`.
    pub verb: Verb,
    /// The subresource (`scale`); `None` for the resource itself.
    pub subresource: Option<String>,
    /// What is sent, when it is not the root type. For `apply` the type whose apply configuration is sent.
    pub input: Option<TypePath>,
    /// What comes back, when it is not the root type.
    pub result: Option<TypePath>,
    /// Where its marker stands.
    pub place: Place,
}
