//! Types with an `impl JsonSchema` of their own: what it holds is read where it is nothing but JSON, or the schema of another type.

use super::exprs::Context;
use super::imports::plain;
use super::resolve::Found;
use super::schema_functions::{Given, given_by_block};
use super::universe::{Scope, Universe};
use crate::model::{OWN_IMPL, SchemaSource, TypePath};
use crate::source::{Item, ItemKind};
use std::rc::Rc;
use syn::{Attribute, ImplItem, ItemImpl, Type};

impl Universe<'_> {
    /// Notes the types for which a module implements `JsonSchema`.
    pub(super) fn register_schemas(&mut self, scope: &Rc<Scope>) {
        if !self.schemas_of.insert((scope.crate_name.clone(), scope.place.clone())) {
            return;
        }
        for item in scope.module.items.iter().filter(|item| item.kind == ItemKind::Impl) {
            if !scope.module.file.slice(item.bytes.clone()).contains("JsonSchema") {
                continue;
            }
            if let Some(of) = self.type_of(scope, item) {
                self.schemas.insert(of, (Rc::clone(scope), item.clone()));
            }
        }
    }

    /// The type for which an item implements `JsonSchema`.
    fn type_of(&mut self, scope: &Rc<Scope>, item: &Item) -> Option<TypePath> {
        let parsed: ItemImpl = item.parse(&scope.module.file).ok()?;
        let (of, _) = parsed.trait_?;
        if of.segments.last()?.ident != "JsonSchema" {
            return None;
        }
        let Type::Path(path) = *parsed.self_ty else { return None };
        let names: Vec<String> = path.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        match self.resolve(scope, &names, path.path.leading_colon.is_some())? {
            Found::Item(module, item) => Some(self.path_of(&module, &item.name)),
            _ => None,
        }
    }

    /// Where the schema of a type comes from.
    pub(super) fn own_schema(&mut self, context: &Context, attributes: &[Attribute]) -> SchemaSource {
        if self.owns(&context.scope.crate_name) {
            match self.schema_source(context, attributes) {
                SchemaSource::Type | SchemaSource::Skipped => {}
                said => return said,
            }
        }
        let Some((scope, item)) = self.schemas.get(&context.own).cloned() else { return SchemaSource::Type };
        let unread = || SchemaSource::Function(OWN_IMPL.to_owned());
        let Ok(parsed) = item.parse::<ItemImpl>(&scope.module.file) else { return unread() };
        let function = parsed.items.iter().find_map(|item| match item {
            ImplItem::Fn(function) if function.sig.ident == "json_schema" => Some(function),
            _ => None,
        });
        match function.and_then(|function| given_by_block(&function.block)) {
            Some(Given::Json(value)) => SchemaSource::Literal(value),
            Some(Given::Extended(ty, value)) => {
                let context = Context { scope, item, ..context.clone() };
                SchemaSource::Extended(self.type_expr(&context, &ty), value)
            }
            None => unread(),
        }
    }
}
