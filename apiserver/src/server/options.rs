//! Options of writes.
//!
//! In: the query, for deletes also the body. Out: typed options, or the 422 about them.

use serde_json::{Value, json};

use crate::{
    protocol::{BodyFormat, FieldError, Query, Status, decode_object, invalid_options},
    schema::LeftOut,
};

use super::{Context, conversion::Step};

/// Options of create, update and patch.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteOptions {
    pub dry_run: bool,
    pub manager: String,
    pub force: bool,
    pub validation: FieldValidation,
    /// What the object has that says nothing and may have to be shown.
    pub left_out: LeftOut,
}

/// What happens to unknown and duplicate fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FieldValidation {
    Ignore,
    #[default]
    Warn,
    Strict,
}

/// Which verb's options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionsOf {
    Create,
    Update,
    Patch,
    Apply,
}

impl OptionsOf {
    fn kind(self) -> &'static str {
        match self {
            Self::Create => "CreateOptions",
            Self::Update => "UpdateOptions",
            Self::Patch | Self::Apply => "PatchOptions",
        }
    }
}

impl WriteOptions {
    /// How the object that a write starts from is read.
    pub(super) fn basis(&self) -> Step {
        if self.dry_run { Step::Read } else { Step::Basis }
    }

    /// Reads and checks the options of a request.
    pub(crate) fn read(context: &Context<'_>, verb: OptionsOf) -> Result<Self, Status> {
        let query = &context.query;
        let manager = query.text("fieldManager");
        let force = query.flag("force");
        let mut errors = Vec::new();
        if verb == OptionsOf::Patch && force.is_some() {
            errors.push(FieldError::forbidden("force", "may not be specified for non-apply patch"));
        }
        if verb == OptionsOf::Apply && manager.is_empty() {
            errors.push(FieldError::required("fieldManager", "is required for apply patch"));
        }
        errors.extend(manager_error(manager));
        let dry_run = dry_run(query, &mut errors);
        let text = query.text("fieldValidation");
        let validation = match text {
            "" | "Warn" => FieldValidation::Warn,
            "Ignore" => FieldValidation::Ignore,
            "Strict" => FieldValidation::Strict,
            _ => {
                let known = ["", "Ignore", "Strict", "Warn"];
                errors.push(FieldError::not_supported("fieldValidation", &text.into(), &known));
                FieldValidation::Warn
            }
        };
        if !errors.is_empty() {
            return Err(invalid_options(verb.kind(), &errors));
        }
        Ok(Self {
            dry_run,
            manager: if manager.is_empty() { agent(context) } else { manager.to_owned() },
            force: force.unwrap_or_default(),
            validation,
            left_out: LeftOut::default(),
        })
    }
}

/// Without a manager the user agent is one, up to its slash.
fn agent(context: &Context<'_>) -> String {
    let agent = context.header(http::header::USER_AGENT);
    let name = agent.split('/').next().unwrap_or_default();
    let printable = name.chars().take(128).filter(|c| !c.is_control());
    match printable.collect::<String>() {
        name if name.is_empty() => "unknown".to_owned(),
        name => name,
    }
}

fn manager_error(manager: &str) -> Option<FieldError> {
    if manager.len() > 128 {
        return Some(FieldError::too_long("fieldManager", 128));
    }
    let (position, c) = manager.char_indices().find(|(_, c)| c.is_control())?;
    Some(FieldError::invalid_text(
        "fieldManager",
        manager,
        format!("invalid character U+{:04X} (at position {position})", c as u32),
    ))
}

fn dry_run(query: &Query, errors: &mut Vec<FieldError>) -> bool {
    let values: Vec<&str> = query.all("dryRun").collect();
    check_dry_run(&values, errors)
}

fn check_dry_run(values: &[&str], errors: &mut Vec<FieldError>) -> bool {
    if values.iter().any(|value| *value != "All") {
        errors.push(FieldError::not_supported("dryRun", &json!(values), &["All"]));
    }
    !values.is_empty()
}

/// Options of delete and deletecollection.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeleteOptions {
    pub dry_run: bool,
    pub grace: Option<i64>,
    pub uid: Option<String>,
    pub resource_version: Option<String>,
    pub propagation: Propagation,
    /// Whether the old `orphanDependents: false` was sent, which is answered with 202.
    pub accepted: bool,
}

