//! Functions that schemars is told to ask for a schema: those that hold nothing but JSON are read, though none is run.
//!
//! Two forms are: an expression around one JSON document (`json_schema!({ .. })`, `serde_json::from_value(json!({ .. })).unwrap()`), and a
//! schema, empty or that of a type, to which extensions are added one by one.

use super::json_tokens;
use crate::source::{ItemKind, Module};
use quote::ToTokens;
use serde_json::{Map, Value};
use syn::{Expr, ExprLit, ExprMethodCall, ItemFn, Lit, Pat, Stmt};

/// What a function gives.
pub(super) enum Given {
    /// A document.
    Json(Value),
    /// The schema of a type, and what is added to it.
    Extended(Box<syn::Type>, Value),
}

/// What a function of the module gives, where it holds nothing else.
pub(super) fn given_by(module: &Module, name: &str) -> Option<Given> {
    let functions = module.items.iter().filter(|item| item.kind == ItemKind::Other && item.name == "fn");
    let named = functions.filter(|item| module.file.slice(item.name_bytes.clone()) == name);
    let functions = named.filter_map(|item| item.parse::<ItemFn>(&module.file).ok());
    functions.into_iter().find_map(|function| given_by_block(&function.block))
}

/// What the body of a function gives, where it holds nothing else.
pub(super) fn given_by_block(block: &syn::Block) -> Option<Given> {
    match block.stmts.as_slice() {
        [Stmt::Expr(value, None)] => match document(value) {
            Some(document) => Some(Given::Json(document)),
            None => match start(value)? {
                Start::Of(ty) => Some(Given::Extended(ty, Value::Object(Map::new()))),
                Start::Empty => None,
            },
        },
        statements => extended(statements),
    }
}

/// The document in an expression, whatever it is wrapped in.
fn document(value: &Expr) -> Option<Value> {
    match value {
        Expr::Macro(call) => {
            let name = call.mac.path.segments.last()?.ident.to_string();
            let is_json = matches!(name.as_str(), "json_schema" | "json");
            is_json.then(|| json_tokens::read(call.mac.tokens.clone()))?
        }
        Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. }) => Some(Value::Bool(flag.value)),
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(Value::String(text.value())),
        Expr::Call(call) => {
            let [argument] = call.args.iter().collect::<Vec<_>>().try_into().ok()?;
            let value = document(argument)?;
            match (last_name(&call.func)?.as_str(), value) {
                ("from_str", Value::String(text)) => serde_json::from_str(&text).ok(),
                (_, value) => Some(value),
            }
        }
        // `unwrap()`, `into()`, `expect("..")`.
        Expr::MethodCall(call) => document(&call.receiver),
        Expr::Try(tried) => document(&tried.expr),
        Expr::Paren(paren) => document(&paren.expr),
        Expr::Group(group) => document(&group.expr),
        _ => None,
    }
}

/// `let mut s = SchemaObject::default(); s.extensions.insert("key".into(), true.into()); s.into()`.
fn extended(statements: &[Stmt]) -> Option<Given> {
    let (first, rest) = statements.split_first()?;
    let (last, inserts) = rest.split_last()?;
    let Stmt::Local(local) = first else { return None };
    let variable = match &local.pat {
        Pat::Ident(name) => name.ident.to_string(),
        Pat::Type(typed) => match &*typed.pat {
            Pat::Ident(name) => name.ident.to_string(),
            _ => return None,
        },
        _ => return None,
    };
    let start = start(&local.init.as_ref()?.expr)?;
    let Stmt::Expr(result, None) = last else { return None };
    if !names(result, &variable) {
        return None;
    }
    let mut document = Map::new();
    for statement in inserts {
        let Stmt::Expr(Expr::MethodCall(call), Some(_)) = statement else { return None };
        let (key, value) = inserted(call, &variable)?;
        document.insert(key, value);
    }
    let document = Value::Object(document);
    Some(match start {
        Start::Empty => Given::Json(document),
        Start::Of(ty) => Given::Extended(ty, document),
    })
}

/// What extensions are added to.
enum Start {
    Empty,
    Of(Box<syn::Type>),
}

/// `SchemaObject::default()`, `<Vec<String>>::json_schema(generator).into()`, `generator.subschema_for::<Vec<String>>()`.
fn start(made: &Expr) -> Option<Start> {
    let made = match made {
        Expr::MethodCall(call) if call.method == "subschema_for" => {
            let types = call.turbofish.iter().flat_map(|types| &types.args);
            return match types.collect::<Vec<_>>().as_slice() {
                [syn::GenericArgument::Type(ty)] => Some(Start::Of(Box::new(ty.clone()))),
                _ => None,
            };
        }
        Expr::MethodCall(call) if call.args.is_empty() => &call.receiver,
        other => other,
    };
    let Expr::Call(call) = made else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    match last_name(&call.func)?.as_str() {
        "default" | "new" if call.args.is_empty() => Some(Start::Empty),
        "json_schema" => match &path.qself {
            // `<T>::json_schema` and `<T as JsonSchema>::json_schema`
            Some(of) => Some(Start::Of(of.ty.clone())),
            None => {
                let mut path = path.path.clone();
                path.segments.pop();
                path.segments.pop_punct();
                syn::parse2(path.to_token_stream()).ok().map(|ty| Start::Of(Box::new(ty)))
            }
        },
        _ => None,
    }
}

/// `s.extensions.insert("key".into(), ..)`, and `s.insert(..)`.
fn inserted(call: &ExprMethodCall, variable: &str) -> Option<(String, Value)> {
    let into = match &*call.receiver {
        Expr::Field(field) if matches!(&field.member, syn::Member::Named(name) if name == "extensions") => {
            &field.base
        }
        _ => &call.receiver,
    };
    let [key, value] = call.args.iter().collect::<Vec<_>>().try_into().ok()?;
    if call.method != "insert" || !names(into, variable) {
        return None;
    }
    match document(key)? {
        Value::String(key) => Some((key, document(value)?)),
        _ => None,
    }
}

/// Whether an expression is a variable, wrapped or not.
fn names(value: &Expr, variable: &str) -> bool {
    match value {
        Expr::Path(path) => path.path.is_ident(variable),
        Expr::MethodCall(call) => call.args.is_empty() && names(&call.receiver, variable),
        Expr::Call(call) => {
            call.args.len() == 1 && call.args.iter().all(|argument| names(argument, variable))
        }
        _ => false,
    }
}

fn last_name(function: &Expr) -> Option<String> {
    match function {
        Expr::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}
