//! `clientset.rs`: the clientset, with an accessor for each group and version.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::Context;
use super::super::docs::doc;
use super::super::paths;
use super::super::scope::{Scope, ident};
use crate::model::{Group, Version};
use crate::output::{Files, Items};

/// Writes `clientset.rs`.
pub(super) fn write(context: &Context<'_>, files: &mut Files) {
    let mut scope = context.scope(["Clientset"]);
    let client = scope.item(paths::CLIENT);
    let result = scope.item(paths::RESULT);
    let accessors: Vec<TokenStream> = super::versions(context)
        .map(|(group, version)| accessor(context, &mut scope, group, version))
        .collect();
    let mut items = Items::from_iter([definition(&client), implementation(&client, &result, &accessors)]);
    items.push(from_client(&client));
    items.push(super::debug_impl("Clientset"));
    let mut all: Items = scope.uses().into_iter().collect();
    all.append(items);
    super::insert(context, files, "clientset.rs", "The clients of all groups and versions.", all);
}

fn definition(client: &TokenStream) -> TokenStream {
    let docs = doc("Typed clients for all groups and versions, over one [`Client`].\n\n\
        Cheap to clone. In tests it runs over the in-memory API server of the fake clientset.");
    quote! {
        #docs
        #[derive(Clone)]
        pub struct Clientset {
            client: #client,
        }
    }
}

fn implementation(client: &TokenStream, result: &TokenStream, accessors: &[TokenStream]) -> TokenStream {
    let new = doc("A clientset that sends its requests with this client.");
    let try_default =
        doc("A clientset for the cluster of the kubeconfig, or the one in which this process runs.\n\n\
        # Errors\nWhen there is no configuration, or none that a client can be made of.");
    let inner = doc("The client that requests are sent with.");
    quote! {
        impl Clientset {
            #new
            pub fn new(client: #client) -> Self {
                Self { client }
            }
            #try_default
            pub async fn try_default() -> #result<Self> {
                Ok(Self::new(#client::try_default().await?))
            }
            #inner
            pub fn client(&self) -> &#client {
                &self.client
            }
            #(#accessors)*
        }
    }
}

fn accessor(context: &Context<'_>, scope: &mut Scope, group: &Group, version: &Version) -> TokenStream {
    let docs = doc(&format!("Clients for `{}`.", version.api_version(group)));
    let name = ident(&version.names.accessor);
    let client = scope.item(&super::group_client(context, group, version));
    quote! {
        #docs
        pub fn #name(&self) -> #client {
            #client::new(self.client.clone())
        }
    }
}

fn from_client(client: &TokenStream) -> TokenStream {
    quote! {
        impl From<#client> for Clientset {
            fn from(client: #client) -> Self {
                Self::new(client)
            }
        }
    }
}
