//! `<group>_client.rs`: the client of one group and version, with an accessor for each kind.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::Context;
use super::super::docs::doc;
use super::super::folders::Leaf;
use super::super::paths;
use super::super::scope::{Scope, ident};
use crate::model::{Group, Resource, Scope as ApiScope, Version};
use crate::output::Items;

/// The file of one version's client.
pub(super) fn leaf(context: &Context<'_>, group: &Group, version: &Version) -> Leaf {
    let api_version = version.api_version(group);
    let name = super::client_name(version);
    let mut scope = context.scope([name.as_str()]);
    let client = scope.item(paths::CLIENT);
    let accessors: Vec<TokenStream> =
        super::resources(version).map(|kind| accessor(context, &mut scope, group, version, kind)).collect();
    let ident = ident(&name);
    let docs = doc(&format!("Clients for the kinds of `{api_version}`."));
    let new = doc("Clients that send their requests with this client.");
    let definition = quote! {
        #docs
        #[derive(Clone)]
        pub struct #ident {
            client: #client,
        }
    };
    let implementation = quote! {
        impl #ident {
            #new
            pub fn new(client: #client) -> Self {
                Self { client }
            }
            #(#accessors)*
        }
    };
    let mut items: Items = scope.uses().into_iter().collect();
    items.extend([definition, implementation, super::debug_impl(&name)]);
    Leaf {
        module: group.names.client_module.clone(),
        file: format!("{}.rs", group.names.client_module),
        exports: vec![name],
        docs: vec![format!("The client of `{api_version}`.")],
        items,
    }
}

fn accessor(
    context: &Context<'_>,
    scope: &mut Scope,
    group: &Group,
    version: &Version,
    resource: &Resource,
) -> TokenStream {
    let (root, names) = (&context.options.modules.clientset, &resource.names);
    let module = format!("{root}::typed::{}::{}", group.names.module, version.names.module);
    let client = scope.item(&format!("{module}::{}", names.client));
    let getter = ident(&names.getter);
    let plural = &names.plural;
    match resource.scope {
        ApiScope::Namespaced => {
            let docs = doc(&format!("The `{plural}` of a namespace; of all namespaces if it is empty."));
            quote! {
                #docs
                pub fn #getter(&self, namespace: &str) -> #client {
                    #client::new(self.client.clone(), namespace)
                }
            }
        }
        ApiScope::Cluster => {
            let docs = doc(&format!("The `{plural}` of the cluster."));
            quote! {
                #docs
                pub fn #getter(&self) -> #client {
                    #client::new(self.client.clone())
                }
            }
        }
    }
}
