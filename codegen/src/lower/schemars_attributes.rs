//! The attributes of schemars, of validator and of kube's `KubeSchema` on fields and types, as markers.
//!
//! What has no marker of its own (`schema_with`, `extend` with anything but Kubernetes' own keys) is passed over.

use super::attribute_markers::{Said, json, literal, validation};
use super::serde_attributes::{Trouble, bad, each, skip_value};
use crate::model::MarkerValue;
use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, Token};

/// Bounds of `range(..)` and `length(..)` by the type of the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sized {
    /// Numbers and texts.
    Single,
    /// Lists.
    List,
    /// Maps.
    Map,
}

/// Where the schema of a field comes from, when not from its type.
pub(super) enum Source {
    /// `with = "Type"`.
    Type(Box<syn::Type>),
    /// `schema_with = "path"`.
    Function(String),
}

/// Reads `#[schemars(with = "..")]` and `#[schemars(schema_with = "..")]`.
pub(super) fn source(attributes: &[Attribute]) -> Option<Source> {
    let mut found = None;
    let mut entry = |meta: ParseNestedMeta<'_>| {
        if meta.path.is_ident("with") {
            let text: syn::LitStr = super::serde_attributes::text(&meta)?;
            found = text.parse().ok().map(|ty| Source::Type(Box::new(ty)));
        } else if meta.path.is_ident("schema_with") {
            found = Some(Source::Function(super::serde_attributes::text(&meta)?.value()));
        } else {
            skip_value(&meta).map_err(|error| bad("schemars", &error))?;
        }
        Ok(())
    };
    // What is wrong with them is reported where their bounds are read.
    each(attributes, "schemars", &mut entry, &mut Vec::new());
    found
}

/// What the attributes of a field or type say.
pub(super) fn said(attributes: &[Attribute], sized: Sized, trouble: &mut Vec<Trouble>) -> Vec<Said> {
    let mut said = Vec::new();
    for name in ["schemars", "validate"] {
        let mut entry =
            |meta: ParseNestedMeta<'_>| one(&meta, sized, "", &mut said).map_err(|error| bad(name, &error));
        each(attributes, name, &mut entry, trouble);
    }
    let mut entry =
        |meta: ParseNestedMeta<'_>| x_kube(&meta, &mut said).map_err(|error| bad("x_kube", &error));
    each(attributes, "x_kube", &mut entry, trouble);
    said
}

fn marker(name: &str, items: &str, value: MarkerValue, span: Span) -> Option<Said> {
    let name = crate::marker::find(&format!("kubebuilder:validation:{items}{name}"))?.name;
    Some(Said { name, arguments: vec![(String::new(), value)], span })
}

fn one(meta: &ParseNestedMeta<'_>, sized: Sized, items: &str, said: &mut Vec<Said>) -> syn::Result<()> {
    let Some(ident) = meta.path.get_ident() else { return skip_value(meta) };
    let span = ident.span();
    match ident.to_string().as_str() {
        "range" => bounds(meta, range, (items, span), said),
        "length" => bounds(meta, |name| length(name, sized), (items, span), said),
        "regex" | "pattern" => {
            let pattern = pattern(meta)?;
            said.extend(pattern.and_then(|pattern| marker("Pattern", items, pattern, span)));
            Ok(())
        }
        "url" => {
            said.extend(marker("Format", items, MarkerValue::Text("uri".to_owned()), span));
            skip_value(meta)
        }
        "email" | "ip" | "ipv4" | "ipv6" => {
            said.extend(marker("Format", items, MarkerValue::Text(ident.to_string()), span));
            skip_value(meta)
        }
        "inner" if items.is_empty() && meta.input.peek(syn::token::Paren) => {
            meta.parse_nested_meta(|inner| one(&inner, Sized::Single, "items:", said))
        }
        "title" => {
            let value = meta.value()?.parse::<Expr>()?;
            let title = literal(&value).map(|value| Said {
                name: "kubebuilder:title",
                arguments: vec![(String::new(), value)],
                span,
            });
            said.extend(title);
            Ok(())
        }
        "extend" => extend(meta, said),
        _ => skip_value(meta),
    }
}

fn range(name: &str) -> Option<&'static str> {
    match name {
        "min" | "exclusive_min" => Some("Minimum"),
        "max" | "exclusive_max" => Some("Maximum"),
        _ => None,
    }
}

