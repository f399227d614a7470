//! Text to expressions, with the macros of Kubernetes expanded.
//!
//! In: an expression's text. Out: its tree, or what is wrong with its syntax. The grammar is that of the `cel` crate.

use std::sync::LazyLock;

use cel::{
    Env,
    common::ast::{CallExpr, ComprehensionExpr, Expr as Parsed, IdedExpr, ListExpr, LiteralValue, operators},
    parser::{Macro, MacroExprHelper, ParseError},
};

use super::{
    Issue,
    ast::{Expr, Lowering},
};

type Arguments = Vec<IdedExpr>;
type Expanded = Result<Option<IdedExpr>, ParseError>;

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
    let _ = env.add_macro(Macro::receiver("bind", 3, bind));
    env
});

fn grammar() -> Env {
    let mut env = Env::stdlib().with_optional_support(true);
    let macros = [
        Macro::receiver("optMap", 2, |helper, target, args| optional_map(helper, target, args, Wrapped::Yes)),
        Macro::receiver("optFlatMap", 2, |helper, target, args| {
            optional_map(helper, target, args, Wrapped::No)
        }),
        Macro::receiver("sortBy", 2, sort_by),
        Macro::receiver("all", 3, |helper, target, args| two_names(helper, target, args, Quantifier::All)),
        Macro::receiver("exists", 3, |helper, target, args| {
            two_names(helper, target, args, Quantifier::Exists)
        }),
        Macro::receiver("existsOne", 3, |helper, target, args| {
            two_names(helper, target, args, Quantifier::One)
        }),
        Macro::receiver("exists_one", 3, |helper, target, args| {
            two_names(helper, target, args, Quantifier::One)
        }),
        Macro::receiver("transformList", 3, transform_list),
        Macro::receiver("transformList", 4, transform_list),
        Macro::receiver("transformMap", 3, |helper, target, args| {
            transform_map(helper, target, args, Made::Value)
        }),
        Macro::receiver("transformMap", 4, |helper, target, args| {
            transform_map(helper, target, args, Made::Value)
        }),
        Macro::receiver("transformMapEntry", 3, |helper, target, args| {
            transform_map(helper, target, args, Made::Entry)
        }),
        Macro::receiver("transformMapEntry", 4, |helper, target, args| {
            transform_map(helper, target, args, Made::Entry)
        }),
    ];
    for expansion in macros {
        // A macro that is there already stays as it is.
        let _ = env.add_macro(expansion);
    }
    env
}

/// Parses an expression.
pub(super) fn parse(source: &str, binding: Binding) -> Result<ParsedExpr, Vec<Issue>> {
    let grammar = match binding {
        Binding::No => &GRAMMAR,
        Binding::Yes => &BINDING_GRAMMAR,
    };
    let parser = grammar.parser().enable_ident_escape_syntax(true);
    let (parsed, info) = parser.parse_with_source_info(source).map_err(|errors| {
        let issue = |error: ParseError| {
            let (line, column) = error.pos;
            let place = |number: isize| usize::try_from(number).unwrap_or_default();
            Issue { line: place(line).max(1), column: place(column - 1), text: error.msg }
        };
        errors.errors.into_iter().map(issue).collect::<Vec<_>>()
    })?;
    let mut lowering = Lowering { source: &info, count: 0 };
    let expr = lowering.expr(parsed);
    Ok(ParsedExpr { expr, count: lowering.count })
}

/// `cel.bind(name, value, body)`.
fn bind(helper: &mut MacroExprHelper<'_>, target: &mut Option<IdedExpr>, args: &mut Arguments) -> Expanded {
    if !matches!(target, Some(IdedExpr { expr: Parsed::Ident(name), .. }) if name == "cel") {
        return Ok(None);
    }
    let name = match args.first() {
        Some(first) => name_of(helper, first)?,
        None => return Ok(None),
    };
    let (Some(body), Some(value)) = (args.pop(), args.pop()) else { return Ok(None) };
    Ok(Some(bound(helper, name, (value, body))))
}

const TOTAL: &str = "@result";

fn name_of(helper: &MacroExprHelper<'_>, expr: &IdedExpr) -> Result<String, ParseError> {
    match &expr.expr {
        Parsed::Ident(name) => Ok(name.clone()),
        _ => Err(helper.new_error(expr.id, "argument must be a simple name")),
    }
}

fn call(helper: &mut MacroExprHelper<'_>, name: &str, args: Vec<IdedExpr>) -> IdedExpr {
    helper.next_expr(Parsed::Call(CallExpr { func_name: name.to_owned(), target: None, args }))
}

