//! Types of other crates whose form on the wire is known.

use super::structs::type_meta;
use super::{Keyword, Schema};
use crate::model::{TypeExpr, TypePath};

/// The schema of a type of another crate.
pub(super) fn schema(path: &TypePath) -> Option<Schema> {
    let text = || Schema::of_type("string");
    let formatted = |format: &str| Some(text().with(Keyword::Format, format));
    let parent = path.modules.last().map(String::as_str).unwrap_or_default();
    match (path.crate_name.as_str(), path.name.as_str()) {
        ("kube" | "kube_core" | "kube_client", "Duration") => Some(text()),
        ("kube" | "kube_core" | "kube_client", "TypeMeta") => Some(type_meta()),
        ("kube" | "kube_core" | "kube_client", "DynamicObject") => Some(Schema::of_type("object")),
        ("std", "Duration") => Some(duration()),
        ("std" | "core", "Ipv4Addr") => formatted("ipv4"),
        ("std" | "core", "Ipv6Addr") => formatted("ipv6"),
        ("std" | "core", "IpAddr" | "SocketAddr" | "SocketAddrV4" | "SocketAddrV6") => Some(text()),
        ("std", "PathBuf") => Some(text()),
        ("std" | "core", name) if parent == "num" && name.starts_with("NonZero") => non_zero(name),
        ("serde_json", "Map") => Some(Schema::of_type("object").with(Keyword::PreserveUnknownFields, true)),
        ("serde_json", "Number") => Some(Schema::of_type("number")),
        ("serde_json" | "serde_yaml" | "serde_value" | "toml", "Value") => {
            Some(Schema::default().with(Keyword::PreserveUnknownFields, true))
        }
        ("jiff", "Timestamp") => formatted("date-time"),
        ("chrono", "DateTime" | "NaiveDateTime") | ("time", "OffsetDateTime") => formatted("date-time"),
        ("chrono", "NaiveDate") | ("jiff", "Date") => formatted("date"),
        ("url", "Url") => formatted("uri"),
        ("uuid", "Uuid") => formatted("uuid"),
        ("semver", "Version" | "VersionReq") => Some(text()),
        ("ipnet" | "ipnetwork", _) => Some(text()),
        _ => None,
    }
}

/// Whether a type stands for a named type of Kubernetes.
pub(super) fn is_of_kubernetes(path: &TypePath) -> bool {
    matches!(path.crate_name.as_str(), "kube" | "kube_core" | "kube_client") && path.name == "Duration"
}

/// What a type of another crate stands for that is nothing on the wire by itself.
pub(super) fn transparent<'a>(path: &TypePath, arguments: &'a [TypeExpr]) -> Option<&'a TypeExpr> {
    let one = arguments.first()?;
    match (path.crate_name.as_str(), path.name.as_str()) {
        (
            "std" | "core" | "alloc",
            "Cow" | "Cell" | "RefCell" | "Mutex" | "RwLock" | "Reverse" | "Wrapping",
        ) => arguments.last(),
        ("secrecy", "SecretBox") => Some(one),
        _ => None,
    }
}

/// The standard library's duration, as serde writes it.
fn duration() -> Schema {
    let mut schema = Schema::of_type("object");
    for (name, format) in [("nanos", "int32"), ("secs", "int64")] {
        let property = Schema::of_type("integer").with(Keyword::Format, format).with(Keyword::Minimum, 0);
        schema.properties.insert(name.to_owned(), property);
        schema.required.insert(name.to_owned());
    }
    schema
}

fn non_zero(name: &str) -> Option<Schema> {
    let schema = Schema::of_type("integer");
    let within =
        |greatest: i64| Schema::of_type("integer").with(Keyword::Minimum, 1).with(Keyword::Maximum, greatest);
    match name {
        "NonZeroU8" => Some(within(i64::from(u8::MAX))),
        "NonZeroU16" => Some(within(i64::from(u16::MAX))),
        "NonZeroU32" => Some(within(i64::from(u32::MAX)).with(Keyword::Format, "int64")),
        "NonZeroU64" | "NonZeroUsize" => {
            Some(schema.with(Keyword::Minimum, 1).with(Keyword::Format, "int64"))
        }
        "NonZeroI32" => Some(schema.with(Keyword::Format, "int32")),
        "NonZeroI64" => Some(schema.with(Keyword::Format, "int64")),
        _ => None,
    }
}
