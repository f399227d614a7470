//! Names of hosts, and names as Kubernetes has them.

use super::engine::finds;

/// The name of a host: one label, or several with a last one of letters.
pub(super) fn is_host(text: &str) -> bool {
    let labels: Vec<&str> = text.split('.').collect();
    let short = text.len() <= 255 && labels.iter().all(|label| label.len() <= 63);
    short
        && match labels.as_slice() {
            [single] => is_single(single),
            [before @ .., last] => {
                let is_top = last.chars().count() >= 2
                    && last.chars().all(|letter| letter.is_ascii_alphabetic() || is_in("\\p{L}", letter));
                is_top && before.iter().all(|label| is_dotted(label))
            }
            [] => false,
        }
}

/// Letters, of which the second may be a hyphen.
fn is_single(label: &str) -> bool {
    let mut letters = label.chars();
    if !letters.next().is_some_and(is_letter) {
        return false;
    }
    let rest = letters.as_str();
    rest.strip_prefix('-').unwrap_or(rest).chars().all(is_letter)
}

/// Letters, with hyphens in their midst.
fn is_dotted(label: &str) -> bool {
    let edges = label.chars().next().into_iter().chain(label.chars().next_back());
    !label.is_empty()
        && edges.into_iter().all(is_letter)
        && label.chars().all(|letter| letter == '-' || is_letter(letter))
}

/// A letter of a name: a digit, a letter or a symbol of any script.
fn is_letter(letter: char) -> bool {
    match letter.is_ascii() {
        true => letter.is_ascii_alphanumeric() || "$+<=>^`|~".contains(letter),
        false => is_in("[\\p{S}\\p{L}]", letter),
    }
}

fn is_in(class: &str, letter: char) -> bool {
    !letter.is_ascii() && finds(&format!("^{class}$"), letter.encode_utf8(&mut [0; 4])) == Some(true)
}

/// A label of up to 63 letters.
pub(super) fn is_label(text: &str) -> bool {
    text.len() <= 63 && is_part(text)
}

/// Small letters and digits, with hyphens in their midst.
pub(super) fn is_part(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    let edges = bytes.first().into_iter().chain(bytes.last());
    !text.is_empty()
        && edges.into_iter().all(|byte| is_letter(*byte))
        && bytes.iter().all(|byte| *byte == b'-' || is_letter(*byte))
}
