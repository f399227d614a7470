//! create.
//!
//! In: an object in a body. Out: the object as it is stored, with everything that the server owns, or why it is not.

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    protocol::{Cause, Details, FieldError, Fields, Status},
    registry::Resource,
    strategy::{Generation, set, text},
};

use super::{
    Context, Core, Namespaces,
    admission::Admitted,
    certificates, custom,
    decode::{self, Decoded},
    definitions::is_definition,
    metadata,
    options::{OptionsOf, WriteOptions},
    owners::Writer,
    read::object_reply,
    reply::Reply,
    services::{self, Wish},
    timestamp,
    write::{detached, draft, take_metadata, unversioned},
};

/// An object that is not stored as it would be read back.
fn as_read(context: &Context<'_>, fields: Fields) -> Fields {
    if context.resource.custom.is_none() {
        return fields;
    }
    unnumbered(detached(context, &fields, 0).fields())
}

/// The letters of generated names: no vowels, nothing that looks like something else.
const SAFE: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
/// How much of a prefix a generated name keeps.
const KEPT: usize = 58;

impl Core {
    pub(super) fn create(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        if !context.resource.is_stored() {
            return Err(not_kept(&context.resource));
        }
        let mut options = WriteOptions::read(context, OptionsOf::Create)?;
        custom::may_create(context)?;
        let Decoded { mut fields, warnings, left_out } = decode::object(context, &options)?;
        options.left_out = left_out;
        let mut meta = take_metadata(&mut fields);
        let version = meta.get("resourceVersion").and_then(Value::as_str).unwrap_or_default();
        if !options.dry_run && version.parse::<u64>().is_ok_and(|version| version != 0) {
            return Err(Status::new(500, "", "resourceVersion should not be set on objects to be created"));
        }
        place(context, &mut meta)?;
        meta.remove("managedFields");
        fields.insert("metadata".to_owned(), meta.into());
        let writer = Writer { context, options: &options, subresource: "" };
        let fields = writer.track(None, fields);
        Ok(self.insert(context, &options, fields).unwrap_or_else(Reply::from).forewarned(warnings))
    }

    /// Stores an object that has its namespace and its owners already.
    pub(super) fn insert(
        &mut self,
        context: &Context<'_>,
        options: &WriteOptions,
        mut fields: Fields,
    ) -> Result<Reply, Status> {
        let resource = &context.resource;
        let mut meta = take_metadata(&mut fields);
        metadata::clear_owned(&mut meta);
        let mut warnings = Vec::from_iter(metadata::merge_owners(&mut meta));
        let prefix = meta.get("generateName").and_then(Value::as_str).unwrap_or_default().to_owned();
        let given = meta.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        self.enter_namespace(context, &meta)?;
        metadata::drop_empty(&mut meta);
        fields.insert("metadata".to_owned(), meta.into());
        let shown = if given.is_empty() { prefix.as_str() } else { given.as_str() };
        let admitted = Admitted { name: shown, ..Admitted::write(context, options, None) };
        self.admit_changes(&admitted, &mut fields, &mut warnings)?;
        self.identify(context, &mut fields, &prefix);
        self.confirm_rights(context, &fields, None)?;
        let wish = services::is_service(resource).then(|| Wish::of(&fields, None));
        options.left_out.drop_gated(&mut fields);
        prepare(resource, &mut fields);
        if let Some(wish) = wish {
            services::refuse_early(resource, &mut fields, Some(&wish))?;
            self.give(context, options, &mut fields, (&wish, None))?;
        }
        if certificates::is_request(resource) {
            certificates::prepare_create(&mut fields, &context.user);
        }
        let name = text(&fields, "metadata.name").to_owned();
        let mut errors = fields
            .get("metadata")
            .and_then(Value::as_object)
            .map(|meta| metadata::validate(meta, resource))
            .unwrap_or_default();
        errors.extend(self.admin_access_errors(context, &fields));
        let own = resource.rules.errors_of_new(&mut fields, &options.left_out);
        join(&mut errors, own, is_definition(resource));
        warnings.extend((resource.rules.warnings)(&fields, None));
        let mut told = Vec::new();
        if let Some(custom) = &resource.custom {
            let found = custom::check_new((custom, resource.scale.as_ref()), &fields);
            errors.extend(found.errors);
            told = found.warnings;
            warnings.extend(found.later);
        }
        if !errors.is_empty() {
            return Err(resource.invalid(&name, errors).with_warnings(told));
        }
        warnings.extend(told);
        let stored = self.store_new(&admitted, options, (fields, &prefix), &mut warnings);
        Ok(stored.unwrap_or_else(Reply::from).forewarned(warnings))
    }

    /// Stores an object that is as it should be, if there is room for it.
    fn store_new(
        &mut self,
        admitted: &Admitted<'_>,
        options: &WriteOptions,
        (fields, prefix): (Fields, &str),
        warnings: &mut Vec<String>,
    ) -> Result<Reply, Status> {
        let context = admitted.context;
        let resource = &context.resource;
        let name = text(&fields, "metadata.name").to_owned();
        let charges = self.admit_object(admitted, Some(&fields), warnings)?;
        let key = resource.key(&context.namespace, &name);
        if let Some(there) = self.store.get(resource.table, &key) {
            return Err(taken(resource, &there.fields(), prefix));
        }
        let rehearsed = self.rehearsed(context, &fields, 0)?;
        if options.dry_run {
            let fields = match rehearsed {
                Some(stored) => unnumbered(resource.see(&stored).fields()),
                None => as_read(context, fields),
            };
            return Ok(unversioned(context, 201, &fields));
        }
        self.store_charges(context, charges);
        let stored = self.store.put(resource.table, draft(resource, key, &fields));
        self.remember(resource, &stored, fields);
        Ok(object_reply(context, 201, &resource.see(&stored)))
    }

