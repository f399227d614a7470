//! The methods that `+genclient:method=` asks for: a verb on a subresource, or on the resource with other types.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::Context;
use super::super::docs::doc;
use super::super::paths;
use super::super::scope::ident;
use super::kind::{self, Kind};
use crate::model::{Method, TypePath, Verb};
use crate::naming::{rust_ident, snake};

/// What the two functions of one method are made of.
struct Parts {
    /// `get_scale`.
    function: Ident,
    /// `get_scale_with`.
    function_with: Ident,
    /// The parameters before the options: the name of the object.
    name: Option<TokenStream>,
    /// The parameter after the options: what is sent.
    input: Option<TokenStream>,
    /// The generic parameters.
    generics: Option<TokenStream>,
    /// The type of the options.
    params: TokenStream,
    /// What comes back.
    result: TokenStream,
    /// The runtime's method.
    target: Ident,
    /// The arguments for it.
    arguments: TokenStream,
    /// The arguments by which the plain form calls the other.
    forwarded: TokenStream,
    /// A further parameter of the plain form.
    manager: Option<TokenStream>,
    /// What the documentation says it does.
    docs: String,
}

/// The functions of a method, plain and with options.
pub(super) fn method(context: &Context<'_>, kind: &mut Kind<'_>, method: &Method) -> TokenStream {
    let parts = parts(context, kind, method);
    let Parts { function, function_with, name, input, generics, params, result, target, .. } = &parts;
    let Parts { arguments, forwarded, manager, docs, .. } = &parts;
    let error = kind.item(paths::RESULT);
    let (plain, with) = (doc(&format!("{docs}.")), doc(&format!("{docs}, with options.")));
    let name = name.as_ref().map(|name| quote!(#name: &str,));
    quote! {
        #plain
        pub async fn #function #generics(&self, #name #input #manager) -> #error<#result> {
            self.#function_with(#forwarded).await
        }
        #with
        pub async fn #function_with #generics(&self, #name params: &#params, #input) -> #error<#result> {
            self.0.#target(#arguments).await
        }
    }
}

fn parts(context: &Context<'_>, kind: &mut Kind<'_>, method: &Method) -> Parts {
    let subresource = method.subresource.as_deref();
    let sent = sent(context, kind, method);
    let params = kind.item(params_of(method.verb));
    let by_name = subresource.is_some() || !matches!(method.verb, Verb::Create | Verb::List);
    let name = by_name.then(|| quote!(name));
    let name_argument = name.as_ref().map(|name| quote!(#name,));
    let variable = sent.as_ref().map(|sent| sent.variable.clone());
    let is_apply = method.verb == Verb::Apply;
    let defaults =
        if is_apply { quote!(&#params::apply(field_manager)) } else { quote!(&#params::default()) };
    let path = subresource.map(|subresource| quote!(#subresource,));
    let last = variable.as_ref().map(|variable| quote!(, #variable));
    Parts {
        function: ident(&method.names.function),
        function_with: ident(&method.names.function_with),
        input: sent.as_ref().map(|sent| {
            let (variable, ty) = (&sent.variable, &sent.ty);
            quote!(#variable: &#ty,)
        }),
        generics: sent.and_then(|sent| sent.generics),
        result: result_type(kind, method),
        target: target(method),
        arguments: quote!(#name_argument #path params #last),
        forwarded: quote!(#name_argument #defaults #last),
        manager: is_apply.then(|| quote!(field_manager: &str)),
        docs: describe(method),
        params,
        name,
    }
}

/// What a method sends.
struct Sent {
    variable: TokenStream,
    ty: TokenStream,
    generics: Option<TokenStream>,
}

fn sent(context: &Context<'_>, kind: &mut Kind<'_>, method: &Method) -> Option<Sent> {
    match method.verb {
        Verb::Create | Verb::Update => Some(match &method.input {
            Some(path) => Sent { variable: variable_of(path), ty: kind.scope.path(path), generics: None },
            None => Sent { variable: kind.variable.clone(), ty: kind.object.clone(), generics: None },
        }),
        Verb::Patch => {
            let (patch, serialize) = (kind.item(paths::PATCH), kind.item(paths::SERIALIZE));
            Some(Sent {
                variable: quote!(patch),
                ty: quote!(#patch<P>),
                generics: Some(quote!(<P: #serialize>)),
            })
        }
        Verb::Apply => Some(applied(context, kind, method)),
        _ => None,
    }
}

/// What an apply sends: the apply configuration of the input, or whatever serialises where there is none.
fn applied(context: &Context<'_>, kind: &mut Kind<'_>, method: &Method) -> Sent {
    let place = method.input.as_ref().and_then(|path| context.configurations.get(path));
    let known = match (&method.input, place) {
        (None, _) => kind.configuration(),
        (Some(_), Some(place)) if kind.has_configuration() => {
            Some(kind.item(&place.path_below(&context.options.modules.applyconfiguration)))
        }
        _ => None,
    };
    let variable = method.input.as_ref().map_or_else(|| kind.variable.clone(), variable_of);
    match known {
        Some(ty) => Sent { variable, ty, generics: None },
        None => {
            let serialize = kind.item(paths::SERIALIZE);
            Sent { variable, ty: quote!(A), generics: Some(quote!(<A: #serialize>)) }
        }
    }
}

fn variable_of(path: &TypePath) -> TokenStream {
    let name = snake(&path.name);
    kind::variable(&name, &rust_ident(&name))
}

fn params_of(verb: Verb) -> &'static str {
    match verb {
        Verb::Create | Verb::Update => paths::POST_PARAMS,
        Verb::List => paths::LIST_PARAMS,
        Verb::Patch | Verb::Apply => paths::PATCH_PARAMS,
        _ => paths::GET_PARAMS,
    }
}

fn result_type(kind: &mut Kind<'_>, method: &Method) -> TokenStream {
    let object = method.result.as_ref().map_or_else(|| kind.object.clone(), |path| kind.scope.path(path));
    match method.verb {
        Verb::List => {
            let list = kind.item(paths::OBJECT_LIST);
            quote!(#list<#object>)
        }
        _ => object,
    }
}

/// The runtime's method: `get_subresource`, `get_as`.
fn target(method: &Method) -> Ident {
    let suffix = if method.subresource.is_some() { "subresource" } else { "as" };
    ident(&format!("{}_{suffix}", method.verb.name()))
}

fn describe(method: &Method) -> String {
    let object = match &method.subresource {
        Some(subresource) => format!("the `{subresource}` of an object"),
        None => "an object".to_owned(),
    };
    match method.verb {
        Verb::Create => format!("Posts to {object}").replace("to an object", "an object"),
        Verb::Update => format!("Replaces {object}"),
        Verb::List => format!("Lists {object}").replace("an object", "objects"),
        Verb::Patch => format!("Changes {object} by a patch"),
        Verb::Apply => format!("Makes {object} be as configured, owning as `field_manager` what is set"),
        _ => format!("Reads {object}"),
    }
}
