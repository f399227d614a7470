//! Reviews: questions about users and their rights, asked as objects that are answered and not kept.
//!
//! In: a review in a body. Out: the same with its status.

use serde_json::{Map, Value, json};

use crate::{
    access::{Attributes, Decision, PolicyRule, User},
    protocol::{FieldError, Fields, ResourceName, Status},
    strategy::{at, text},
};

use super::{
    Context, Core, create,
    decode::{self, Decoded},
    options::{OptionsOf, WriteOptions},
    owners::Writer,
    reply::Reply,
    timestamp,
    tokens::ISSUER,
    write::{take_metadata, unversioned},
};

impl Core {
    /// Answers a review; none for resources that are something else.
    pub(super) fn review(&mut self, context: &Context<'_>) -> Option<Result<Reply, Status>> {
        let group = context.resource.group.as_str();
        if !["authentication.k8s.io", "authorization.k8s.io"].contains(&group) {
            return None;
        }
        Some(self.answer_review(context))
    }

    fn answer_review(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        let options = WriteOptions::read(context, OptionsOf::Create)?;
        let Decoded { mut fields, mut warnings, .. } = decode::object(context, &options)?;
        let mut meta = take_metadata(&mut fields);
        create::place(context, &mut meta)?;
        meta.remove("managedFields");
        fields.insert("metadata".to_owned(), meta.into());
        let writer = Writer { context, options: &options, subresource: "" };
        let mut fields = writer.track(None, fields);
        warnings.extend(self.admit_below(context, &options, ("", &mut fields))?);
        let user = context.user.as_ref();
        let answered = match context.resource.plural.as_str() {
            "selfsubjectreviews" => who_am_i(context),
            "selfsubjectrulesreviews" => self.rules_review(user, &fields)?,
            "tokenreviews" => self.token_review(context, fields)?,
            "selfsubjectaccessreviews" => self.access_review(user, fields, Kind::Own)?,
            "localsubjectaccessreviews" => self.access_review(&subject(&fields), fields, Kind::Local)?,
            _ => self.access_review(&subject(&fields), fields, Kind::Any)?,
        };
        Ok(unversioned(context, 201, &answered).warned(warnings))
    }

    fn access_review(&mut self, user: &User, mut fields: Fields, kind: Kind) -> Result<Fields, Status> {
        let errors = review_errors(&fields, kind);
        if !errors.is_empty() {
            // The kind is not known any more by the time the errors are told.
            let name = ResourceName { group: "authorization.k8s.io", resource: "" };
            return Err(Status::invalid(name, "", &errors));
        }
        let spec = fields.get("spec").cloned().unwrap_or_default();
        let attributes = Attributes::of_review(&spec);
        let (allowed, reason) = match self.decide(user, &attributes) {
            Decision::Allowed(why) => (true, why),
            Decision::NoOpinion(why) => (false, why),
        };
        let mut status = json!({"allowed": allowed});
        if !reason.is_empty() {
            status["reason"] = reason.into();
        }
        fields.insert("status".to_owned(), status);
        Ok(fields)
    }

    fn rules_review(&mut self, user: &User, fields: &Fields) -> Result<Fields, Status> {
        let namespace = text(fields, "spec.namespace");
        if namespace.is_empty() {
            return Err(Status::bad_request("no namespace on request"));
        }
        let (rules, broken) = match self.roles() {
            None => (PolicyRule::everything().to_vec(), None),
            Some(roles) => roles.rules_for(user, namespace),
        };
        let mut objects = Vec::new();
        let mut paths = Vec::new();
        for (about_objects, about_paths) in rules.iter().map(PolicyRule::shown) {
            objects.extend(about_objects);
            paths.extend(about_paths);
        }
        let mut status = json!({"incomplete": false});
        if !objects.is_empty() {
            status["resourceRules"] = objects.into();
        }
        if !paths.is_empty() {
            status["nonResourceRules"] = paths.into();
        }
        if let Some(broken) = broken {
            status["evaluationError"] = broken.into();
        }
        let mut answer = Map::new();
        answer.insert("metadata".to_owned(), json!({}));
        answer.insert("spec".to_owned(), json!({}));
        answer.insert("status".to_owned(), status);
        Ok(answer)
    }

    fn token_review(&self, context: &Context<'_>, mut fields: Fields) -> Result<Fields, Status> {
        let token = text(&fields, "spec.token");
        if token.is_empty() {
            return Err(Status::bad_request("token is required for TokenReview in authentication"));
        }
        let wanted = at(&fields, "spec.audiences").and_then(Value::as_array).cloned().unwrap_or_default();
        let wanted: Vec<&str> = wanted.iter().filter_map(Value::as_str).collect();
        let audiences = if wanted.is_empty() { vec![ISSUER] } else { wanted };
        let status = match self.holder(token, &audiences, context.now) {
            Ok((user, audiences)) => {
                json!({"authenticated": true, "user": user.to_value(), "audiences": audiences})
            }
            Err(why) => json!({"user": {}, "error": why}),
        };
        fields.insert("status".to_owned(), status);
        Ok(fields)
    }
}

/// Which of the three kinds of questions about access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Own,
    Local,
    Any,
}

