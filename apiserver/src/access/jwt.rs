//! Tokens of service accounts: JSON web tokens, signed with ECDSA over P-256 (`ES256`).
//!
//! In: claims, or a token somebody shows. Out: the token, or the claims in it once its signature holds. Signing needs no randomness, so
//! that the same server gives the same tokens. What the claims mean is not known here.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use p256::ecdsa::{
    Signature, SigningKey,
    signature::{Signer as _, Verifier as _},
};
use serde_json::{Value, json};

/// Signs tokens, and recognises its own.
pub(crate) struct TokenKey {
    key: SigningKey,
    id: String,
}

/// Why a token is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadToken {
    /// It is no token of this server.
    Foreign,
    /// It says that it is, and is not.
    Forged,
}

impl TokenKey {
    /// A key out of 32 secret bytes; a few of all bytes make none.
    pub(crate) fn new(secret: &[u8; 32]) -> Option<Self> {
        let key = SigningKey::from_slice(secret).ok()?;
        let point = key.verifying_key().to_sec1_point(false);
        let id = BASE64.encode(point.x()?);
        Some(Self { key, id })
    }

    /// A token with these claims.
    pub(crate) fn sign(&self, claims: &Value) -> String {
        let header = json!({"alg": "ES256", "kid": self.id});
        let body = format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(claims.to_string()));
        let signature: Signature = self.key.sign(body.as_bytes());
        format!("{body}.{}", BASE64.encode(signature.to_bytes()))
    }

    /// The claims of a token that this key has signed.
    pub(crate) fn verify(&self, token: &str, issuer: &str) -> Result<Value, BadToken> {
        let (body, signature) = token.rsplit_once('.').ok_or(BadToken::Foreign)?;
        let (_, claims) = body.split_once('.').ok_or(BadToken::Foreign)?;
        let claims = BASE64.decode(claims).map_err(|_| BadToken::Foreign)?;
        let claims: Value = serde_json::from_slice(&claims).map_err(|_| BadToken::Foreign)?;
        if claims.get("iss").and_then(Value::as_str) != Some(issuer) {
            return Err(BadToken::Foreign);
        }
        let signature = BASE64.decode(signature).map_err(|_| BadToken::Forged)?;
        let signature = Signature::from_slice(&signature).map_err(|_| BadToken::Forged)?;
        let verified = self.key.verifying_key().verify(body.as_bytes(), &signature);
        verified.map(|()| claims).map_err(|_| BadToken::Forged)
    }

    /// The public half, as others read it to verify tokens.
    pub(crate) fn public(&self) -> Value {
        let point = self.key.verifying_key().to_sec1_point(false);
        let part =
            |part: Option<&p256::FieldBytes>| part.map(|bytes| BASE64.encode(bytes)).unwrap_or_default();
        json!({"keys": [{
            "use": "sig",
            "kty": "EC",
            "kid": self.id,
            "crv": "P-256",
            "alg": "ES256",
            "x": part(point.x()),
            "y": part(point.y()),
        }]})
    }
}

impl std::fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TokenKey").field("id", &self.id).finish_non_exhaustive()
    }
}