fn member(helper: &mut MacroExprHelper<'_>, target: IdedExpr, name: &str, args: Vec<IdedExpr>) -> IdedExpr {
    helper.next_expr(Parsed::Call(CallExpr {
        func_name: name.to_owned(),
        target: Some(Box::new(target)),
        args,
    }))
}

fn ident(helper: &mut MacroExprHelper<'_>, name: &str) -> IdedExpr {
    helper.next_expr(Parsed::Ident(name.to_owned()))
}

fn flag(helper: &mut MacroExprHelper<'_>, value: bool) -> IdedExpr {
    helper.next_expr(Parsed::Literal(LiteralValue::Boolean(value.into())))
}

fn number(helper: &mut MacroExprHelper<'_>, value: i64) -> IdedExpr {
    helper.next_expr(Parsed::Literal(LiteralValue::Int(value.into())))
}

fn list(helper: &mut MacroExprHelper<'_>, items: Vec<IdedExpr>) -> IdedExpr {
    helper.next_expr(Parsed::List(ListExpr::new(items)))
}

/// The name of what is sorted.
const SORTED: &str = "@__sortBy_input__";

/// An expression in which a value has a name: a loop of no rounds.
fn bound(helper: &mut MacroExprHelper<'_>, name: String, (value, body): (IdedExpr, IdedExpr)) -> IdedExpr {
    let range = list(helper, Vec::new());
    let condition = flag(helper, false);
    let step = ident(helper, &name);
    helper.next_expr(Parsed::Comprehension(Box::new(ComprehensionExpr {
        iter_range: range,
        iter_var: "#unused".to_owned(),
        iter_var2: None,
        accu_var: name,
        accu_init: value,
        loop_cond: condition,
        loop_step: step,
        result: body,
    })))
}

/// Whether the result of a mapping is an optional still to be made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrapped {
    Yes,
    No,
}

/// `x.optMap(v, f)`: `x.hasValue() ? optional.of(f) : optional.none()`, with the value of `x` as `v`.
fn optional_map(
    helper: &mut MacroExprHelper<'_>,
    target: &mut Option<IdedExpr>,
    args: &mut Arguments,
    wrapped: Wrapped,
) -> Expanded {
    let name = match args.first() {
        Some(first) => name_of(helper, first)?,
        None => return Ok(None),
    };
    let (Some(target), Some(body)) = (target.take(), args.pop()) else { return Ok(None) };
    let has = member(helper, target.clone(), "hasValue", Vec::new());
    let value = member(helper, target, "value", Vec::new());
    let bound = bound(helper, name, (value, body));
    let mapped = match wrapped {
        Wrapped::Yes => call(helper, "optional.of", vec![bound]),
        Wrapped::No => bound,
    };
    let none = call(helper, "optional.none", Vec::new());
    Ok(Some(call(helper, operators::CONDITIONAL, vec![has, mapped, none])))
}

/// `l.sortBy(v, key)`: the items beside their keys, sorted by these.
fn sort_by(
    helper: &mut MacroExprHelper<'_>,
    target: &mut Option<IdedExpr>,
    args: &mut Arguments,
) -> Expanded {
    let name = match args.first() {
        Some(first) => name_of(helper, first)?,
        None => return Ok(None),
    };
    let (Some(target), Some(key)) = (target.take(), args.pop()) else { return Ok(None) };
    let range = ident(helper, SORTED);
    let keys = collected(helper, range, (&name, None), key);
    let items = ident(helper, SORTED);
    let sorted = member(helper, items, "@sortByAssociatedKeys", vec![keys]);
    Ok(Some(bound(helper, SORTED.to_owned(), (target, sorted))))
}

/// A fold that collects what `item` gives.
fn collected(
    helper: &mut MacroExprHelper<'_>,
    range: IdedExpr,
    (first, second): (&str, Option<&str>),
    item: IdedExpr,
) -> IdedExpr {
    let init = list(helper, Vec::new());
    let condition = flag(helper, true);
    let total = ident(helper, TOTAL);
    let item = list(helper, vec![item]);
    let step = call(helper, operators::ADD, vec![total, item]);
    fold(helper, range, (first, second), (init, condition, step))
}

fn fold(
    helper: &mut MacroExprHelper<'_>,
    range: IdedExpr,
    (first, second): (&str, Option<&str>),
    (init, condition, step): (IdedExpr, IdedExpr, IdedExpr),
) -> IdedExpr {
    let result = ident(helper, TOTAL);
    helper.next_expr(Parsed::Comprehension(Box::new(ComprehensionExpr {
        iter_range: range,
        iter_var: first.to_owned(),
        iter_var2: second.map(str::to_owned),
        accu_var: TOTAL.to_owned(),
        accu_init: init,
        loop_cond: condition,
        loop_step: step,
        result,
    })))
}

