//! The arguments of functions: of what types they have to be.
//!
//! In: a function, what it is called on, and the types of its arguments. Out: the first that does not fit, and what would. What is only known
//! when the rule runs fits everything.

use super::types::Ty;

/// Whom a row is about, the name, what it has to be called on beyond that, and what it takes.
type Row = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// What can be put in order.
const ORDERED: &str =
    "list<int>|list<uint>|list<double>|list<bool>|list<duration>|list<timestamp>|list<text>|list<bytes>";
const SUMMED: &str = "list<int>|list<uint>|list<double>|list<duration>";

const ROWS: &[Row] = &[
    ("text", "contains", "", &["text"]),
    ("text", "startsWith", "", &["text"]),
    ("text", "endsWith", "", &["text"]),
    ("text", "matches", "", &["text"]),
    ("text", "find", "", &["text"]),
    ("text", "findAll", "", &["text", "int"]),
    ("text", "charAt", "", &["int"]),
    ("text", "indexOf", "", &["text", "int"]),
    ("text", "lastIndexOf", "", &["text", "int"]),
    ("text", "replace", "", &["text", "text", "int"]),
    ("text", "split", "", &["text", "int"]),
    ("text", "substring", "", &["int", "int"]),
    ("text", "format", "", &["list"]),
    ("list", "join", "list<text>", &["text"]),
    ("list", "isSorted", ORDERED, &[]),
    ("list", "sum", SUMMED, &[]),
    ("list", "min", ORDERED, &[]),
    ("list", "max", ORDERED, &[]),
    ("list", "sort", ORDERED, &[]),
    ("list", "indexOf", "", &["item"]),
    ("list", "lastIndexOf", "", &["item"]),
    ("list", "slice", "", &["int", "int"]),
    ("list", "flatten", "list<list>", &["int"]),
    ("list", "unwrapOpt", "list<optional>", &[]),
    ("timestamp", "getFullYear", "", &["text"]),
    ("timestamp", "getMonth", "", &["text"]),
    ("timestamp", "getDayOfYear", "", &["text"]),
    ("timestamp", "getDayOfMonth", "", &["text"]),
    ("timestamp", "getDate", "", &["text"]),
    ("timestamp", "getDayOfWeek", "", &["text"]),
    ("timestamp", "getHours", "", &["text"]),
    ("timestamp", "getMinutes", "", &["text"]),
    ("timestamp", "getSeconds", "", &["text"]),
    ("timestamp", "getMilliseconds", "", &["text"]),
    ("optional", "or", "", &["same"]),
    ("optional", "orValue", "", &["item"]),
    ("quantity", "add", "", &["quantity|int"]),
    ("quantity", "sub", "", &["quantity|int"]),
    ("quantity", "isLessThan", "", &["quantity"]),
    ("quantity", "isGreaterThan", "", &["quantity"]),
    ("quantity", "compareTo", "", &["quantity"]),
    ("semver", "isLessThan", "", &["semver"]),
    ("semver", "isGreaterThan", "", &["semver"]),
    ("semver", "compareTo", "", &["semver"]),
    ("cidr", "containsIP", "", &["ip|text"]),
    ("cidr", "containsCIDR", "", &["cidr|text"]),
    ("format", "validate", "", &["text"]),
    ("", "size", "", &["text|bytes|list|map"]),
    ("", "matches", "", &["text", "text"]),
    ("", "int", "", &["int|uint|double|text|timestamp|duration"]),
    ("", "uint", "", &["int|uint|double|text"]),
    ("", "double", "", &["int|uint|double|text"]),
    ("", "bool", "", &["bool|text"]),
    ("", "string", "", &["text|bool|int|uint|double|bytes|timestamp|duration|ip|cidr|null"]),
    ("", "bytes", "", &["bytes|text"]),
    ("", "duration", "", &["duration|text"]),
    ("", "timestamp", "", &["timestamp|int|text"]),
    ("", "sign", "", &["quantity"]),
    ("", "quantity", "", &["text"]),
    ("", "isQuantity", "", &["text"]),
    ("", "url", "", &["text"]),
    ("", "isURL", "", &["text"]),
    ("", "ip", "", &["text"]),
    ("", "isIP", "", &["text"]),
    ("", "cidr", "", &["text"]),
    ("", "isCIDR", "", &["text"]),
    ("", "semver", "", &["text", "bool"]),
    ("", "isSemver", "", &["text", "bool"]),
    ("ip", "isCanonical", "", &["text"]),
    ("lists", "range", "", &["int"]),
    ("sets", "contains", "", &["list", "first"]),
    ("sets", "equivalent", "", &["list", "first"]),
    ("sets", "intersects", "", &["list", "first"]),
    ("strings", "quote", "", &["text"]),
    ("optional", "unwrap", "", &["list<optional>"]),
    ("format", "named", "", &["text"]),
    ("jsonpatch", "escapeKey", "", &["text"]),
];

/// Which argument does not fit; that on which the function is called comes before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misfit {
    Receiver,
    Argument(usize),
}

/// The first argument that a function does not take. `on` is the kind of what it is called on, or the name before it.
pub(super) fn misfit(on: &str, name: &str, of: &Ty<'_>, given: &[Ty<'_>]) -> Option<Misfit> {
    let (_, _, receiver, takes) = ROWS.iter().find(|row| row.0 == on && row.1 == name)?;
    if !receiver.is_empty() && !is_any(of, receiver, (of, given)) {
        return Some(Misfit::Receiver);
    }
    let pairs = given.iter().zip(*takes).enumerate();
    pairs
        .filter(|(_, (ty, wanted))| !is_any(ty, wanted, (of, given)))
        .map(|(at, _)| Misfit::Argument(at))
        .next()
}

fn is_any(ty: &Ty<'_>, wanted: &str, around: (&Ty<'_>, &[Ty<'_>])) -> bool {
    *ty == Ty::Dyn || wanted.split('|').any(|wanted| is(ty, wanted, around))
}

fn is(ty: &Ty<'_>, wanted: &str, (of, given): (&Ty<'_>, &[Ty<'_>])) -> bool {
    let items = wanted.strip_prefix("list<").and_then(|inner| inner.strip_suffix('>'));
    match (wanted, ty) {
        (_, Ty::List(found)) if items.is_some() => {
            items.is_some_and(|wanted| is_any(found, wanted, (of, given)))
        }
        ("same", ty) => ty.goes_with(of),
        ("item", ty) => match of {
            Ty::List(inner) | Ty::Optional(inner) => ty.goes_with(inner),
            _ => true,
        },
        ("first", ty) => given.first().is_none_or(|first| ty.goes_with(first)),
        ("null", Ty::Null)
        | ("bool", Ty::Bool)
        | ("int", Ty::Int)
        | ("uint", Ty::Uint)
        | ("double", Ty::Double)
        | ("text", Ty::Text)
        | ("bytes", Ty::Bytes)
        | ("timestamp", Ty::Timestamp)
        | ("duration", Ty::Duration)
        | ("list", Ty::List(_))
        | ("map", Ty::Map(_))
        | ("optional", Ty::Optional(_)) => true,
        (wanted, Ty::Library(found)) => wanted == *found,
        _ => false,
    }
}
