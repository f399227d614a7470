//! The names in scope of one generated file: which are imported, which are written out.
//!
//! In: absolute paths, as they come up. Out: the tokens by which the file names them, and sorted `use` items in the end.
//! Everything imported is used, since only what was asked for is imported; a user's type called `Result` or `Client`
//! never hides ours, since the second of two equal names is written out in full.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::model::{Float, Integer, ListKind, MapKind, PointerKind, SetKind, TypeExpr, TypePath};
use crate::naming::rust_ident;

/// Names of Rust's prelude which generated code or derives use.
const PRELUDE: &[&str] = &[
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Err",
    "From",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "PartialEq",
    "Self",
    "Send",
    "Some",
    "String",
    "Sync",
    "Vec",
    "bool",
    "str",
];

/// The names of one file.
#[derive(Debug)]
pub(crate) struct Scope {
    own_crate: Option<String>,
    taken: BTreeMap<String, String>,
    /// The path by which others name an item of this file that the file itself names too.
    own_path: Option<String>,
}

impl Scope {
    /// The scope of a file that declares these names itself. `own_crate` is the crate that the file becomes a part of,
    /// if it may name that crate's types.
    pub(crate) fn new<'a>(own_crate: Option<&str>, declared: impl IntoIterator<Item = &'a str>) -> Self {
        let names = PRELUDE.iter().copied().chain(declared);
        let taken = names.map(|name| (name.to_owned(), String::new())).collect();
        Self { own_crate: own_crate.map(str::to_owned), taken, own_path: None }
    }

    /// Says by which path others name an item that the file declares: it may refer to itself.
    pub(crate) fn declares(&mut self, path: String) {
        self.own_path = Some(path);
    }

    /// The tokens that name an item, which is imported where its name is free.
    pub(crate) fn item(&mut self, path: &str) -> TokenStream {
        let name = path.rsplit("::").next().unwrap_or(path);
        if self.own_path.as_deref() == Some(path) {
            return path_tokens(name);
        }
        let full = self.taken.entry(name.to_owned()).or_insert_with(|| path.to_owned());
        if full == path { path_tokens(name) } else { path_tokens(path) }
    }

    /// The tokens that name a type of the model.
    pub(crate) fn path(&mut self, path: &TypePath) -> TokenStream {
        let text = self.text_of(path);
        self.item(&text)
    }

    fn text_of(&self, path: &TypePath) -> String {
        let mut segments: Vec<&str> = path.segments().collect();
        if let (Some(own), Some(first)) = (&self.own_crate, segments.first_mut())
            && own == first
        {
            *first = "crate";
        }
        segments.join("::")
    }

    /// The tokens of a whole type; `None` where it cannot be named from another crate.
    pub(crate) fn type_expr(&mut self, ty: &TypeExpr) -> Option<TokenStream> {
        Some(match ty {
            TypeExpr::Bool => quote!(bool),
            TypeExpr::Char => quote!(char),
            TypeExpr::Integer(kind) => integer(*kind),
            TypeExpr::Float(kind) => float(*kind),
            TypeExpr::String => quote!(String),
            TypeExpr::Json => self.item(super::paths::JSON_VALUE),
            TypeExpr::ObjectMeta => self.item(super::paths::OBJECT_META),
            TypeExpr::ListMeta => self.item(super::paths::LIST_META),
            TypeExpr::TypeMeta(inner) => self.wrapped(super::paths::TYPE_META, inner)?,
            TypeExpr::Option(inner) => {
                let inner = self.type_expr(inner)?;
                quote!(Option<#inner>)
            }
            TypeExpr::Pointer(kind, inner) => self.wrapped(pointer(*kind), inner)?,
            TypeExpr::List(kind, inner) => self.wrapped(list(*kind), inner)?,
            TypeExpr::Set(kind, inner) => self.wrapped(set(*kind), inner)?,
            TypeExpr::Map(kind, key, value) => {
                let map = self.item(map(*kind));
                let (key, value) = (self.type_expr(key)?, self.type_expr(value)?);
                quote!(#map<#key, #value>)
            }
            TypeExpr::Array(inner, length) => {
                let inner = self.type_expr(inner)?;
                let length: proc_macro2::Literal = length.parse().ok()?;
                quote!([#inner; #length])
            }
            TypeExpr::Tuple(members) => {
                let members =
                    members.iter().map(|member| self.type_expr(member)).collect::<Option<Vec<_>>>()?;
                quote!((#(#members,)*))
            }
            TypeExpr::Named { path, arguments } => self.named(path, arguments)?,
            TypeExpr::Parameter(_) | TypeExpr::Other(_) => return None,
        })
    }

    fn named(&mut self, path: &TypePath, arguments: &[TypeExpr]) -> Option<TokenStream> {
        let path = self.path(path);
        let arguments =
            arguments.iter().map(|argument| self.type_expr(argument)).collect::<Option<Vec<_>>>()?;
        Some(if arguments.is_empty() { path } else { quote!(#path<#(#arguments),*>) })
    }

    fn wrapped(&mut self, outer: &str, inner: &TypeExpr) -> Option<TokenStream> {
        let outer = match outer {
            "Box" => quote!(Box),
            "Vec" => quote!(Vec),
            path => self.item(path),
        };
        let inner = self.type_expr(inner)?;
        Some(quote!(#outer<#inner>))
    }

    /// The `use` items of the file, sorted, names of one module together.
    pub(crate) fn uses(self) -> Vec<TokenStream> {
        let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, path) in self.taken {
            if let Some((module, _)) = path.rsplit_once("::") {
                modules.entry(module.to_owned()).or_default().push(name);
            }
        }
        let items = modules.into_iter().map(|(module, names)| {
            let module = path_tokens(&module);
            match names.as_slice() {
                [name] => {
                    let name = ident(name);
                    quote!(use #module::#name;)
                }
                names => {
                    let names = names.iter().map(|name| ident(name));
                    quote!(use #module::{#(#names),*};)
                }
            }
        });
        items.collect()
    }
}

fn integer(kind: Integer) -> TokenStream {
    let name = ident(kind.name());
    quote!(#name)
}

fn float(kind: Float) -> TokenStream {
    match kind {
        Float::F32 => quote!(f32),
        Float::F64 => quote!(f64),
    }
}

fn pointer(kind: PointerKind) -> &'static str {
    match kind {
        PointerKind::Box => "Box",
        PointerKind::Arc => "std::sync::Arc",
        PointerKind::Rc => "std::rc::Rc",
    }
}

fn list(kind: ListKind) -> &'static str {
    match kind {
        ListKind::Vec => "Vec",
        ListKind::VecDeque => "std::collections::VecDeque",
        ListKind::LinkedList => "std::collections::LinkedList",
    }
}

fn set(kind: SetKind) -> &'static str {
    match kind {
        SetKind::BTreeSet => "std::collections::BTreeSet",
        SetKind::HashSet => "std::collections::HashSet",
    }
}

fn map(kind: MapKind) -> &'static str {
    match kind {
        MapKind::BTreeMap => "std::collections::BTreeMap",
        MapKind::HashMap => "std::collections::HashMap",
    }
}

/// A path as tokens. Segments may carry `r#`.
pub(crate) fn path_tokens(path: &str) -> TokenStream {
    let segments = path.split("::").map(|segment| match segment {
        "crate" | "self" | "super" => Ident::new(segment, Span::call_site()),
        name => ident(name),
    });
    quote!(#(#segments)::*)
}

/// A name as an identifier, raw where it is a keyword. Letters that Rust does not take become underscores.
pub(crate) fn ident(name: &str) -> Ident {
    let plain = name.strip_prefix("r#").unwrap_or(name);
    let safe: String =
        plain.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    let name = if plain.is_ascii() || !is_one_identifier(plain) { safe.as_str() } else { plain };
    let name = rust_ident(name);
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(&name, Span::call_site()),
    }
}

/// Whether Rust's lexer takes the text for one identifier; letters beyond ASCII need its tables.
fn is_one_identifier(text: &str) -> bool {
    let Ok(tokens) = text.parse::<TokenStream>() else { return false };
    let mut tokens = tokens.into_iter();
    matches!((tokens.next(), tokens.next()), (Some(TokenTree::Ident(_)), None))
}
