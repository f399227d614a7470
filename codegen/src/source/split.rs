//! Splitting: the tokens of a module into its items.
//!
//! It finds where items begin and end, not whether what is within is right.

use super::file::SourceFile;
use super::item::{Item, ItemKind};
use super::lexer::{Token, TokenKind};
use crate::diagnostic::{Diagnostics, SourceProblem};
use std::ops::Range;

/// The items among the tokens of a module's body.
pub(super) fn split(file: &SourceFile, tokens: Range<usize>, diagnostics: &mut Diagnostics) -> Vec<Item> {
    let mut splitter = Splitter { file, at: tokens.start, end: tokens.end.min(file.tokens.len()) };
    let mut items = Vec::new();
    let mut complained = false;
    while splitter.at < splitter.end {
        let start = splitter.at;
        if splitter.skip_inner() {
            continue;
        }
        match splitter.item() {
            Some(item) => items.push(item),
            None => {
                if !complained && let Some(token) = file.tokens.get(start) {
                    complained = true;
                    diagnostics.add(SourceProblem::NotAnItem, file.span(token.start..token.end));
                }
                splitter.at = splitter.at.max(start + 1);
            }
        }
    }
    items
}

struct Splitter<'a> {
    file: &'a SourceFile,
    at: usize,
    end: usize,
}

/// What stands before an item's keyword.
#[derive(Default)]
struct Header {
    public: bool,
    restricted: bool,
    test_only: bool,
    path: Option<String>,
}

