//! Loops: `all`, `map` and their like.
//!
//! In: what is looped over, the names of its parts, and what is done with each. Out: the type of the result, or the first thing that does not fit.

use super::What;
use super::infer::{Inferred, Scope, fault};
use super::names::is_reserved;
use super::parse::{Expr, Kind};
use super::signatures::signatures;
use super::types::Ty;
use std::ops::Range;

/// Names that stand for loops; their first argument is a variable.
pub(super) const LOOPS: [&str; 12] = [
    "all",
    "exists",
    "exists_one",
    "existsOne",
    "filter",
    "map",
    "sortBy",
    "transformList",
    "transformMap",
    "transformMapEntry",
    "optMap",
    "optFlatMap",
];

impl<'s> Scope<'s> {
    /// A loop: what is behind the variables sees them.
    pub(super) fn repeated(
        &mut self,
        of: &Ty<'s>,
        name: &str,
        arguments: &[Expr],
        (range, at): (&Range<usize>, &Range<usize>),
    ) -> Inferred<'s> {
        let is_optional = name.starts_with("opt");
        let two =
            arguments.len() > 2 && !matches!(name, "map" | "optMap" | "optFlatMap" | "sortBy" | "filter");
        let (first, second) = match of {
            Ty::Optional(inner) if is_optional => (Ty::clone(inner), Ty::Dyn),
            Ty::Dyn | Ty::Var(_) => (Ty::Dyn, Ty::Dyn),
            Ty::List(items) if two && !is_optional => (Ty::Int, Ty::clone(items)),
            Ty::List(items) if !is_optional => (Ty::clone(items), Ty::Dyn),
            Ty::Map(keys, values) if !is_optional && name != "sortBy" => (Ty::clone(keys), Ty::clone(values)),
            other => {
                let (sign, left) = (format!(".{name}"), other.describe());
                return Err(fault(range, What::Operator { sign, left, right: String::new() }));
            }
        };
        let outer = self.variables.len();
        let mut rest = arguments;
        for ty in [Some(first.clone()), Some(second).filter(|_| two)].into_iter().flatten() {
            let Some((name_of, behind)) = rest.split_first() else { break };
            let Kind::Ident(variable) = &name_of.kind else {
                let reason = format!("the first argument of `{name}` is a name");
                return Err(fault(&name_of.bytes, What::Syntax(reason)));
            };
            let is_taken = || self.variables.iter().skip(outer).any(|(known, _)| known == variable);
            if is_reserved(variable) || is_taken() {
                let reason = format!("`{variable}` cannot be the name of a variable here");
                return Err(fault(&name_of.bytes, What::Syntax(reason)));
            }
            self.variables.push((variable.clone(), ty));
            rest = behind;
        }
        let found = self.steps(name, rest, at);
        self.variables.truncate(outer);
        let found = found?;
        let last = arguments.last().map_or(at, |last| &last.bytes);
        self.gives(name, of, (first, found), last)
    }

    /// What a loop gives: `first` is what its first variable stands for, `found` what its last step gives.
    fn gives(
        &mut self,
        name: &str,
        of: &Ty<'s>,
        (first, found): (Ty<'s>, Ty<'s>),
        last: &Range<usize>,
    ) -> Inferred<'s> {
        Ok(match name {
            "all" | "exists" | "exists_one" | "existsOne" => Ty::Bool,
            "filter" => Ty::list(first),
            "sortBy" => {
                let keys = Ty::list(self.known.resolved(&found));
                if self.resolve(signatures(".sort"), &[keys]).is_err() {
                    let what = What::Argument { name: name.to_owned(), found: found.describe() };
                    return Err(fault(last, what));
                }
                match of {
                    Ty::List(_) => of.clone(),
                    _ => Ty::list(Ty::Dyn),
                }
            }
            "map" | "transformList" => Ty::list(found),
            "optMap" => Ty::optional(found),
            "transformMap" => Ty::map(first, found),
            _ => {
                let (wanted, of) = match name {
                    "transformMapEntry" => ("a map", Ty::map(self.unknown(), self.unknown())),
                    _ => ("an optional", Ty::optional(self.unknown())),
                };
                if !self.known.fits(&of, &found) {
                    let found = self.known.resolved(&found).describe();
                    return Err(fault(last, What::Result { wanted, found }));
                }
                self.known.resolved(&of)
            }
        })
    }

    /// What a loop does with each item; the last step gives the result.
    fn steps(&mut self, name: &str, steps: &[Expr], at: &Range<usize>) -> Inferred<'s> {
        let judges = matches!(name, "all" | "exists" | "exists_one" | "existsOne" | "filter");
        let Some((last, before)) = steps.split_last() else {
            return Err(fault(at, What::Arguments(name.to_owned())));
        };
        if before.len() > 1 || (judges && !before.is_empty()) {
            return Err(fault(at, What::Arguments(name.to_owned())));
        }
        before.iter().try_for_each(|step| self.verdict(step))?;
        if judges {
            self.verdict(last)?;
            return Ok(Ty::Bool);
        }
        self.expr(last)
    }
}
