//! Rules at work on values that stand in the source, such as defaults.
//!
//! In: a checked expression and a value. Out: whether a server would find the rule broken, where that is certain. What needs a library of the
//! server (times, quantities, addresses) is not known, and what hangs on it is not either.

use super::OldSelf;
use super::lex::Token;
use super::parse::{Expr, Kind};
use super::value::{Known, Stop, Val};
use crate::schema::Schema;
use crate::schema::matching::finds;
use serde_json::Value;
use std::cmp::Ordering;

/// What becomes of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::schema) enum Outcome {
    /// It holds, or is not asked.
    Holds,
    /// It is broken.
    Breaks,
    /// It cannot be worked out: it asks for something that is not there.
    Fails,
    /// Only a server knows.
    Unknown,
}

/// How many steps are gone before nothing is known.
const STEPS: usize = 100_000;

/// What becomes of a rule when a value has come into being, or has replaced another one.
pub(super) fn outcome(
    expr: &Expr,
    (value, old): (&Value, Option<&Value>),
    schema: &Schema,
    old_self: OldSelf,
) -> Outcome {
    let old = old.map(|old| Val::of(old, schema));
    let old = match (old, old_self) {
        (old, OldSelf::Optional) => Some(Val::Optional(old.map(Box::new))),
        (old, OldSelf::Present) => old,
    };
    if old.is_none() && names(expr, "oldSelf") {
        return Outcome::Holds;
    }
    let mut variables = vec![("self".to_owned(), Val::of(value, schema))];
    variables.extend(old.map(|old| ("oldSelf".to_owned(), old)));
    match (Run { variables, left: STEPS }).expr(expr).and_then(Val::verdict) {
        Ok(true) => Outcome::Holds,
        Ok(false) => Outcome::Breaks,
        Err(Stop::Failed) => Outcome::Fails,
        Err(Stop::Unknown) => Outcome::Unknown,
    }
}

fn names(expr: &Expr, name: &str) -> bool {
    let is_it = matches!(&expr.kind, Kind::Ident(found) if found == name);
    is_it || expr.below().into_iter().any(|below| names(below, name))
}

struct Run {
    variables: Vec<(String, Val)>,
    left: usize,
}

impl Run {
    fn expr(&mut self, expr: &Expr) -> Known<Val> {
        self.left = self.left.checked_sub(1).ok_or(Stop::Unknown)?;
        match &expr.kind {
            Kind::Literal(token) => literal(token),
            Kind::Ident(name) => {
                let found = self.variables.iter().rev().find(|(known, _)| known == name);
                found.map_or(Err(Stop::Unknown), |(_, value)| value.clone().known())
            }
            Kind::Select { of, field, optional, .. } => {
                let of = self.expr(of)?;
                selected(&of, field, *optional)
            }
            Kind::Call { of, name, arguments, .. } => self.call(of.as_deref(), name, arguments),
            Kind::Index { of, index, optional: false } => {
                let (of, index) = (self.expr(of)?, self.expr(index)?);
                indexed(&of, &index)
            }
            Kind::List(items) => {
                items.iter().map(|item| self.expr(item)).collect::<Known<_>>().map(Val::List)
            }
            Kind::Unary(sign, inner) => match (*sign, self.expr(inner)?) {
                ("!", Val::Bool(flag)) => Ok(Val::Bool(!flag)),
                ("-", Val::Int(number)) => number.checked_neg().map(Val::Int).ok_or(Stop::Failed),
                ("-", Val::Double(number)) => Ok(Val::Double(-number)),
                _ => Err(Stop::Unknown),
            },
            Kind::Binary("&&", _, left, right) => self.either(left, right, false),
            Kind::Binary("||", _, left, right) => self.either(left, right, true),
            Kind::Binary(sign, _, left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                operated(sign, &left, &right)
            }
            Kind::Choice(condition, first, second) => {
                let chosen = if self.expr(condition)?.verdict()? { first } else { second };
                self.expr(chosen)
            }
            Kind::Index { .. } | Kind::Map(_) | Kind::Maybe(_) => Err(Stop::Unknown),
        }
    }

