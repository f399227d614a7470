//! Inference: the type of an expression, or the first thing in it that does not fit.

use super::lex::Token;
use super::names::unescaped;
use super::parse::{Expr, Kind};
use super::types::{Bindings, Ty};
use super::{Fault, What};
use crate::schema::{Keyword, Schema};
use std::collections::HashMap;
use std::ops::Range;

/// The type of an expression with these variables.
///
/// # Errors
/// The first thing that does not fit.
pub(super) fn infer<'s>(expr: &Expr, variables: Vec<(String, Ty<'s>)>) -> Result<(Ty<'s>, Types<'s>), Fault> {
    let mut scope = Scope { variables, types: Types::default(), known: Bindings::default() };
    let found = scope.expr(expr)?;
    let Scope { mut types, known, .. } = scope;
    types.0.values_mut().for_each(|ty| *ty = known.settled(ty));
    Ok((known.settled(&found), types))
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
    pub(super) types: Types<'s>,
    /// What is known of types that are not written.
    pub(super) known: Bindings<'s>,
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
            Kind::Literal(token) => Ok(literal(token)),
            Kind::Maybe(inner) => self.maybe(inner),
            Kind::Ident(name) => self.name(name, &expr.bytes),
            Kind::Select { of, field, optional, at } => self.select(expr, of, (field, *optional), at),
            Kind::Call { of, name, arguments, at } => self.call(of.as_deref(), name, arguments, at),
            Kind::Index { of, index, optional } => {
                let given = [self.expr(of)?, self.expr(index)?];
                self.operator(if *optional { "[?]" } else { "[]" }, &given, &index.bytes)
            }
            Kind::List(items) => {
                let mut of = None;
                for item in items {
                    let found = self.expr(item)?;
                    of = Some(self.known.joined(of, found));
                }
                Ok(Ty::list(self.or_unknown(of)))
            }
            Kind::Map(entries) => {
                let (mut keys, mut values) = (None, None);
                for (key, value) in entries {
                    let found = self.expr(key)?;
                    keys = Some(self.known.joined(keys, found));
                    let found = self.expr(value)?;
                    values = Some(self.known.joined(values, found));
                }
                Ok(Ty::map(self.or_unknown(keys), self.or_unknown(values)))
            }
            Kind::Unary(sign, inner) => {
                let found = self.expr(inner)?;
                self.operator(sign, &[found], &expr.bytes)
            }
            Kind::Binary(sign, at, left, right) => {
                let given = [self.expr(left)?, self.expr(right)?];
                self.operator(if *sign == "in" { "_in_" } else { sign }, &given, at)
            }
            Kind::Choice(condition, first, second) => {
                self.verdict(condition)?;
                let (first, second) = (self.expr(first)?, self.expr(second)?);
                self.operator("?:", &[Ty::Bool, first, second], &expr.bytes)
            }
        }
    }

    /// What is there of a part that may be left out.
    fn maybe(&mut self, inner: &Expr) -> Inferred<'s> {
        let found = self.expr(inner)?;
        match self.known.resolved(&found) {
            Ty::Optional(inner) => Ok(*inner),
            Ty::Dyn | Ty::Var(_) => Ok(Ty::Dyn),
            found => {
                let (wanted, found) = ("an optional", found.describe());
                Err(fault(&inner.bytes, What::Result { wanted, found }))
            }
        }
    }

    /// The type of the parts of a list or map that has none may be any.
    fn or_unknown(&mut self, of: Option<Ty<'s>>) -> Ty<'s> {
        of.unwrap_or_else(|| self.unknown())
    }

    /// A type of which nothing is known yet.
    pub(super) fn unknown(&mut self) -> Ty<'s> {
        Ty::Var(self.known.fresh())
    }

    /// Something that must be true or false.
    pub(super) fn verdict(&mut self, expr: &Expr) -> Result<(), Fault> {
        let found = self.expr(expr)?;
        if self.known.fits(&Ty::Bool, &found) {
            return Ok(());
        }
        let found = self.known.resolved(&found).describe();
        Err(fault(&expr.bytes, What::Result { wanted: "true or false", found }))
    }

    fn name(&self, name: &str, bytes: &Range<usize>) -> Inferred<'s> {
        let found = self.variables.iter().rev().find(|(known, _)| known == name);
        if let Some((_, ty)) = found {
            return Ok(ty.clone());
        }
        if let Some(ty) = type_of_name(name) {
            return Ok(Ty::of_type(ty));
        }
        let known = self.variables.iter().map(|(known, _)| known.clone());
        Err(fault(bytes, What::NoName(name.to_owned(), known.collect())))
    }

    fn select(
        &mut self,
        whole: &Expr,
        of: &Expr,
        (field, optional): (&str, bool),
        at: &Range<usize>,
    ) -> Inferred<'s> {
        if let Some(ty) = qualified(whole).and_then(|name| type_of_name(&name)) {
            return Ok(Ty::of_type(ty));
        }
        let of = self.expr(of)?;
        let of = self.known.resolved(&of);
        let found = self.field(&of, field, at)?;
        Ok(match found {
            found @ Ty::Optional(_) => found,
            found if optional || matches!(of, Ty::Optional(_)) => Ty::optional(found),
            found => found,
        })
    }

    fn field(&self, of: &Ty<'s>, field: &str, at: &Range<usize>) -> Inferred<'s> {
        match of {
            Ty::Dyn | Ty::Var(_) => Ok(Ty::Dyn),
            Ty::Map(_, values) => Ok(Ty::clone(values)),
            Ty::Optional(inner) => self.field(inner, field, at),
            Ty::Object(node) => member_of(node.schema(), &unescaped(field)).map_err(|what| fault(at, what)),
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

/// The type that a name stands for.
fn type_of_name<'s>(name: &str) -> Option<Ty<'s>> {
    Some(match name {
        "bool" => Ty::Bool,
        "int" => Ty::Int,
        "uint" => Ty::Uint,
        "double" => Ty::Double,
        "string" => Ty::Text,
        "bytes" => Ty::Bytes,
        "list" => Ty::list(Ty::Dyn),
        "map" => Ty::map(Ty::Dyn, Ty::Dyn),
        "null_type" => Ty::Null,
        "type" => Ty::of_type(Ty::Dyn),
        "optional_type" => Ty::optional(Ty::Dyn),
        "google.protobuf.Timestamp" => Ty::Timestamp,
        "google.protobuf.Duration" => Ty::Duration,
        "google.protobuf.Empty" => Ty::Library("empty"),
        "net.IP" => Ty::Library("ip"),
        "net.CIDR" => Ty::Library("cidr"),
        _ => return None,
    })
}

/// The name that an expression spells, such as `net.IP`.
fn qualified(expr: &Expr) -> Option<String> {
    match &expr.kind {
        Kind::Ident(name) => Some(name.clone()),
        Kind::Select { of, field, optional: false, .. } => Some(format!("{}.{field}", qualified(of)?)),
        _ => None,
    }
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
