//! `<kind>.rs`: the informer of one kind.

use quote::quote;

use super::super::Context;
use super::super::docs::doc;
use super::super::folders::Leaf;
use super::super::paths;
use super::super::scope::ident;
use crate::model::{Group, Resource, Version};
use crate::output::{Generator, Items};

/// The file of one kind's informer.
pub(super) fn leaf(context: &Context<'_>, group: &Group, version: &Version, resource: &Resource) -> Leaf {
    let name = format!("{}Informer", resource.kind);
    let mut scope = context.scope([name.as_str()]);
    let object = scope.path(&resource.path);
    let (informer, deref) = (scope.item(paths::SHARED_INFORMER), scope.item(paths::DEREF));
    let lister = (resource.generators.lister && context.options.runs(Generator::Lister)).then(|| {
        let (root, module) = (&context.options.modules.listers, &version.names.module);
        scope.item(&format!("{root}::{}::{module}::{}Lister", group.names.module, resource.kind))
    });
    let ident = ident(&name);
    let docs = doc(&format!(
        "The shared informer of `{}` of `{}`.\n\n\
        It dereferences to [`SharedInformer`], which has its handlers, indexes and state.",
        resource.names.plural,
        version.api_version(group)
    ));
    let definition = quote! {
        #docs
        #[derive(Clone, Debug)]
        pub struct #ident(#informer<#object>);
    };
    let listers = lister.map(|lister| {
        let docs = doc("A reader of the informer's cache.");
        quote! {
            impl #ident {
                #docs
                pub fn lister(&self) -> #lister {
                    self.0.lister().into()
                }
            }
        }
    });
    let from = quote! {
        impl From<#informer<#object>> for #ident {
            fn from(informer: #informer<#object>) -> Self {
                Self(informer)
            }
        }
    };
    let deref = quote! {
        impl #deref for #ident {
            type Target = #informer<#object>;
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }
    };
    let mut items: Items = scope.uses().into_iter().collect();
    items.extend([Some(definition), listers, Some(from), Some(deref)].into_iter().flatten());
    Leaf {
        module: resource.names.module.clone(),
        file: resource.names.file.clone(),
        exports: vec![name],
        docs: vec![format!("The informer of `{}`.", resource.kind)],
        items,
    }
}
