//! The generated tree as a whole: which generator's files stand below which folder, and the root that re-exports what
//! users name.

use proc_macro2::TokenStream;
use quote::quote;

use super::folders::{public_module, reexport};
use super::options::{FakeCfg, Options, RootFile};
use super::{Context, applyconfiguration, client, informer, lister};
use crate::model::Model;
use crate::output::{Files, Generator, Items, RustFile};

/// Everything that the chosen generators write below one output folder. The files of the `object` generator stand
/// beside the types and come from [`object::files`](super::object::files).
pub fn groups(model: &Model, options: &Options) -> Files {
    let context = Context::new(model, options);
    let mut files = Files::new();
    let mut parts = Vec::new();
    let mut part =
        |generator: Generator, module: &'static str, folder: &str, emit: fn(&Context<'_>) -> Files| {
            if options.runs(generator) {
                files.merge_under(folder, emit(&context));
                parts.push((generator, module));
            }
        };
    part(Generator::ApplyConfiguration, "applyconfiguration", "applyconfiguration", applyconfiguration::emit);
    part(Generator::Client, "clientset", "clientset/versioned", client::emit);
    part(Generator::Informer, "informers", "informers/externalversions", informer::emit);
    part(Generator::Lister, "listers", "listers", lister::emit);
    if parts.is_empty() {
        return files;
    }
    for (module, inner, docs) in [
        ("clientset", "versioned", "The clientset and its fake."),
        ("informers", "externalversions", "The shared informers."),
    ] {
        if parts.iter().any(|(_, part)| *part == module) {
            let items = Items::from_iter([public_module(inner)]);
            insert(options, &mut files, &format!("{module}/mod.rs"), vec![docs.to_owned()], items);
        }
    }
    insert(options, &mut files, options.root.name(), root_docs(options, model), root(options, &parts));
    files
}

/// The clientset alone, as `client-gen` writes it.
pub fn client_files(model: &Model, options: &Options) -> Files {
    client::emit(&Context::new(model, options))
}

/// The listers alone, as `lister-gen` writes them.
pub fn lister_files(model: &Model, options: &Options) -> Files {
    lister::emit(&Context::new(model, options))
}

/// The informers alone, as `informer-gen` writes them.
pub fn informer_files(model: &Model, options: &Options) -> Files {
    informer::emit(&Context::new(model, options))
}

/// The apply configurations alone, as `applyconfiguration-gen` writes them.
pub fn configuration_files(model: &Model, options: &Options) -> Files {
    applyconfiguration::emit(&Context::new(model, options))
}

fn insert(options: &Options, files: &mut Files, path: &str, docs: Vec<String>, items: Items) {
    let header = options.header.clone();
    files.insert_rust(path, RustFile { header, generator: Generator::Groups, docs, items });
}

fn root_docs(options: &Options, model: &Model) -> Vec<String> {
    if options.root == RootFile::Included {
        return Vec::new();
    }
    let mut docs =
        vec!["Typed Kubernetes clients, generated from annotated types.".to_owned(), String::new()];
    docs.extend(model.versions().map(|(group, version)| format!("- `{}`", version.api_version(group))));
    docs
}

/// The root's modules, which rustfmt leaves alone: the printer's idea of a line is not rustfmt's.
fn root(options: &Options, parts: &[(Generator, &str)]) -> Items {
    let mut items = Items::default();
    for (_, module) in parts {
        let module = public_module(module);
        items.push(quote!(#[rustfmt::skip] #module));
    }
    let has = |generator| parts.iter().any(|(part, _)| *part == generator);
    if has(Generator::Client) {
        // In rustfmt's order.
        items.push(reexport("clientset::versioned", "Clientset"));
        items.push(fake(options));
    }
    if has(Generator::Informer) {
        items.push(reexport("informers::externalversions", "SharedInformerFactory"));
    }
    items
}

fn fake(options: &Options) -> TokenStream {
    let fake = reexport("clientset::versioned", "fake");
    match &options.fake {
        FakeCfg::Always => fake,
        FakeCfg::Never => TokenStream::new(),
        FakeCfg::Predicate(predicate) => {
            let predicate: TokenStream = predicate.parse().unwrap_or_default();
            quote!(#[cfg(#predicate)] #fake)
        }
    }
}
