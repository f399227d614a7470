//! The order of keys: letters before nothing else, numbers within names by their value (`v2` before `v10`).

use std::cmp::Ordering;

/// Compares two keys.
pub(super) fn natural(left: &str, right: &str) -> Ordering {
    // Most keys part at two plain letters, or one is the beginning of the other.
    let parted = left.bytes().zip(right.bytes()).find(|(a, b)| a != b);
    match parted {
        Some((a, b)) if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => return a.cmp(&b),
        None => return left.len().cmp(&right.len()),
        Some(_) => {}
    }
    let at = left.char_indices().zip(right.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let both = at.and_then(|at| Some((left.split_at_checked(at)?, right.get(at..)?)));
    let Some(((shared, left), right)) = both else { return left.len().cmp(&right.len()) };
    let (Some(a), Some(b)) = (left.chars().next(), right.chars().next()) else {
        return left.len().cmp(&right.len());
    };
    match (a.is_alphabetic(), b.is_alphabetic()) {
        (true, true) => a.cmp(&b),
        // What is no letter comes first.
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => numbers(shared, left, right).then_with(|| a.cmp(&b)),
    }
}

/// Compares the runs of digits that begin where two keys part, behind what they share.
fn numbers(shared: &str, left: &str, right: &str) -> Ordering {
    let (a, b) = (digits(left), digits(right));
    // Behind a digit other than zero that both share, a longer run is a greater number whatever it begins with.
    let mut before = shared.bytes().rev().take_while(u8::is_ascii_digit);
    if before.any(|digit| digit != b'0') {
        return a.len().cmp(&b.len());
    }
    let (x, y) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    x.len().cmp(&y.len()).then_with(|| x.cmp(y)).then_with(|| a.len().cmp(&b.len()))
}

/// The digits that a text begins with.
fn digits(text: &str) -> &str {
    text.strip_suffix(text.trim_start_matches(|letter: char| letter.is_ascii_digit())).unwrap_or_default()
}
