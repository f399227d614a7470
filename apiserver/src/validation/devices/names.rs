//! The names in claims and slices: of drivers, pools, attributes and extended resources.
//!
//! In: a place that holds a name. Out: what is wrong with it, in the words of the written rules or of the declared ones.

use crate::protocol::names::{dns_subdomain_errors, qualified_name_errors};

use super::{Findings, Spot};

const LONGEST_DRIVER: usize = 63;
const LONGEST_POOL: usize = 253;
const LONGEST_ID: usize = 32;

/// By which of a server's two sets of rules something is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Told {
    Written,
    Declared,
}

/// The name of a driver.
pub(super) fn driver(out: &mut Findings, spot: &Spot<'_>, told: Told) {
    match told {
        Told::Written => written_driver(out, spot, spot.str()),
        Told::Declared => out.declared(|out| {
            if spot.is_empty() {
                return out.required(spot, "");
            }
            out.all(spot, caseless_errors(spot.str()));
            if spot.str().chars().count() > LONGEST_DRIVER {
                out.too_long_characters(spot, LONGEST_DRIVER);
            }
        }),
    }
}

fn written_driver(out: &mut Findings, spot: &Spot<'_>, name: &str) {
    if name.is_empty() {
        return out.required(spot, "");
    }
    if name.len() > LONGEST_DRIVER {
        out.too_long(spot, LONGEST_DRIVER);
    }
    for error in dns_subdomain_errors(&name.to_lowercase()) {
        out.invalid_as(spot, name, error);
    }
}

fn caseless_errors(text: &str) -> Vec<String> {
    let errors = dns_subdomain_errors(&text.to_ascii_lowercase());
    let mixed = |error: String| {
        error
            .replace(
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric",
                "an RFC 1123 subdomain must consist of alphanumeric",
            )
            .replace("'example.com'", "'Example.com'")
    };
    errors.into_iter().map(mixed).collect()
}

/// The name of a pool: parts that are names themselves.
pub(super) fn pool(out: &mut Findings, spot: &Spot<'_>, told: Told) {
    let text = spot.str();
    match told {
        Told::Declared => out.declared(|out| {
            if text.is_empty() {
                return out.required(spot, "");
            }
            if text.len() > LONGEST_POOL {
                out.too_long(spot, LONGEST_POOL);
            }
            for (index, part) in text.split('/').enumerate() {
                if part.is_empty() {
                    out.invalid(spot, format!("segment {index}: must not be empty"));
                    continue;
                }
                for error in dns_subdomain_errors(part) {
                    out.invalid_as(spot, part, format!("segment {index}: {error}"));
                }
            }
        }),
        Told::Written if text.is_empty() => out.required(spot, ""),
        Told::Written => {
            if text.len() > LONGEST_POOL {
                out.too_long(spot, LONGEST_POOL);
            }
            for part in text.split('/') {
                for error in dns_subdomain_errors(part) {
                    out.invalid_as(spot, part, error);
                }
            }
        }
    }
}

/// The name of an attribute or of a capacity: an identifier, with or without a domain.
pub(super) fn qualified(out: &mut Findings, spot: &Spot<'_>, name: &str) {
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        [id] => identifier(out, spot, id),
        [domain, id] => {
            if domain.is_empty() {
                out.invalid_as(spot, "", "the domain must not be empty");
            } else {
                written_driver(out, spot, domain);
            }
            if id.is_empty() {
                out.invalid_as(spot, "", "the name must not be empty");
            } else {
                identifier(out, spot, id);
            }
        }
        _ => {}
    }
}

/// What is wrong with a name that must have a domain.
pub(super) fn fully_qualified(out: &mut Findings, spot: &Spot<'_>) {
    let name = spot.str();
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        [id] => identifier(out, spot, id),
        [domain, id] => {
            if domain.is_empty() {
                out.invalid_as(spot, "", "prefix must not be empty");
            } else {
                if domain.len() > LONGEST_DRIVER {
                    out.too_long(spot, LONGEST_DRIVER);
                }
                for error in dns_subdomain_errors(domain) {
                    out.invalid_as(spot, *domain, format!("prefix: {error}"));
                }
            }
            if id.is_empty() {
                out.invalid_as(spot, "", "name must not be empty");
            } else {
                identifier(out, spot, id);
            }
        }
        _ => {}
    }
    if !name.contains('/') {
        out.invalid_as(spot, name, "a fully qualified name must be a domain and a name separated by a slash");
    }
}

fn identifier(out: &mut Findings, spot: &Spot<'_>, id: &str) {
    if id.len() > LONGEST_ID {
        out.too_long(spot, LONGEST_ID);
    }
    let starts = id.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if !(starts && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')) {
        out.invalid_as(
            spot,
            id,
            "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' \
             (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')",
        );
    }
}

/// The name by which pods ask for devices of a class.
pub(super) fn extended_resource(out: &mut Findings, spot: &Spot<'_>) {
    let name = spot.str();
    if !name.contains('/') {
        out.invalid(spot, "a name must be a domain-prefixed path, such as 'example.com/my-prop'");
    } else if name.contains("kubernetes.io/") {
        out.invalid(spot, "must not have \"kubernetes.io/\" domain");
    }
    if name.starts_with("requests.") {
        out.invalid(spot, "must not have \"requests.\" prefix");
    }
    out.all(spot, qualified_name_errors(&format!("requests.{name}")));
}

/// An identifier that is unique everywhere.
pub(super) fn uuid(out: &mut Findings, spot: &Spot<'_>) {
    let dash = |index: usize| matches!(index, 8 | 13 | 18 | 23);
    let fits = |(index, byte): (usize, u8)| match dash(index) {
        true => byte == b'-',
        false => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
    };
    if spot.str().len() != 36 || !spot.str().bytes().enumerate().all(fits) {
        out.invalid(spot, "must be a lowercase UUID in 8-4-4-4-12 format");
    }
}
