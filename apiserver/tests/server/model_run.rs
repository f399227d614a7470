//! Random operations from many clients, answer by answer against the model, and every watch against what happened.
//!
//! `MODEL_OPERATIONS` and `MODEL_SEED` make it longer, or the same again.

use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::{
    http::{Watch, get, patch, send},
    model::{Expected, Model, Thing},
};

const NAMESPACES: [&str; 3] = ["one", "two", "two-b"];
const LABELS: [&str; 3] = ["x", "y", "z"];

struct Run {
    server: ApiServer,
    model: Model,
    random: fastrand::Rng,
    watches: Vec<Follower>,
}

/// A watch, and what it should have shown.
struct Follower {
    watch: Watch,
    after: u64,
    prefix: String,
    label: &'static str,
    seen: Vec<(String, String, u64, u32)>,
}

fn number(value: &Value) -> u64 {
    value["metadata"]["resourceVersion"].as_str().and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn key_of(object: &Value) -> String {
    let text = |name: &str| object["metadata"][name].as_str().unwrap();
    format!("{}/{}", text("namespace"), text("name"))
}

fn data_of(object: &Value) -> u32 {
    object["data"]["n"].as_str().and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn body(name: &str, thing: &Thing, version: Option<u64>) -> Value {
    let mut body = json!({
        "metadata": {"name": name, "labels": {"l": thing.label}},
        "data": {"n": thing.data.to_string()},
    });
    if thing.finalizer {
        body["metadata"]["finalizers"] = json!(["example.com/f"]);
    }
    if let Some(version) = version {
        body["metadata"]["resourceVersion"] = version.to_string().into();
    }
    body
}

impl Run {
    fn new(seed: u64) -> Self {
        let server = ApiServer::builder().seed(seed).history(usize::MAX).create_namespaces().build();
        for namespace in NAMESPACES {
            send(&server, "POST", "/api/v1/namespaces", &json!({"metadata": {"name": namespace}}));
        }
        let model = Model { version: server.resource_version(), ..Model::default() };
        Self { server, model, random: fastrand::Rng::with_seed(seed), watches: Vec::new() }
    }

    fn place(&mut self) -> (&'static str, String, String) {
        let namespace = NAMESPACES[self.random.usize(..NAMESPACES.len())];
        let name = format!("m{}", self.random.usize(..8));
        let path = format!("/api/v1/namespaces/{namespace}/configmaps");
        (namespace, name, path)
    }

    fn thing(&mut self) -> Thing {
        Thing {
            version: 0,
            label: LABELS[self.random.usize(..LABELS.len())].to_owned(),
            data: self.random.u32(..3),
            finalizer: self.random.u8(..4) == 0,
            deleting: false,
        }
    }

    /// The version that a client believes in: none, the right one, or a stale one.
    fn belief(&mut self, key: &str) -> Option<u64> {
        match self.random.u8(..3) {
            0 => None,
            1 => self.model.things.get(key).map(|thing| thing.version),
            _ => Some(self.random.u64(2..=self.model.version)),
        }
    }

    fn step(&mut self) {
        let (namespace, name, path) = self.place();
        let key = format!("{namespace}/{name}");
        let object = format!("{path}/{name}");
        let wanted = self.thing();
        match self.random.u8(..20) {
            0..=4 => {
                let answer = send(&self.server, "POST", &path, &body(&name, &wanted, None));
                let expected = self.model.create(&key, wanted);
                self.compare(&answer, expected);
            }
            5..=8 => {
                let belief = self.belief(&key);
                let answer = send(&self.server, "PUT", &object, &body(&name, &wanted, belief));
                let expected = self.model.update(&key, wanted, belief);
                self.compare(&answer, expected);
            }
            9..=11 => {
                let change = json!({"data": {"n": wanted.data.to_string()}});
                let answer = patch(&self.server, &object, &change);
                let expected = match self.model.things.get(&key).cloned() {
                    Some(old) => self.model.update(&key, Thing { data: wanted.data, ..old }, None),
                    None => Expected { code: 404, version: None },
                };
                self.compare(&answer, expected);
            }
            12..=14 => {
                let belief = self.belief(&key);
                let options = match belief {
                    Some(version) => json!({"preconditions": {"resourceVersion": version.to_string()}}),
                    None => Value::Null,
                };
                let answer = send(&self.server, "DELETE", &object, &options);
                let expected = self.model.delete(&key, belief);
                self.compare(&answer, expected);
            }
            15 if self.random.u8(..4) == 0 => {
                let label = wanted.label;
                let answer =
                    send(&self.server, "DELETE", &format!("{path}?labelSelector=l%3D{label}"), &Value::Null);
                assert_eq!(answer.0, 200);
                self.model.delete_collection(&format!("{namespace}/"), &label);
            }
            16 => self.list(&path, &format!("{namespace}/"), &wanted.label),
            17 => self.list("/api/v1/configmaps", "", ""),
            18 if self.watches.len() < 12 => self.follow(namespace),
            _ => {
                let answer = get(&self.server, &object);
                let there = self.model.things.get(&key);
                let expected = match there {
                    Some(thing) => Expected { code: 200, version: Some(thing.version) },
                    None => Expected { code: 404, version: None },
                };
                self.compare(&answer, expected);
                assert_eq!(there.map_or(0, |thing| thing.data), data_of(&answer.1));
            }
        }
        assert_eq!(self.server.resource_version(), self.model.version);
    }

    fn compare(&self, (code, object): &(u16, Value), expected: Expected) {
        assert_eq!(*code, expected.code, "{object}");
        if let Some(version) = expected.version {
            assert_eq!(number(object), version, "{object}");
        }
    }

    fn list(&self, path: &str, prefix: &str, label: &str) {
        let selector = if label.is_empty() { String::new() } else { format!("?labelSelector=l%3D{label}") };
        let (code, list) = get(&self.server, &format!("{path}{selector}"));
        assert_eq!((code, number(&list)), (200, self.model.version));
        let shown: Vec<(String, u64)> =
            list["items"].as_array().unwrap().iter().map(|item| (key_of(item), number(item))).collect();
        let expected: Vec<(String, u64)> =
            self.model.select(prefix, label).into_iter().map(|(key, thing)| (key, thing.version)).collect();
        assert_eq!(shown, expected);
    }

    fn follow(&mut self, namespace: &str) {
        let (path, prefix) = match self.random.bool() {
            true => ("/api/v1/configmaps".to_owned(), String::new()),
            false => (format!("/api/v1/namespaces/{namespace}/configmaps"), format!("{namespace}/")),
        };
        let label = ["", "x", "y"][self.random.usize(..3)];
        let after = self.random.u64(self.model.version.saturating_sub(50).max(8)..=self.model.version);
        let selector = if label.is_empty() { String::new() } else { format!("&labelSelector=l%3D{label}") };
        let path = format!("{path}?watch=true&resourceVersion={after}{selector}");
        let watch = Watch::open(&self.server, &path);
        self.watches.push(Follower { watch, after, prefix, label, seen: Vec::new() });
    }

    fn read(&mut self, index: usize) {
        let follower = &mut self.watches[index];
        for event in follower.watch.drain() {
            let object = &event["object"];
            let kind = event["type"].as_str().unwrap().to_owned();
            follower.seen.push((kind, key_of(object), number(object), data_of(object)));
        }
    }

    /// Every watch has seen each change once, and in order.
    fn finish(mut self) {
        for index in 0..self.watches.len() {
            self.read(index);
        }
        for follower in &self.watches {
            let expected = self.model.events(follower.after, &follower.prefix, follower.label);
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(kind, key, version, data)| (kind.to_owned(), key, version, data))
                .collect();
            assert_eq!(follower.seen, expected);
        }
    }
}

fn run(seed: u64, operations: usize) {
    println!("MODEL_SEED={seed} MODEL_OPERATIONS={operations}");
    let mut run = Run::new(seed);
    for _ in 0..operations {
        run.step();
        if !run.watches.is_empty() && run.random.u8(..4) == 0 {
            let index = run.random.usize(..run.watches.len());
            run.read(index);
        }
    }
    run.finish();
}

#[tokio::test]
async fn every_answer_and_every_watch_is_as_the_model_has_it() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let operations = number("MODEL_OPERATIONS").unwrap_or(6_000);
    let operations = usize::try_from(operations).unwrap();
    match number("MODEL_SEED") {
        Some(seed) => run(seed, operations),
        None => (0..3).for_each(|_| run(fastrand::u64(..), operations / 3)),
    }
}
