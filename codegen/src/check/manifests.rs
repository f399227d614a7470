//! Roles and webhooks: what an API server would refuse.

use super::span;
use crate::diagnostic::{Diagnostic, Diagnostics, ManifestProblem};
use crate::model::{Manifests, Permission, Webhook};
use crate::naming::{is_dns_name, is_path_segment};
use serde_json::Value;

/// Checks the permissions of roles.
pub fn check_permissions(manifests: &Manifests) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for permission in &manifests.permissions {
        for problem in problems_of(permission) {
            diagnostics.add(problem, span(&permission.place));
        }
    }
    diagnostics
}

fn problems_of(permission: &Permission) -> Vec<ManifestProblem> {
    let mut problems = Vec::new();
    if let Some(name) = permission.role_name.as_ref().filter(|name| !is_path_segment(name)) {
        problems.push(ManifestProblem::RoleName { name: name.clone() });
    }
    if permission.verbs.iter().all(String::is_empty) {
        problems.push(ManifestProblem::NoVerbs);
    }
    let (groups, resources) = (!permission.groups.is_empty(), !permission.resources.is_empty());
    match (permission.urls.is_empty(), groups, resources) {
        (true, false, false) => problems.push(ManifestProblem::NothingAllowed),
        (true, false, true) => problems.push(ManifestProblem::NoGroups),
        (true, true, false) => problems.push(ManifestProblem::NoResources),
        (false, _, true) | (false, true, _) => problems.push(ManifestProblem::ResourcesAndUrls),
        _ => {}
    }
    if let (Some(namespace), false) = (&permission.namespace, permission.urls.is_empty()) {
        problems.push(ManifestProblem::UrlsInNamespace { namespace: namespace.clone() });
    }
    problems
}

/// Checks webhooks, patched as they are, and what holds them.
pub fn check_webhooks(manifests: &Manifests) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for (at, webhook) in manifests.webhooks.iter().enumerate() {
        for (argument, problem) in entry_problems(webhook) {
            diagnostics.add(problem, span(webhook.marker.place_of(argument)));
        }
        let same = |other: &&Webhook| other.kind == webhook.kind && other.name == webhook.name;
        if let Some(first) = manifests.webhooks.iter().take(at).find(same) {
            let problem = ManifestProblem::SameWebhook { webhook: webhook.name.clone() };
            let place = span(webhook.marker.place_of("name"));
            let first = span(first.marker.place_of("name"));
            diagnostics.push(Diagnostic::new(problem, place).with_related(first, "the first one"));
        }
    }
    for (at, configuration) in manifests.configurations.iter().enumerate() {
        let earlier = manifests.configurations.iter().take(at);
        // Each file may say it, if all say the same.
        let clash = |other: &&crate::model::WebhookConfiguration| {
            other.kind == configuration.kind
                && (other.name != configuration.name || other.place.file == configuration.place.file)
        };
        if let Some(first) = earlier.clone().find(clash) {
            let problem = ManifestProblem::TwoConfigurations { kind: configuration.kind.configuration() };
            diagnostics.push(
                Diagnostic::new(problem, span(&configuration.place))
                    .with_related(span(&first.place), "the first one"),
            );
        }
    }
    diagnostics
}

/// The arguments at fault, with what is wrong.
fn entry_problems(webhook: &Webhook) -> Vec<(&'static str, ManifestProblem)> {
    let mut problems = Vec::new();
    let name = || webhook.name.clone();
    let mut bad = |argument: &'static str, found: String, rule: &'static str| {
        problems.push((argument, ManifestProblem::BadValue { webhook: name(), argument, found, rule }));
    };
    let text = |field: &str| webhook.entry.get(field).and_then(Value::as_str);
    if !is_qualified(&webhook.name) {
        bad(
            "name",
            name(),
            "a name is a domain with at least three parts, such as `thing.group.example.com`",
        );
    }
    if let Some(seconds) = webhook.entry.get("timeoutSeconds").and_then(Value::as_i64)
        && !(1..=30).contains(&seconds)
    {
        bad("timeoutSeconds", seconds.to_string(), "a webhook has 1 to 30 seconds to answer");
    }
    if let Some(found) = text("sideEffects").filter(|found| !["None", "NoneOnDryRun"].contains(found)) {
        bad("sideEffects", found.to_owned(), "it is `None` or `NoneOnDryRun`");
    }
    let versions = webhook.entry.get("admissionReviewVersions").and_then(Value::as_array);
    let spoken = |version: &Value| matches!(version.as_str(), Some("v1" | "v1beta1"));
    match versions.filter(|versions| !versions.is_empty()) {
        None => {
            let argument = "admissionReviewVersions";
            problems.push((argument, ManifestProblem::Empty { webhook: name(), argument }));
        }
        Some(versions) if !versions.iter().any(spoken) => {
            let found: Vec<&str> = versions.iter().filter_map(Value::as_str).collect();
            bad("admissionReviewVersions", found.join(";"), "an API server speaks `v1` and `v1beta1`");
        }
        Some(_) => {}
    }
    let said = webhook.marker.text("sideEffects").is_some();
    if text("sideEffects").is_none() && !said {
        problems.push(("", ManifestProblem::NoSideEffects { webhook: name() }));
    }
    problems
}

/// Whether a name is a domain of three parts or more.
fn is_qualified(name: &str) -> bool {
    name.split('.').count() >= 3 && is_dns_name(name)
}
