//! Inference: the type of an expression, or the first thing in it that does not fit.

use super::arguments::{Misfit, misfit};
use super::functions::{Function, Gives, global, is_namespace, member, receiver};
use super::lex::Token;
use super::loops::LOOPS;
use super::names::unescaped;
use super::operators::{binary, joined};
use super::parse::{Expr, Kind};
use super::types::Ty;
use super::{Fault, What, written};
use crate::schema::{Keyword, Schema};
use std::collections::HashMap;
use std::ops::Range;

/// Types by their names.
const TYPES: [&str; 11] =
    ["bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type", "optional_type"];

/// The type of an expression with these variables.
///
/// # Errors
/// The first thing that does not fit.
pub(super) fn infer<'s>(expr: &Expr, variables: Vec<(String, Ty<'s>)>) -> Result<(Ty<'s>, Types<'s>), Fault> {
    let mut scope = Scope { variables, types: Types::default(), parts: Parts::Alike };
    let found = scope.expr(expr)?;
    Ok((found, scope.types))
}

/// The types of all parts of an expression.
#[derive(Debug, Default)]
pub(super) struct Types<'s>(HashMap<(usize, usize), Ty<'s>>);

impl<'s> Types<'s> {
    /// The type of a part; any value for what is none.
    pub(super) fn of(&self, expr: &Expr) -> &Ty<'s> {
        self.0.get(&(expr.bytes.start, expr.bytes.end)).unwrap_or(&Ty::Dyn)
    }
}

pub(super) struct Scope<'s> {
    pub(super) variables: Vec<(String, Ty<'s>)>,
    types: Types<'s>,
    parts: Parts,
}

/// Whether the parts of a list or map that is written out have to be of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parts {
    Alike,
    Any,
}

/// A call: what stands before the dot, be it a value or a name of functions, the function, its arguments and its place.
#[derive(Clone, Copy)]
struct Call<'e> {
    of: Option<&'e Expr>,
    namespace: Option<&'e str>,
    name: &'e str,
    arguments: &'e [Expr],
    at: &'e Range<usize>,
}

pub(super) type Inferred<'s> = Result<Ty<'s>, Fault>;

pub(super) fn fault(bytes: &Range<usize>, what: What) -> Fault {
    Fault { bytes: bytes.clone(), what }
}

