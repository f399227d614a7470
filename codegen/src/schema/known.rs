//! Types of other crates whose form on the wire is known.

use super::structs::type_meta;
use super::{Keyword, Schema};
use crate::model::{Integer, TypeExpr, TypePath};
use serde_json::Value;

/// The schema of a type of another crate.
pub(super) fn schema(path: &TypePath) -> Option<Schema> {
    let text = || Schema::of_type("string");
    let formatted = |format: &str| Some(text().with(Keyword::Format, format));
    match (path.crate_name.as_str(), path.name.as_str()) {
        ("kube" | "kube_core" | "kube_client", "Duration") => Some(text()),
        ("kube" | "kube_core" | "kube_client", "TypeMeta") => Some(type_meta()),
        ("kube" | "kube_core" | "kube_client", "DynamicObject") => Some(Schema::of_type("object")),
        ("std" | "core" | "alloc", name) => standard(name),
        ("serde_json", "Map") => Some(Schema::of_type("object").with(Keyword::PreserveUnknownFields, true)),
        ("serde_json", "Number") => Some(Schema::of_type("number")),
        ("serde_json", "RawValue") | ("serde_json" | "serde_yaml" | "serde_value" | "toml", "Value") => {
            Some(Schema::default().with(Keyword::PreserveUnknownFields, true))
        }
        ("jiff", "Timestamp") | ("chrono", "DateTime") => formatted("date-time"),
        ("jiff", "Date") | ("chrono", "NaiveDate") => formatted("date"),
        ("jiff", "Span" | "SignedDuration") => formatted("duration"),
        // They lack the zone that a server asks of a `date-time`.
        ("jiff", "Zoned" | "DateTime" | "Time") | ("chrono", "NaiveDateTime" | "NaiveTime") => Some(text()),
        ("chrono", "Weekday") => Some(text().with(Keyword::Enum, WEEKDAYS.into_iter().collect::<Value>())),
        ("url", "Url") => formatted("uri"),
        ("uuid", "Uuid") => formatted("uuid"),
        ("semver", "Version") => Some(text().with(Keyword::Pattern, SEMVER)),
        ("semver", "VersionReq") | ("ipnet" | "ipnetwork", _) | ("smol_str", "SmolStr") => Some(text()),
        ("bytes", "Bytes" | "BytesMut") => Some(array_of(255)),
        _ => None,
    }
}

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// That of https://semver.org.
const SEMVER: &str = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$";

/// The schema of a type of the standard library.
fn standard(name: &str) -> Option<Schema> {
    let text = || Schema::of_type("string");
    match name {
        "Duration" => Some(seconds("secs", "nanos")),
        "SystemTime" => Some(seconds("secs_since_epoch", "nanos_since_epoch")),
        "Ipv4Addr" => Some(text().with(Keyword::Format, "ipv4")),
        "Ipv6Addr" => Some(text().with(Keyword::Format, "ipv6")),
        "IpAddr" | "SocketAddr" | "SocketAddrV4" | "SocketAddrV6" | "PathBuf" | "Path" => Some(text()),
        "AtomicBool" => Some(Schema::of_type("boolean")),
        "OsString" => {
            let systems = [("Unix", array_of(255)), ("Windows", array_of(65535))];
            Some(one_of(systems.map(|(name, schema)| (name.to_owned(), schema))))
        }
        _ => None,
    }
}

/// An object with one of these members, which is how serde writes an enum with data.
pub(super) fn one_of(choices: [(String, Schema); 2]) -> Schema {
    let mut schema = Schema::of_type("object");
    for (name, data) in choices {
        let mut choice = Schema::default();
        choice.required.insert(name.clone());
        schema.one_of.push(choice);
        schema.properties.insert(name, data);
    }
    schema
}

fn array_of(greatest: i64) -> Schema {
    let number = Schema::of_type("integer").with(Keyword::Minimum, 0).with(Keyword::Maximum, greatest);
    Schema { items: Some(Box::new(number)), ..Schema::of_type("array") }
}

/// Whether a type stands for a named type of Kubernetes.
pub(super) fn is_of_kubernetes(path: &TypePath) -> bool {
    matches!(path.crate_name.as_str(), "kube" | "kube_core" | "kube_client") && path.name == "Duration"
}

/// A type of another crate whose form is made of those of its arguments.
#[derive(Debug, Clone, Copy)]
pub(super) enum Made<'a> {
    /// The same on the wire.
    Same(&'a TypeExpr),
    /// A list.
    List(&'a TypeExpr),
    /// A list without repetition.
    Set(&'a TypeExpr),
    /// A map.
    Map(&'a TypeExpr, &'a TypeExpr),
    /// An object with one of two members.
    OneOf([(&'static str, &'a TypeExpr); 2]),
    /// An object with two members.
    Both([(&'static str, &'a TypeExpr); 2]),
    /// A whole number.
    Number(Integer),
    /// A whole number that is never 0.
    NonZero(Integer),
    /// `null`, of which a schema cannot say more.
    Null,
}

/// What the form of a type of another crate is made of.
pub(super) fn made<'a>(path: &TypePath, arguments: &'a [TypeExpr]) -> Option<Made<'a>> {
    let integer = |name: &str| {
        let name = name.to_ascii_lowercase();
        Integer::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    };
    let is_std = matches!(path.crate_name.as_str(), "std" | "core" | "alloc");
    match (path.crate_name.as_str(), path.name.as_str(), arguments) {
        (_, "PhantomData", _) if is_std => Some(Made::Null),
        (_, "NonZero", [TypeExpr::Integer(kind)]) if is_std => Some(Made::NonZero(*kind)),
        (_, name, []) if is_std => match name.strip_prefix("Atomic") {
            Some(kind) => integer(kind).map(Made::Number),
            None => name.strip_prefix("NonZero").and_then(integer).map(Made::NonZero),
        },
        // Before the type stands its lifetime.
        (_, "Cow", [.., inner]) if is_std => Some(Made::Same(inner)),
        (_, "Cell" | "RefCell" | "Mutex" | "RwLock" | "Reverse" | "Wrapping" | "Saturating", [inner])
            if is_std =>
        {
            Some(Made::Same(inner))
        }
        (_, "BinaryHeap", [item]) if is_std => Some(Made::List(item)),
        (_, "Range" | "RangeInclusive", [of]) if is_std => Some(Made::Both([("start", of), ("end", of)])),
        (_, "Result", [right, wrong]) if is_std => Some(Made::OneOf([("Ok", right), ("Err", wrong)])),
        ("either", "Either", [left, right]) => Some(Made::OneOf([("Left", left), ("Right", right)])),
        ("indexmap", "IndexMap", [key, value]) => Some(Made::Map(key, value)),
        ("indexmap", "IndexSet", [item]) => Some(Made::Set(item)),
        ("smallvec", "SmallVec", [TypeExpr::Array(item, _)]) => Some(Made::List(item)),
        ("secrecy", "SecretBox", [inner]) => Some(Made::Same(inner)),
        _ => None,
    }
}

/// The standard library's times, as serde writes them.
fn seconds(whole: &str, part: &str) -> Schema {
    let mut schema = Schema::of_type("object");
    for (name, format) in [(part, "int32"), (whole, "int64")] {
        let property = Schema::of_type("integer").with(Keyword::Format, format).with(Keyword::Minimum, 0);
        schema.properties.insert(name.to_owned(), property);
        schema.required.insert(name.to_owned());
    }
    schema
}
