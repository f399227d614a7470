//! Words: the tokens of a file with their text, for those who look at code without parsing it.

use super::file::SourceFile;
use super::lexer::TokenKind;
use std::ops::Range;

/// A token: an identifier, a literal, a lifetime, or one character of punctuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'f> {
    /// Its text.
    pub text: &'f str,
    /// Its first byte in the file.
    pub start: usize,
}

impl Word<'_> {
    /// Its bytes in the file.
    pub fn bytes(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// Whether it is an identifier or a keyword.
    pub fn is_ident(&self) -> bool {
        self.text.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && !self.text.contains(['"', '\''])
    }
}

impl SourceFile {
    /// The tokens, without comments and without what is compiled for tests only.
    pub fn words(&self) -> Vec<Word<'_>> {
        let is_code = |kind: TokenKind| !matches!(kind, TokenKind::OuterDoc | TokenKind::InnerDoc);
        let word = |start: usize, end: usize| Word { text: self.slice(start..end), start };
        let tokens = self.tokens.iter().filter(|token| is_code(token.kind));
        without_tests(&tokens.map(|token| word(token.start, token.end)).collect::<Vec<_>>())
    }
}

const TEST_ONLY: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];

fn without_tests<'f>(words: &[Word<'f>]) -> Vec<Word<'f>> {
    let mut kept = Vec::with_capacity(words.len());
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        let is_test = rest.len() >= TEST_ONLY.len()
            && rest.iter().zip(TEST_ONLY).all(|(word, expected)| word.text == expected);
        if is_test {
            rest = after_item(rest.get(TEST_ONLY.len()..).unwrap_or_default());
        } else {
            kept.push(*first);
            rest = after;
        }
    }
    kept
}

/// What comes after an item: behind its braces, or behind its semicolon.
fn after_item<'w, 'f>(words: &'w [Word<'f>]) -> &'w [Word<'f>] {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate() {
        match word.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return words.get(at + 1..).unwrap_or_default();
                }
            }
            ";" if depth == 0 => return words.get(at + 1..).unwrap_or_default(),
            _ => {}
        }
    }
    &[]
}
