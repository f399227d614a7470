//! Drawing: diagnostics as text with excerpts of the source.

use super::{Diagnostic, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How diagnostics are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// With ANSI colours.
    Colored,
}

type Texts = BTreeMap<PathBuf, Arc<str>>;

pub(super) fn render(list: &[Diagnostic], texts: &Texts, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colored => Renderer::styled(),
    };
    let folder = std::env::current_dir().ok();
    let mut text = String::new();
    for diagnostic in list {
        text.push_str(&draw(diagnostic, texts, folder.as_deref(), &renderer));
        text.push_str("\n\n");
    }
    match list.len() {
        0 => {}
        1 => text.push_str("1 error\n"),
        count => text.push_str(&format!("{count} errors\n")),
    }
    text
}

fn draw(diagnostic: &Diagnostic, texts: &Texts, folder: Option<&Path>, renderer: &Renderer) -> String {
    let message = diagnostic.problem.to_string();
    let mut report = Group::with_title(Level::ERROR.primary_title(&message));
    report = place(report, &diagnostic.span, None, texts, folder);
    for (span, label) in &diagnostic.related {
        report = place(report, span, Some(label), texts, folder);
    }
    if let Some(help) = diagnostic.problem.help() {
        report = report.element(Level::HELP.message(help));
    }
    renderer.render(&[report])
}

/// Adds one place to a report: the line it is on, or the path alone.
fn place<'a>(
    report: Group<'a>,
    span: &Span,
    label: Option<&'a String>,
    texts: &'a Texts,
    folder: Option<&Path>,
) -> Group<'a> {
    let path = shown(&span.file, folder);
    let Some((line, range)) = texts.get(&span.file).and_then(|text| line_of(text, span)) else {
        if span.file.as_os_str().is_empty() {
            return report;
        }
        let origin = Origin::path(path);
        return report.element(if span.line == 0 {
            origin
        } else {
            origin.line(span.line).char_column(span.column)
        });
    };
    let annotation: Annotation<'a> = match label {
        Some(label) => AnnotationKind::Context.span(range).label(label.as_str()),
        None => AnnotationKind::Primary.span(range),
    };
    report.element(Snippet::source(line).line_start(span.line).path(path).annotation(annotation))
}

/// The line of a span, and the bytes of the line which it covers; at least one character where the line has one.
fn line_of<'a>(text: &'a str, span: &Span) -> Option<(&'a str, Range<usize>)> {
    let line = text.lines().nth(span.line.checked_sub(1)?)?;
    let at = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte);
    let column = span.column.saturating_sub(1);
    let start = at(column);
    let end = at(column.saturating_add(span.length.max(1)));
    Some((line, start..end.max(start)))
}

/// A path relative to the current folder, where it lies below that; with `/` on every platform.
fn shown(file: &Path, folder: Option<&Path>) -> String {
    let relative = folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file);
    let relative = relative.strip_prefix(".").unwrap_or(relative);
    relative.display().to_string().replace('\\', "/")
}
