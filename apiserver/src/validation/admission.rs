//! Admission: webhooks, and what policies have in common with them.

use crate::{
    cel::admission::{Compiler, Named, Names, Wanted},
    protocol::names::dns_subdomain_errors,
};

use super::{Checks, Findings, NONE, Spot, admission_policies, formats, labels};

const OPERATIONS: &[&str] = &["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
pub(super) const POLICIES: &[&str] = &["Fail", "Ignore"];
pub(super) const MATCHES: &[&str] = &["Equivalent", "Exact"];
pub(super) const REINVOCATIONS: &[&str] = &["IfNeeded", "Never"];

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "validatingwebhookconfigurations" | "mutatingwebhookconfigurations" => {
            Checks { create: |out, new| webhooks(out, new, Conditions::New), update, ..NONE }
        }
        other => admission_policies::checks(other),
    }
}

/// Whether conditions are looked at: what was stored with a policy or webhook is not looked at again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Conditions {
    New,
    Known,
}

fn update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let all = |object: &Spot<'_>| -> Vec<_> {
        object.items("webhooks").map(|hook| hook.get("matchConditions").value().clone()).collect()
    };
    let same = all(new) == all(old);
    webhooks(out, new, if same { Conditions::Known } else { Conditions::New });
}

fn webhooks(out: &mut Findings, object: &Spot<'_>, conditions: Conditions) {
    let mut names: Vec<String> = Vec::new();
    for hook in object.items("webhooks") {
        webhook(out, &hook, conditions);
        review_versions(out, &hook.get("admissionReviewVersions"));
        let name = hook.get("name");
        if !name.is_empty() {
            if names.iter().any(|taken| taken == name.str()) {
                out.duplicate(&name);
            } else {
                names.push(name.str().to_owned());
            }
        }
    }
}

fn webhook(out: &mut Findings, hook: &Spot<'_>, conditions: Conditions) {
    full_name(out, &hook.get("name"));
    for rule in hook.items("rules") {
        self::rule(out, &rule);
    }
    out.maybe_one_of(&hook.get("failurePolicy"), POLICIES);
    out.maybe_one_of(&hook.get("matchPolicy"), MATCHES);
    let effects = hook.get("sideEffects");
    if !effects.is_set() {
        out.required(&effects, "must specify one of None, NoneOnDryRun");
    }
    out.maybe_one_of(&effects, &["None", "NoneOnDryRun"]);
    let seconds = hook.get("timeoutSeconds");
    if seconds.int().is_some_and(|seconds| !(1..=30).contains(&seconds)) {
        out.invalid(&seconds, "the timeout value must be between 1 and 30 seconds");
    }
    labels::selector(out, &hook.get("namespaceSelector"));
    labels::selector(out, &hook.get("objectSelector"));
    out.maybe_one_of(&hook.get("reinvocationPolicy"), REINVOCATIONS);
    client(out, &hook.get("clientConfig"));
    if conditions == Conditions::New {
        self::conditions(out, hook, Named::No);
    }
}

/// A name with a domain of at least two parts behind it.
fn full_name(out: &mut Findings, name: &Spot<'_>) {
    if name.is_empty() {
        return out.required(name, "");
    }
    let errors = dns_subdomain_errors(name.str());
    if !errors.is_empty() {
        out.invalid(name, errors.join(","));
    } else if name.str().split('.').count() < 3 {
        out.invalid(name, "should be a domain with at least three segments separated by dots");
    }
}

pub(super) fn rule(out: &mut Findings, rule: &Spot<'_>) {
    let operations = rule.get("operations");
    alone(out, &operations, "operations");
    for operation in operations.each() {
        out.maybe_one_of(&operation, OPERATIONS);
    }
    alone(out, &rule.get("apiGroups"), "API groups");
    let versions = rule.get("apiVersions");
    alone(out, &versions, "API versions");
    for version in versions.each().filter(Spot::is_empty) {
        out.required(&version, "");
    }
    resources(out, &rule.get("resources"));
    out.maybe_one_of(&rule.get("scope"), &["*", "Cluster", "Namespaced"]);
}

/// A list that must not be empty, and where a wildcard stands alone.
fn alone(out: &mut Findings, list: &Spot<'_>, what: &str) {
    if list.is_empty() {
        out.required(list, "");
    }
    let count = list.each().count();
    if count > 1 && list.each().any(|item| item.str() == "*") {
        out.invalid(list, format!("if '*' is present, must not specify other {what}"));
    }
}

