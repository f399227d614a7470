//! Items of a module, and how they are parsed on demand.

use super::file::SourceFile;
use super::lexer::{Token, TokenKind};
use crate::diagnostic::{Diagnostic, SourceProblem};
use std::ops::Range;

/// The most that may be nested or strung together in one item before a recursive parser is not trusted with it.
const WEIGHT_LIMIT: usize = 3000;

/// An item of a module: where it is and what it is.
#[derive(Debug, Clone)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Its name, where it has one; without `r#`.
    pub name: String,
    /// Whether it is `pub` without restriction.
    pub public: bool,
    /// Whether it is `pub(..)`, for some of its crate.
    pub restricted: bool,
    /// From the first doc comment or attribute to the end.
    pub bytes: Range<usize>,
    /// The bytes of its name or, where it has none, of its keyword.
    pub name_bytes: Range<usize>,
    /// The first byte after attributes and doc comments.
    pub head: usize,
    /// For modules: the tokens between the braces; `None` for `mod x;`.
    pub(super) body: Option<Range<usize>>,
    /// For modules: the value of `#[path = ".."]`.
    pub(super) path_attribute: Option<String>,
    /// The tokens of the whole item.
    pub(super) tokens: Range<usize>,
}

/// The kinds of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// `struct`.
    Struct,
    /// `enum`.
    Enum,
    /// `type`.
    Type,
    /// `use`.
    Use,
    /// `mod`.
    Module,
    /// `impl`.
    Impl,
    /// `fn`, `trait`, `const`, macros and all else; named by its keyword.
    Other,
}

impl Item {
    /// Parses the item, doc comments and attributes included.
    ///
    /// # Errors
    /// The text is not such an item, or nested so deep that parsing it would not be safe.
    pub fn parse<T: syn::parse::Parse>(&self, file: &SourceFile) -> Result<T, Box<Diagnostic>> {
        if let Some(at) = self.overweight(file) {
            return Err(Box::new(Diagnostic::new(SourceProblem::TooDeep, file.span(at..at + 1))));
        }
        syn::parse_str(file.slice(self.bytes.clone())).map_err(|error| {
            let at = self.absolute(error.span());
            let problem = SourceProblem::Parse { message: error.to_string() };
            Box::new(Diagnostic::new(problem, file.span(at)))
        })
    }

    /// The bytes, within the file, of a span of the parsed item.
    pub fn absolute(&self, span: proc_macro2::Span) -> Range<usize> {
        let bytes = span.byte_range();
        self.bytes.start + bytes.start..self.bytes.start + bytes.end
    }

    /// The tokens of an item.
    pub(super) fn token_slice<'a>(&self, file: &'a SourceFile) -> &'a [Token] {
        file.tokens.get(self.tokens.clone()).unwrap_or_default()
    }

    /// Where the item becomes too deep for a parser that recurses on brackets, on `<` and on strings of operators.
    /// Within a pair of brackets every token since the last comma counts; doc comments and attributes do not.
    fn overweight(&self, file: &SourceFile) -> Option<usize> {
        let mut outer: Vec<usize> = Vec::new();
        let mut weight = 0_usize;
        for token in self.token_slice(file) {
            match token.kind {
                TokenKind::Open(_) => {
                    outer.push(weight);
                    weight += 1;
                }
                TokenKind::Close(_) => weight = outer.pop().unwrap_or_default() + 1,
                TokenKind::Punct(',' | ';') => weight = outer.last().copied().unwrap_or_default(),
                TokenKind::OuterDoc | TokenKind::InnerDoc => {}
                _ => weight += 1,
            }
            if weight > WEIGHT_LIMIT || outer.len() > WEIGHT_LIMIT / 10 {
                return Some(token.start);
            }
        }
        None
    }
}
