//! Runs one scenario against a server of its own.
//!
//! Time is paused: a sleep of the scenario takes none, and a watch that lasts a second ends when nothing else is left to do.

use std::{collections::HashMap, time::Duration};

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use jiff::Timestamp;
use kube_codegen_apiserver::{ApiServer, ResponseBody};
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use tower::Service as _;

use crate::normalise::{Normaliser, at, drop};

const NAMESPACE: &str = "c-5b1e90d7";

pub(crate) struct Replay {
    server: ApiServer,
    names: HashMap<String, Value>,
    watches: HashMap<String, Watch>,
    normal: Normaliser,
}

struct Watch {
    status: u16,
    content_type: Value,
    body: ResponseBody,
    pending: Vec<u8>,
    events: Vec<Value>,
    closed: bool,
}

/// What is sent.
struct Sent<'a> {
    method: &'a str,
    path: &'a str,
    query: Option<&'a Value>,
    headers: Option<&'a Value>,
    body: Option<String>,
    content_type: Option<&'a str>,
}

impl Replay {
    pub(crate) fn new() -> Self {
        let start = Instant::now();
        let morning: Timestamp = "2026-01-02T03:04:05.2Z".parse().unwrap();
        Self {
            server: ApiServer::builder().seed(1).clock(move || morning + start.elapsed()).build(),
            names: HashMap::new(),
            watches: HashMap::new(),
            normal: Normaliser::default(),
        }
    }

    /// The normalised exchanges of a scenario.
    pub(crate) async fn run(mut self, scenario: &Value) -> Vec<Value> {
        let has_namespace = scenario.get("namespace").and_then(Value::as_bool).unwrap_or(true);
        self.normal = Normaliser::new(has_namespace.then(|| NAMESPACE.to_owned()));
        if has_namespace {
            self.names.insert("ns".to_owned(), NAMESPACE.into());
            let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}});
            let step = json!({"request": "POST /api/v1/namespaces", "body": body, "quiet": true});
            self.request(&step, &step).await;
        }
        let mut exchanges = Vec::new();
        for raw in scenario["steps"].as_array().unwrap() {
            let step = self.fill(raw);
            if let Some(seconds) = step.get("sleep").and_then(Value::as_f64) {
                tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
            } else if step.get("watch").is_some() {
                self.open_watch(&step).await;
            } else if step.get("collect").is_some() {
                exchanges.push(self.collect(&step).await);
            } else {
                exchanges.extend(self.request(raw, &step).await);
            }
        }
        exchanges
    }

    async fn open(&self, sent: Sent<'_>) -> http::Response<ResponseBody> {
        let mut uri = sent.path.to_owned();
        if let Some(query) = sent.query.and_then(Value::as_object).filter(|query| !query.is_empty()) {
            uri.push('?');
            uri.push_str(&encode(query));
        }
        let mut headers: HashMap<String, String> = [
            ("accept".to_owned(), "application/json".to_owned()),
            ("user-agent".to_owned(), "conformance".to_owned()),
        ]
        .into();
        if sent.body.is_some() {
            headers.insert(
                "content-type".to_owned(),
                sent.content_type.unwrap_or("application/json").to_owned(),
            );
        }
        for (name, value) in sent.headers.and_then(Value::as_object).into_iter().flatten() {
            headers.insert(name.to_lowercase(), plain(value));
        }
        headers.retain(|name, value| name != "content-type" || !value.is_empty());
        let mut request = Request::builder().method(sent.method).uri(uri);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let body = Full::new(Bytes::from(sent.body.unwrap_or_default()));
        let request = request.body(body).unwrap();
        self.server.service().call(request).await.unwrap()
    }

    async fn request(&mut self, raw: &Value, step: &Value) -> Option<Value> {
        let (method, path) = step["request"].as_str().unwrap().split_once(' ').unwrap();
        let until = step.get("until");
        let within = until.and_then(|until| until.get("within")).and_then(Value::as_f64).unwrap_or(10.0);
        let end = Instant::now() + Duration::from_secs_f64(within);
        let (status, headers, mut body) = loop {
            let sent = Sent {
                method,
                path,
                query: step.get("query"),
                headers: step.get("headers"),
                body: content(step),
                content_type: step.get("type").and_then(Value::as_str),
            };
            let response = self.open(sent).await;
            let (parts, body) = response.into_parts();
            let bytes = body.collect().await.unwrap().to_bytes();
            let body = serde_json::from_slice(&bytes)
                .unwrap_or_else(|_| json!({"<text>": String::from_utf8_lossy(&bytes)}));
            let holds = until.is_none_or(|until| match until.get("status") {
                Some(status) => *status == parts.status.as_u16(),
                None => {
                    at(&body, until["path"].as_str().unwrap()) == until.get("is").cloned().unwrap_or_default()
                }
            });
            if holds || Instant::now() > end {
                break (parts.status, parts.headers, body);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        for (name, path) in step.get("capture").and_then(Value::as_object).into_iter().flatten() {
            self.names.insert(name.clone(), at(&body, path.as_str().unwrap()));
        }
        if step.get("quiet").is_some_and(|quiet| *quiet == true) {
            return None;
        }
        hide(step, &mut body);
        if step.get("opaque").is_some() {
            body = "<opaque>".into();
        }
        self.normal.keeps_times = step.get("times").is_some_and(|times| *times == true);
        let mut shown = Map::new();
        for name in ["content-type", "warning", "retry-after"] {
            let values: Vec<String> = headers
                .get_all(name)
                .iter()
                .map(|value| self.normal.text(&String::from_utf8_lossy(value.as_bytes())))
                .collect();
            if !values.is_empty() {
                shown.insert(name.to_owned(), values.join(", ").into());
            }
        }
        let kept = ["request", "query", "headers", "type", "body", "repeat", "until", "capture", "hide"];
        let request: Map<String, Value> =
            kept.iter().filter_map(|name| Some(((*name).to_owned(), raw.get(*name)?.clone()))).collect();
        let body = self.normal.value(&body);
        self.normal.keeps_times = false;
        Some(json!({"request": request, "status": status.as_u16(), "headers": shown, "body": body}))
    }

    async fn open_watch(&mut self, step: &Value) {
        let mut query = step.get("query").cloned().unwrap_or_else(|| json!({}));
        query["watch"] = "true".into();
        if query.get("timeoutSeconds").is_none() {
            query["timeoutSeconds"] = 30.into();
        }
        let sent = Sent {
            method: "GET",
            path: step["path"].as_str().unwrap(),
            query: Some(&query),
            headers: step.get("headers"),
            body: None,
            content_type: None,
        };
        let response = self.open(sent).await;
        let content_type = response.headers().get("content-type");
        let watch = Watch {
            status: response.status().as_u16(),
            content_type: content_type.map_or(Value::Null, |value| value.to_str().unwrap().into()),
            body: response.into_body(),
            pending: Vec::new(),
            events: Vec::new(),
            closed: false,
        };
        self.watches.insert(step["watch"].as_str().unwrap().to_owned(), watch);
    }

    async fn collect(&mut self, step: &Value) -> Value {
        let name = step["collect"].as_str().unwrap();
        let count = step.get("count").and_then(Value::as_u64).map(|count| usize::try_from(count).unwrap());
        let within = step.get("within").and_then(Value::as_f64).unwrap_or(3.0);
        let watch = self.watches.get_mut(name).unwrap();
        watch.read(count, within).await;
        if count.is_some_and(|count| watch.events.len() >= count) {
            watch.read(None, 0.25).await;
        }
        let mut events = std::mem::take(&mut watch.events);
        if step.get("first").is_some_and(|first| *first == true) {
            events.truncate(count.unwrap_or(usize::MAX));
        }
        for event in &mut events {
            hide(step, event);
        }
        let (status, content_type, closed) = (watch.status, watch.content_type.clone(), watch.closed);
        let events = self.normal.value(&Value::Array(events));
        json!({"collect": name, "status": status, "content-type": content_type, "closed": closed, "events": events})
    }

    fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.fill_text(text).into(),
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect(),
            Value::Object(members) => Value::Object(
                members.iter().map(|(name, value)| (self.fill_text(name), self.fill(value))).collect(),
            ),
            other => other.clone(),
        }
    }

    fn fill_text(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for (name, value) in &self.names {
            out = out.replace(&format!("{{{{{name}}}}}"), &plain(value));
        }
        out
    }
}

