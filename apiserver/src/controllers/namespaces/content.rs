//! `Pass`: one time through everything that a namespace holds.
//!
//! In: the namespace, then one resource after the other. Out: deletions, and what is left after them.

use core::time::Duration;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    protocol::Fields,
    registry::{Resource, Verb},
    server::Core,
    strategy::{at, text},
};

use super::{super::agent::Agent, conditions::Findings};

/// How long finalizers are given, in seconds.
const FINALIZERS_TAKE: i64 = 15;

/// One time through everything that a namespace holds.
#[derive(Debug)]
pub(super) struct Pass {
    /// `name/`: how the keys of its objects begin.
    prefix: String,
    deleted_at: Option<Timestamp>,
    resources: VecDeque<Arc<Resource>>,
    /// How many objects are left of each resource, as the condition names it.
    remaining: BTreeMap<String, usize>,
    finalizers: BTreeMap<String, usize>,
    failures: Vec<String>,
    /// How long what is left may take, in seconds.
    estimate: i64,
    /// Pods are left: what else there is has not been looked at.
    waits_for_pods: bool,
}

impl Pass {
    pub(super) fn new(core: &Core, name: &str, namespace: &Fields) -> Self {
        let is_pods = |resource: &Resource| resource.group.is_empty() && resource.plural == "pods";
        let mut resources: VecDeque<Arc<Resource>> = core
            .registry()
            .preferred()
            .filter(|resource| resource.namespaced && resource.verbs.contains(Verb::Delete))
            .cloned()
            .collect();
        if let Some(pods) = resources.iter().position(|resource| is_pods(resource)) {
            let pods = resources.remove(pods);
            resources.extend(pods);
            resources.rotate_right(1);
        }
        Self {
            prefix: format!("{name}/"),
            deleted_at: text(namespace, "metadata.deletionTimestamp").parse().ok(),
            resources,
            remaining: BTreeMap::new(),
            finalizers: BTreeMap::new(),
            failures: Vec::new(),
            estimate: 0,
            waits_for_pods: false,
        }
    }

    /// Empties the next resource that holds anything; says whether there may be another.
    pub(super) fn go_on(&mut self, agent: &mut Agent<'_>) -> bool {
        while let Some(resource) = self.resources.pop_front() {
            if agent.core.objects_under(resource.table, &self.prefix).next().is_none() {
                continue;
            }
            self.empty(agent, &resource);
            self.waits_for_pods = resource.plural == "pods" && !self.remaining.is_empty();
            if self.waits_for_pods {
                self.resources.clear();
            }
            return true;
        }
        false
    }

    fn empty(&mut self, agent: &mut Agent<'_>, resource: &Resource) {
        let namespace = self.prefix.trim_end_matches('/').to_owned();
        let mut estimate = self.grace(agent, resource);
        if resource.verbs.contains(Verb::DeleteCollection) {
            let answer = agent.delete_all(resource, &namespace);
            if !answer.is_done() {
                self.failures.push(answer.message().to_owned());
            }
        } else {
            let objects = agent.core.objects_under(resource.table, &self.prefix);
            let keys: Vec<Arc<str>> = objects.map(|object| Arc::clone(&object.key)).collect();
            for key in keys {
                agent.delete(resource, &key, &serde_json::json!({"propagationPolicy": "Background"}));
            }
        }
        let mut left = 0;
        let mut held = false;
        for object in agent.core.objects_under(resource.table, &self.prefix) {
            left += 1;
            let fields = object.fields();
            let finalizers = at(&fields, "metadata.finalizers").and_then(Value::as_array);
            for name in finalizers.into_iter().flatten().filter_map(Value::as_str) {
                held = true;
                *self.finalizers.entry(name.to_owned()).or_default() += 1;
            }
        }
        if left == 0 {
            return;
        }
        let Resource { group, version, plural, .. } = resource;
        if estimate == 0 && held {
            estimate = FINALIZERS_TAKE;
        } else if estimate == 0 {
            self.failures.push(format!(
                "unexpected items still remain in namespace: {namespace} for gvr: {group}/{version}, Resource={plural}"
            ));
        }
        self.remaining.insert(format!("{plural}.{group}"), left);
        self.estimate = self.estimate.max(estimate);
    }

    /// How long the pods of the namespace may take to end, if that time has not passed.
    fn grace(&self, agent: &Agent<'_>, resource: &Resource) -> i64 {
        if !resource.group.is_empty() || resource.plural != "pods" {
            return 0;
        }
        let graces = agent.core.objects_under(resource.table, &self.prefix).filter_map(|pod| {
            let pod = pod.fields();
            let over = ["Succeeded", "Failed"].contains(&text(&pod, "status.phase"));
            at(&pod, "spec.terminationGracePeriodSeconds").and_then(Value::as_i64).filter(|_| !over)
        });
        let grace = graces.max().unwrap_or_default();
        let passed = self.deleted_at.map_or(0, |deleted| agent.now.duration_since(deleted).as_secs());
        if passed >= grace { 0 } else { grace }
    }

    /// What there is to say about the namespace.
    pub(super) fn findings(&self) -> Findings {
        let listed = |counts: &BTreeMap<String, usize>, said: &str, verb: &str| {
            let lines: Vec<String> = counts
                .iter()
                .map(|(what, count)| format!("{what} {verb} {count} resource instances"))
                .collect();
            (!lines.is_empty() && !self.waits_for_pods).then(|| format!("{said}: {}", lines.join(", ")))
        };
        let failures = (!self.failures.is_empty()).then(|| {
            let mut texts = self.failures.clone();
            texts.sort();
            format!("Failed to delete all resource types, {} remaining: {}", texts.len(), texts.join(", "))
        });
        Findings {
            failures,
            remaining: listed(&self.remaining, "Some resources are remaining", "has"),
            finalizers: listed(
                &self.finalizers,
                "Some content in the namespace has finalizers remaining",
                "in",
            ),
        }
    }

    /// How long to wait before another pass; nothing when the namespace is empty.
    pub(super) fn estimate(&self) -> Option<Duration> {
        let is_empty = self.remaining.is_empty() && self.failures.is_empty();
        (!is_empty).then(|| Duration::from_secs(u64::try_from(self.estimate / 2 + 1).unwrap_or(1)))
    }
}
