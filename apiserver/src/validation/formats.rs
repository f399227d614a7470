//! The formats of texts and numbers, beside the names that every object has.
//!
//! In: a value. Out: the sentences of the rules that it breaks. It knows nothing about objects.

use std::net::IpAddr;

use super::{Findings, Spot};
use crate::protocol::names::{dns_label_errors, dns_subdomain_errors, qualified_name_errors};

const WITH_UNDERSCORE: &str = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*";

/// A DNS label that begins with a letter (RFC 1035).
pub(crate) fn dns_1035_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.len() > 63 {
        errors.push("must be no more than 63 characters".to_owned());
    }
    let inner = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let starts = text.starts_with(|first: char| first.is_ascii_lowercase());
    if !inner || !starts || text.ends_with('-') {
        errors.push(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end \
             with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
                .to_owned(),
        );
    }
    errors
}

/// A DNS subdomain whose labels may have underscores.
pub(crate) fn dns_underscore_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.len() > 253 {
        errors.push("must be no more than 253 characters".to_owned());
    }
    let edge = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let label = |label: &str| {
        let bytes = label.strip_prefix('_').unwrap_or(label).as_bytes();
        let ends = bytes.first().is_some_and(edge) && bytes.last().is_some_and(edge);
        ends && bytes.iter().all(|byte| edge(byte) || matches!(byte, b'-' | b'_'))
    };
    if !text.split('.').all(label) {
        errors.push(format!(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and \
             end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{WITH_UNDERSCORE}')"
        ));
    }
    errors
}

/// A wildcard in front of a DNS subdomain.
pub(crate) fn wildcard_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.len() > 253 {
        errors.push("must be no more than 253 characters".to_owned());
    }
    let rest = text.strip_prefix("*.");
    if rest.is_none_or(|rest| !dns_subdomain_errors(rest).is_empty()) {
        errors.push(
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case \
             alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for \
             validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                .to_owned(),
        );
    }
    errors
}

/// The name of a port (RFC 6335).
pub(crate) fn port_name_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.len() > 15 {
        errors.push("must be no more than 15 characters".to_owned());
    }
    if text.is_empty()
        || !text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    {
        errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)".to_owned());
    }
    if !text.bytes().any(|byte| byte.is_ascii_lowercase()) {
        errors.push("must contain at least one letter (a-z)".to_owned());
    }
    if text.contains("--") {
        errors.push("must not contain consecutive hyphens".to_owned());
    }
    if text.starts_with('-') || text.ends_with('-') {
        errors.push("must not begin or end with a hyphen".to_owned());
    }
    errors
}

/// The number of a port.
pub(crate) fn port(out: &mut Findings, spot: &Spot<'_>) {
    out.within(spot, 1, 65535);
}

/// A port by number or by name.
pub(crate) fn port_or_name(out: &mut Findings, spot: &Spot<'_>) {
    match spot.value() {
        serde_json::Value::String(name) => out.all(spot, port_name_errors(name)),
        _ if spot.int().is_some() => port(out, spot),
        _ => out.invalid_as(spot, 0, "must be between 1 and 65535, inclusive"),
    }
}

/// The key of a config map or a secret.
pub(crate) fn config_key_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.len() > 253 {
        errors.push("must be no more than 253 characters".to_owned());
    }
    let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if text.is_empty() || !text.bytes().all(good) {
        errors.push(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or \
             'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
                .to_owned(),
        );
    }
    errors.extend(path_parts(text));
    errors
}

fn path_parts(text: &str) -> Option<String> {
    match text {
        "." => Some("must not be '.'".to_owned()),
        ".." => Some("must not be '..'".to_owned()),
        _ if text.starts_with("..") => Some("must not start with '..'".to_owned()),
        _ => None,
    }
}

/// The name of an environment variable: any printable characters but the equals sign.
pub(crate) fn env_name_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.is_empty() {
        errors.push("environment variable name must be non-empty".to_owned());
    }
    if text.chars().any(|letter| !(' '..='~').contains(&letter) || letter == '=') {
        errors.push("a valid environment variable name must consist only of printable ASCII characters other than '='".to_owned());
    }
    errors
}

/// The name of an HTTP header.
pub(crate) fn header_name_errors(text: &str) -> Option<&'static str> {
    let good = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (!good).then_some(
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is \
         '[-A-Za-z0-9]+')",
    )
}

