//! The informer generator: the shared informer factory, and an informer for each kind.
//!
//! In: the resources with list and watch. Out: `mod.rs`, `factory.rs`, `<group>/<version>/{mod,informers,<kind>}.rs`. It
//! never holds a cache or a task: both are the runtime's, made once for each kind and shared by all who ask.

mod factory;
mod kind;
mod version;

use quote::quote;

use super::Context;
use super::folders::{Folders, reexport};
use crate::model::{Group, Resource, Version};
use crate::output::{Files, Generator, Items, RustFile};

/// Writes the informers.
pub(super) fn emit(context: &Context<'_>) -> Files {
    let mut folders = Folders::new(&context.options.header, Generator::Informer);
    for (group, version) in versions(context) {
        let docs = format!("Informers for `{}`.", version.api_version(group));
        let mut add = |leaf| {
            folders.add(
                ((&group.names.module, &group.names.folder), "Informers by version."),
                ((&version.names.module, &version.names.folder), &docs),
                leaf,
            );
        };
        add(version::leaf(context, group, version));
        for resource in resources(version) {
            add(kind::leaf(context, group, version, resource));
        }
    }
    let mut items = Items::default();
    items.push(quote!(
        mod factory;
    ));
    items.extend(folders.modules());
    items.push(reexport("factory", "SharedInformerFactory"));
    let mut files = Files::new();
    insert(context, &mut files, "mod.rs", "Shared informers, by group and version.", items);
    factory::write(context, &mut files);
    folders.write(&mut files);
    files
}

/// The versions that have informers.
fn versions<'a>(context: &Context<'a>) -> impl Iterator<Item = (&'a Group, &'a Version)> {
    context.model.versions().filter(|(_, version)| resources(version).next().is_some())
}

/// The resources that have informers.
fn resources(version: &Version) -> impl Iterator<Item = &Resource> {
    version.resources.iter().filter(|resource| resource.generators.informer)
}

/// `CnatV1alpha1Informers`.
fn informers_name(version: &Version) -> String {
    format!("{}Informers", version.names.group_version)
}

fn insert(context: &Context<'_>, files: &mut Files, path: &str, docs: &str, items: Items) {
    let header = context.options.header.clone();
    let docs = vec![docs.to_owned()];
    files.insert_rust(path, RustFile { header, generator: Generator::Informer, docs, items });
}
