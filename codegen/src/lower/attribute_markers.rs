//! Attributes that say what markers say: `#[kube(..)]`, `#[x_kube(..)]` and `#[schemars(..)]`. They become markers here, so
//! that the generators know one language.

use super::json_tokens;
use super::serde_attributes::{Trouble, skip_value};
use crate::diagnostic::LowerProblem;
use crate::model::{GapReason, MarkerValue};
use crate::naming::nearest;
use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::{Expr, ExprLit, Lit, LitBool, LitStr};

/// A marker that an attribute stands for, before its place is known.
#[derive(Debug, Clone)]
pub(super) struct Said {
    pub(super) name: &'static str,
    pub(super) arguments: Vec<(String, MarkerValue)>,
    pub(super) span: Span,
}

impl Said {
    fn new(name: &'static str, span: Span) -> Self {
        Self { name, arguments: Vec::new(), span }
    }

    fn with(mut self, name: &str, value: MarkerValue) -> Self {
        self.arguments.push((name.to_owned(), value));
        self
    }
}

/// Something that an attribute says of a schema and that is not known, before its place is.
#[derive(Debug, Clone)]
pub(super) struct Gap {
    pub(super) attribute: String,
    pub(super) reason: GapReason,
    pub(super) span: Span,
}

/// What attributes say.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard {
    /// What markers could say.
    pub(super) said: Vec<Said>,
    /// What is not known.
    pub(super) gaps: Vec<Gap>,
}

impl Heard {
    /// Notes that a key says something of a schema which is not known.
    pub(super) fn gap(&mut self, attribute: &str, key: &str, reason: GapReason, span: Span) {
        self.gaps.push(Gap { attribute: format!("#[{attribute}({key})]"), reason, span });
    }

    /// Takes over what a key says, where that can be read.
    pub(super) fn hear(&mut self, attribute: &str, key: &str, said: Option<Said>, span: Span) {
        match said {
            Some(said) => self.said.push(said),
            None => self.gap(attribute, key, GapReason::Computed, span),
        }
    }
}

/// Whether an attribute has a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Yes,
    No,
}

/// A key that an attribute does not have.
pub(super) fn unknown(attribute: &'static str, key: &str, known: &[&str], span: Span) -> Trouble {
    let nearest = nearest(key, known.iter().copied()).map(str::to_owned);
    (LowerProblem::UnknownKey { attribute, key: key.to_owned(), nearest }, span)
}

fn words(word: String) -> MarkerValue {
    MarkerValue::List(vec![MarkerValue::Text(word)])
}

/// `key`, `key = true`, `key = false`.
pub(super) fn flag(meta: &ParseNestedMeta<'_>) -> syn::Result<bool> {
    if meta.input.peek(syn::Token![=]) { Ok(meta.value()?.parse::<LitBool>()?.value) } else { Ok(true) }
}

/// What a key of `#[kube(..)]` says of the definition.
pub(super) fn kube(key: &str, meta: &ParseNestedMeta<'_>, heard: &mut Heard) -> syn::Result<Known> {
    let span = meta.path.segments.first().map_or_else(Span::call_site, |segment| segment.ident.span());
    let text = || meta.value()?.parse::<LitStr>();
    let resource = Said::new("kubebuilder:resource", span);
    let said = &mut heard.said;
    match key {
        "singular" => said.push(resource.with("singular", MarkerValue::Text(text()?.value()))),
        "shortname" => said.push(resource.with("shortName", words(text()?.value()))),
        "category" => said.push(resource.with("categories", words(text()?.value()))),
        "selectable" => {
            let path = MarkerValue::Text(text()?.value());
            said.push(Said::new("kubebuilder:selectablefield", span).with("JSONPath", path));
        }
        "storage" => {
            if flag(meta)? {
                said.push(Said::new("kubebuilder:storageversion", span));
            }
        }
        "served" => {
            if !flag(meta)? {
                said.push(Said::new("kubebuilder:unservedversion", span));
            }
        }
        "deprecated" => said.push(deprecated(meta, span)?),
        "annotation" | "label" => {
            let name = if key == "label" { "labels" } else { "annotations" };
            let (key, value) = pair(meta)?;
            let marker = Said::new("kubebuilder:metadata", span);
            said.push(marker.with(name, words(format!("{key}={value}"))));
        }
        "printcolumn" => {
            said.extend(columns(meta, Said::new("kubebuilder:printcolumn", span))?);
        }
        "scale" => {
            said.push(object(meta, Said::new("kubebuilder:subresource:scale", span), &SCALE)?);
        }
        "validation" | "rule" => {
            let rule = validation(&meta.value()?.parse()?, span);
            heard.hear("kube", key, rule, span);
        }
        "schema" => schema(&text()?, heard)?,
        // What these say is of the Rust code that the derive writes.
        "derive" | "attr" | "crates" | "cel" | "apiextensions" => skip_value(meta)?,
        _ => return Ok(Known::No),
    }
    Ok(Known::Yes)
}

