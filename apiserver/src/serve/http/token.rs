//! `Token`: the secret that a client shows.
//!
//! In: randomness. Out: a token. Whom it stands for, the server knows.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
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
}
