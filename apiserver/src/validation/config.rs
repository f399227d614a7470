//! Config maps and secrets.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::protocol::FieldError;

use super::{Checks, Findings, NONE, Spot, formats};

const LIMIT: usize = 1024 * 1024;
const KEPT: &str = "field is immutable when `immutable` is set";

pub(super) const CONFIG_MAPS: Checks = Checks {
    create: config_map,
    update: |out, new, old| {
        kept(out, new, old, &["data", "binaryData"]);
        config_map(out, new);
    },
    ..NONE
};
pub(super) const SECRETS: Checks = Checks {
    create: secret,
    update: |out, new, old| {
        out.immutable(&new.get("type"), &old.get("type"));
        kept(out, new, old, &["data"]);
        secret(out, new);
    },
    ..NONE
};

/// What is marked immutable keeps its mark and these members.
fn kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>, members: &[&str]) {
    if !old.is_true("immutable") {
        return;
    }
    if !new.is_true("immutable") {
        out.forbidden(&new.get("immutable"), KEPT);
    }
    for member in members {
        if new.get(member).value() != old.get(member).value() {
            out.forbidden(&new.get(member), KEPT);
        }
    }
}

fn config_map(out: &mut Findings, object: &Spot<'_>) {
    let mut size = 0;
    for (key, value) in object.entries("data") {
        for error in formats::config_key_errors(key) {
            out.invalid_as(&value, key, error);
        }
        if object.entry("binaryData", key).is_set() {
            out.invalid_as(&value, key, "duplicate of key present in binaryData");
        }
        size += value.str().len();
    }
    for (key, value) in object.entries("binaryData") {
        for error in formats::config_key_errors(key) {
            out.invalid_as(&value, key, error);
        }
        size += bytes(&value).len();
    }
    if size > LIMIT {
        out.push(FieldError::too_long("[]", LIMIT));
    }
}

fn bytes(spot: &Spot<'_>) -> Vec<u8> {
    STANDARD.decode(spot.str()).unwrap_or_default()
}

fn secret(out: &mut Findings, object: &Spot<'_>) {
    let mut size = 0;
    for (key, value) in object.entries("data") {
        for error in formats::config_key_errors(key) {
            out.invalid_as(&value, key, error);
        }
        size += bytes(&value).len();
    }
    if size > LIMIT {
        out.too_long(&object.get("data"), LIMIT);
    }
    match object.text("type") {
        "kubernetes.io/service-account-token" => {
            let account = object.entry("metadata.annotations", "kubernetes.io/service-account.name");
            out.present(&account);
        }
        "kubernetes.io/dockercfg" => docker(out, &object.entry("data", ".dockercfg")),
        "kubernetes.io/dockerconfigjson" => docker(out, &object.entry("data", ".dockerconfigjson")),
        "kubernetes.io/basic-auth" => {
            let parts = ["username", "password"].map(|key| object.entry("data", key));
            if parts.iter().all(|part| !part.is_set()) {
                parts.iter().for_each(|part| out.required(part, ""));
            }
        }
        "kubernetes.io/ssh-auth" => out.present(&object.entry("data", "ssh-privatekey")),
        "kubernetes.io/tls" => {
            for key in ["tls.crt", "tls.key"] {
                let part = object.entry("data", key);
                if !part.is_set() {
                    out.required(&part, "");
                }
            }
        }
        _ => {}
    }
}

fn docker(out: &mut Findings, spot: &Spot<'_>) {
    if !spot.is_set() {
        return out.required(spot, "");
    }
    let content = bytes(spot);
    let why = match serde_json::from_slice::<Value>(&content) {
        Ok(Value::Object(_) | Value::Null) => return,
        Ok(other) => format!(
            "json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            crate::schema::go_json_kind(&other)
        ),
        Err(_) => crate::protocol::go_syntax_error(&content),
    };
    out.invalid_as(spot, "<secret contents redacted>", why);
}