impl<'s> Scope<'s> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Inferred<'s> {
        let found = self.part(expr)?;
        self.types.0.insert((expr.bytes.start, expr.bytes.end), found.clone());
        Ok(found)
    }

    fn part(&mut self, expr: &Expr) -> Inferred<'s> {
        match &expr.kind {
            Kind::Literal(Token::Int(number)) if i64::try_from(*number).is_err() => {
                Err(fault(&expr.bytes, What::Syntax("this number is too large".to_owned())))
            }
            Kind::Literal(token) => Ok(literal(token)),
            Kind::Maybe(inner) => match self.expr(inner)? {
                Ty::Optional(inner) => Ok(*inner),
                Ty::Dyn => Ok(Ty::Dyn),
                found => {
                    let (wanted, found) = ("an optional", found.describe());
                    Err(fault(&inner.bytes, What::Result { wanted, found }))
                }
            },
            Kind::Ident(name) => self.name(name, &expr.bytes),
            Kind::Select { of, field, optional, at } => self.select(of, (field, *optional), at),
            Kind::Call { of, name, arguments, at } => self.call(of.as_deref(), name, arguments, at),
            Kind::Index { of, index, optional } => self.index(of, index, *optional),
            Kind::List(items) => {
                let mut of = None;
                for item in items {
                    let found = self.expr(item)?;
                    of = Some(self.alike(of, found, &item.bytes)?);
                }
                Ok(Ty::List(Box::new(of.unwrap_or(Ty::Dyn))))
            }
            Kind::Map(entries) => self.map(entries),
            // The least number of all is written with its sign.
            Kind::Unary("-", inner) if matches!(inner.kind, Kind::Literal(Token::Int(_))) => Ok(Ty::Int),
            Kind::Unary(sign, inner) => {
                let found = self.expr(inner)?;
                match (*sign, &found) {
                    (_, Ty::Dyn) | ("!", Ty::Bool) | ("-", Ty::Int | Ty::Double) => Ok(found),
                    _ => Err(operator(&expr.bytes, (sign, None, &found))),
                }
            }
            Kind::Binary(sign, at, left, right) => {
                let left = self.expr(left)?;
                let right = self.expr(right)?;
                binary(sign, &left, &right).ok_or_else(|| operator(at, (sign, Some(&left), &right)))
            }
            Kind::Choice(condition, first, second) => {
                self.verdict(condition)?;
                let (first, second) = (self.expr(first)?, self.expr(second)?);
                match first.goes_with(&second) {
                    true => Ok(joined(Some(first), second)),
                    false => Err(operator(&expr.bytes, (":", Some(&first), &second))),
                }
            }
        }
    }

    /// A map that is written out. Rules that are typed know maps from texts.
    fn map(&mut self, entries: &[(Expr, Expr)]) -> Inferred<'s> {
        let (mut keys, mut of) = (None, None);
        for (key, value) in entries {
            let found = self.expr(key)?;
            keys = Some(self.alike(keys, found, &key.bytes)?);
            let found = self.expr(value)?;
            of = Some(self.alike(of, found, &value.bytes)?);
        }
        Ok(match keys {
            None | Some(Ty::Text) => Ty::Map(Box::new(of.unwrap_or(Ty::Dyn))),
            Some(_) => Ty::Dyn,
        })
    }

    /// The one type of the parts of a list or map that is written out.
    fn alike(&self, before: Option<Ty<'s>>, found: Ty<'s>, at: &Range<usize>) -> Inferred<'s> {
        match before {
            Some(before) if self.parts == Parts::Alike && !before.goes_with(&found) => {
                Err(operator(at, (",", Some(&before), &found)))
            }
            before => Ok(joined(before, found)),
        }
    }

    /// Something that must be true or false.
    pub(super) fn verdict(&mut self, expr: &Expr) -> Result<(), Fault> {
        match self.expr(expr)? {
            Ty::Bool | Ty::Dyn => Ok(()),
            found => {
                let what = What::Result { wanted: "true or false", found: found.describe() };
                Err(fault(&expr.bytes, what))
            }
        }
    }

    fn name(&self, name: &str, bytes: &Range<usize>) -> Inferred<'s> {
        let found = self.variables.iter().rev().find(|(known, _)| known == name);
        if let Some((_, ty)) = found {
            return Ok(ty.clone());
        }
        if TYPES.contains(&name) {
            return Ok(Ty::Type);
        }
        let known = self.variables.iter().map(|(known, _)| known.clone());
        Err(fault(bytes, What::NoName(name.to_owned(), known.collect())))
    }

    fn select(&mut self, of: &Expr, (field, optional): (&str, bool), at: &Range<usize>) -> Inferred<'s> {
        if is_type_of_messages(of) {
            return Ok(Ty::Type);
        }
        let of = self.expr(of)?;
        let found = self.field(&of, field, at)?;
        match (&of, found) {
            (_, found @ (Ty::Optional(_) | Ty::Dyn)) => Ok(found),
            (Ty::Optional(_), found) => Ok(Ty::Optional(Box::new(found))),
            (_, found) if optional => Ok(Ty::Optional(Box::new(found))),
            (_, found) => Ok(found),
        }
    }

    fn field(&self, of: &Ty<'s>, field: &str, at: &Range<usize>) -> Inferred<'s> {
        match of {
            Ty::Dyn => Ok(Ty::Dyn),
            Ty::Map(values) => Ok(Ty::clone(values)),
            Ty::Optional(inner) => self.field(inner, field, at),
            Ty::Object(schema) => member_of(schema, &unescaped(field)).map_err(|what| fault(at, what)),
            Ty::Library("metadata") if METADATA.contains(&field) => Ok(Ty::Text),
            Ty::Library("metadata") => {
                let known = METADATA.map(str::to_owned).to_vec();
                Err(fault(at, What::NoField(field.to_owned(), known)))
            }
            other => {
                let sign = format!(".{field}");
                Err(fault(at, What::Operator { sign, left: other.describe(), right: String::new() }))
            }
        }
    }

    fn index(&mut self, of: &Expr, index: &Expr, optional: bool) -> Inferred<'s> {
        let bytes = index.bytes.clone();
        let of = self.expr(of)?;
        let index = self.expr(index)?;
        let inner = match &of {
            Ty::Optional(inner) => inner,
            other => other,
        };
        let found = match inner {
            Ty::List(items) if index.is_number() || index == Ty::Dyn => Ty::clone(items),
            Ty::Map(values) if matches!(index, Ty::Text | Ty::Dyn) => Ty::clone(values),
            Ty::Dyn => Ty::Dyn,
            other => return Err(operator(&bytes, ("[..]", Some(other), &index))),
        };
        let is_optional = optional || matches!(of, Ty::Optional(_));
        Ok(if is_optional && found != Ty::Dyn { Ty::Optional(Box::new(found)) } else { found })
    }

    fn call(&mut self, of: Option<&Expr>, name: &str, arguments: &[Expr], at: &Range<usize>) -> Inferred<'s> {
        let call = Call { of, namespace: None, name, arguments, at };
        let Some(of) = of else {
            if name == "has" {
                return self.has(arguments, at);
            }
            let function = global("", name).map_err(|known| unknown(at, (name, String::new()), &known))?;
            return self.arguments(&Call { namespace: Some(""), ..call }, &Ty::Dyn, function);
        };
        if let Kind::Ident(namespace) = &of.kind
            && is_namespace(namespace)
            && !self.variables.iter().any(|(known, _)| known == namespace)
        {
            let function = global(namespace, name)
                .map_err(|known| unknown(at, (name, format!("`{namespace}`")), &known))?;
            return self.arguments(
                &Call { of: None, namespace: Some(namespace), ..call },
                &Ty::Dyn,
                function,
            );
        }
        let found = self.expr(of)?;
        if LOOPS.contains(&name) && arguments.len() >= if name == "existsOne" { 3 } else { 2 } {
            return self.repeated(&found, name, arguments, (&of.bytes, at));
        }
        let function = member(&found, name).map_err(|known| unknown(at, (name, found.describe()), &known))?;
        self.arguments(&call, &found, function)
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

    /// A call of a function on what has been found, or on nothing.
    fn arguments(&mut self, call: &Call<'_>, of: &Ty<'s>, function: Function) -> Inferred<'s> {
        let Call { name, arguments, at, .. } = *call;
        let (least, most) = function.arguments;
        if arguments.len() < least || arguments.len() > most {
            return Err(fault(at, What::Arguments(name.to_owned())));
        }
        // What is put into a text may be of different types.
        let parts =
            std::mem::replace(&mut self.parts, if name == "format" { Parts::Any } else { Parts::Alike });
        let given = arguments.iter().map(|argument| self.expr(argument)).collect::<Result<Vec<_>, _>>();
        self.parts = parts;
        let given = given?;
        let on = call.namespace.or_else(|| receiver(of)).unwrap_or_default();
        if let Some(misfit) = misfit(on, name, of, &given) {
            let argument = |at: usize| arguments.get(at).zip(given.get(at));
            let (bytes, found) = match misfit {
                Misfit::Receiver => (at, of.describe()),
                Misfit::Argument(nth) => {
                    argument(nth).map_or((at, String::new()), |(expr, ty)| (&expr.bytes, ty.describe()))
                }
            };
            return Err(fault(bytes, What::Argument { name: name.to_owned(), found }));
        }
        written::check(call.of, name, arguments, &self.types)?;
        Ok(result(function.gives, of, given.into_iter().next_back().unwrap_or(Ty::Dyn)))
    }
}

