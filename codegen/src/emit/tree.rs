//! The generated tree as a whole: which generator's files stand below which folder, and the root that re-exports what
//! users name.

use std::thread;

use proc_macro2::TokenStream;
use quote::quote;

use super::folders::{public_module, reexport};
use super::options::{FakeCfg, Options, RootFile};
use super::{Context, applyconfiguration, client, informer, lister};
use crate::model::Model;
use crate::output::{Files, Generator, Items, RustFile};

/// What one generator adds to the tree.
#[derive(Clone, Copy)]
struct Part {
    generator: Generator,
    /// The module below the root.
    module: &'static str,
    /// The folder of its files.
    folder: &'static str,
    emit: fn(&Context<'_>) -> Files,
}

/// The parts of the tree, sorted by module.
const PARTS: [Part; 4] = [
    Part {
        generator: Generator::ApplyConfiguration,
        module: "applyconfiguration",
        folder: "applyconfiguration",
        emit: applyconfiguration::emit,
    },
    Part {
        generator: Generator::Client,
        module: "clientset",
        folder: "clientset/versioned",
        emit: client::emit,
    },
    Part {
        generator: Generator::Informer,
        module: "informers",
        folder: "informers/externalversions",
        emit: informer::emit,
    },
    Part { generator: Generator::Lister, module: "listers", folder: "listers", emit: lister::emit },
];

/// Everything that the chosen generators write below one output folder. The files of the `object` generator stand
/// beside the types and come from [`object::files`](super::object::files).
pub fn groups(model: &Model, options: &Options) -> Files {
    let context = Context::new(model, options);
    let parts: Vec<Part> = PARTS.into_iter().filter(|part| options.runs(part.generator)).collect();
    let mut files = Files::new();
    // The generators know nothing of each other, so each has a thread; their files come together in a fixed order.
    thread::scope(|scope| {
        let running: Vec<_> = parts.iter().map(|part| scope.spawn(|| (part.emit)(&context))).collect();
        for (part, thread) in parts.iter().zip(running) {
            match thread.join() {
                Ok(made) => files.merge_under(part.folder, made),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    if parts.is_empty() {
        return files;
    }
    for (module, inner, docs) in [
        ("clientset", "versioned", "The clientset and its fake."),
        ("informers", "externalversions", "The shared informers."),
    ] {
        if parts.iter().any(|part| part.module == module) {
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
fn root(options: &Options, parts: &[Part]) -> Items {
    let mut items = Items::default();
    for part in parts {
        let module = public_module(part.module);
        items.push(quote!(#[rustfmt::skip] #module));
    }
    let has = |generator| parts.iter().any(|part| part.generator == generator);
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
