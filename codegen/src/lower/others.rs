//! Others: types outside of the type packages that schemas need, of other modules of the same crate and of other crates.

use super::exprs::external;
use super::imports::plain;
use super::notes::{Spot, notes};
use super::resolve::Found;
use super::types::Declared;
use super::universe::{Scope, Universe};
use super::well_known::is_at_hand;
use crate::marker::Targets;
use crate::model::{Alias, Field, Model, SchemaSource, TypeDef, TypeExpr, TypeKind, TypePath, VariantShape};
use crate::source::{Item, ItemKind};
use std::rc::Rc;

impl Universe<'_> {
    /// Reads the types that the types of a model are made of and that no package declares.
    pub(super) fn complete(&mut self, model: &mut Model) {
        let mut waiting: Vec<TypePath> = model.types.values().flat_map(paths).collect();
        while let Some(path) = waiting.pop() {
            if model.definition(&path).is_some() || !self.is_looked_for(&path) {
                continue;
            }
            match self.other_type(&path) {
                Some(Other::Definition(definition)) => {
                    waiting.extend(paths(&definition));
                    model.others.insert(path, *definition);
                }
                Some(Other::Alias(alias)) if !model.aliases.contains_key(&path) => {
                    named(&alias.stands_for, &mut waiting);
                    model.aliases.insert(path, alias);
                }
                _ => {}
            }
        }
    }

    /// A type of a crate that is not at hand. Where it is another one's under a new name, and that is one which every
    /// generated crate can name, it is that one.
    pub(super) fn external_expr(&mut self, path: &[String], arguments: Vec<TypeExpr>) -> TypeExpr {
        let written = external(path, arguments.clone());
        if let (TypeExpr::Named { .. }, Some((crate_name, [_, ..]))) = (&written, path.split_first())
            && !is_at_hand(crate_name)
            && let Some(Found::External(real)) = self.follow(path)
            && let Some("std" | "core" | "alloc" | "k8s_openapi") = real.first().map(String::as_str)
        {
            return external(&real, arguments);
        }
        written
    }

    /// What a path into another crate leads to.
    fn follow(&mut self, path: &[String]) -> Option<Found> {
        let (crate_name, rest) = path.split_first()?;
        let from = self.from.clone();
        self.add_foreign(crate_name, &from).ok()?;
        let root = self.module(crate_name, &[])?;
        self.resolve(&root, rest, false)
    }

    fn is_looked_for(&mut self, path: &TypePath) -> bool {
        if self.owns(&path.crate_name) {
            return true;
        }
        let from = self.from.clone();
        !is_at_hand(&path.crate_name) && self.add_foreign(&path.crate_name, &from).is_ok()
    }

    fn other_type(&mut self, path: &TypePath) -> Option<Other> {
        let segments: Vec<String> =
            path.segments().skip(1).map(|name| name.trim_start_matches("r#").to_owned()).collect();
        let root = self.module(&path.crate_name, &[])?;
        match self.resolve(&root, &segments, false)? {
            Found::Item(module, item) if item.kind == ItemKind::Type => {
                self.other_alias(&module, &item).map(Other::Alias)
            }
            Found::Item(module, item) => {
                let definition = self.other_definition(path, &module, &item)?;
                Some(Other::Definition(Box::new(definition)))
            }
            Found::External(real) if real.len() > 1 => {
                let stands_for = external(&real, Vec::new());
                Some(Other::Alias(Alias { parameters: Vec::new(), stands_for }))
            }
            _ => None,
        }
    }

    /// An alias that another crate declares.
    fn other_alias(&mut self, module: &Rc<Scope>, item: &Item) -> Option<Alias> {
        let parsed = item.parse::<syn::ItemType>(&module.module.file).ok()?;
        let declared = Declared { scope: module, item, markers: Vec::new(), optional: None };
        let context = declared.context(self, &parsed.generics);
        let stands_for = self.type_expr(&context, &parsed.ty);
        let parameters = parsed.generics.type_params().map(|parameter| plain(&parameter.ident)).collect();
        Some(Alias { parameters, stands_for })
    }

    fn other_definition(&mut self, path: &TypePath, module: &Rc<Scope>, item: &Item) -> Option<TypeDef> {
        let (markers, wrong) = self.markers_of(module, item);
        if self.owns(&path.crate_name) {
            self.diagnostics.extend(wrong);
        }
        if self.owns(&path.crate_name) {
            self.register_schemas(module);
        }
        let declared = Declared { scope: module, item, markers, optional: None };
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

/// What a type is that no package declares.
enum Other {
    Definition(Box<TypeDef>),
    Alias(Alias),
}

/// The named types that a definition is made of.
fn paths(definition: &TypeDef) -> Vec<TypePath> {
    let mut found = Vec::new();
    if let SchemaSource::Other(ty) | SchemaSource::Extended(ty, _) = &definition.schema {
        named(ty, &mut found);
    }
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
