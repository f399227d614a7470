//! Documentation: the text of doc comments without markers.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

/// The documentation of an item, its lines separated by `\n`. Lines that begin with `+` are markers and left out.
pub(super) fn docs(attributes: &[Attribute]) -> String {
    joined(&all(attributes))
}

/// The documentation of an item, and the same as users of the API read it.
pub(super) fn texts(attributes: &[Attribute]) -> (String, String) {
    let all = all(attributes);
    (joined(&all), shown(attributes, &all))
}

/// The texts of doc comments, and whether they are blocks.
fn all(attributes: &[Attribute]) -> Vec<(String, bool)> {
    attributes.iter().filter_map(written).collect()
}

fn joined(texts: &[(String, bool)]) -> String {
    clean(&texts.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join("\n"))
}

/// How a line begins that is a note of an author.
const NOTE_TO_SELF: &str = concat!("TO", "DO");

/// The documentation as users of the API read it. Every line keeps its form; left out are markers, lines that begin as
/// notes of authors to themselves, and everything below a line that begins with `---`, except within code. These are the conventions of Go's API types.
pub(super) fn description(attributes: &[Attribute]) -> String {
    shown(attributes, &all(attributes))
}

fn shown(attributes: &[Attribute], texts: &[(String, bool)]) -> String {
    if let Some(text) = attributes.iter().find_map(of_schemars) {
        return public_lines(&text);
    }
    let in_block = texts.iter().any(|(_, in_block)| *in_block);
    let lines = texts.iter().flat_map(|(text, _)| text.split('\n'));
    public_text(lines, if in_block { Indent::Dropped } else { Indent::Kept })
}

/// A first line that is a heading in Markdown, and the rest: schemars makes a title of it.
pub(super) fn headed(description: &str) -> Option<(String, String)> {
    let (heading, rest) = description.split_once('\n').unwrap_or((description, ""));
    let title = heading.strip_prefix('#')?.trim_start_matches('#').trim();
    Some((title.to_owned(), rest.trim().to_owned()))
}

/// `#[schemars(description = "..")]`, which stands for the comment.
fn of_schemars(attribute: &Attribute) -> Option<String> {
    if !attribute.path().is_ident("schemars") {
        return None;
    }
    let list = attribute.meta.require_list().ok()?;
    let entries = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone()).ok()?;
    entries.into_iter().find_map(|entry| match entry {
        Meta::NameValue(pair) if pair.path.is_ident("description") => match pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}

/// The text of a `doc = ".."` of another attribute, by the same conventions.
pub(super) fn public_lines(text: &str) -> String {
    public_text(text.split('\n'), Indent::Kept)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Indent {
    Kept,
    Dropped,
}

fn public_text<'a>(lines: impl Iterator<Item = &'a str>, indent: Indent) -> String {
    let mut shown: Vec<&str> = Vec::new();
    for line in lines.filter(|line| !line.trim_start().starts_with('+')) {
        let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
        let line = if indent == Indent::Dropped { line.trim_start() } else { line };
        // Several blank lines are one, and none comes first.
        if !line.is_empty() || shown.last().is_some_and(|last| !last.is_empty()) {
            shown.push(line);
        }
    }
    if shown.last().is_some_and(|last| last.is_empty()) {
        shown.pop();
    }
    let mut public = Vec::new();
    let mut in_code = false;
    for line in shown {
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
        }
        if !in_code && line.starts_with("---") {
            break;
        }
        if in_code || !line.starts_with(NOTE_TO_SELF) {
            public.push(line);
        }
    }
    public.join("\n")
}

/// The text of a doc comment, and whether it is a block.
fn written(attribute: &Attribute) -> Option<(String, bool)> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    if !pair.path.is_ident("doc") {
        return None;
    }
    match &pair.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            let text = text.value();
            let in_block = text.contains('\n');
            Some((if in_block { without_stars(&text) } else { text }, in_block))
        }
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
