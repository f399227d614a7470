//! The macros of Kubernetes' expressions: calls that are written out as other expressions before anything is checked.
//!
//! In: a call's parts. Out: the expression that it stands for. Those of the `cel` crate are not used: a real server looks at the target
//! of `optMap` twice, so its faults are told twice and its costs are counted twice, and each macro has words of its own.

use cel::{
    common::ast::{CallExpr, ComprehensionExpr, Expr as Parsed, IdedExpr, ListExpr, LiteralValue, operators},
    parser::{Macro, MacroExprHelper, ParseError},
};

type Arguments = Vec<IdedExpr>;
type Expanded = Result<Option<IdedExpr>, ParseError>;

/// All macros.
pub(super) fn macros() -> Vec<Macro> {
    let mut macros = vec![Macro::global("has", 1, has)];
    for (name, quantifier, counts) in [
        ("all", Quantifier::All, [2, 3].as_slice()),
        ("exists", Quantifier::Exists, &[2, 3]),
        ("exists_one", Quantifier::One, &[2, 3]),
        ("existsOne", Quantifier::One, &[3]),
    ] {
        macros.extend(counts.iter().map(|count| {
            Macro::receiver(name, *count, move |helper, target, args| {
                quantified(helper, target, args, quantifier)
            })
        }));
    }
    for count in [2, 3] {
        macros.push(Macro::receiver("map", count, map));
    }
    macros.push(Macro::receiver("filter", 2, filter));
    macros.push(Macro::receiver("sortBy", 2, sort_by));
    for (name, wrapped) in [("optMap", Wrapped::Yes), ("optFlatMap", Wrapped::No)] {
        macros.push(Macro::receiver(name, 2, move |helper, target, args| {
            optional_map(helper, target, args, (name, wrapped))
        }));
    }
    for count in [3, 4] {
        macros.push(Macro::receiver("transformList", count, transform_list));
        for (name, made) in [("transformMap", Made::Value), ("transformMapEntry", Made::Entry)] {
            macros.push(Macro::receiver(name, count, move |helper, target, args| {
                transform_map(helper, target, args, made)
            }));
        }
    }
    macros
}

/// `cel.bind`, which not all expressions have.
pub(super) fn binding() -> Macro {
    Macro::receiver("bind", 3, bind)
}

/// What is said of a variable that is no plain name, by most macros and by others.
const NO_NAME: &str = "argument must be a simple name";
const NO_IDENTIFIER: &str = "argument is not an identifier";

/// `cel.bind(name, value, body)`.
fn bind(helper: &mut MacroExprHelper<'_>, target: &mut Option<IdedExpr>, args: &mut Arguments) -> Expanded {
    if !matches!(target, Some(IdedExpr { expr: Parsed::Ident(name), .. }) if name == "cel") {
        return Ok(None);
    }
    let name = match args.first() {
        Some(first) => name_of(helper, first, NO_NAME)?,
        None => return Ok(None),
    };
    let (Some(body), Some(value)) = (args.pop(), args.pop()) else { return Ok(None) };
    Ok(Some(bound(helper, name, (value, body))))
}

const TOTAL: &str = "@result";

fn name_of(helper: &MacroExprHelper<'_>, expr: &IdedExpr, otherwise: &str) -> Result<String, ParseError> {
    match &expr.expr {
        Parsed::Ident(name) => Ok(name.clone()),
        _ => Err(helper.new_error(expr.id, otherwise)),
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
    (called, wrapped): (&str, Wrapped),
) -> Expanded {
    let name = match args.first() {
        Some(first) => {
            name_of(helper, first, &format!("{called}() variable name must be a simple identifier"))?
        }
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
        Some(first) => name_of(helper, first, NO_IDENTIFIER)?,
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
    let names = (name_of(helper, first, NO_NAME)?, name_of(helper, second, NO_NAME)?);
    if names.0 == names.1 {
        return Err(helper.new_error(second.id, format!("duplicate variable name: {}", names.1)));
    }
    Ok(Some((names.0, names.1, args.split_off(2))))
}

/// What is asked of the items of a list or the keys of a map, or of both with their places or values.
fn quantified(
    helper: &mut MacroExprHelper<'_>,
    target: &mut Option<IdedExpr>,
    args: &mut Arguments,
    quantifier: Quantifier,
) -> Expanded {
    let (first, second, test) = match args.as_slice() {
        [name, _] => (name_of(helper, name, NO_NAME)?, None, args.pop()),
        _ => match pair(helper, args)? {
            Some((first, second, mut rest)) => (first, Some(second), rest.pop()),
            None => return Ok(None),
        },
    };
    let (Some(range), Some(test)) = (target.take(), test) else { return Ok(None) };
    let names = (first.as_str(), second.as_deref());
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

/// `has(x.y)`: whether a field is there.
fn has(helper: &mut MacroExprHelper<'_>, _: &mut Option<IdedExpr>, args: &mut Arguments) -> Expanded {
    let Some(arg) = args.pop() else { return Ok(None) };
    match arg.expr {
        Parsed::Select(mut select) => {
            select.test = true;
            Ok(Some(helper.next_expr(Parsed::Select(select))))
        }
        _ => Err(helper.new_error(arg.id, "invalid argument to has() macro")),
    }
}

/// `l.map(v, f)` and `l.map(v, test, f)`.
fn map(helper: &mut MacroExprHelper<'_>, target: &mut Option<IdedExpr>, args: &mut Arguments) -> Expanded {
    let name = match args.first() {
        Some(first) => name_of(helper, first, NO_IDENTIFIER)?,
        None => return Ok(None),
    };
    let mut rest = args.split_off(1);
    let (Some(range), Some(item)) = (target.take(), rest.pop()) else { return Ok(None) };
    let mut folded = collected(helper, range, (&name, None), item);
    filtered(helper, &mut folded, rest.pop());
    Ok(Some(folded))
}

/// `l.filter(v, test)`.
fn filter(helper: &mut MacroExprHelper<'_>, target: &mut Option<IdedExpr>, args: &mut Arguments) -> Expanded {
    let (Some(test), Some(variable)) = (args.pop(), args.pop()) else { return Ok(None) };
    let name = name_of(helper, &variable, NO_IDENTIFIER)?;
    let Some(range) = target.take() else { return Ok(None) };
    let mut folded = collected(helper, range, (&name, None), variable);
    filtered(helper, &mut folded, Some(test));
    Ok(Some(folded))
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
