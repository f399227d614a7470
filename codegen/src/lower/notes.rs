//! Notes: the markers of an item, from its doc comments and the comments around it.
//!
//! The comments of an item are those between its attributes, its doc comment, and the comment block directly above; a
//! block that holds nothing but markers does not end there, the one above it counts too. Blank lines do not matter.

use crate::diagnostic::{Diagnostics, MarkerProblem, Span};
use crate::marker::{self, Definition, Misread, Targets};
use crate::model::{Marker, MarkerArgument, MarkerValue, Place};
use crate::source::{Comment, CommentKind, SourceFile};
use std::ops::Range;

/// A marker with the comment it comes from.
#[derive(Debug, Clone)]
pub(super) struct Note {
    pub(super) marker: Marker,
    pub(super) targets: Targets,
    pub(super) origin: NoteOrigin,
    pub(super) span: Span,
}

/// From which comment a marker comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoteOrigin {
    /// A doc comment.
    Doc,
    /// An ordinary comment.
    Comment,
}

/// Where an item stands among comments.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    /// The end of what comes before it.
    pub(super) after: usize,
    /// Where its doc comments and attributes begin.
    pub(super) start: usize,
    /// Where they end.
    pub(super) head: usize,
}

/// The markers of an item, in the order written, and the comments above that belong to nobody.
pub(super) fn notes(file: &SourceFile, spot: &Spot, diagnostics: &mut Diagnostics) -> (Vec<Note>, Vec<Note>) {
    let above: Vec<Comment> =
        file.comments_in(spot.after..spot.start).iter().copied().filter(is_plain).collect();
    let split = first_of_block(file, &above);
    let (stray, near) = above.split_at_checked(split).unwrap_or((&above, &[]));
    let within =
        file.comments_in(spot.start..spot.head).iter().filter(|comment| is_plain(comment) || is_doc(comment));
    let own: Vec<Comment> = near.iter().copied().chain(within.copied()).collect();
    refuse_blocks(file, spot.after..spot.head, diagnostics);
    refuse_attributes(file, spot.start..spot.head, diagnostics);
    (read(file, &own, diagnostics), read(file, stray, diagnostics))
}

/// Markers in `/* */` comments would go unseen: those that are ours are refused.
pub(super) fn refuse_blocks(file: &SourceFile, bytes: Range<usize>, diagnostics: &mut Diagnostics) {
    for comment in file.comments_in(bytes).iter().filter(|comment| comment.kind == CommentKind::Block) {
        for line in lines(file, comment) {
            if let Some(name) = marker_name(file.slice(line.clone())) {
                diagnostics.add(MarkerProblem::InBlockComment { name }, trimmed(file, line));
            }
        }
    }
}

/// So would those in `#[doc = ".."]`.
fn refuse_attributes(file: &SourceFile, bytes: Range<usize>, diagnostics: &mut Diagnostics) {
    for (text, bytes) in file.doc_attributes(bytes) {
        if let Some(name) = text.lines().find_map(marker_name) {
            diagnostics.add(MarkerProblem::InDocAttribute { name }, file.span(bytes));
        }
    }
}

/// The name of the marker of ours that a line is, rightly written or not.
fn marker_name(line: &str) -> Option<String> {
    let name = || line.trim().trim_start_matches('+').split(['=', ' ']).next().unwrap_or_default().to_owned();
    match marker::parse(line) {
        Ok(found) => found.map(|marker| marker.definition.name.to_owned()),
        Err(_) => Some(name()),
    }
}

fn trimmed(file: &SourceFile, line: Range<usize>) -> Span {
    let text = file.slice(line.clone());
    let start = line.start + text.len() - text.trim_start().len();
    file.span(start..line.end)
}

/// The markers among comments.
pub(super) fn read(file: &SourceFile, comments: &[Comment], diagnostics: &mut Diagnostics) -> Vec<Note> {
    read_those(file, comments, |_| true, diagnostics)
}

/// The markers among comments that somebody wants; of the others nothing is said, right or wrong. Unknown markers in our
/// namespaces are wrong for everybody.
pub(super) fn read_those(
    file: &SourceFile,
    comments: &[Comment],
    wanted: fn(&Definition) -> bool,
    diagnostics: &mut Diagnostics,
) -> Vec<Note> {
    let mut notes = Vec::new();
    for comment in comments {
        for line in lines(file, comment) {
            match note(file, comment, line) {
                Ok(found) => {
                    notes.extend(found.filter(|(_, definition)| wanted(definition)).map(|(note, _)| note));
                }
                Err((definition, faults)) => {
                    if definition.is_none_or(wanted) {
                        faults.into_iter().for_each(|(problem, span)| diagnostics.add(problem, span));
                    }
                }
            }
        }
    }
    notes
}

