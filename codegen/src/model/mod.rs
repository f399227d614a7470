//! The model: what the generators know about the annotated types.
//!
//! In: nothing; `lower` fills it. Out: plain data that every generator reads. It never holds a syntax tree or a token,
//! never reads a file, and its order is fixed (groups by name, versions best first, kinds and fields as sorted or as
//! declared), so that what is written from it is a function of the input alone.

mod manifests;
mod marker;
mod package;
mod place;
mod resource;
mod type_def;
mod type_expr;
mod type_path;

pub use manifests::{
    ControllerUse, Manifests, Permission, Tie, Usage, UsageReport, Webhook, WebhookConfiguration, WebhookKind,
};
pub use marker::{Marker, MarkerArgument, MarkerValue};
pub use package::{Generators, Group, Package, Version};
pub use place::Place;
pub use resource::{Method, Resource, Scope, Shape, Verb, Verbs};
pub use type_def::{
    Container, EnumTagging, Field, FieldDefault, FieldSerde, GapReason, Generic, OWN_IMPL, Origin, SchemaGap,
    SchemaSource, TypeDef, TypeKind, Variant, VariantShape, WireName,
};
pub use type_expr::{Alias, Float, Integer, ListKind, MapKind, PointerKind, SetKind, TypeExpr};
pub use type_path::TypePath;

use serde::Serialize;
use std::collections::BTreeMap;

/// Everything the generators read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Model {
    /// The groups, sorted by their API name (the core group, `""`, comes first).
    pub groups: Vec<Group>,
    /// Every type that is declared in a type package, and every type of another crate that is reachable from a
    /// re-exported root and that generators may want to take apart. Keyed by the path under which others name it.
    pub types: BTreeMap<TypePath, TypeDef>,
    /// Types that are declared elsewhere, in other modules and crates, and that those are made of. Generated code uses
    /// them as they are; schemas look into them.
    pub others: BTreeMap<TypePath, TypeDef>,
    /// Names of other crates that stand for another type: aliases, and types that they re-export. For schemas.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub aliases: BTreeMap<TypePath, Alias>,
    /// The type packages in which nothing has `+genclient`, by their first line.
    #[serde(skip)]
    pub without_clients: Vec<Place>,
}

impl Model {
    /// All versions of all groups, in the model's order.
    pub fn versions(&self) -> impl Iterator<Item = (&Group, &Version)> {
        self.groups.iter().flat_map(|group| group.versions.iter().map(move |version| (group, version)))
    }

    /// All resources of all versions, in the model's order.
    pub fn resources(&self) -> impl Iterator<Item = (&Group, &Version, &Resource)> {
        self.versions().flat_map(|(group, version)| {
            version.resources.iter().map(move |resource| (group, version, resource))
        })
    }

    /// The definition of a named type, where the model has it. `None` means: a leaf, to be used as it is.
    pub fn type_def(&self, path: &TypePath) -> Option<&TypeDef> {
        self.types.get(path)
    }

    /// The definition of a named type, wherever it is declared, for schemas.
    pub fn definition(&self, path: &TypePath) -> Option<&TypeDef> {
        self.types.get(path).or_else(|| self.others.get(path))
    }

    /// The definition of the root type of a resource. For the kube-derive shape this is the struct which the derive
    /// writes (`metadata`, `spec`, `status`).
    pub fn root(&self, resource: &Resource) -> Option<&TypeDef> {
        self.types.get(&resource.path)
    }
}
