//! The functions of Kubernetes' rules: on what they are called, with how many arguments, and what they give.

use super::types::Ty;

/// What a function gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    Bool,
    Int,
    Uint,
    Double,
    Text,
    Bytes,
    Texts,
    Ints,
    Timestamp,
    Duration,
    Type,
    Dyn,
    Library(&'static str),
    /// The same as it is called on.
    Same,
    /// An item of the list, or the value of the optional, that it is called on.
    Inner,
    /// An optional of that.
    OptionalInner,
    /// An optional of the argument.
    OptionalArgument,
}

/// On what, the name, the least and the most arguments, and what it gives.
type Row = (&'static str, &'static str, (usize, usize), Gives);

use Gives::{
    Bool, Bytes, Double, Duration, Dyn, Inner, Int, Ints, Library, OptionalArgument, OptionalInner, Same,
    Text, Texts, Timestamp, Type, Uint,
};

/// Functions that are called on a value.
const MEMBERS: &[Row] = &[
    ("text", "size", (0, 0), Int),
    ("text", "contains", (1, 1), Bool),
    ("text", "startsWith", (1, 1), Bool),
    ("text", "endsWith", (1, 1), Bool),
    ("text", "matches", (1, 1), Bool),
    ("text", "charAt", (1, 1), Text),
    ("text", "indexOf", (1, 2), Int),
    ("text", "lastIndexOf", (1, 2), Int),
    ("text", "lowerAscii", (0, 0), Text),
    ("text", "upperAscii", (0, 0), Text),
    ("text", "replace", (2, 3), Text),
    ("text", "split", (1, 2), Texts),
    ("text", "substring", (1, 2), Text),
    ("text", "trim", (0, 0), Text),
    ("text", "find", (1, 1), Text),
    ("text", "findAll", (1, 2), Texts),
    ("text", "format", (1, 1), Text),
    ("bytes", "size", (0, 0), Int),
    ("map", "size", (0, 0), Int),
    ("list", "size", (0, 0), Int),
    ("list", "join", (0, 1), Text),
    ("list", "isSorted", (0, 0), Bool),
    ("list", "sum", (0, 0), Inner),
    ("list", "min", (0, 0), Inner),
    ("list", "max", (0, 0), Inner),
    ("list", "indexOf", (1, 1), Int),
    ("list", "lastIndexOf", (1, 1), Int),
    ("list", "slice", (2, 2), Same),
    ("list", "flatten", (0, 1), Dyn),
    ("list", "sort", (0, 0), Same),
    ("list", "distinct", (0, 0), Same),
    ("list", "reverse", (0, 0), Same),
    ("list", "unwrapOpt", (0, 0), Dyn),
    ("list", "first", (0, 0), OptionalInner),
    ("list", "last", (0, 0), OptionalInner),
    ("timestamp", "getFullYear", (0, 1), Int),
    ("timestamp", "getMonth", (0, 1), Int),
    ("timestamp", "getDayOfYear", (0, 1), Int),
    ("timestamp", "getDayOfMonth", (0, 1), Int),
    ("timestamp", "getDate", (0, 1), Int),
    ("timestamp", "getDayOfWeek", (0, 1), Int),
    ("timestamp", "getHours", (0, 1), Int),
    ("timestamp", "getMinutes", (0, 1), Int),
    ("timestamp", "getSeconds", (0, 1), Int),
    ("timestamp", "getMilliseconds", (0, 1), Int),
    ("duration", "getHours", (0, 0), Int),
    ("duration", "getMinutes", (0, 0), Int),
    ("duration", "getSeconds", (0, 0), Int),
    ("duration", "getMilliseconds", (0, 0), Int),
    ("optional", "hasValue", (0, 0), Bool),
    ("optional", "value", (0, 0), Inner),
    ("optional", "or", (1, 1), Same),
    ("optional", "orValue", (1, 1), Inner),
    ("optional", "optFlatten", (0, 0), Inner),
    ("quantity", "isInteger", (0, 0), Bool),
    ("quantity", "asInteger", (0, 0), Int),
    ("quantity", "asApproximateFloat", (0, 0), Double),
    ("quantity", "add", (1, 1), Same),
    ("quantity", "sub", (1, 1), Same),
    ("quantity", "isLessThan", (1, 1), Bool),
    ("quantity", "isGreaterThan", (1, 1), Bool),
    ("quantity", "compareTo", (1, 1), Int),
    ("semver", "major", (0, 0), Int),
    ("semver", "minor", (0, 0), Int),
    ("semver", "patch", (0, 0), Int),
    ("semver", "isLessThan", (1, 1), Bool),
    ("semver", "isGreaterThan", (1, 1), Bool),
    ("semver", "compareTo", (1, 1), Int),
    ("url", "getScheme", (0, 0), Text),
    ("url", "getHost", (0, 0), Text),
    ("url", "getHostname", (0, 0), Text),
    ("url", "getPort", (0, 0), Text),
    ("url", "getEscapedPath", (0, 0), Text),
    ("url", "getQuery", (0, 0), Dyn),
    ("ip", "family", (0, 0), Int),
    ("ip", "isUnspecified", (0, 0), Bool),
    ("ip", "isLoopback", (0, 0), Bool),
    ("ip", "isLinkLocalMulticast", (0, 0), Bool),
    ("ip", "isLinkLocalUnicast", (0, 0), Bool),
    ("ip", "isGlobalUnicast", (0, 0), Bool),
    ("cidr", "containsIP", (1, 1), Bool),
    ("cidr", "containsCIDR", (1, 1), Bool),
    ("cidr", "ip", (0, 0), Library("ip")),
    ("cidr", "prefixLength", (0, 0), Int),
    ("cidr", "masked", (0, 0), Same),
    ("format", "validate", (1, 1), Dyn),
];

