//! `Environment` and `Program`: what an expression may name, and an expression that may be run.

use std::{fmt, sync::Arc};

use super::{
    Decl, Type, Val,
    ast::Expr,
    check::{Fault, check},
    cost::{Estimate, estimate},
    eval::Run,
    parse::{Binding, ParsedExpr, parse},
    prepare::prepare,
};

/// What one run may cost.
const PER_CALL: u64 = 1_000_000;

/// The variables that expressions may name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    variables: Vec<(String, Variable)>,
    objects: Objects,
    binding: Binding,
}

/// Whether expressions may make objects of the types `Object` and `JSONPatch`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Objects {
    #[default]
    None,
    Made,
}

#[derive(Clone, Debug)]
enum Variable {
    Declared(Arc<Decl>),
    /// A value that may be absent.
    Optional(Arc<Decl>),
}

/// A fault of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Issue {
    /// From 1; 0 for a fault of the whole.
    pub line: usize,
    /// From 0, in letters.
    pub column: usize,
    pub text: String,
}

impl Issue {
    /// A fault that is at no place of its own.
    pub(super) fn of_all(text: String) -> Self {
        Self { line: 0, column: 0, text }
    }
}

/// Why an expression cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CompileError {
    #[error("compilation failed: {0}")]
    Faulty(Issues),
    /// What is worked out before a run cannot be.
    #[error("program instantiation failed: {0}")]
    Unprepared(String),
}

/// Every fault of an expression, shown in its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Issues {
    source_text: String,
    issues: Vec<Issue>,
}

/// Letters of more than one byte take the room of two in many fonts.
fn mark(letter: Option<char>, (narrow, wide): (char, char)) -> char {
    match letter {
        Some(letter) if letter.len_utf8() > 1 => wide,
        _ => narrow,
    }
}

impl fmt::Display for Issues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, issue) in self.issues.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            if issue.line == 0 {
                write!(f, "ERROR: <input>:-1:0: {}", issue.text)?;
                continue;
            }
            // Nothing at all has not even a first column.
            let column = issue.column + usize::from(!self.source_text.is_empty());
            write!(f, "ERROR: <input>:{}:{column}: {}", issue.line, issue.text)?;
            if let Some(line) = self.source_text.lines().nth(issue.line - 1) {
                let mut letters = line.chars();
                let dots: String =
                    (0..issue.column).map(|_| mark(letters.next(), ('.', '\u{ff0e}'))).collect();
                write!(f, "\n | {line}\n | {dots}{}", mark(letters.next(), ('^', '\u{ff3e}')))?;
            }
        }
        Ok(())
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub(crate) struct EvalError {
    text: String,
    kind: Failure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    Other,
    /// Something that was asked for is not there.
    Missing,
    Overload,
    /// The same of a part of an argument.
    PartOverload,
    Exhausted,
}

impl EvalError {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: Failure::Other }
    }

    /// Whoever works a value out for an expression could not do so.
    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self::new(text)
    }

    pub(super) fn missing(text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: Failure::Missing }
    }

    pub(super) fn overload() -> Self {
        Self { text: "no such overload".to_owned(), kind: Failure::Overload }
    }

    /// A part of an argument is of a type that a function cannot work with; which function it is stays unsaid.
    pub(super) fn part_overload() -> Self {
        Self { kind: Failure::PartOverload, ..Self::overload() }
    }

    /// The arguments of a function are of types that none of its overloads takes.
    pub(super) fn overload_of(function: &str, types: &[&str]) -> Self {
        let text = match function {
            "contains" | "startsWith" | "endsWith" | "matches" | "find" | "findAll" => {
                return Self::overload();
            }
            // Operators.
            _ if !function.starts_with(|first: char| first.is_ascii_alphabetic()) => return Self::overload(),
            "size" => "no such overload: size".to_owned(),
            "flatten" => match types.split_first() {
                Some((first, rest)) => format!("no such overload: {first}.flatten({})", rest.join(", ")),
                None => "no such overload: flatten()".to_owned(),
            },
            _ => format!("no such overload: {function}({})", types.join(", ")),
        };
        Self { text, kind: Failure::Overload }
    }

    /// Values of the left side's type know no such operator.
    pub(super) fn no_operator(operator: &str) -> Self {
        Self { text: format!("no such overload: {operator}"), kind: Failure::Overload }
    }

    pub(super) fn exhausted() -> Self {
        Self { text: "operation cancelled: actual cost limit exceeded".to_owned(), kind: Failure::Exhausted }
    }

    pub(super) fn is_missing(&self) -> bool {
        self.kind == Failure::Missing
    }

    /// Whether the arguments did not fit, which only shows when types are dynamic.
    pub(crate) fn is_overload(&self) -> bool {
        matches!(self.kind, Failure::Overload | Failure::PartOverload)
    }

    /// Whether it is a part of an argument that did not fit.
    pub(super) fn is_of_part(&self) -> bool {
        self.kind == Failure::PartOverload
    }

    /// Whether too much would have been spent.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.kind == Failure::Exhausted
    }
}

