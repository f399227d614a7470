//! Which module may import which: reads every path in the code, not only those of `use`.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

use super::{
    report,
    rooms::{APISERVER, CODEGEN, RUNTIME, Room},
    walk::{Source, sources},
};

/// A path in the code, as its segments, and the line it stands in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mention {
    line: usize,
    path: Vec<String>,
}

/// All paths of two segments or more, with groups (`a::{b, c::d}`) taken apart.
fn mentions(text: &str) -> BTreeSet<Mention> {
    let mut found = BTreeSet::new();
    if let Ok(tokens) = text.parse::<TokenStream>() {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        walk(&tokens, &[], &mut found);
    }
    found
}

/// Collects the paths of one stretch of tokens, each behind `prefix`, and goes into its groups.
fn walk(tokens: &[TokenTree], prefix: &[String], found: &mut BTreeSet<Mention>) {
    let mut path: Vec<String> = prefix.to_vec();
    let mut position = 0;
    while let Some(token) = tokens.get(position) {
        match token {
            TokenTree::Ident(ident) => {
                path.push(ident.to_string());
                if !is_separator(tokens, position + 1) {
                    if path.len() > 1 {
                        found.insert(Mention { line: ident.span().start().line, path: path.clone() });
                    }
                    path = prefix.to_vec();
                }
            }
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                // Braces right behind `::` are a list of imports; all other groups start anew.
                let list = group.delimiter() == Delimiter::Brace
                    && position > 1
                    && is_separator(tokens, position - 2);
                walk(&inner, if list { &path } else { &[] }, found);
                path = if list { prefix.to_vec() } else { Vec::new() };
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => {}
            TokenTree::Punct(punct) if punct.as_char() == ',' => path = prefix.to_vec(),
            TokenTree::Punct(_) | TokenTree::Literal(_) => path.truncate(prefix.len()),
        }
        position += 1;
    }
}

/// Whether `::` stands at this position.
fn is_separator(tokens: &[TokenTree], position: usize) -> bool {
    let colon = |position: usize, spacing: Option<Spacing>| {
        matches!(tokens.get(position), Some(TokenTree::Punct(punct))
            if punct.as_char() == ':' && spacing.is_none_or(|spacing| punct.spacing() == spacing))
    };
    colon(position, Some(Spacing::Joint)) && colon(position + 1, None)
}

/// The module path of a file below `src/`, without `mod`.
fn module(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let mut segments: Vec<String> = path.split('/').map(str::to_owned).collect();
    if segments.last().is_some_and(|last| last == "mod") {
        segments.pop();
    }
    segments
}

/// A path from the crate's root, if it leads into the crate at all.
fn inside(mention: &Mention, module: &[String]) -> Option<Vec<String>> {
    let mut path = mention.path.as_slice();
    let mut base = module.to_vec();
    match path.first()?.as_str() {
        "crate" => base.clear(),
        "self" => {}
        "super" => {
            while path.first().is_some_and(|first| first == "super") {
                base.pop();
                path = path.get(1..)?;
            }
            base.extend(path.iter().cloned());
            return Some(base);
        }
        _ => return None,
    }
    base.extend(path.get(1..)?.iter().cloned());
    Some(base)
}

/// The room a module path lies in: the most exact one that the table knows.
fn room_of<'a>(rooms: &'a [Room], path: &[String]) -> Option<&'a Room> {
    let exact = path.iter().take(2).cloned().collect::<Vec<_>>().join("/");
    let outer = path.first()?;
    rooms.iter().find(|room| room.name == exact).or_else(|| rooms.iter().find(|room| room.name == outer))
}

fn judge(source: &Source, src: &str, rooms: &[Room]) -> Vec<String> {
    let module = module(source.path.trim_start_matches(src));
    let Some(room) = room_of(rooms, &module) else { return Vec::new() };
    let mut findings = Vec::new();
    for mention in mentions(&source.text) {
        let place = format!("{}:{}: {}", source.path, mention.line, mention.path.join("::"));
        if let Some(target) = inside(&mention, &module).and_then(|path| room_of(rooms, &path)) {
            let below = target.name.starts_with(&format!("{}/", room.name));
            if target.name != room.name && !below && !room.may.contains(&target.name) {
                findings.push(format!("{place} ({} must not import {})", room.name, target.name));
            }
            continue;
        }
        let path = mention.path.join("::");
        let never =
            room.never.iter().find(|never| path == **never || path.starts_with(&format!("{never}::")));
        if let Some(never) = never {
            findings.push(format!("{place} ({} must do without {never})", room.name));
        }
    }
    findings
}

fn check(src: &str, rooms: &[Room]) {
    let findings: Vec<String> =
        sources(src, &[".rs"]).iter().flat_map(|source| judge(source, src, rooms)).collect();
    report("imports against the direction", &findings);
    for room in rooms {
        for other in room.may {
            assert!(
                rooms.iter().any(|room| room.name == *other),
                "the table names {other}, which is no room"
            );
        }
    }
}

#[test]
fn the_rooms_of_codegen_import_in_one_direction() {
    check("codegen/src/", CODEGEN);
}

#[test]
fn the_rooms_of_the_runtime_import_in_one_direction() {
    check("runtime/src/", RUNTIME);
}

#[test]
fn the_rooms_of_the_apiserver_import_in_one_direction() {
    check("apiserver/src/", APISERVER);
}

/// What a file of `model` would be told.
fn told(text: &str) -> Vec<String> {
    let source = Source { path: "codegen/src/model/field.rs".to_owned(), text: text.to_owned() };
    judge(&source, "codegen/src/", CODEGEN)
}

#[test]
fn a_wrong_import_is_found_however_it_is_written() {
    let wrong = [
        "use crate::lower::Thing;",
        "use crate::{naming::Name, lower::{Thing, Other}};",
        "use super::super::output::Files;",
        "fn f() -> crate::output::Files { todo() }",
        "fn f() { let x: Vec<crate::check::Rule> = g(1, crate::check::h()); }",
        "use syn::Item;",
        "use std::{fmt, fs};",
        "fn f() { std::fs::read(\"x\"); }",
        "macro_rules! m { () => { quote::quote!() } }",
        "use crate::emit::crd::Schema;",
    ];
    for text in wrong {
        assert!(!told(text).is_empty(), "not found: {text}");
    }
}

#[test]
fn a_right_import_is_left_alone() {
    let right = [
        "use crate::naming::Name; use crate::model::Field; use super::Group; use self::inner::X;",
        "use std::{collections::BTreeMap, fmt}; use serde::Serialize;",
        "/// See [`crate::lower::Thing`] and `syn::Item`.\nfn f(lower: u8) -> u8 { lower }",
        "fn f(x: T) { match x { T { lower: a, output: b } => {} } }",
    ];
    for text in right {
        assert_eq!(told(text), Vec::<String>::new(), "{text}");
    }
}
