//! One field: its optional twin and its setter.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::Context;
use super::super::docs::{doc, doc_or};
use super::super::paths;
use super::super::scope::{Scope, ident};
use crate::model::{Field, MapKind, TypeExpr};
use crate::naming::SerdeCase;

/// How a field is set.
enum Form {
    /// By a value.
    Value,
    /// By a value that is kept in a box.
    Boxed,
    /// By items, which are added to those there are.
    Items(TokenStream),
    /// By entries, which are added to those there are.
    Entries(TokenStream, TokenStream),
    /// By a value that is always there, since its fields are the parent's own on the wire.
    Flattened,
}

/// A field of an apply configuration.
pub(super) struct Twin {
    /// The declaration, with docs and serde attributes.
    pub(super) declaration: TokenStream,
    /// The setter.
    pub(super) setter: TokenStream,
}

/// The twin of a field; `None` if the field is never written or its type has no name outside of its module.
pub(super) fn twin(
    context: &Context<'_>,
    scope: &mut Scope,
    field: &Field,
    reserved: &[&str],
) -> Option<Twin> {
    if field.serde.skip_serializing || matches!(field.ty, TypeExpr::TypeMeta(_)) {
        return None;
    }
    let (ty, form) = shape(context, scope, field)?;
    let setter = setter(scope, field, &ty, &form, reserved);
    Some(Twin { declaration: declaration(field, &ty, &form), setter })
}

/// The type that is set, and how.
fn shape(context: &Context<'_>, scope: &mut Scope, field: &Field) -> Option<(TokenStream, Form)> {
    if field.serde.custom {
        // What stands on the wire is not the type: any JSON is the honest description.
        return Some((scope.item(paths::JSON_VALUE), Form::Value));
    }
    let inner = field.ty.inner();
    match inner {
        TypeExpr::Named { path, arguments }
            if arguments.is_empty() && context.configurations.get(path).is_some() =>
        {
            let ty = applied(context, scope, inner)?;
            let form = match (field.serde.flatten, is_boxed(&field.ty)) {
                (true, _) => Form::Flattened,
                (false, true) => Form::Boxed,
                (false, false) => Form::Value,
            };
            Some((ty, form))
        }
        TypeExpr::List(_, item) => {
            let item = applied(context, scope, item)?;
            Some((quote!(Vec<#item>), Form::Items(item)))
        }
        TypeExpr::Map(kind, key, value) if is_sorted(*kind, key) => {
            let (key, value) = (applied(context, scope, key)?, applied(context, scope, value)?);
            let map = scope.item(paths::BTREE_MAP);
            Some((quote!(#map<#key, #value>), Form::Entries(key, value)))
        }
        _ => Some((applied(context, scope, inner)?, Form::Value)),
    }
}

fn is_boxed(ty: &TypeExpr) -> bool {
    match ty {
        TypeExpr::Pointer(..) => true,
        TypeExpr::Option(inner) => is_boxed(inner),
        _ => false,
    }
}

/// Whether a map can be a sorted one: it is, or its keys can be compared.
fn is_sorted(kind: MapKind, key: &TypeExpr) -> bool {
    kind == MapKind::BTreeMap
        || matches!(key, TypeExpr::String | TypeExpr::Integer(_) | TypeExpr::Bool | TypeExpr::Char)
}

/// A type with every struct in it replaced by its apply configuration.
fn applied(context: &Context<'_>, scope: &mut Scope, ty: &TypeExpr) -> Option<TokenStream> {
    match ty {
        TypeExpr::Named { path, arguments } if arguments.is_empty() => match context.configurations.get(path)
        {
            Some(place) => Some(scope.item(&place.path_below(&context.options.modules.applyconfiguration))),
            None => scope.type_expr(ty),
        },
        TypeExpr::Option(inner) => {
            let inner = applied(context, scope, inner)?;
            Some(quote!(Option<#inner>))
        }
        TypeExpr::Pointer(_, inner) => {
            let inner = applied(context, scope, inner)?;
            Some(quote!(Box<#inner>))
        }
        TypeExpr::List(_, item) => {
            let item = applied(context, scope, item)?;
            Some(quote!(Vec<#item>))
        }
        TypeExpr::Map(kind, key, value) if is_sorted(*kind, key) => {
            let (key, value) = (applied(context, scope, key)?, applied(context, scope, value)?);
            let map = scope.item(paths::BTREE_MAP);
            Some(quote!(#map<#key, #value>))
        }
        other => scope.type_expr(other),
    }
}

fn declaration(field: &Field, ty: &TokenStream, form: &Form) -> TokenStream {
    let name = ident(&field.ident);
    let wire = &field.wire.serialize;
    let docs = doc_or(&field.docs, &format!("`{wire}`."));
    let rename = (SerdeCase::Camel.field(&field.ident) != *wire).then(|| quote!(rename = #wire,));
    match form {
        Form::Flattened => quote! {
            #docs
            #[serde(flatten)]
            pub #name: #ty
        },
        Form::Entries(..) if field.serde.flatten => quote! {
            #docs
            #[serde(flatten, skip_serializing_if = "Option::is_none")]
            pub #name: Option<#ty>
        },
        Form::Boxed => quote! {
            #docs
            #[serde(#rename skip_serializing_if = "Option::is_none")]
            pub #name: Option<Box<#ty>>
        },
        _ => quote! {
            #docs
            #[serde(#rename skip_serializing_if = "Option::is_none")]
            pub #name: Option<#ty>
        },
    }
}

/// Setters that would look like an operator's method, which clippy warns of.
const OPERATORS: &[&str] = &["add", "bitand", "bitor", "bitxor", "div", "mul", "rem", "shl", "shr", "sub"];

fn setter(scope: &mut Scope, field: &Field, ty: &TokenStream, form: &Form, reserved: &[&str]) -> TokenStream {
    let name = ident(&field.ident);
    let plain = field.ident.as_str();
    let function = if reserved.contains(&plain) { ident(&format!("set_{plain}")) } else { name.clone() };
    let wire = &field.wire.serialize;
    let expectation = (OPERATORS.contains(&plain) && !matches!(form, Form::Entries(..))).then(
        || quote!(#[expect(clippy::should_implement_trait, reason = "named like the field, which is no operator")]),
    );
    let docs = doc(&match form {
        Form::Items(_) => format!("Adds items to `{wire}`."),
        Form::Entries(..) => format!("Adds entries to `{wire}`; one with a known key replaces the old one."),
        _ => format!("Sets `{wire}`."),
    });
    let (parameter, body) = match form {
        Form::Value => (quote!(value: impl Into<#ty>), quote!(self.#name = Some(value.into());)),
        Form::Boxed => (quote!(value: impl Into<#ty>), quote!(self.#name = Some(Box::new(value.into()));)),
        Form::Flattened => (quote!(value: impl Into<#ty>), quote!(self.#name = value.into();)),
        Form::Items(item) => {
            let extend = scope.item(paths::EXTEND_ITEMS);
            (
                quote!(items: impl IntoIterator<Item = impl Into<#item>>),
                quote!(#extend(&mut self.#name, items);),
            )
        }
        Form::Entries(key, value) => {
            let insert = scope.item(paths::INSERT_ENTRIES);
            (
                quote!(entries: impl IntoIterator<Item = (impl Into<#key>, impl Into<#value>)>),
                quote!(#insert(&mut self.#name, entries);),
            )
        }
    };
    quote! {
        #docs
        #expectation
        #[must_use]
        pub fn #function(mut self, #parameter) -> Self {
            #body
            self
        }
    }
}
