//! What webhooks answer.
//!
//! In: the body of an answer. Out: whether the write is let through, and how it is to be changed; or what is wrong with the answer.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::{
    admission::calls::Answer,
    protocol::{Status, go_syntax_error, quoted},
};

use super::{Kind, Webhook};

/// A webhook's word about a write.
#[derive(Debug, Default)]
pub(super) struct Word {
    pub warnings: Vec<String>,
    pub operations: Vec<Value>,
    pub refusal: Option<Status>,
}

/// Reads an answer.
pub(super) fn read(webhook: &Webhook, kind: Kind, answer: &Answer) -> Result<Word, String> {
    let body = answer.outcome.as_ref().map_err(|why| format!("failed to call webhook: {why}"))?;
    let review: Value =
        serde_json::from_slice(body).map_err(|_| format!("failed to call webhook: {}", unreadable(body)))?;
    checked_kind(webhook, &review).map_err(|why| format!("failed to call webhook: {why}"))?;
    let invalid = |why: String| format!("received invalid webhook response: {why}");
    let response = match review.get("response") {
        Some(response) if !response.is_null() => response,
        _ => return Err(invalid("webhook response was absent".to_owned())),
    };
    let text = |name: &str| response.get(name).and_then(Value::as_str);
    if webhook.version == "v1" {
        let uid = text("uid").unwrap_or_default();
        if uid != answer.uid {
            return Err(invalid(format!(
                "expected response.uid={}, got {}",
                quoted(&answer.uid),
                quoted(uid)
            )));
        }
        if review.get("kind").is_none() {
            let got = "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=";
            return Err(invalid(got.to_owned()));
        }
    }
    let patch = patch(webhook, kind, response).map_err(invalid)?;
    let warnings = response.get("warnings").and_then(Value::as_array).into_iter().flatten();
    let mut word = Word {
        warnings: warnings
            .filter_map(Value::as_str)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .collect(),
        ..Word::default()
    };
    if response.get("allowed") != Some(&Value::Bool(true)) {
        word.refusal = Some(refused(&webhook.name, response.get("status")));
        return Ok(word);
    }
    if let Some((patch, patch_type)) = patch {
        word.operations = operations(&patch)?;
        if !word.operations.is_empty() && patch_type != "JSONPatch" {
            return Err(format!("unsupported patch type {}", quoted(&patch_type)));
        }
    }
    Ok(word)
}

/// The bytes of a patch and its type.
fn patch(webhook: &Webhook, kind: Kind, response: &Value) -> Result<Option<(Vec<u8>, String)>, String> {
    let patch = response.get("patch").and_then(Value::as_str).unwrap_or_default();
    let bytes = STANDARD.decode(patch).map_err(|error| error.to_string())?;
    let patch_type = response.get("patchType").and_then(Value::as_str);
    if webhook.version == "v1beta1" {
        return Ok((kind == Kind::Mutating && !bytes.is_empty()).then(|| (bytes, "JSONPatch".to_owned())));
    }
    let failed = |why: &str| Err(why.to_owned());
    match (kind, bytes.is_empty(), patch_type) {
        (Kind::Validating, false, _) => failed("validating webhook may not return response.patch"),
        (Kind::Validating, _, Some(_)) => failed("validating webhook may not return response.patchType"),
        (_, false, None) => failed("webhook returned response.patch but not response.patchType"),
        (_, true, Some(_)) => failed("webhook returned response.patchType but not response.patch"),
        (_, _, Some("")) => failed("webhook returned invalid response.patchType of \"\""),
        (_, true, None) => Ok(None),
        (_, false, Some(patch_type)) => Ok(Some((bytes, patch_type.to_owned()))),
    }
}

fn operations(patch: &[u8]) -> Result<Vec<Value>, String> {
    let undecodable = |why: String| format!("received undecodable patch in webhook response: {why}");
    match serde_json::from_slice(patch) {
        Ok(Value::Array(operations)) => Ok(operations),
        Ok(other) => {
            let found = crate::schema::go_json_kind(&other);
            let why = format!("json: cannot unmarshal {found} into Go value of type jsonpatch.Patch");
            Err(undecodable(why))
        }
        Err(_) => Err(undecodable(syntax_error(patch))),
    }
}

fn syntax_error(text: &[u8]) -> String {
    go_syntax_error(text)
}

/// What Go says of a body that is no review.
fn unreadable(body: &[u8]) -> String {
    format!("couldn't get version/kind; json parse error: {}", syntax_error(body))
}

fn checked_kind(webhook: &Webhook, review: &Value) -> Result<(), String> {
    let text = |name: &str| review.get(name).and_then(Value::as_str).unwrap_or_default();
    if !review.is_object() {
        let found = crate::schema::go_json_kind(review);
        return Err(format!(
            "couldn't get version/kind; json parse error: json: cannot unmarshal {found} into Go value of type struct {{ APIVersion \
             string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}"
        ));
    }
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    if api_version.is_empty() && kind.is_empty() {
        return Ok(());
    }
    let version = api_version.rsplit('/').next().unwrap_or_default();
    let known = api_version == format!("admission.k8s.io/{version}")
        && ["v1", "v1beta1"].contains(&version)
        && kind == "AdmissionReview";
    match known {
        true if version == webhook.version => Ok(()),
        true => Err(format!(
            "converting ({version}.AdmissionReview) to ({}.AdmissionReview): unknown conversion",
            webhook.version
        )),
        false => Err(format!(
            "no kind \"{kind}\" is registered for version \"{api_version}\" in scheme \
             \"k8s.io/apiserver/pkg/util/webhook/webhook.go:54\""
        )),
    }
}

/// The refusal of a webhook: what it says itself, with its name before it.
fn refused(name: &str, said: Option<&Value>) -> Status {
    let by = format!("admission webhook {} denied the request", quoted(name));
    let said = said.filter(|said| said.is_object()).cloned().unwrap_or_else(|| serde_json::json!({}));
    let text = |name: &str| said.get(name).and_then(Value::as_str).unwrap_or_default();
    let message = match (text("message"), text("reason")) {
        ("", "") => format!("{by} without explanation"),
        ("", reason) => format!("{by}: {reason}"),
        (message, _) => format!("{by}: {message}"),
    };
    let code = said.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let code = code.filter(|code| (400..1000).contains(code)).unwrap_or(400);
    Status::relayed(code, said, &message)
}
