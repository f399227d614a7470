//! The attributes of schemars, of validator, of garde and of kube's `KubeSchema` on fields and types, as markers.
//!
//! What no source tells (`transform`, bounds that are worked out), or what would give the schema another form than serde gives the value,
//! is noted as a gap: no schema is written then. Keys that say nothing of a definition (`example`, `crate`, `inline`) are passed over.

use super::attribute_markers::{Heard, Known, Said, literal, unknown};
use super::constants::is_constant_path;
use super::schemars_extend::extend;
use super::serde_attributes::{Trouble, bad, each, skip_value};
use super::x_kube_attributes::x_kube;
use crate::model::{GapReason, MarkerValue};
use proc_macro2::Span;
use quote::ToTokens;
use syn::meta::ParseNestedMeta;
use syn::parse::Parse;
use syn::{Attribute, Expr, Meta, Token};

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

/// What an attribute stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Site {
    Type,
    Variant,
    /// A field, and what its bounds are bounds of.
    Field(Sized),
}

/// Where the schema of a field comes from, when not from its type.
pub(super) enum Source {
    /// `skip`: it has none.
    Skipped,
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
        } else if meta.path.is_ident("skip") || meta.path.is_ident("skip_deserializing") {
            found = Some(Source::Skipped);
        } else {
            skip_value(&meta).map_err(|error| bad("schemars", &error))?;
        }
        Ok(())
    };
    // What is wrong with them is reported where their bounds are read.
    each(attributes, "schemars", &mut entry, &mut Vec::new());
    found
}

/// What the attributes of a field, a variant or a type say.
pub(super) fn heard(attributes: &[Attribute], site: Site, trouble: &mut Vec<Trouble>) -> Heard {
    let mut heard = Heard::default();
    let doubled = doubled(attributes);
    for attribute in ["schemars", "validate", "garde"] {
        let mut entry = |meta: ParseNestedMeta<'_>| {
            let Some(ident) = meta.path.get_ident().cloned() else {
                return skip_value(&meta).map_err(|error| bad(attribute, &error));
            };
            let mut reading = Reading { attribute, site, items: "", heard: &mut heard };
            let known = reading.one(&meta, &doubled).map_err(|error| bad(attribute, &error))?;
            // Validator and garde have keys of their own, which bear on no schema.
            match (known, attribute) {
                (Known::No, "schemars") => {
                    Err(unknown(attribute, &ident.to_string(), &SCHEMARS, ident.span()))
                }
                (Known::No, _) => skip_value(&meta).map_err(|error| bad(attribute, &error)),
                (Known::Yes, _) => Ok(()),
            }
        };
        each(attributes, attribute, &mut entry, trouble);
    }
    // Before version 1 kube called it `cel_validate`.
    for attribute in ["x_kube", "cel_validate"] {
        let mut entry = |meta: ParseNestedMeta<'_>| x_kube(attribute, &meta, &mut heard);
        each(attributes, attribute, &mut entry, trouble);
    }
    heard
}

/// The keys of schemars that may be meant by a misspelt one.
const SCHEMARS: [&str; 28] = [
    "rename",
    "rename_all",
    "skip",
    "flatten",
    "default",
    "with",
    "schema_with",
    "title",
    "description",
    "example",
    "extend",
    "transform",
    "inline",
    "crate",
    "bound",
    "range",
    "length",
    "regex",
    "pattern",
    "contains",
    "required",
    "email",
    "url",
    "ip",
    "ipv4",
    "ipv6",
    "inner",
    "deny_unknown_fields",
];

/// What `#[schemars(..)]` repeats of `#[serde(..)]`.
fn doubled(attributes: &[Attribute]) -> Vec<String> {
    let of = |name: &str| -> Vec<String> {
        let named = attributes.iter().filter(|attribute| attribute.path().is_ident(name));
        let parsed = named.filter_map(|attribute| {
            let list = attribute.meta.require_list().ok()?;
            list.parse_args_with(syn::punctuated::Punctuated::<Meta, Token![,]>::parse_terminated).ok()
        });
        parsed.flatten().map(|meta| meta.to_token_stream().to_string()).collect()
    };
    let schemars = of("schemars");
    if schemars.is_empty() {
        return schemars;
    }
    let serde = of("serde");
    schemars.into_iter().filter(|meta| serde.contains(meta)).collect()
}

