//! Fairness between clients: who is told apart, and how much each may ask at once.

use serde_json::json;

use crate::protocol::{
    FieldError,
    names::{dns_label_errors, dns_subdomain_errors},
};

use super::{Checks, Findings, NONE, Spot};

const DISTINGUISHERS: [&str; 2] = ["ByNamespace", "ByUser"];
const VERBS: &[&str] =
    &["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "flowschemas" => Checks {
            create: schema,
            update: |out, new, _| schema(out, new),
            status: |out, new, _| conditions(out, new),
        },
        "prioritylevelconfigurations" => Checks {
            create: level,
            update: |out, new, _| level(out, new),
            status: |out, new, _| conditions(out, new),
        },
        _ => NONE,
    }
}

fn schema(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let precedence = spec.get("matchingPrecedence");
    let number = precedence.int().unwrap_or_default();
    if number <= 0 {
        out.invalid_as(&precedence, number, "must be a positive value");
    }
    if number > 10_000 {
        out.invalid(&precedence, "must not be greater than 10000");
    }
    if number == 1 && object.text("metadata.name") != "exempt" {
        out.invalid(&precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
    }
    let method = spec.get("distinguisherMethod.type");
    if spec.has("distinguisherMethod") && !DISTINGUISHERS.contains(&method.str()) {
        // What is shown is what it is a part of.
        let shown = json!({"Type": method.str()});
        out.push(FieldError::not_supported(method.path(), &shown, &DISTINGUISHERS));
    }
    let level = spec.get("priorityLevelConfiguration.name");
    if level.is_empty() {
        out.required(&level, "must reference a priority level");
    } else {
        out.all(&level, dns_subdomain_errors(level.str()));
    }
    for rule in spec.items("rules") {
        if rule.count("subjects") == 0 {
            out.required(&rule.get("subjects"), "subjects must contain at least one value");
        }
        for subject in rule.items("subjects") {
            self::subject(out, &subject);
        }
        if rule.count("resourceRules") == 0 && rule.count("nonResourceRules") == 0 {
            out.required(&rule, "at least one of resourceRules and nonResourceRules has to be non-empty");
        }
        for resource in rule.items("resourceRules") {
            resource_rule(out, &resource);
        }
        for other in rule.items("nonResourceRules") {
            verbs(out, &other);
            list(
                out,
                &other.get("nonResourceURLs"),
                ("nonResourceURLs must contain at least one value", "non-resource URLs"),
            );
            let urls = other.get("nonResourceURLs");
            if !urls.each().any(|url| url.str() == "*") {
                for url in urls.each() {
                    out.all(&url, url_error(url.str()));
                }
            }
        }
    }
}

fn subject(out: &mut Findings, subject: &Spot<'_>) {
    const KINDS: [(&str, &str); 3] =
        [("ServiceAccount", "serviceAccount"), ("User", "user"), ("Group", "group")];
    let kind = subject.text("kind");
    let Some((_, own)) = KINDS.iter().find(|(name, _)| *name == kind) else {
        return out.not_supported(&subject.get("kind"), &["Group", "ServiceAccount", "User"]);
    };
    let part = subject.get(own);
    if !part.is_set() {
        out.required(&part, format!("{own} is required when subject kind is '{kind}'"));
    } else {
        let name = part.get("name");
        if name.is_empty() {
            out.required(&name, "");
        } else if *own == "serviceAccount" && name.str() != "*" {
            out.all(&name, dns_subdomain_errors(name.str()));
        }
        let namespace = part.get("namespace");
        if *own == "serviceAccount" && namespace.is_empty() {
            out.required(&namespace, "must specify namespace for service account");
        } else if *own == "serviceAccount" {
            out.all(&namespace, dns_label_errors(namespace.str()));
        }
    }
    for (name, other) in KINDS.iter().filter(|(_, other)| other != own) {
        if subject.has(other) {
            out.forbidden(
                &subject.get(other),
                format!("{other} is forbidden when subject kind is not '{name}'"),
            );
        }
    }
}

fn verbs(out: &mut Findings, rule: &Spot<'_>) {
    let verbs = rule.get("verbs");
    let count = rule.count("verbs");
    if count == 0 {
        out.required(&verbs, "verbs must contain at least one value");
    } else if verbs.each().any(|verb| verb.str() == "*") {
        if count > 1 {
            out.invalid(&verbs, "if '*' is present, must not specify other verbs");
        }
    } else if !verbs.each().all(|verb| VERBS.contains(&verb.str())) {
        out.not_supported(&verbs, VERBS);
    }
}

/// A list that must not be empty, and where a wildcard stands alone.
fn list(out: &mut Findings, list: &Spot<'_>, (empty, what): (&str, &str)) {
    let count = list.each().count();
    if count == 0 {
        out.required(list, empty);
    } else if count > 1 && list.each().any(|item| item.str() == "*") {
        out.invalid(list, format!("if '*' is present, must not specify other {what}"));
    }
}

/// Why a path outside of resources cannot be meant.
fn url_error(path: &str) -> Option<&'static str> {
    match path {
        "" => Some("must not be empty"),
        "/" => None,
        _ if !path.starts_with('/') => Some("must start with slash"),
        _ if path.contains(' ') => Some("must not contain white-space"),
        _ if path.contains("//") => Some("must not contain double slash"),
        _ => {
            let stars = path.matches('*').count();
            (stars > 1 || stars == 1 && !path.ends_with("/*"))
                .then_some("wildcard can only do suffix matching")
        }
    }
}