fn resources(out: &mut Findings, list: &Spot<'_>) {
    if list.is_empty() {
        out.required(list, "");
    }
    let (mut whole, mut below): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut all, mut every, mut plain) = (false, false, false);
    for item in list.each() {
        let text = item.str();
        if text.is_empty() {
            out.required(&item, "");
            continue;
        }
        all |= text == "*/*";
        every |= text == "*";
        let Some((resource, sub)) = text.split_once('/') else {
            plain = text != "*";
            continue;
        };
        if whole.iter().any(|known| known == resource) {
            out.invalid(&item, format!("if '{resource}/*' is present, must not specify {text}"));
        }
        if below.iter().any(|known| known == sub) {
            out.invalid(&item, format!("if '*/{sub}' is present, must not specify {text}"));
        }
        if sub == "*" {
            whole.push(resource.to_owned());
        }
        if resource == "*" {
            below.push(sub.to_owned());
        }
    }
    if list.each().count() > 1 && all {
        out.invalid(list, "if '*/*' is present, must not specify other resources");
    }
    if every && plain {
        out.invalid(list, "if '*' is present, must not specify other resources without subresources");
    }
}

fn client(out: &mut Findings, config: &Spot<'_>) {
    let (url, service) = (config.get("url"), config.get("service"));
    match (url.is_set(), service.is_set()) {
        (true, false) => address(out, &url),
        (false, true) => {
            // A real server mistakes one for the other when it tells which is missing.
            for (name, told) in [("namespace", "name"), ("name", "namespace")] {
                out.present(&service.alias(name, told));
            }
            let port = service.get("port");
            if port.int().is_some_and(|port| !(1..=65535).contains(&port)) {
                out.invalid(&port, "port is not valid: must be between 1 and 65535, inclusive");
            }
            path(out, &service.get("path"));
        }
        _ => out.required(config, "exactly one of url or service is required"),
    }
}

fn address(out: &mut Findings, url: &Spot<'_>) {
    const FORM: &str = "; desired format: https://host[/path]";
    let text = url.str();
    if let Some(why) = crate::cel::url_fault(text) {
        return out.required(url, format!("url must be a valid URL: {why}{FORM}"));
    }
    let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (scheme, rest) = rest.split_once("://").unwrap_or(("", ""));
    let authority = rest.split('/').next().unwrap_or_default();
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    if scheme != "https" {
        out.invalid_as(url, scheme, format!("'https' is the only allowed URL scheme{FORM}"));
    }
    if host.is_empty() {
        out.invalid_as(url, host, format!("host must be specified{FORM}"));
    }
    for (part, what) in [
        (user, "user information is not permitted in the URL"),
        (fragment, "fragments are not permitted in the URL"),
        (query, "query parameters are not permitted in the URL"),
    ] {
        if !part.is_empty() {
            out.invalid_as(url, part, what);
        }
    }
}

fn path(out: &mut Findings, path: &Spot<'_>) {
    let text = path.str();
    if matches!(text, "" | "/") {
        return;
    }
    if text == "//" {
        return out.invalid(path, "segment[0] may not be empty");
    }
    if !text.starts_with('/') {
        out.invalid(path, "must start with a '/'");
    }
    let mut inner = text.chars();
    inner.next();
    let inner = inner.as_str();
    let inner = inner.strip_suffix('/').unwrap_or(inner);
    for (index, step) in inner.split('/').enumerate() {
        if step.is_empty() {
            out.invalid(path, format!("segment[{index}] may not be empty"));
        } else {
            for error in dns_subdomain_errors(step) {
                out.invalid(path, format!("segment[{index}]: {error}"));
            }
        }
    }
}

/// The conditions of a webhook or policy, which are compiled by themselves.
pub(super) fn conditions(out: &mut Findings, holder: &Spot<'_>, params: Named) {
    let names = Names { params, authorizer: Named::Yes, objects: Named::No };
    let list = holder.get("matchConditions");
    let count = holder.count("matchConditions");
    if count > 64 {
        out.too_many(&list, count, 64);
    }
    let mut known: Vec<String> = Vec::new();
    for condition in list.each() {
        let (name, expression) = (condition.get("name"), condition.get("expression"));
        let text = expression.str().trim();
        if text.is_empty() {
            out.required(&expression, "");
        } else if let Err(why) = Compiler::default().compile(text, names, Wanted::Bool) {
            out.invalid_as(&expression, text, why);
        }
        if name.is_empty() {
            out.required(&name, "");
            continue;
        }
        formats::qualified(out, &name);
        if known.iter().any(|taken| taken == name.str()) {
            out.duplicate(&name);
        }
        known.push(name.str().to_owned());
    }
}

fn review_versions(out: &mut Findings, list: &Spot<'_>) {
    if list.is_empty() {
        return out.required(list, "must specify one of v1, v1beta1");
    }
    let mut seen: Vec<String> = Vec::new();
    for version in list.each() {
        if seen.iter().any(|known| known == version.str()) {
            out.invalid(&version, "duplicate version");
            continue;
        }
        seen.push(version.str().to_owned());
        out.all(&version, formats::dns_1035_errors(version.str()));
    }
    if !seen.iter().any(|version| version == "v1" || version == "v1beta1") {
        out.invalid(list, "must include at least one of v1, v1beta1");
    }
}