/// Where the derive takes the schema from.
fn schema(mode: &LitStr, heard: &mut Heard) -> syn::Result<()> {
    let reason = match mode.value().as_str() {
        "derived" => return Ok(()),
        "disabled" => GapReason::Disabled,
        "manual" => GapReason::Manual,
        _ => return Err(syn::Error::new(mode.span(), "a schema is `derived`, `disabled` or `manual`")),
    };
    heard.gap("kube", &format!("schema = \"{}\"", mode.value()), reason, mode.span());
    Ok(())
}

const PRINT_COLUMN: [(&str, &str, &str); 6] = [
    ("name", "name", "name"),
    ("type_", "type", "type"),
    ("json_path", "jsonPath", "JSONPath"),
    ("description", "description", "description"),
    ("format", "format", "format"),
    ("priority", "priority", "priority"),
];

const SCALE: [(&str, &str, &str); 3] = [
    ("spec_replicas_path", "specReplicasPath", "specpath"),
    ("status_replicas_path", "statusReplicasPath", "statuspath"),
    ("label_selector_path", "labelSelectorPath", "selectorpath"),
];

/// One column, or several as the items of a list in JSON: the derive joins all of its texts into one list.
fn columns(meta: &ParseNestedMeta<'_>, said: Said) -> syn::Result<Vec<Said>> {
    if !meta.input.peek(syn::Token![=]) {
        return Ok(vec![object(meta, said, &PRINT_COLUMN)?]);
    }
    let text = meta.value()?.parse::<LitStr>()?;
    let columns: Vec<serde_json::Value> = serde_json::from_str(&format!("[{}]", text.value()))
        .map_err(|error| syn::Error::new(text.span(), error))?;
    Ok(columns.iter().map(|column| members(column, said.clone(), &PRINT_COLUMN)).collect())
}

/// What an object in JSON says.
fn members(value: &serde_json::Value, mut said: Said, names: &[(&str, &str, &str)]) -> Said {
    for (_, json, marker) in names {
        match value.get(json) {
            Some(serde_json::Value::String(text)) => {
                said = said.with(marker, MarkerValue::Text(text.clone()));
            }
            Some(serde_json::Value::Number(number)) => {
                said = said.with(marker, MarkerValue::Integer(number.as_i64().unwrap_or_default()));
            }
            _ => {}
        }
    }
    said
}

/// `key = r#"{"name": ..}"#` or `key(name = ..)`: by the names of the attribute, of JSON, and of the marker.
fn object(meta: &ParseNestedMeta<'_>, mut said: Said, names: &[(&str, &str, &str)]) -> syn::Result<Said> {
    if meta.input.peek(syn::Token![=]) {
        let text = meta.value()?.parse::<LitStr>()?;
        let value: serde_json::Value =
            serde_json::from_str(&text.value()).map_err(|error| syn::Error::new(text.span(), error))?;
        return Ok(members(&value, said, names));
    }
    let mut arguments = Vec::new();
    meta.parse_nested_meta(|inner| {
        let key = inner.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let key = key.trim_start_matches("r#").trim_end_matches('_').to_owned();
        let value: Expr = inner.value()?.parse()?;
        let Some((_, _, marker)) = names.iter().find(|(name, ..)| name.trim_end_matches('_') == key) else {
            let known: Vec<&str> = names.iter().map(|(name, ..)| *name).collect();
            return Err(inner.error(format!("the keys are {}", known.join(", "))));
        };
        let Some(value) = literal(&value) else {
            return Err(syn::Error::new_spanned(value, "a text or a number is expected"));
        };
        arguments.push(((*marker).to_owned(), value));
        Ok(())
    })?;
    said.arguments.extend(arguments);
    Ok(said)
}

