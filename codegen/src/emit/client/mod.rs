//! The client generator: the clientset, a client for each group and version, a newtype for each kind, and the fake.
//!
//! In: the resources with `+genclient`. Out: `mod.rs`, `clientset.rs`, `typed/<group>/<version>/..`, `fake/mod.rs`. It
//! never writes a verb that the tags do not allow.

mod clientset;
mod fake;
mod group;
mod kind;
mod methods;
mod verbs;

use quote::quote;

use super::Context;
use super::folders::{Folders, public_module, reexport};
use super::options::FakeCfg;
use super::scope::path_tokens;
use crate::model::{Group, Resource, Version};
use crate::output::{Files, Generator, Items, RustFile};

/// Writes the clientset.
pub(super) fn emit(context: &Context<'_>) -> Files {
    let mut files = Files::new();
    let mut folders = Folders::new(&context.options.header, Generator::Client);
    for (group, version) in versions(context) {
        let group_docs = format!("Clients for {}.", shown_group(&group.name));
        let version_docs = format!("Clients for `{}`.", version.api_version(group));
        let mut add = |leaf| {
            folders.add(
                ((&group.names.module, &group.names.folder), &group_docs),
                ((&version.names.module, &version.names.folder), &version_docs),
                leaf,
            );
        };
        add(group::leaf(context, group, version));
        for resource in resources(version) {
            add(kind::leaf(context, group, version, resource));
        }
    }
    let typed = folders.modules().collect();
    insert(context, &mut files, "typed/mod.rs", "Clients for one kind each, by group and version.", typed);
    let mut tree = Files::new();
    folders.write(&mut tree);
    files.merge_under("typed", tree);
    clientset::write(context, &mut files);
    fake::write(context, &mut files);
    insert(context, &mut files, "mod.rs", "The clientset.", root(context));
    files
}

/// The versions that have clients.
fn versions<'a>(context: &Context<'a>) -> impl Iterator<Item = (&'a Group, &'a Version)> {
    context.model.versions().filter(|(_, version)| resources(version).next().is_some())
}

/// The resources that have clients.
fn resources(version: &Version) -> impl Iterator<Item = &Resource> {
    version.resources.iter().filter(|resource| resource.generators.client)
}

/// The group in a sentence.
fn shown_group(name: &str) -> String {
    if name.is_empty() { "the core group".to_owned() } else { format!("the group `{name}`") }
}

fn root(context: &Context<'_>) -> Items {
    let mut items = Items::default();
    items.push(quote!(
        mod clientset;
    ));
    let fake = public_module("fake");
    items.push(match &context.options.fake {
        FakeCfg::Always => fake,
        FakeCfg::Predicate(predicate) => {
            let predicate: proc_macro2::TokenStream = predicate.parse().unwrap_or_default();
            quote!(#[cfg(#predicate)] #fake)
        }
        FakeCfg::Never => quote!(),
    });
    items.push(public_module("typed"));
    items.push(reexport("clientset", "Clientset"));
    items
}

fn insert(context: &Context<'_>, files: &mut Files, path: &str, docs: &str, items: Items) {
    let header = context.options.header.clone();
    let docs = vec![docs.to_owned()];
    files.insert_rust(path, RustFile { header, generator: Generator::Client, docs, items });
}

/// The path of a version's client, absolute.
fn group_client(context: &Context<'_>, group: &Group, version: &Version) -> String {
    let (root, group, module) =
        (&context.options.modules.clientset, &group.names.module, &version.names.module);
    format!("{root}::typed::{group}::{module}::{}", client_name(version))
}

/// `CnatV1alpha1Client`.
fn client_name(version: &Version) -> String {
    format!("{}Client", version.names.group_version)
}

/// `impl Debug` of a type whose only content, a client, has nothing to show.
fn debug_impl(name: &str) -> proc_macro2::TokenStream {
    let ident = path_tokens(name);
    quote! {
        impl std::fmt::Debug for #ident {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.debug_struct(#name).finish_non_exhaustive()
            }
        }
    }
}
