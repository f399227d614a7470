//! patch: the stored object, changed.
//!
//! In: a patch in a body. Out: the object as it is stored, or why it is not. How a patch changes a value is not known here.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    patch::{
        JsonPatch, MergePatch, PatchError, StrategicPatch,
        apply::{open_owners, put_owners_back, take_owners},
    },
    protocol::{Cause, Details, FieldError, Fields, PatchFormat, ResourceName, Status},
    registry::Nulls,
    schema::{TypeSchema, parse_strict, structural::make_whole},
    store::Stored,
    strategy::{at, set, text},
};

use super::{
    Context, Core, create,
    decode::{self, Decoded, Patched},
    dispatch::Side,
    options::{FieldValidation, OptionsOf, WriteOptions},
    owners::Writer,
    patch_words,
    reply::Reply,
    update::{other_uid, same_version},
    write::{Owners, Replacement, take_metadata},
};

impl Core {
    pub(super) fn patch(&mut self, context: &Context<'_>, side: Side) -> Result<Reply, Status> {
        let (mut options, patch) = read_patch(context)?;
        if patch.format == PatchFormat::Apply {
            return self.apply(context, side, &mut options, &patch);
        }
        let resource = &context.resource;
        let old = self.store.get(resource.table, &context.key()).cloned();
        let old = old.ok_or_else(|| context.not_found())?;
        let seen = self.seen(context, &old, options.basis())?;
        let mut old_fields = seen.closed_fields();
        // Owners that a patch does not speak of are none of its business.
        let owners = if names_owners(&patch) {
            open_owners(&mut old_fields);
            None
        } else {
            take_owners(&mut old_fields)
        };
        let schema = resource.schema();
        let whole = || [resource.head.as_bytes(), seen.tail()].concat();
        let mut new = patched(&patch, (&old_fields, &whole), &schema)?;
        if let Err(refusal) = check_patched_type(context, &new.value) {
            let unknown = unknown_in_version(context, &options, &new.value);
            return Ok(Reply::from(refusal).warned(unknown));
        }
        if patch.format == PatchFormat::Strategic {
            forget_type(&mut new.value);
        }
        let new = decode::patched(context, &options, new);
        let mut new = new.map_err(|error| refused(&error))?;
        options.left_out = std::mem::take(&mut new.left_out);
        put_owners_back(&mut old_fields, owners);
        let change = Change { context, options: &options, side, owners: Owners::Tracked, old, old_fields };
        self.change(change, new)
    }

    fn apply(
        &mut self,
        context: &Context<'_>,
        side: Side,
        options: &mut WriteOptions,
        patch: &Patch,
    ) -> Result<Reply, Status> {
        let applied = &patch.body;
        check_applied(context, applied)?;
        let resource = &context.resource;
        let old = self.store.get(resource.table, &context.key()).cloned();
        if old.is_none() && side != Side::Main {
            return Err(context.not_found());
        }
        if old.is_none() {
            named(context, applied)?;
        }
        let writer = Writer { context, options, subresource: side.subresource() };
        let old_fields = match &old {
            Some(old) => Some(self.seen(context, old, options.basis())?.closed_fields()),
            None => None,
        };
        let mut new = writer.apply(old_fields.as_ref(), applied).map_err(|error| refused(&error))?;
        let owners = take_owners(&mut new);
        if let ([finding], FieldValidation::Strict) = (patch.findings.as_slice(), options.validation) {
            let why = format!("error strict decoding patch: error converting YAML to JSON: {finding}");
            return Err(Status::bad_request(why));
        }
        let new = Patched { findings: patch.findings.clone(), ..merged(new) };
        let (Some(old), Some(old_fields)) = (old, old_fields) else {
            let uid = new.value.pointer("/metadata/uid").and_then(Value::as_str).unwrap_or_default();
            if !uid.is_empty() {
                return Err(other_uid(context, uid, ""));
            }
            return self.create_applied(context, options, (new, owners));
        };
        let kept = same_content(&old_fields, &new.value).then(|| new.value.clone());
        let namespace = new.namespace();
        let new = decode::patched(context, options, new);
        let mut new = new.map_err(|error| refused(&unconverted(context, &namespace, error)))?;
        options.left_out = std::mem::take(&mut new.left_out);
        if let Some(Value::Object(kept)) = kept {
            // What an apply does not change is not looked at, so it gets no defaults either.
            new.fields = kept;
        }
        put_owners_back(&mut new.fields, owners);
        let change = Change { context, options, side, owners: Owners::Kept, old, old_fields };
        self.change(change, new)
    }