    /// `&&` and `||`: one side can decide, whatever becomes of the other.
    fn either(&mut self, left: &Expr, right: &Expr, decides: bool) -> Known<Val> {
        let left = self.expr(left).and_then(Val::verdict);
        if left == Ok(decides) {
            return Ok(Val::Bool(decides));
        }
        let right = self.expr(right).and_then(Val::verdict);
        let together = match (left, right) {
            (_, Ok(right)) if right == decides => Ok(decides),
            (Err(Stop::Unknown), _) | (_, Err(Stop::Unknown)) => Err(Stop::Unknown),
            (Ok(_), Ok(_)) => Ok(!decides),
            _ => Err(Stop::Failed),
        };
        together.map(Val::Bool)
    }

    fn call(&mut self, of: Option<&Expr>, name: &str, arguments: &[Expr]) -> Known<Val> {
        match (of, name, arguments) {
            (None, "has", [Expr { kind: Kind::Select { of, field, .. }, .. }]) => {
                Ok(Val::Bool(self.expr(of)?.member(field)?.is_some()))
            }
            (None, "size", [of]) | (Some(of), "size", []) => self.expr(of)?.size(),
            (None, "dyn", [of]) => self.expr(of),
            (Some(of), "startsWith" | "endsWith" | "contains", [part]) => {
                let (Val::Text(text), Val::Text(part)) = (self.expr(of)?, self.expr(part)?) else {
                    return Err(Stop::Unknown);
                };
                Ok(Val::Bool(match name {
                    "startsWith" => text.starts_with(&part),
                    "endsWith" => text.ends_with(&part),
                    _ => text.contains(&part),
                }))
            }
            (None, "matches", [of, pattern]) | (Some(of), "matches", [pattern]) => {
                let (Val::Text(text), Val::Text(pattern)) = (self.expr(of)?, self.expr(pattern)?) else {
                    return Err(Stop::Unknown);
                };
                finds(&pattern, &text).map(Val::Bool).ok_or(Stop::Unknown)
            }
            (Some(of), "hasValue", []) => match self.expr(of)? {
                Val::Optional(inner) => Ok(Val::Bool(inner.is_some())),
                _ => Err(Stop::Unknown),
            },
            (Some(of), "value", []) => match self.expr(of)? {
                Val::Optional(Some(inner)) => inner.known(),
                Val::Optional(None) => Err(Stop::Failed),
                _ => Err(Stop::Unknown),
            },
            (Some(of), "orValue", [otherwise]) => match self.expr(of)? {
                Val::Optional(Some(inner)) => inner.known(),
                Val::Optional(None) => self.expr(otherwise),
                _ => Err(Stop::Unknown),
            },
            (Some(of), "all" | "exists" | "exists_one" | "existsOne" | "filter" | "map", arguments) => {
                let [Expr { kind: Kind::Ident(variable), .. }, step] = arguments else {
                    return Err(Stop::Unknown);
                };
                self.repeated(of, (name, variable), step)
            }
            _ => Err(Stop::Unknown),
        }
    }

    fn repeated(&mut self, of: &Expr, (name, variable): (&str, &str), step: &Expr) -> Known<Val> {
        let items = match self.expr(of)? {
            Val::List(items) => items,
            Val::Map(members) => members.into_keys().map(Val::Text).collect(),
            _ => return Err(Stop::Unknown),
        };
        let mut found = Vec::with_capacity(items.len());
        for item in &items {
            self.variables.push((variable.to_owned(), item.clone()));
            found.push(self.expr(step));
            self.variables.pop();
        }
        let verdicts = || found.iter().cloned().map(|found| found.and_then(Val::verdict));
        match name {
            "all" => together(verdicts(), false),
            "exists" => together(verdicts(), true),
            "filter" => {
                let kept = items.iter().zip(verdicts().collect::<Known<Vec<bool>>>()?);
                let kept = kept.filter(|(_, kept)| *kept).map(|(item, _)| item.clone());
                Ok(Val::List(kept.collect()))
            }
            "map" => found.into_iter().collect::<Known<_>>().map(Val::List),
            _ => {
                let count = verdicts().collect::<Known<Vec<bool>>>()?.into_iter().filter(|one| *one).count();
                Ok(Val::Bool(count == 1))
            }
        }
    }
}

