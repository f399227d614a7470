//! Numbers with a digit that checks the others: of books and of credit cards.

use super::engine::finds;

/// The numbers of credit cards, by who gives them out.
const CARDS: &str = "^(4[0-9]{12}([0-9]{3})?|5[1-5][0-9]{14}|6(011|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}|3(0[0-5]|[68][0-9])[0-9]{11}|(2131|1800|35[0-9]{3})[0-9]{11})$";

/// Ten digits, of which the last may be an `X`.
pub(super) fn is_isbn10(text: &str) -> bool {
    let found = plain(text);
    let Some((digits, last)) = found.split_at_checked(9) else { return false };
    let last = if last == "X" { Some(10) } else { digit(last) };
    let values: Option<Vec<u32>> =
        values(digits).zip(last).map(|(digits, last)| [digits, vec![last]].concat());
    values.is_some_and(|values| {
        values.iter().zip(1..).map(|(value, place)| value * place).sum::<u32>() % 11 == 0
    })
}

/// Thirteen digits.
pub(super) fn is_isbn13(text: &str) -> bool {
    let weighed = |values: Vec<u32>| {
        values.iter().zip([1, 3].into_iter().cycle()).map(|(value, weight)| value * weight).sum::<u32>()
    };
    let found = plain(text);
    found.len() == 13 && values(&found).is_some_and(|values| weighed(values) % 10 == 0)
}

/// The digits of a card; whatever stands between them does not count.
pub(super) fn is_credit_card(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let doubled = |(value, is_second): (&u32, bool)| match value * 2 {
        _ if !is_second => *value,
        twice if twice > 9 => twice - 9,
        twice => twice,
    };
    let sum = |values: Vec<u32>| {
        values.iter().rev().zip([false, true].into_iter().cycle()).map(doubled).sum::<u32>()
    };
    finds(CARDS, &digits) != Some(false) && values(&digits).is_some_and(|values| sum(values) % 10 == 0)
}

/// A text without white space and hyphens.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| !matches!(letter, '-' | ' ' | '\t' | '\n' | '\r' | '\u{c}')).collect()
}

fn values(text: &str) -> Option<Vec<u32>> {
    text.chars().map(|letter| letter.to_digit(10)).collect()
}

fn digit(text: &str) -> Option<u32> {
    values(text).filter(|values| values.len() == 1).and_then(|values| values.first().copied())
}