    fn create_applied(
        &mut self,
        context: &Context<'_>,
        options: &mut WriteOptions,
        (mut new, owners): (Patched<'_>, Option<Value>),
    ) -> Result<Reply, Status> {
        if let Value::Object(fields) = &mut new.value {
            let mut meta = take_metadata(fields);
            create::place(context, &mut meta)?;
            fields.insert("metadata".to_owned(), meta.into());
        }
        let namespace = new.namespace();
        let new = decode::patched(context, options, new);
        let Decoded { fields: mut new, warnings, left_out } =
            new.map_err(|error| refused(&unconverted(context, &namespace, error)))?;
        options.left_out = left_out;
        put_owners_back(&mut new, owners);
        Ok(self.insert(context, options, new)?.forewarned(warnings))
    }

    /// Stores what a patch has led to.
    fn change(&mut self, change: Change<'_>, new: Decoded) -> Result<Reply, Status> {
        let outcome = self.change_to(change, new.fields);
        Ok(outcome.unwrap_or_else(Reply::from).forewarned(new.warnings))
    }

    fn change_to(&mut self, change: Change<'_>, mut new: Fields) -> Result<Reply, Status> {
        let Change { context, options, side, owners, old, old_fields } = change;
        check_identity(context, &mut new)?;
        let given = at(&new, "metadata.resourceVersion").and_then(Value::as_str).unwrap_or_default();
        same_version(context, given, &old)?;
        let write =
            Replacement { context, options, side, subresource: side.subresource(), owners, old, old_fields };
        self.replace(write, new)
    }
}

/// What apply has led to and cannot be decoded is a matter of the server, not of the patch.
fn unconverted(context: &Context<'_>, namespace: &str, error: PatchError) -> PatchError {
    let PatchError::Undecodable { document, detail } = error else { return error };
    let resource = &context.resource;
    if !resource.builtin || detail.starts_with("strict decoding error") {
        return PatchError::Undecodable { document, detail };
    }
    let kind = format!("{}/{}, Kind={}", resource.group, resource.version, resource.kind);
    PatchError::Internal(format!(
        "failed to convert new object ({namespace}/{}; {kind}) to proper version: unable to convert unstructured object to {kind}: {}",
        context.name,
        patch_words::in_words_of_conversion(detail)
    ))
}

/// Whether two states of an object differ in nothing but who owns their fields.
fn same_content(old: &Fields, new: &Value) -> bool {
    let Value::Object(new) = new else { return false };
    let same = |name: &str| match (old.get(name), new.get(name)) {
        (Some(Value::Object(old)), Some(Value::Object(new))) if name == "metadata" => {
            let names = old.keys().chain(new.keys());
            names.filter(|name| *name != "managedFields").all(|name| old.get(name) == new.get(name))
        }
        (old, new) => old == new,
    };
    old.keys().chain(new.keys()).all(|name| same(name))
}

/// What is known when a patch has been worked out.
struct Change<'a> {
    context: &'a Context<'a>,
    options: &'a WriteOptions,
    side: Side,
    owners: Owners,
    old: Arc<Stored>,
    old_fields: Fields,
}

/// What apply has led to: its own checks have said all about the document.
fn merged(fields: Fields) -> Patched<'static> {
    Patched {
        value: Value::Object(fields),
        findings: Vec::new(),
        document: Box::new(String::new),
        words: |text| text,
        nulls: Nulls::Kept,
    }
}

/// The name and namespace of a patched object must still be those of the path; a namespace that is gone comes back.
fn check_identity(context: &Context<'_>, fields: &mut Fields) -> Result<(), Status> {
    let name = text(fields, "metadata.name");
    if name.is_empty() {
        return Err(Status::bad_request(format!(
            "the name of the object ({} based on URL) was undeterminable: name must be provided",
            context.name
        )));
    }
    if name != context.name {
        return Err(Status::bad_request(format!(
            "the name of the object ({name}) does not match the name on the URL ({})",
            context.name
        )));
    }
    if !context.resource.namespaced {
        return Ok(());
    }
    match text(fields, "metadata.namespace") {
        "" => set(fields, "metadata.namespace", context.namespace.as_str()),
        same if same == context.namespace => {}
        _ => {
            return Err(Status::bad_request(
                "the namespace of the provided object does not match the namespace sent on the request",
            ));
        }
    }
    Ok(())
}

/// A strategic patch changes the object as it is held, and that has no name of its type to change.
fn forget_type(value: &mut Value) {
    if let Value::Object(members) = value {
        members.remove("kind");
        members.remove("apiVersion");
    }
}

