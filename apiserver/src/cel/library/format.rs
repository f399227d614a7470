//! Formats that have names.

use super::{Opaque, Result, Val};
use crate::{
    cel::ops::{opaque, text},
    protocol::names::{
        dns_1035_label_errors, dns_label_errors, dns_subdomain_errors, label_value_errors,
        qualified_name_errors,
    },
};

const NAMES: [&str; 13] = [
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
];

fn known(name: &str) -> Option<&'static str> {
    NAMES.into_iter().find(|known| *known == name)
}

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    if let (Some(name), []) = (function.strip_prefix("format."), args) {
        return known(name).map(|name| Ok(Val::opaque(Opaque::Format(name))));
    }
    match (function, args) {
        ("format.named", [name]) => Some(text(name).map(|name| match known(name) {
            Some(name) => Val::some(Val::opaque(Opaque::Format(name))),
            None => Val::Optional(None),
        })),
        ("validate", [format, value]) => {
            let Ok(Opaque::Format(name)) = opaque(format) else { return None };
            Some(text(value).map(|value| {
                let errors = errors(name, value);
                if errors.is_empty() {
                    return Val::Optional(None);
                }
                Val::some(Val::list(errors.into_iter().map(Val::text).collect()))
            }))
        }
        _ => None,
    }
}

/// A prefix that ends in a dash is taken as if something followed.
fn masked(value: &str) -> String {
    match value.strip_suffix('-') {
        Some(start) if !start.is_empty() => format!("{start}a"),
        _ => value.to_owned(),
    }
}

fn errors(name: &str, value: &str) -> Vec<String> {
    let plain = |fits: bool, why: &str| if fits { Vec::new() } else { vec![why.to_owned()] };
    match name {
        "dns1123Label" => dns_label_errors(value),
        "dns1123LabelPrefix" => dns_label_errors(&masked(value)),
        "dns1123Subdomain" => dns_subdomain_errors(value),
        "dns1123SubdomainPrefix" => dns_subdomain_errors(&masked(value)),
        "dns1035Label" => dns_1035_label_errors(value),
        "dns1035LabelPrefix" => dns_1035_label_errors(&masked(value)),
        "qualifiedName" => qualified_name_errors(value),
        "labelValue" => label_value_errors(value),
        "uuid" => {
            let digits: String = value.chars().filter(|letter| *letter != '-').collect();
            let fits = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            plain(fits, "does not match the UUID format")
        }
        "byte" => {
            use base64::{Engine, engine::general_purpose::STANDARD};
            plain(STANDARD.decode(value).is_ok(), "invalid base64")
        }
        "date" => plain(value.len() == 10 && value.parse::<jiff::civil::Date>().is_ok(), "invalid date"),
        "datetime" => plain(crate::cel::Moment::read(&value.to_uppercase()).is_some(), "invalid datetime"),
        "uri" => {
            let fits =
                value.starts_with('/') || value.split_once("://").is_some_and(|(_, rest)| !rest.is_empty());
            plain(fits, "invalid URI for request")
        }
        _ => Vec::new(),
    }
}
