//! Webhooks: the arguments of a marker to the entry of a configuration.

use super::notes::span;
use super::webhook_patch::patch;
use crate::diagnostic::{Diagnostics, ManifestProblem};
use crate::model::{Marker, MarkerValue, Webhook, WebhookKind};
use serde_json::{Map, Value, json};

/// A word of the marker, written in any case, with the word of the API.
type Words = &'static [(&'static str, &'static str)];

const FAILURE_POLICIES: Words = &[("fail", "Fail"), ("ignore", "Ignore")];
const MATCH_POLICIES: Words = &[("exact", "Exact"), ("equivalent", "Equivalent")];
const REINVOCATION_POLICIES: Words = &[("never", "Never"), ("ifneeded", "IfNeeded")];
const SIDE_EFFECTS: Words = &[("none", "None"), ("noneondryrun", "NoneOnDryRun")];
const OPERATIONS: Words =
    &[("create", "CREATE"), ("update", "UPDATE"), ("delete", "DELETE"), ("connect", "CONNECT"), ("*", "*")];

/// Reads the marker of a webhook; what is wrong with it goes to the diagnostics.
pub(super) fn webhook(kind: WebhookKind, marker: &Marker, diagnostics: &mut Diagnostics) -> Webhook {
    let name = marker.text("name").unwrap_or_default().to_owned();
    let mut reader = Reader { marker, kind, name, diagnostics };
    let mut entry = reader.entry();
    if let Some(text) = marker.text("patch") {
        patch(&mut entry, text, kind, &mut |problem| reader.report("patch", problem));
    }
    let name = entry.get("name").and_then(Value::as_str).unwrap_or(&reader.name).to_owned();
    Webhook { kind, name, entry, marker: marker.clone() }
}

struct Reader<'a> {
    marker: &'a Marker,
    kind: WebhookKind,
    name: String,
    diagnostics: &'a mut Diagnostics,
}

/// Where the name of a webhook goes in a message.
pub(super) type Named = Box<dyn FnOnce(String) -> ManifestProblem>;

