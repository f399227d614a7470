//! The `mod.rs` files of a tree of groups and versions: `<group>/<version>/<file>.rs`.
//!
//! In: files with what they export, by group and version. Out: the files below their folders, with the modules that
//! hold them. It never looks at the model.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::scope::{ident, path_tokens};
use crate::output::{Files, Generator, Header, Items, RustFile};

/// Module and file (or folder) of the same thing: `("r#type", "type")`.
pub(crate) type ModuleAndFile<'a> = (&'a str, &'a str);

/// One generated file below a group and a version.
#[derive(Debug)]
pub(crate) struct Leaf {
    /// Its module.
    pub(crate) module: String,
    /// Its file.
    pub(crate) file: String,
    /// The names it exports.
    pub(crate) exports: Vec<String>,
    /// Its `//!` lines.
    pub(crate) docs: Vec<String>,
    /// Its code.
    pub(crate) items: Items,
}

/// A tree of groups and versions that one generator writes.
#[derive(Debug)]
pub(crate) struct Folders<'a> {
    header: &'a Header,
    generator: Generator,
    groups: BTreeMap<(String, String), Group>,
}

#[derive(Debug, Default)]
struct Group {
    docs: String,
    versions: BTreeMap<(String, String), Version>,
}

#[derive(Debug, Default)]
struct Version {
    docs: String,
    leaves: Vec<Leaf>,
}

impl<'a> Folders<'a> {
    /// A tree without files.
    pub(crate) fn new(header: &'a Header, generator: Generator) -> Self {
        Self { header, generator, groups: BTreeMap::new() }
    }

    /// Adds a file. The `//!` lines of the folders are those given first.
    pub(crate) fn add(
        &mut self,
        group: (ModuleAndFile<'_>, &str),
        version: (ModuleAndFile<'_>, &str),
        leaf: Leaf,
    ) {
        let key = |names: ModuleAndFile<'_>| (names.1.to_owned(), names.0.to_owned());
        let entry = self.groups.entry(key(group.0)).or_default();
        set_once(&mut entry.docs, group.1);
        let entry = entry.versions.entry(key(version.0)).or_default();
        set_once(&mut entry.docs, version.1);
        entry.leaves.push(leaf);
    }

    /// The `pub mod` items of the groups, for the module above.
    pub(crate) fn modules(&self) -> impl Iterator<Item = TokenStream> + '_ {
        self.groups.keys().map(|(_, module)| public_module(module))
    }

    /// Writes all files.
    pub(crate) fn write(self, files: &mut Files) {
        for ((group_folder, _), group) in self.groups {
            let modules = group.versions.keys().map(|(_, module)| public_module(module)).collect();
            let path = format!("{group_folder}/mod.rs");
            files.insert_rust(path, rust_file(self.header, self.generator, vec![group.docs], modules));
            for ((version_folder, _), version) in group.versions {
                let folder = format!("{group_folder}/{version_folder}");
                let items = version_items(&version.leaves);
                let file = rust_file(self.header, self.generator, vec![version.docs], items);
                files.insert_rust(format!("{folder}/mod.rs"), file);
                for leaf in version.leaves {
                    let file = rust_file(self.header, self.generator, leaf.docs, leaf.items);
                    files.insert_rust(format!("{folder}/{}", leaf.file), file);
                }
            }
        }
    }
}

fn rust_file(header: &Header, generator: Generator, docs: Vec<String>, items: Items) -> RustFile {
    RustFile { header: header.clone(), generator, docs, items }
}

fn set_once(docs: &mut String, text: &str) {
    if docs.is_empty() {
        text.clone_into(docs);
    }
}

/// `pub mod name;`.
pub(crate) fn public_module(module: &str) -> TokenStream {
    let module = ident(module);
    quote!(pub mod #module;)
}

/// `pub use self::module::Name;`. The `self` keeps a module apart from a crate of the same name.
pub(crate) fn reexport(module: &str, name: &str) -> TokenStream {
    let (module, name) = (path_tokens(module), ident(name));
    quote!(pub use self::#module::#name;)
}

fn version_items(leaves: &[Leaf]) -> Items {
    let mut modules: Vec<&str> = leaves.iter().map(|leaf| leaf.module.as_str()).collect();
    modules.sort_unstable();
    let modules = modules.into_iter().map(|module| {
        let module = ident(module);
        quote!(mod #module;)
    });
    let mut exports: Vec<(&str, &str)> = leaves
        .iter()
        .flat_map(|leaf| leaf.exports.iter().map(|name| (leaf.module.as_str(), name.as_str())))
        .collect();
    exports.sort_unstable();
    modules.chain(exports.into_iter().map(|(module, name)| reexport(module, name))).collect()
}