/// The verdict over all items: one can decide, whatever becomes of the others.
fn together(verdicts: impl Iterator<Item = Known<bool>>, decides: bool) -> Known<Val> {
    let mut found = Ok(Val::Bool(!decides));
    for verdict in verdicts {
        match verdict {
            Ok(verdict) if verdict == decides => return Ok(Val::Bool(decides)),
            Ok(_) => {}
            Err(stop) if found != Err(Stop::Unknown) => found = Err(stop),
            Err(_) => {}
        }
    }
    found
}

fn selected(of: &Val, field: &str, optional: bool) -> Known<Val> {
    match (of, optional) {
        (Val::Optional(None), _) => Ok(Val::Optional(None)),
        (Val::Optional(Some(inner)), _) => selected(inner, field, true),
        (_, true) => Ok(Val::Optional(of.member(field)?.cloned().map(Box::new))),
        (_, false) => of.member(field)?.cloned().ok_or(Stop::Failed)?.known(),
    }
}

fn indexed(of: &Val, index: &Val) -> Known<Val> {
    let found = match (of, index) {
        (Val::List(items), Val::Int(at)) => usize::try_from(*at).ok().and_then(|at| items.get(at)),
        (Val::Map(members), Val::Text(key)) => members.get(key),
        _ => return Err(Stop::Unknown),
    };
    found.cloned().ok_or(Stop::Failed)?.known()
}

fn operated(sign: &str, left: &Val, right: &Val) -> Known<Val> {
    let ordered = |fits: fn(Ordering) -> bool| Ok(Val::Bool(left.order(right)?.is_some_and(fits)));
    match sign {
        "==" => left.same(right).map(Val::Bool),
        "!=" => left.same(right).map(|same| Val::Bool(!same)),
        "<" => ordered(Ordering::is_lt),
        "<=" => ordered(Ordering::is_le),
        ">" => ordered(Ordering::is_gt),
        ">=" => ordered(Ordering::is_ge),
        "in" => match (right, left) {
            (Val::List(items), _) => together(items.iter().map(|item| item.same(left)), true),
            (Val::Map(members), Val::Text(key)) => Ok(Val::Bool(members.contains_key(key))),
            _ => Err(Stop::Unknown),
        },
        _ => match (left, right) {
            (Val::Int(left), Val::Int(right)) => whole(sign, *left, *right),
            (Val::Text(left), Val::Text(right)) if sign == "+" => Ok(Val::Text(format!("{left}{right}"))),
            (Val::List(left), Val::List(right)) if sign == "+" => {
                Ok(Val::List(left.iter().chain(right).cloned().collect()))
            }
            _ => Err(Stop::Unknown),
        },
    }
}

fn whole(sign: &str, left: i64, right: i64) -> Known<Val> {
    let result = match sign {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        _ => return Err(Stop::Unknown),
    };
    result.map(Val::Int).ok_or(Stop::Failed)
}

fn literal(token: &Token) -> Known<Val> {
    Ok(match token {
        Token::Int(number) => Val::Int(i64::try_from(*number).map_err(|_| Stop::Unknown)?),
        Token::Double(number) => Val::Double(*number),
        Token::Text(text) => Val::Text(text.clone()),
        Token::Ident(word) => match word.as_str() {
            "true" => Val::Bool(true),
            "false" => Val::Bool(false),
            _ => Val::Null,
        },
        Token::Uint(_) | Token::Bytes(_) | Token::Sign(_) => return Err(Stop::Unknown),
    })
}