impl Splitter<'_> {
    fn token(&self, ahead: usize) -> Option<Token> {
        let at = self.at + ahead;
        if at < self.end { self.file.tokens.get(at).copied() } else { None }
    }

    fn kind(&self, ahead: usize) -> Option<TokenKind> {
        self.token(ahead).map(|token| token.kind)
    }

    fn text(&self, ahead: usize) -> &str {
        self.token(ahead).map(|token| self.file.slice(token.start..token.end)).unwrap_or_default()
    }

    /// Skips inner attributes, inner docs and stray semicolons.
    fn skip_inner(&mut self) -> bool {
        match (self.kind(0), self.kind(1), self.kind(2)) {
            (Some(TokenKind::InnerDoc | TokenKind::Punct(';')), ..) => self.at += 1,
            (Some(TokenKind::Punct('#')), Some(TokenKind::Punct('!')), Some(TokenKind::Open('['))) => {
                self.at += 2;
                self.skip_group();
            }
            _ => return false,
        }
        true
    }

    /// Skips a bracket with all that is in it.
    fn skip_group(&mut self) {
        let mut depth = 0_usize;
        while let Some(kind) = self.kind(0) {
            self.at += 1;
            match kind {
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn item(&mut self) -> Option<Item> {
        let first = self.at;
        let mut header = self.header();
        let head = self.token(0)?;
        self.visibility(&mut header);
        let (kind, name_at) = self.classify()?;
        let named = self.file.tokens.get(self.at + name_at).copied().unwrap_or(head);
        let name = match kind {
            ItemKind::Struct | ItemKind::Enum | ItemKind::Type | ItemKind::Module => {
                self.text(name_at).trim_start_matches("r#").to_owned()
            }
            _ => self.text(0).to_owned(),
        };
        let body = self.skip_item(kind);
        let start = self.file.tokens.get(first)?.start;
        let end = self.file.tokens.get(self.at.checked_sub(1)?)?.end;
        Some(Item {
            kind: if header.test_only { ItemKind::Other } else { kind },
            name,
            public: header.public,
            restricted: header.restricted,
            bytes: start..end,
            name_bytes: named.start..named.end,
            head: head.start,
            body,
            path_attribute: header.path,
            tokens: first..self.at,
        })
    }

    /// Reads doc comments and attributes.
    fn header(&mut self) -> Header {
        let mut header = Header::default();
        loop {
            match (self.kind(0), self.kind(1)) {
                (Some(TokenKind::OuterDoc | TokenKind::InnerDoc), _) => self.at += 1,
                (Some(TokenKind::Punct('#')), Some(TokenKind::Open('['))) => self.attribute(&mut header),
                _ => return header,
            }
        }
    }

    fn attribute(&mut self, header: &mut Header) {
        let start = self.at + 2;
        self.at += 1;
        self.skip_group();
        let tokens = self.file.tokens.get(start..self.at.saturating_sub(1)).unwrap_or_default();
        let text = |token: Option<&Token>| {
            token.map(|token| self.file.slice(token.start..token.end)).unwrap_or_default()
        };
        match text(tokens.first()) {
            "cfg" => {
                let inner: Vec<&str> = tokens.iter().skip(2).map(|token| text(Some(token))).collect();
                header.test_only |= matches!(inner.as_slice(), ["test", ")"])
                    || (inner.first() == Some(&"all") && inner.contains(&"test") && !inner.contains(&"not"));
            }
            "path" if tokens.len() == 3 => {
                header.path =
                    syn::parse_str::<syn::LitStr>(text(tokens.get(2))).ok().map(|path| path.value());
            }
            _ => {}
        }
    }

    fn visibility(&mut self, header: &mut Header) {
        if self.text(0) != "pub" {
            return;
        }
        self.at += 1;
        header.public = self.kind(0) != Some(TokenKind::Open('('));
        if !header.public {
            header.restricted = self.text(1) != "self";
            self.skip_group();
        }
    }

    /// The kind of the item that begins here, and how far ahead its name is.
    fn classify(&self) -> Option<(ItemKind, usize)> {
        if self.kind(0) != Some(TokenKind::Ident) {
            // `<`-less macro paths such as `::krate::items! { .. }`.
            let is_path =
                self.kind(0) == Some(TokenKind::Punct(':')) && self.kind(1) == Some(TokenKind::Punct(':'));
            return is_path.then_some((ItemKind::Other, 0));
        }
        let next_is_name = self.kind(1) == Some(TokenKind::Ident);
        match self.text(0) {
            "struct" if next_is_name => Some((ItemKind::Struct, 1)),
            "enum" if next_is_name => Some((ItemKind::Enum, 1)),
            "type" if next_is_name => Some((ItemKind::Type, 1)),
            "mod" if next_is_name => Some((ItemKind::Module, 1)),
            "use" => Some((ItemKind::Use, 0)),
            "impl" => Some((ItemKind::Impl, 0)),
            "unsafe" if self.text(1) == "impl" => Some((ItemKind::Impl, 0)),
            "struct" | "enum" | "type" | "mod" => None,
            "union" | "fn" | "const" | "static" | "trait" | "extern" | "unsafe" | "async" | "macro_rules"
            | "macro" | "auto" | "default" | "safe" | "gen" | "reuse" => Some((ItemKind::Other, 1)),
            _ => self.is_macro_call().then_some((ItemKind::Other, 0)),
        }
    }

    /// `a::b! ..`
    fn is_macro_call(&self) -> bool {
        let mut ahead = 0;
        loop {
            match self.kind(ahead) {
                Some(TokenKind::Ident | TokenKind::Punct(':')) if ahead < 64 => ahead += 1,
                Some(TokenKind::Punct('!')) => return ahead > 0,
                _ => return false,
            }
        }
    }

    /// Moves behind the item; for an inline module, tells its body.
    fn skip_item(&mut self, kind: ItemKind) -> Option<Range<usize>> {
        let ends_with_brace = !matches!(kind, ItemKind::Use | ItemKind::Type) && !self.is_value();
        let mut angle = 0_usize;
        while let Some(token) = self.kind(0) {
            match token {
                TokenKind::Punct(';') => {
                    self.at += 1;
                    return None;
                }
                TokenKind::Punct('<') => angle += 1,
                TokenKind::Punct('>') if !self.is_arrow() => angle = angle.saturating_sub(1),
                TokenKind::Open('{') if ends_with_brace && angle == 0 => {
                    let open = self.at;
                    self.skip_group();
                    return Some(open + 1..self.at.saturating_sub(1));
                }
                TokenKind::Open(_) => {
                    self.skip_group();
                    continue;
                }
                TokenKind::Close(_) => return None,
                _ => {}
            }
            self.at += 1;
        }
        None
    }

    /// `const X: T = ..;` and `static`: they end with a semicolon whatever braces they have.
    fn is_value(&self) -> bool {
        match self.text(0) {
            "static" => true,
            "const" => !matches!(self.text(1), "fn" | "unsafe" | "async" | "extern" | "trait" | "impl"),
            _ => false,
        }
    }

    /// Whether the `>` here belongs to `->` or `=>`.
    fn is_arrow(&self) -> bool {
        self.at
            .checked_sub(1)
            .and_then(|before| self.file.tokens.get(before))
            .is_some_and(|before| matches!(before.kind, TokenKind::Punct('-' | '=')))
    }
}
