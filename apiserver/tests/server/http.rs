//! A client of few words: a method, a path, a body; a code and a value.

use bytes::Bytes;
use futures::FutureExt as _;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use kube_codegen_apiserver::{ApiServer, ResponseBody};
use serde_json::Value;
use tower::Service as _;

/// Answers at once: the service waits for nothing but the body, which is there.
pub(crate) fn send(server: &ApiServer, method: &str, path: &str, body: &Value) -> (u16, Value) {
    send_as(server, (method, path), "application/json", body)
}

/// A merge patch.
pub(crate) fn patch(server: &ApiServer, path: &str, body: &Value) -> (u16, Value) {
    send_as(server, ("PATCH", path), "application/merge-patch+json", body)
}

pub(crate) fn send_as(
    server: &ApiServer,
    (method, path): (&str, &str),
    content_type: &str,
    body: &Value,
) -> (u16, Value) {
    let (code, body) = open(server, method, path, content_type, body);
    let bytes = body.collect().now_or_never().unwrap().unwrap().to_bytes();
    (code, serde_json::from_slice(&bytes).unwrap_or_default())
}

/// A read of what is no JSON.
pub(crate) fn text(server: &ApiServer, path: &str) -> (u16, String) {
    let (code, body) = open(server, "GET", path, "application/json", &Value::Null);
    let bytes = body.collect().now_or_never().unwrap().unwrap().to_bytes();
    (code, String::from_utf8(bytes.to_vec()).unwrap())
}

pub(crate) fn get(server: &ApiServer, path: &str) -> (u16, Value) {
    send(server, "GET", path, &Value::Null)
}

fn open(
    server: &ApiServer,
    method: &str,
    path: &str,
    content_type: &str,
    body: &Value,
) -> (u16, ResponseBody) {
    let text = if body.is_null() { String::new() } else { body.to_string() };
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", content_type)
        .header("user-agent", "test")
        .body(Full::new(Bytes::from(text)))
        .unwrap();
    let response = server.service().call(request).now_or_never().unwrap().unwrap();
    (response.status().as_u16(), response.into_body())
}

/// A watch, read without waiting.
pub(crate) struct Watch {
    body: ResponseBody,
    pending: Vec<u8>,
    pub(crate) ended: bool,
}

impl Watch {
    pub(crate) fn open(server: &ApiServer, path: &str) -> Self {
        let (code, body) = open(server, "GET", path, "application/json", &Value::Null);
        assert_eq!(code, 200);
        Self { body, pending: Vec::new(), ended: false }
    }

    /// Every event that is there.
    pub(crate) fn drain(&mut self) -> Vec<Value> {
        let mut events = Vec::new();
        while let Some(frame) = self.body.frame().now_or_never() {
            let Some(frame) = frame else {
                self.ended = true;
                break;
            };
            self.pending.extend_from_slice(frame.unwrap().data_ref().unwrap());
            let lines = self.pending.split_inclusive(|byte| *byte == b'\n');
            let mut rest = Vec::new();
            for line in lines {
                match line.last() {
                    Some(b'\n') => events.push(serde_json::from_slice(line).unwrap()),
                    _ => rest = line.to_vec(),
                }
            }
            self.pending = rest;
        }
        events
    }
}
