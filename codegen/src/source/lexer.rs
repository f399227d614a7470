//! The lexer: text to tokens and comments, with their bytes.
//!
//! It knows just enough of Rust to find where items begin and end: strings of every kind, characters as against
//! lifetimes, nested comments. It never fails: what is not closed runs to the end of the text and is reported.

use super::file::{Comment, CommentKind};
use crate::diagnostic::SourceProblem;

/// A token, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// First byte.
    pub(super) start: usize,
    /// Byte after the last.
    pub(super) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Ident,
    Lifetime,
    /// A string, a character or a number.
    Literal,
    Punct(char),
    Open(char),
    Close(char),
    /// A doc comment of what follows.
    OuterDoc,
    /// A doc comment of what it stands in.
    InnerDoc,
}

/// What the lexer found.
#[derive(Debug, Default)]
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Comment>,
    /// What is wrong, with the byte where it is.
    pub(super) problems: Vec<(SourceProblem, usize)>,
}

pub(super) fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer { text, at: 0, line_is_blank: true, out: Lexed::default() };
    lexer.skip_shebang();
    while let Some(next) = lexer.peek(0) {
        lexer.step(next);
    }
    check_brackets(&mut lexer.out);
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line_is_blank: bool,
    out: Lexed,
}

impl Lexer<'_> {
    /// The character so many characters ahead.
    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at..)?.chars().nth(ahead)
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_shebang(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        let rest = self.rest();
        let is_attribute = rest.get(2..).is_some_and(|after| after.trim_start().starts_with('['));
        if rest.starts_with("#!") && !is_attribute {
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn step(&mut self, next: char) {
        match next {
            '\n' => {
                self.line_is_blank = true;
                self.at += 1;
            }
            _ if next.is_whitespace() => self.at += next.len_utf8(),
            '/' if self.rest().starts_with("//") => self.line_comment(),
            '/' if self.rest().starts_with("/*") => self.block_comment(),
            _ => {
                self.line_is_blank = false;
                let start = self.at;
                let kind = self.token(next);
                self.out.tokens.push(Token { kind, start, end: self.at });
            }
        }
    }

    fn token(&mut self, next: char) -> TokenKind {
        match next {
            '"' => self.string(1),
            '\'' => self.quote(),
            '(' | '[' | '{' => {
                self.at += 1;
                TokenKind::Open(next)
            }
            ')' | ']' | '}' => {
                self.at += 1;
                TokenKind::Close(next)
            }
            '0'..='9' => self.number(),
            _ if starts_ident(next) => self.word(),
            _ => {
                self.at += next.len_utf8();
                TokenKind::Punct(next)
            }
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let length = rest.find('\n').unwrap_or(rest.len());
        let kind = if rest.starts_with("///") && !rest.starts_with("////") {
            CommentKind::OuterDoc
        } else if rest.starts_with("//!") {
            CommentKind::InnerDoc
        } else {
            CommentKind::Plain
        };
        self.at += length;
        self.comment(kind, start, 3 - usize::from(kind == CommentKind::Plain));
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let kind = if rest.starts_with("/*!") {
            CommentKind::InnerDoc
        } else if rest.starts_with("/**") && !rest.starts_with("/***") && !rest.starts_with("/**/") {
            CommentKind::OuterDoc
        } else {
            CommentKind::Block
        };
        self.at += self.block_length();
        if self.at > self.text.len() {
            self.at = self.text.len();
            self.out.problems.push((SourceProblem::NotClosed { what: "this comment" }, start));
        }
        self.comment(kind, start, 3 - usize::from(kind == CommentKind::Block));
    }

    /// The bytes of a block comment; more than are left when it is not closed.
    fn block_length(&self) -> usize {
        let bytes = self.rest().as_bytes();
        let (mut at, mut depth) = (0, 0_usize);
        while let Some(pair) = bytes.get(at..at + 2) {
            match pair {
                b"/*" => depth += 1,
                b"*/" => depth = depth.saturating_sub(1),
                _ => {
                    at += 1;
                    continue;
                }
            }
            at += 2;
            if depth == 0 {
                return at;
            }
        }
        bytes.len() + 1
    }

    fn comment(&mut self, kind: CommentKind, start: usize, opening: usize) {
        self.out.comments.push(Comment { kind, start, end: self.at, opening, alone: self.line_is_blank });
        let token = match kind {
            CommentKind::OuterDoc => TokenKind::OuterDoc,
            CommentKind::InnerDoc => TokenKind::InnerDoc,
            CommentKind::Plain | CommentKind::Block => return,
        };
        self.out.tokens.push(Token { kind: token, start, end: self.at });
    }

    /// A string with escapes, whose opening has so many bytes.
    fn string(&mut self, opening: usize) -> TokenKind {
        let start = self.at;
        let mut escaped = false;
        let body = self.rest().get(opening..).unwrap_or_default();
        let close = body.char_indices().find(|&(_, letter)| {
            let closes = letter == '"' && !escaped;
            escaped = letter == '\\' && !escaped;
            closes
        });
        self.end_string(start, opening, close.map(|(at, _)| at + 1))
    }

    fn raw_string(&mut self, opening: usize, hashes: usize) -> TokenKind {
        let start = self.at;
        let close = format!("\"{}", "#".repeat(hashes));
        let body = self.rest().get(opening..).unwrap_or_default();
        let length = body.find(&close).map(|at| at + close.len());
        self.end_string(start, opening, length)
    }

    fn end_string(&mut self, start: usize, opening: usize, body: Option<usize>) -> TokenKind {
        match body {
            Some(length) => self.at += opening + length,
            None => {
                self.at = self.text.len();
                self.out.problems.push((SourceProblem::NotClosed { what: "this string" }, start));
            }
        }
        TokenKind::Literal
    }

    /// A character, or a lifetime.
    fn quote(&mut self) -> TokenKind {
        let (first, second) = (self.peek(1), self.peek(2));
        if first == Some('\\') {
            return self.escaped_character();
        }
        match (first, second) {
            (Some(letter), Some('\'')) if letter != '\'' => {
                self.at += 2 + letter.len_utf8();
                TokenKind::Literal
            }
            (Some(letter), _) if starts_ident(letter) => {
                self.at += 1;
                self.skip_ident();
                TokenKind::Lifetime
            }
            _ => {
                self.at += 1;
                TokenKind::Punct('\'')
            }
        }
    }

    fn escaped_character(&mut self) -> TokenKind {
        let mut letters = self.rest().char_indices().skip(3);
        let close = letters.find(|&(_, letter)| letter == '\'' || letter == '\n');
        self.at += match close {
            Some((at, '\'')) => at + 1,
            Some((at, _)) => at,
            None => self.rest().len(),
        };
        TokenKind::Literal
    }

    fn number(&mut self) -> TokenKind {
        self.skip_ident();
        let fraction = self.peek(0) == Some('.') && self.peek(1).is_some_and(|next| next.is_ascii_digit());
        if fraction {
            self.at += 1;
            self.skip_ident();
        }
        TokenKind::Literal
    }

    /// A name, or a string with a prefix: `r"`, `b"`, `br#"`, `c"`; or a byte, `b'x'`.
    fn word(&mut self) -> TokenKind {
        let rest = self.rest();
        let length = rest.find(|letter| !continues_ident(letter)).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let hashes = after.bytes().take_while(|byte| *byte == b'#').count();
        let quoted = after.get(hashes..).is_some_and(|text| text.starts_with('"'));
        match word {
            "r" | "br" | "cr" if quoted => return self.raw_string(length + hashes + 1, hashes),
            "b" | "c" if quoted && hashes == 0 => return self.string(length + 1),
            "b" if after.starts_with('\'') => {
                self.at += length;
                return self.quote();
            }
            "r" if hashes == 1 => self.at += 2,
            _ => {}
        }
        self.skip_ident();
        TokenKind::Ident
    }

    fn skip_ident(&mut self) {
        let rest = self.rest();
        self.at += rest.find(|letter| !continues_ident(letter)).unwrap_or(rest.len());
    }
}

fn starts_ident(letter: char) -> bool {
    letter == '_' || letter.is_alphabetic()
}

fn continues_ident(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

/// Reports the first bracket that does not fit.
fn check_brackets(lexed: &mut Lexed) {
    let mut open: Vec<(char, usize)> = Vec::new();
    for token in &lexed.tokens {
        match token.kind {
            TokenKind::Open(bracket) => open.push((bracket, token.start)),
            TokenKind::Close(found) => match open.pop().map(|(bracket, _)| closing(bracket)) {
                Some(expected) if expected == found => {}
                Some(expected) => {
                    lexed.problems.push((SourceProblem::WrongClose { expected, found }, token.start));
                    return;
                }
                None => {
                    lexed.problems.push((SourceProblem::NothingToClose { found }, token.start));
                    return;
                }
            },
            _ => {}
        }
    }
    if let Some((_, start)) = open.pop() {
        lexed.problems.push((SourceProblem::NotClosed { what: "this bracket" }, start));
    }
}

fn closing(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}