/// An address as older fields take it, where zeros may lead.
pub(crate) fn parse_ip(text: &str) -> Option<IpAddr> {
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    let parts: Vec<u8> = text.split('.').map(decimal).collect::<Option<_>>()?;
    <[u8; 4]>::try_from(parts).ok().map(IpAddr::from)
}

fn decimal(text: &str) -> Option<u8> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits && text.len() <= 3)
}

/// Whether a text is an address, and a network's length.
pub(crate) fn parse_cidr(text: &str) -> Option<(IpAddr, u8)> {
    let (address, length) = text.split_once('/')?;
    let address = parse_ip(address)?;
    let length: u8 = length.parse().ok()?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    (length <= most).then_some((address, length))
}

/// An address, as older fields take it.
pub(crate) fn ip(out: &mut Findings, spot: &Spot<'_>) {
    if parse_ip(spot.str()).is_none() {
        out.invalid_as(spot, spot.str(), "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
}

/// A range of addresses, as older fields take it.
pub(crate) fn cidr(out: &mut Findings, spot: &Spot<'_>) {
    if parse_cidr(spot.str()).is_none() {
        out.invalid_as(spot, spot.str(), "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
    }
}

/// An address that other machines may use.
pub(crate) fn endpoint_ip(out: &mut Findings, spot: &Spot<'_>) {
    let text = spot.str();
    let Some(address) = parse_ip(text) else {
        out.invalid_as(spot, text, "must be a valid IP address");
        return;
    };
    let link_local = match address {
        IpAddr::V4(v4) => v4.is_link_local(),
        IpAddr::V6(v6) => v6.is_unicast_link_local(),
    };
    let group = match address {
        IpAddr::V4(v4) => v4.octets().starts_with(&[224, 0, 0]),
        IpAddr::V6(v6) => v6.octets().starts_with(&[0xff, 0x02]),
    };
    if address.is_unspecified() {
        out.invalid_as(spot, text, format!("may not be unspecified ({text})"));
    }
    if address.is_loopback() {
        out.invalid_as(spot, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
    }
    if link_local {
        out.invalid_as(spot, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    }
    if group {
        out.invalid_as(spot, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
    }
}

/// A path below some folder.
pub(crate) fn relative_path(out: &mut Findings, spot: &Spot<'_>) {
    if spot.str().starts_with('/') {
        out.invalid(spot, "must be a relative path");
    }
    no_backsteps(out, spot);
}

/// A path below some folder whose first part is nobody else's.
pub(crate) fn free_path(out: &mut Findings, spot: &Spot<'_>) {
    relative_path(out, spot);
    if spot.str().starts_with("..") && !spot.str().starts_with("../") {
        out.invalid(spot, "must not start with '..'");
    }
}

/// A path that never goes up.
pub(crate) fn no_backsteps(out: &mut Findings, spot: &Spot<'_>) {
    if spot.str().split('/').any(|part| part == "..") {
        out.invalid(spot, "must not contain '..'");
    }
}

/// The mode of a file.
pub(crate) fn file_mode(out: &mut Findings, spot: &Spot<'_>) {
    if spot.int().is_some_and(|mode| !(0..=0o777).contains(&mode)) {
        out.invalid(spot, "must be a number between 0 and 0777 (octal), both inclusive");
    }
}

/// The number of a user or of a group of users.
pub(crate) fn user_id(out: &mut Findings, spot: &Spot<'_>) {
    out.within(spot, 0, i64::from(i32::MAX));
}

/// A DNS label; nothing is told of an absent one.
pub(crate) fn label(out: &mut Findings, spot: &Spot<'_>) {
    out.all(spot, dns_label_errors(spot.str()));
}

/// A DNS subdomain.
pub(crate) fn subdomain(out: &mut Findings, spot: &Spot<'_>) {
    out.all(spot, dns_subdomain_errors(spot.str()));
}

/// A qualified name.
pub(crate) fn qualified(out: &mut Findings, spot: &Spot<'_>) {
    for error in qualified_name_errors(spot.str()) {
        out.invalid_as(spot, spot.str(), error);
    }
}

/// The address with all but its first bits cleared.
pub(crate) fn network(address: IpAddr, length: u8) -> IpAddr {
    match address {
        IpAddr::V4(v4) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(length.min(32))).unwrap_or_default();
            IpAddr::V4((u32::from(v4) & mask).into())
        }
        IpAddr::V6(v6) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(length.min(128))).unwrap_or_default();
            IpAddr::V6((u128::from(v6) & mask).into())
        }
    }
}
