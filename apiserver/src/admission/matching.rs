//! Which writes a policy or webhook is about: rules, selectors, exclusions.
//!
//! In: what a configuration says, and a write. Out: as which resource the write is one that is meant, if it is one at all.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    protocol::{Fields, LabelSelector, Status},
    registry::Resource,
    strategy::at,
};

use super::{Attempt, Cluster, Operation};

/// What a configuration is about.
#[derive(Debug)]
pub(crate) struct Matching {
    rules: Vec<Rule>,
    excluded: Vec<Rule>,
    /// What is meant when there are no rules.
    without_rules: Meant,
    equivalents: Meant,
    namespaces: LabelSelector,
    objects: LabelSelector,
}

/// Whether something is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meant {
    Everything,
    Nothing,
}

/// One rule.
#[derive(Debug)]
struct Rule {
    operations: Vec<String>,
    groups: Vec<String>,
    versions: Vec<String>,
    resources: Vec<String>,
    names: Vec<String>,
    scope: String,
}

impl Matching {
    /// Reads the match resources of a policy or its binding: without rules they mean everything.
    pub(crate) fn of_policy(said: &Value) -> Self {
        Self::read(said, "resourceRules", Meant::Everything)
    }

    /// Reads what a webhook says: without rules it is never called.
    pub(crate) fn of_webhook(said: &Value) -> Self {
        Self::read(said, "rules", Meant::Nothing)
    }

    fn read(said: &Value, rules: &str, without_rules: Meant) -> Self {
        let list = |name: &str| -> Vec<Rule> {
            said.get(name).and_then(Value::as_array).into_iter().flatten().map(Rule::read).collect()
        };
        // Selectors were checked when the configuration was stored; what is broken selects nothing special.
        let selector = |name: &str| {
            said.get(name).and_then(|said| LabelSelector::of_object(said).ok()).unwrap_or_default()
        };
        let exact = said.get("matchPolicy").and_then(Value::as_str) == Some("Exact");
        Self {
            rules: list(rules),
            excluded: list("excludeResourceRules"),
            without_rules,
            equivalents: if exact { Meant::Nothing } else { Meant::Everything },
            namespaces: selector("namespaceSelector"),
            objects: selector("objectSelector"),
        }
    }

    /// As which resource the write is meant, if it is.
    pub(crate) fn find(
        &self,
        attempt: &Attempt<'_>,
        cluster: &Cluster<'_>,
        object: Option<&Fields>,
    ) -> Result<Option<Arc<Resource>>, Status> {
        let in_namespace = self.selects_namespace(attempt, cluster, object);
        if matches!(in_namespace, Ok(false)) || !self.selects_object(attempt, object) {
            return Ok(None);
        }
        let name = object.map_or(attempt.name, |object| crate::strategy::text(object, "metadata.name"));
        let name = if attempt.operation == Operation::Create { name } else { attempt.name };
        if self.by_rules(&self.excluded, (attempt, name), cluster).is_some() {
            return Ok(None);
        }
        let found = match (self.rules.is_empty(), self.without_rules) {
            (true, Meant::Everything) => Some(Arc::clone(attempt.resource)),
            (true, Meant::Nothing) => None,
            (false, _) => self.by_rules(&self.rules, (attempt, name), cluster),
        };
        // That a namespace is not there is only said where the write is meant at all.
        match found {
            Some(found) => in_namespace.map(|_| Some(found)),
            None => Ok(None),
        }
    }

    fn by_rules(
        &self,
        rules: &[Rule],
        (attempt, name): (&Attempt<'_>, &str),
        cluster: &Cluster<'_>,
    ) -> Option<Arc<Resource>> {
        if rules.iter().any(|rule| rule.means(attempt, attempt.resource, name)) {
            return Some(Arc::clone(attempt.resource));
        }
        if self.equivalents == Meant::Nothing || rules.is_empty() {
            return None;
        }
        let others = cluster.registry.same_objects(attempt.resource);
        let mut pairs = rules.iter().flat_map(|rule| others.iter().map(move |other| (rule, other)));
        pairs.find(|(rule, other)| rule.means(attempt, other, name)).map(|(_, other)| Arc::clone(other))
    }

    fn selects_namespace(
        &self,
        attempt: &Attempt<'_>,
        cluster: &Cluster<'_>,
        object: Option<&Fields>,
    ) -> Result<bool, Status> {
        let is_namespace = attempt.is_core("namespaces");
        if self.namespaces.is_empty() || (attempt.namespace.is_empty() && !is_namespace) {
            return Ok(true);
        }
        let changed = matches!(attempt.operation, Operation::Create | Operation::Update);
        if let Some(object) = object.filter(|_| is_namespace && changed && attempt.subresource.is_empty()) {
            return Ok(selects(&self.namespaces, Some(object)));
        }
        let Some(namespaces) = cluster.registry.namespaces() else { return Ok(true) };
        let Some(stored) = cluster.store.get(namespaces.table, attempt.namespace) else {
            return Err(Status::not_found(namespaces.name(), attempt.namespace));
        };
        Ok(self.namespaces.matches(|key| stored.label(key)))
    }

    fn selects_object(&self, attempt: &Attempt<'_>, object: Option<&Fields>) -> bool {
        self.objects.is_empty() || selects(&self.objects, object) || selects(&self.objects, attempt.old)
    }
}

fn selects(selector: &LabelSelector, object: Option<&Fields>) -> bool {
    object.is_some_and(|object| {
        let labels = at(object, "metadata.labels");
        selector.matches(|key| labels?.get(key)?.as_str())
    })
}

impl Rule {
    fn read(said: &Value) -> Self {
        let list = |name: &str| -> Vec<String> {
            let items = said.get(name).and_then(Value::as_array).into_iter().flatten();
            items.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Self {
            operations: list("operations"),
            groups: list("apiGroups"),
            versions: list("apiVersions"),
            resources: list("resources"),
            names: list("resourceNames"),
            scope: said.get("scope").and_then(Value::as_str).unwrap_or("*").to_owned(),
        }
    }

    fn means(&self, attempt: &Attempt<'_>, resource: &Resource, name: &str) -> bool {
        let holds = |list: &[String], wanted: &str| list.iter().any(|one| one == "*" || one == wanted);
        let placed = !attempt.namespace.is_empty() && !attempt.is_core("namespaces");
        let in_scope = match self.scope.as_str() {
            "Namespaced" => placed,
            "Cluster" => !placed,
            _ => true,
        };
        let resources = self.resources.iter().any(|said| {
            let (plural, below) = said.split_once('/').unwrap_or((said, ""));
            (plural == "*" || plural == resource.plural) && (below == "*" || below == attempt.subresource)
        });
        in_scope
            && resources
            && holds(&self.operations, attempt.operation.name())
            && holds(&self.groups, &resource.group)
            && holds(&self.versions, &resource.version)
            && (self.names.is_empty() || self.names.iter().any(|one| one == name))
    }
}