impl Watch {
    /// Reads events until there are `count`, or for so many seconds.
    async fn read(&mut self, count: Option<usize>, within: f64) {
        let end = Instant::now() + Duration::from_secs_f64(within);
        while !self.closed && count.is_none_or(|count| self.events.len() < count) {
            match tokio::time::timeout_at(end, self.body.frame()).await {
                Err(_) => return,
                Ok(None) => self.closed = true,
                Ok(Some(frame)) => {
                    self.pending.extend_from_slice(frame.unwrap().data_ref().unwrap());
                    while let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') {
                        let line: Vec<u8> = self.pending.drain(..=end).collect();
                        self.events.push(serde_json::from_slice(&line).unwrap());
                    }
                }
            }
        }
    }
}

fn hide(step: &Value, value: &mut Value) {
    for path in step.get("hide").and_then(Value::as_array).into_iter().flatten() {
        let parts: Vec<&str> = path.as_str().unwrap().split('.').collect();
        drop(value, &parts);
    }
}

fn content(step: &Value) -> Option<String> {
    if let Some(repeat) = step.get("repeat") {
        let text = |name: &str| repeat.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let times = usize::try_from(repeat["times"].as_u64().unwrap()).unwrap();
        return Some(text("before") + &text("text").repeat(times) + &text("after"));
    }
    match step.get("body")? {
        Value::String(text) => Some(text.clone()),
        Value::Null => None,
        other => Some(other.to_string()),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn encode(query: &Map<String, Value>) -> String {
    let mut pairs = Vec::new();
    for (name, value) in query {
        let values = match value {
            Value::Array(values) => values.clone(),
            other => vec![other.clone()],
        };
        pairs.extend(values.iter().map(|value| format!("{}={}", escape(name), escape(&plain(value)))));
    }
    pairs.join("&")
}

fn escape(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}