/// A patched object of a custom kind must still be of that kind; one of another kind is named as what it says it is.
fn check_patched_type(context: &Context<'_>, new: &Value) -> Result<(), Status> {
    let resource = &context.resource;
    let text = |name: &str| new.get(name).and_then(Value::as_str).unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    if resource.builtin || api_version.is_empty() || kind.is_empty() {
        return Ok(());
    }
    let expected = resource.api_version();
    let mut errors = Vec::new();
    if kind != resource.kind {
        errors.push(FieldError::invalid_text("kind", kind, format!("must be {}", resource.kind)));
    }
    if api_version != expected {
        errors.push(FieldError::invalid_text("apiVersion", api_version, format!("must be {expected}")));
    }
    if errors.is_empty() {
        return Ok(());
    }
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    Err(Status::invalid(ResourceName { group, resource: kind }, &context.name, &errors))
}

/// The members of which nothing is known in a version that the kind does not have: all but the metadata.
fn unknown_in_version(context: &Context<'_>, options: &WriteOptions, new: &Value) -> Vec<String> {
    let text = |name: &str| new.get(name).and_then(Value::as_str).unwrap_or_default();
    let Some((group, version)) = text("apiVersion").split_once('/') else { return Vec::new() };
    let resource = &context.resource;
    let foreign = (group, text("kind")) == (resource.group.as_str(), resource.kind.as_str())
        && resource
            .custom
            .as_ref()
            .is_some_and(|custom| !custom.forms.contains_key(&format!("{group}/{version}")));
    if !foreign || options.validation != FieldValidation::Warn {
        return Vec::new();
    }
    let names = new.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    let unknown = names.filter(|name| !["apiVersion", "kind", "metadata"].contains(name));
    unknown.map(|name| format!("unknown field \"{name}\"")).collect()
}

/// An applied object that is not there yet must say its name.
pub(super) fn named(context: &Context<'_>, applied: &Value) -> Result<(), Status> {
    let typed = applied.get("kind").is_some() && applied.get("apiVersion").is_some();
    let name = applied.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    if typed && name.is_empty() {
        return Err(Status::bad_request(format!(
            "the name of the object ({} based on URL) was undeterminable: name must be provided",
            context.name
        )));
    }
    Ok(())
}

