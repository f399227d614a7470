//! The rules of names, labels and qualified keys.
//!
//! In: a text. Out: the sentences of the real rules that it breaks. It knows nothing about objects.

const DNS_LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const DNS_SUBDOMAIN: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const QUALIFIED: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

/// Whether `text` is one or more of `inner`, beginning and ending with what `edge` allows.
fn framed(text: &str, edge: fn(u8) -> bool, inner: fn(u8) -> bool) -> bool {
    match text.as_bytes() {
        [] => false,
        [one] => edge(*one),
        [first, middle @ .., last] => edge(*first) && edge(*last) && middle.iter().all(|byte| inner(*byte)),
    }
}

fn lower(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

fn lower_or_dash(byte: u8) -> bool {
    lower(byte) || byte == b'-'
}

fn word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn word_or_mark(byte: u8) -> bool {
    word(byte) || matches!(byte, b'-' | b'_' | b'.')
}

/// A DNS label (RFC 1123): up to 63 of lower case letters, digits and dashes.
pub(crate) fn dns_label_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.len() > 63 {
        errors.push("must be no more than 63 characters".to_owned());
    }
    if !framed(text, lower, lower_or_dash) {
        errors.push(if text.split('.').all(|label| framed(label, lower, lower_or_dash)) {
            "must not contain dots".to_owned()
        } else {
            format!(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with \
                 an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{DNS_LABEL}')"
            )
        });
    }
    errors
}

/// A DNS subdomain (RFC 1123): labels joined by dots, up to 253 characters.
pub(crate) fn dns_subdomain_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.len() > 253 {
        errors.push("must be no more than 253 characters".to_owned());
    }
    if !text.split('.').all(|label| framed(label, lower, lower_or_dash)) {
        errors.push(format!(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end \
             with an alphanumeric character (e.g. 'example.com', regex used for validation is '{DNS_SUBDOMAIN}')"
        ));
    }
    errors
}

/// A name that only has to fit into a path.
pub(crate) fn path_segment_errors(text: &str) -> Vec<String> {
    if text == "." || text == ".." {
        return vec![format!("may not be '{text}'")];
    }
    ['/', '%'].into_iter().filter(|c| text.contains(*c)).map(|c| format!("may not contain '{c}'")).collect()
}

/// A qualified name: an optional DNS subdomain and a slash, then up to 63 characters.
pub(crate) fn qualified_name_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let parts: Vec<&str> = text.split('/').collect();
    let name = match parts.as_slice() {
        [name] => *name,
        [prefix, name] => {
            if prefix.is_empty() {
                errors.push("prefix part must be non-empty".to_owned());
            } else {
                errors.extend(
                    dns_subdomain_errors(prefix).into_iter().map(|error| format!("prefix part {error}")),
                );
            }
            *name
        }
        _ => {
            return vec![format!(
                "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
                 alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{QUALIFIED}') \
                 with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    if name.is_empty() {
        errors.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        errors.push("name part must be no more than 63 bytes".to_owned());
    }
    if !framed(name, word, word_or_mark) {
        errors.push(format!(
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
             character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{QUALIFIED}')"
        ));
    }
    errors
}

/// The value of a label: empty, or up to 63 characters.
pub(crate) fn label_value_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.len() > 63 {
        errors.push("must be no more than 63 bytes".to_owned());
    }
    if !text.is_empty() && !framed(text, word, word_or_mark) {
        errors.push(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end \
             with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is \
             '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
                .to_owned(),
        );
    }
    errors
}

const DNS_1035: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";

/// A DNS label as RFC 1035 has it: like [`dns_label_errors`], but it begins with a letter.
pub(crate) fn dns_1035_label_errors(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if text.len() > 63 {
        errors.push("must be no more than 63 characters".to_owned());
    }
    let begins = text.starts_with(|first: char| first.is_ascii_lowercase());
    if !begins || !framed(text, lower, lower_or_dash) {
        errors.push(format!(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end \
             with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '{DNS_1035}')"
        ));
    }
    errors
}
