//! CEL rules: whether they are expressions at all, and whether what they name is there.
//!
//! In: the text of a rule and the finished schema that it stands on. Out: the first thing for which a server would refuse the rule, with its
//! place in the text; what a run may cost; and whether a value breaks the rule, as far as that can be told without a server. Types are found
//! as far as the schema says them; where it does not, anything goes.

mod calls;
mod cost;
mod decl;
mod escapes;
mod eval;
mod format;
mod infer;
mod lex;
mod literals;
mod loops;
mod names;
mod parse;
mod prices;
mod signatures;
mod types;
mod value;
mod written;

pub(super) use decl::{Decl, MAX_REQUEST, Root, limit, values};
pub(super) use eval::Outcome;
pub(super) use names::accessor;

use super::Schema;
use serde_json::Value;
use std::ops::Range;
use types::Ty;

/// What is wrong with a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The bytes of the rule that are at fault.
    pub(super) bytes: Range<usize>,
    /// What is wrong with them.
    pub(super) what: What,
}

/// What can be wrong with a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// It is no expression, and why.
    Syntax(String),
    /// A field that is not there, and those that are.
    NoField(String, Vec<String>),
    /// A field of which rules see nothing, because it may be anything.
    Hidden(String),
    /// A variable or type that is not there, and those that are.
    NoName(String, Vec<String>),
    /// A function that is not there or not for this, and those that are.
    NoFunction {
        /// Its name.
        name: String,
        /// What it is called on; empty when on nothing.
        of: String,
        /// The functions that could have been meant.
        known: Vec<String>,
    },
    /// A function with arguments that it does not take.
    Arguments(String),
    /// An operator between values that do not go together.
    Operator {
        /// The operator.
        sign: String,
        /// What stands before it; empty when nothing does.
        left: String,
        /// What stands behind it.
        right: String,
    },
    /// The whole is of another type than it must be.
    Result {
        /// What it must be.
        wanted: &'static str,
        /// What it is.
        found: String,
    },
    /// A function with an argument that it does not take.
    Argument {
        /// Its name.
        name: String,
        /// What it is given.
        found: String,
    },
    /// A function with a literal that it can do nothing with.
    Literal {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// A regular expression that cannot be read, and why.
    Pattern(String),
}

/// What an expression has to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    /// True or false.
    Verdict,
    /// A text.
    Message,
}

/// Whether `oldSelf` may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OldSelf {
    /// It is a value like `self`.
    Present,
    /// It is an optional.
    Optional,
}

/// Checks an expression over a node.
///
/// # Errors
/// The first thing that is wrong.
pub(super) fn check(text: &str, schema: &Schema, gives: Gives, old: OldSelf) -> Result<(), Fault> {
    let (expr, found, _) = typed(text, schema, old)?;
    let (fits, wanted) = match gives {
        Gives::Verdict => (matches!(found, Ty::Bool | Ty::Dyn), "true or false"),
        Gives::Message => (matches!(found, Ty::Text | Ty::Dyn), "a text"),
    };
    if fits {
        return Ok(());
    }
    Err(Fault { bytes: expr.bytes, what: What::Result { wanted, found: found.describe() } })
}

/// An expression, its type and those of its parts.
fn typed<'s>(
    text: &str,
    schema: &'s Schema,
    old: OldSelf,
) -> Result<(parse::Expr, Ty<'s>, infer::Types<'s>), Fault> {
    let expr = parse::parse(text)?;
    let node = Ty::of(schema);
    let old = match old {
        OldSelf::Present => node.clone(),
        OldSelf::Optional => Ty::Optional(Box::new(node.clone())),
    };
    let (found, types) = infer::infer(&expr, vec![("self".to_owned(), node), ("oldSelf".to_owned(), old)])?;
    literals::check(&expr, &types)?;
    Ok((expr, found, types))
}

/// The most that a run of an expression can cost; `None` for one that is none, or of which rules see nothing.
pub(super) fn cost(text: &str, schema: &Schema, root: Root, old: OldSelf) -> Option<u64> {
    let (expr, _, types) = typed(text, schema, old).ok()?;
    Some(cost::estimate(&expr, &types, Decl::of(schema, root)?))
}

/// What becomes of a rule when a value has come into being, or has replaced another one.
pub(super) fn outcome(
    text: &str,
    (value, old): (&Value, Option<&Value>),
    schema: &Schema,
    old_self: OldSelf,
) -> Outcome {
    match typed(text, schema, old_self) {
        Ok((expr, ..)) => eval::outcome(&expr, (value, old), schema, old_self),
        Err(_) => Outcome::Unknown,
    }
}

/// Whether an expression names something; one that cannot be read may.
pub(super) fn names(text: &str, name: &str) -> bool {
    let is_name = |token: &lex::Token| matches!(token, lex::Token::Ident(found) if found == name);
    lex::lex(text).map_or(true, |tokens| tokens.iter().any(|(token, _)| is_name(token)))
}
