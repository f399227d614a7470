//! The scale subresource: how many replicas an object wants, in the words of `autoscaling/v1`.
//!
//! In: an object and the paths of its scale, or a Scale and the object it changes. Out: the Scale, or the object as it is stored.

use serde_json::{Value, json};

use crate::{
    patch::{
        PatchError,
        apply::{Kind, SameFields, ScaleMapping, Tracker},
        fields::FieldSet,
    },
    printers::{Column, Printer, TableForm},
    protocol::{BodyFormat, FieldError, Fields, PatchFormat, Status, decode_object},
    registry::{ScalePaths, head},
    schema::{TypeSchema, normalize},
    store::Stored,
    strategy::{at, set},
};

use super::{
    Context, Core,
    admission::Admitted,
    conversion::Step,
    custom,
    decode::{Patched, judge},
    dispatch::Side,
    options::{OptionsOf, WriteOptions},
    patch::{check_applied, patched, read_patch, refused},
    read::value_table,
    reply::Reply,
    reviews::printed_metadata,
    update::modified,
    write::{Owners, Replacement, take_metadata},
};

const API_VERSION: &str = "autoscaling/v1";

impl Core {
    pub(super) fn get_scale(&self, context: &Context<'_>) -> Result<Reply, Status> {
        let (_, fields) = self.scaled(context, Step::Read)?;
        let paths = paths(context)?;
        if !context.resource.builtin && at(&fields, &paths.spec.join(".")).is_none() {
            return Err(Status::internal(format!(
                "the spec replicas field \".{}\" does not exist",
                paths.spec.join(".")
            )));
        }
        let scale = scale(context, paths, &fields);
        match context.table()? {
            Some(form) => {
                let printer = match context.resource.builtin {
                    true => Printer::builtin("autoscaling", "v1", "scales"),
                    false => Printer::custom(scale_columns()),
                };
                let form = TableForm { printer, head: head("Scale", "autoscaling/v1"), ..form };
                Ok(value_table(context, &form, &scale.into()))
            }
            None => Ok(Reply::value(200, &scale.into())),
        }
    }

    pub(super) fn update_scale(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        let options = WriteOptions::read(context, OptionsOf::Update)?;
        let content_type = context.header(http::header::CONTENT_TYPE);
        let format = BodyFormat::of(content_type).ok_or_else(|| super::decode::unknown_format(context))?;
        let sent = decode_object(context.request.body(), format, "Scale")?;
        if context.resource.builtin {
            other_kind(&sent)?;
        }
        let own =
            |name: &str, wanted: &str| sent.get(name).is_none_or(|given| given == wanted || given == "");
        let fits = own("kind", "Scale") && own("apiVersion", API_VERSION);
        if !(context.resource.builtin || fits) {
            let why = "no kind is registered for the type v1.Scale in scheme \"pkg/runtime/scheme.go:111\"";
            return Err(Status::bad_request(why));
        }
        let unfit = |why: String| {
            Status::bad_request(format!("Scale in version \"v1\" cannot be handled as a Scale: {why}"))
        };
        let (sent, warnings) = read(&options, sent, Vec::new()).map_err(unfit)?;
        named(context, &sent)?;
        let (old, fields) = self.scaled(context, options.basis())?;
        let reply = self.write_scale(context, &options, (old, fields), (sent, Owned::Updated));
        Ok(reply?.warned(warnings))
    }

    pub(super) fn patch_scale(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        let (options, patch) = read_patch(context)?;
        let (old, fields) = self.scaled(context, options.basis())?;
        let schema = scale_schema();
        if patch.format == PatchFormat::Apply {
            check_applied(context, &patch.body)?;
            let before = tracked_scale(context, paths(context)?, &fields);
            if !context.resource.builtin && at(&before, "metadata.managedFields").is_none() {
                // So does a real server, which takes the empty Scale for an object of the kind.
                let why = "failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) \
                           to proper version: request to convert CR to an invalid group/version: autoscaling/v1";
                return Err(Status::new(500, "", why));
            }
            let applied = with_tracker(context, &options, |tracker| {
                tracker.apply(Some(&before), &patch.body, options.force)
            });
            let after = applied.map_err(|error| refused(&error))?;
            let entries = Owned::Applied(owners_of(&after));
            return self.write_scale(context, &options, (old, fields), (after, entries));
        }
        let paths = paths(context)?;
        let before = scale(context, paths, &fields);
        let whole = || printed(tracked_scale(context, paths, &fields)).into_bytes();
        let Patched { value, findings, document, words, .. } = patched(&patch, (&before, &whole), &schema)?;
        let shown = document();
        drop(document);
        let unfit = |detail: String| {
            refused(&PatchError::Undecodable { document: shown.clone(), detail: words(detail) })
        };
        let (after, warnings) = read(&options, value, findings).map_err(unfit)?;
        named(context, &after)?;
        let reply = self.write_scale(context, &options, (old, fields), (after, Owned::Updated));
        Ok(reply?.warned(warnings))
    }

