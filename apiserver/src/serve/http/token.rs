//! `Token`: the secret that a client shows.
//!
//! In: randomness, and the headers of requests. Out: whether a request may pass. It knows no users: who has the token may do everything.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{HeaderMap, header};
use subtle::ConstantTimeEq as _;
use tokio_rustls::rustls::crypto::CryptoProvider;

use super::HttpError;

/// How many random bytes a token has.
const LENGTH: usize = 32;

pub(super) struct Token(String);

impl Token {
    pub(super) fn random(provider: &CryptoProvider) -> Result<Self, HttpError> {
        let mut bytes = [0; LENGTH];
        provider.secure_random.fill(&mut bytes).map_err(|_| HttpError::Random)?;
        Ok(Self(URL_SAFE_NO_PAD.encode(bytes)))
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether the request shows this token. How long that takes says nothing about the token.
    pub(super) fn is_shown(&self, headers: &HeaderMap) -> bool {
        let Some(value) = headers.get(header::AUTHORIZATION) else { return false };
        let Some((scheme, shown)) = value.as_bytes().split_at_checked("Bearer ".len()) else { return false };
        scheme.eq_ignore_ascii_case(b"Bearer ") && shown.ct_eq(self.0.as_bytes()).into()
    }
}