pub(super) fn marker(name: &str, items: &str, value: MarkerValue, span: Span) -> Option<Said> {
    let name = crate::marker::find(&format!("kubebuilder:validation:{items}{name}"))?.name;
    Some(Said { name, arguments: vec![(String::new(), value)], span })
}

/// One key while it is read.
struct Reading<'h> {
    attribute: &'static str,
    site: Site,
    /// `items:` within `inner(..)`.
    items: &'static str,
    heard: &'h mut Heard,
}

impl Reading<'_> {
    fn sized(&self) -> Sized {
        match self.site {
            Site::Field(sized) if self.items.is_empty() => sized,
            _ => Sized::Single,
        }
    }

    /// Takes over a marker with a value, where the value is known.
    fn hear(&mut self, key: &str, name: &str, value: Option<MarkerValue>, span: Span) {
        match value {
            Some(value) => self.heard.said.extend(marker(name, self.items, value, span)),
            None => self.heard.gap(self.attribute, key, GapReason::Computed, span),
        }
    }

    fn one(&mut self, meta: &ParseNestedMeta<'_>, doubled: &[String]) -> syn::Result<Known> {
        let Some(ident) = meta.path.get_ident() else { return Ok(Known::No) };
        let (key, span) = (ident.to_string(), ident.span());
        match key.as_str() {
            "range" => self.bounds(meta, (&key, span), range)?,
            "length" => {
                let sized = self.sized();
                self.bounds(meta, (&key, span), |name| length(name, sized))?;
            }
            "regex" | "pattern" => {
                let pattern = pattern(meta)?;
                self.hear(&key, "Pattern", pattern, span);
            }
            "contains" => {
                let part = pattern(meta)?;
                // On a map it is a key that has to be there, which no definition can say.
                let part = part.filter(|_| self.sized() == Sized::Single);
                let escaped = part.as_ref().and_then(MarkerValue::as_text).map(regex_syntax::escape);
                self.hear(&key, "Pattern", escaped.map(MarkerValue::Text), span);
            }
            "url" => {
                self.hear(&key, "Format", Some(MarkerValue::Text("uri".to_owned())), span);
                skip_value(meta)?;
            }
            "email" | "ip" | "ipv4" | "ipv6" => {
                self.hear(&key, "Format", Some(MarkerValue::Text(key.clone())), span);
                skip_value(meta)?;
            }
            "inner" if self.items.is_empty() && meta.input.peek(syn::token::Paren) => {
                let (attribute, site) = (self.attribute, self.site);
                let heard = &mut *self.heard;
                meta.parse_nested_meta(|inner| {
                    let mut reading = Reading { attribute, site, items: "items:", heard: &mut *heard };
                    match reading.one(&inner, &[])? {
                        Known::Yes => Ok(()),
                        Known::No => skip_value(&inner),
                    }
                })?;
            }
            _ if self.attribute == "schemars" => return self.of_schema(meta, (&key, span), doubled),
            "required" => self.flag("required", span, meta)?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    /// A marker without a value.
    fn flag(&mut self, name: &'static str, span: Span, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        if let Site::Field(_) = self.site {
            self.heard.said.push(Said { name, arguments: Vec::new(), span });
        }
        skip_value(meta)
    }

    /// The keys that only schemars has.
    fn of_schema(
        &mut self,
        meta: &ParseNestedMeta<'_>,
        (key, span): (&str, Span),
        doubled: &[String],
    ) -> syn::Result<Known> {
        let is_doubled = || {
            let same = |meta: &String| meta == key || meta.starts_with(&format!("{key} "));
            doubled.iter().any(same)
        };
        match key {
            "title" => {
                let value = literal(&meta.value()?.parse::<Expr>()?);
                let title = value.map(|value| Said {
                    name: "kubebuilder:title",
                    arguments: vec![(String::new(), value)],
                    span,
                });
                self.heard.hear(self.attribute, key, title, span);
            }
            "extend" => extend(meta, self.heard)?,
            "required" => self.flag("required", span, meta)?,
            "default" if matches!(self.site, Site::Field(_)) => self.flag("optional", span, meta)?,
            "transform" => {
                self.heard.gap(self.attribute, key, GapReason::Computed, span);
                skip_value(meta)?;
            }
            "with" | "schema_with" if self.site == Site::Variant => {
                self.heard.gap(self.attribute, key, GapReason::Computed, span);
                skip_value(meta)?;
            }
            "rename" if self.site == Site::Type => skip_value(meta)?,
            "rename" | "rename_all" | "rename_all_fields" | "tag" | "content" | "untagged" | "flatten"
            | "default" | "transparent" | "from" | "into" | "try_from" | "remote" => {
                if !is_doubled() {
                    self.heard.gap(self.attribute, key, GapReason::OtherWire, span);
                }
                // `rename(serialize = "..")` too.
                skip_value(meta)?;
            }
            "with"
            | "schema_with"
            | "skip"
            | "skip_deserializing"
            | "skip_serializing"
            | "skip_serializing_if"
            | "serialize_with"
            | "description"
            | "example"
            | "bound"
            | "inline"
            | "crate"
            | "deny_unknown_fields"
            | "deprecated"
            | "_unstable_ref_variants" => skip_value(meta)?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    /// `range(min = 1, max = 5)`.
    fn bounds(
        &mut self,
        meta: &ParseNestedMeta<'_>,
        (of, span): (&str, Span),
        marker_of: impl Fn(&str) -> Option<&'static str>,
    ) -> syn::Result<()> {
        meta.parse_nested_meta(|inner| {
            let key = inner.path.get_ident().map(ToString::to_string).unwrap_or_default();
            if !inner.input.peek(Token![=]) {
                // What garde counts: bytes, characters or graphemes.
                return skip_value(&inner);
            }
            let value = literal(&inner.value()?.parse::<Expr>()?);
            // A constant in quotes, whose value is not known.
            let value = value.filter(|value| value.as_text().is_none());
            // `equal = 3` is both bounds.
            let keys: &[&str] = if key == "equal" { &["min", "max"] } else { &[key.as_str()] };
            for key in keys {
                let Some(name) = marker_of(key) else { continue };
                let value = match &value {
                    Some(MarkerValue::Integer(number)) if matches!(name, "Minimum" | "Maximum") => {
                        number.to_string().parse().ok().map(MarkerValue::Float)
                    }
                    other => other.clone(),
                };
                self.hear(&format!("{of}({key} = ..)"), name, value, span);
            }
            if let "exclusive_min" | "exclusive_max" = key.as_str() {
                let name = if key == "exclusive_min" { "ExclusiveMinimum" } else { "ExclusiveMaximum" };
                self.hear(of, name, Some(MarkerValue::Bool(true)), span);
            }
            Ok(())
        })
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

/// `regex(pattern = "..")`, `regex = ".."`, `pattern("..")`.
fn pattern(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<MarkerValue>> {
    // `regex = "PATTERN"` and `regex(path = "PATTERN")` name a static.
    let is_text = |value: &MarkerValue| !value.as_text().is_some_and(is_constant_path);
    if meta.input.peek(Token![=]) {
        return Ok(literal(&meta.value()?.parse::<Expr>()?).filter(is_text));
    }
    if !meta.input.peek(syn::token::Paren) {
        return Ok(None);
    }
    let content;
    syn::parenthesized!(content in meta.input);
    if !content.peek2(Token![=]) && !content.peek2(Token![,]) {
        return Ok(literal(&content.parse::<Expr>()?));
    }
    let entries = content.parse_terminated(Meta::parse, Token![,])?;
    let found = entries.iter().find_map(|entry| match entry {
        Meta::NameValue(pair) if pair.path.is_ident("pattern") => literal(&pair.value),
        Meta::NameValue(pair) if pair.path.is_ident("path") => literal(&pair.value).filter(is_text),
        _ => None,
    });
    Ok(found)
}