    fn scaled(&self, context: &Context<'_>, step: Step) -> Result<(std::sync::Arc<Stored>, Fields), Status> {
        let object = self.store.get(context.resource.table, &context.key());
        let object = object.cloned().ok_or_else(|| context.not_found())?;
        let fields = self.seen(context, &object, step)?.fields();
        let paths = paths(context)?;
        if let Some(why) =
            custom::no_object(&fields, &paths.spec.join(".")).filter(|_| !context.resource.builtin)
        {
            return Err(Status::new(500, "", why));
        }
        Ok((object, fields))
    }

    fn write_scale(
        &mut self,
        context: &Context<'_>,
        options: &WriteOptions,
        (old, old_fields): (std::sync::Arc<Stored>, Fields),
        (mut sent, owned): (Fields, Owned),
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
        let (replicas, warnings) = self.admit_scale(context, options, (paths, &old_fields, replicas))?;
        // Of custom kinds the object itself is looked at.
        if replicas < 0 && context.resource.builtin {
            return Err(negative(context, replicas));
        }
        let mut new = old_fields.clone();
        set(&mut new, &paths.spec.join("."), replicas);
        let entries = match owned {
            Owned::Applied(entries) => entries,
            Owned::Updated => updated_owners(context, options, paths, (&old_fields, replicas)),
        };
        let api_version = context.resource.api_version();
        let mapping = ScaleMapping { api_version: &api_version, replicas: &paths.spec.join(".") };
        let owners = mapping.to_object(&old_fields, &entries);
        set(&mut new, "metadata.managedFields", owners);
        let write = Replacement {
            context,
            options,
            side: Side::Main,
            subresource: "scale",
            owners: Owners::Kept,
            old,
            old_fields,
        };
        let stored = self.replace_stored(write, new)?;
        let shown = context.resource.see(&stored.object).fields();
        let reply = Reply::value(200, &scale(context, paths, &shown).into());
        Ok(reply.warned(warnings).warned(stored.warnings))
    }

    /// Asks admission about a Scale; gives the replicas that come out of it.
    fn admit_scale(
        &mut self,
        context: &Context<'_>,
        options: &WriteOptions,
        (paths, old, replicas): (&ScalePaths, &Fields, i64),
    ) -> Result<(i64, Vec<String>), Status> {
        let mut warnings = Vec::new();
        if !self.has_hooks() {
            return Ok((replicas, warnings));
        }
        let before = scale(context, paths, old);
        let mut after = before.clone();
        set(&mut after, "spec.replicas", replicas);
        let write = Admitted { subresource: "scale", ..Admitted::write(context, options, Some(&before)) };
        self.admit_changes(&write, &mut after, &mut warnings)?;
        self.admit_object(&write, Some(&after), &mut warnings)?;
        Ok((at(&after, "spec.replicas").and_then(Value::as_i64).unwrap_or_default(), warnings))
    }
}

/// Who owns the replicas after a write.
enum Owned {
    /// The entries that an apply has made.
    Applied(Vec<Value>),
    /// Still to be found out.
    Updated,
}

/// A Scale in its normal form, and what is unknown in it; or why it is none.
fn read(
    options: &WriteOptions,
    value: Value,
    mut findings: Vec<String>,
) -> Result<(Fields, Vec<String>), String> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    let (kind, api_version) = (text("kind"), text("apiVersion"));
    if !["", "Scale"].contains(&kind) || !["", API_VERSION].contains(&api_version) {
        return Err(format!(
            "no kind \"{kind}\" is registered for version \"{api_version}\" in scheme \"pkg/runtime/scheme.go:111\""
        ));
    }
    let normal = normalize(value, &scale_schema())?;
    let Value::Object(fields) = normal.value else {
        return Err("the object provided is no Scale".to_owned());
    };
    findings.extend(normal.unknown);
    Ok((fields, judge(options, findings)?))
}

