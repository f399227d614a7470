//! `Asked`: an object that is converted by a call, and what came of it.
//!
//! In: a question of a request. Out: the review to send; of an answer, the object in the wanted version or what is wrong, in a real server's
//! words.

use bytes::Bytes;
use serde_json::Value;

use super::{Known, Question, Review, metadata};
use crate::protocol::{Fields, go_no_object, quoted};

const GROUP: &str = "apiextensions.k8s.io";

/// An object that is to be converted, and the call that does it. A real server asks of each object alone, also of those of a list.
#[derive(Debug)]
pub(crate) struct Asked(Question);

impl Asked {
    pub(crate) fn new(question: Question) -> Self {
        Self(question)
    }

    /// Where the webhook is, as the definition says.
    pub(crate) fn client(&self) -> &Value {
        &self.0.converter.client
    }

    /// The review that the webhook is sent.
    pub(crate) fn review(&self, uid: &str) -> Bytes {
        let Question { converter, desired, sent } = &self.0;
        let version = converter.review.name();
        let (desired, uid) = (Value::from(desired.as_str()), Value::from(uid));
        format!(
            r#"{{"kind":"ConversionReview","apiVersion":"{GROUP}/{version}","request":{{"uid":{uid},"desiredAPIVersion":{desired},"objects":[{sent}]}},"response":{{"uid":"","convertedObjects":null,"result":{{"metadata":{{}}}}}}}}"#
        )
        .into()
    }

    /// Takes up an answer.
    pub(crate) fn read(self, uid: &str, outcome: &Result<Bytes, String>, known: &mut Known) {
        let converted = outcome.clone().and_then(|body| self.converted(uid, &body));
        let Question { desired, sent, .. } = self.0;
        let before: Fields = serde_json::from_str(&sent).unwrap_or_default();
        let webhook = format!("conversion webhook for {}", described(&before));
        let result = match converted.map(<[Value; 1]>::try_from) {
            Err(why) => Err(format!("{webhook} failed: {why}")),
            Ok(Err(objects)) => Err(format!("{webhook} returned {} objects, expected 1", objects.len())),
            Ok(Ok([object])) => checked(&before, object, &desired).map_err(|wrong| wrong.told(&webhook)),
        };
        known.insert((desired, sent), result);
    }

    /// The objects in an answer.
    fn converted(&self, uid: &str, body: &[u8]) -> Result<Vec<Value>, String> {
        let review = read(body)?;
        let text = |value: &Value, name: &str| {
            value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let (api_version, kind) = (text(&review, "apiVersion"), text(&review, "kind"));
        let own = self.0.converter.review;
        checked_kind(own, &api_version, &kind)?;
        let response = review.get("response").filter(|response| !response.is_null());
        let response = response.ok_or("no response provided")?;
        if own == Review::V1 && text(response, "uid") != uid {
            let got = quoted(&text(response, "uid"));
            return Err(format!("expected response.uid={}, got {got}", quoted(uid)));
        }
        let result = response.get("result").cloned().unwrap_or_default();
        if text(&result, "status") != "Success" {
            let message = text(&result, "message");
            let status = text(&result, "status");
            return Err(match message.is_empty() {
                true => format!("response.result.status was '{status}', not 'Success'"),
                false => message,
            });
        }
        Ok(response.get("convertedObjects").and_then(Value::as_array).cloned().unwrap_or_default())
    }
}

/// Reads a body; what is no JSON may be YAML.
fn read(body: &[u8]) -> Result<Value, String> {
    let read = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(_) => crate::protocol::yaml(body).map(|(value, _)| value)?,
    };
    if read.is_object() { Ok(read) } else { Err(go_no_object(&read)) }
}

fn checked_kind(own: Review, api_version: &str, kind: &str) -> Result<(), String> {
    let wanted = format!("{GROUP}/{}", own.name());
    if api_version == wanted && kind == "ConversionReview" {
        return Ok(());
    }
    if api_version.is_empty() && kind.is_empty() {
        return match own {
            Review::V1 => {
                Err(format!("expected webhook response of {wanted}, Kind=ConversionReview, got /, Kind="))
            }
            Review::V1Beta1 => Ok(()),
        };
    }
    let version = api_version.rsplit('/').next().unwrap_or_default();
    let known =
        [Review::V1, Review::V1Beta1].iter().any(|known| api_version == format!("{GROUP}/{}", known.name()));
    Err(if known && kind == "ConversionReview" {
        format!(
            "converting ({version}.ConversionReview) to ({}.ConversionReview): unknown conversion",
            own.name()
        )
    } else {
        format!(
            "no kind \"{kind}\" is registered for version \"{api_version}\" in scheme \"pkg/runtime/scheme.go:111\""
        )
    })
}

/// A version and kind as Go prints them.
fn described(object: &Fields) -> String {
    let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let (version, kind) = (text("apiVersion"), text("kind"));
    match version.contains('/') {
        true => format!("{version}, Kind={kind}"),
        false => format!("/{version}, Kind={kind}"),
    }
}

/// What is wrong with a converted object.
enum Wrong {
    /// It cannot be read at all.
    Unreadable(String),
    Object(String),
    Metadata(String),
    /// What it says it is.
    Kind(String),
}

impl Wrong {
    fn told(self, webhook: &str) -> String {
        match self {
            Self::Unreadable(why) => why,
            Self::Object(why) => format!("{webhook} returned invalid object: {why}"),
            Self::Metadata(why) => format!("{webhook} returned invalid metadata: {why}"),
            Self::Kind(why) => format!("{webhook} returned invalid object at index 0: {why}"),
        }
    }
}

fn checked(before: &Fields, after: Value, desired: &str) -> Result<Fields, Wrong> {
    let mut after = match after {
        Value::Object(after) => after,
        Value::Null => return Err(Wrong::Unreadable("unexpected end of JSON input".to_owned())),
        other => {
            let found = match other {
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Bool(_) => "bool",
                _ => "number",
            };
            let why =
                format!("json: cannot unmarshal {found} into Go value of type map[string]interface {{}}");
            return Err(Wrong::Unreadable(why));
        }
    };
    let text =
        |object: &Fields, name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (version, kind) = (text(&after, "apiVersion"), text(&after, "kind"));
    if kind.is_empty() {
        let shown = Value::Object(after).to_string();
        return Err(Wrong::Unreadable(format!("Object 'Kind' is missing in '{shown}'")));
    }
    if version != desired {
        return Err(Wrong::Kind(format!("invalid groupVersion (expected {desired}, received {version})")));
    }
    let wanted = text(before, "kind");
    if kind != wanted {
        return Err(Wrong::Kind(format!("invalid kind (expected {wanted}, received {kind})")));
    }
    metadata::check(before, &after).map_err(Wrong::Object)?;
    metadata::restore(before, &mut after).map_err(Wrong::Metadata)?;
    Ok(after)
}