impl Environment {
    /// The same with one more variable.
    #[must_use]
    pub(crate) fn variable(mut self, name: &str, decl: Arc<Decl>) -> Self {
        self.variables.push((name.to_owned(), Variable::Declared(decl)));
        self
    }

    /// The same with one more variable that is an optional.
    #[must_use]
    pub(crate) fn optional_variable(mut self, name: &str, decl: Arc<Decl>) -> Self {
        self.variables.push((name.to_owned(), Variable::Optional(decl)));
        self
    }

    /// The same for expressions that make objects.
    #[must_use]
    pub(crate) fn making_objects(mut self) -> Self {
        self.objects = Objects::Made;
        self
    }

    /// The same for expressions that may name values with `cel.bind`.
    #[must_use]
    pub(crate) fn binding_names(mut self) -> Self {
        self.binding = Binding::Yes;
        self
    }

    pub(super) fn binding(&self) -> Binding {
        self.binding
    }

    pub(super) fn makes_objects(&self) -> bool {
        self.objects == Objects::Made
    }

    pub(super) fn has_dotted_names(&self) -> bool {
        self.variables.iter().any(|(name, _)| name.contains('.'))
    }

    pub(super) fn variable_type(&self, name: &str) -> Option<Type> {
        let found = self.variables.iter().rev().find(|(own, _)| own == name)?;
        Some(match &found.1 {
            Variable::Declared(decl) => decl.of(),
            Variable::Optional(decl) => Type::optional(decl.of()),
        })
    }

    pub(super) fn first_decl(&self) -> Option<&Arc<Decl>> {
        self.variables.first().map(|(_, variable)| match variable {
            Variable::Declared(decl) | Variable::Optional(decl) => decl,
        })
    }

    /// Reads and checks an expression.
    ///
    /// # Errors
    ///
    /// All faults that a real server tells.
    pub(crate) fn compile(&self, source: &str) -> Result<Program, CompileError> {
        let fail =
            |issues: Vec<Issue>| CompileError::Faulty(Issues { source_text: source.to_owned(), issues });
        let ParsedExpr { expr, count } = parse(source, self).map_err(fail)?;
        let checked = check(&expr, count, self)
            .map_err(|faults| fail(faults.into_iter().map(|fault| located(source, fault)).collect()))?;
        prepare(&expr).map_err(CompileError::Unprepared)?;
        let cost = estimate(&expr, &checked.types, self);
        Ok(Program { expr, result: checked.result, cost })
    }
}

/// A fault with its line and column.
fn located(source: &str, (at, text): Fault) -> Issue {
    let before = source.get(..at).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
    Issue { line, column, text }
}

/// An expression that may be run.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    expr: Expr,
    result: Type,
    cost: Estimate,
}

impl Program {
    /// What it gives.
    pub(crate) fn result(&self) -> &Type {
        &self.result
    }

    /// What a run may cost at most.
    pub(crate) fn max_cost(&self) -> u64 {
        self.cost.max
    }

    /// Whether it names a variable.
    pub(crate) fn names(&self, variable: &str) -> bool {
        self.expr.names(variable)
    }

    /// Runs it. What it costs is taken from the budget.
    ///
    /// # Errors
    ///
    /// In the words of a real server.
    pub(crate) fn run<'v>(
        &'v self,
        variables: &[(&'v str, Val<'v>)],
        budget: &mut u64,
    ) -> Result<Val<'v>, EvalError> {
        let mut left = PER_CALL;
        let result = Run::new(variables, &mut left).expr(&self.expr);
        *budget = budget.saturating_sub(PER_CALL - left);
        result
    }
}
