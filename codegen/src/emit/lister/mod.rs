//! The lister generator: for each kind a reader of an informer's cache.
//!
//! In: the resources with get and list. Out: `mod.rs`, `<group>/<version>/<kind>.rs`. A lister's methods cannot fail and
//! do no IO; what they give is shared, never copied.

use proc_macro2::TokenStream;
use quote::quote;

use super::Context;
use super::docs::doc;
use super::folders::{Folders, Leaf};
use super::paths;
use super::scope::{Scope, ident};
use crate::model::{Group, Resource, Scope as ApiScope, Version};
use crate::output::{Files, Generator, Items, RustFile};

/// Writes the listers.
pub(super) fn emit(context: &Context<'_>) -> Files {
    let mut folders = Folders::new(&context.options.header, Generator::Lister);
    for (group, version, resource) in context.model.resources() {
        if resource.generators.lister {
            let docs = format!("Listers for `{}`.", version.api_version(group));
            folders.add(
                ((&group.names.module, &group.names.folder), "Listers by version."),
                ((&version.names.module, &version.names.folder), &docs),
                leaf(context, group, version, resource),
            );
        }
    }
    let mut files = Files::new();
    let header = context.options.header.clone();
    let docs = vec!["Listers: readers of the caches that informers keep, by group and version.".to_owned()];
    let items = folders.modules().collect();
    files.insert_rust("mod.rs", RustFile { header, generator: Generator::Lister, docs, items });
    folders.write(&mut files);
    files
}

/// What the items of one file share.
struct Names<'a> {
    resource: &'a Resource,
    api_version: String,
    lister: String,
    object: TokenStream,
    arc: TokenStream,
    selector: TokenStream,
}

fn leaf(context: &Context<'_>, group: &Group, version: &Version, resource: &Resource) -> Leaf {
    let lister = format!("{}Lister", resource.kind);
    let in_namespace = format!("{}NamespaceLister", resource.kind);
    let mut scope = context.scope([lister.as_str(), in_namespace.as_str()]);
    let names = Names {
        resource,
        api_version: version.api_version(group),
        object: scope.path(&resource.path),
        arc: scope.item(paths::ARC),
        selector: scope.item(paths::SELECTOR),
        lister,
    };
    let (items, exports) = match resource.scope {
        ApiScope::Namespaced => {
            (namespaced(&names, &in_namespace, &mut scope), vec![names.lister.clone(), in_namespace.clone()])
        }
        ApiScope::Cluster => (cluster(&names, &mut scope), vec![names.lister.clone()]),
    };
    let mut all: Items = scope.uses().into_iter().collect();
    all.extend(items);
    Leaf {
        module: resource.names.module.clone(),
        file: resource.names.file.clone(),
        exports,
        docs: vec![format!("The lister of `{}`.", resource.kind)],
        items: all,
    }
}

/// A newtype around a reader of the runtime, and the way to make it.
fn newtype(name: &str, docs: &TokenStream, reader: &TokenStream, object: &TokenStream) -> [TokenStream; 2] {
    let name = ident(name);
    let definition = quote! {
        #docs
        #[derive(Clone, Debug)]
        pub struct #name(#reader<#object>);
    };
    let from = quote! {
        impl From<#reader<#object>> for #name {
            fn from(lister: #reader<#object>) -> Self {
                Self(lister)
            }
        }
    };
    [definition, from]
}

fn namespaced(names: &Names<'_>, in_namespace: &str, scope: &mut Scope) -> Vec<TokenStream> {
    let (reader, narrow_reader) = (scope.item(paths::LISTER), scope.item(paths::NAMESPACE_LISTER));
    let plural = &names.resource.names.plural;
    let docs = doc(&format!("Reads `{plural}` of `{}` from the cache of an informer.", names.api_version));
    let narrow_docs = doc(&format!("Reads the `{plural}` of one namespace from the cache of an informer."));
    let mut items = Vec::from(newtype(&names.lister, &docs, &reader, &names.object));
    items.push(wide(names, in_namespace));
    items.extend(newtype(in_namespace, &narrow_docs, &narrow_reader, &names.object));
    items.push(narrow(names, &ident(in_namespace)));
    items
}

fn wide(names: &Names<'_>, in_namespace: &str) -> TokenStream {
    let Names { resource, object, arc, selector, lister, .. } = names;
    let (lister, in_namespace) = (ident(lister), ident(in_namespace));
    let getter = ident(&resource.names.getter);
    let list = doc("All objects of all namespaces.");
    let select = doc("The objects of all namespaces whose labels the selector matches.");
    let get = doc("The object of this namespace and name; `None` if it is not in the cache.");
    let narrowed = doc("A lister of one namespace.");
    quote! {
        impl #lister {
            #list
            pub fn list(&self) -> Vec<#arc<#object>> {
                self.0.list()
            }
            #select
            pub fn select(&self, selector: &#selector) -> Vec<#arc<#object>> {
                self.0.select(selector)
            }
            #get
            pub fn get(&self, namespace: &str, name: &str) -> Option<#arc<#object>> {
                self.0.get(namespace, name)
            }
            #narrowed
            pub fn #getter(&self, namespace: &str) -> #in_namespace {
                self.0.namespace(namespace).into()
            }
        }
    }
}

/// The methods of a lister that needs no namespace: of one namespace, or of a cluster-scoped kind.
fn narrow(names: &Names<'_>, lister: &proc_macro2::Ident) -> TokenStream {
    let Names { object, arc, selector, .. } = names;
    let list = doc("All objects.");
    let select = doc("The objects whose labels the selector matches.");
    let get = doc("The object of this name; `None` if it is not in the cache.");
    quote! {
        impl #lister {
            #list
            pub fn list(&self) -> Vec<#arc<#object>> {
                self.0.list()
            }
            #select
            pub fn select(&self, selector: &#selector) -> Vec<#arc<#object>> {
                self.0.select(selector)
            }
            #get
            pub fn get(&self, name: &str) -> Option<#arc<#object>> {
                self.0.get(name)
            }
        }
    }
}

fn cluster(names: &Names<'_>, scope: &mut Scope) -> Vec<TokenStream> {
    let reader = scope.item(paths::CLUSTER_LISTER);
    let plural = &names.resource.names.plural;
    let docs = doc(&format!("Reads `{plural}` of `{}` from the cache of an informer.", names.api_version));
    let mut items = Vec::from(newtype(&names.lister, &docs, &reader, &names.object));
    items.push(narrow(names, &ident(&names.lister)));
    items
}
