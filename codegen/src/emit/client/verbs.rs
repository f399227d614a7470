//! The methods of the standard verbs, each plain and with options.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::docs::doc;
use super::super::paths;
use super::kind::Kind;
use crate::model::Verb;

/// The methods that the verbs of a kind allow.
pub(super) fn all(kind: &mut Kind<'_>) -> Vec<TokenStream> {
    let verbs: Vec<Verb> = kind.resource.verbs.iter().collect();
    verbs.into_iter().map(|verb| methods(kind, verb)).collect()
}

fn methods(kind: &mut Kind<'_>, verb: Verb) -> TokenStream {
    let has_status = kind.resource.has_status;
    match verb {
        Verb::Create => create(kind),
        Verb::Update => update(kind),
        Verb::UpdateStatus if has_status => update_status(kind),
        Verb::Delete => delete(kind),
        Verb::DeleteCollection => delete_collection(kind),
        Verb::Get => get(kind),
        Verb::List => list(kind),
        Verb::Watch => watch(kind),
        Verb::Patch => {
            let patch = patch(kind);
            let status = has_status.then(|| patch_status(kind));
            quote!(#patch #status)
        }
        Verb::Apply => apply(kind),
        Verb::ApplyStatus if has_status => apply_status(kind),
        Verb::UpdateStatus | Verb::ApplyStatus => quote!(),
    }
}

fn create(kind: &mut Kind<'_>) -> TokenStream {
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::POST_PARAMS));
    let (object, variable) = (&kind.object, &kind.variable);
    let (docs, docs_with) = (doc("Creates an object."), doc("Creates an object, with options."));
    quote! {
        #docs
        pub async fn create(&self, #variable: &#object) -> #result<#object> {
            self.0.create(#variable).await
        }
        #docs_with
        pub async fn create_with(&self, params: &#params, #variable: &#object) -> #result<#object> {
            self.0.create_with(params, #variable).await
        }
    }
}

fn update(kind: &mut Kind<'_>) -> TokenStream {
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::POST_PARAMS));
    let (object, variable) = (&kind.object, &kind.variable);
    let docs = doc("Replaces an object; a conflict if it has changed since it was read.");
    let docs_with = doc("Replaces an object, with options.");
    quote! {
        #docs
        pub async fn update(&self, #variable: &#object) -> #result<#object> {
            self.0.update(#variable).await
        }
        #docs_with
        pub async fn update_with(&self, params: &#params, #variable: &#object) -> #result<#object> {
            self.0.update_with(params, #variable).await
        }
    }
}

fn update_status(kind: &mut Kind<'_>) -> TokenStream {
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::POST_PARAMS));
    let (object, variable) = (&kind.object, &kind.variable);
    let docs = doc("Replaces the status of an object and nothing else.");
    let docs_with = doc("Replaces the status of an object, with options.");
    quote! {
        #docs
        pub async fn update_status(&self, #variable: &#object) -> #result<#object> {
            self.0.update_status(#variable).await
        }
        #docs_with
        pub async fn update_status_with(&self, params: &#params, #variable: &#object) -> #result<#object> {
            self.0.update_status_with(params, #variable).await
        }
    }
}

fn delete(kind: &mut Kind<'_>) -> TokenStream {
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::DELETE_PARAMS));
    let (deleted, object) = (kind.item(paths::DELETED), &kind.object);
    let (docs, docs_with) = (doc("Deletes an object."), doc("Deletes an object, with options."));
    quote! {
        #docs
        pub async fn delete(&self, name: &str) -> #result<#deleted<#object>> {
            self.0.delete(name).await
        }
        #docs_with
        pub async fn delete_with(&self, name: &str, params: &#params) -> #result<#deleted<#object>> {
            self.0.delete_with(name, params).await
        }
    }
}

fn delete_collection(kind: &mut Kind<'_>) -> TokenStream {
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::DELETE_PARAMS));
    let (list_params, list) = (kind.item(paths::LIST_PARAMS), kind.item(paths::OBJECT_LIST));
    let object = &kind.object;
    let docs = doc("Deletes all objects that the list options select.");
    let docs_with = doc("Deletes all objects that the list options select, with options for the deletes.");
    quote! {
        #docs
        pub async fn delete_collection(&self, list: &#list_params) -> #result<#list<#object>> {
            self.0.delete_collection(list).await
        }
        #docs_with
        pub async fn delete_collection_with(
            &self,
            params: &#params,
            list: &#list_params,
        ) -> #result<#list<#object>> {
            self.0.delete_collection_with(params, list).await
        }
    }
}

fn get(kind: &mut Kind<'_>) -> TokenStream {
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::GET_PARAMS));
    let object = &kind.object;
    let (docs, docs_with) = (doc("Reads an object."), doc("Reads an object, with options."));
    quote! {
        #docs
        pub async fn get(&self, name: &str) -> #result<#object> {
            self.0.get(name).await
        }
        #docs_with
        pub async fn get_with(&self, name: &str, params: &#params) -> #result<#object> {
            self.0.get_with(name, params).await
        }
    }
}

