//! The parser: text to an expression, by the grammar of CEL.

use super::Fault;
use super::lex::{Token, lex, syntax};
use std::ops::Range;

/// How deep an expression may be nested; servers allow 250 steps of recursion.
const DEPTH_LIMIT: usize = 100;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expr {
    pub(super) kind: Kind,
    /// Its bytes in the text.
    pub(super) bytes: Range<usize>,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// A number, a text, `true`, `null`.
    Literal(Token),
    Ident(String),
    /// `a.b`, or `a.?b`, with the bytes of the field's name.
    Select {
        of: Box<Expr>,
        field: String,
        optional: bool,
        at: Range<usize>,
    },
    /// `f(..)`, or `a.f(..)`, with the bytes of the function's name.
    Call {
        of: Option<Box<Expr>>,
        name: String,
        arguments: Vec<Expr>,
        at: Range<usize>,
    },
    Index {
        of: Box<Expr>,
        index: Box<Expr>,
        optional: bool,
    },
    List(Vec<Expr>),
    /// `?a` in a list or as the value of an entry: nothing where the optional is empty.
    Maybe(Box<Expr>),
    Map(Vec<(Expr, Expr)>),
    Unary(&'static str, Box<Expr>),
    /// An operator, with its bytes.
    Binary(&'static str, Range<usize>, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// The operators from the weakest to the strongest.
const LEVELS: [&[&str]; 5] =
    [&["||"], &["&&"], &["==", "!=", "<", "<=", ">", ">=", "in"], &["+", "-"], &["*", "/", "%"]];

/// Reads an expression.
///
/// # Errors
/// Where it stops being one.
pub(super) fn parse(text: &str) -> Result<Expr, Fault> {
    let mut parser = Parser { tokens: lex(text)?, at: 0, end: text.len(), depth: 0, signed: None };
    let expr = parser.choice()?;
    match parser.tokens.get(parser.at) {
        None => Ok(expr),
        Some((_, bytes)) => Err(parser.unexpected(bytes.clone())),
    }
}

struct Parser {
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    end: usize,
    depth: usize,
    /// The number before which one minus stands, by its place: it may be the least of all.
    signed: Option<usize>,
}

impl Expr {
    /// The expressions right below.
    pub(super) fn below(&self) -> Vec<&Self> {
        match &self.kind {
            Kind::Literal(_) | Kind::Ident(_) => Vec::new(),
            Kind::Select { of, .. } | Kind::Unary(_, of) | Kind::Maybe(of) => vec![of],
            Kind::Call { of, arguments, .. } => of.as_deref().into_iter().chain(arguments).collect(),
            Kind::Index { of, index, .. } => vec![of, index],
            Kind::Binary(_, _, left, right) => vec![left, right],
            Kind::List(items) => items.iter().collect(),
            Kind::Map(entries) => entries.iter().flat_map(|(key, value)| [key, value]).collect(),
            Kind::Choice(condition, first, second) => vec![condition, first, second],
        }
    }
}

impl Parser {
    /// The sign that comes next; `in` counts as one.
    fn sign(&self) -> Option<&'static str> {
        match self.tokens.get(self.at).map(|(token, _)| token) {
            Some(Token::Sign(sign)) => Some(sign),
            Some(Token::Ident(name)) if name == "in" => Some("in"),
            _ => None,
        }
    }

    fn here(&self) -> Range<usize> {
        self.tokens.get(self.at).map_or(self.end..self.end, |(_, bytes)| bytes.clone())
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.sign() == Some(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str, opened: Range<usize>) -> Result<usize, Fault> {
        let here = self.here();
        if self.eat(sign) {
            return Ok(here.end);
        }
        match self.tokens.get(self.at) {
            Some(_) => Err(self.unexpected(here)),
            None => Err(syntax(opened, format!("it is not closed with `{sign}`"))),
        }
    }

    fn unexpected(&self, bytes: Range<usize>) -> Fault {
        match self.tokens.get(self.at) {
            None => syntax(self.end.saturating_sub(1)..self.end, "it ends too early"),
            Some((Token::Ident(name), _)) => syntax(bytes, format!("`{name}` is not expected here")),
            Some((Token::Sign(sign), _)) => syntax(bytes, format!("`{sign}` is not expected here")),
            Some(_) => syntax(bytes, "this value is not expected here"),
        }
    }

    /// `a ? b : c`, or anything stronger.
    fn choice(&mut self) -> Result<Expr, Fault> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(syntax(self.here(), "it is nested too deep"));
        }
        let condition = self.level(0)?;
        let mark = self.here();
        let expr = if self.eat("?") {
            let first = self.level(0)?;
            self.expect(":", mark)?;
            let second = self.choice()?;
            let bytes = condition.bytes.start..second.bytes.end;
            Expr { kind: Kind::Choice(condition.into(), first.into(), second.into()), bytes }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn level(&mut self, level: usize) -> Result<Expr, Fault> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let Some(sign) = self.sign().filter(|sign| signs.contains(sign)) {
            let at = self.here();
            self.at += 1;
            let right = self.level(level + 1)?;
            let bytes = left.bytes.start..right.bytes.end;
            left = Expr { kind: Kind::Binary(sign, at, left.into(), right.into()), bytes };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Fault> {
        let start = self.here().start;
        let Some(sign) = self.sign().filter(|sign| matches!(*sign, "!" | "-")) else { return self.member() };
        let mut count = 0;
        while self.eat(sign) {
            count += 1;
        }
        self.signed = (sign == "-" && count == 1).then_some(self.at);
        let expr = self.member()?;
        let bytes = start..expr.bytes.end;
        // Two of them are none, whatever stands behind them.
        Ok(if count % 2 == 0 {
            Expr { bytes, ..expr }
        } else {
            Expr { kind: Kind::Unary(sign, expr.into()), bytes }
        })
    }

    /// A value with fields, calls and indices behind it.
    fn member(&mut self) -> Result<Expr, Fault> {
        let mut expr = self.primary()?;
        loop {
            let here = self.here();
            let start = expr.bytes.start;
            if self.eat(".") || self.eat(".?") {
                let optional = here.len() > 1;
                let (name, at) = self.name()?;
                let opened = self.here();
                expr = if !optional && self.eat("(") {
                    let (arguments, end) = self.list(")", opened)?;
                    let kind = Kind::Call { of: Some(expr.into()), name, arguments, at };
                    Expr { kind, bytes: start..end }
                } else {
                    let bytes = start..at.end;
                    Expr { kind: Kind::Select { of: expr.into(), field: name, optional, at }, bytes }
                };
            } else if self.eat("[") || self.eat("[?") {
                let index = self.choice()?;
                let end = self.expect("]", here.clone())?;
                let kind = Kind::Index { of: expr.into(), index: index.into(), optional: here.len() > 1 };
                expr = Expr { kind, bytes: start..end };
            } else {
                return Ok(expr);
            }
        }
    }

    fn name(&mut self) -> Result<(String, Range<usize>), Fault> {
        match self.tokens.get(self.at) {
            Some((Token::Ident(name), bytes)) => {
                let found = (name.clone(), bytes.clone());
                self.at += 1;
                Ok(found)
            }
            _ => Err(self.unexpected(self.here())),
        }
    }

    fn primary(&mut self) -> Result<Expr, Fault> {
        let Some((token, bytes)) = self.tokens.get(self.at).cloned() else {
            return Err(self.unexpected(self.here()));
        };
        self.at += 1;
        match token {
            Token::Sign("(") => {
                let inner = self.choice()?;
                let end = self.expect(")", bytes.clone())?;
                Ok(Expr { bytes: bytes.start..end, ..inner })
            }
            // A name from the root, which all are here.
            Token::Sign(".") if matches!(self.tokens.get(self.at), Some((Token::Ident(_), _))) => {
                self.primary()
            }
            Token::Sign("[" | "[?") => {
                let (items, end) = self.list("]", bytes.clone())?;
                Ok(Expr { kind: Kind::List(items), bytes: bytes.start..end })
            }
            Token::Sign("{") => self.map(bytes),
            Token::Sign(_) => {
                self.at -= 1;
                Err(self.unexpected(bytes))
            }
            Token::Ident(name) if matches!(name.as_str(), "true" | "false" | "null") => {
                Ok(Expr { kind: Kind::Literal(Token::Ident(name)), bytes })
            }
            Token::Ident(name) if name == "in" => {
                self.at -= 1;
                Err(self.unexpected(bytes))
            }
            Token::Ident(name) => {
                let opened = self.here();
                if self.eat("(") {
                    let (arguments, end) = self.list(")", opened)?;
                    let kind = Kind::Call { of: None, name, arguments, at: bytes.clone() };
                    return Ok(Expr { kind, bytes: bytes.start..end });
                }
                Ok(Expr { kind: Kind::Ident(name), bytes })
            }
            Token::Int(number) if number > self.largest() => Err(syntax(bytes, "this number is too large")),
            literal => Ok(Expr { kind: Kind::Literal(literal), bytes }),
        }
    }

    /// Expressions with commas between, up to a bracket; a comma may stand behind the last one of a list.
    fn list(&mut self, close: &str, opened: Range<usize>) -> Result<(Vec<Expr>, usize), Fault> {
        let mut items = Vec::new();
        // `[?` is one sign.
        let mut is_first_optional = close == "]"
            && self.tokens.get(self.at.wrapping_sub(1)).is_some_and(|(token, _)| *token == Token::Sign("[?"));
        loop {
            let end = self.here().end;
            if (items.is_empty() || close == "]") && self.eat(close) {
                return Ok((items, end));
            }
            let optional = self.eat("?") || std::mem::take(&mut is_first_optional);
            let item = self.choice()?;
            items.push(if optional && close == "]" { maybe(item) } else { item });
            if !self.eat(",") {
                let end = self.expect(close, opened)?;
                return Ok((items, end));
            }
        }
    }

    /// The largest number that the token just taken may be.
    fn largest(&self) -> u64 {
        const LARGEST: u64 = i64::MAX as u64;
        if self.signed.is_some_and(|at| at + 1 == self.at) { LARGEST + 1 } else { LARGEST }
    }

    fn map(&mut self, opened: Range<usize>) -> Result<Expr, Fault> {
        let mut entries = Vec::new();
        let start = opened.start;
        loop {
            let end = self.here().end;
            if self.eat("}") {
                return Ok(Expr { kind: Kind::Map(entries), bytes: start..end });
            }
            let optional = self.eat("?");
            let key = self.choice()?;
            self.expect(":", key.bytes.clone())?;
            let value = self.choice()?;
            entries.push((key, if optional { maybe(value) } else { value }));
            if !self.eat(",") {
                let end = self.expect("}", opened)?;
                return Ok(Expr { kind: Kind::Map(entries), bytes: start..end });
            }
        }
    }
}

fn maybe(item: Expr) -> Expr {
    Expr { bytes: item.bytes.clone(), kind: Kind::Maybe(item.into()) }
}