/// The ordinary line comments within these bytes that stand alone on their lines.
pub(super) fn plain_comments(file: &SourceFile, bytes: Range<usize>) -> Vec<Comment> {
    file.comments_in(bytes).iter().copied().filter(is_plain).collect()
}

fn is_plain(comment: &Comment) -> bool {
    comment.kind == CommentKind::Plain && comment.alone
}

fn is_doc(comment: &Comment) -> bool {
    comment.kind == CommentKind::OuterDoc
}

/// Where the nearest block begins among the comments above an item; blocks of markers alone are passed.
fn first_of_block(file: &SourceFile, comments: &[Comment]) -> usize {
    let mut first = comments.len();
    while first > 0 {
        let mut only_markers = true;
        let mut line_below = None;
        while let Some(comment) = first.checked_sub(1).and_then(|at| comments.get(at)) {
            let line = file.line(comment.start);
            if line_below.is_some_and(|below| line + 1 < below) {
                break;
            }
            let text = file.slice(comment.start + comment.opening..comment.end).trim();
            only_markers &= text.is_empty() || text.starts_with('+');
            line_below = Some(line);
            first -= 1;
        }
        if !only_markers {
            break;
        }
    }
    first
}

/// The bytes of the lines of a comment, without slashes and stars.
fn lines(file: &SourceFile, comment: &Comment) -> Vec<Range<usize>> {
    let mut start = comment.start + comment.opening;
    let text = file.slice(start..comment.end);
    let text = text.strip_suffix("*/").unwrap_or(text);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let end = start + line.len();
        let starred = line.trim_start();
        let skip = match starred.strip_prefix('*') {
            Some(after) if comment.opening == 3 || comment.kind == CommentKind::Block => {
                line.len() - after.len()
            }
            _ => 0,
        };
        lines.push(start + skip..end);
        start = end + 1;
    }
    lines
}

/// What is wrong with a marker of this definition, with the places.
type Faults = (Option<&'static Definition>, Vec<(MarkerProblem, Span)>);

fn note(
    file: &SourceFile,
    comment: &Comment,
    line: Range<usize>,
) -> Result<Option<(Note, &'static Definition)>, Faults> {
    let text = file.slice(line.clone());
    let absolute = |bytes: Range<usize>| file.span(line.start + bytes.start..line.start + bytes.end);
    let parsed = marker::parse(text).map_err(|Misread { definition, faults }| {
        let placed = faults.into_iter().map(|fault| (fault.problem, absolute(fault.bytes)));
        (definition, placed.collect())
    })?;
    let Some(parsed) = parsed else { return Ok(None) };
    let span = absolute(parsed.bytes.clone());
    let arguments = parsed.arguments.into_iter().map(|argument| MarkerArgument {
        name: argument.name,
        value: value(argument.value),
        place: place(&absolute(argument.bytes)),
    });
    let note = Note {
        marker: Marker {
            name: parsed.definition.name.to_owned(),
            arguments: arguments.collect(),
            place: place(&span),
        },
        targets: parsed.definition.targets,
        origin: if is_doc(comment) || comment.kind == CommentKind::InnerDoc {
            NoteOrigin::Doc
        } else {
            NoteOrigin::Comment
        },
        span,
    };
    Ok(Some((note, parsed.definition)))
}

fn value(value: marker::Value) -> MarkerValue {
    match value {
        marker::Value::Bool(flag) => MarkerValue::Bool(flag),
        marker::Value::Integer(number) => MarkerValue::Integer(number),
        marker::Value::Float(number) => MarkerValue::Float(number),
        marker::Value::Text(text) => MarkerValue::Text(text),
        marker::Value::List(items) => MarkerValue::List(items.into_iter().map(self::value).collect()),
        marker::Value::Map(entries) => {
            MarkerValue::Map(entries.into_iter().map(|(key, entry)| (key, self::value(entry))).collect())
        }
    }
}

/// A span as the model keeps it.
pub(super) fn place(span: &Span) -> Place {
    Place { file: span.file.clone(), line: span.line, column: span.column, length: span.length }
}

/// A place of the model as a span for messages.
pub(super) fn span(place: &Place) -> Span {
    Span { file: place.file.clone(), line: place.line, column: place.column, length: place.length }
}