/// What becomes of dependents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Propagation {
    #[default]
    Default,
    Background,
    Foreground,
    Orphan,
}

impl DeleteOptions {
    /// Reads and checks the options: from the body if there is one, else from the query.
    pub(crate) fn read(context: &Context<'_>) -> Result<Self, Status> {
        let body = context.request.body();
        let given = if body.is_empty() { from_query(&context.query)? } else { from_body(context)? };
        Self::check(&given)
    }

    pub(super) fn check(given: &Value) -> Result<Self, Status> {
        let text = |path: &str| given.pointer(path).and_then(Value::as_str);
        let policy = text("/propagationPolicy");
        let orphan = given.get("orphanDependents").and_then(Value::as_bool);
        let mut errors = Vec::new();
        if let Some(policy) = policy.filter(|_| orphan.is_some()) {
            errors.push(FieldError::invalid_text(
                "propagationPolicy",
                policy,
                "orphanDependents and deletionPropagation cannot be both set",
            ));
        }
        let propagation = match (policy, orphan) {
            (None, Some(true)) | (Some("Orphan"), _) => Propagation::Orphan,
            (None, Some(false)) | (Some("Background"), _) => Propagation::Background,
            (Some("Foreground"), _) => Propagation::Foreground,
            (None, None) => Propagation::Default,
            (Some(other), _) => {
                let known = ["Foreground", "Background", "Orphan", "nil"];
                errors.push(FieldError::not_supported("propagationPolicy", &other.into(), &known));
                Propagation::Default
            }
        };
        let values = given.get("dryRun").and_then(Value::as_array);
        let values: Vec<&str> = values.into_iter().flatten().filter_map(Value::as_str).collect();
        let dry_run = check_dry_run(&values, &mut errors);
        if !errors.is_empty() {
            return Err(invalid_options("DeleteOptions", &errors));
        }
        Ok(Self {
            dry_run,
            grace: given.get("gracePeriodSeconds").and_then(Value::as_i64),
            uid: text("/preconditions/uid").map(str::to_owned),
            resource_version: text("/preconditions/resourceVersion").map(str::to_owned),
            propagation,
            accepted: policy.is_none() && orphan == Some(false),
        })
    }
}

fn from_query(query: &Query) -> Result<Value, Status> {
    let mut options = json!({});
    let Some(members) = options.as_object_mut() else {
        return Ok(options);
    };
    if let Some(seconds) = query.number("gracePeriodSeconds")? {
        members.insert("gracePeriodSeconds".to_owned(), seconds.into());
    }
    if let Some(orphan) = query.flag("orphanDependents") {
        members.insert("orphanDependents".to_owned(), orphan.into());
    }
    if let Some(policy) = query.get("propagationPolicy") {
        members.insert("propagationPolicy".to_owned(), policy.into());
    }
    let dry_run: Vec<&str> = query.all("dryRun").collect();
    if !dry_run.is_empty() {
        members.insert("dryRun".to_owned(), dry_run.into());
    }
    Ok(options)
}

fn from_body(context: &Context<'_>) -> Result<Value, Status> {
    let content_type = context.header(http::header::CONTENT_TYPE);
    let format = BodyFormat::of(content_type).ok_or_else(|| super::decode::unknown_format(context))?;
    let body = context.request.body();
    let value = decode_object(body, format, "DeleteOptions").map_err(|status| {
        match status.message().split_once("DeleteOptions): ") {
            Some((_, why)) => Status::bad_request(why.rsplit_once(" (").map_or(why, |(why, _)| why)),
            None => status.clone(),
        }
    })?;
    if !value.is_object() {
        return Err(Status::bad_request(crate::protocol::go_no_object(&value)));
    }
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    let (kind, api_version) = (text("kind"), text("apiVersion"));
    if !["", "DeleteOptions"].contains(&kind) {
        let why = if context.resource.builtin {
            format!(
                "no kind \"{kind}\" is registered for version \"{api_version}\" in scheme \"pkg/runtime/scheme.go:111\""
            )
        } else {
            format!("no kind \"DeleteOptions\" is registered for version: {api_version}, Kind={kind}")
        };
        return Err(Status::bad_request(why));
    }
    if let Some(schema) = crate::schema::builtin::definition(DELETE_OPTIONS) {
        crate::schema::normalize(value.clone(), &schema).map_err(Status::bad_request)?;
    }
    Ok(value)
}

const DELETE_OPTIONS: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
