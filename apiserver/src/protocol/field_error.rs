//! `FieldError`: one rule that one field breaks.
//!
//! In: a path, a value, a sentence. Out: the texts of a real server's validation. It never looks at objects.

use std::fmt;

use serde_json::Value;

use super::{Cause, go_number};

/// One failure of validation.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldError {
    /// Path of the field, such as `metadata.finalizers[0]`.
    pub field: String,
    /// What kind of failure.
    pub class: FieldErrorClass,
    /// The value as a real server would print it; empty for the classes that print none.
    pub value: String,
    /// The sentence.
    pub detail: String,
}

/// The classes of failures that validation tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldErrorClass {
    /// A value that must be there is not.
    Required,
    /// The value breaks a rule.
    Invalid,
    /// The value is none of the known ones.
    NotSupported,
    /// The field must not be set, or not be changed.
    Forbidden,
    /// The same value twice in a set.
    Duplicate,
    /// A text or list is too long.
    TooLong,
    /// Too many entries.
    TooMany,
    /// A value that is referred to is not there.
    NotFound,
    /// Not even the type fits.
    TypeInvalid,
    /// The rule itself could not be run.
    Internal,
}

impl FieldErrorClass {
    fn reason(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::Invalid => "FieldValueInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::Forbidden => "FieldValueForbidden",
            Self::Duplicate => "FieldValueDuplicate",
            Self::TooLong => "FieldValueTooLong",
            Self::TooMany => "FieldValueTooMany",
            Self::NotFound => "FieldValueNotFound",
            Self::TypeInvalid => "FieldValueTypeInvalid",
            Self::Internal => "InternalError",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Required => "Required value",
            Self::Invalid | Self::TypeInvalid => "Invalid value",
            Self::NotSupported => "Unsupported value",
            Self::Forbidden => "Forbidden",
            Self::Duplicate => "Duplicate value",
            Self::TooLong => "Too long",
            Self::TooMany => "Too many",
            Self::NotFound => "Not found",
            Self::Internal => "Internal error",
        }
    }
}

impl FieldError {
    fn new(
        class: FieldErrorClass,
        field: impl Into<String>,
        value: String,
        detail: impl Into<String>,
    ) -> Self {
        Self { field: field.into(), class, value, detail: detail.into() }
    }

    /// A value that must be there is not.
    pub fn required(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(FieldErrorClass::Required, field, String::new(), detail)
    }

    /// The value breaks a rule.
    pub fn invalid(field: impl Into<String>, value: &Value, detail: impl Into<String>) -> Self {
        Self::new(FieldErrorClass::Invalid, field, printed(value), detail)
    }

    /// The text breaks a rule.
    pub fn invalid_text(field: impl Into<String>, value: &str, detail: impl Into<String>) -> Self {
        Self::new(FieldErrorClass::Invalid, field, quoted(value), detail)
    }

    /// The value, printed by the caller, breaks a rule.
    pub fn invalid_printed(
        field: impl Into<String>,
        value: impl Into<String>,
        detail: impl Into<String>,
    ) -> Self {
        Self::new(FieldErrorClass::Invalid, field, value.into(), detail)
    }

    /// The value is none of `supported`, which are told in this order.
    pub fn not_supported(field: impl Into<String>, value: &Value, supported: &[&str]) -> Self {
        let list: Vec<String> = supported.iter().map(|value| quoted(value)).collect();
        let detail =
            if list.is_empty() { String::new() } else { format!("supported values: {}", list.join(", ")) };
        Self::new(FieldErrorClass::NotSupported, field, printed(value), detail)
    }

    /// The field must not be set, or not be changed.
    pub fn forbidden(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(FieldErrorClass::Forbidden, field, String::new(), detail)
    }

    /// The rule could not be run.
    pub fn internal(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(FieldErrorClass::Internal, field, String::new(), detail)
    }

    /// The same value twice in a set.
    pub fn duplicate(field: impl Into<String>, value: &Value) -> Self {
        Self::new(FieldErrorClass::Duplicate, field, printed(value), "")
    }

    /// The same value twice in a set, printed by the caller.
    pub fn duplicate_printed(field: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new(FieldErrorClass::Duplicate, field, value.into(), "")
    }

    /// Longer than `limit` bytes.
    pub fn too_long(field: impl Into<String>, limit: usize) -> Self {
        let detail = format!("may not be more than {limit} bytes");
        Self::new(FieldErrorClass::TooLong, field, String::new(), detail)
    }

    /// Longer than `limit` characters.
    pub fn too_long_characters(field: impl Into<String>, limit: usize) -> Self {
        let detail = format!("may not be more than {limit} characters");
        Self::new(FieldErrorClass::TooLong, field, String::new(), detail)
    }

    /// More entries than `limit`.
    pub fn too_many(field: impl Into<String>, count: usize, limit: usize) -> Self {
        let detail = format!("must have at most {limit} item{}", if limit == 1 { "" } else { "s" });
        Self::new(FieldErrorClass::TooMany, field, count.to_string(), detail)
    }

    /// A value that is referred to is not there.
    pub fn not_found(field: impl Into<String>, value: &Value) -> Self {
        Self::new(FieldErrorClass::NotFound, field, printed(value), "")
    }

    pub(crate) fn cause(&self) -> Cause {
        Cause { reason: self.class.reason(), message: self.body(), field: self.field.clone() }
    }

    fn body(&self) -> String {
        let mut text = self.class.title().to_owned();
        if !self.value.is_empty() {
            text.push_str(": ");
            text.push_str(&self.value);
        }
        if !self.detail.is_empty() {
            text.push_str(": ");
            text.push_str(&self.detail);
        }
        text
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.body())
    }
}

/// A text as Go's `%q` prints it, for the characters that occur in names.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            c if (c as u32) < 0x20 || c as u32 == 0x7f => {
                out.push_str(&format!("\\x{:02x}", c as u32));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A value as validation prints it: texts quoted, everything else as JSON.
pub(crate) fn printed(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Null => "null".to_owned(),
        Value::Number(number) => go_number(number),
        other => html_safe(other.to_string()),
    }
}

/// JSON as Go writes it: with what HTML would read as its own escaped.
pub(crate) fn html_safe(json: String) -> String {
    if !json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 10);
    for letter in json.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let code = u32::from(letter);
                out.push_str(&format!("\\u{code:04x}"));
            }
            letter => out.push(letter),
        }
    }
    out
}