/// An object of another kind that is sent for a scale can be read, and is none.
fn other_kind(sent: &Value) -> Result<(), Status> {
    let text = |name: &str| sent.get(name).and_then(Value::as_str).unwrap_or_default();
    let (kind, api_version) = (text("kind"), text("apiVersion"));
    let own = ["", "Scale"].contains(&kind) && ["", API_VERSION].contains(&api_version);
    if own || !crate::schema::builtin::is_known(api_version, kind) {
        return Ok(());
    }
    let version = api_version.rsplit('/').next().unwrap_or_default();
    Err(Status::bad_request(format!(
        "{kind} in version \"{version}\" cannot be handled as a Scale: converting ({version}.{kind}) to (autoscaling.Scale): unknown conversion"
    )))
}

/// What tables of the scales of custom kinds show.
fn scale_columns() -> Vec<Column> {
    let column = |name: &str, path: &str, description: &str| {
        Column::read(&json!({"name": name, "type": "integer", "jsonPath": path, "description": description}))
    };
    let desired = column("Desired", ".spec.replicas", "Number of desired replicas");
    let available = column("Available", ".status.replicas", "Number of actual replicas");
    desired.into_iter().chain(available).chain([Column::age()]).collect()
}

/// A Scale as JSON, its metadata in the order of a real server.
fn printed(mut scale: Fields) -> String {
    let metadata = printed_metadata(Some(&take_metadata(&mut scale)));
    scale.insert("metadata".to_owned(), Value::Null);
    let members = scale.iter().map(|(name, value)| match name.as_str() {
        "metadata" => format!("\"metadata\":{metadata}"),
        name => format!("\"{name}\":{value}"),
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// A Scale must say whose it is.
fn named(context: &Context<'_>, scale: &Fields) -> Result<(), Status> {
    let name = at(scale, "metadata.name").and_then(Value::as_str).unwrap_or_default();
    if name.is_empty() {
        return Err(Status::bad_request(format!(
            "the name of the object ({} based on URL) was undeterminable: name must be provided",
            context.name
        )));
    }
    Ok(())
}

fn scale_schema() -> TypeSchema {
    crate::schema::builtin::object(API_VERSION, "Scale").unwrap_or_else(|| TypeSchema::deduced().clone())
}

fn with_tracker<T>(context: &Context<'_>, options: &WriteOptions, run: impl FnOnce(&Tracker<'_>) -> T) -> T {
    let schema = scale_schema();
    let versions = SameFields { schema: &schema, api_versions: &[] };
    run(&Tracker {
        kind: Kind { schema: &schema, api_version: API_VERSION, kind: "Scale", versions: &versions },
        subresource: "scale",
        manager: &options.manager,
        now: context.now,
        reset: &FieldSet::default(),
    })
}

/// The Scale of an object, with those entries of the object's owners that own its replicas.
fn tracked_scale(context: &Context<'_>, paths: &ScalePaths, fields: &Fields) -> Fields {
    let mut scale = scale(context, paths, fields);
    let api_version = context.resource.api_version();
    let mapping = ScaleMapping { api_version: &api_version, replicas: &paths.spec.join(".") };
    let entries = mapping.to_scale(fields);
    if !entries.is_empty() {
        set(&mut scale, "metadata.managedFields", entries);
    }
    scale
}

fn owners_of(scale: &Fields) -> Vec<Value> {
    at(scale, "metadata.managedFields").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// The entries of a Scale after an update of its replicas.
fn updated_owners(
    context: &Context<'_>,
    options: &WriteOptions,
    paths: &ScalePaths,
    (old, replicas): (&Fields, i64),
) -> Vec<Value> {
    let before = tracked_scale(context, paths, old);
    let mut after = before.clone();
    after.insert("spec".to_owned(), if replicas == 0 { json!({}) } else { json!({"replicas": replicas}) });
    owners_of(&with_tracker(context, options, |tracker| tracker.update(Some(&before), after)))
}

fn paths<'a>(context: &'a Context<'_>) -> Result<&'a ScalePaths, Status> {
    context.resource.scale.as_ref().ok_or_else(Status::no_such_resource)
}

fn negative(context: &Context<'_>, replicas: i64) -> Status {
    let kind = crate::protocol::ResourceName { group: "autoscaling", resource: "Scale" };
    let error = FieldError::invalid("spec.replicas", &replicas.into(), "must be greater than or equal to 0");
    Status::invalid(kind, &context.name, &[error])
}

/// The Scale of an object.
fn scale(context: &Context<'_>, paths: &ScalePaths, fields: &Fields) -> Fields {
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
    let members: [(&str, Value); 5] = [
        ("kind", "Scale".into()),
        ("apiVersion", API_VERSION.into()),
        ("metadata", metadata.into()),
        ("spec", spec),
        ("status", status),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
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
