//! Type expressions: from a syntax tree to the model's, with every name resolved.

use super::imports::plain;
use super::resolve::Found;
use super::universe::{Scope, Universe};
use crate::diagnostic::LowerProblem;
use crate::model::{Float, Integer, ListKind, MapKind, PointerKind, SetKind, TypeExpr, TypePath};
use crate::naming::{nearest, rust_ident};
use crate::source::{Item, ItemKind};
use quote::ToTokens;
use std::collections::HashMap;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, Type};

/// Where a type is written.
#[derive(Debug, Clone)]
pub(super) struct Context {
    /// The module.
    pub(super) scope: Rc<Scope>,
    /// The item, for places.
    pub(super) item: Item,
    /// What `Self` means.
    pub(super) own: TypePath,
    /// The item's generic parameters, and what they stand for.
    pub(super) generics: HashMap<String, TypeExpr>,
}

impl Universe<'_> {
    /// A type as it is used in an item.
    pub(super) fn type_expr(&mut self, context: &Context, ty: &Type) -> TypeExpr {
        match ty {
            Type::Paren(paren) => self.type_expr(context, &paren.elem),
            Type::Group(group) => self.type_expr(context, &group.elem),
            Type::Array(array) => {
                let inner = self.type_expr(context, &array.elem);
                TypeExpr::Array(Box::new(inner), text(&array.len))
            }
            Type::Tuple(tuple) => {
                TypeExpr::Tuple(tuple.elems.iter().map(|member| self.type_expr(context, member)).collect())
            }
            Type::Path(path) if path.qself.is_none() => self.path_expr(context, &path.path),
            other => TypeExpr::Other(text(other)),
        }
    }

    /// A type that an attribute names by its path.
    pub(super) fn named_type(&mut self, context: &Context, path: &syn::Path) -> TypeExpr {
        self.path_expr(context, path)
    }

    fn path_expr(&mut self, context: &Context, path: &syn::Path) -> TypeExpr {
        let Some(arguments) = self.arguments(context, path) else { return TypeExpr::Other(text(path)) };
        let segments: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        // `Self::Item` and `T::Item` belong to a trait.
        let first = segments.first().filter(|_| segments.len() > 1);
        if first.is_some_and(|first| first == "Self" || context.generics.contains_key(first)) {
            return TypeExpr::Other(text(path));
        }
        if let [name] = segments.as_slice() {
            if let Some(known) = context.generics.get(name) {
                return known.clone();
            }
            if name == "Self" {
                return TypeExpr::Named { path: context.own.clone(), arguments };
            }
            if let Some(primitive) = primitive(name) {
                return primitive;
            }
        }
        let absolute = path.leading_colon.is_some();
        match self.resolve(&context.scope, &segments, absolute) {
            Some(Found::Item(scope, item)) => self.item_expr(context, (&scope, &item), &segments, arguments),
            Some(Found::Derived(scope, name)) => {
                TypeExpr::Named { path: self.path_of(&scope, &name), arguments }
            }
            Some(Found::External(path)) => self.external_expr(&path, arguments),
            Some(Found::Ambiguous(first, second)) => {
                let span = context.scope.module.file.span(context.item.absolute(path.span()));
                let name = segments.join("::");
                self.report(LowerProblem::Ambiguous { name, first, second }, span);
                TypeExpr::Other(text(path))
            }
            Some(Found::Module(_)) | None => self.unresolved(context, path, &segments, arguments),
        }
    }

    /// The type arguments of the last segment; `None` when there are lifetimes or constants among them.
    fn arguments(&mut self, context: &Context, path: &syn::Path) -> Option<Vec<TypeExpr>> {
        let last = path.segments.last()?;
        match &last.arguments {
            PathArguments::None => Some(Vec::new()),
            PathArguments::Parenthesized(_) => None,
            PathArguments::AngleBracketed(list) => list
                .args
                .iter()
                .map(|argument| match argument {
                    GenericArgument::Type(ty) => Some(self.type_expr(context, ty)),
                    GenericArgument::Lifetime(lifetime) if last.ident == "Cow" => {
                        Some(TypeExpr::Other(lifetime.to_string()))
                    }
                    _ => None,
                })
                .collect(),
        }
    }

    /// A type that is declared in a module at hand.
    fn item_expr(
        &mut self,
        context: &Context,
        (scope, item): (&Rc<Scope>, &Item),
        written: &[String],
        arguments: Vec<TypeExpr>,
    ) -> TypeExpr {
        if item.kind == ItemKind::Type {
            return self.alias_expr(context, scope, item, arguments);
        }
        // Other crates declare types in private modules and name them by the path of the re-export.
        let path = match written.split_first() {
            Some((first, rest)) if first == "crate" && !self.owns(&scope.crate_name) => {
                let mut modules: Vec<String> = rest.iter().map(|name| rust_ident(name)).collect();
                let name = modules.pop().unwrap_or_default();
                TypePath::new(&scope.crate_name, modules, name)
            }
            _ => self.path_of(scope, &item.name),
        };
        let well_known = !self.owns(&scope.crate_name);
        if well_known && let Some(known) = known_by_name(&path, &arguments) {
            return known;
        }
        TypeExpr::Named { path, arguments }
    }

    /// What an alias stands for.
    fn alias_expr(
        &mut self,
        context: &Context,
        scope: &Rc<Scope>,
        item: &Item,
        arguments: Vec<TypeExpr>,
    ) -> TypeExpr {
        let own = self.path_of(scope, &item.name);
        let (is_loop, is_deep) = (self.aliases.contains(&own), self.aliases.len() >= ALIAS_LIMIT);
        if is_loop || is_deep {
            let (name, file) = (item.name.clone(), &context.scope.module.file);
            let problem = match is_loop {
                true => LowerProblem::AliasLoop { name },
                false => LowerProblem::AliasDepth { name },
            };
            self.report(problem, file.span(context.item.name_bytes.clone()));
            return TypeExpr::Other(item.name.clone());
        }
        let Ok(alias) = item.parse::<syn::ItemType>(&scope.module.file) else {
            return TypeExpr::Named { path: own, arguments };
        };
        let names = alias.generics.type_params().map(|parameter| plain(&parameter.ident));
        let context = Context {
            scope: Rc::clone(scope),
            item: item.clone(),
            own: own.clone(),
            generics: names.zip(arguments).collect(),
        };
        self.aliases.push(own);
        let expr = self.type_expr(&context, &alias.ty);
        self.aliases.pop();
        expr
    }

    /// A name that is neither declared nor imported: one of the prelude's, or a mistake.
    fn unresolved(
        &mut self,
        context: &Context,
        path: &syn::Path,
        segments: &[String],
        arguments: Vec<TypeExpr>,
    ) -> TypeExpr {
        if let [name] = segments
            && let Some(known) = standard(name, &arguments)
        {
            return known;
        }
        if segments == ["Result"] {
            let path = TypePath::new("std", vec!["result".to_owned()], "Result".to_owned());
            return TypeExpr::Named { path, arguments };
        }
        let (scope, name) = (&context.scope, segments.last().cloned().unwrap_or_default());
        let here = TypePath::new(&scope.crate_name, scope.written_path(), rust_ident(&name));
        let by_macro = segments.len() == 1 && has_macro_calls(scope);
        if by_macro || !self.owns(&scope.crate_name) {
            return TypeExpr::Named { path: here, arguments };
        }
        let declared = scope
            .module
            .items
            .iter()
            .filter(|item| matches!(item.kind, ItemKind::Struct | ItemKind::Enum | ItemKind::Type));
        let imported = scope.imports().iter().filter_map(|import| import.name.as_deref());
        let known = declared.map(|item| item.name.as_str()).chain(imported).chain(STANDARD);
        let near = nearest(&name, known).map(str::to_owned);
        let span = scope.module.file.span(context.item.absolute(path.span()));
        self.report(LowerProblem::UnknownType { name: segments.join("::"), nearest: near }, span);
        TypeExpr::Other(text(path))
    }
}

