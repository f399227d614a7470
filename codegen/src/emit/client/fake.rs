//! `fake/mod.rs`: the same clientset over an in-memory API server that serves its kinds.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::Context;
use super::super::docs::doc;
use super::super::options::FakeCfg;
use super::super::paths;
use super::super::scope::Scope;
use crate::model::Resource;
use crate::output::{Files, Items};

/// Writes `fake/mod.rs`, unless there is to be no fake.
pub(super) fn write(context: &Context<'_>, files: &mut Files) {
    if context.options.fake == FakeCfg::Never {
        return;
    }
    let mut scope = context.scope(["Clientset", "Result", "registrations"]);
    let names = Names {
        fake: scope.item(paths::FAKE),
        builder: scope.item(paths::FAKE_BUILDER),
        seed: scope.item(paths::SEED),
        error: scope.item(paths::SEED_ERROR),
        deref: scope.item(paths::DEREF),
        clientset: scope.item(&context.options.modules.clientset),
    };
    let registrations = registrations(context, &mut scope);
    let clientset = [definition(&names), implementation(&names), from_fake(&names), deref(&names)];
    let mut items: Items = scope.uses().into_iter().collect();
    items.extend(clientset);
    items.push(super::debug_impl("Clientset"));
    items.push(registrations);
    super::insert(
        context,
        files,
        "fake/mod.rs",
        "The clientset for tests, over an in-memory API server.",
        items,
    );
}

struct Names {
    fake: TokenStream,
    builder: TokenStream,
    seed: TokenStream,
    error: TokenStream,
    deref: TokenStream,
    /// The module of the clientset.
    clientset: TokenStream,
}

fn definition(names: &Names) -> TokenStream {
    let Names { fake, clientset, .. } = names;
    let docs = doc(
        "The clientset over an in-memory API server, which serves the kinds of the clientset and the built-in ones.\n\n\
        It records the actions of its clients and lets tests react to them; see [`Fake`], to which it dereferences.",
    );
    quote! {
        #docs
        pub struct Clientset {
            fake: #fake,
            clientset: #clientset::Clientset,
        }
    }
}

fn implementation(names: &Names) -> TokenStream {
    let Names { fake, builder, seed, error, clientset, .. } = names;
    let settings = doc(
        "Settings for a fake: CustomResourceDefinitions by which it checks the objects of its kinds, and objects to start with.",
    );
    let new = doc(
        "A fake that starts with these objects, to be made in a tokio runtime. An object that no server would store makes every request fail.",
    );
    let try_new = doc("A fake that starts with these objects.\n\n\
        # Errors\nWhen there is an object among them that no server would store.");
    let accessor = doc("The clientset, the very same as in production.");
    quote! {
        impl Clientset {
            #settings
            pub fn builder() -> #builder<Self> {
                #builder::new(registrations())
            }
            #new
            pub fn new(objects: impl IntoIterator<Item = #seed>) -> Self {
                Self::from(#fake::new(registrations(), objects))
            }
            #try_new
            pub fn try_new(objects: impl IntoIterator<Item = #seed>) -> Result<Self, #error> {
                #fake::try_new(registrations(), objects).map(Self::from)
            }
            #accessor
            pub fn clientset(&self) -> #clientset::Clientset {
                self.clientset.clone()
            }
        }
    }
}

fn from_fake(names: &Names) -> TokenStream {
    let Names { fake, clientset, .. } = names;
    quote! {
        impl From<#fake> for Clientset {
            fn from(fake: #fake) -> Self {
                Self { clientset: #clientset::Clientset::new(fake.client()), fake }
            }
        }
    }
}

fn deref(names: &Names) -> TokenStream {
    let Names { fake, deref, .. } = names;
    quote! {
        impl #deref for Clientset {
            type Target = #fake;
            fn deref(&self) -> &Self::Target {
                &self.fake
            }
        }
    }
}

fn registrations(context: &Context<'_>, scope: &mut Scope) -> TokenStream {
    let registration = scope.item(paths::REGISTRATION);
    let entries: Vec<TokenStream> = super::versions(context)
        .flat_map(|(_, version)| super::resources(version))
        .map(|resource| entry(resource, &registration, scope))
        .collect();
    let count = proc_macro2::Literal::usize_unsuffixed(entries.len());
    let docs = doc("What an API server has to know of the kinds of this clientset to serve them.");
    quote! {
        #docs
        pub fn registrations() -> [#registration; #count] {
            [#(#entries),*]
        }
    }
}

fn entry(resource: &Resource, registration: &TokenStream, scope: &mut Scope) -> TokenStream {
    let object = scope.path(&resource.path);
    let status = resource.has_status.then(|| quote!(.status()));
    let plural = &resource.names.plural;
    let name = resource.names.plural_is_explicit.then(|| quote!(.resource_name(#plural)));
    let scale = scale(resource);
    quote!(#registration::of::<#object>()#status #scale #name)
}

/// Where the scale of a kind lies, as its marker says.
fn scale(resource: &Resource) -> Option<TokenStream> {
    let marker = resource.markers.iter().find(|marker| marker.name == "kubebuilder:subresource:scale")?;
    let path = |name: &str| marker.text(name).unwrap_or_default().to_owned();
    let (spec, status, selector) = (path("specpath"), path("statuspath"), path("selectorpath"));
    Some(quote!(.scale(#spec, #status, #selector)))
}
