//! Why a patch was refused, in the words of a real server.

/// A patch that was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// 400: the patch is not what it should be.
    #[error("{0}")]
    BadRequest(String),
    /// 422 without more words: the patch does not apply to the object.
    #[error("the server rejected our request due to an error in our request")]
    Rejected,
    /// 413: too many operations.
    #[error("Request entity too large: The allowed maximum operations in a JSON patch is {max}, got {0}", max = super::MAX_OPERATIONS)]
    TooManyOperations(usize),
    /// 422 on the field `patch`: the patched document cannot be decoded.
    #[error(" \"\" is invalid: patch: {}", invalid(document, detail))]
    Undecodable {
        /// The document, as the message prints it.
        document: String,
        /// What is wrong.
        detail: String,
    },
    /// 409: fields that others own would change.
    #[error("{message}")]
    Conflict {
        /// All conflicts in one text.
        message: String,
        /// One entry a field and owner.
        causes: Vec<Cause>,
    },
    /// 500 without a reason.
    #[error("{0}")]
    Internal(String),
}

/// One of the details of a [`PatchError`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Machine-readable class, such as `FieldManagerConflict`.
    pub reason: &'static str,
    /// What is wrong.
    pub message: String,
    /// Path of the field.
    pub field: String,
}

fn invalid(document: &str, detail: &str) -> String {
    format!("Invalid value: {}: {detail}", go_quote(document))
}

impl PatchError {
    /// The HTTP status.
    #[must_use]
    pub fn code(&self) -> u16 {
        match self {
            Self::BadRequest(_) => 400,
            Self::Conflict { .. } => 409,
            Self::TooManyOperations(_) => 413,
            Self::Rejected | Self::Undecodable { .. } => 422,
            Self::Internal(_) => 500,
        }
    }

    /// The reason in the `Status`; empty where a real server gives none.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::BadRequest(_) => "BadRequest",
            Self::Conflict { .. } => "Conflict",
            Self::TooManyOperations(_) => "RequestEntityTooLarge",
            Self::Rejected | Self::Undecodable { .. } => "Invalid",
            Self::Internal(_) => "",
        }
    }

    /// The causes in the details of the `Status`.
    #[must_use]
    pub fn causes(&self) -> Vec<Cause> {
        match self {
            Self::Conflict { causes, .. } => causes.clone(),
            Self::Undecodable { document, detail } => {
                let message = invalid(document, detail);
                vec![Cause { reason: "FieldValueInvalid", message, field: "patch".into() }]
            }
            _ => Vec::new(),
        }
    }

    /// Whether the `Status` has `details`, if only empty ones.
    #[must_use]
    pub fn has_details(&self) -> bool {
        matches!(self, Self::Rejected | Self::Conflict { .. } | Self::Undecodable { .. })
    }
}

/// A text in the quotes and escapes of Go's `%q`.
pub(crate) fn go_quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            control if control.is_control() && control < '\u{80}' => {
                out.push_str(&format!("\\x{:02x}", u32::from(control)));
            }
            control if control.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