/// Whether macros may declare more in a module than can be seen.
pub(super) fn has_macro_calls(scope: &Scope) -> bool {
    scope.module.items.iter().any(|item| is_macro_call(scope, item))
}

/// How many aliases of aliases are followed.
const ALIAS_LIMIT: usize = 100;

fn is_macro_call(scope: &Scope, item: &Item) -> bool {
    let file = &scope.module.file;
    item.kind == ItemKind::Other
        && item.name != "macro_rules"
        && file
            .slice(item.head..item.bytes.end)
            .trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':')
            .starts_with('!')
}

/// A type of a crate that is not at hand.
pub(super) fn external(path: &[String], arguments: Vec<TypeExpr>) -> TypeExpr {
    let Some((name, front)) = path.split_last() else { return TypeExpr::Tuple(Vec::new()) };
    let Some((crate_name, modules)) = front.split_first() else {
        return standard(name, &arguments).unwrap_or_else(|| TypeExpr::Other(name.clone()));
    };
    if matches!(crate_name.as_str(), "std" | "alloc" | "core")
        && let Some(known) = standard(name, &arguments).or_else(|| primitive(name))
    {
        return known;
    }
    let modules = modules.iter().map(|module| rust_ident(module)).collect();
    let path = TypePath::new(crate_name.as_str(), modules, rust_ident(name));
    known_by_name(&path, &arguments).unwrap_or(TypeExpr::Named { path, arguments })
}

