//! Runs one scenario against a server of its own.
//!
//! In: a scenario and a way. Out: its exchanges, in normal form. What a scenario calls seconds are seconds of the server's clock, see
//! [`Transport::sleep`].

use std::{collections::HashMap, io::Read as _, time::Duration};

use flate2::read::MultiGzDecoder;
use http::HeaderMap;
use http_body_util::BodyExt as _;
use serde_json::{Map, Value, json};

use crate::{
    normalise::Normaliser,
    ordered::Ordered,
    step::{self, content, fill, has, hide, uri},
    transport::{Sent, Transport, Way},
    watch::Watch,
};

const NAMESPACE: &str = "c-5b1e90d7";
/// What of a step is shown with its answer.
const SHOWN: [&str; 9] =
    ["request", "query", "headers", "type", "body", "repeat", "until", "capture", "hide"];

pub(crate) struct Replay {
    transport: Transport,
    names: HashMap<String, Value>,
    watches: HashMap<String, Watch>,
    normal: Normaliser,
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Ordered,
}

impl Replay {
    pub(crate) async fn new(way: Way) -> Self {
        Self {
            transport: Transport::open(way).await,
            names: HashMap::new(),
            watches: HashMap::new(),
            normal: Normaliser::default(),
        }
    }

    /// The exchanges of a scenario.
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
            let step = fill(raw, &self.names);
            if let Some(seconds) = step.get("sleep").and_then(Value::as_f64) {
                self.transport.sleep(Duration::from_secs_f64(seconds)).await;
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

    async fn request(&mut self, raw: &Value, step: &Value) -> Option<Value> {
        let Answer { status, headers, mut body } = self.answer(step).await;
        for (name, path) in step.get("capture").and_then(Value::as_object).into_iter().flatten() {
            self.names.insert(name.clone(), body.at(path.as_str().unwrap()));
        }
        if has(step, "quiet") {
            return None;
        }
        hide(step, &mut body);
        self.normal.keeps_times = has(step, "times");
        self.normal.hides_ages = has(step, "ages");
        let headers = self.headers(step, &headers);
        let body = if has(step, "opaque") { "<opaque>".into() } else { self.normal.value(&body) };
        self.normal.keeps_times = false;
        self.normal.hides_ages = false;
        let request: Map<String, Value> =
            SHOWN.iter().filter_map(|name| Some(((*name).to_owned(), raw.get(*name)?.clone()))).collect();
        Some(json!({"request": request, "status": status, "headers": headers, "body": body}))
    }

    /// The answer to a request, asked again and again where the step waits for something.
    async fn answer(&mut self, step: &Value) -> Answer {
        let until = step.get("until");
        let within = until.and_then(|until| until.get("within")).and_then(Value::as_f64).unwrap_or(10.0);
        let mut left = within;
        loop {
            let answer = self.ask(step).await;
            let holds = until.is_none_or(|until| match until.get("status") {
                Some(status) => *status == answer.status,
                None => {
                    let wanted = until.get("is").cloned().unwrap_or_default();
                    answer.body.at(until["path"].as_str().unwrap()) == wanted
                }
            });
            if holds || left < 0.0 {
                return answer;
            }
            self.transport.sleep(Duration::from_millis(100)).await;
            left -= 0.1;
        }
    }

    async fn ask(&mut self, step: &Value) -> Answer {
        let (method, path) = step["request"].as_str().unwrap().split_once(' ').unwrap();
        let sent = Sent {
            method,
            uri: uri(path, step.get("query")),
            headers: step.get("headers"),
            body: content(step),
            content_type: step.get("type").and_then(Value::as_str),
        };
        let (parts, body) = self.transport.send(sent).await.into_parts();
        let mut bytes = body.collect().await.unwrap().to_bytes().to_vec();
        if parts.headers.get("content-encoding").is_some_and(|encoding| encoding == "gzip") {
            let mut plain = Vec::new();
            MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).unwrap();
            bytes = plain;
        }
        Answer { status: parts.status.as_u16(), headers: parts.headers, body: Ordered::read(&bytes) }
    }

    /// The headers that every exchange shows where they are there, and those that the step asks for.
    fn headers(&mut self, step: &Value, headers: &HeaderMap) -> Map<String, Value> {
        let mut shown = Map::new();
        for name in ["content-type", "warning", "retry-after"] {
            let values = headers.get_all(name).iter();
            let values: Vec<String> =
                values.map(|value| self.normal.text(&String::from_utf8_lossy(value.as_bytes()))).collect();
            if !values.is_empty() {
                shown.insert(name.to_owned(), values.join(", ").into());
            }
        }
        for name in step.get("show").and_then(Value::as_array).into_iter().flatten() {
            let name = name.as_str().unwrap();
            let values: Vec<&str> =
                headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect();
            let value = if values.is_empty() { Value::Null } else { values.join(", ").into() };
            shown.insert(name.to_owned(), value);
        }
        shown
    }

    async fn open_watch(&mut self, step: &Value) {
        let mut query = step.get("query").cloned().unwrap_or_else(|| json!({}));
        let ends = query.get("timeoutSeconds").is_some();
        query["watch"] = "true".into();
        if !ends {
            query["timeoutSeconds"] = 30.into();
        }
        let sent = Sent {
            method: "GET",
            uri: uri(step["path"].as_str().unwrap(), Some(&query)),
            headers: step.get("headers"),
            body: None,
            content_type: None,
        };
        let response = self.transport.watch(sent).await;
        self.watches.insert(step["watch"].as_str().unwrap().to_owned(), Watch::new(response, ends));
    }

    async fn collect(&mut self, step: &Value) -> Value {
        let name = step["collect"].as_str().unwrap();
        let count = step.get("count").and_then(Value::as_u64).map(|count| usize::try_from(count).unwrap());
        let within = Duration::from_secs_f64(step.get("within").and_then(Value::as_f64).unwrap_or(3.0));
        let silence = self.transport.patience(Duration::from_millis(250));
        let watch = self.watches.get_mut(name).unwrap();
        let waits = watch.ends || count.is_some();
        watch.read(count, if waits { within } else { self.transport.patience(within) }).await;
        if count.is_some_and(|count| watch.count() >= count) {
            watch.read(None, silence).await;
        }
        let mut events = watch.take();
        let (status, content_type, closed) = (watch.status, watch.content_type.clone(), watch.closed);
        if has(step, "first") {
            events.truncate(count.unwrap_or(usize::MAX));
        }
        for event in &mut events {
            hide(step, event);
        }
        self.normal.hides_ages = has(step, "ages");
        let events: Vec<Value> = events.iter().map(|event| self.normal.value(event)).collect();
        self.normal.hides_ages = false;
        json!({"collect": step::plain(&step["collect"]), "status": status, "content-type": content_type, "closed": closed, "events": events})
    }
}
