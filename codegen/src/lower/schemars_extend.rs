//! `#[schemars(extend(..))]`: Kubernetes' own keys as markers. Others are passed over, as kube drops them.

use super::attribute_markers::{Heard, Said, json, literal};
use super::json_tokens;
use super::schemars_attributes::marker;
use crate::model::{GapReason, MarkerValue};
use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::{Expr, Token};

/// `extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])`.
pub(super) fn extend(meta: &ParseNestedMeta<'_>, heard: &mut Heard) -> syn::Result<()> {
    let content;
    syn::parenthesized!(content in meta.input);
    while !content.is_empty() {
        let key: syn::LitStr = content.parse()?;
        content.parse::<Token![=]>()?;
        let value = json_or_literal(&content)?;
        let span = key.span();
        let Some(value) = value else {
            heard.gap("schemars", &format!("extend(\"{}\" = ..)", key.value()), GapReason::Computed, span);
            continue;
        };
        let said = &mut heard.said;
        let one = |name: &'static str, value| Said { name, arguments: vec![(String::new(), value)], span };
        let flag = |name: &'static str| Said { name, arguments: Vec::new(), span };
        match (key.value().as_str(), value) {
            ("x-kubernetes-list-type", value) => said.push(one("listType", value)),
            ("x-kubernetes-list-map-keys", MarkerValue::List(keys)) => {
                said.extend(keys.into_iter().map(|key| one("listMapKey", key)));
            }
            ("x-kubernetes-map-type", value) => said.push(one("structType", value)),
            ("x-kubernetes-preserve-unknown-fields", MarkerValue::Bool(true)) => {
                said.push(flag("kubebuilder:pruning:PreserveUnknownFields"));
            }
            ("x-kubernetes-embedded-resource", MarkerValue::Bool(true)) => {
                said.push(flag("kubebuilder:validation:XEmbeddedResource"));
            }
            ("x-kubernetes-int-or-string", MarkerValue::Bool(true)) => {
                said.push(flag("kubebuilder:validation:XIntOrString"));
            }
            ("x-kubernetes-validations", MarkerValue::List(rules)) => {
                said.extend(rules.into_iter().filter_map(|rule| of_json(rule, span)));
            }
            ("format", value) => said.extend(marker("Format", "", value, span)),
            ("pattern", value) => said.extend(marker("Pattern", "", value, span)),
            ("default", value) => said.push(one("kubebuilder:default", value)),
            _ => {}
        }
    }
    Ok(())
}

/// A value up to the next comma: a Rust literal, or JSON as `serde_json::json!` takes it.
fn json_or_literal(content: syn::parse::ParseStream<'_>) -> syn::Result<Option<MarkerValue>> {
    let mut tokens = proc_macro2::TokenStream::new();
    while !content.is_empty() && !content.peek(Token![,]) {
        tokens.extend([content.parse::<proc_macro2::TokenTree>()?]);
    }
    if !content.is_empty() {
        content.parse::<Token![,]>()?;
    }
    match json_tokens::read(tokens.clone()) {
        Some(value) => Ok(Some(json(&value))),
        None => Ok(syn::parse2::<Expr>(tokens).ok().as_ref().and_then(literal)),
    }
}

/// A rule as it stands in a schema.
fn of_json(rule: MarkerValue, span: Span) -> Option<Said> {
    match rule {
        MarkerValue::Map(entries) => {
            Some(Said { name: "kubebuilder:validation:XValidation", arguments: entries, span })
        }
        _ => None,
    }
}
