//! How versions are converted.

use serde_json::Value;

use super::{list, text};
use crate::protocol::{
    FieldError,
    names::{dns_1035_label_errors, dns_subdomain_errors},
};

const FIELD: &str = "spec.conversion";
const REVIEWS: [&str; 2] = ["v1", "v1beta1"];

/// Checks a conversion.
pub(super) fn check(conversion: &Value, errors: &mut Vec<FieldError>) {
    if conversion.is_null() {
        return;
    }
    let strategy = text(conversion, "strategy");
    match strategy {
        "" => errors.push(FieldError::required(format!("{FIELD}.strategy"), "")),
        "None" | "Webhook" => {}
        other => {
            let field = format!("{FIELD}.strategy");
            errors.push(FieldError::not_supported(field, &other.into(), &["None", "Webhook"]));
        }
    }
    let webhook = conversion.get("webhook").unwrap_or(&Value::Null);
    let client = webhook.get("clientConfig");
    let reviews = list(webhook, "conversionReviewVersions");
    if strategy == "Webhook" {
        check_client(client, errors);
        check_reviews(reviews, errors);
        return;
    }
    let why = "should not be set when strategy is not set to Webhook";
    if client.is_some() {
        errors.push(FieldError::forbidden(format!("{FIELD}.webhookClientConfig"), why));
    }
    if !reviews.is_empty() {
        errors.push(FieldError::forbidden(format!("{FIELD}.conversionReviewVersions"), why));
    }
}

fn check_client(client: Option<&Value>, errors: &mut Vec<FieldError>) {
    let field = format!("{FIELD}.webhookClientConfig");
    let Some(client) = client else {
        errors.push(FieldError::required(field, "required when strategy is set to Webhook"));
        return;
    };
    match (client.get("url").and_then(Value::as_str), client.get("service")) {
        (None, None) | (Some(_), Some(_)) => {
            errors.push(FieldError::required(field, "exactly one of url or service is required"));
        }
        (Some(url), None) => check_url(url, &format!("{field}.url"), errors),
        (None, Some(service)) => check_service(service, &format!("{field}.service"), errors),
    }
}

fn check_service(service: &Value, field: &str, errors: &mut Vec<FieldError>) {
    // A real server takes the one for the other.
    for (name, told) in [("namespace", "name"), ("name", "namespace")] {
        if text(service, name).is_empty() {
            errors.push(FieldError::required(format!("{field}.{told}"), ""));
        }
    }
    if let Some(port) =
        service.get("port").filter(|port| !(1..=65535).contains(&port.as_i64().unwrap_or_default()))
    {
        let why = "port is not valid: must be between 1 and 65535, inclusive";
        errors.push(FieldError::invalid(format!("{field}.port"), port, why));
    }
    check_path(text(service, "path"), &format!("{field}.path"), errors);
}

fn check_path(path: &str, field: &str, errors: &mut Vec<FieldError>) {
    let mut fail = |why: String| errors.push(FieldError::invalid_text(field, path, why));
    match path {
        "" | "/" => return,
        "//" => return fail("segment[0] may not be empty".to_owned()),
        _ => {}
    }
    if !path.starts_with('/') {
        fail("must start with a '/'".to_owned());
    }
    let mut letters = path.chars();
    letters.next();
    let rest = letters.as_str();
    for (index, step) in rest.strip_suffix('/').unwrap_or(rest).split('/').enumerate() {
        if step.is_empty() {
            fail(format!("segment[{index}] may not be empty"));
            continue;
        }
        for why in dns_subdomain_errors(step) {
            fail(format!("segment[{index}]: {why}"));
        }
    }
}

fn check_url(url: &str, field: &str, errors: &mut Vec<FieldError>) {
    const FORM: &str = "; desired format: https://host[/path]";
    if let Some(why) = crate::cel::url_fault(url) {
        errors.push(FieldError::required(field, format!("url must be a valid URL: {why}{FORM}")));
        return;
    }
    let mut fail = |value: &str, why: String| errors.push(FieldError::invalid_text(field, value, why));
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, tail) = rest.split_at(end);
    if scheme != "https" {
        fail(scheme, format!("'https' is the only allowed URL scheme{FORM}"));
    }
    if host.is_empty() || scheme.is_empty() {
        fail("", format!("host must be specified{FORM}"));
    }
    if let Some((user, _)) = host.rsplit_once('@') {
        fail(user, "user information is not permitted in the URL".to_owned());
    }
    let (tail, fragment) = tail.split_once('#').unwrap_or((tail, ""));
    if !fragment.is_empty() {
        fail(fragment, "fragments are not permitted in the URL".to_owned());
    }
    if let Some((_, query)) = tail.split_once('?') {
        fail(query, "query parameters are not permitted in the URL".to_owned());
    }
}

fn check_reviews(reviews: &[Value], errors: &mut Vec<FieldError>) {
    let field = format!("{FIELD}.conversionReviewVersions");
    if reviews.is_empty() {
        errors.push(FieldError::required(field, ""));
        return;
    }
    let names: Vec<&str> = reviews.iter().filter_map(Value::as_str).collect();
    for (index, name) in names.iter().enumerate() {
        let field = format!("{field}[{index}]");
        if names.iter().take(index).any(|other| other == name) {
            errors.push(FieldError::invalid_text(field, name, "duplicate version"));
            continue;
        }
        for why in dns_1035_label_errors(name) {
            errors.push(FieldError::invalid_text(field.clone(), name, why));
        }
    }
    if !names.iter().any(|name| REVIEWS.contains(name)) {
        let why = format!("must include at least one of {}", REVIEWS.join(", "));
        errors.push(FieldError::invalid(field, &names.into(), why));
    }
}
