//! Addresses and networks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::{EvalError, Opaque, Result, Val};
use crate::{
    cel::ops::{opaque, text},
    protocol::quoted,
};

/// Reads an address as a real server does: none with a zone, none of IPv4 written as IPv6.
fn address(text: &str) -> std::result::Result<IpAddr, EvalError> {
    let fail = |why: &str| {
        EvalError::new(format!(
            "IP Address {} parse error during conversion from string: {why}",
            quoted(text)
        ))
    };
    if text.contains('%') {
        return Err(EvalError::new(format!("IP address {} with zone value is not allowed", quoted(text))));
    }
    match super::address::parse(text).map_err(|why| fail(&why))? {
        IpAddr::V6(v6) if v6.to_ipv4_mapped().is_some() => {
            Err(EvalError::new(format!("IPv4-mapped IPv6 address {} is not allowed", quoted(text))))
        }
        found => Ok(found),
    }
}

/// How a failure to read a network begins; a real server says so twice.
const PREFIX: &str = "network address parse error during conversion from string";

fn network(text: &str) -> std::result::Result<(IpAddr, u8), EvalError> {
    let broken =
        || EvalError::new(format!("{PREFIX}: {PREFIX}: netip.ParsePrefix({}): no '/'", quoted(text)));
    let (base, length) = text.split_once('/').ok_or_else(broken)?;
    let base = address(base)?;
    let most = if base.is_ipv4() { 32 } else { 128 };
    let plain = length == "0" || !length.starts_with(['0', '+']);
    let length: u8 = length.parse().ok().filter(|length| *length <= most && plain).ok_or_else(broken)?;
    Ok((base, length))
}

/// An address with all but its first bits cleared.
fn masked(base: IpAddr, length: u8) -> IpAddr {
    match base {
        IpAddr::V4(v4) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(length)).unwrap_or_default();
            IpAddr::V4(Ipv4Addr::from(u32::from(v4) & mask))
        }
        IpAddr::V6(v6) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(length)).unwrap_or_default();
            IpAddr::V6(Ipv6Addr::from(u128::from(v6) & mask))
        }
    }
}

fn holds(base: IpAddr, length: u8, other: IpAddr) -> bool {
    base.is_ipv4() == other.is_ipv4() && masked(base, length) == masked(other, length)
}

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    match (function, args) {
        ("ip", [Val::Text(text)]) => Some(address(text).map(|address| Val::opaque(Opaque::Ip(address)))),
        ("isIP", [value]) => Some(text(value).map(|text| Val::Bool(address(text).is_ok()))),
        ("ip.isCanonical", [value]) => {
            Some(text(value).and_then(|text| Ok(Val::Bool(address(text)?.to_string() == text))))
        }
        ("cidr", [value]) => {
            Some(text(value).and_then(network).map(|(base, length)| Val::opaque(Opaque::Cidr(base, length))))
        }
        ("isCIDR", [value]) => Some(text(value).map(|text| Val::Bool(network(text).is_ok()))),
        (_, [first, rest @ ..]) => match opaque(first) {
            Ok(Opaque::Ip(address)) if rest.is_empty() => of_address(function, *address),
            Ok(Opaque::Cidr(base, length)) => of_network(function, (*base, *length), rest),
            _ => None,
        },
        _ => None,
    }
}

fn of_address<'v>(function: &str, address: IpAddr) -> Option<Result<'v>> {
    let link_local = match address {
        IpAddr::V4(v4) => v4.is_link_local(),
        IpAddr::V6(v6) => v6.segments().first().is_some_and(|first| first & 0xffc0 == 0xfe80),
    };
    let link_local_multicast = match address {
        IpAddr::V4(v4) => matches!(v4.octets(), [224, 0, 0, _]),
        IpAddr::V6(v6) => v6.segments().first().is_some_and(|first| first & 0xff0f == 0xff02),
    };
    let broadcast = matches!(address, IpAddr::V4(v4) if v4.is_broadcast());
    Some(Ok(match function {
        "family" => Val::Int(if address.is_ipv4() { 4 } else { 6 }),
        "isUnspecified" => Val::Bool(address.is_unspecified()),
        "isLoopback" => Val::Bool(address.is_loopback()),
        "isLinkLocalMulticast" => Val::Bool(link_local_multicast),
        "isLinkLocalUnicast" => Val::Bool(link_local),
        "isGlobalUnicast" => Val::Bool(
            !address.is_unspecified()
                && !address.is_loopback()
                && !address.is_multicast()
                && !link_local
                && !broadcast,
        ),
        _ => return None,
    }))
}

fn of_network<'v>(function: &str, (base, length): (IpAddr, u8), rest: &[Val<'v>]) -> Option<Result<'v>> {
    Some(match (function, rest) {
        ("ip", []) => Ok(Val::opaque(Opaque::Ip(base))),
        ("prefixLength", []) => Ok(Val::Int(i64::from(length))),
        ("masked", []) => Ok(Val::opaque(Opaque::Cidr(masked(base, length), length))),
        ("containsIP", [other]) => {
            let other = match opaque(other) {
                Ok(Opaque::Ip(address)) => Ok(*address),
                _ => text(other).and_then(|text| address(text).map_err(|_| EvalError::overload())),
            };
            other.map(|other| Val::Bool(holds(base, length, other)))
        }
        ("containsCIDR", [other]) => {
            let other = match opaque(other) {
                Ok(Opaque::Cidr(base, length)) => Ok((*base, *length)),
                _ => text(other).and_then(network),
            };
            other.map(|(inner, inner_length)| Val::Bool(inner_length >= length && holds(base, length, inner)))
        }
        _ => return None,
    })
}