    /// Gives a new object what tells it from all others.
    fn identify(&mut self, context: &Context<'_>, fields: &mut Fields, prefix: &str) {
        let uid = self.uid();
        set(fields, "metadata.uid", uid);
        set(fields, "metadata.creationTimestamp", timestamp(context.now));
        if text(fields, "metadata.name").is_empty() && !prefix.is_empty() {
            let name = self.free_name(context, prefix);
            set(fields, "metadata.name", name);
        }
    }

    /// A name with this prefix; after a few that are taken, one of those.
    fn free_name(&mut self, context: &Context<'_>, prefix: &str) -> String {
        let mut kept = prefix.len().min(KEPT);
        while !prefix.is_char_boundary(kept) {
            kept -= 1;
        }
        let kept = prefix.get(..kept).unwrap_or_default();
        let mut name = String::new();
        for _ in 0..8 {
            name = kept.to_owned();
            for _ in 0..5 {
                let letter = SAFE.get(self.random.usize(..SAFE.len())).copied();
                name.push(char::from(letter.unwrap_or(b'x')));
            }
            let key = context.resource.key(&context.namespace, &name);
            if self.store.get(context.resource.table, &key).is_none() {
                break;
            }
        }
        name
    }

    /// Refuses objects for namespaces that are not there or are going away.
    pub(super) fn enter_namespace(&mut self, context: &Context<'_>, meta: &Fields) -> Result<(), Status> {
        if !context.resource.namespaced {
            return Ok(());
        }
        let namespace = context.namespace.as_str();
        let Some(namespaces) = self.registry.namespaces().cloned() else {
            return Ok(());
        };
        let Some(stored) = self.store.get(namespaces.table, namespace) else {
            if self.namespaces == Namespaces::MadeOnUse {
                self.make_namespace(namespace, context.now);
                return Ok(());
            }
            return Err(Status::not_found(namespaces.name(), namespace));
        };
        if stored.field(0) != "Terminating" {
            return Ok(());
        }
        let name = meta.get("name").and_then(Value::as_str).unwrap_or_default();
        let why =
            format!("unable to create new content in namespace {namespace} because it is being terminated");
        Err(Status::forbidden(context.resource.name(), name, &why).with_cause(Cause {
            reason: "NamespaceTerminating",
            message: format!("namespace {namespace} is being terminated"),
            field: "metadata.namespace".to_owned(),
        }))
    }

    /// Makes a namespace that is not there.
    pub(super) fn make_namespace(&mut self, name: &str, now: Timestamp) {
        let Some(namespaces) = self.registry.namespaces().cloned() else {
            return;
        };
        let mut fields = Fields::new();
        set(&mut fields, "metadata.name", name);
        let uid = self.uid();
        set(&mut fields, "metadata.uid", uid);
        set(&mut fields, "metadata.creationTimestamp", timestamp(now));
        namespaces.rules.strategy.prepare_create(&mut fields);
        self.store.put(namespaces.table, draft(&namespaces, name.into(), &fields));
    }
}

/// An object without a version.
fn unnumbered(mut fields: Fields) -> Fields {
    if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("resourceVersion");
    }
    fields
}

/// 409: an object of this name is there.
fn taken(resource: &Resource, there: &Fields, prefix: &str) -> Status {
    let status = Status::already_exists(resource.name(), text(there, "metadata.name"));
    let message = status.message().to_owned();
    if !prefix.is_empty() {
        let why = "the server was not able to generate a unique name for the object";
        return status.with_message(format!("{message}, {why}")).with_retry_after(1);
    }
    match crate::strategy::at(there, "metadata.deletionTimestamp") {
        Some(_) => status.with_message(format!("object is being deleted: {message}")),
        None => status,
    }
}

/// Sets the namespace of the path, or says that the body has another.
pub(super) fn place(context: &Context<'_>, meta: &mut Fields) -> Result<(), Status> {
    let given = meta.get("namespace").and_then(Value::as_str).unwrap_or_default();
    if !context.resource.namespaced {
        meta.remove("namespace");
        return Ok(());
    }
    if !given.is_empty() && given != context.namespace {
        return Err(Status::bad_request(
            "the namespace of the provided object does not match the namespace sent on the request",
        ));
    }
    meta.insert("namespace".to_owned(), context.namespace.clone().into());
    Ok(())
}

fn prepare(resource: &Resource, fields: &mut Fields) {
    if resource.has_status() && !resource.rules.status_on_create {
        match resource.schema().field("status").and_then(|field| field.zero()) {
            Some(zero) => fields.insert("status".to_owned(), zero),
            None => fields.remove("status"),
        };
    }
    if !matches!(resource.rules.generation, Generation::None | Generation::ContentOnceChanged) {
        set(fields, "metadata.generation", 1);
    }
    resource.rules.strategy.prepare_create(fields);
}

/// What a resource that holds nothing answers.
fn not_kept(resource: &Resource) -> Status {
    Status::new(501, "NotImplemented", format!("{} are not implemented by this server", resource.plural))
        .with_details(Details::default())
}

/// Adds what a kind itself has to say of an object to what is wrong with its metadata.
fn join(errors: &mut Vec<FieldError>, own: Vec<FieldError>, definition: bool) {
    // The name of a definition has rules of its own; they stand beside those of all names.
    let names = errors.iter().take_while(|error| error.field == "metadata.name").count();
    let (named, own): (Vec<_>, Vec<_>) =
        own.into_iter().partition(|error| definition && error.field == "metadata.name");
    errors.splice(names..names, named);
    errors.extend(own);
}
