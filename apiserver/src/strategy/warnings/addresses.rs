//! Addresses and ranges in forms that are taken and yet not meant.
//!
//! In: an address or a range. Out: what a client is told of it.

use std::net::IpAddr;

use crate::{protocol::quoted, validation};

/// An address.
pub(super) fn address(path: &str, text: &str, out: &mut Vec<String>) {
    let Some(address) = validation::parse_ip(text) else { return };
    let shown = quoted(text);
    let plain = plain(address);
    if text.parse::<IpAddr>().is_err() || plain != address {
        out.push(format!("{path}: non-standard IP address {shown} is invalid: use \"{plain}\""));
    } else if address.is_ipv6() && address.to_string() != text {
        out.push(format!(
            "{path}: IPv6 address {shown} should be in RFC 5952 canonical format (\"{address}\")"
        ));
    }
}

/// A range of addresses.
pub(super) fn range(path: &str, text: &str, out: &mut Vec<String>) {
    let Some((address, length)) = validation::parse_cidr(text) else { return };
    let shown = quoted(text);
    let (plain, bits) = match (plain(address), address) {
        (IpAddr::V4(v4), IpAddr::V6(_)) => (IpAddr::V4(v4), length.saturating_sub(96)),
        (plain, _) => (plain, length),
    };
    let network = validation::network(plain, bits);
    let before = out.len();
    if network != plain {
        let all = if plain.is_ipv4() { 32 } else { 128 };
        out.push(format!(
            "{path}: CIDR value {shown} is ambiguous in this context (should be \"{network}/{bits}\" or \"{plain}/{all}\"?)"
        ));
    }
    let written = text.split_once('/').map_or(text, |(address, _)| address);
    let length_as_written = text.split_once('/').map_or("", |(_, length)| length);
    let strict = written.parse::<IpAddr>().is_ok() && length_as_written == length.to_string();
    if !strict || plain != address {
        out.push(format!("{path}: non-standard CIDR value {shown} is invalid: use \"{network}/{bits}\""));
    } else if out.len() == before && address.is_ipv6() && format!("{address}/{length}") != text {
        out.push(format!(
            "{path}: IPv6 CIDR value {shown} should be in RFC 5952 canonical format (\"{address}/{length}\")"
        ));
    }
}

/// An address of the fourth version that is written as one of the sixth, as what it is.
fn plain(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or(address, IpAddr::V4),
        IpAddr::V4(_) => address,
    }
}
