//! What kubectl prints, without what differs from run to run.
//!
//! Names, uids, times, resource versions, ages, addresses and ports become words; equal ones stay equal within a scenario.

use std::collections::HashMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use regex::{Captures, Regex};

use crate::{
    ages::{self, DURATION},
    scenario::Step,
};

/// What is known of a run.
pub(crate) struct Words {
    pub(crate) namespace: Option<String>,
    pub(crate) server: String,
    pub(crate) folders: [(String, &'static str); 3],
}

/// Remembers what it has replaced.
pub(crate) struct Normaliser {
    words: Words,
    rules: Vec<(Regex, &'static str)>,
    list_version: Regex,
    remaining: Regex,
    uid: Regex,
    version: Regex,
    address: Regex,
    spaces: Regex,
    uids: HashMap<String, String>,
    versions: HashMap<String, String>,
    addresses: HashMap<String, String>,
}

fn rules() -> Vec<(Regex, &'static str)> {
    let age = format!(
        r"(?m)^((?:  )?(?:Age|Duration|Renewed|Created|Last Schedule Time)(?:At)?: +){DURATION}( ago)?$"
    );
    let rules: [(&str, &'static str); 10] = [
        (r"\beyJ[\w-]+\.[\w-]+\.[\w-]+", "<token>"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", "<time>"),
        (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? [+-]\d{4}( [A-Z]{3,4})?( m=[+-][\d.]+)?", "<time>"),
        (
            r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d ([+-]\d{4}|[A-Z]{3})",
            "<time>",
        ),
        (r"(?m)^([EIWF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ ", "$1<klog> "),
        // kubectl's own informer, ended by a timeout: a matter of luck.
        (r"(?m)^[EIWF]<klog> reflector\.go:.*\n", ""),
        (r"\b(kubectl-edit-|LIVE-|MERGED-)\d+", "$1<n>"),
        (r"\bapplyset-[A-Za-z0-9_-]{43}-v1", "applyset-<hash>-v1"),
        (r#"(nodePort"?: ?|NodePort: +\S+ +|:)(3[0-2]\d{3})(/TCP|/UDP|,|\s|\})"#, "$1<nodeport>$3"),
        (&age, "$1<age>$2"),
    ];
    rules.into_iter().map(|(rule, put)| (Regex::new(rule).unwrap(), put)).collect()
}

impl Normaliser {
    pub(crate) fn new(words: Words) -> Self {
        let regex = |text: &str| Regex::new(text).unwrap();
        Self {
            words,
            rules: rules(),
            list_version: regex(r#"("metadata":\{"resourceVersion":")\d+"#),
            remaining: regex(r#"("continue": ?")[^"]+"#),
            uid: regex(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
            version: regex(r#"((?:"?resourceVersion\\?"?:|Resource Version:) *\\?"?)(\d+)"#),
            address: regex(r"\b10\.\d+\.\d+\.\d+\b"),
            spaces: regex(" {2,}"),
            uids: HashMap::new(),
            versions: HashMap::new(),
            addresses: HashMap::new(),
        }
    }

    /// The lines of an output.
    pub(crate) fn lines(&mut self, text: &str, step: &Step) -> Vec<String> {
        let mut text = ages::replace(text, step.ages);
        for (word, name) in &self.words.folders {
            text = text.replace(word, name);
        }
        let host = self.words.server.rsplit("://").next().unwrap();
        text = text.replace(&self.words.server, "<server>").replace(host, "<server-host>");
        if let Some(namespace) = &self.words.namespace {
            text = text.replace(namespace, "<ns>").replace(&STANDARD.encode(namespace), "<ns-base64>");
        }
        text = self.list_version.replace_all(&text, "$1<list-rv>").into_owned();
        text = self.remaining.replace_all(&text, "$1<continue>").into_owned();
        text = self.numbered(&text);
        for (rule, put) in &self.rules {
            text = rule.replace_all(&text, *put).into_owned();
        }
        let addresses = &mut self.addresses;
        let known = |found: &Captures<'_>| number(addresses, &found[0], "ip");
        text = self.address.replace_all(&text, known).into_owned();
        for hide in &step.hide {
            let hide = Regex::new(&format!("(?m){hide}")).unwrap();
            text = hide.replace_all(&text, "<hidden>").into_owned();
        }
        let mut lines: Vec<String> = text.split('\n').map(|line| self.squeezed(line)).collect();
        if step.sort {
            lines.retain(|line| !line.is_empty());
            lines.sort();
        }
        lines
    }

    fn numbered(&mut self, text: &str) -> String {
        let uids = &mut self.uids;
        let text = self.uid.replace_all(text, |found: &Captures<'_>| number(uids, &found[0], "uid"));
        let versions = &mut self.versions;
        let put = |found: &Captures<'_>| match &found[2] {
            "0" => found[0].to_owned(),
            version => format!("{}{}", &found[1], number(versions, version, "rv")),
        };
        self.version.replace_all(&text, put).into_owned()
    }

    /// A line with single spaces behind its indentation.
    fn squeezed(&self, line: &str) -> String {
        let sign = usize::from(line.starts_with("+ ") || line.starts_with("- "));
        let rest = line[sign..].trim_start();
        let (indentation, rest) = line.split_at(line.len() - rest.len());
        format!("{indentation}{}", self.spaces.replace_all(rest, " "))
    }
}

fn number(known: &mut HashMap<String, String>, word: &str, kind: &str) -> String {
    let next = format!("<{kind}-{}>", known.len() + 1);
    known.entry(word.to_owned()).or_insert(next).clone()
}
