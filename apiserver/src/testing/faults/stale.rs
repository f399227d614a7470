//! Reads as of an older version, through the one way that every API server has: exact lists.
//!
//! In: the URL of a read. Out: the URL of the exact list that holds the answer, and for one object the way back.

use bytes::Bytes;
use http::{StatusCode, Uri, uri::PathAndQuery};
use serde_json::{Map, Value};

use crate::{
    ResourceName, Status,
    testing::{
        action::Action,
        reply::{failure, json},
        verb::Verb,
    },
};

use super::Answer;

/// The URL of a list at exactly this version; `None` if the request is no read of objects, or goes on from an earlier
/// page, which has its version already.
pub(in crate::testing) fn exact(uri: &Uri, action: &Action, version: u64) -> Option<Uri> {
    if action.subresource().is_some() || action.parameter("continue").is_some_and(|token| !token.is_empty()) {
        return None;
    }
    let (path, selector) = match (action.verb(), action.name()) {
        (Verb::List, _) => (uri.path(), String::new()),
        (Verb::Get, Some(name)) => {
            (uri.path().rsplit_once('/')?.0, format!("&fieldSelector=metadata.name%3D{name}"))
        }
        _ => return None,
    };
    let kept = uri.query().unwrap_or_default().split('&');
    let kept: Vec<&str> =
        kept.filter(|pair| !pair.is_empty() && !pair.starts_with("resourceVersion")).collect();
    let kept = kept.join("&");
    let text = format!("{path}?{kept}&resourceVersion={version}&resourceVersionMatch=Exact{selector}");
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(text.replace("?&", "?").parse::<PathAndQuery>().ok()?);
    Uri::from_parts(parts).ok()
}

/// The one object of a list, as a get answers it.
pub(super) fn only(action: &Action, list: &Bytes) -> Answer {
    let missing = || {
        let resource = ResourceName { group: action.group(), resource: action.resource() };
        failure(&Status::not_found(resource, action.name().unwrap_or_default()))
    };
    let Ok(Value::Object(mut list)) = serde_json::from_slice(list) else { return missing() };
    let Some(Value::Array(mut items)) = list.remove("items") else { return missing() };
    let Some(Value::Object(item)) = items.pop() else { return missing() };
    let mut object = Map::new();
    let kind = list.get("kind").and_then(Value::as_str).unwrap_or_default();
    object.insert("kind".into(), kind.strip_suffix("List").unwrap_or(kind).into());
    object.insert("apiVersion".into(), list.get("apiVersion").cloned().unwrap_or_default());
    object.extend(item);
    json(StatusCode::OK, Value::Object(object).to_string())
}
