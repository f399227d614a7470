//! Options of writes that are said once for all.
//!
//! In: a request. Out: the request with the options that it does not name itself. Never: another change; reads and upgraded connections
//! pass as they are.

use http::{
    HeaderValue, Method, Request, Uri,
    header::{CONTENT_TYPE, UPGRADE},
};
use kube::{api::ValidationDirective, client::Body, core::request};
use serde_json::{Map, Value, json};

/// The options.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    pub(super) dry_run: bool,
    pub(super) field_manager: Option<Box<str>>,
    pub(super) field_validation: Option<ValidationDirective>,
}

impl Options {
    /// Adds what is missing.
    pub(super) async fn apply(&self, mut request: Request<Body>) -> kube::Result<Request<Body>> {
        let method = request.method().clone();
        if request.headers().contains_key(UPGRADE) {
            return Ok(request);
        }
        if method == Method::DELETE {
            return if self.dry_run { dry_delete(request).await } else { Ok(request) };
        }
        if ![Method::POST, Method::PUT, Method::PATCH].contains(&method) {
            return Ok(request);
        }
        let validation = self.field_validation.as_ref().map(|directive| match directive {
            ValidationDirective::Strict => "Strict",
            ValidationDirective::Warn => "Warn",
            ValidationDirective::Ignore => "Ignore",
        });
        let wanted = [
            ("dryRun", self.dry_run.then_some("All")),
            ("fieldManager", self.field_manager.as_deref()),
            ("fieldValidation", validation),
        ];
        for (name, value) in wanted {
            if let Some(value) = value {
                add_parameter(request.uri_mut(), name, value)?;
            }
        }
        Ok(request)
    }
}

/// Adds a parameter to the query, unless there is one of that name.
fn add_parameter(uri: &mut Uri, name: &str, value: &str) -> kube::Result<()> {
    let query = uri.query().unwrap_or_default();
    if query.split('&').any(|pair| pair.split('=').next() == Some(name)) {
        return Ok(());
    }
    let joint = if query.is_empty() { "" } else { "&" };
    let mut encoded = String::new();
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    let path = format!("{}?{query}{joint}{name}={encoded}", uri.path());
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(path.parse().map_err(|error: http::uri::InvalidUri| invalid(&error))?);
    *uri = Uri::from_parts(parts).map_err(|error| invalid(&error))?;
    Ok(())
}

/// Servers read the options of a delete from its body, if there is one, and then from nowhere else.
async fn dry_delete(request: Request<Body>) -> kube::Result<Request<Body>> {
    let (mut parts, body) = request.into_parts();
    let bytes = body.collect_bytes().await?;
    let mut options: Map<String, Value> = if bytes.trim_ascii().is_empty() {
        Map::from_iter([("kind".to_owned(), json!("DeleteOptions")), ("apiVersion".to_owned(), json!("v1"))])
    } else {
        serde_json::from_slice(&bytes).map_err(kube::Error::SerdeError)?
    };
    options.insert("dryRun".to_owned(), json!(["All"]));
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    parts.headers.remove(http::header::CONTENT_LENGTH);
    let bytes = serde_json::to_vec(&options).map_err(kube::Error::SerdeError)?;
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

fn invalid(error: &dyn std::error::Error) -> kube::Error {
    kube::Error::BuildRequest(request::Error::Validation(error.to_string()))
}