fn resource_rule(out: &mut Findings, rule: &Spot<'_>) {
    verbs(out, rule);
    list(out, &rule.get("apiGroups"), ("resource rules must supply at least one api group", "api groups"));
    list(out, &rule.get("resources"), ("resource rules must supply at least one resource", "resources"));
    let namespaces = rule.get("namespaces");
    let count = rule.count("namespaces");
    let every = namespaces.each().any(|namespace| namespace.str() == "*");
    if count == 0 && !rule.is_true("clusterScope") {
        let why = "resource rules that are not cluster scoped must supply at least one namespace";
        out.required(&namespaces, why);
    } else if every && count > 1 {
        out.invalid(&namespaces, "if '*' is present, must not specify other namespaces");
    } else if !every {
        for namespace in namespaces.each() {
            for error in dns_label_errors(namespace.str()) {
                let why = format!("each member of this list must be '*' or a DNS-1123 label; {error}");
                out.invalid(&namespace, why);
            }
        }
    }
}

fn level(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let (kind, limited, exempt) = (spec.get("type"), spec.get("limited"), spec.get("exempt"));
    if (object.text("metadata.name") == "exempt") != (kind.str() == "Exempt") {
        out.invalid_as(&kind, kind.str(), "must be 'Exempt' if and only if `name` is 'exempt'");
    }
    match kind.str() {
        "Exempt" => {
            if limited.is_set() {
                out.declared(|out| out.forbidden(&limited, ""));
            }
            shares(out, &exempt);
        }
        "Limited" => {
            if exempt.is_set() {
                out.declared(|out| out.forbidden(&exempt, ""));
            }
            if limited.is_set() {
                self::limited(out, &limited);
            } else {
                out.declared(|out| out.required(&limited, ""));
            }
        }
        "" => out.declared(|out| {
            if limited.is_set() {
                out.forbidden(&limited, "");
            }
            out.required(&kind, "");
        }),
        _ => {
            out.not_supported(&kind, &["Exempt", "Limited"]);
            if limited.is_set() {
                out.declared(|out| out.forbidden(&limited, ""));
            }
        }
    }
}

fn shares(out: &mut Findings, level: &Spot<'_>) {
    let shares = level.get("nominalConcurrencyShares");
    if shares.int().is_some_and(|shares| shares < 0) {
        out.invalid(&shares, "must be a non-negative integer");
    }
    let lendable = level.get("lendablePercent");
    if lendable.int().is_some_and(|percent| !(0..=100).contains(&percent)) {
        out.invalid(&lendable, "must be between 0 and 100, inclusive");
    }
}

fn limited(out: &mut Findings, level: &Spot<'_>) {
    let shares = level.get("nominalConcurrencyShares");
    if shares.int().is_some_and(|shares| shares < 0) {
        out.invalid(&shares, "must be a non-negative integer");
    }
    response(out, &level.get("limitResponse"));
    let lendable = level.get("lendablePercent");
    if lendable.int().is_some_and(|percent| !(0..=100).contains(&percent)) {
        out.invalid(&lendable, "must be between 0 and 100, inclusive");
    }
    let borrowing = level.get("borrowingLimitPercent");
    if borrowing.int().is_some_and(|percent| percent < 0) {
        out.invalid(&borrowing, "if specified, must be a non-negative integer");
    }
}

fn response(out: &mut Findings, response: &Spot<'_>) {
    let (kind, queuing) = (response.get("type"), response.get("queuing"));
    match kind.str() {
        "Reject" if queuing.is_set() => {
            out.declared(|out| {
                out.forbidden(&queuing, "");
            });
        }
        "Reject" => {}
        "Queue" if !queuing.is_set() => {
            out.declared(|out| {
                out.required(&queuing, "");
            });
        }
        "Queue" => queues(out, &queuing),
        other => {
            if !other.is_empty() {
                out.not_supported(&kind, &["Queue", "Reject"]);
            }
            out.declared(|out| {
                if queuing.is_set() {
                    out.forbidden(&queuing, "");
                }
                out.present(&kind);
            });
        }
    }
}

fn queues(out: &mut Findings, queuing: &Spot<'_>) {
    let of = |name: &str| queuing.number(name).unwrap_or_default();
    for name in ["queueLengthLimit", "queues", "handSize"] {
        if of(name) <= 0 {
            out.invalid_as(&queuing.get(name), of(name), "must be positive");
        }
    }
    if of("queues") > 10_000_000 {
        out.invalid(&queuing.get("queues"), "must not be greater than 10000000");
    }
    if of("handSize") > of("queues") && of("handSize") > 0 {
        let why = format!("should not be greater than queues ({})", of("queues"));
        out.invalid(&queuing.get("handSize"), why);
    }
}

fn conditions(out: &mut Findings, object: &Spot<'_>) {
    let mut seen: Vec<String> = Vec::new();
    for condition in object.items("status.conditions") {
        let kind = condition.get("type");
        if seen.iter().any(|known| known == kind.str()) {
            out.duplicate_as(&kind, kind.str());
        }
        seen.push(kind.str().to_owned());
        out.present(&kind);
    }
}