fn length(name: &str, sized: Sized) -> Option<&'static str> {
    Some(match (name, sized) {
        ("min", Sized::Single) => "MinLength",
        ("max", Sized::Single) => "MaxLength",
        ("min", Sized::List) => "MinItems",
        ("max", Sized::List) => "MaxItems",
        ("min", Sized::Map) => "MinProperties",
        ("max", Sized::Map) => "MaxProperties",
        _ => return None,
    })
}

/// `range(min = 1, max = 5)`.
fn bounds(
    meta: &ParseNestedMeta<'_>,
    marker_of: impl Fn(&str) -> Option<&'static str>,
    (items, span): (&str, Span),
    said: &mut Vec<Said>,
) -> syn::Result<()> {
    meta.parse_nested_meta(|inner| {
        let key = inner.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let value = literal(&inner.value()?.parse::<Expr>()?);
        // `equal = 3` is both bounds.
        let keys: &[&str] = if key == "equal" { &["min", "max"] } else { &[key.as_str()] };
        for key in keys {
            let is_range = matches!(marker_of(key), Some("Minimum" | "Maximum"));
            let value = match &value {
                Some(MarkerValue::Integer(number)) if is_range => {
                    number.to_string().parse().ok().map(MarkerValue::Float)
                }
                other => other.clone(),
            };
            if let (Some(name), Some(value)) = (marker_of(key), value) {
                said.extend(marker(name, items, value, span));
            }
        }
        if let "exclusive_min" | "exclusive_max" = key.as_str() {
            let name = if key == "exclusive_min" { "ExclusiveMinimum" } else { "ExclusiveMaximum" };
            said.extend(marker(name, items, MarkerValue::Bool(true), span));
        }
        Ok(())
    })
}

/// `regex(pattern = "..")`, `regex = ".."`.
fn pattern(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<MarkerValue>> {
    if meta.input.peek(Token![=]) {
        return Ok(literal(&meta.value()?.parse::<Expr>()?));
    }
    let mut found = None;
    if meta.input.peek(syn::token::Paren) {
        meta.parse_nested_meta(|inner| {
            if inner.input.peek(Token![=]) {
                let value = inner.value()?.parse::<Expr>()?;
                if inner.path.is_ident("pattern") || inner.path.is_ident("path") {
                    found = literal(&value);
                }
            }
            Ok(())
        })?;
    }
    Ok(found)
}

/// `extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])`.
fn extend(meta: &ParseNestedMeta<'_>, said: &mut Vec<Said>) -> syn::Result<()> {
    let content;
    syn::parenthesized!(content in meta.input);
    while !content.is_empty() {
        let key: syn::LitStr = content.parse()?;
        content.parse::<Token![=]>()?;
        let value = json_or_literal(&content)?;
        let Some(value) = value else { continue };
        let span = key.span();
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
    match serde_json::from_str(&tokens.to_string()) {
        Ok(value) => Ok(Some(json(&value))),
        Err(_) => Ok(syn::parse2::<Expr>(tokens).ok().as_ref().and_then(literal)),
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

/// `validation = ..`, `merge_strategy = ListMerge::Map("name")`.
fn x_kube(meta: &ParseNestedMeta<'_>, said: &mut Vec<Said>) -> syn::Result<()> {
    let Some(ident) = meta.path.get_ident() else { return skip_value(meta) };
    let span = ident.span();
    match ident.to_string().as_str() {
        "validation" | "rule" => {
            said.extend(validation(&meta.value()?.parse()?, span));
            Ok(())
        }
        "merge_strategy" => {
            strategy(&meta.value()?.parse()?, span, said);
            Ok(())
        }
        _ => skip_value(meta),
    }
}

/// `ListMerge::Set`, `ListMerge::Map(["name"])`, `MapMerge::Atomic`, `StructMerge::Atomic`.
fn strategy(value: &Expr, span: Span, said: &mut Vec<Said>) {
    let (path, keys) = match value {
        Expr::Path(path) => (&path.path, Vec::new()),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => (&path.path, call.args.iter().filter_map(literal).collect()),
            _ => return,
        },
        _ => return,
    };
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let (Some(kind), Some(which)) = (names.iter().rev().nth(1), names.last()) else { return };
    let name = match kind.as_str() {
        "ListMerge" => "listType",
        "MapMerge" => "mapType",
        "StructMerge" => "structType",
        _ => return,
    };
    let one = |name: &'static str, value| Said { name, arguments: vec![(String::new(), value)], span };
    said.push(one(name, MarkerValue::Text(which.to_lowercase())));
    for key in keys {
        match key {
            MarkerValue::List(keys) => said.extend(keys.into_iter().map(|key| one("listMapKey", key))),
            key => said.push(one("listMapKey", key)),
        }
    }
}