/// What rules see of metadata.
const METADATA: [&str; 2] = ["name", "generateName"];

/// A field of an object; a whole object has what every object has.
fn member_of<'s>(schema: &'s Schema, field: &str) -> Result<Ty<'s>, What> {
    let is_whole = schema.is(Keyword::EmbeddedResource) || schema.properties.contains_key("apiVersion");
    match (schema.properties.get(field), field) {
        (_, "metadata") if is_whole => Ok(Ty::Library("metadata")),
        (None, "apiVersion" | "kind") if is_whole => Ok(Ty::Text),
        (Some(member), _) if member.kind().is_empty() && !member.is(Keyword::IntOrString) => {
            Err(What::Hidden(field.to_owned()))
        }
        (Some(member), _) => Ok(Ty::of(member)),
        (None, _) => Err(What::NoField(field.to_owned(), schema.properties.keys().cloned().collect())),
    }
}

/// `google.protobuf.Timestamp` and its like.
fn is_type_of_messages(of: &Expr) -> bool {
    match &of.kind {
        Kind::Ident(name) => matches!(name.as_str(), "google" | "kubernetes" | "net"),
        Kind::Select { of, .. } => is_type_of_messages(of),
        _ => false,
    }
}

fn unknown(at: &Range<usize>, (name, of): (&str, String), known: &[&str]) -> Fault {
    let known = known.iter().map(|known| (*known).to_owned()).collect();
    fault(at, What::NoFunction { name: name.to_owned(), of, known })
}

fn operator(at: &Range<usize>, (sign, left, right): (&str, Option<&Ty<'_>>, &Ty<'_>)) -> Fault {
    let left = left.map(Ty::describe).unwrap_or_default();
    fault(at, What::Operator { sign: sign.to_owned(), left, right: right.describe() })
}

fn literal<'s>(token: &Token) -> Ty<'s> {
    match token {
        Token::Int(_) => Ty::Int,
        Token::Uint(_) => Ty::Uint,
        Token::Double(_) => Ty::Double,
        Token::Text(_) => Ty::Text,
        Token::Bytes(_) => Ty::Bytes,
        Token::Ident(name) if name == "null" => Ty::Null,
        Token::Ident(_) => Ty::Bool,
        Token::Sign(_) => Ty::Dyn,
    }
}

fn result<'s>(gives: Gives, of: &Ty<'s>, argument: Ty<'s>) -> Ty<'s> {
    let inner = || match of {
        Ty::List(inner) | Ty::Optional(inner) => Ty::clone(inner),
        _ => Ty::Dyn,
    };
    match gives {
        Gives::Bool => Ty::Bool,
        Gives::Int => Ty::Int,
        Gives::Uint => Ty::Uint,
        Gives::Double => Ty::Double,
        Gives::Text => Ty::Text,
        Gives::Bytes => Ty::Bytes,
        Gives::Texts => Ty::List(Box::new(Ty::Text)),
        Gives::Ints => Ty::List(Box::new(Ty::Int)),
        Gives::Timestamp => Ty::Timestamp,
        Gives::Duration => Ty::Duration,
        Gives::Type => Ty::Type,
        Gives::Dyn => Ty::Dyn,
        Gives::Library(name) => Ty::Library(name),
        Gives::Same => of.clone(),
        Gives::Inner => inner(),
        Gives::OptionalInner => Ty::Optional(Box::new(inner())),
        Gives::OptionalArgument => Ty::Optional(Box::new(argument)),
    }
}
