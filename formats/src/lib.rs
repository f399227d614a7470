//! Formats of texts as a Kubernetes API server checks them, for a server and for those who write what it reads.
//!
//! In: a format's name, as schemas have it, and a text. Out: whether the text has it, in the eyes of a server, which are those of Go's
//! libraries: `net/mail`, `net/url`, `net/netip` and `strfmt`. Formats that servers do not know are fine with any text.
//!
//! ```
//! use kube_codegen_formats::has;
//!
//! assert!(has("email", "Jane <jane@example.com>") && !has("email", "jane"));
//! assert!(has("duration", "1h30m") && has("duration", "3 days"));
//! assert!(has("no-format", "anything"));
//! ```

mod addresses;
mod digits;
mod engine;
mod hosts;
mod mail;
mod times;
mod uri;

pub use times::{is_duration, is_moment};

use engine::finds;

/// Formats that are patterns.
const PATTERNS: [(&str, &str); 8] = [
    ("uuid", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$"),
    ("uuid3", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$"),
    ("uuid4", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$"),
    ("uuid5", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$"),
    ("ssn", "^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$"),
    ("hexcolor", "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"),
    (
        "rgbcolor",
        "^rgb\\(\\s*(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\s*,\\s*(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\s*,\\s*(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\s*\\)$",
    ),
    ("byte", "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$"),
];

/// Whether a text has a format. Hyphens in the name of a format do not count.
#[must_use]
pub fn has(format: &str, text: &str) -> bool {
    match format.replace('-', "").as_str() {
        "date" => times::is_date(text),
        "datetime" => times::is_time(text),
        "duration" => times::is_length(text),
        "ipv4" => addresses::is_ipv4(text),
        "ipv6" => addresses::is_ipv6(text),
        "cidr" => addresses::is_range(text),
        "mac" => addresses::is_mac(text),
        "uri" => uri::is_uri(text),
        "email" => mail::is_address(text),
        "hostname" => hosts::is_host(text),
        "k8sshortname" => hosts::is_label(text),
        "k8slongname" => text.len() <= 253 && text.split('.').all(hosts::is_part),
        "bsonobjectid" => text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "isbn" => digits::is_isbn10(text) || digits::is_isbn13(text),
        "isbn10" => digits::is_isbn10(text),
        "isbn13" => digits::is_isbn13(text),
        "creditcard" => digits::is_credit_card(text),
        name => {
            let pattern = PATTERNS.iter().find(|(known, _)| *known == name);
            pattern.is_none_or(|(_, pattern)| finds(pattern, text) != Some(false))
        }
    }
}