impl Reader<'_> {
    fn report(&mut self, argument: &str, problem: Named) {
        self.diagnostics.add(problem(self.name.clone()), span(self.marker.place_of(argument)));
    }

    fn bad(&mut self, argument: &'static str, found: &str, rule: &'static str) {
        let found = found.to_owned();
        let problem = move |webhook| ManifestProblem::BadValue { webhook, argument, found, rule };
        self.report(argument, Box::new(problem));
    }

    fn entry(&mut self) -> Map<String, Value> {
        let mut entry = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            entry.extend(value.map(|value| (name.to_owned(), value)));
        };
        put("name", Some(json!(self.name)));
        put("clientConfig", self.client_config());
        put("rules", Some(json!([self.rule()])));
        put("failurePolicy", self.word("failurePolicy", FAILURE_POLICIES, "it is `fail` or `ignore`"));
        put("matchPolicy", self.word("matchPolicy", MATCH_POLICIES, "it is `Exact` or `Equivalent`"));
        put("sideEffects", self.side_effects());
        put(
            "timeoutSeconds",
            self.integer("timeoutSeconds").filter(|seconds| *seconds != 0).map(Value::from),
        );
        put("admissionReviewVersions", self.texts("admissionReviewVersions"));
        put("reinvocationPolicy", self.reinvocation_policy());
        for version in self.marker.texts("webhookVersions").iter().filter(|version| *version != "v1") {
            self.bad("webhookVersions", version, "`v1` is the only version there is");
        }
        entry
    }

    fn client_config(&mut self) -> Option<Value> {
        match (self.marker.text("path"), self.marker.text("url")) {
            (Some(_), Some(_)) => {
                self.report("url", Box::new(|webhook| ManifestProblem::PathAndUrl { webhook }));
                None
            }
            (None, None) => {
                self.report("", Box::new(|webhook| ManifestProblem::NoPathNoUrl { webhook }));
                None
            }
            (None, Some(url)) => {
                if !url.starts_with("https://") || url.contains(['?', '#', '@']) {
                    self.bad("url", url, "it is `https://host:port/path`, without user, query or fragment");
                }
                Some(json!({ "url": url }))
            }
            (Some(path), None) => {
                if !path.starts_with('/') {
                    self.bad("path", path, "a path begins with `/`");
                }
                let mut service = json!({
                    "name": self.marker.text("serviceName").unwrap_or("webhook-service"),
                    "namespace": self.marker.text("serviceNamespace").unwrap_or("system"),
                    "path": path,
                });
                if let (Some(port), Some(service)) = (self.integer("servicePort"), service.as_object_mut()) {
                    if !(1..=65535).contains(&port) {
                        self.bad("servicePort", &port.to_string(), "a port is a number from 1 to 65535");
                    }
                    service.insert("port".to_owned(), Value::from(port));
                }
                Some(json!({ "service": service }))
            }
        }
    }

    /// Groups, versions, resources and operations.
    fn rule(&mut self) -> Value {
        let groups = self.marker.texts("groups").into_iter();
        let groups: Vec<String> =
            groups.map(|group| if group == "core" { String::new() } else { group }).collect();
        let mut operations = Vec::new();
        for verb in self.marker.texts("verbs") {
            match of_words(OPERATIONS, &verb) {
                Some(operation) => operations.push(operation.to_owned()),
                None => {
                    self.bad("verbs", &verb, "the verbs are `create`, `update`, `delete`, `connect` and `*`");
                }
            }
        }
        let versions = self.marker.texts("versions");
        for (argument, list) in [("groups", &groups), ("versions", &versions), ("verbs", &operations)] {
            if list.len() > 1 && list.iter().any(|item| item == "*") {
                self.bad(argument, &list.join(";"), "`*` stands for all, and alone");
            }
        }
        let resources = self.marker.texts("resources");
        for (argument, list) in [("groups", &groups), ("versions", &versions), ("resources", &resources)] {
            if list.is_empty() {
                self.report(argument, Box::new(move |webhook| ManifestProblem::Empty { webhook, argument }));
            }
        }
        if self.marker.texts("verbs").is_empty() {
            self.report("verbs", Box::new(|webhook| ManifestProblem::Empty { webhook, argument: "verbs" }));
        }
        json!({ "apiGroups": groups, "apiVersions": versions, "operations": operations, "resources": resources })
    }

    fn word(&mut self, argument: &'static str, words: Words, rule: &'static str) -> Option<Value> {
        let found = self.marker.text(argument)?;
        match of_words(words, found) {
            Some(word) => Some(json!(word)),
            None => {
                self.bad(argument, found, rule);
                None
            }
        }
    }

    fn side_effects(&mut self) -> Option<Value> {
        let rule = "a webhook with side effects on a dry run is not called; it is `None` or `NoneOnDryRun`";
        self.word("sideEffects", SIDE_EFFECTS, rule)
    }

    fn reinvocation_policy(&mut self) -> Option<Value> {
        let found = self.marker.text("reinvocationPolicy")?;
        if self.kind == WebhookKind::Validating {
            self.bad("reinvocationPolicy", found, "only mutating webhooks are called again; leave it out");
            return None;
        }
        self.word("reinvocationPolicy", REINVOCATION_POLICIES, "it is `Never` or `IfNeeded`")
    }

    fn integer(&self, argument: &str) -> Option<i64> {
        match self.marker.argument(argument) {
            Some(MarkerValue::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    fn texts(&self, argument: &str) -> Option<Value> {
        Some(self.marker.texts(argument)).filter(|texts| !texts.is_empty()).map(|texts| json!(texts))
    }
}

fn of_words(words: Words, found: &str) -> Option<&'static str> {
    let found = found.to_lowercase();
    words.iter().find(|(word, _)| *word == found).map(|(_, word)| *word)
}
