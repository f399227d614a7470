//! What a real server works out before an expression runs.
//!
//! In: a checked expression. Out: why it cannot be run at all: a pattern or a conversion that is written out is broken. It changes nothing.

use super::{
    ast::{Expr, Kind, Literal},
    eval::literal,
    go_regex, library,
};

/// The conversions of single values.
const CONVERSIONS: &[&str] = &["bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"];

/// Looks through an expression, the innermost parts first.
///
/// # Errors
///
/// In the words of a real server.
pub(super) fn prepare(expr: &Expr) -> Result<(), String> {
    expr.below().into_iter().try_for_each(prepare)?;
    let Kind::Call { function, target, args } = &expr.kind else { return Ok(()) };
    let pattern = match (function.as_str(), target, args.as_slice()) {
        ("matches", None, [_, pattern]) | ("matches" | "find" | "findAll", Some(_), [pattern, ..]) => pattern,
        (conversion, None, [value]) if CONVERSIONS.contains(&conversion) => {
            return match &value.kind {
                Kind::Literal(value) => match library::call(conversion, &[literal(value)]) {
                    Ok(_) => Ok(()),
                    Err(error) => Err(error.to_string()),
                },
                _ => Ok(()),
            };
        }
        _ => return Ok(()),
    };
    match &pattern.kind {
        Kind::Literal(Literal::String(text)) => go_regex(text).map(drop).map_err(|error| error.to_string()),
        _ => Ok(()),
    }
}
