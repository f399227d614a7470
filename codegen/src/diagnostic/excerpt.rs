//! Drawing: diagnostics as text with excerpts of the source.

use super::{Convention, Diagnostic, Severity, Span};
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
    let of = |severity| list.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let counted = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        count => Some(format!("{count} {what}s")),
    };
    let counts = [counted(of(Severity::Error), "error"), counted(of(Severity::Warning), "warning")];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    if !counts.is_empty() {
        text.push_str(&format!("{}\n", counts.join(", ")));
    }
    text
}

fn draw(diagnostic: &Diagnostic, texts: &Texts, folder: Option<&Path>, renderer: &Renderer) -> String {
    let message = diagnostic.problem.to_string();
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&message);
    let title = match diagnostic.problem.convention().map(Convention::name) {
        Some(name) => title.id(name),
        None => title,
    };
    let mut report = Group::with_title(title);
    let related = diagnostic.related.iter().map(|(span, label)| (span, Some(label.as_str())));
    let mut marks: Vec<Mark<'_>> = std::iter::once((&diagnostic.span, None)).chain(related).collect();
    while let Some((first, _)) = marks.first().copied() {
        let (here, elsewhere): (Vec<_>, Vec<_>) =
            marks.into_iter().partition(|(span, _)| span.file == first.file);
        report = add(report, &first.file, &here, texts, folder);
        marks = elsewhere;
    }
    if let Some(help) = diagnostic.problem.help() {
        report = report.element(Level::HELP.message(help));
    }
    renderer.render(&[report])
}

/// A place, and a few words on it.
type Mark<'a> = (&'a Span, Option<&'a str>);

/// Adds the places in one file to a report: the lines they are on, or the path alone.
fn add<'a>(
    report: Group<'a>,
    file: &Path,
    marks: &[Mark<'a>],
    texts: &'a Texts,
    folder: Option<&Path>,
) -> Group<'a> {
    let path = shown(file, folder);
    let Some(text) = texts.get(file) else {
        return if file.as_os_str().is_empty() { report } else { report.element(Origin::path(path)) };
    };
    let annotations: Vec<Annotation<'a>> = marks.iter().filter_map(|mark| annotation(text, *mark)).collect();
    if annotations.is_empty() {
        return report.element(Origin::path(path));
    }
    report.element(Snippet::source(&**text).path(path).annotations(annotations))
}

fn annotation<'a>(text: &str, (span, label): Mark<'a>) -> Option<Annotation<'a>> {
    let range = range(text, span)?;
    Some(match label {
        Some(label) => AnnotationKind::Context.span(range).label(label),
        None => AnnotationKind::Primary.span(range),
    })
}

/// The bytes of a span; at least one character where the line has one.
fn range(text: &str, span: &Span) -> Option<Range<usize>> {
    let start_of_line = match span.line.checked_sub(1)? {
        0 => 0,
        before => text.match_indices('\n').nth(before - 1)?.0 + 1,
    };
    let line = text.get(start_of_line..)?.lines().next().unwrap_or_default();
    let at = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte);
    let column = span.column.saturating_sub(1);
    let start = at(column);
    let end = at(column.saturating_add(span.length.max(1))).max(start);
    Some(start_of_line + start..start_of_line + end)
}

/// A path relative to the current folder, where it lies below that; with `/` on every platform.
fn shown(file: &Path, folder: Option<&Path>) -> String {
    let relative = folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file);
    let relative = relative.strip_prefix(".").unwrap_or(relative);
    relative.display().to_string().replace('\\', "/")
}
