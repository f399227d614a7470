//! `<type>.rs`: the apply configuration of one struct.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::Context;
use super::super::configurations::ConfigurationPlace;
use super::super::docs::{doc, doc_with};
use super::super::folders::Leaf;
use super::super::paths;
use super::super::scope::ident;
use super::traits::Comparable;
use super::{field, root};
use crate::model::Resource;
use crate::output::Items;

/// The file of one apply configuration.
pub(super) fn leaf(
    context: &Context<'_>,
    comparable: &Comparable<'_>,
    place: &ConfigurationPlace<'_>,
) -> Leaf {
    let def = place.def;
    let mut scope = context.scope([place.name.as_str(), "Result"]);
    scope.declares(place.path_below(&context.options.modules.applyconfiguration));
    let derives = [paths::SERIALIZE, paths::DESERIALIZE].map(|path| scope.item(path));
    let root_kind = root_of(context, place).map(|resource| root::Root::new(&mut scope, resource));
    let reserved = if root_kind.is_some() { root::RESERVED } else { &["new"] };
    let twins: Vec<field::Twin> = def
        .fields()
        .iter()
        .filter(|field| !(root_kind.is_some() && field.ident == "metadata"))
        .filter_map(|field| field::twin(context, &mut scope, field, reserved))
        .collect();
    let name = ident(&place.name);
    let definition = definition(place, &derives, comparable.has(&def.path), root_kind.as_ref(), &twins);
    let setters = twins.iter().map(|twin| &twin.setter);
    let (own, implementations) = match &root_kind {
        Some(root) => (root.methods(&mut scope), root.implementations(&mut scope, &name)),
        None => (constructor(), Vec::new()),
    };
    let methods = quote! {
        impl #name {
            #own
            #(#setters)*
        }
    };
    let mut items: Items = scope.uses().into_iter().collect();
    items.extend([definition, methods]);
    items.extend(implementations);
    Leaf {
        module: place.file.0.clone(),
        file: place.file.1.clone(),
        exports: vec![place.name.clone()],
        docs: vec![format!("The apply configuration of `{}`.", def.path.name)],
        items,
    }
}

fn root_of<'a>(context: &Context<'a>, place: &ConfigurationPlace<'_>) -> Option<&'a Resource> {
    context
        .model
        .resources()
        .map(|(_, _, resource)| resource)
        .find(|resource| resource.path == place.def.path && resource.generators.applyconfiguration)
}

fn definition(
    place: &ConfigurationPlace<'_>,
    [serialize, deserialize]: &[TokenStream; 2],
    comparable: bool,
    root: Option<&root::Root<'_>>,
    twins: &[field::Twin],
) -> TokenStream {
    let own = format!("An apply configuration of `{}`: only what is set is sent.", place.def.path.name);
    let docs = doc_with(&own, &place.def.docs);
    let name = ident(&place.name);
    let compare = comparable.then(|| quote!(PartialEq,));
    let meta = root.map(root::Root::fields);
    let fields = twins.iter().map(|twin| &twin.declaration);
    quote! {
        #docs
        #[derive(Clone, Debug, Default, #compare #serialize, #deserialize)]
        #[serde(default, rename_all = "camelCase")]
        pub struct #name {
            #meta
            #(#fields,)*
        }
    }
}

fn constructor() -> TokenStream {
    let docs = doc("A configuration in which nothing is set.");
    quote! {
        #docs
        #[must_use]
        pub fn new() -> Self {
            Self::default()
        }
    }
}