/// Types of Kubernetes and serde that the model has words for.
fn known_by_name(path: &TypePath, arguments: &[TypeExpr]) -> Option<TypeExpr> {
    let parent = path.modules.last().unwrap_or(&path.crate_name);
    match (path.name.as_str(), arguments) {
        ("ObjectMeta", []) => Some(TypeExpr::ObjectMeta),
        ("ListMeta", []) => Some(TypeExpr::ListMeta),
        ("TypeMeta", [of]) => Some(TypeExpr::TypeMeta(Box::new(of.clone()))),
        ("Value", []) if parent == "serde_json" => Some(TypeExpr::Json),
        _ => None,
    }
}

/// Names of the standard library that stand for themselves where nobody else has them.
pub(super) const STANDARD: [&str; 12] = [
    "String",
    "Vec",
    "Option",
    "Box",
    "Arc",
    "Rc",
    "BTreeMap",
    "HashMap",
    "BTreeSet",
    "HashSet",
    "VecDeque",
    "LinkedList",
];

/// Types of the standard library, by their last segment.
fn standard(name: &str, arguments: &[TypeExpr]) -> Option<TypeExpr> {
    let one = || arguments.first().cloned().map(Box::new);
    let two = || Some((one()?, arguments.get(1).cloned().map(Box::new)?));
    match name {
        "String" => Some(TypeExpr::String),
        "Option" => one().map(TypeExpr::Option),
        "Box" => one().map(|inner| TypeExpr::Pointer(PointerKind::Box, inner)),
        "Arc" => one().map(|inner| TypeExpr::Pointer(PointerKind::Arc, inner)),
        "Rc" => one().map(|inner| TypeExpr::Pointer(PointerKind::Rc, inner)),
        "Vec" => one().map(|inner| TypeExpr::List(ListKind::Vec, inner)),
        "VecDeque" => one().map(|inner| TypeExpr::List(ListKind::VecDeque, inner)),
        "LinkedList" => one().map(|inner| TypeExpr::List(ListKind::LinkedList, inner)),
        "BTreeSet" => one().map(|inner| TypeExpr::Set(SetKind::BTreeSet, inner)),
        "HashSet" => one().map(|inner| TypeExpr::Set(SetKind::HashSet, inner)),
        "BTreeMap" => two().map(|(key, value)| TypeExpr::Map(MapKind::BTreeMap, key, value)),
        "HashMap" => two().map(|(key, value)| TypeExpr::Map(MapKind::HashMap, key, value)),
        _ => None,
    }
}

fn primitive(name: &str) -> Option<TypeExpr> {
    match name {
        "bool" => Some(TypeExpr::Bool),
        "char" => Some(TypeExpr::Char),
        "f32" => Some(TypeExpr::Float(Float::F32)),
        "f64" => Some(TypeExpr::Float(Float::F64)),
        "str" => Some(TypeExpr::Other("str".to_owned())),
        _ => Integer::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| TypeExpr::Integer(*kind)),
    }
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}