/// Functions that are called on nothing, or on a name.
const GLOBALS: &[Row] = &[
    ("", "size", (1, 1), Int),
    ("", "matches", (2, 2), Bool),
    ("", "type", (1, 1), Type),
    ("", "dyn", (1, 1), Dyn),
    ("", "int", (1, 1), Int),
    ("", "uint", (1, 1), Uint),
    ("", "double", (1, 1), Double),
    ("", "bool", (1, 1), Bool),
    ("", "string", (1, 1), Text),
    ("", "bytes", (1, 1), Bytes),
    ("", "duration", (1, 1), Duration),
    ("", "timestamp", (1, 1), Timestamp),
    ("", "has", (1, 1), Bool),
    ("", "quantity", (1, 1), Library("quantity")),
    ("", "isQuantity", (1, 1), Bool),
    ("", "sign", (1, 1), Int),
    ("", "url", (1, 1), Library("url")),
    ("", "isURL", (1, 1), Bool),
    ("", "ip", (1, 1), Library("ip")),
    ("", "isIP", (1, 1), Bool),
    ("", "cidr", (1, 1), Library("cidr")),
    ("", "isCIDR", (1, 1), Bool),
    ("", "semver", (1, 2), Library("semver")),
    ("", "isSemver", (1, 2), Bool),
    ("ip", "isCanonical", (1, 1), Bool),
    ("optional", "of", (1, 1), OptionalArgument),
    ("optional", "ofNonZeroValue", (1, 1), OptionalArgument),
    ("optional", "none", (0, 0), Dyn),
    ("optional", "unwrap", (1, 1), Dyn),
    ("lists", "range", (1, 1), Ints),
    ("sets", "contains", (2, 2), Bool),
    ("sets", "equivalent", (2, 2), Bool),
    ("sets", "intersects", (2, 2), Bool),
    ("strings", "quote", (1, 1), Text),
    ("format", "dns1123Label", (0, 0), Library("format")),
    ("format", "dns1123Subdomain", (0, 0), Library("format")),
    ("format", "dns1035Label", (0, 0), Library("format")),
    ("format", "qualifiedName", (0, 0), Library("format")),
    ("format", "dns1123LabelPrefix", (0, 0), Library("format")),
    ("format", "dns1123SubdomainPrefix", (0, 0), Library("format")),
    ("format", "dns1035LabelPrefix", (0, 0), Library("format")),
    ("format", "labelValue", (0, 0), Library("format")),
    ("format", "uri", (0, 0), Library("format")),
    ("format", "uuid", (0, 0), Library("format")),
    ("format", "byte", (0, 0), Library("format")),
    ("format", "date", (0, 0), Library("format")),
    ("format", "datetime", (0, 0), Library("format")),
    ("format", "named", (1, 1), Dyn),
];

/// A function that was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Function {
    pub(super) arguments: (usize, usize),
    pub(super) gives: Gives,
}

/// The function of this name on a value; the names that there are when there is none.
pub(super) fn member(of: &Ty<'_>, name: &str) -> Result<Function, Vec<&'static str>> {
    match receiver(of) {
        Some(receiver) => find(MEMBERS, receiver, name),
        // What it is shows when the rule runs; but a function that nothing has is wrong on anything.
        None => match MEMBERS.iter().any(|(_, known, ..)| *known == name) {
            true => Ok(Function { arguments: (0, 9), gives: Dyn }),
            false => Err(MEMBERS.iter().map(|(_, known, ..)| *known).collect()),
        },
    }
}

/// The function of this name on a namespace, or on nothing.
pub(super) fn global(namespace: &str, name: &str) -> Result<Function, Vec<&'static str>> {
    find(GLOBALS, namespace, name)
}

/// Whether functions are called on this name.
pub(super) fn is_namespace(name: &str) -> bool {
    !name.is_empty() && GLOBALS.iter().any(|(namespace, ..)| *namespace == name)
}

fn find(table: &'static [Row], on: &str, name: &str) -> Result<Function, Vec<&'static str>> {
    let mut own = table.iter().filter(|(receiver, ..)| *receiver == on);
    let found = own.clone().find(|(_, known, ..)| *known == name);
    match found {
        Some((_, _, arguments, gives)) => Ok(Function { arguments: *arguments, gives: *gives }),
        None => Err(own.by_ref().map(|(_, known, ..)| *known).collect()),
    }
}

/// What a type is called in the table; `None` when it is not known.
pub(super) fn receiver(of: &Ty<'_>) -> Option<&'static str> {
    Some(match of {
        Ty::Dyn => return None,
        Ty::Text => "text",
        Ty::Bytes => "bytes",
        Ty::List(_) => "list",
        Ty::Map(_) => "map",
        Ty::Timestamp => "timestamp",
        Ty::Duration => "duration",
        Ty::Optional(_) => "optional",
        Ty::Library(name) => name,
        // Of these nothing can be asked.
        Ty::Null | Ty::Bool | Ty::Int | Ty::Uint | Ty::Double | Ty::Type | Ty::Object(_) => "nothing",
    })
}
