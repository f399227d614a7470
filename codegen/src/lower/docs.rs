//! Documentation: the text of doc comments without markers.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The documentation of an item, its lines separated by `\n`. Lines that begin with `+` are markers and left out.
pub(super) fn docs(attributes: &[Attribute]) -> String {
    let texts: Vec<String> = attributes.iter().filter_map(text).collect();
    clean(&texts.join("\n"))
}

fn text(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    if !pair.path.is_ident("doc") {
        return None;
    }
    match &pair.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(without_stars(&text.value())),
        _ => None,
    }
}

/// A block comment without the stars that lead its lines.
fn without_stars(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    let starred = !rest.is_empty()
        && rest.iter().all(|line| line.trim().is_empty() || line.trim_start().starts_with('*'));
    if !starred {
        return text.to_owned();
    }
    let rest = rest.iter().map(|line| line.trim_start().strip_prefix('*').unwrap_or_default());
    std::iter::once(first).chain(rest).collect::<Vec<_>>().join("\n")
}

/// Text without markers, without the indentation that all lines share, without blank lines around it.
pub(super) fn clean(text: &str) -> String {
    let lines: Vec<&str> =
        text.lines().map(str::trim_end).filter(|line| !line.trim_start().starts_with('+')).collect();
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let shared = lines.iter().filter(|line| !line.is_empty()).map(indent).min().unwrap_or_default();
    let lines: Vec<&str> = lines.iter().map(|line| line.get(shared..).unwrap_or_default()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}
