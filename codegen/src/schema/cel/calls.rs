//! Calls: of functions, and of operators, which are functions with a sign for a name.
//!
//! In: what is called, on what and with what. Out: the type of the result, or the first argument that does not fit.

use super::What;
use super::infer::{Inferred, Scope, fault};
use super::loops::LOOPS;
use super::parse::{Expr, Kind};
use super::signatures::{Signature, functions_of, is_library, is_member_of, members_of, signatures};
use super::types::Ty;
use std::ops::Range;

impl<'s> Scope<'s> {
    /// An operator between values, with the place of its sign.
    pub(super) fn operator(&mut self, sign: &str, given: &[Ty<'s>], at: &Range<usize>) -> Inferred<'s> {
        if let Ok(found) = self.resolve(signatures(sign), given) {
            return Ok(found);
        }
        let sign = match sign {
            "[]" | "[?]" => "[..]",
            "?:" => ":",
            "_in_" => "in",
            sign => sign,
        };
        let (left, right) = match given {
            [.., left, right] => (self.described(left), self.described(right)),
            [only] => (String::new(), self.described(only)),
            [] => Default::default(),
        };
        Err(fault(at, What::Operator { sign: sign.to_owned(), left, right }))
    }

    pub(super) fn call(
        &mut self,
        of: Option<&Expr>,
        name: &str,
        arguments: &[Expr],
        at: &Range<usize>,
    ) -> Inferred<'s> {
        let Some(of) = of else {
            if name == "has" {
                return self.has(arguments, at);
            }
            return self.function("", name, arguments, at);
        };
        if let Kind::Ident(library) = &of.kind
            && is_library(library)
            && !self.variables.iter().any(|(known, _)| known == library)
        {
            return self.function(library, name, arguments, at);
        }
        let found = self.expr(of)?;
        let found = self.known.resolved(&found);
        if LOOPS.contains(&name) && arguments.len() >= if name == "existsOne" { 3 } else { 2 } {
            return self.repeated(&found, name, arguments, (&of.bytes, at));
        }
        let ways = signatures(&format!(".{name}"));
        if !ways.iter().any(|way| is_member_of(way, &found)) {
            let known = members_of(&found).into_iter().map(str::to_owned).collect();
            return Err(fault(at, What::NoFunction { name: name.to_owned(), of: found.describe(), known }));
        }
        self.apply(ways, (name, at), Some(found), arguments)
    }

    /// `has(a.b)`: whether an optional field is there.
    fn has(&mut self, arguments: &[Expr], at: &Range<usize>) -> Inferred<'s> {
        match arguments {
            [argument] if matches!(argument.kind, Kind::Select { optional: false, .. }) => {
                self.expr(argument)?;
                Ok(Ty::Bool)
            }
            _ => Err(fault(at, What::Syntax("`has` takes a field: `has(self.name)`".to_owned()))),
        }
    }

    /// A function of a library, or one that is called on nothing.
    fn function(&mut self, library: &str, name: &str, arguments: &[Expr], at: &Range<usize>) -> Inferred<'s> {
        let (key, of) = match library {
            "" => (name.to_owned(), String::new()),
            library => (format!("{library}.{name}"), format!("`{library}`")),
        };
        let ways = signatures(&key);
        if ways.is_empty() {
            let known = functions_of(library).into_iter().map(str::to_owned).collect();
            return Err(fault(at, What::NoFunction { name: name.to_owned(), of, known }));
        }
        self.apply(ways, (name, at), None, arguments)
    }

    /// A call of a function on what has been found, or on nothing.
    fn apply(
        &mut self,
        ways: &'static [Signature],
        (name, at): (&str, &Range<usize>),
        of: Option<Ty<'s>>,
        arguments: &[Expr],
    ) -> Inferred<'s> {
        let before = usize::from(of.is_some());
        let is_for = |way: &&Signature| of.as_ref().is_none_or(|of| is_member_of(way, of));
        if !ways.iter().filter(is_for).any(|way| way.count() == arguments.len() + before) {
            return Err(fault(at, What::Arguments(name.to_owned())));
        }
        let mut given: Vec<_> = of.into_iter().collect();
        for argument in arguments {
            given.push(self.expr(argument)?);
        }
        self.resolve(ways, &given).map_err(|misfit| {
            let bytes =
                misfit.checked_sub(before).and_then(|nth| arguments.get(nth)).map_or(at, |arg| &arg.bytes);
            let found = given.get(misfit).map(|found| self.described(found)).unwrap_or_default();
            fault(bytes, What::Argument { name: name.to_owned(), found })
        })
    }

    /// What a call gives; where several ways of calling fit, it is what all of them give.
    ///
    /// # Errors
    /// Which argument fits no way: the last of those that stop a way.
    pub(super) fn resolve(&mut self, ways: &'static [Signature], given: &[Ty<'s>]) -> Result<Ty<'s>, usize> {
        let mut result: Option<Ty<'s>> = None;
        let mut misfit = 0;
        for way in ways.iter().filter(|way| way.count() == given.len()) {
            let mut known = self.known.clone();
            let (takes, gives) = way.instance(&mut known);
            match takes.iter().zip(given).position(|(wanted, given)| !known.fits(wanted, given)) {
                Some(at) => misfit = misfit.max(at),
                None => {
                    let gives = known.resolved(&gives);
                    self.known = known;
                    result = Some(match result {
                        Some(before) if before != gives => Ty::Dyn,
                        _ => gives,
                    });
                }
            }
        }
        result.ok_or(misfit)
    }

    fn described(&self, ty: &Ty<'s>) -> String {
        self.known.resolved(ty).describe()
    }
}
