//! Addresses of hosts and networks, and of network cards.

use std::net::Ipv6Addr;

/// Larger numbers are none, whatever the zeros before them.
const LARGEST: u32 = 0x00FF_FFFF;

/// Four numbers, be it behind the colons of a longer address; they may start with zeros.
pub(super) fn is_ipv4(text: &str) -> bool {
    text.contains('.') && is_loose(text)
}

/// An address of eight groups, without a zone.
pub(super) fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// An address with the length of its prefix.
pub(super) fn is_range(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let most = if is_four(address) { 32 } else { 128 };
    is_loose(address) && decimal(length).is_some_and(|length| length <= most)
}

/// An address, where numbers may start with zeros.
fn is_loose(text: &str) -> bool {
    match text.find(['.', ':']).and_then(|at| text.get(at..at + 1)) {
        Some(".") => is_four(text),
        Some(_) => is_eight(text),
        None => false,
    }
}

/// Digits alone, and no more than fit.
fn decimal(text: &str) -> Option<u32> {
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())??;
    (number < LARGEST).then_some(number)
}

fn is_four(text: &str) -> bool {
    let parts = text.split('.');
    parts.clone().count() == 4
        && parts.into_iter().all(|part| decimal(part).is_some_and(|number| number <= 255))
}

/// Groups of up to 16 bits; two colons stand once for one or more that are zero, the last two may be four numbers.
fn is_eight(text: &str) -> bool {
    let (left, right) = text.split_once("::").map_or((text, None), |(left, right)| (left, Some(right)));
    let groups = |side: &str, is_last: bool| -> Option<usize> {
        if side.is_empty() {
            return Some(0);
        }
        let mut count = 0;
        let mut parts = side.split(':').peekable();
        while let Some(part) = parts.next() {
            let is_end = is_last && parts.peek().is_none();
            count += match is_end && is_four(part) {
                true => 2,
                false if is_group(part) => 1,
                false => return None,
            };
        }
        Some(count)
    };
    match right {
        None => groups(left, true) == Some(8),
        Some(right) => {
            let both = groups(left, false).zip(groups(right, true));
            !right.contains("::") && both.is_some_and(|(left, right)| left + right < 8)
        }
    }
}

fn is_group(text: &str) -> bool {
    let is_hex = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex && u32::from_str_radix(text, 16).is_ok_and(|group| group <= 0xFFFF)
}

/// Six, eight or twenty bytes: by one with `:` or `-` between, by two with dots, or with nothing between.
pub(super) fn is_mac(text: &str) -> bool {
    let is_in = |between: char, digits: usize, counts: [usize; 3]| {
        let parts = text.split(between);
        counts.contains(&parts.clone().count())
            && parts
                .into_iter()
                .all(|part| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let is_run = [12, 16, 40].contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_run || is_in(':', 2, [6, 8, 20]) || is_in('-', 2, [6, 8, 20]) || is_in('.', 4, [3, 4, 10])
}
