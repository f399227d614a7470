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
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    for (at, (a, b)) in left.iter().zip(&right).enumerate() {
        if a == b {
            continue;
        }
        return match (a.is_alphabetic(), b.is_alphabetic()) {
            (true, true) => a.cmp(b),
            // What is no letter comes first.
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => numbers(&left, &right, at).then_with(|| a.cmp(b)),
        };
    }
    left.len().cmp(&right.len())
}

/// Compares the runs of digits that begin where two keys part.
fn numbers(left: &[char], right: &[char], at: usize) -> Ordering {
    let digits = |key: &[char]| -> Vec<char> {
        key.iter().skip(at).copied().take_while(char::is_ascii_digit).collect()
    };
    let (a, b) = (digits(left), digits(right));
    // Behind a digit other than zero that both share, a longer run is a greater number whatever it begins with.
    let shared = left.get(..at).unwrap_or_default().iter().rev().take_while(|letter| letter.is_ascii_digit());
    if shared.clone().any(|digit| *digit != '0') {
        return a.len().cmp(&b.len());
    }
    let value =
        |digits: &[char]| digits.iter().skip_while(|digit| **digit == '0').copied().collect::<Vec<_>>();
    let (x, y) = (value(&a), value(&b));
    x.len().cmp(&y.len()).then_with(|| x.cmp(&y)).then_with(|| a.len().cmp(&b.len()))
}
