//! Which formats count where.
//!
//! In: a type and the name of a format. Out: whether a real server checks it. Formats that are not known count as none.

use super::Structural;

const KNOWN: [&str; 27] = [
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "password",
    "date",
    "duration",
    "datetime",
    "k8sshortname",
    "k8slongname",
    "",
];

/// Whether validation knows a format of this type; what it does not know is passed over, with a warning when it is defined.
pub(crate) fn is_recognised(kind: &str, format: &str) -> bool {
    match kind {
        "" | "string" => KNOWN.contains(&format.replace('-', "").as_str()),
        "integer" => ["int32", "int64"].contains(&format),
        "number" => ["float", "double"].contains(&format),
        _ => false,
    }
}

/// The format that counts.
pub(super) fn effective(schema: &Structural) -> &str {
    let kind = if schema.int_or_string { "" } else { schema.kind.as_str() };
    if is_recognised(kind, &schema.format) { &schema.format } else { "" }
}

/// Whether texts are checked against it.
pub(super) fn is_known(format: &str) -> bool {
    !format.is_empty() && KNOWN.contains(&format.replace('-', "").as_str())
}
