//! Diagnostics: everything that is wrong with the input, each with a place and a cure, all at once.
//!
//! In: problems found by the other rooms. Out: a sorted list, and its text in the manner of rustc. It never reads a
//! file: the text for an excerpt comes with the problem's file.

mod excerpt;
mod problem;

pub use excerpt::Style;
pub use problem::{
    CheckProblem, ConfigProblem, Convention, ConventionProblem, CrdProblem, ForeignProblem, LowerProblem,
    ManifestProblem, MarkerProblem, MethodProblem, Problem, SchemaProblem, ServerProblem, SourceProblem,
};

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A stretch of one line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: PathBuf,
    /// Line, counted from 1; 0 stands for the file as a whole.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// Length in characters.
    pub length: usize,
}

impl Span {
    /// A file as a whole.
    pub fn file(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), line: 0, column: 0, length: 0 }
    }
}

/// What becomes of a run in which something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It goes on, and the user is told.
    Warning,
    /// It fails, and nothing is written.
    Error,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// What is wrong.
    pub problem: Problem,
    /// What becomes of the run.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// Other places that belong to it, each with a few words.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// A problem at a place, as severe as problems of its kind are.
    pub fn new(problem: impl Into<Problem>, span: Span) -> Self {
        let problem = problem.into();
        Self { severity: problem.severity(), problem, span, related: Vec::new() }
    }

    /// Adds another place that belongs to it.
    #[must_use]
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }
}

/// Everything that is wrong, sorted by place.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    texts: BTreeMap<PathBuf, Arc<str>>,
}

impl Diagnostics {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the text of a file known, so that excerpts can be shown.
    pub fn add_text(&mut self, file: &Path, text: Arc<str>) {
        self.texts.entry(file.to_owned()).or_insert(text);
    }

    /// The files with places in them whose text is not known.
    pub fn without_text(&self) -> BTreeSet<PathBuf> {
        let related = |diagnostic: &'_ Diagnostic| {
            let related = diagnostic.related.iter().map(|(span, _)| span.clone());
            related.chain([diagnostic.span.clone()]).collect::<Vec<_>>()
        };
        let spans = self.list.iter().flat_map(related).filter(|span| span.line > 0);
        spans.map(|span| span.file).filter(|file| !self.texts.contains_key(file)).collect()
    }

    /// Adds one; the same problem at the same place is kept once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if let Err(at) = self.list.binary_search_by(|known| order(known, &diagnostic)) {
            self.list.insert(at, diagnostic);
        }
    }

    /// Adds a problem at a place.
    pub fn add(&mut self, problem: impl Into<Problem>, span: Span) {
        self.push(Diagnostic::new(problem, span));
    }

    /// Adds all of another list.
    pub fn extend(&mut self, others: Self) {
        for (file, text) in others.texts {
            self.texts.entry(file).or_insert(text);
        }
        others.list.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    /// The same problems, each with another place that belongs to it.
    #[must_use]
    pub fn with_related(mut self, span: &Span, label: &str) -> Self {
        for diagnostic in &mut self.list {
            diagnostic.related.push((span.clone(), label.to_owned()));
        }
        self
    }

    /// Keeps those of which this is true.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Every warning becomes an error.
    #[must_use]
    pub fn denied(mut self) -> Self {
        self.list.iter_mut().for_each(|diagnostic| diagnostic.severity = Severity::Error);
        self
    }

    /// What a server would refuse becomes a warning.
    #[must_use]
    pub fn with_refusals_as_warnings(mut self) -> Self {
        let refusals = self.list.iter_mut().filter(|found| matches!(found.problem, Problem::Server(_)));
        refusals.for_each(|diagnostic| diagnostic.severity = Severity::Warning);
        self
    }

    /// Whether a run must fail.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The diagnostics, sorted by file, line and column.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// The value, or everything that is wrong.
    ///
    /// # Errors
    /// These diagnostics, when there are errors among them.
    pub fn into_result<T>(self, value: T) -> Result<T, Self> {
        if self.has_errors() { Err(self) } else { Ok(value) }
    }

    /// The text of all of them, with paths relative to the current folder, and a closing line with their number.
    pub fn render(&self, style: Style) -> String {
        excerpt::render(&self.list, &self.texts, style)
    }
}

fn order(left: &Diagnostic, right: &Diagnostic) -> std::cmp::Ordering {
    let text = |diagnostic: &Diagnostic| diagnostic.problem.to_string();
    left.span.cmp(&right.span).then_with(|| text(left).cmp(&text(right)))
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

impl std::error::Error for Diagnostics {}
