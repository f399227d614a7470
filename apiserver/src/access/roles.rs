//! `Roles`: what everybody may do, by the roles and bindings that are stored.
//!
//! In: roles and bindings. Out: the rules that hold for a user in a namespace, and decisions about requests. A role that aggregates
//! others has their rules as well as its own.

use std::collections::HashMap;

use serde_json::Value;

use crate::{
    protocol::{Fields, LabelSelector, quoted},
    strategy::{at, text},
};

use super::{Attributes, PolicyRule, Subject, User};

/// The roles and bindings of a cluster.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    cluster: HashMap<String, Vec<PolicyRule>>,
    namespaced: HashMap<(String, String), Vec<PolicyRule>>,
    /// By namespace; those of the whole cluster under the empty name.
    bindings: HashMap<String, Vec<Binding>>,
}

/// What a decision says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It may be; for this reason.
    Allowed(String),
    /// Nobody says that it may be; perhaps something went wrong on the way.
    NoOpinion(String),
}

/// The role that a binding is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RoleRef {
    pub group: String,
    pub kind: String,
    pub name: String,
}

#[derive(Debug)]
struct Binding {
    namespace: String,
    name: String,
    role: RoleRef,
    subjects: Vec<Bound>,
}

#[derive(Debug)]
struct Bound {
    kind: String,
    namespace: String,
    name: String,
}

/// The stored objects that rights come from.
pub(crate) struct RoleObjects {
    pub cluster_roles: Vec<Fields>,
    pub roles: Vec<Fields>,
    pub cluster_bindings: Vec<Fields>,
    pub bindings: Vec<Fields>,
}

impl RoleRef {
    /// The role that a binding names.
    pub(crate) fn of(binding: &Fields) -> Self {
        let part = |name: &str| text(binding, &format!("roleRef.{name}")).to_owned();
        Self { group: part("apiGroup"), kind: part("kind"), name: part("name") }
    }
}

impl Binding {
    fn read(fields: &Fields) -> Self {
        let subjects = fields.get("subjects").and_then(Value::as_array);
        let subject = |subject: &Value| {
            let part = |name: &str| subject.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            Bound { kind: part("kind"), namespace: part("namespace"), name: part("name") }
        };
        Self {
            namespace: text(fields, "metadata.namespace").to_owned(),
            name: text(fields, "metadata.name").to_owned(),
            role: RoleRef::of(fields),
            subjects: subjects.into_iter().flatten().map(subject).collect(),
        }
    }

    /// The subject that a user is.
    fn subject(&self, user: &User) -> Option<&Bound> {
        self.subjects.iter().find(|subject| match subject.kind.as_str() {
            "User" => user.name == subject.name,
            "Group" => user.is_in(&subject.name),
            "ServiceAccount" => user.is_account(self.namespace_of(subject), &subject.name),
            _ => false,
        })
    }

    fn namespace_of<'a>(&'a self, subject: &'a Bound) -> &'a str {
        if subject.namespace.is_empty() { &self.namespace } else { &subject.namespace }
    }

    /// How reasons name it.
    fn described(&self, subject: &Bound) -> String {
        let whom = match subject.kind.as_str() {
            "ServiceAccount" => quoted(&format!("{}/{}", subject.name, self.namespace_of(subject))),
            _ => quoted(&subject.name),
        };
        let (kind, name) = match self.namespace.as_str() {
            "" => ("ClusterRoleBinding", quoted(&self.name)),
            namespace => ("RoleBinding", quoted(&format!("{}/{namespace}", self.name))),
        };
        let role = quoted(&self.role.name);
        format!("{kind} {name} of {} {role} to {} {whom}", self.role.kind, subject.kind)
    }
}

impl Roles {
    /// Puts stored objects in order.
    pub(crate) fn new(objects: &RoleObjects) -> Self {
        let mut roles = Self::default();
        for role in &objects.cluster_roles {
            let name = text(role, "metadata.name").to_owned();
            roles.cluster.insert(name, aggregated(role, &objects.cluster_roles, 0));
        }
        for role in &objects.roles {
            let part = |name: &str| text(role, &format!("metadata.{name}")).to_owned();
            let rules = PolicyRule::read_all(role.get("rules"));
            roles.namespaced.insert((part("namespace"), part("name")), rules);
        }
        for binding in objects.cluster_bindings.iter().chain(&objects.bindings) {
            let binding = Binding::read(binding);
            roles.bindings.entry(binding.namespace.clone()).or_default().push(binding);
        }
        roles
    }

