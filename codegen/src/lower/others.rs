//! Others: types outside of the type packages that schemas need, of other modules of the same crate and of other crates.

use super::notes::{Spot, notes};
use super::resolve::Found;
use super::types::Declared;
use super::universe::{Scope, Universe};
use crate::marker::Targets;
use crate::model::{Field, Model, TypeDef, TypeExpr, TypeKind, TypePath, VariantShape};
use crate::source::{Item, ItemKind};
use std::path::Path;
use std::rc::Rc;

/// Crates whose types are known by their names, or are too well known to be looked for.
const KNOWN: [&str; 20] = [
    "std",
    "core",
    "alloc",
    "k8s_openapi",
    "kube",
    "kube_core",
    "kube_client",
    "kube_runtime",
    "serde_json",
    "serde_yaml",
    "chrono",
    "time",
    "jiff",
    "url",
    "uuid",
    "semver",
    "ipnet",
    "ipnetwork",
    "secrecy",
    "crate",
];

impl Universe<'_> {
    /// Reads the types that the types of a model are made of and that no package declares.
    ///
    /// - `from`: a folder from which cargo finds other crates.
    pub(super) fn complete(&mut self, model: &mut Model, from: &Path) {
        let mut waiting: Vec<TypePath> = model.types.values().flat_map(paths).collect();
        while let Some(path) = waiting.pop() {
            if model.definition(&path).is_some() || !self.is_looked_for(&path, from) {
                continue;
            }
            if let Some(definition) = self.other_type(&path) {
                waiting.extend(paths(&definition));
                model.others.insert(path, definition);
            }
        }
    }

    fn is_looked_for(&mut self, path: &TypePath, from: &Path) -> bool {
        if self.owns(&path.crate_name) {
            return true;
        }
        !KNOWN.contains(&path.crate_name.as_str()) && self.add_foreign(&path.crate_name, from).is_ok()
    }

    fn other_type(&mut self, path: &TypePath) -> Option<TypeDef> {
        let segments: Vec<String> =
            path.segments().skip(1).map(|name| name.trim_start_matches("r#").to_owned()).collect();
        let root = self.module(&path.crate_name, &[])?;
        let Some(Found::Item(module, item)) = self.resolve(&root, &segments, false) else { return None };
        let (markers, wrong) = self.markers_of(&module, &item);
        if self.owns(&path.crate_name) {
            self.diagnostics.extend(wrong);
        }
        let declared = Declared { scope: &module, item: &item, markers, optional: None };
        let mut definition = match item.kind {
            ItemKind::Struct => {
                let parsed = item.parse::<syn::ItemStruct>(&module.module.file).ok()?;
                self.struct_def(declared, &parsed)
            }
            ItemKind::Enum => {
                let parsed = item.parse::<syn::ItemEnum>(&module.module.file).ok()?;
                self.enum_def(declared, &parsed)
            }
            _ => return None,
        };
        definition.path = path.clone();
        Some(definition)
    }

    fn markers_of(
        &self,
        module: &Rc<Scope>,
        item: &Item,
    ) -> (Vec<crate::model::Marker>, crate::diagnostic::Diagnostics) {
        let before = module.module.items.iter().filter(|other| other.bytes.end <= item.bytes.start);
        let after = before.map(|other| other.bytes.end).max().unwrap_or(module.module.bytes.start);
        let spot = Spot { after, start: item.bytes.start, head: item.head };
        let mut wrong = crate::diagnostic::Diagnostics::new();
        let (own, _) = notes(&module.module.file, &spot, &mut wrong);
        let of_types = own.into_iter().filter(|note| note.targets.allow(Targets::TYPE));
        (of_types.map(|note| note.marker).collect(), wrong)
    }
}

/// The named types that a definition is made of.
fn paths(definition: &TypeDef) -> Vec<TypePath> {
    let mut found = Vec::new();
    match &definition.kind {
        TypeKind::Struct(fields) => of_fields(fields, &mut found),
        TypeKind::Enum(_, variants) => {
            for variant in variants {
                match &variant.shape {
                    VariantShape::Unit => {}
                    VariantShape::Struct(fields) => of_fields(fields, &mut found),
                    VariantShape::Newtype(only) => named(only.schema_type(), &mut found),
                    VariantShape::Tuple(members) => {
                        members.iter().for_each(|member| named(member, &mut found));
                    }
                }
            }
        }
        TypeKind::Newtype(only) => named(only.schema_type(), &mut found),
        TypeKind::Tuple(members) => members.iter().for_each(|member| named(member, &mut found)),
        TypeKind::Unit => {}
    }
    found
}

fn named(ty: &TypeExpr, found: &mut Vec<TypePath>) {
    found.extend(ty.path().cloned());
    ty.children().into_iter().for_each(|child| named(child, found));
}

fn of_fields(fields: &[Field], found: &mut Vec<TypePath>) {
    for field in fields {
        named(field.schema_type(), found);
    }
}
