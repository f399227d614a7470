//! `#[x_kube(..)]`, the attribute of kube's `KubeSchema`, as markers.

use super::attribute_markers::{Heard, Said, literal, unknown, validation};
use super::serde_attributes::{Trouble, bad, skip_value};
use crate::model::{GapReason, MarkerValue};
use proc_macro2::Span;
use syn::Expr;
use syn::meta::ParseNestedMeta;

/// `validation = ..`, `merge_strategy = ListMerge::Map("name")`.
pub(super) fn x_kube(
    attribute: &'static str,
    meta: &ParseNestedMeta<'_>,
    heard: &mut Heard,
) -> Result<(), Trouble> {
    let wrong = |error: syn::Error| bad(attribute, &error);
    let Some(ident) = meta.path.get_ident() else { return skip_value(meta).map_err(wrong) };
    let (key, span) = (ident.to_string(), ident.span());
    let value = || meta.value().and_then(|value| value.parse::<Expr>()).map_err(wrong);
    match key.as_str() {
        "validation" | "rule" => heard.hear(attribute, &key, validation(&value()?, span), span),
        "merge_strategy" => match strategy(&value()?, span) {
            Some(said) => heard.said.extend(said),
            None => heard.gap(attribute, &key, GapReason::Computed, span),
        },
        "cel" | "crates" => skip_value(meta).map_err(wrong)?,
        _ => {
            let known = ["validation", "merge_strategy", "cel", "crates"];
            return Err(unknown(attribute, &key, &known, span));
        }
    }
    Ok(())
}

/// `ListMerge::Set`, `ListMerge::Map(["name"])`, `MapMerge::Atomic`, `StructMerge::Atomic`.
fn strategy(value: &Expr, span: Span) -> Option<Vec<Said>> {
    let (path, keys) = match value {
        Expr::Path(path) => (&path.path, Vec::new()),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => (&path.path, call.args.iter().map(literal).collect::<Option<_>>()?),
            _ => return None,
        },
        _ => return None,
    };
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let name = match names.iter().rev().nth(1)?.as_str() {
        "ListMerge" => "listType",
        "MapMerge" => "mapType",
        "StructMerge" => "structType",
        _ => return None,
    };
    let one = |name: &'static str, value| Said { name, arguments: vec![(String::new(), value)], span };
    let mut said = vec![one(name, MarkerValue::Text(names.last()?.to_lowercase()))];
    for key in keys {
        match key {
            MarkerValue::List(keys) => said.extend(keys.into_iter().map(|key| one("listMapKey", key))),
            key => said.push(one("listMapKey", key)),
        }
    }
    Some(said)
}
