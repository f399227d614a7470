//! `<kind>.rs`: the newtype of one kind, with the verbs that its tags allow.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::Context;
use super::super::docs::{doc, doc_with};
use super::super::folders::Leaf;
use super::super::paths;
use super::super::scope::{Scope, ident};
use super::{methods, verbs};
use crate::model::{Group, Resource, Scope as ApiScope, Shape, Version};
use crate::output::Items;

/// What the functions of one kind's client share.
#[derive(Debug)]
pub(super) struct Kind<'a> {
    /// The resource.
    pub(super) resource: &'a Resource,
    /// The names in scope of the file.
    pub(super) scope: Scope,
    /// The root type.
    pub(super) object: TokenStream,
    /// The parameter that holds an object: `at`.
    pub(super) variable: TokenStream,
    /// The path of the apply configuration, where there is one.
    configuration: Option<String>,
}

impl Kind<'_> {
    /// The tokens that name an item in this file.
    pub(super) fn item(&mut self, path: &str) -> TokenStream {
        self.scope.item(path)
    }

    /// Whether the client may use apply configurations.
    pub(super) fn has_configuration(&self) -> bool {
        self.configuration.is_some()
    }

    /// The type of the apply configuration, where there is one.
    pub(super) fn configuration(&mut self) -> Option<TokenStream> {
        self.configuration.as_deref().map(|path| self.scope.item(path))
    }
}

/// Names of parameters that generated methods have beside the object.
const PARAMETERS: &[&str] = &["field_manager", "list", "name", "params", "patch", "version"];

/// The name of the parameter for an object of a kind.
pub(super) fn variable(snake: &str, variable: &str) -> TokenStream {
    let name = ident(if PARAMETERS.contains(&snake) { "object" } else { variable });
    quote!(#name)
}

/// The file of one kind's client.
pub(super) fn leaf(context: &Context<'_>, group: &Group, version: &Version, resource: &Resource) -> Leaf {
    let names = &resource.names;
    let mut scope = context.scope([names.client.as_str()]);
    let object = scope.path(&resource.path);
    let configuration = context.configuration_of(resource);
    let configuration =
        configuration.map(|place| place.path_below(&context.options.modules.applyconfiguration));
    let variable = variable(&names.snake, &names.variable);
    let mut kind = Kind { resource, scope, object, variable, configuration };
    let constructor = constructor(&mut kind);
    let resource_client = accessor(&mut kind);
    let verbs = verbs::all(&mut kind);
    let methods: Vec<TokenStream> =
        resource.methods.iter().map(|method| methods::method(context, &mut kind, method)).collect();
    let definition = definition(&mut kind, &version.api_version(group));
    let ident = ident(&names.client);
    let implementation = quote! {
        impl #ident {
            #constructor
            #(#verbs)*
            #(#methods)*
            #resource_client
        }
    };
    let mut items: Items = kind.scope.uses().into_iter().collect();
    items.extend([definition, implementation]);
    Leaf {
        module: names.module.clone(),
        file: names.file.clone(),
        exports: vec![names.client.clone()],
        docs: vec![format!("The client of `{}`.", resource.kind)],
        items,
    }
}

fn definition(kind: &mut Kind<'_>, api_version: &str) -> TokenStream {
    let (client, object) = (kind.item(paths::RESOURCE_CLIENT), &kind.object);
    let ident = ident(&kind.resource.names.client);
    let own = format!("Typed client for `{}` of `{api_version}`.", kind.resource.names.plural);
    let docs = doc_with(&own, &kind.resource.docs);
    quote! {
        #docs
        #[derive(Clone, Debug)]
        pub struct #ident(#client<#object>);
    }
}

fn constructor(kind: &mut Kind<'_>) -> TokenStream {
    let (client, resource_client) = (kind.item(paths::CLIENT), kind.item(paths::RESOURCE_CLIENT));
    let plural = &kind.resource.names.plural;
    // The object generator and kube's derive write the plural into the type itself.
    let renamed = kind.resource.names.plural_is_explicit
        && matches!(kind.resource.shape, Shape::ReExport { .. } | Shape::KubeDerive { .. });
    let named = renamed.then(|| quote!(.with_resource_name(#plural)));
    match kind.resource.scope {
        ApiScope::Namespaced => {
            let docs = doc(&format!(
                "A client for the `{plural}` of a namespace; of all namespaces if it is empty."
            ));
            quote! {
                #docs
                pub fn new(client: #client, namespace: &str) -> Self {
                    Self(#resource_client::namespaced(client, namespace)#named)
                }
            }
        }
        ApiScope::Cluster => {
            let docs = doc(&format!("A client for the `{plural}` of the cluster."));
            quote! {
                #docs
                pub fn new(client: #client) -> Self {
                    Self(#resource_client::cluster(client)#named)
                }
            }
        }
    }
}

fn accessor(kind: &mut Kind<'_>) -> TokenStream {
    let (client, object) = (kind.item(paths::RESOURCE_CLIENT), &kind.object);
    let docs = doc("The generic client behind this one, for methods that you add with a trait of your own.");
    quote! {
        #docs
        pub fn resource_client(&self) -> &#client<#object> {
            &self.0
        }
    }
}
