//! The scale subresource: how many replicas an object wants, in the words of `autoscaling/v1`.
//!
//! In: an object and the paths of its scale, or a Scale and the object it changes. Out: the Scale, or the object as it is stored.

use serde_json::{Value, json};

use crate::{
    protocol::{BodyFormat, Details, FieldError, Fields, PatchFormat, Status, decode_object},
    registry::ScalePaths,
    schema::TypeSchema,
    store::Stored,
    strategy::{at, set},
};

use super::{
    Context, Core,
    dispatch::Side,
    options::{OptionsOf, WriteOptions},
    patch::{patched, read_patch},
    reply::Reply,
    update::modified,
    write::{Owners, Replacement, take_metadata},
};

const API_VERSION: &str = "autoscaling/v1";

impl Core {
    pub(super) fn get_scale(&self, context: &Context<'_>) -> Result<Reply, Status> {
        let (_, fields) = self.scaled(context)?;
        let paths = paths(context)?;
        if !context.resource.builtin && at(&fields, &paths.spec.join(".")).is_none() {
            return Err(Status::internal(format!(
                "the spec replicas field \".{}\" does not exist",
                paths.spec.join(".")
            )));
        }
        Ok(Reply::value(200, &scale(context, paths, &fields)))
    }

    pub(super) fn update_scale(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        let options = WriteOptions::read(context, OptionsOf::Update)?;
        let content_type = context.header(http::header::CONTENT_TYPE);
        let format = BodyFormat::of(content_type).ok_or_else(|| super::decode::unknown_format(context))?;
        let sent = decode_object(context.request.body(), format, "Scale")?;
        let Value::Object(sent) = sent else {
            return Err(Status::bad_request("the object provided is no Scale"));
        };
        let (old, fields) = self.scaled(context)?;
        self.write_scale(context, &options, (old, fields), sent)
    }

    pub(super) fn patch_scale(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        let (format, options, patch) = read_patch(context)?;
        let (old, fields) = self.scaled(context)?;
        let Value::Object(before) = scale(context, paths(context)?, &fields) else {
            return Err(Status::internal("a scale is an object"));
        };
        if format == PatchFormat::Apply {
            return Err(Status::new(
                501,
                "NotImplemented",
                "apply to a scale is not implemented by this server",
            )
            .with_details(Details::default()));
        }
        let schema = crate::schema::builtin::object(API_VERSION, "Scale").unwrap_or_else(TypeSchema::deduced);
        let after = patched(format, &patch, &before, &schema)?;
        self.write_scale(context, &options, (old, fields), after)
    }

    fn scaled(&self, context: &Context<'_>) -> Result<(std::sync::Arc<Stored>, Fields), Status> {
        let object = self.store.get(context.resource.table, &context.key());
        let object = object.cloned().ok_or_else(|| context.not_found())?;
        let fields = object.fields();
        Ok((object, fields))
    }

    fn write_scale(
        &mut self,
        context: &Context<'_>,
        options: &WriteOptions,
        (old, old_fields): (std::sync::Arc<Stored>, Fields),
        mut sent: Fields,
    ) -> Result<Reply, Status> {
        let paths = paths(context)?;
        let metadata = take_metadata(&mut sent);
        let text = |name: &str| metadata.get(name).and_then(Value::as_str).unwrap_or_default();
        if !text("name").is_empty() && text("name") != context.name {
            return Err(Status::bad_request(format!(
                "the name of the object ({}) does not match the name on the URL ({})",
                text("name"),
                context.name
            )));
        }
        let version = text("resourceVersion");
        if !["", "0"].contains(&version) && version != old.version.to_string() {
            return Err(modified(context));
        }
        let replicas = at(&sent, "spec.replicas").and_then(Value::as_i64).unwrap_or_default();
        if replicas < 0 {
            return Err(negative(context, paths, replicas));
        }
        let mut new = old_fields.clone();
        set(&mut new, &paths.spec.join("."), replicas);
        let write = Replacement {
            context,
            options,
            side: Side::Main,
            subresource: "scale",
            owners: Owners::Kept,
            old,
            old_fields,
        };
        let stored = self.replace_stored(&write, new)?;
        Ok(Reply::value(200, &scale(context, paths, &stored.object.fields())).warned(stored.warnings))
    }
}

fn paths<'a>(context: &'a Context<'_>) -> Result<&'a ScalePaths, Status> {
    context.resource.scale.as_ref().ok_or_else(Status::no_such_resource)
}

fn negative(context: &Context<'_>, paths: &ScalePaths, replicas: i64) -> Status {
    let (kind, field, why) = if context.resource.builtin {
        let kind = crate::protocol::ResourceName { group: "autoscaling", resource: "Scale" };
        (kind, "spec.replicas".to_owned(), "must be greater than or equal to 0")
    } else {
        let field = format!(".{}", paths.spec.join("."));
        (context.resource.kind_name(), field, "should be a non-negative integer")
    };
    Status::invalid(kind, &context.name, &[FieldError::invalid(field, &replicas.into(), why)])
}

/// The Scale of an object.
fn scale(context: &Context<'_>, paths: &ScalePaths, fields: &Fields) -> Value {
    let number = |path: &[String]| at(fields, &path.join(".")).and_then(Value::as_i64).unwrap_or_default();
    let mut metadata = Fields::new();
    for name in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if let Some(value) = at(fields, &format!("metadata.{name}")) {
            metadata.insert(name.to_owned(), value.clone());
        }
    }
    let selector = match &paths.selector {
        Some(path) => at(fields, &path.join(".")).and_then(Value::as_str).unwrap_or_default().to_owned(),
        None if context.resource.builtin => selector_text(at(fields, "spec.selector")),
        None => String::new(),
    };
    let mut status = json!({"replicas": number(&paths.status)});
    if !selector.is_empty() {
        status["selector"] = selector.into();
    }
    let wanted = number(&paths.spec);
    let spec = if wanted == 0 { json!({}) } else { json!({"replicas": wanted}) };
    json!({"kind": "Scale", "apiVersion": API_VERSION, "metadata": metadata, "spec": spec, "status": status})
}

/// A label selector as its text.
fn selector_text(selector: Option<&Value>) -> String {
    let Some(selector) = selector.and_then(Value::as_object) else {
        return String::new();
    };
    let nested = selector.contains_key("matchLabels") || selector.contains_key("matchExpressions");
    let labels = if nested { selector.get("matchLabels").and_then(Value::as_object) } else { Some(selector) };
    let mut parts: Vec<String> = labels
        .into_iter()
        .flatten()
        .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
        .collect();
    let expressions = selector.get("matchExpressions").and_then(Value::as_array);
    parts.extend(expressions.into_iter().flatten().map(expression_text));
    parts.sort();
    parts.join(",")
}

fn expression_text(expression: &Value) -> String {
    let text = |name: &str| expression.get(name).and_then(Value::as_str).unwrap_or_default();
    let values = expression.get("values").and_then(Value::as_array);
    let values: Vec<&str> = values.into_iter().flatten().filter_map(Value::as_str).collect();
    let key = text("key");
    match text("operator") {
        "In" => format!("{key} in ({})", values.join(",")),
        "NotIn" => format!("{key} notin ({})", values.join(",")),
        "DoesNotExist" => format!("!{key}"),
        _ => key.to_owned(),
    }
}
