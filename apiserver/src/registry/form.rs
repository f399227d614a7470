//! `Custom` and `Form`: in which versions objects of a defined kind are written, shown and stored.
//!
//! In: objects in one form. Out: the same in another: by another `apiVersion` and what the schemas say, or as a webhook has said. What has
//! not been asked yet or could not be converted comes back as it was, and word of it is left for the request.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use parking_lot::Mutex;
use serde_json::Value;

use crate::{
    conversion::{Converter, Failure, Unconverted},
    protocol::Fields,
    schema::{
        TypeSchema,
        structural::{
            Path, Rules, Structural, coerce_embedded, coerce_metadata, drop_nulls, has_whole_fractions,
            make_whole, prune, set_defaults,
        },
    },
    store::{Change, Draft, Lens, Stored, Texts},
    strategy,
};

use super::resource::custom_head;

/// How many converted objects are kept for lists and watches.
const KEPT: usize = 16 * 1024;

/// One version of a kind.
#[derive(Debug)]
pub(crate) struct Form {
    pub api_version: String,
    pub schema: Arc<Structural>,
    /// The same, as apply walks it.
    pub types: TypeSchema,
    pub selectable: Vec<String>,
    pub head: Arc<str>,
    /// The name of what is written in this form; see [`Stored::shape`].
    pub shape: u64,
}

/// The forms of a kind, by `apiVersion`.
pub(crate) type Forms = BTreeMap<String, Arc<Form>>;

/// What only kinds of definitions have.
#[derive(Debug)]
pub(crate) struct Custom {
    /// Name of the definition.
    pub definition: String,
    /// The version that is served.
    pub form: Arc<Form>,
    /// The rules of its schema, compiled.
    pub rules: Option<Rules>,
    /// Whether the definition is being deleted: nothing is created any more.
    pub terminating: bool,
    /// What answers warn of, where the version is deprecated.
    pub warning: Option<String>,
    /// What converts; where there is nothing, versions differ in their names only.
    pub converter: Option<Arc<Converter>>,
    pub storage: Arc<Form>,
    pub forms: Arc<Forms>,
    /// What lists and watches were shown of stored objects that a webhook has converted, by their versions.
    pub kept: Mutex<HashMap<u64, Arc<Stored>>>,
}

impl Custom {
    /// Whether a webhook has a part in how objects of this version are stored or shown.
    pub(crate) fn asks(&self) -> bool {
        self.converter.is_some()
    }

