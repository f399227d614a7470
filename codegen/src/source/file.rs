//! A source file: its text, where its lines begin, and its comments.

use super::lexer::{self, Token};
use crate::diagnostic::{Diagnostics, Span};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that was read and taken apart into tokens and comments.
#[derive(Debug)]
pub struct SourceFile {
    path: PathBuf,
    text: Arc<str>,
    lines: Vec<usize>,
    pub(super) tokens: Vec<Token>,
    comments: Vec<Comment>,
    /// Whether brackets and quotes are closed, so that items can be found.
    pub(super) whole: bool,
}

/// A comment, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comment {
    /// What kind of comment it is.
    pub kind: CommentKind,
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// The bytes of its opening: 2 for `//`, 3 for `///`.
    pub opening: usize,
    /// Whether nothing stands before it on its line.
    pub alone: bool,
}

/// The kinds of comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentKind {
    /// `//`.
    Plain,
    /// `/* .. */`.
    Block,
    /// `///`, `/** .. */`.
    OuterDoc,
    /// `//!`, `/*! .. */`.
    InnerDoc,
}

impl SourceFile {
    /// Takes a text apart; what is wrong with it goes to the diagnostics.
    pub fn new(path: &Path, text: String, diagnostics: &mut Diagnostics) -> Self {
        let text: Arc<str> = text.into();
        let lexed = lexer::lex(&text);
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let file = Self {
            path: path.to_owned(),
            lines,
            tokens: lexed.tokens,
            comments: lexed.comments,
            whole: lexed.problems.is_empty(),
            text,
        };
        diagnostics.add_text(path, Arc::clone(&file.text));
        for (problem, at) in lexed.problems {
            diagnostics.add(problem, file.span(at..at + 1));
        }
        file
    }

    /// The path under which it was read.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A stretch of the text; empty where the bytes are none of its.
    pub fn slice(&self, bytes: Range<usize>) -> &str {
        self.text.get(bytes).unwrap_or_default()
    }

    /// The comments, in order.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// The comments that begin within these bytes.
    pub fn comments_in(&self, bytes: Range<usize>) -> &[Comment] {
        let from = self.comments.partition_point(|comment| comment.start < bytes.start);
        let to = self.comments.partition_point(|comment| comment.start < bytes.end);
        self.comments.get(from..to).unwrap_or_default()
    }

    /// The line of a byte, counted from 1.
    pub fn line(&self, byte: usize) -> usize {
        self.lines.partition_point(|start| *start <= byte)
    }

    /// Bytes as a span for messages; it ends with the line in which it begins.
    pub fn span(&self, bytes: Range<usize>) -> Span {
        let line = self.line(bytes.start).max(1);
        let line_start = self.lines.get(line - 1).copied().unwrap_or_default();
        let before = self.slice(line_start..bytes.start.min(self.text.len()));
        let covered = self.slice(bytes.start..bytes.end.min(self.text.len()));
        let covered = covered.lines().next().unwrap_or_default().trim_end();
        Span {
            file: self.path.clone(),
            line,
            column: before.chars().count() + 1,
            length: covered.chars().count(),
        }
    }
}