fn who_am_i(context: &Context<'_>) -> Fields {
    let mut answer = Map::new();
    answer.insert("metadata".to_owned(), json!({"creationTimestamp": timestamp(context.now)}));
    answer.insert("status".to_owned(), json!({"userInfo": context.user.to_value()}));
    answer
}

/// The user that a review asks about.
fn subject(fields: &Fields) -> User {
    let list = |value: &Value| -> Vec<String> {
        let items = value.as_array().into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let extra = at(fields, "spec.extra").and_then(Value::as_object);
    User {
        name: text(fields, "spec.user").to_owned(),
        uid: text(fields, "spec.uid").to_owned(),
        groups: at(fields, "spec.groups").map(list).unwrap_or_default(),
        extra: extra.into_iter().flatten().map(|(key, values)| (key.to_lowercase(), list(values))).collect(),
    }
}

fn review_errors(fields: &Fields, kind: Kind) -> Vec<FieldError> {
    const ONE: &str = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    let resource = at(fields, "spec.resourceAttributes");
    let path = at(fields, "spec.nonResourceAttributes");
    let mut errors = Vec::new();
    if resource.is_some() == path.is_some() {
        errors.push(FieldError::invalid_printed("spec", printed_path(path), ONE));
    }
    let nobody = text(fields, "spec.user").is_empty()
        && at(fields, "spec.groups").and_then(Value::as_array).is_none_or(Vec::is_empty);
    if kind != Kind::Own && nobody {
        let why = "at least one of user or group must be specified";
        errors.push(FieldError::invalid_text("spec.user", "", why));
    }
    for selector in ["fieldSelector", "labelSelector"] {
        errors.extend(selector_error(selector, resource.and_then(|resource| resource.get(selector))));
    }
    let meta = fields.get("metadata").and_then(Value::as_object);
    let allowed: &[&str] = match kind {
        Kind::Local => &["managedFields", "namespace"],
        _ => &["managedFields"],
    };
    if meta.is_some_and(|meta| meta.keys().any(|name| !allowed.contains(&name.as_str()))) {
        let why = if kind == Kind::Local { "must be empty except for namespace" } else { "must be empty" };
        errors.push(FieldError::invalid_printed("metadata", printed_metadata(meta), why));
    }
    if kind == Kind::Local {
        let namespace = text(fields, "spec.resourceAttributes.namespace");
        if resource.is_some() && namespace != text(fields, "metadata.namespace") {
            let field = "spec.resourceAttributes.namespace";
            errors.push(FieldError::invalid_text(field, namespace, "must match metadata.namespace"));
        }
        if path.is_some() {
            let why = "disallowed on this kind of request";
            errors.push(FieldError::invalid_printed("spec.nonResourceAttributes", printed_path(path), why));
        }
    }
    errors
}

fn selector_error(name: &str, selector: Option<&Value>) -> Option<FieldError> {
    let selector = selector?;
    let field = format!("spec.resourceAttributes.{name}");
    let raw = selector.get("rawSelector").and_then(Value::as_str).unwrap_or_default();
    let listed = selector.get("requirements").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    match (raw.is_empty(), listed) {
        (false, true) => {
            let why = "may not specified at the same time as requirements";
            Some(FieldError::invalid_text(format!("{field}.rawSelector"), raw, why))
        }
        (true, false) => {
            let why = format!("when {field} is specified, requirements or rawSelector is required");
            Some(FieldError::required(format!("{field}.requirements"), why))
        }
        _ => None,
    }
}

/// Attributes of a path as a real server prints its own form of them.
fn printed_path(path: Option<&Value>) -> String {
    let Some(path) = path else { return "null".to_owned() };
    let part = |name: &str| path.get(name).cloned().unwrap_or_else(|| "".into());
    format!("{{\"Path\":{},\"Verb\":{}}}", part("path"), part("verb"))
}

/// Metadata with its members in the order of their declaration.
pub(super) fn printed_metadata(meta: Option<&Fields>) -> String {
    const ORDER: [&str; 15] = [
        "name",
        "generateName",
        "namespace",
        "selfLink",
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "labels",
        "annotations",
        "ownerReferences",
        "finalizers",
        "managedFields",
    ];
    const ENTRY: [&str; 7] =
        ["manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"];
    let ordered = |members: &Fields, order: &[&str]| {
        let parts = order.iter().filter_map(|name| {
            let value = members.get(*name)?;
            Some(format!("\"{name}\":{value}"))
        });
        format!("{{{}}}", parts.collect::<Vec<_>>().join(","))
    };
    let Some(mut meta) = meta.cloned() else { return "{}".to_owned() };
    let entries = meta.remove("managedFields");
    let text = ordered(&meta, &ORDER);
    let Some(entries) = entries.as_ref().and_then(Value::as_array) else { return text };
    let entries: Vec<String> =
        entries.iter().filter_map(Value::as_object).map(|entry| ordered(entry, &ENTRY)).collect();
    let comma = if meta.is_empty() { "" } else { "," };
    let open = text.strip_suffix('}').unwrap_or(&text);
    format!("{open}{comma}\"managedFields\":[{}]}}", entries.join(","))
}
