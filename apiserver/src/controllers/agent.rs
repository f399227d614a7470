//! `Agent`: how a controller asks the server.
//!
//! In: verbs. Out: answers. It sends the requests that the controllers of a real cluster send, so that every rule of the server holds for
//! them too; what it only reads it reads from the store.

use bytes::Bytes;
use http::{Method, header};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    protocol::{Fields, escaped_name},
    registry::Resource,
    server::{Content, Core},
};

/// A controller's hold on the server.
pub(super) struct Agent<'a> {
    pub core: &'a mut Core,
    pub now: Timestamp,
    /// As whom it writes: the part of a user agent before the slash.
    pub name: &'static str,
}

/// What the server said.
pub(super) struct Answer {
    pub code: u16,
    pub body: Value,
}

impl Answer {
    /// Whether it did what was asked.
    pub(super) fn is_done(&self) -> bool {
        self.code < 300
    }

    /// Why it did not.
    pub(super) fn message(&self) -> &str {
        self.body.get("message").and_then(Value::as_str).unwrap_or_default()
    }
}

impl Agent<'_> {
    /// The object with this key, as it is now.
    pub(super) fn read(&self, resource: &Resource, key: &str) -> Option<Fields> {
        self.core.stored(resource.table, key).map(|stored| stored.fields())
    }

    /// Creates an object.
    pub(super) fn create(&mut self, resource: &Resource, namespace: &str, object: &Value) -> Answer {
        let path = collection(resource, namespace);
        self.send((Method::POST, "application/json"), &path, object)
    }

    /// Creates something below an object.
    pub(super) fn create_under(
        &mut self,
        resource: &Resource,
        key: &str,
        sub: &str,
        object: &Value,
    ) -> Answer {
        let path = format!("{}{sub}", object_path(resource, key));
        self.send((Method::POST, "application/json"), &path, object)
    }

    /// Merges into an object, or into a subresource of it.
    pub(super) fn patch(&mut self, resource: &Resource, key: &str, sub: &str, change: &Value) -> Answer {
        let path = format!("{}{sub}", object_path(resource, key));
        self.send((Method::PATCH, "application/merge-patch+json"), &path, change)
    }

    /// Replaces a subresource of an object.
    pub(super) fn update(&mut self, resource: &Resource, key: &str, sub: &str, object: &Value) -> Answer {
        let path = format!("{}{sub}", object_path(resource, key));
        self.send((Method::PUT, "application/json"), &path, object)
    }

    /// Deletes an object.
    pub(super) fn delete(&mut self, resource: &Resource, key: &str, options: &Value) -> Answer {
        let path = object_path(resource, key);
        self.send((Method::DELETE, "application/json"), &path, options)
    }

    /// Deletes all objects of a namespace.
    pub(super) fn delete_all(&mut self, resource: &Resource, namespace: &str) -> Answer {
        let path = collection(resource, namespace);
        let options = json!({"propagationPolicy": "Background"});
        self.send((Method::DELETE, "application/json"), &path, &options)
    }

    fn send(&mut self, (method, format): (Method, &str), path: &str, body: &Value) -> Answer {
        let request = http::Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, format)
            .header(header::USER_AGENT, self.name)
            .body(Bytes::from(body.to_string()));
        let Ok(request) = request else {
            return Answer { code: 400, body: json!({"message": format!("{path:?} is no path")}) };
        };
        let reply = self.core.handle(&request, self.now);
        let body = match &reply.content {
            Content::Json(json) => serde_json::from_slice(json).unwrap_or_default(),
            _ => Value::Null,
        };
        Answer { code: reply.code, body }
    }
}

fn collection(resource: &Resource, namespace: &str) -> String {
    let api_version = resource.api_version();
    let root = if resource.group.is_empty() { "api" } else { "apis" };
    let plural = &resource.plural;
    match namespace {
        "" => format!("/{root}/{api_version}/{plural}"),
        namespace => format!("/{root}/{api_version}/namespaces/{namespace}/{plural}"),
    }
}

fn object_path(resource: &Resource, key: &str) -> String {
    let (namespace, name) = match resource.namespaced {
        true => key.split_once('/').unwrap_or(("", key)),
        false => ("", key),
    };
    format!("{}/{}", collection(resource, namespace), escaped_name(name))
}
