//! Names as a server takes them: labels, DNS names, keys of labels and annotations.
//!
//! In: a text. Out: whether a server would take it.

/// Whether a name is one part of a DNS name that begins with a letter (RFC 1035): that of a resource, a version, a service.
pub fn is_label(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase()) && is_dns_label(name)
}

/// Whether a name is one part of a DNS name (RFC 1123).
pub fn is_dns_label(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty()
        && name.len() <= 63
        && name.bytes().all(allowed)
        && !name.starts_with('-')
        && !name.ends_with('-')
}

/// Whether a name is a DNS name (RFC 1123), such as that of a group.
pub fn is_dns_name(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(is_dns_label)
}

/// Whether a name can stand in a path by itself, as that of a role has to: it is not empty, no `.` or `..`, and has no `/` and no `%`.
pub fn is_path_segment(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '%'])
}

/// Whether a text can be the key of a label or, in small letters, of an annotation: a name, or a DNS name, `/` and a name.
pub fn is_label_key(key: &str) -> bool {
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    prefix.is_none_or(is_dns_name) && !name.is_empty() && is_label_value(name)
}

/// Whether a text can be the value of a label.
pub fn is_label_value(value: &str) -> bool {
    let is_end = |letter: Option<char>| letter.is_none_or(|letter| letter.is_ascii_alphanumeric());
    value.len() <= 63
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        && is_end(value.chars().next())
        && is_end(value.chars().next_back())
}