fn list(kind: &mut Kind<'_>) -> TokenStream {
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::LIST_PARAMS));
    let (list, pages, object) = (kind.item(paths::OBJECT_LIST), kind.item(paths::PAGES), &kind.object);
    let docs = doc("Lists all objects.");
    let docs_with = doc("Lists objects, with options.");
    let docs_pages = doc("Lists objects page by page, as a stream.");
    quote! {
        #docs
        pub async fn list(&self) -> #result<#list<#object>> {
            self.0.list().await
        }
        #docs_with
        pub async fn list_with(&self, params: &#params) -> #result<#list<#object>> {
            self.0.list_with(params).await
        }
        #docs_pages
        pub fn pages(&self, params: &#params) -> #pages<#object> {
            self.0.pages(params)
        }
    }
}

fn watch(kind: &mut Kind<'_>) -> TokenStream {
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::WATCH_PARAMS));
    let (watch, object) = (kind.item(paths::WATCH), &kind.object);
    let docs = doc("Watches all objects: those there are come first, then every change.");
    let docs_with = doc("Watches what changes after a resource version, with options.");
    quote! {
        #docs
        pub async fn watch(&self) -> #result<#watch<#object>> {
            self.0.watch().await
        }
        #docs_with
        pub async fn watch_with(&self, params: &#params, version: &str) -> #result<#watch<#object>> {
            self.0.watch_with(params, version).await
        }
    }
}

fn patch(kind: &mut Kind<'_>) -> TokenStream {
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::PATCH_PARAMS));
    let (patch, serialize) = (kind.item(paths::PATCH), kind.item(paths::SERIALIZE));
    let object = &kind.object;
    let (docs, docs_with) =
        (doc("Changes an object by a patch."), doc("Changes an object by a patch, with options."));
    quote! {
        #docs
        pub async fn patch<P: #serialize>(&self, name: &str, patch: &#patch<P>) -> #result<#object> {
            self.0.patch(name, patch).await
        }
        #docs_with
        pub async fn patch_with<P: #serialize>(
            &self,
            name: &str,
            params: &#params,
            patch: &#patch<P>,
        ) -> #result<#object> {
            self.0.patch_with(name, params, patch).await
        }
    }
}

fn patch_status(kind: &mut Kind<'_>) -> TokenStream {
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::PATCH_PARAMS));
    let (patch, serialize) = (kind.item(paths::PATCH), kind.item(paths::SERIALIZE));
    let object = &kind.object;
    let docs = doc("Changes the status of an object by a patch.");
    let docs_with = doc("Changes the status of an object by a patch, with options.");
    quote! {
        #docs
        pub async fn patch_status<P: #serialize>(&self, name: &str, patch: &#patch<P>) -> #result<#object> {
            self.0.patch_status(name, patch).await
        }
        #docs_with
        pub async fn patch_status_with<P: #serialize>(
            &self,
            name: &str,
            params: &#params,
            patch: &#patch<P>,
        ) -> #result<#object> {
            self.0.patch_status_with(name, params, patch).await
        }
    }
}

fn apply(kind: &mut Kind<'_>) -> TokenStream {
    let Some(configuration) = kind.configuration() else { return quote!() };
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::PATCH_PARAMS));
    let (object, variable) = (&kind.object, &kind.variable);
    let docs = doc(
        "Makes an object be as configured, owning as `field_manager` what is set; creates it if there is none.",
    );
    let docs_with = doc("Makes an object be as configured, with options.");
    quote! {
        #docs
        pub async fn apply(&self, #variable: &#configuration, field_manager: &str) -> #result<#object> {
            self.0.apply(#variable, field_manager).await
        }
        #docs_with
        pub async fn apply_with(&self, params: &#params, #variable: &#configuration) -> #result<#object> {
            self.0.apply_with(params, #variable).await
        }
    }
}

fn apply_status(kind: &mut Kind<'_>) -> TokenStream {
    let Some(configuration) = kind.configuration() else { return quote!() };
    let (result, params) = (kind.item(paths::RESULT), kind.item(paths::PATCH_PARAMS));
    let (object, variable) = (&kind.object, &kind.variable);
    let docs = doc("Makes the status of an object be as configured, owning as `field_manager` what is set.");
    let docs_with = doc("Makes the status of an object be as configured, with options.");
    quote! {
        #docs
        pub async fn apply_status(&self, #variable: &#configuration, field_manager: &str) -> #result<#object> {
            self.0.apply_status(#variable, field_manager).await
        }
        #docs_with
        pub async fn apply_status_with(&self, params: &#params, #variable: &#configuration) -> #result<#object> {
            self.0.apply_status_with(params, #variable).await
        }
    }
}
