//! Constants in attributes: `#[schemars(length(max = MOST))]`.
//!
//! In: attributes. Out: the same with the values of constants whose values stand in the source, and of sums and products of these. What
//! takes running code is left as it is.

use super::resolve::Found;
use super::universe::{Scope, Universe};
use crate::source::{Item, ItemKind};
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, BinOp, Expr, ExprLit, Lit, Meta, Token, UnOp};

/// How many constants are followed.
const DEPTH_LIMIT: usize = 16;

/// The attributes whose values may be constants.
const READ: [&str; 6] = ["schemars", "validate", "garde", "x_kube", "cel_validate", "kube"];

/// A value that stands in the source.
#[derive(Debug, Clone)]
enum Constant {
    Whole(i128),
    Other(Lit),
}

impl Universe<'_> {
    /// Attributes with the values of constants in place of their names.
    pub(super) fn with_constants<'a>(
        &mut self,
        scope: &Rc<Scope>,
        attributes: &'a [Attribute],
    ) -> Cow<'a, [Attribute]> {
        let names_one = |attribute: &Attribute| {
            let is_read = READ.iter().any(|name| attribute.path().is_ident(name));
            is_read && matches!(&attribute.meta, Meta::List(list) if has_constant(list.tokens.clone()))
        };
        if !attributes.iter().any(names_one) {
            return Cow::Borrowed(attributes);
        }
        let mut attributes = attributes.to_vec();
        for attribute in attributes.iter_mut().filter(|attribute| names_one(attribute)) {
            if let Meta::List(list) = &mut attribute.meta {
                list.tokens = self.substituted(scope, list.tokens.clone());
            }
        }
        Cow::Owned(attributes)
    }

    fn substituted(&mut self, scope: &Rc<Scope>, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = tokens.as_slice();
        let mut all = TokenStream::new();
        while let Some((first, behind)) = rest.split_first() {
            let (path, length) = path(rest);
            let value = path.last().filter(|name| is_constant(name)).and_then(|name| {
                let names: Vec<String> = path.iter().map(ToString::to_string).collect();
                Some((self.constant(scope, &names, DEPTH_LIMIT)?, name.span()))
            });
            let named = value.is_none().then(|| self.named(scope, &tokens, rest)).flatten();
            let length = if named.is_some() { 1 } else { length };
            match (value.or(named), first) {
                (Some((value, span)), _) => {
                    all.extend(value.tokens(span));
                    rest = rest.get(length..).unwrap_or_default();
                }
                (None, TokenTree::Group(group)) => {
                    let mut inner = Group::new(group.delimiter(), self.substituted(scope, group.stream()));
                    inner.set_span(group.span());
                    all.extend([TokenTree::Group(inner)]);
                    rest = behind;
                }
                (None, _) => {
                    let skipped = rest.get(..length.max(1)).unwrap_or_default();
                    all.extend(skipped.iter().cloned());
                    rest = rest.get(length.max(1)..).unwrap_or_default();
                }
            }
        }
        all
    }

    /// The value of a constant that stands in quotes: `regex = "PATTERN"`.
    fn named(
        &mut self,
        scope: &Rc<Scope>,
        tokens: &[TokenTree],
        rest: &[TokenTree],
    ) -> Option<(Constant, Span)> {
        let at = tokens.len().checked_sub(rest.len())?;
        let TokenTree::Ident(key) = tokens.get(at.checked_sub(2)?)? else { return None };
        let TokenTree::Literal(literal) = rest.first()? else { return None };
        let Lit::Str(text) = syn::parse_str::<Lit>(&literal.to_string()).ok()? else { return None };
        let is_value = ["regex", "path", "min", "max", "equal"].iter().any(|known| key == known);
        if !is_value || !is_constant_path(&text.value()) {
            return None;
        }
        let names: Vec<String> = text.value().split("::").map(str::to_owned).collect();
        Some((self.constant(scope, &names, DEPTH_LIMIT)?, literal.span()))
    }

    /// The value of a constant that a path leads to.
    fn constant(&mut self, scope: &Rc<Scope>, path: &[String], depth: usize) -> Option<Constant> {
        let (scope, value) = self.declared_constant(scope, path, &mut HashSet::new())?;
        self.value(&scope, &value, depth.checked_sub(1)?)
    }

    /// Where a constant is declared that a path leads to, and as what.
    ///
    /// - `seen`: the names that were looked for, by module, so that imports which lead around are followed once.
    fn declared_constant(
        &mut self,
        scope: &Rc<Scope>,
        path: &[String],
        seen: &mut HashSet<(usize, String)>,
    ) -> Option<(Rc<Scope>, Expr)> {
        let (name, modules) = path.split_last()?;
        if !modules.is_empty() {
            return match self.resolve(scope, modules, false)? {
                Found::Module(module) => self.declared_constant(&module, std::slice::from_ref(name), seen),
                _ => None,
            };
        }
        if !seen.insert((Rc::as_ptr(scope).addr(), name.clone())) {
            return None;
        }
        if let Some(value) = scope.module.items.iter().find_map(|item| lazy(scope, item, name)) {
            return Some((Rc::clone(scope), value));
        }
        if let Some(item) = scope.module.items.iter().find(|item| declares(scope, item, name)) {
            let value = match item.parse::<syn::ItemConst>(&scope.module.file) {
                Ok(item) => *item.expr,
                Err(_) => *item.parse::<syn::ItemStatic>(&scope.module.file).ok()?.expr,
            };
            return Some((Rc::clone(scope), value));
        }
        for at in 0..scope.imports().len() {
            let import = scope.imports().get(at)?;
            let mut path = import.path.clone();
            if import.glob {
                path.push(name.clone());
            } else if import.name.as_deref() != Some(name) {
                continue;
            }
            if path.len() > 1
                && let Some(found) = self.declared_constant(scope, &path, seen)
            {
                return Some(found);
            }
        }
        None
    }

    fn value(&mut self, scope: &Rc<Scope>, value: &Expr, depth: usize) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        match value {
            Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => {
                number.base10_parse().ok().map(Constant::Whole)
            }
            Expr::Lit(ExprLit { lit, .. }) => Some(Constant::Other(lit.clone())),
            Expr::Paren(paren) => self.value(scope, &paren.expr, depth),
            Expr::Group(group) => self.value(scope, &group.expr, depth),
            Expr::Reference(reference) => self.value(scope, &reference.expr, depth),
            Expr::Cast(cast) => self.value(scope, &cast.expr, depth),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                match self.value(scope, &unary.expr, depth)? {
                    Constant::Whole(number) => number.checked_neg().map(Constant::Whole),
                    Constant::Other(_) => None,
                }
            }
            Expr::Binary(binary) => {
                let left = self.value(scope, &binary.left, depth)?;
                let right = self.value(scope, &binary.right, depth)?;
                let (Constant::Whole(left), Constant::Whole(right)) = (left, right) else { return None };
                let result = match binary.op {
                    BinOp::Add(_) => left.checked_add(right),
                    BinOp::Sub(_) => left.checked_sub(right),
                    BinOp::Mul(_) => left.checked_mul(right),
                    BinOp::Div(_) => left.checked_div(right),
                    _ => None,
                };
                result.map(Constant::Whole)
            }
            // `LazyLock::new(|| Regex::new("..").unwrap())`.
            Expr::Call(call) => match (&*call.func, call.args.first()) {
                (Expr::Path(path), Some(argument)) if path.path.segments.last()?.ident == "new" => {
                    self.value(scope, argument, depth)
                }
                _ => None,
            },
            Expr::Closure(closure) => self.value(scope, &closure.body, depth),
            Expr::Macro(call) if call.mac.path.is_ident("concat") => {
                let parts = call.mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()?;
                let texts = parts.iter().map(|part| self.value(scope, part, depth)?.text());
                let text: String = texts.collect::<Option<_>>()?;
                Some(Constant::Other(Lit::Str(syn::LitStr::new(&text, call.mac.path.span()))))
            }
            Expr::MethodCall(call) if matches!(call.method.to_string().as_str(), "unwrap" | "expect") => {
                self.value(scope, &call.receiver, depth)
            }
            Expr::Path(path) if path.qself.is_none() => {
                let names: Vec<String> =
                    path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                self.constant(scope, &names, depth)
            }
            _ => None,
        }
    }
}

