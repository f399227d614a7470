//! Text to expressions, with the macros of Kubernetes expanded.
//!
//! In: an expression's text. Out: its tree, or what is wrong with its syntax. The grammar is that of the `cel` crate.

use std::sync::LazyLock;

use cel::Env;

use super::{
    Environment, Issue,
    ast::{Expr, Lowering},
    deep_stack::on_deep_stack,
    limits,
    macros::{binding, macros},
    syntax,
};

/// A parsed expression.
pub(super) struct ParsedExpr {
    pub expr: Expr,
    /// How many nodes it has.
    pub count: usize,
}

/// Whether expressions may give names to values with `cel.bind`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Binding {
    #[default]
    No,
    Yes,
}

static GRAMMAR: LazyLock<Env> = LazyLock::new(grammar);

static BINDING_GRAMMAR: LazyLock<Env> = LazyLock::new(|| {
    let mut env = grammar();
    // It is not there yet.
    let _ = env.add_macro(binding());
    env
});

fn grammar() -> Env {
    let mut env = Env::default().with_optional_support(true);
    for expansion in macros() {
        // No two are for the same calls.
        let _ = env.add_macro(expansion);
    }
    env
}

/// Parses an expression. The environment says which names with a dot before them mean something.
pub(super) fn parse(source: &str, environment: &Environment) -> Result<ParsedExpr, Vec<Issue>> {
    limits::check_text(source).map_err(|issue| vec![issue])?;
    // The parser goes down for every bracket, operator and member, and a long way each time.
    on_deep_stack(|| read(source, environment)).unwrap_or_else(|why| Err(vec![Issue::of_all(why)]))
}

fn read(source: &str, environment: &Environment) -> Result<ParsedExpr, Vec<Issue>> {
    let grammar = match environment.binding() {
        Binding::No => &GRAMMAR,
        Binding::Yes => &BINDING_GRAMMAR,
    };
    // What stands in each other was counted before.
    let parser = grammar.parser().enable_ident_escape_syntax(true).max_recursion_depth(u16::MAX);
    let parsed = parser.parse_with_source_info(source);
    let (parsed, info) = parsed.map_err(|errors| syntax::issues(source, errors.errors))?;
    let mut lowering = Lowering { source: &info, environment, count: 0 };
    let expr = lowering.expr(parsed);
    limits::check_tree(&expr).map_err(|issue| vec![issue])?;
    Ok(ParsedExpr { expr, count: lowering.count })
}
