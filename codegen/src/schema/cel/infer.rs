//! Inference: the type of an expression, or the first thing in it that does not fit.

use super::functions::{Function, Gives, global, is_namespace, member};
use super::lex::Token;
use super::operators::{binary, joined};
use super::parse::{Expr, Kind};
use super::types::Ty;
use super::{Fault, What};
use crate::schema::bounds::unread;
use crate::schema::{Keyword, Schema};
use std::collections::HashMap;
use std::ops::Range;

/// Types by their names.
const TYPES: [&str; 11] =
    ["bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type", "optional_type"];

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

/// The type of an expression with these variables.
///
/// # Errors
/// The first thing that does not fit.
pub(super) fn infer<'s>(expr: &Expr, variables: Vec<(String, Ty<'s>)>) -> Result<(Ty<'s>, Types<'s>), Fault> {
    let mut scope = Scope { variables, types: Types::default() };
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

struct Scope<'s> {
    variables: Vec<(String, Ty<'s>)>,
    types: Types<'s>,
}

type Inferred<'s> = Result<Ty<'s>, Fault>;

fn fault(bytes: &Range<usize>, what: What) -> Fault {
    Fault { bytes: bytes.clone(), what }
}

impl<'s> Scope<'s> {
    fn expr(&mut self, expr: &Expr) -> Inferred<'s> {
        let found = self.part(expr)?;
        self.types.0.insert((expr.bytes.start, expr.bytes.end), found.clone());
        Ok(found)
    }

    fn part(&mut self, expr: &Expr) -> Inferred<'s> {
        match &expr.kind {
            Kind::Literal(token) => Ok(literal(token)),
            Kind::Ident(name) => self.name(name, &expr.bytes),
            Kind::Select { of, field, optional, at } => self.select(of, (field, *optional), at),
            Kind::Call { of, name, arguments, at } => self.call(of.as_deref(), name, arguments, at),
            Kind::Index { of, index, optional } => self.index(of, index, *optional),
            Kind::List(items) => {
                let mut of = None;
                for item in items {
                    let found = self.expr(item)?;
                    of = Some(alike(of, found, &item.bytes)?);
                }
                Ok(Ty::List(Box::new(of.unwrap_or(Ty::Dyn))))
            }
            Kind::Map(entries) => {
                let mut of = None;
                for (key, value) in entries {
                    self.expr(key)?;
                    let found = self.expr(value)?;
                    of = Some(alike(of, found, &value.bytes)?);
                }
                Ok(Ty::Map(Box::new(of.unwrap_or(Ty::Dyn))))
            }
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
                Ok(joined(Some(first), second))
            }
        }
    }

    /// Something that must be true or false.
    fn verdict(&mut self, expr: &Expr) -> Result<(), Fault> {
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
            Ty::Map(values) => Ty::clone(values),
            Ty::Dyn => Ty::Dyn,
            other => return Err(operator(&bytes, ("[..]", Some(other), &index))),
        };
        let is_optional = optional || matches!(of, Ty::Optional(_));
        Ok(if is_optional && found != Ty::Dyn { Ty::Optional(Box::new(found)) } else { found })
    }

    fn call(&mut self, of: Option<&Expr>, name: &str, arguments: &[Expr], at: &Range<usize>) -> Inferred<'s> {
        let Some(of) = of else {
            if name == "has" {
                return self.has(arguments, at);
            }
            let function = global("", name).map_err(|known| unknown(at, (name, String::new()), &known))?;
            return self.arguments((function, name), &Ty::Dyn, arguments, at);
        };
        if let Kind::Ident(namespace) = &of.kind
            && is_namespace(namespace)
            && !self.variables.iter().any(|(known, _)| known == namespace)
        {
            let function = global(namespace, name)
                .map_err(|known| unknown(at, (name, format!("`{namespace}`")), &known))?;
            return self.arguments((function, name), &Ty::Dyn, arguments, at);
        }
        let receiver = self.expr(of)?;
        if LOOPS.contains(&name) && arguments.len() >= 2 {
            return self.repeated(&receiver, name, arguments, (&of.bytes, at));
        }
        let function =
            member(&receiver, name).map_err(|known| unknown(at, (name, receiver.describe()), &known))?;
        self.arguments((function, name), &receiver, arguments, at)
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

    fn arguments(
        &mut self,
        (function, name): (Function, &str),
        of: &Ty<'s>,
        arguments: &[Expr],
        at: &Range<usize>,
    ) -> Inferred<'s> {
        let (least, most) = function.arguments;
        if arguments.len() < least || arguments.len() > most {
            return Err(fault(at, What::Arguments(name.to_owned())));
        }
        let mut last = Ty::Dyn;
        for argument in arguments {
            last = match &argument.kind {
                // What is put into a text may be of different types.
                Kind::List(items) if name == "format" => {
                    items.iter().try_for_each(|item| self.expr(item).map(drop))?;
                    Ty::Dyn
                }
                _ => self.expr(argument)?,
            };
        }
        readable(name, arguments)?;
        Ok(given(function.gives, of, last))
    }

    /// A loop: what is behind the variables sees them.
    fn repeated(
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
            Ty::List(items) if two => (Ty::Int, Ty::clone(items)),
            Ty::List(items) => (Ty::clone(items), Ty::Dyn),
            Ty::Map(values) => (Ty::Text, Ty::clone(values)),
            Ty::Dyn => (Ty::Dyn, Ty::Dyn),
            other => {
                let (sign, left) = (format!(".{name}"), other.describe());
                return Err(fault(range, What::Operator { sign, left, right: String::new() }));
            }
        };
        let outer = self.variables.len();
        let mut rest = arguments;
        for ty in [Some(first), Some(second).filter(|_| two)].into_iter().flatten() {
            let Some((variable, behind)) = rest.split_first() else { break };
            let Kind::Ident(variable) = &variable.kind else {
                let reason = format!("the first argument of `{name}` is a name");
                return Err(fault(&variable.bytes, What::Syntax(reason)));
            };
            self.variables.push((variable.clone(), ty));
            rest = behind;
        }
        let found = self.steps(name, rest, at);
        self.variables.truncate(outer);
        let found = found?;
        Ok(match name {
            "all" | "exists" | "exists_one" | "existsOne" => Ty::Bool,
            "filter" => match of {
                Ty::Map(_) => Ty::List(Box::new(Ty::Text)),
                other => other.clone(),
            },
            "sortBy" => of.clone(),
            "map" | "transformList" => Ty::List(Box::new(found)),
            "optMap" => Ty::Optional(Box::new(found)),
            "optFlatMap" => found,
            _ => Ty::Dyn,
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

/// Patterns that are written out can be read. A server asks it of the first argument of `matches` even where that is the text.
fn readable(name: &str, arguments: &[Expr]) -> Result<(), Fault> {
    let patterns = match (name, arguments) {
        ("matches", all) => all,
        ("find" | "findAll", [pattern, ..]) => std::slice::from_ref(pattern),
        _ => return Ok(()),
    };
    for argument in patterns {
        if let Kind::Literal(Token::Text(pattern)) = &argument.kind
            && let Err(error) = kube_codegen_go_regex::read(pattern)
        {
            return Err(fault(&argument.bytes, What::Pattern(unread(&error))));
        }
    }
    Ok(())
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

/// The one type of the parts of a list or map that is written out.
fn alike<'s>(before: Option<Ty<'s>>, found: Ty<'s>, at: &Range<usize>) -> Inferred<'s> {
    match before {
        Some(before) if !before.goes_with(&found) => Err(operator(at, (",", Some(&before), &found))),
        before => Ok(joined(before, found)),
    }
}

fn given<'s>(gives: Gives, of: &Ty<'s>, argument: Ty<'s>) -> Ty<'s> {
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

/// A name as a schema has it.
pub(super) fn unescaped(name: &str) -> String {
    let keyword = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
    if let Some(keyword) = keyword.filter(|keyword| !keyword.is_empty() && !keyword.contains("__")) {
        return keyword.to_owned();
    }
    let mut name = name.to_owned();
    for (word, letter) in [("__dot__", "."), ("__dash__", "-"), ("__slash__", "/"), ("__underscores__", "__")]
    {
        name = name.replace(word, letter);
    }
    name
}