    /// The rules of a role, seen from a namespace (empty: from the whole cluster).
    pub(crate) fn rules_of(&self, role: &RoleRef, namespace: &str) -> Result<&[PolicyRule], String> {
        let found = match role.kind.as_str() {
            "ClusterRole" => self.cluster.get(&role.name),
            "Role" => self.namespaced.get(&(namespace.to_owned(), role.name.clone())),
            kind => return Err(format!("unsupported role reference kind: {}", quoted(kind))),
        };
        found.map(Vec::as_slice).ok_or_else(|| {
            let kind = role.kind.to_lowercase();
            format!("{kind}.rbac.authorization.k8s.io {} not found", quoted(&role.name))
        })
    }

    /// Whether a user may do something.
    pub(crate) fn decide(&self, user: &User, attributes: &Attributes) -> Decision {
        if user.is_master() {
            return Decision::Allowed(String::new());
        }
        let namespace = match &attributes.subject {
            Subject::Resource(resource) => resource.namespace.as_str(),
            Subject::Path(_) => "",
        };
        let mut broken = Vec::new();
        for (binding, subject) in self.bindings_for(user, namespace) {
            match self.rules_of(&binding.role, &binding.namespace) {
                Ok(rules) if rules.iter().any(|rule| rule.allows(attributes)) => {
                    return Decision::Allowed(format!("RBAC: allowed by {}", binding.described(subject)));
                }
                Ok(_) => {}
                Err(why) if broken.contains(&why) => {}
                Err(why) => broken.push(why),
            }
        }
        Decision::NoOpinion(match broken.as_slice() {
            [] => String::new(),
            broken => format!("RBAC: {}", together(broken)),
        })
    }

    /// The rules that hold for a user in a namespace, and what went wrong in finding them.
    pub(crate) fn rules_for(&self, user: &User, namespace: &str) -> (Vec<PolicyRule>, Option<String>) {
        let mut rules = Vec::new();
        let mut broken = Vec::new();
        for (binding, _) in self.bindings_for(user, namespace) {
            match self.rules_of(&binding.role, &binding.namespace) {
                Ok(more) => rules.extend_from_slice(more),
                Err(why) => broken.push(why),
            }
        }
        (rules, (!broken.is_empty()).then(|| together(&broken)))
    }

    fn bindings_for<'a>(
        &'a self,
        user: &'a User,
        namespace: &'a str,
    ) -> impl Iterator<Item = (&'a Binding, &'a Bound)> {
        let of = |namespace: &str| self.bindings.get(namespace).into_iter().flatten();
        let local = (!namespace.is_empty()).then(|| of(namespace)).into_iter().flatten();
        of("").chain(local).filter_map(|binding| Some((binding, binding.subject(user)?)))
    }
}

/// How deep roles may aggregate roles that aggregate.
const DEPTH: u8 = 8;

/// The rules of a role and of those that it aggregates.
fn aggregated(role: &Fields, all: &[Fields], depth: u8) -> Vec<PolicyRule> {
    let mut rules = PolicyRule::read_all(role.get("rules"));
    let selectors = at(role, "aggregationRule.clusterRoleSelectors").and_then(Value::as_array);
    for selector in selectors.into_iter().flatten().filter(|_| depth < DEPTH) {
        let Ok(selector) = LabelSelector::of_object(selector) else { continue };
        let name = text(role, "metadata.name");
        for other in all.iter().filter(|other| text(other, "metadata.name") != name) {
            let labels = at(other, "metadata.labels");
            let label = |key: &str| labels.and_then(|labels| labels.get(key)).and_then(Value::as_str);
            if selector.matches(label) {
                let more = aggregated(other, all, depth + 1);
                rules.extend(more.into_iter().filter(|rule| !rules.contains(rule)).collect::<Vec<_>>());
            }
        }
    }
    rules
}

/// Several errors as one, as Go puts them together.
fn together(texts: &[String]) -> String {
    match texts {
        [one] => one.clone(),
        many => format!("[{}]", many.join(", ")),
    }
}
