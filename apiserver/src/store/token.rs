//! `Token`: where the next page of a list begins.
//!
//! In and out: the text of a `continue` parameter. The form is upstream's (base64 of JSON), the words about broken ones too.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

/// A place in a list at a version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Token {
    #[serde(rename = "v", default)]
    encoding: String,
    /// The version that the pages show; negative: the newest.
    #[serde(rename = "rv", default)]
    pub version: i64,
    /// The last key of the page before.
    #[serde(rename = "start", default)]
    pub after: String,
}

const ENCODING: &str = "meta.k8s.io/v1";

impl Token {
    /// A token for the page after a key.
    pub(crate) fn new(version: i64, after: &str) -> Self {
        Self { encoding: ENCODING.to_owned(), version, after: after.to_owned() }
    }

    /// As text.
    pub(crate) fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }

    /// From text.
    pub(crate) fn decode(text: &str) -> Result<Self, String> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|error| {
            let at = match error {
                base64::DecodeError::InvalidByte(at, _) => at,
                _ => text.len() / 4 * 4,
            };
            format!("continue key is not valid: illegal base64 data at input byte {at}")
        })?;
        let token: Self = serde_json::from_slice(&bytes).map_err(|error| {
            let why = crate::protocol::go_syntax_error(&bytes);
            let kind = match bytes.trim_ascii_start().first() {
                Some(b'[') => "array",
                Some(b'"') => "string",
                Some(b't' | b'f') => "bool",
                _ => "number",
            };
            let why = match (why.is_empty(), error.is_data()) {
                (true, true) => {
                    format!("json: cannot unmarshal {kind} into Go value of type storage.continueToken")
                }
                (true, false) => error.to_string(),
                (false, _) => why,
            };
            format!("continue key is not valid: {why}")
        })?;
        match token.encoding.as_str() {
            ENCODING if token.after.is_empty() => {
                Err(format!("continue key is not valid: encoded start key empty (version {ENCODING})"))
            }
            ENCODING => Ok(token),
            other => Err(format!(
                "continue key is not valid: server does not recognize this encoded version {other}"
            )),
        }
    }
}
