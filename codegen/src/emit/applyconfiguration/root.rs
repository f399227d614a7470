//! What the apply configuration of a root type has beyond its fields: type, metadata, a name, and `extract`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::docs::doc;
use super::super::paths;
use super::super::scope::{Scope, ident};
use crate::model::{Resource, Scope as ApiScope};

/// The methods of every root; a field of such a name gets the setter `set_<name>`.
pub(super) const RESERVED: &[&str] = &[
    "annotations",
    "extract",
    "extract_status",
    "finalizers",
    "labels",
    "metadata",
    "metadata_mut",
    "namespace",
    "new",
    "owner_references",
];

/// The names that the parts of a root share.
pub(super) struct Root<'a> {
    resource: &'a Resource,
    object: TokenStream,
    type_meta: TokenStream,
    object_meta: TokenStream,
}

impl<'a> Root<'a> {
    /// The root of a resource.
    pub(super) fn new(scope: &mut Scope, resource: &'a Resource) -> Self {
        Self {
            resource,
            object: scope.path(&resource.path),
            type_meta: scope.item(paths::TYPE_META),
            object_meta: scope.item(paths::OBJECT_META),
        }
    }

    /// The declarations of its own fields.
    pub(super) fn fields(&self) -> TokenStream {
        let Self { object, type_meta, object_meta, .. } = self;
        let (types, metadata) =
            (doc("`apiVersion` and `kind`."), doc("Name, namespace, labels and the like."));
        quote! {
            #types
            #[serde(flatten, skip_deserializing)]
            pub type_meta: #type_meta<#object>,
            #metadata
            pub metadata: #object_meta,
        }
    }

    /// The constructor, the setters of metadata, and `extract`.
    pub(super) fn methods(&self, scope: &mut Scope) -> TokenStream {
        let object_meta = &self.object_meta;
        let new = doc("The configuration of the object of this name, in which nothing else is set.");
        let metadata = self.metadata_setters(scope);
        let extract = self.extract(scope);
        quote! {
            #new
            #[must_use]
            pub fn new(name: impl Into<String>) -> Self {
                Self {
                    metadata: #object_meta { name: Some(name.into()), ..Default::default() },
                    ..Default::default()
                }
            }
            #metadata
            #extract
        }
    }

    fn metadata_setters(&self, scope: &mut Scope) -> TokenStream {
        let (insert, extend) = (scope.item(paths::INSERT_ENTRIES), scope.item(paths::EXTEND_ITEMS));
        let owner = scope.item(paths::OWNER_REFERENCE);
        let namespace = (self.resource.scope == ApiScope::Namespaced).then(|| {
            let docs = doc("Sets the namespace; without it the namespace of the client is meant.");
            quote! {
                #docs
                #[must_use]
                pub fn namespace(mut self, value: impl Into<String>) -> Self {
                    self.metadata.namespace = Some(value.into());
                    self
                }
            }
        });
        let maps = ["labels", "annotations"].map(|name| {
            let field = ident(name);
            let docs = doc(&format!("Adds {name}; one with a known key replaces the old one."));
            quote! {
                #docs
                #[must_use]
                pub fn #field(mut self, entries: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Self {
                    #insert(&mut self.metadata.#field, entries);
                    self
                }
            }
        });
        let lists = [("finalizers", "finalizers", quote!(String)), ("owner_references", "owners", owner)]
            .map(|(name, what, item)| {
                let field = ident(name);
                let docs = doc(&format!("Adds {what}."));
                quote! {
                    #docs
                    #[must_use]
                    pub fn #field(mut self, items: impl IntoIterator<Item = impl Into<#item>>) -> Self {
                        #extend(&mut self.metadata.#field, items);
                        self
                    }
                }
            });
        quote!(#namespace #(#maps)* #(#lists)*)
    }

    fn extract(&self, scope: &mut Scope) -> TokenStream {
        let (extract, error) = (scope.item(paths::EXTRACT), scope.item(paths::EXTRACT_ERROR));
        let object = &self.object;
        let variable = ident(match self.resource.names.snake.as_str() {
            "field_manager" => "object",
            _ => self.resource.names.variable.as_str(),
        });
        let docs = doc("What `field_manager` owns of an object, to be changed and applied again.\n\n\
            # Errors\nWhen the object's managed fields cannot be read.");
        let status = self.resource.has_status.then(|| {
            let extract = scope.item(paths::EXTRACT_SUBRESOURCE);
            let docs = doc("What `field_manager` owns of an object through its status.\n\n\
                # Errors\nWhen the object's managed fields cannot be read.");
            quote! {
                #docs
                pub fn extract_status(#variable: &#object, field_manager: &str) -> Result<Self, #error> {
                    #extract(#variable, field_manager, "status")
                }
            }
        });
        quote! {
            #docs
            pub fn extract(#variable: &#object, field_manager: &str) -> Result<Self, #error> {
                #extract(#variable, field_manager)
            }
            #status
        }
    }

    /// The trait by which the client sends it.
    pub(super) fn implementations(&self, scope: &mut Scope, name: &Ident) -> Vec<TokenStream> {
        let Self { object, object_meta, .. } = self;
        let configuration = scope.item(paths::APPLY_CONFIGURATION);
        vec![quote! {
            impl #configuration for #name {
                type Object = #object;
                fn metadata(&self) -> &#object_meta {
                    &self.metadata
                }
                fn metadata_mut(&mut self) -> &mut #object_meta {
                    &mut self.metadata
                }
            }
        }]
    }
}
