//! Functions that schemars is told to ask for a schema: those that hold nothing but JSON are read, though none is run.
//!
//! Two forms are: an expression around one JSON document (`json_schema!({ .. })`, `serde_json::from_value(json!({ .. })).unwrap()`), be it in a variable first, and a
//! schema, empty or that of a type, to which extensions are added one by one.

use super::imports::plain;
use super::json_tokens;
use super::resolve::Found;
use super::universe::{Scope, Universe};
use crate::source::{Item, ItemKind};
use quote::ToTokens;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::rc::Rc;
use syn::{Expr, ExprLit, ExprMethodCall, ItemFn, Lit, Pat, Stmt};

/// How many imports of a function are followed.
const DEPTH_LIMIT: usize = 8;

/// What a function gives.
pub(super) enum Given {
    /// A document.
    Json(Value),
    /// The schema of a type, and what is added to it.
    Extended(Box<syn::Type>, Value),
}

impl Universe<'_> {
    /// What a function that a path leads to gives, where it holds nothing else, and the module that it stands in.
    pub(super) fn given_by(&mut self, scope: &Rc<Scope>, path: &str) -> Option<(Rc<Scope>, Given)> {
        let path: syn::Path = syn::parse_str(path).ok()?;
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let (scope, function) = self.function(scope, &names, DEPTH_LIMIT)?;
        Some((scope, given_by_block(&function.block)?))
    }

    fn function(
        &mut self,
        scope: &Rc<Scope>,
        path: &[String],
        depth: usize,
    ) -> Option<(Rc<Scope>, Box<ItemFn>)> {
        let depth = depth.checked_sub(1)?;
        let (name, modules) = path.split_last()?;
        if !modules.is_empty() {
            return match self.resolve(scope, modules, false)? {
                Found::Module(module) => self.function(&module, std::slice::from_ref(name), depth),
                _ => None,
            };
        }
        let file = &scope.module.file;
        let is_meant = |item: &&Item| {
            item.kind == ItemKind::Other && item.name == "fn" && file.slice(item.name_bytes.clone()) == *name
        };
        if let Some(item) = scope.module.items.iter().find(is_meant) {
            return Some((Rc::clone(scope), Box::new(item.parse(file).ok()?)));
        }
        for at in 0..scope.imports().len() {
            let import = scope.imports().get(at)?;
            let mut path = import.path.clone();
            if import.glob {
                path.push(name.clone());
            } else if import.name.as_ref() != Some(name) {
                continue;
            }
            if path.len() > 1
                && let Some(found) = self.function(scope, &path, depth)
            {
                return Some(found);
            }
        }
        None
    }
}

/// What the body of a function gives, where it holds nothing else.
pub(super) fn given_by_block(block: &syn::Block) -> Option<Given> {
    let (last, before) = block.stmts.split_last()?;
    // `json_schema! { .. }` at the end is a statement to the parser.
    let made: Expr;
    let value = match last {
        Stmt::Expr(value, None) => value,
        Stmt::Macro(last) if last.semi_token.is_none() => {
            made = Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: last.mac.clone() });
            &made
        }
        _ => return None,
    };
    let mut known = Known::new();
    for statement in before {
        let Some((name, value)) =
            named(statement).and_then(|(name, made)| Some((name, document(made, &known)?)))
        else {
            return extended(&block.stmts);
        };
        known.insert(name, value);
    }
    if let Some(document) = document(value, &known) {
        return Some(Given::Json(document));
    }
    match start(value) {
        Some(Start::Of(ty)) => Some(Given::Extended(ty, Value::Object(Map::new()))),
        _ => None,
    }
}

/// The documents that variables hold.
type Known = HashMap<String, Value>;

/// `let name = made;`
fn named(statement: &Stmt) -> Option<(String, &Expr)> {
    let Stmt::Local(local) = statement else { return None };
    let name = match &local.pat {
        Pat::Ident(name) => name,
        Pat::Type(typed) => match &*typed.pat {
            Pat::Ident(name) => name,
            _ => return None,
        },
        _ => return None,
    };
    Some((name.ident.to_string(), &local.init.as_ref()?.expr))
}

/// The document in an expression, whatever it is wrapped in.
fn document(value: &Expr, known: &Known) -> Option<Value> {
    match value {
        Expr::Macro(call) => {
            let name = call.mac.path.segments.last()?.ident.to_string();
            let is_json = matches!(name.as_str(), "json_schema" | "json");
            is_json.then(|| json_tokens::read(call.mac.tokens.clone()))?
        }
        Expr::Path(path) => known.get(&path.path.get_ident()?.to_string()).cloned(),
        Expr::Reference(reference) => document(&reference.expr, known),
        Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. }) => Some(Value::Bool(flag.value)),
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(Value::String(text.value())),
        Expr::Call(call) => {
            let [argument] = call.args.iter().collect::<Vec<_>>().try_into().ok()?;
            let value = document(argument, known)?;
            match (last_name(&call.func)?.as_str(), value) {
                ("from_str", Value::String(text)) => serde_json::from_str(&text).ok(),
                (_, value) => Some(value),
            }
        }
        // `unwrap()`, `into()`, `expect("..")`.
        Expr::MethodCall(call) => document(&call.receiver, known),
        Expr::Try(tried) => document(&tried.expr, known),
        Expr::Paren(paren) => document(&paren.expr, known),
        Expr::Group(group) => document(&group.expr, known),
        _ => None,
    }
}

/// `let mut s = SchemaObject::default(); s.extensions.insert("key".into(), true.into()); s.into()`.
fn extended(statements: &[Stmt]) -> Option<Given> {
    let (first, rest) = statements.split_first()?;
    let (last, inserts) = rest.split_last()?;
    let (variable, made) = named(first)?;
    let start = start(made)?;
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
    match document(key, &Known::new())? {
        Value::String(key) => Some((key, document(value, &Known::new())?)),
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
