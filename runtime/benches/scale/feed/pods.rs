//! Pods of two to four kilobytes, the same ones in every run.
//!
//! In: the number of a pod, how often it has changed, its version. Out: its JSON. Never: chance.

use std::fmt::Write;

pub(crate) const NAMESPACES: usize = 200;
const NODES: usize = 500;

const APPS: [&str; 12] = [
    "checkout",
    "cart-api",
    "search",
    "recommendation",
    "payments",
    "ledger-writer",
    "frontend",
    "image-resizer",
    "auth-gateway",
    "notifier",
    "stock-sync",
    "report-builder",
];

/// The namespace of a pod.
pub(crate) fn namespace(pod: usize) -> String {
    format!("team-{:03}", pod % NAMESPACES)
}

/// Namespace and name of a pod.
pub(crate) fn key(pod: usize) -> (String, String) {
    let pod = Facts::new(pod, 0, 0);
    (pod.namespace, pod.name)
}

/// The same numbers below `count` in the same order each time, in which they seem to be random.
pub(crate) fn shuffled(number: usize, count: usize) -> usize {
    mixed(number, 99) as usize % count
}

/// splitmix64 of a number, in one of many streams.
fn mixed(number: usize, stream: u64) -> u64 {
    let mut mixed = (number as u64)
        .wrapping_add(stream << 40)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Writes pods.
pub(crate) struct Pods {
    /// Text, and the name of the fact that follows it.
    template: Vec<(String, Option<String>)>,
}

impl Pods {
    pub(crate) fn new() -> Self {
        let compact = compact(include_str!("pod.json"));
        let (mut template, mut rest) = (Vec::new(), compact.as_str());
        while let Some((text, tail)) = rest.split_once("{{") {
            let (fact, tail) = tail.split_once("}}").unwrap();
            template.push((text.to_owned(), Some(fact.to_owned())));
            rest = tail;
        }
        template.push((rest.to_owned(), None));
        Self { template }
    }

    /// A pod as it stands in a list, where a server leaves out kind and version of the API.
    pub(crate) fn write(&self, pod: usize, revision: usize, version: usize, json: &mut String) {
        let facts = Facts::new(pod, revision, version);
        for (text, fact) in &self.template {
            json.push_str(text);
            if let Some(fact) = fact {
                facts.write(fact, json);
            }
        }
    }

    /// A pod as it stands alone and in an event.
    pub(crate) fn write_typed(&self, pod: usize, revision: usize, version: usize, json: &mut String) {
        let start = json.len();
        self.write(pod, revision, version, json);
        json.replace_range(start..=start, r#"{"kind":"Pod","apiVersion":"v1","#);
    }

    /// A pod by itself, in its first version.
    pub(crate) fn json(&self, pod: usize) -> String {
        let mut json = String::new();
        self.write_typed(pod, 0, pod + 1, &mut json);
        json
    }
}

/// What is different from pod to pod.
struct Facts {
    pod: usize,
    revision: usize,
    version: usize,
    /// Random bits.
    bits: usize,
    app: &'static str,
    namespace: String,
    name: String,
    /// The hash of its replica set.
    hash: String,
}

impl Facts {
    fn new(pod: usize, revision: usize, version: usize) -> Self {
        let bits = (mixed(pod, 1) >> 1) as usize;
        let app = APPS[bits % APPS.len()];
        let hash = format!("{:010x}", mixed(pod / 8, 2) & 0xff_ffff_ffff);
        let (mut suffix, mut rest) = (String::new(), pod);
        for _ in 0..5 {
            suffix.push(char::from(b"bcdfghjklmnpqrstvwxz2456789"[rest % 27]));
            rest /= 27;
        }
        let name = format!("{app}-{hash}-{suffix}");
        Self { pod, revision, version, bits, app, namespace: namespace(pod), name, hash }
    }

    fn write(&self, fact: &str, json: &mut String) {
        let Self { pod, revision, version, bits, app, namespace, name, hash } = self;
        let _ = match fact {
            "name" => json.write_str(name),
            "app" => json.write_str(app),
            "ns" => json.write_str(namespace),
            "hash" => json.write_str(hash),
            "node" => {
                let node = mixed(*pod, 3) as usize % NODES;
                write!(json, "ip-10-{}-{}-{}.eu-west-1.compute.internal", node / 100, node % 100, node % 7)
            }
            "rv" => write!(json, "{version}"),
            "uid" => uuid(mixed(*pod, 4), json),
            "owner_uid" => uuid(mixed(pod / 8, 5), json),
            "version" => write!(json, "1.{}.{}", bits % 40, bits % 7),
            "checksum" => (10..14).try_for_each(|stream| write!(json, "{:016x}", mixed(*pod, stream))),
            "created" => {
                write!(json, "2026-0{}-1{}T0{}:{:02}:00Z", bits % 9 + 1, bits % 10, bits % 9, bits % 60)
            }
            "updated" => {
                write!(json, "2026-11-{:02}T1{}:00:{:02}Z", revision % 28 + 1, bits % 10, revision % 60)
            }
            "ready" => json.write_str(if revision.is_multiple_of(2) { "True" } else { "False" }),
            "restarts" => write!(json, "{revision}"),
            "host_ip" => write!(json, "10.{}.{}.{}", bits % 5, bits % 100, bits % 7),
            "pod_ip" => write!(json, "10.{}.{}.{}", 64 + pod / 65536, pod / 256 % 256, pod % 256),
            "annotations" => (0..bits % 5).try_for_each(|number| {
                let value = mixed(*pod, number as u64);
                write!(
                    json,
                    r#","config.example.com/option-{number}":"value-{value:016x}-{namespace}-{app}""#
                )
            }),
            "env" => (0..bits / 8 % 6).try_for_each(|number| {
                let host = format!("{app}-{number}.{namespace}.svc.cluster.local");
                write!(json, r#",{{"name":"OPTION_{number}","value":"http://{host}:8080"}}"#)
            }),
            _ => Ok(()),
        };
    }
}

fn uuid(bits: u64, json: &mut String) -> std::fmt::Result {
    let more = mixed(bits as usize, 6);
    write!(json, "{:08x}-{:04x}-4{:03x}-", bits >> 32, bits >> 16 & 0xffff, bits & 0xfff)?;
    write!(json, "a{:03x}-{:012x}", more >> 48 & 0xfff, more & 0xffff_ffff_ffff)
}

/// Drops the white space outside of strings.
fn compact(json: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    json.chars()
        .filter(|letter| {
            let keep = quoted || !letter.is_whitespace();
            if *letter == '"' && !escaped {
                quoted = !quoted;
            }
            escaped = *letter == '\\' && !escaped;
            keep
        })
        .collect()
}
