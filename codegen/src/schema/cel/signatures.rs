//! The functions and operators of Kubernetes' rules: what they take and what they give.
//!
//! In: a name, as `size`, `.contains` of a value, `optional.of` of a library, or an operator. Out: the ways in which it can be called, from
//! `signatures.txt`: one way a line, after it what it gives. `A` and `B` stand for types that are found out, `#` for each of the words before
//! the colon, and what is in brackets can be left out.

use super::types::{Bindings, Ty};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One way of calling a function.
#[derive(Debug, Clone)]
pub(super) struct Signature {
    /// The types of its arguments; that on which it is called comes first.
    takes: Vec<Ty<'static>>,
    gives: Ty<'static>,
    /// How many types it leaves open.
    open: usize,
}

impl Signature {
    /// How many arguments it takes, with that on which it is called.
    pub(super) fn count(&self) -> usize {
        self.takes.len()
    }

    /// Itself with its open types made unknown ones of an expression: what it takes and what it gives.
    pub(super) fn instance(&self, bindings: &mut Bindings<'_>) -> (Vec<Ty<'static>>, Ty<'static>) {
        let fresh: Vec<usize> = (0..self.open).map(|_| bindings.fresh()).collect();
        (self.takes.iter().map(|ty| renamed(ty, &fresh)).collect(), renamed(&self.gives, &fresh))
    }
}

/// The ways of calling a function; none where there is no such function.
pub(super) fn signatures(name: &str) -> &'static [Signature] {
    TABLE.get(name).map_or(&[], Vec::as_slice)
}

/// Whether functions are called on this name.
pub(super) fn is_library(name: &str) -> bool {
    let is_of = |known: &&str| known.split_once('.').is_some_and(|(library, _)| library == name);
    !name.is_empty() && TABLE.keys().any(is_of)
}

/// The names of the functions of a library, or of those that are called on nothing.
pub(super) fn functions_of(library: &str) -> Vec<&'static str> {
    let names = TABLE.keys().filter_map(|known| match known.split_once('.') {
        Some((of, name)) => (of == library && !of.is_empty()).then_some(name),
        None => {
            (library.is_empty() && known.starts_with(|letter: char| letter.is_alphabetic())).then_some(*known)
        }
    });
    names.collect()
}

/// The names of the functions that are called on a value of this kind.
pub(super) fn members_of(of: &Ty<'_>) -> Vec<&'static str> {
    let is_for = |signature: &Signature| signature.takes.first().is_some_and(|first| first.is_kind_of(of));
    let own = TABLE.iter().filter(|(_, signatures)| signatures.iter().any(is_for));
    own.filter_map(|(name, _)| name.strip_prefix('.')).collect()
}

/// Whether a way of calling a function is for values of this kind.
pub(super) fn is_member_of(signature: &Signature, of: &Ty<'_>) -> bool {
    signature.takes.first().is_some_and(|first| first.is_kind_of(of))
}

static TABLE: LazyLock<BTreeMap<&'static str, Vec<Signature>>> = LazyLock::new(|| {
    let mut table: BTreeMap<&'static str, Vec<Signature>> = BTreeMap::new();
    for line in include_str!("signatures.txt").lines() {
        let (words, rest) = line.split_once(": ").unwrap_or(("", line));
        let Some((call, gives)) = rest.rsplit_once(") ") else { continue };
        let Some((name, takes)) = call.split_once('(') else { continue };
        let ways = table.entry(name).or_default();
        if words.is_empty() {
            add(takes, gives, ways);
        }
        for word in words.split_whitespace() {
            add(&takes.replace('#', word), &gives.replace('#', word), ways);
        }
    }
    table
});

/// Adds the ways of one line, without and with what may be left out.
fn add(takes: &str, gives: &str, ways: &mut Vec<Signature>) {
    let read_all = |takes: &str| parts(takes).into_iter().map(read).collect::<Vec<_>>();
    let open =
        ["A", "B"].into_iter().filter(|letter| takes.contains(letter) || gives.contains(letter)).count();
    let gives = read(gives);
    if let Some((always, rest)) = takes.split_once(", [") {
        ways.push(Signature { takes: read_all(always), gives: gives.clone(), open });
        let all = format!("{always}, {}", rest.trim_end_matches(']'));
        ways.push(Signature { takes: read_all(&all), gives, open });
    } else {
        ways.push(Signature { takes: read_all(takes), gives, open });
    }
}

/// What stands between the commas that are not within `<` and `>`.
fn parts(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(start..));
    found.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn read(text: &str) -> Ty<'static> {
    let below = |kind: &str| text.strip_prefix(kind)?.strip_prefix('<')?.strip_suffix('>');
    if let Some(both) = below("map") {
        let mut both = parts(both).into_iter().map(read);
        return Ty::map(both.next().unwrap_or(Ty::Dyn), both.next().unwrap_or(Ty::Dyn));
    }
    for (kind, of) in [("list", Ty::list as fn(_) -> _), ("optional", Ty::optional), ("type", Ty::of_type)] {
        if let Some(inner) = below(kind) {
            return of(read(inner));
        }
    }
    match text {
        "A" => Ty::Var(0),
        "B" => Ty::Var(1),
        "null" => Ty::Null,
        "bool" => Ty::Bool,
        "int" => Ty::Int,
        "uint" => Ty::Uint,
        "double" => Ty::Double,
        "text" => Ty::Text,
        "bytes" => Ty::Bytes,
        "timestamp" => Ty::Timestamp,
        "duration" => Ty::Duration,
        "quantity" => Ty::Library("quantity"),
        "url" => Ty::Library("url"),
        "ip" => Ty::Library("ip"),
        "cidr" => Ty::Library("cidr"),
        "semver" => Ty::Library("semver"),
        "format" => Ty::Library("format"),
        _ => Ty::Dyn,
    }
}

fn renamed(of: &Ty<'static>, fresh: &[usize]) -> Ty<'static> {
    match of {
        Ty::Var(id) => Ty::Var(fresh.get(*id).copied().unwrap_or(*id)),
        Ty::List(items) => Ty::list(renamed(items, fresh)),
        Ty::Map(keys, values) => Ty::map(renamed(keys, fresh), renamed(values, fresh)),
        Ty::Optional(inner) => Ty::optional(renamed(inner, fresh)),
        Ty::Type(inner) => Ty::of_type(renamed(inner, fresh)),
        other => other.clone(),
    }
}