    /// The draft of an object, in the version in which the kind is stored.
    pub(crate) fn draft<'a>(&self, key: Arc<str>, fields: &'a Fields) -> Draft<'a> {
        if let Some(converter) = &self.converter {
            return self.converted_draft(converter, key, fields);
        }
        let mut draft = Draft::new(key, Arc::clone(&self.storage.head), fields);
        // What a reader of what is stored would not see is not kept.
        if self.storage.shape != self.form.shape || draft.fields.values().any(holds_null) {
            settle(draft.fields.to_mut(), &self.storage.schema);
        } else if lacks_status(&draft.fields, &self.storage.schema) {
            fill(draft.fields.to_mut(), &self.storage.schema);
        }
        finished(draft, &self.storage)
    }

    fn converted_draft<'a>(
        &self,
        converter: &Arc<Converter>,
        key: Arc<str>,
        fields: &'a Fields,
    ) -> Draft<'a> {
        let version = fields.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        let written = self.forms.get(version).unwrap_or(&self.form);
        let plain = |key, form: &Form| finished(Draft::new(key, Arc::clone(&form.head), fields), form);
        // What the server does by itself leaves objects in the version in which they are.
        if written.head == self.storage.head || !converter.is_asked() {
            return plain(key, written);
        }
        match converter.convert(&unversioned(fields.clone()), &self.storage.api_version) {
            Ok(mut converted) => {
                settle(&mut converted, &self.storage.schema);
                let draft = Draft::new(key, Arc::clone(&self.storage.head), fields);
                finished(Draft { fields: Cow::Owned(converted), ..draft }, &self.storage)
            }
            Err(why) => {
                note(converter, why, None);
                plain(key, written)
            }
        }
    }

    /// Whether a stored object would be stored otherwise today.
    pub(crate) fn is_stale(&self, object: &Stored) -> bool {
        object.shape != self.storage.shape
    }

    /// A stored object in this version, asked anew where a webhook converts.
    pub(crate) fn show(&self, object: &Arc<Stored>) -> Arc<Stored> {
        if object.shape == self.form.shape {
            return Arc::clone(object);
        }
        let mut fields = object.fields();
        let version = fields.get("apiVersion").and_then(Value::as_str).unwrap_or_default().to_owned();
        let stored = self.forms.get(&version);
        if let Some(form) = stored {
            settle(&mut fields, &form.schema);
        }
        if let Some(converter) = self.converter.as_ref().filter(|_| version != self.form.api_version) {
            if !converter.is_asked() {
                return Arc::clone(object);
            }
            match converter.convert(&unversioned(fields), &self.form.api_version) {
                Ok(converted) => fields = converted,
                Err(why) => {
                    note(converter, why, Some((object.key.to_string(), object.version)));
                    return Arc::clone(object);
                }
            }
        }
        cut(&mut fields, &self.form.schema);
        let draft = Draft::new(Arc::clone(&object.key), Arc::clone(&self.form.head), &fields);
        let draft = finished(draft, &self.form);
        Arc::new(Stored::write(draft, object.version, Change::Modified))
    }

    /// An object in another version of the kind, as owners of its fields see it.
    ///
    /// # Errors
    ///
    /// Why it cannot be had, in a real server's words.
    pub(crate) fn turn(&self, object: &Fields, api_version: &str) -> Result<(Fields, TypeSchema), String> {
        let Some(form) = self.forms.get(api_version) else {
            return Err(format!("request to convert CR to an invalid group/version: {api_version}"));
        };
        let converted = match &self.converter {
            None => {
                let mut object = object.clone();
                object.insert("apiVersion".to_owned(), api_version.into());
                Ok(object)
            }
            Some(converter) => {
                converter.convert(&opened(object.clone()), api_version).map_err(|why| match why {
                    Unconverted::Waits => "waiting for a webhook".to_owned(),
                    Unconverted::Failed(why) => why,
                })
            }
        };
        converted.map(|object| (object, form.types.clone()))
    }
}

impl Lens for Custom {
    fn see(&self, object: &Arc<Stored>) -> Arc<Stored> {
        if !self.asks() || object.head() == self.form.head.as_bytes() {
            return self.show(object);
        }
        if let Some(known) = self.kept.lock().get(&object.version) {
            return Arc::clone(known);
        }
        let shown = self.show(object);
        if !Arc::ptr_eq(&shown, object) {
            let mut kept = self.kept.lock();
            if kept.len() >= KEPT {
                kept.clear();
            }
            kept.insert(object.version, Arc::clone(&shown));
        }
        shown
    }

    fn asks(&self) -> bool {
        self.asks()
    }
}

fn note(converter: &Converter, why: Unconverted, stored: Option<(String, u64)>) {
    if let Unconverted::Failed(why) = why {
        converter.note(Failure { why, stored });
    }
}

/// An object as a webhook is shown it that is stored or read: without its version, which is not a part of it.
fn unversioned(mut fields: Fields) -> Fields {
    if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("resourceVersion");
    }
    opened(fields)
}

/// An object whose owners are no text.
fn opened(mut fields: Fields) -> Fields {
    let owners = fields.get_mut("metadata").and_then(|metadata| metadata.get_mut("managedFields"));
    if let Some(owners) = owners
        && let Value::String(closed) = owners
    {
        *owners = serde_json::from_str(closed).unwrap_or_default();
    }
    fields
}

