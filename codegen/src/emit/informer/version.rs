//! `informers.rs`: the informers of one group and version, with an accessor for each kind.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::Context;
use super::super::docs::doc;
use super::super::folders::Leaf;
use super::super::paths;
use super::super::scope::{Scope, ident};
use crate::model::{Group, Resource, Version};
use crate::output::Items;

/// The file of one version.
pub(super) fn leaf(context: &Context<'_>, group: &Group, version: &Version) -> Leaf {
    let name = super::informers_name(version);
    let mut scope = context.scope([name.as_str()]);
    let factory = scope.item(paths::FACTORY);
    let accessors: Vec<TokenStream> =
        super::resources(version).map(|kind| accessor(context, &mut scope, group, version, kind)).collect();
    let ident = ident(&name);
    let api_version = version.api_version(group);
    let docs = doc(&format!("The informers of a factory for the kinds of `{api_version}`."));
    let new = doc("The informers of this factory.");
    let definition = quote! {
        #docs
        #[derive(Clone, Debug)]
        pub struct #ident(#factory);
    };
    let implementation = quote! {
        impl #ident {
            #new
            pub fn new(factory: #factory) -> Self {
                Self(factory)
            }
            #(#accessors)*
        }
    };
    let mut items: Items = scope.uses().into_iter().collect();
    items.extend([definition, implementation]);
    let (module, file) = module(version);
    Leaf {
        module,
        file,
        exports: vec![name],
        docs: vec![format!("The informers of `{api_version}`.")],
        items,
    }
}

/// The module of that file: no kind has it, unless its name is spelt just so.
fn module(version: &Version) -> (String, String) {
    let taken = super::resources(version).any(|resource| resource.names.module == "informers");
    let name = if taken { "all_informers" } else { "informers" };
    (name.to_owned(), format!("{name}.rs"))
}

fn accessor(
    context: &Context<'_>,
    scope: &mut Scope,
    group: &Group,
    version: &Version,
    resource: &Resource,
) -> TokenStream {
    let (root, names) = (&context.options.modules.informers, &resource.names);
    let informer = scope.item(&format!(
        "{root}::{}::{}::{}Informer",
        group.names.module, version.names.module, resource.kind
    ));
    let docs = doc(&format!("The informer of `{}`, made when first asked for.", names.plural));
    let getter = ident(&names.getter);
    let plural = &names.plural;
    let made = if names.plural_is_explicit {
        quote!(self.0.informer_named(#plural))
    } else {
        quote!(self.0.informer())
    };
    quote! {
        #docs
        pub fn #getter(&self) -> #informer {
            #informer::from(#made)
        }
    }
}