/// A literal, also within `Some(..)`, `.into()` and a reference.
pub(super) fn literal(value: &Expr) -> Option<MarkerValue> {
    match value {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Str(text) => Some(MarkerValue::Text(text.value())),
            Lit::Int(number) => number.base10_parse().ok().map(MarkerValue::Integer),
            Lit::Float(number) => number.base10_parse().ok().map(MarkerValue::Float),
            Lit::Bool(flag) => Some(MarkerValue::Bool(flag.value)),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => match literal(&unary.expr)? {
            MarkerValue::Integer(number) => Some(MarkerValue::Integer(-number)),
            MarkerValue::Float(number) => Some(MarkerValue::Float(-number)),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => literal(&unary.expr),
        Expr::Reference(reference) => literal(&reference.expr),
        Expr::Paren(paren) => literal(&paren.expr),
        Expr::Group(group) => literal(&group.expr),
        Expr::MethodCall(call) if call.args.is_empty() => literal(&call.receiver),
        Expr::Call(call) if call.args.len() == 1 => literal(call.args.first()?),
        Expr::Array(array) => array.elems.iter().map(literal).collect::<Option<_>>().map(MarkerValue::List),
        Expr::Macro(call) if call.mac.path.is_ident("json") => {
            json_tokens::read(call.mac.tokens.clone()).map(|value| json(&value))
        }
        _ => None,
    }
}

/// JSON as a marker's value.
pub(super) fn json(value: &serde_json::Value) -> MarkerValue {
    match value {
        serde_json::Value::Null => MarkerValue::Text(String::new()),
        serde_json::Value::Bool(flag) => MarkerValue::Bool(*flag),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => MarkerValue::Integer(whole),
            None => MarkerValue::Float(number.as_f64().unwrap_or_default()),
        },
        serde_json::Value::String(text) => MarkerValue::Text(text.clone()),
        serde_json::Value::Array(items) => MarkerValue::List(items.iter().map(json).collect()),
        serde_json::Value::Object(entries) => {
            MarkerValue::Map(entries.iter().map(|(key, value)| (key.clone(), json(value))).collect())
        }
    }
}

fn deprecated(meta: &ParseNestedMeta<'_>, span: Span) -> syn::Result<Said> {
    let said = Said::new("kubebuilder:deprecatedversion", span);
    if !meta.input.peek(syn::Token![=]) {
        return Ok(said);
    }
    Ok(match literal(&meta.value()?.parse()?) {
        Some(warning @ MarkerValue::Text(_)) => said.with("warning", warning),
        _ => said,
    })
}

/// `("key", "value")`.
fn pair(meta: &ParseNestedMeta<'_>) -> syn::Result<(String, String)> {
    let content;
    if meta.input.peek(syn::Token![=]) {
        let value = meta.value()?;
        syn::parenthesized!(content in value);
    } else {
        syn::parenthesized!(content in meta.input);
    }
    let key: LitStr = content.parse()?;
    content.parse::<syn::Token![,]>()?;
    let value: LitStr = content.parse()?;
    Ok((key.value(), value.value()))
}

/// `"rule"`, `("rule", "message")`, or `Rule::new("rule").message("..")`.
pub(super) fn validation(value: &Expr, span: Span) -> Option<Said> {
    let said = Said::new("kubebuilder:validation:XValidation", span);
    match value {
        Expr::Tuple(tuple) => {
            let rule = literal(tuple.elems.first()?)?;
            let said = said.with("rule", rule);
            Some(match tuple.elems.get(1).and_then(literal) {
                Some(message) => said.with("message", message),
                None => said,
            })
        }
        Expr::MethodCall(call) if !call.args.is_empty() => {
            let mut said = validation(&call.receiver, span)?;
            let first = call.args.first()?;
            let value = literal(first).or_else(|| last_segment(first));
            let name = match call.method.to_string().as_str() {
                "message" => match first {
                    Expr::Call(message) if last_segment(&message.func) == text("Expression") => {
                        "messageExpression"
                    }
                    _ => "message",
                },
                "message_expression" => "messageExpression",
                "field_path" => "fieldPath",
                "reason" => "reason",
                "optional_old_self" => "optionalOldSelf",
                // `to_owned` and the like.
                _ => return None,
            };
            said = said.with(name, value?);
            Some(said)
        }
        // `Rule { rule: "..".into(), message: Some("..".into()), ..Default::default() }`
        Expr::Struct(parts) => {
            let mut said = said;
            for part in &parts.fields {
                let syn::Member::Named(name) = &part.member else { return None };
                let value = literal(&part.expr).or_else(|| last_segment(&part.expr));
                said = match name.to_string().as_str() {
                    "rule" => said.with("rule", value?),
                    "message" => said.with("message", value?),
                    "field_path" => said.with("fieldPath", value?),
                    "reason" => said.with("reason", value?),
                    _ => return None,
                };
            }
            said.arguments.iter().any(|(name, _)| name == "rule").then_some(said)
        }
        Expr::Call(call) => Some(said.with("rule", literal(call.args.first()?)?)),
        other => Some(said.with("rule", literal(other)?)),
    }
}

fn text(text: &str) -> Option<MarkerValue> {
    Some(MarkerValue::Text(text.to_owned()))
}

/// The last name of a path: `Reason::FieldValueInvalid`.
fn last_segment(value: &Expr) -> Option<MarkerValue> {
    match value {
        Expr::Path(path) => text(&path.path.segments.last()?.ident.to_string()),
        Expr::Call(call) => last_segment(call.args.first()?),
        _ => None,
    }
}
