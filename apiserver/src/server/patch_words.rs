//! What a real server says where values are converted one by one rather than decoded from JSON.
//!
//! In: the words of Go's decoder of JSON. Out: those of the converter that strategic merge patches go through. It looks at no values.

/// The same fault, told by the converter.
pub(super) fn in_words_of_conversion(text: String) -> String {
    let Some(rest) = text.strip_prefix("json: cannot unmarshal ") else {
        return match text.contains("base64") {
            true => format!("error decoding from json: {text}"),
            false => text,
        };
    };
    let Some((found, into)) = rest.split_once(" into ") else { return text };
    let Some((_, wanted)) = into.rsplit_once(" of type ") else { return text };
    let (kind, number) = match found.split_once(' ') {
        Some((kind, number)) => (kind, number),
        None => (found, ""),
    };
    let found = match kind {
        "array" => "slice",
        "object" => "map",
        "number" if number.contains('.') => "float64",
        "number" => "int64",
        other => other,
    };
    if wanted.starts_with("map[") {
        return format!("cannot restore map from {found}");
    }
    if wanted.starts_with("[]") {
        return format!("cannot restore slice from {found}");
    }
    match (wanted, found) {
        ("string", "int64") => "cannot convert int64 to string".to_owned(),
        (_, "float64") if wanted.starts_with("int") => format!("cannot convert float64 to {wanted}"),
        _ if wanted.starts_with("v1.") || wanted.starts_with("v2.") => {
            format!("cannot restore struct from: {found}")
        }
        _ if wanted.contains('.') => format!("error decoding from json: {text}"),
        _ => format!("unrecognized type: {wanted}"),
    }
}
