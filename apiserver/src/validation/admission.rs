//! Admission: webhooks and policies. Expressions are looked at where they are evaluated.

use crate::protocol::names::{dns_label_errors, dns_subdomain_errors};

use super::{Checks, Findings, NONE, Spot, formats, labels};

const OPERATIONS: &[&str] = &["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const POLICIES: &[&str] = &["Fail", "Ignore"];
const MATCHES: &[&str] = &["Equivalent", "Exact"];

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "validatingwebhookconfigurations" | "mutatingwebhookconfigurations" => {
            Checks { create: webhooks, update: |out, new, _| webhooks(out, new), ..NONE }
        }
        "validatingadmissionpolicies" => {
            Checks { create: policy, update: |out, new, _| policy(out, new), ..NONE }
        }
        "validatingadmissionpolicybindings" => {
            Checks { create: binding, update: |out, new, _| binding(out, new), ..NONE }
        }
        _ => NONE,
    }
}

fn webhooks(out: &mut Findings, object: &Spot<'_>) {
    let mut names: Vec<String> = Vec::new();
    for hook in object.items("webhooks") {
        webhook(out, &hook);
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

fn webhook(out: &mut Findings, hook: &Spot<'_>) {
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
    out.maybe_one_of(&hook.get("reinvocationPolicy"), &["IfNeeded", "Never"]);
    client(out, &hook.get("clientConfig"));
    conditions(out, hook);
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

fn rule(out: &mut Findings, rule: &Spot<'_>) {
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
            out.present(&service.get("name"));
            out.present(&service.get("namespace"));
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
    let inner = text.strip_prefix('/').unwrap_or(text);
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

fn conditions(out: &mut Findings, holder: &Spot<'_>) {
    let list = holder.get("matchConditions");
    let count = holder.count("matchConditions");
    if count > 64 {
        out.too_many(&list, count, 64);
    }
    let mut names: Vec<String> = Vec::new();
    for condition in list.each() {
        let (name, expression) = (condition.get("name"), condition.get("expression"));
        if expression.str().trim().is_empty() {
            out.required(&expression, "");
        }
        if name.is_empty() {
            out.required(&name, "");
            continue;
        }
        formats::qualified(out, &name);
        if names.iter().any(|taken| taken == name.str()) {
            out.duplicate(&name);
        }
        names.push(name.str().to_owned());
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

fn policy(out: &mut Findings, object: &Spot<'_>) {
    const EITHER: &str = "validations or auditAnnotations must contain at least one item";
    let spec = object.get("spec");
    let failure = spec.get("failurePolicy");
    if !failure.is_set() {
        out.required(&failure, "");
    }
    out.maybe_one_of(&failure, POLICIES);
    if spec.has("paramKind") {
        param_kind(out, &spec.get("paramKind"));
    }
    let constraints = spec.get("matchConstraints");
    if constraints.is_set() {
        matches(out, &constraints);
        if constraints.count("resourceRules") == 0 {
            out.required(&constraints.get("resourceRules"), "");
        }
    } else {
        out.required(&constraints, "");
    }
    conditions(out, &spec);
    if spec.count("validations") == 0 && spec.count("auditAnnotations") == 0 {
        out.required(&spec.get("validations"), EITHER);
        out.required(&spec.get("auditAnnotations"), EITHER);
    }
    for validation in spec.items("validations") {
        let expression = validation.get("expression");
        if expression.str().trim().is_empty() {
            out.required(&expression, "expression is not specified");
        }
        let (message, reason) = (validation.get("message"), validation.get("reason"));
        let text = message.str();
        if message.is_set() && !text.is_empty() && text.trim().is_empty() {
            out.invalid(&message, "message must be non-empty if specified");
        } else if text.contains('\n') {
            out.invalid(&message, "message must not contain line breaks");
        }
        out.maybe_one_of(&reason, &["Forbidden", "Invalid", "RequestEntityTooLarge"]);
    }
}

fn param_kind(out: &mut Findings, kind: &Spot<'_>) {
    let (version, name) = (kind.get("apiVersion"), kind.get("kind"));
    let text = version.str();
    if text.is_empty() {
        out.required(&version, "");
    } else if text.matches('/').count() > 1 {
        out.invalid(&version, format!("unexpected GroupVersion string: {text}"));
    } else {
        let (group, own) = text.split_once('/').unwrap_or(("", text));
        let errors = dns_subdomain_errors(group);
        if !group.is_empty() && !errors.is_empty() {
            out.invalid_as(&version, group, errors.join(","));
        }
        let errors = formats::dns_1035_errors(own);
        if own.is_empty() {
            out.invalid(&version, "version must be specified");
        } else if !errors.is_empty() {
            out.invalid_as(&version, own, errors.join(","));
        }
    }
    let errors = formats::dns_1035_errors(&name.str().to_lowercase());
    if name.is_empty() {
        out.required(&name, "");
    } else if !errors.is_empty() {
        out.invalid(&name, format!("may have mixed case, but should otherwise match: {}", errors.join(",")));
    }
}

fn matches(out: &mut Findings, matches: &Spot<'_>) {
    out.maybe_one_of(&matches.get("matchPolicy"), MATCHES);
    labels::selector(out, &matches.get("namespaceSelector"));
    labels::selector(out, &matches.get("objectSelector"));
    for list in ["resourceRules", "excludeResourceRules"] {
        for rule in matches.items(list) {
            let mut names: Vec<String> = Vec::new();
            for name in rule.items("resourceNames") {
                out.all(&name, crate::protocol::names::path_segment_errors(name.str()));
                if names.iter().any(|taken| taken == name.str()) {
                    out.duplicate(&name);
                }
                names.push(name.str().to_owned());
            }
            self::rule(out, &rule);
        }
    }
}

fn binding(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let (policy, actions) = (spec.get("policyName"), spec.get("validationActions"));
    if policy.is_empty() {
        out.declared(|out| out.required(&policy, ""));
    } else {
        out.all(&policy, dns_subdomain_errors(policy.str()));
    }
    if spec.has("paramRef") {
        param_ref(out, &spec.get("paramRef"));
    }
    if spec.has("matchResources") {
        matches(out, &spec.get("matchResources"));
    }
    let mut seen: Vec<String> = Vec::new();
    for action in actions.each() {
        out.maybe_one_of(&action, &["Audit", "Deny", "Warn"]);
        if seen.iter().any(|known| known == action.str()) {
            out.duplicate(&action);
        }
        seen.push(action.str().to_owned());
    }
    if ["Deny", "Warn"].iter().all(|name| seen.iter().any(|known| known == name)) {
        out.invalid(&actions, "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)");
    }
    if seen.is_empty() {
        out.declared(|out| out.required(&actions, ""));
    }
}

fn param_ref(out: &mut Findings, reference: &Spot<'_>) {
    let (name, selector) = (reference.get("name"), reference.get("selector"));
    if !name.is_empty() {
        out.all(&name, crate::protocol::names::path_segment_errors(name.str()));
        if selector.is_set() {
            out.forbidden(&name, "name and selector are mutually exclusive");
        }
    }
    if selector.is_set() {
        labels::selector(out, &selector);
    } else if name.is_empty() {
        out.required(reference, "one of name or selector must be specified");
    }
    let namespace = reference.get("namespace");
    if !namespace.is_empty() {
        out.all(&namespace, dns_label_errors(namespace.str()));
    }
    let missing = reference.get("parameterNotFoundAction");
    if !missing.is_set() {
        out.required(&missing, "");
    }
    out.maybe_one_of(&missing, &["Deny", "Allow"]);
}
