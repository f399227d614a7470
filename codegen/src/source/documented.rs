//! What a doc comment documents, judged by the tokens behind it.

use super::file::{Comment, SourceFile};
use super::lexer::TokenKind;

/// What stands below a doc comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Documented {
    /// A function, or another item that holds code.
    Code,
    /// A struct, enum, union or alias.
    Type,
    /// A field or a variant.
    Member,
}

impl SourceFile {
    /// What the doc comment stands above.
    pub fn documented(&self, comment: &Comment) -> Documented {
        let mut at = self.tokens.partition_point(|token| token.start < comment.end);
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        let text = |at: usize| self.tokens.get(at).map_or("", |token| self.slice(token.start..token.end));
        loop {
            match kind(at) {
                Some(TokenKind::OuterDoc) => at += 1,
                Some(TokenKind::Punct('#')) => at = self.behind_bracket(at + 1),
                Some(TokenKind::Ident) if text(at) == "pub" => {
                    at += 1;
                    if kind(at) == Some(TokenKind::Open('('))
                        && ["crate", "self", "super", "in"].contains(&text(at + 1))
                    {
                        at = self.behind_bracket(at);
                    }
                }
                _ => break,
            }
        }
        let follows = (kind(at), kind(at + 1));
        match text(at) {
            "struct" | "enum" | "type" => Documented::Type,
            "union" if follows.1 == Some(TokenKind::Ident) => Documented::Type,
            "fn" | "impl" | "trait" | "mod" | "use" | "const" | "static" | "unsafe" | "async" | "extern"
            | "macro_rules" | "default" | "auto" | "crate" => Documented::Code,
            _ => match follows {
                // `name: Type`, `Variant`, `Variant(..)`, `Variant { .. }`, and tuple fields.
                (Some(TokenKind::Ident), Some(TokenKind::Punct('!'))) => Documented::Code,
                (
                    Some(TokenKind::Ident),
                    Some(TokenKind::Punct(':' | ',' | '=') | TokenKind::Open(_) | TokenKind::Close(_)),
                ) => Documented::Member,
                _ => Documented::Code,
            },
        }
    }

    /// The values of `#[doc = ".."]` among these bytes, each with its bytes.
    pub fn doc_attributes(&self, bytes: std::ops::Range<usize>) -> Vec<(String, std::ops::Range<usize>)> {
        let from = self.tokens.partition_point(|token| token.start < bytes.start);
        let to = self.tokens.partition_point(|token| token.start < bytes.end);
        let tokens = self.tokens.get(from..to).unwrap_or_default();
        let text = |token: &super::lexer::Token| self.slice(token.start..token.end);
        let value = |window: &[super::lexer::Token]| match window {
            [hash, open, doc, equals, value]
                if (text(hash), text(open), text(doc), text(equals)) == ("#", "[", "doc", "=") =>
            {
                let literal = syn::parse_str::<syn::LitStr>(text(value)).ok()?;
                Some((literal.value(), value.start..value.end))
            }
            _ => None,
        };
        tokens.windows(5).filter_map(value).collect()
    }

    /// The token behind the bracket that opens here, with all that is in it.
    fn behind_bracket(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for (ahead, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return ahead + 1;
            }
        }
        self.tokens.len()
    }
}