/// The name and namespace of an applied object must be those of the path.
pub(super) fn check_applied(context: &Context<'_>, applied: &Value) -> Result<(), Status> {
    let text = |name: &str| {
        applied
            .get("metadata")
            .and_then(|metadata| metadata.get(name))
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let name = text("name");
    if !name.is_empty() && name != context.name {
        return Err(Status::bad_request(format!(
            "the name of the object ({name}) does not match the name on the URL ({})",
            context.name
        )));
    }
    if !["", context.namespace.as_str()].contains(&text("namespace")) {
        return Err(Status::bad_request(
            "the namespace of the provided object does not match the namespace sent on the request",
        ));
    }
    Ok(())
}

/// The patch of a request.
pub(super) struct Patch {
    pub format: PatchFormat,
    pub body: Value,
    /// Keys that come twice, and members of operations that mean nothing.
    pub findings: Vec<String>,
}

/// Reads the patch of a request, and the options beside it.
pub(super) fn read_patch(context: &Context<'_>) -> Result<(WriteOptions, Patch), Status> {
    let content_type = context.header(http::header::CONTENT_TYPE);
    // Custom kinds have no merge keys, and a real server takes no strategic merge patch for them.
    let known = |format: &PatchFormat| context.resource.builtin || *format != PatchFormat::Strategic;
    let format = PatchFormat::of(content_type).filter(known).ok_or_else(|| unknown_format(context))?;
    let verb = match format {
        PatchFormat::Apply => OptionsOf::Apply,
        _ => OptionsOf::Patch,
    };
    let options = WriteOptions::read(context, verb)?;
    let body = context.request.body();
    if format == PatchFormat::Apply {
        // JSON is YAML too, and has a quicker reader; what that finds fault with is left to the other one.
        let (mut body, repeated) = match parse_strict(body, None) {
            Ok(read) if read.findings.is_empty() => (read.value, Vec::new()),
            _ => crate::protocol::yaml(body).map_err(Status::bad_request)?,
        };
        // YAML tells no 2.0 from 2.
        make_whole(&mut body);
        let findings = decode::yaml_findings(&options, repeated);
        return Ok((options, Patch { format, body, findings }));
    }
    let read = parse_strict(body, None).map_err(|_| Status::bad_request("invalid JSON patch"))?;
    let mut findings = read.findings;
    if format == PatchFormat::Json {
        findings = JsonPatch::unknown_members(&read.value)
            .into_iter()
            .chain(findings.into_iter().map(|finding| format!("json patch {finding}")))
            .collect();
    }
    Ok((options, Patch { format, body: read.value, findings }))
}

/// Whether a patch speaks of `metadata.managedFields`, or of something that holds it.
fn names_owners(patch: &Patch) -> bool {
    const OWNERS: &str = "managedFields";
    if patch.format != PatchFormat::Json {
        let members = patch.body.get("metadata").and_then(Value::as_object);
        return members.is_some_and(|members| members.keys().any(|name| name.ends_with(OWNERS)));
    }
    let holds = |path: &str| {
        let mut steps = path.split('/').skip(1);
        let step = |step: Option<&str>, name: &str| step.is_none_or(|step| step == name);
        step(steps.next(), "metadata") && step(steps.next(), OWNERS)
    };
    let operations = patch.body.as_array().into_iter().flatten();
    let mut paths = operations.flat_map(|operation| [operation.get("path"), operation.get("from")]).flatten();
    paths.any(|path| path.as_str().is_some_and(holds))
}

/// Whether a patch changes something inside the object or list at a path; a place in a list is `-`.
fn goes_into(patch: &Patch, path: &[&str]) -> bool {
    if patch.format != PatchFormat::Json {
        return path
            .iter()
            .try_fold(&patch.body, |value, name| value.get(name))
            .is_some_and(Value::is_object);
    }
    let leads = |way: &str| {
        let steps: Vec<String> =
            way.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
        let is_step = |(step, name): (&String, &&str)| step == name || *name == "-";
        steps.len() > path.len() && steps.iter().zip(path).all(is_step)
    };
    let operations = patch.body.as_array().into_iter().flatten();
    let mut ways = operations.flat_map(|operation| [operation.get("path"), operation.get("from")]).flatten();
    ways.any(|way| way.as_str().is_some_and(leads))
}

/// A document with a patch in it. `whole` is the text of the document before, as clients see it.
pub(super) fn patched<'a>(
    patch: &'a Patch,
    (old, whole): (&Fields, &'a dyn Fn() -> Vec<u8>),
    schema: &'a TypeSchema,
) -> Result<Patched<'a>, Status> {
    let value = patched_value(patch, old, schema).map_err(|error| refused(&error))?;
    let document = move || match patch.format {
        PatchFormat::Strategic => StrategicPatch::from_value(patch.body.clone()).map(|patch| patch.printed()),
        _ => {
            let old = whole();
            let fields = serde_json::from_slice(&old).unwrap_or_default();
            let touched = |path: &[&str]| goes_into(patch, path);
            patched_value(patch, &fields, schema)
                .map(|value| crate::patch::document(&String::from_utf8_lossy(&old), &value, &touched))
        }
    };
    let document = Box::new(move || document().unwrap_or_default());
    let words = match patch.format {
        PatchFormat::Strategic => patch_words::in_words_of_conversion,
        _ => |text: String| text,
    };
    Ok(Patched { value, findings: patch.findings.clone(), document, words, nulls: Nulls::Dropped })
}

fn patched_value(patch: &Patch, old: &Fields, schema: &TypeSchema) -> Result<Value, PatchError> {
    let document = Value::Object(old.clone());
    let body = &patch.body;
    match patch.format {
        PatchFormat::Json => JsonPatch::from_value(body)?.apply(&document),
        PatchFormat::Strategic => StrategicPatch::from_value(body.clone())?.apply(&document, schema),
        _ => Ok(MergePatch::from_value(body.clone())?.apply(document)),
    }
}

/// A patch that was refused, as an answer.
pub(super) fn refused(error: &PatchError) -> Status {
    let status = Status::new(error.code(), error.reason(), error.to_string());
    if !error.has_details() {
        return status;
    }
    let causes = error.causes();
    let causes: Vec<_> = causes
        .into_iter()
        .map(|cause| Cause { reason: cause.reason, message: cause.message, field: cause.field })
        .collect();
    status.with_details(Details { causes, ..Details::default() })
}

fn unknown_format(context: &Context<'_>) -> Status {
    if context.resource.builtin {
        return Status::unsupported_media_type("415: Unsupported Media Type")
            .with_details(Details::default());
    }
    Status::unsupported_media_type(
        "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, \
         application/merge-patch+json, application/apply-patch+yaml",
    )
}
