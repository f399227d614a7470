//! Roles and who has them.

use crate::protocol::names::{dns_subdomain_errors, path_segment_errors};

use super::{Checks, Findings, NONE, Spot, labels};

const GROUP: &str = "rbac.authorization.k8s.io";

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "roles" => Checks {
            create: |out, role| rules(out, role, Scope::Namespace),
            update: |out, role, _| rules(out, role, Scope::Namespace),
            ..NONE
        },
        "clusterroles" => {
            Checks { create: cluster_role, update: |out, role, _| cluster_role(out, role), ..NONE }
        }
        "rolebindings" => Checks {
            create: |out, binding| self::binding(out, binding, Scope::Namespace),
            update: |out, new, old| {
                binding(out, new, Scope::Namespace);
                role_kept(out, new, old);
            },
            ..NONE
        },
        "clusterrolebindings" => Checks {
            create: |out, binding| self::binding(out, binding, Scope::Cluster),
            update: |out, new, old| {
                binding(out, new, Scope::Cluster);
                role_kept(out, new, old);
            },
            ..NONE
        },
        _ => NONE,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Namespace,
    Cluster,
}

fn cluster_role(out: &mut Findings, role: &Spot<'_>) {
    rules(out, role, Scope::Cluster);
    let selectors = role.get("aggregationRule.clusterRoleSelectors");
    if role.has("aggregationRule") && selectors.is_empty() {
        out.required(&selectors, "at least one clusterRoleSelector required if aggregationRule is non-nil");
    }
    for selector in selectors.each() {
        labels::selector(out, &selector);
        if !labels::is_valid_selector(&selector) {
            out.invalid_printed(&selector, "null", "invalid label selector.");
        }
    }
}

fn rules(out: &mut Findings, role: &Spot<'_>, scope: Scope) {
    for rule in role.items("rules") {
        let verbs = rule.get("verbs");
        if verbs.is_empty() {
            out.declared(|out| out.required(&verbs, ""));
        }
        let urls = rule.get("nonResourceURLs");
        if !urls.is_empty() {
            if scope == Scope::Namespace {
                out.invalid(&urls, "namespaced rules cannot apply to non-resource URLs");
            }
            if ["apiGroups", "resources", "resourceNames"].iter().any(|name| rule.count(name) > 0) {
                out.invalid(&urls, "rules cannot apply to both regular resources and non-resource URLs");
            }
            continue;
        }
        for (name, why) in [
            ("apiGroups", "resource rules must supply at least one api group"),
            ("resources", "resource rules must supply at least one resource"),
        ] {
            if rule.count(name) == 0 {
                out.required(&rule.get(name), why);
            }
        }
    }
}

fn binding(out: &mut Findings, binding: &Spot<'_>, scope: Scope) {
    let role = binding.get("roleRef");
    let (group, kind, name) = (role.get("apiGroup"), role.get("kind"), role.get("name"));
    if group.str() != GROUP {
        out.not_supported(&group, &[GROUP]);
    }
    let kinds: &[&str] = if scope == Scope::Namespace { &["Role", "ClusterRole"] } else { &["ClusterRole"] };
    if !kinds.contains(&kind.str()) {
        out.not_supported(&kind, kinds);
    }
    if name.is_empty() {
        out.declared(|out| out.required(&name, ""));
    } else {
        out.all(&name, path_segment_errors(name.str()));
    }
    for subject in binding.items("subjects") {
        self::subject(out, &subject, scope);
    }
}

fn subject(out: &mut Findings, subject: &Spot<'_>, scope: Scope) {
    let (name, group, namespace) = (subject.get("name"), subject.get("apiGroup"), subject.get("namespace"));
    if name.is_empty() {
        out.declared(|out| out.required(&name, ""));
    }
    match subject.text("kind") {
        "ServiceAccount" => {
            if !name.is_empty() {
                out.all(&name, dns_subdomain_errors(name.str()));
            }
            if !group.is_empty() {
                out.not_supported(&group, &[""]);
            }
            if scope == Scope::Cluster && namespace.is_empty() {
                out.required(&namespace, "");
            }
        }
        "User" | "Group" if group.str() != GROUP => out.not_supported(&group, &[GROUP]),
        "User" | "Group" => {}
        _ => out.not_supported(&subject.get("kind"), &["ServiceAccount", "User", "Group"]),
    }
}

fn role_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let role = new.get("roleRef");
    if role.value() != old.get("roleRef").value() {
        out.declared(|out| out.invalid(&role, super::IMMUTABLE));
    }
}
