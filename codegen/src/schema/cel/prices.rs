//! What functions and operators cost by themselves, and how large their results may be.

use super::cost::{Call, Coster, LIST, UNKNOWN};
use super::types::Ty;
use crate::schema::cel::lex::Token;
use crate::schema::cel::parse::{Expr, Kind};

/// What reading a text costs for each of its bytes.
const TEXT: f64 = 0.1;
/// What a regular expression costs for each of its bytes.
const PATTERN: f64 = 0.25;
/// How long the expressions behind named formats are.
const FORMAT: f64 = 128.0;
/// The longest address, twice: both are read when one is looked for in another.
const ADDRESSES: u64 = 32;

/// A part of a size, rounded up.
fn part(size: u64, factor: f64) -> u64 {
    let product = (size as f64 * factor).ceil();
    if product >= u64::MAX as f64 { u64::MAX } else { product as u64 }
}

fn read(size: u64) -> u64 {
    part(size, TEXT)
}

/// Looking for a pattern in a text.
fn matched(text: u64, pattern: u64) -> u64 {
    read(text.saturating_add(1)).saturating_mul(part(pattern, PATTERN))
}

fn is_text(ty: &Ty<'_>) -> bool {
    matches!(ty, Ty::Text | Ty::Bytes)
}

impl Coster<'_> {
    /// What a call costs besides what it is called on and with, and the size of its result where that is known.
    pub(super) fn own(&self, call: &Call<'_>) -> (u64, Option<u64>) {
        let found = self.of_lists(call).or_else(|| self.of_texts(call)).or_else(|| self.of_addresses(call));
        found.or_else(|| self.of_operators(call)).unwrap_or((1, None))
    }

    fn argument(&self, call: &Call<'_>, at: usize) -> u64 {
        call.arguments.get(at).map_or(UNKNOWN, |argument| self.size(argument))
    }

    /// Functions that make lists of lists.
    fn of_lists(&self, call: &Call<'_>) -> Option<(u64, Option<u64>)> {
        let own = call.target.map(|target| self.size(target));
        let list = call.target.is_some_and(|target| matches!(self.ty(target), Ty::List(_) | Ty::Dyn));
        let (cost, size) = match (call.name, own) {
            ("sort", Some(own)) => {
                let by = match call.target.map(|target| self.ty(target)) {
                    Some(Ty::List(items)) => Compared::of(items),
                    _ => Compared::Texts,
                };
                sorted(own, by)
            }
            ("distinct", Some(own)) => listed(own.saturating_mul(own), 2.0),
            ("reverse", Some(own)) if list => listed(own, 1.0),
            ("slice", Some(own)) => {
                let [start, end] =
                    [(0, 0), (1, own)].map(|(at, otherwise)| number(call, at).unwrap_or(otherwise));
                listed(end.wrapping_sub(start), 1.0)
            }
            ("flatten", Some(own)) => {
                let depth = if call.arguments.is_empty() { 1 } else { number(call, 0).unwrap_or(UNKNOWN) };
                listed(own, depth as f64)
            }
            ("lists.range", None) => listed(number(call, 0).unwrap_or(UNKNOWN), 1.0),
            _ => return None,
        };
        Some((cost, Some(size)))
    }

    fn of_texts(&self, call: &Call<'_>) -> Option<(u64, Option<u64>)> {
        let first = self.argument(call, 0);
        let own = call.target.map_or(first, |target| self.size(target));
        Some(match call.name {
            "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => {
                (self.each_item(call, own), None)
            }
            "url" | "lowerAscii" | "upperAscii" | "substring" | "trim" => (read(own), Some(own)),
            "split" => (part(own, 2.0 * TEXT), Some(own)),
            "replace" => {
                let from = call.arguments.first().filter(|from| is_literal(from)).map_or(0, |_| first);
                (part(own, 2.0 * TEXT), Some(replaced(own, from, self.argument(call, 1))))
            }
            "join" => {
                let item = call.target.map_or(UNKNOWN, |target| self.item_size(target));
                let between = if call.arguments.is_empty() { 0 } else { first };
                let size =
                    own.saturating_mul(item).saturating_add(between.saturating_mul(own.saturating_sub(1)));
                (read(size), Some(size))
            }
            "find" | "findAll" => (matched(own, first), Some(own)),
            "matches" if call.target.is_some() => (matched(own, first), None),
            "matches" => (matched(own, self.argument(call, 1)), None),
            "quantity" | "isQuantity" | "semver" | "isSemver" | "startsWith" | "endsWith" => {
                (read(first), None)
            }
            "validate" => (part(read(first), FORMAT * PATTERN), None),
            "format" => (read(own), None),
            // Every letter may be escaped, and quotes stand around them.
            "strings.quote" => (read(own), Some(own.saturating_mul(2).saturating_add(2))),
            "contains" => (read(own).saturating_mul(read(first)), None),
            _ => return None,
        })
    }

    /// Comparing each item of a list, or reading a text.
    fn each_item(&self, call: &Call<'_>, own: u64) -> u64 {
        match call.target.map(|target| (target, self.ty(target))) {
            Some((target, Ty::List(items))) => {
                let item = if is_text(items) { read(self.item_size(target)) } else { 0 };
                own.saturating_mul(item.saturating_add(1))
            }
            _ => read(own),
        }
    }

    fn of_addresses(&self, call: &Call<'_>) -> Option<(u64, Option<u64>)> {
        let first = self.argument(call, 0);
        // A text is read before it is an address.
        let is_text = call.arguments.first().is_some_and(|argument| matches!(self.ty(argument), Ty::Text));
        let as_text = if is_text { read(first) } else { 0 };
        Some(match call.name {
            "ip" if call.target.is_some() => (1, None),
            "cidr" | "isIP" | "isCIDR" | "ip" => (read(first), None),
            "ip.isCanonical" => (part(first, 2.0 * TEXT), None),
            "containsIP" => (as_text.saturating_add(read(ADDRESSES)), None),
            "containsCIDR" => (as_text.saturating_add(read(ADDRESSES) + read(ADDRESSES / 2) + 1), None),
            _ => return None,
        })
    }

    fn of_operators(&self, call: &Call<'_>) -> Option<(u64, Option<u64>)> {
        let (first, second) = (self.argument(call, 0), self.argument(call, 1));
        let ty = |at: usize| call.arguments.get(at).map(|argument| self.ty(argument));
        let may_be_text = |ty: &Ty<'_>| is_text(ty) || *ty == Ty::Dyn;
        let of_texts = ty(0).is_some_and(may_be_text);
        Some(match call.name {
            "in" if matches!(ty(1), Some(Ty::List(_) | Ty::Dyn)) => (second, None),
            "sets.contains" | "sets.intersects" => (first.saturating_mul(second).saturating_add(1), None),
            "sets.equivalent" => (first.saturating_mul(second).saturating_mul(2).saturating_add(1), None),
            "+" => {
                let size = first.saturating_add(second);
                match (ty(0), ty(1)) {
                    (Some(Ty::List(_)), _) | (_, Some(Ty::List(_))) => (1, Some(size)),
                    (Some(left), Some(right)) if may_be_text(left) && may_be_text(right) => {
                        (read(size), Some(size))
                    }
                    _ => (1, None),
                }
            }
            "==" | "!=" => (read(first.min(second)), None),
            "<" | ">" | "<=" | ">=" if of_texts && ty(1).is_some_and(may_be_text) => {
                (read(first.min(second)), None)
            }
            "string" | "bytes" if ty(0) == Some(self.ty(call.expr)) => (1, Some(first)),
            "string" if of_texts => (read(first).max(1), Some(first)),
            // A letter has up to four bytes.
            "bytes" if of_texts => (read(first).max(1), Some(first.saturating_mul(4))),
            _ => return None,
        })
    }
}

