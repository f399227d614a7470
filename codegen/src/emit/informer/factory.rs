//! `factory.rs`: the shared informer factory, with an accessor for each group and version.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::Context;
use super::super::docs::doc;
use super::super::paths;
use super::super::scope::{Scope, ident};
use crate::model::{Group, Version};
use crate::output::{Files, Items};

/// Writes `factory.rs`.
pub(super) fn write(context: &Context<'_>, files: &mut Files) {
    let mut scope = context.scope(["SharedInformerFactory"]);
    let factory = scope.item(paths::FACTORY);
    let accessors: Vec<TokenStream> = super::versions(context)
        .map(|(group, version)| accessor(context, &mut scope, group, version))
        .collect();
    let implementation = implementation(context, &mut scope, &factory, &accessors);
    let deref = deref(&mut scope, &factory);
    let mut items: Items = scope.uses().into_iter().collect();
    items.extend([definition(&factory), implementation, from(&factory), deref]);
    super::insert(context, files, "factory.rs", "The factory of shared informers.", items);
}

fn definition(factory: &TokenStream) -> TokenStream {
    let docs = doc("Makes informers, one for each kind, shared by all who ask for it.\n\n\
        It dereferences to the runtime's [`Factory`], which starts the informers, waits for their caches and stops them.");
    quote! {
        #docs
        #[derive(Clone, Debug)]
        pub struct SharedInformerFactory(#factory);
    }
}

fn implementation(
    context: &Context<'_>,
    scope: &mut Scope,
    factory: &TokenStream,
    accessors: &[TokenStream],
) -> TokenStream {
    let clientset = scope.item(&format!("{}::Clientset", context.options.modules.clientset));
    let builder = scope.item(paths::FACTORY_BUILDER);
    let new = doc("A factory of informers for all namespaces.");
    let build = doc("A factory with options: a namespace, resync, selectors, a transform.");
    quote! {
        impl SharedInformerFactory {
            #new
            pub fn new(clientset: &#clientset) -> Self {
                Self(#factory::new(clientset.client().clone()))
            }
            #build
            pub fn builder(clientset: &#clientset) -> #builder<Self> {
                #builder::new(clientset.client().clone())
            }
            #(#accessors)*
        }
    }
}

fn accessor(context: &Context<'_>, scope: &mut Scope, group: &Group, version: &Version) -> TokenStream {
    let docs = doc(&format!("Informers for `{}`.", version.api_version(group)));
    let name = ident(&version.names.accessor);
    let (root, module) = (&context.options.modules.informers, &version.names.module);
    let informers =
        scope.item(&format!("{root}::{}::{module}::{}", group.names.module, super::informers_name(version)));
    quote! {
        #docs
        pub fn #name(&self) -> #informers {
            #informers::new(self.0.clone())
        }
    }
}

fn from(factory: &TokenStream) -> TokenStream {
    quote! {
        impl From<#factory> for SharedInformerFactory {
            fn from(factory: #factory) -> Self {
                Self(factory)
            }
        }
    }
}

fn deref(scope: &mut Scope, factory: &TokenStream) -> TokenStream {
    let deref = scope.item(paths::DEREF);
    quote! {
        impl #deref for SharedInformerFactory {
            type Target = #factory;
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }
    }
}