impl Constant {
    /// The value as `concat!` writes it.
    fn text(self) -> Option<String> {
        match self {
            Self::Whole(number) => Some(number.to_string()),
            Self::Other(Lit::Str(text)) => Some(text.value()),
            Self::Other(Lit::Bool(flag)) => Some(flag.value.to_string()),
            Self::Other(Lit::Char(letter)) => Some(letter.value().to_string()),
            Self::Other(_) => None,
        }
    }

    /// The value as it is written, at a place.
    fn tokens(self, span: Span) -> Vec<TokenTree> {
        let number = |number: u128| {
            let mut literal = Literal::u128_unsuffixed(number);
            literal.set_span(span);
            TokenTree::Literal(literal)
        };
        match self {
            Self::Whole(value) if value < 0 => {
                let mut sign = proc_macro2::Punct::new('-', proc_macro2::Spacing::Alone);
                sign.set_span(span);
                vec![TokenTree::Punct(sign), number(value.unsigned_abs())]
            }
            Self::Whole(value) => vec![number(value.unsigned_abs())],
            Self::Other(mut literal) => {
                literal.set_span(span);
                quote::ToTokens::to_token_stream(&literal).into_iter().collect()
            }
        }
    }
}

/// Whether an item declares a constant of this name.
fn declares(scope: &Scope, item: &Item, name: &str) -> bool {
    let is_value = item.kind == ItemKind::Other && matches!(item.name.as_str(), "const" | "static");
    is_value && scope.module.file.slice(item.name_bytes.clone()) == name
}