/// The number that an argument is written as.
fn number(call: &Call<'_>, at: usize) -> Option<u64> {
    match call.arguments.get(at).map(|argument| &argument.kind) {
        Some(Kind::Literal(Token::Int(number))) => Some(*number),
        _ => None,
    }
}

/// Making a list of so many items: what it costs, and how many they are.
fn listed(items: u64, factor: f64) -> (u64, u64) {
    (part(items, factor).saturating_add(1 + LIST), items)
}

/// What is compared where a list is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compared {
    /// Texts, letter by letter.
    Texts,
    /// Anything else.
    Others,
}

impl Compared {
    pub(super) fn of(ty: &Ty<'_>) -> Self {
        if is_text(ty) || *ty == Ty::Dyn { Self::Texts } else { Self::Others }
    }
}

/// Sorting so many items: each is compared with each, twice.
pub(super) fn sorted(items: u64, by: Compared) -> (u64, u64) {
    listed(items.saturating_mul(items), if by == Compared::Texts { 2.0 + TEXT } else { 2.0 })
}

fn is_literal(expr: &Expr) -> bool {
    matches!(&expr.kind, Kind::Literal(token) if !matches!(token, Token::Sign(_)))
}

/// How long a text may get when parts of at least `from` letters are replaced by up to `to`.
fn replaced(size: u64, from: u64, to: u64) -> u64 {
    match from {
        0 => size.saturating_add(1).saturating_mul(to).saturating_add(size),
        from if to <= from => size,
        from => size.div_ceil(from).saturating_mul(to),
    }
}