fn finished<'a>(mut draft: Draft<'a>, form: &Form) -> Draft<'a> {
    if draft.fields.values().any(has_whole_fractions) {
        draft.fields.to_mut().values_mut().for_each(make_whole);
    }
    draft.selectable = selectable(&draft.fields, &form.selectable);
    draft.shape = form.shape;
    draft
}

/// What a schema makes of an object that was written under another one.
fn cut(fields: &mut Fields, schema: &Structural) {
    let mut value = Value::Object(std::mem::take(fields));
    prune(&mut value, schema, Some(""));
    drop_nulls(&mut value, Some(schema));
    // What cannot be coerced was stored under a schema that did not ask for it, and is shown as it is.
    let _ = coerce_embedded(&mut value, schema, &Path::Root(""), &mut Vec::new());
    *fields = members(value);
}

/// Whether there is a null anywhere in a value.
fn holds_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(holds_null),
        Value::Object(members) => members.values().any(holds_null),
        _ => false,
    }
}

/// The same, with the defaults that a reader of that schema fills in.
fn settle(fields: &mut Fields, schema: &Structural) {
    cut(fields, schema);
    fill(fields, schema);
}

/// Sets the defaults of a schema.
fn fill(fields: &mut Fields, schema: &Structural) {
    let mut value = Value::Object(std::mem::take(fields));
    set_defaults(&mut value, schema);
    *fields = members(value);
}

/// Whether an object has no status though every object of its kind has one: a new one loses what its client said of it.
fn lacks_status(fields: &Fields, schema: &Structural) -> bool {
    let has_default = |status: &Structural| status.default.is_some();
    schema.properties.get("status").is_some_and(has_default) && !fields.contains_key("status")
}

fn members(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields,
        _ => Fields::new(),
    }
}

/// The values of the fields that selectors may name.
fn selectable(fields: &Fields, paths: &[String]) -> Texts {
    let text = |path: &String| match strategy::at(fields, path) {
        Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
        Some(Value::Null) | None => Cow::default(),
        Some(other) => Cow::Owned(other.to_string()),
    };
    paths.iter().map(text).collect()
}

/// What becomes of nulls of members that are not nullable and have no default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nulls {
    /// They say nothing.
    Dropped,
    /// They are judged as any value. They are not stored in the end, where they are let through.
    Kept,
}

/// The object of a custom kind in the form of its schema, with its defaults; and what was unknown in it.
pub(crate) fn decode(
    fields: Fields,
    custom: Option<&Custom>,
    nulls: Nulls,
) -> Result<(Fields, Vec<String>), String> {
    let mut fields = fields;
    let mut unknown = coerce_metadata(&mut fields, "")?;
    if let Some(custom) = custom {
        let schema = &custom.form.schema;
        let mut value = Value::Object(fields);
        unknown.extend(prune(&mut value, schema, Some("")));
        if nulls == Nulls::Dropped {
            drop_nulls(&mut value, Some(schema));
        }
        let mut embedded = Vec::new();
        coerce_embedded(&mut value, schema, &Path::Root(""), &mut embedded)
            .map_err(|error| error.to_string())?;
        embedded.sort();
        unknown.extend(embedded);
        set_defaults(&mut value, schema);
        fields = members(value);
    }
    Ok((fields, unknown.into_iter().map(|path| format!("unknown field \"{path}\"")).collect()))
}

impl Form {
    /// A version of a kind.
    pub(super) fn new(
        kind: &str,
        api_version: String,
        version: &crate::definition::Version,
        shape: u64,
    ) -> Self {
        Self {
            head: custom_head(kind, &api_version),
            schema: Arc::clone(&version.schema),
            types: TypeSchema::from_openapi(&version.json),
            selectable: version.selectable.clone(),
            api_version,
            shape,
        }
    }
}