/// What a `static ref` of this name within a `lazy_static!` holds.
fn lazy(scope: &Scope, item: &Item, name: &str) -> Option<Expr> {
    if item.kind != ItemKind::Other || item.name != "lazy_static" {
        return None;
    }
    let call: syn::ItemMacro = item.parse(&scope.module.file).ok()?;
    let declared = |input: syn::parse::ParseStream<'_>| {
        let mut found = Vec::new();
        while !input.is_empty() {
            Attribute::parse_outer(input)?;
            input.parse::<syn::Visibility>()?;
            input.parse::<Token![static]>()?;
            input.parse::<Token![ref]>()?;
            let declared: Ident = input.parse()?;
            input.parse::<Token![:]>()?;
            input.parse::<syn::Type>()?;
            input.parse::<Token![=]>()?;
            found.push((declared, input.parse::<Expr>()?));
            input.parse::<Token![;]>()?;
        }
        Ok(found)
    };
    let found = call.mac.parse_body_with(declared).ok()?;
    found.into_iter().find(|(declared, _)| declared == name).map(|(_, value)| value)
}

/// The path at the beginning of tokens, and how many tokens it has.
fn path(tokens: &[TokenTree]) -> (Vec<Ident>, usize) {
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(TokenTree::Ident(name)) = tokens.get(at) {
        names.push(name.clone());
        at += 1;
        let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
        if !is_colon(tokens.get(at)) || !is_colon(tokens.get(at + 1)) {
            break;
        }
        at += 2;
    }
    (names, at)
}

/// Whether a name is written as those of constants are.
fn is_constant(name: &Ident) -> bool {
    let name = name.to_string();
    name.len() > 1
        && name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}

/// Whether a text is a path to a constant.
pub(super) fn is_constant_path(text: &str) -> bool {
    let last = text.rsplit("::").next().unwrap_or_default();
    syn::parse_str::<syn::Path>(text).is_ok()
        && syn::parse_str::<Ident>(last).is_ok_and(|last| is_constant(&last))
}

fn has_constant(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => is_constant(&name),
        TokenTree::Group(group) => has_constant(group.stream()),
        TokenTree::Literal(literal) => is_constant_path(literal.to_string().trim_matches('"')),
        TokenTree::Punct(_) => false,
    })
}