/// What is asked of all pairs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    All,
    Exists,
    One,
}

/// The two names and what follows them.
fn pair(
    helper: &MacroExprHelper<'_>,
    args: &mut Arguments,
) -> Result<Option<(String, String, Arguments)>, ParseError> {
    let (Some(first), Some(second)) = (args.first(), args.get(1)) else { return Ok(None) };
    let names = (name_of(helper, first)?, name_of(helper, second)?);
    Ok(Some((names.0, names.1, args.split_off(2))))
}

fn two_names(
    helper: &mut MacroExprHelper<'_>,
    target: &mut Option<IdedExpr>,
    args: &mut Arguments,
    quantifier: Quantifier,
) -> Expanded {
    let Some((first, second, mut rest)) = pair(helper, args)? else { return Ok(None) };
    let (Some(range), Some(test)) = (target.take(), rest.pop()) else { return Ok(None) };
    let names = (first.as_str(), Some(second.as_str()));
    let total = ident(helper, TOTAL);
    if quantifier == Quantifier::One {
        let (init, condition, one) = (number(helper, 0), flag(helper, true), number(helper, 1));
        let more = call(helper, operators::ADD, vec![total, one]);
        let same = ident(helper, TOTAL);
        let step = call(helper, operators::CONDITIONAL, vec![test, more, same]);
        let mut folded = fold(helper, range, names, (init, condition, step));
        let (total, one) = (ident(helper, TOTAL), number(helper, 1));
        let result = call(helper, operators::EQUALS, vec![total, one]);
        if let Parsed::Comprehension(fold) = &mut folded.expr {
            fold.result = result;
        }
        return Ok(Some(folded));
    }
    let all = quantifier == Quantifier::All;
    let init = flag(helper, all);
    let going = ident(helper, TOTAL);
    let going = if all { going } else { call(helper, operators::LOGICAL_NOT, vec![going]) };
    let condition = call(helper, operators::NOT_STRICTLY_FALSE, vec![going]);
    let joins = if all { operators::LOGICAL_AND } else { operators::LOGICAL_OR };
    let step = call(helper, joins, vec![total, test]);
    Ok(Some(fold(helper, range, names, (init, condition, step))))
}

fn transform_list(
    helper: &mut MacroExprHelper<'_>,
    target: &mut Option<IdedExpr>,
    args: &mut Arguments,
) -> Expanded {
    let Some((first, second, mut rest)) = pair(helper, args)? else { return Ok(None) };
    let (Some(range), Some(item)) = (target.take(), rest.pop()) else { return Ok(None) };
    let mut folded = collected(helper, range, (&first, Some(&second)), item);
    filtered(helper, &mut folded, rest.pop());
    Ok(Some(folded))
}

/// What each round of a map that is made gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// The value of the same key.
    Value,
    /// A map of what is added.
    Entry,
}

fn transform_map(
    helper: &mut MacroExprHelper<'_>,
    target: &mut Option<IdedExpr>,
    args: &mut Arguments,
    made: Made,
) -> Expanded {
    let Some((first, second, mut rest)) = pair(helper, args)? else { return Ok(None) };
    let (Some(range), Some(value)) = (target.take(), rest.pop()) else { return Ok(None) };
    let init = helper.next_expr(Parsed::Map(cel::common::ast::MapExpr::default()));
    let condition = flag(helper, true);
    let mut parts = vec![ident(helper, TOTAL)];
    if made == Made::Value {
        parts.push(ident(helper, &first));
    }
    parts.push(value);
    let step = call(helper, "cel.@mapInsert", parts);
    let mut folded = fold(helper, range, (&first, Some(&second)), (init, condition, step));
    filtered(helper, &mut folded, rest.pop());
    Ok(Some(folded))
}

/// Lets a fold pass over what a filter does not take.
fn filtered(helper: &mut MacroExprHelper<'_>, folded: &mut IdedExpr, filter: Option<IdedExpr>) {
    let Some(filter) = filter else { return };
    let same = ident(helper, TOTAL);
    if let Parsed::Comprehension(fold) = &mut folded.expr {
        let step = std::mem::take(&mut fold.loop_step);
        fold.loop_step = call(helper, operators::CONDITIONAL, vec![filter, step, same]);
    }
}
