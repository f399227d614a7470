//! Imports: the `use` and `extern crate` declarations of a module as a flat list.

use crate::source::{Item, ItemKind, Module, SourceFile};
use proc_macro2::Span;
use std::ops::Range;
use syn::UseTree;
use syn::spanned::Spanned;

/// How deep the braces of a `use` may be nested.
const DEPTH_LIMIT: usize = 32;

/// One name, or everything, that a `use` brings in.
#[derive(Debug, Clone)]
pub(super) struct Import {
    /// The name under which it is known here; `None` for `*`, and for `as _`.
    pub(super) name: Option<String>,
    /// Whether it is everything in `path`.
    pub(super) glob: bool,
    /// What is imported, without `r#`.
    pub(super) path: Vec<String>,
    /// Whether the path begins with `::`.
    pub(super) absolute: bool,
    /// Whether it is `pub use`.
    pub(super) public: bool,
    /// Whether it is `pub(..) use`.
    pub(super) restricted: bool,
    /// The bytes of its last segment in the file.
    pub(super) bytes: Range<usize>,
}

/// All imports of a module. Those that cannot be parsed are left out here; `lower` reports them.
pub(super) fn imports(module: &Module) -> Vec<Import> {
    let mut imports = Vec::new();
    for item in &module.items {
        match item.kind {
            ItemKind::Use => imports.extend(of_item(item, &module.file).unwrap_or_default()),
            ItemKind::Other if item.name == "extern" => imports.extend(of_crate(item, &module.file)),
            _ => {}
        }
    }
    imports
}

/// `extern crate a as b;`, which is `use ::a as b;`, and with `self` the crate itself.
fn of_crate(item: &Item, file: &SourceFile) -> Option<Import> {
    if file.slice(item.name_bytes.clone()) != "crate" {
        return None;
    }
    let parsed: syn::ItemExternCrate = item.parse(file).ok()?;
    let named = plain(&parsed.ident);
    let is_own = named == "self";
    let bound = parsed.rename.as_ref().map_or_else(|| named.clone(), |(_, bound)| plain(bound));
    Some(Import {
        name: Some(bound).filter(|name| name != "_"),
        glob: false,
        path: vec![if is_own { "crate".to_owned() } else { named }],
        absolute: !is_own,
        public: item.public,
        restricted: item.restricted,
        bytes: item.name_bytes.clone(),
    })
}

/// The imports of one `use`; `None` when it cannot be parsed.
pub(super) fn of_item(item: &Item, file: &SourceFile) -> Option<Vec<Import>> {
    let parsed: syn::ItemUse = item.parse(file).ok()?;
    let mut imports = Vec::new();
    let base = Import {
        name: None,
        glob: false,
        path: Vec::new(),
        absolute: parsed.leading_colon.is_some(),
        public: item.public,
        restricted: item.restricted,
        bytes: item.name_bytes.clone(),
    };
    flatten(item, &parsed.tree, &base, 0, &mut imports);
    Some(imports)
}

fn flatten(item: &Item, tree: &UseTree, base: &Import, depth: usize, imports: &mut Vec<Import>) {
    if depth > DEPTH_LIMIT {
        return;
    }
    let bytes = |span: Span| item.absolute(span);
    match tree {
        UseTree::Path(path) => {
            let mut base = base.clone();
            base.path.push(plain(&path.ident));
            flatten(item, &path.tree, &base, depth + usize::from(base.path.len() > 64), imports);
        }
        UseTree::Name(name) => imports.push(named(base, &name.ident, &name.ident, bytes(name.span()))),
        UseTree::Rename(rename) => {
            imports.push(named(base, &rename.ident, &rename.rename, bytes(rename.ident.span())));
        }
        UseTree::Glob(glob) => imports.push(Import { glob: true, bytes: bytes(glob.span()), ..base.clone() }),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(item, tree, base, depth + 1, imports);
            }
        }
    }
}

/// `a::b`, `a::{self}` and their renamed forms.
fn named(base: &Import, ident: &syn::Ident, bound: &syn::Ident, bytes: Range<usize>) -> Import {
    let mut import = Import { bytes, ..base.clone() };
    if ident != "self" || import.path.is_empty() {
        import.path.push(plain(ident));
    }
    let bound = if bound == "self" { import.path.last().cloned().unwrap_or_default() } else { plain(bound) };
    import.name = Some(bound).filter(|name| name != "_");
    import
}

pub(super) fn plain(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}
