//! Values checked against structural schemas, in the words and the order of a real server.
//!
//! In: a value, its schema and, for updates, the value before. Out: every failure. A failure of a value that has not changed is left out
//! (ratcheting). Which of several alternatives a value was meant to be is judged as a real server does: by how many checks each passed.

use serde_json::{Map, Value};

use super::{Additional, Path, Structural, formats};
use crate::protocol::{FieldError, FieldErrorClass, quoted};

mod numbers;
mod outcome;
mod scalars;

use outcome::Outcome;

/// What a value was before, where that is known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Old<'a> {
    /// There is nothing to compare with, here and below.
    Unknown,
    Known(&'a Value),
}

impl<'a> Old<'a> {
    pub(super) fn member(self, schema: &Structural, name: &str) -> Self {
        match self {
            Self::Known(Value::Object(members)) if schema.member(name).is_some() => {
                members.get(name).map_or(Self::Unknown, Self::Known)
            }
            _ => Self::Unknown,
        }
    }

    /// The item that had the keys of this one.
    pub(crate) fn item(self, schema: &Structural, item: &Value) -> Self {
        match self {
            Self::Known(Value::Array(items)) if schema.list_type.as_deref() == Some("map") => {
                let same = |old: &&Value| {
                    item.is_object()
                        && old.is_object()
                        && schema.list_map_keys.iter().all(|key| old.get(key) == item.get(key))
                };
                items.iter().find(same).map_or(Self::Unknown, Self::Known)
            }
            _ => Self::Unknown,
        }
    }

    fn is(self, value: &Value, schema: &Structural) -> bool {
        matches!(self, Self::Known(old) if is_unchanged(value, old, schema))
    }
}

/// Whether a value is what it was, as far as a real server can tell: members that no schema names are never the same.
pub(crate) fn is_unchanged(value: &Value, old: &Value, schema: &Structural) -> bool {
    match (value, old) {
        (Value::Array(items), Value::Array(olds)) if schema.list_type.as_deref() == Some("map") => {
            let Some(below) = schema.items.as_deref() else { return items == olds };
            items.len() == olds.len()
                && items.iter().all(|item| match Old::Known(old).item(schema, item) {
                    Old::Known(old) => is_unchanged(item, old, below),
                    Old::Unknown => false,
                })
        }
        (Value::Object(members), Value::Object(olds)) => {
            members.len() == olds.len()
                && members.iter().all(|(name, member)| match (olds.get(name), schema.member(name)) {
                    (Some(old), Some(below)) => is_unchanged(member, old, below),
                    _ => false,
                })
        }
        (value, old) => value == old,
    }
}

/// Checks a value. `prefix` is the field that the value stands in, empty for a whole object.
pub(crate) fn validate(value: &Value, schema: &Structural, old: Old<'_>, prefix: &str) -> Vec<FieldError> {
    let walk = Walk { prefix, of: Checked::Object };
    let outcome = walk.ratcheted(value, schema, old, &Path::Root(""));
    outcome.into_errors()
}

/// Checks a default, of which a real server asks for formats that it does not know elsewhere, and not that integers or texts be either.
pub(crate) fn validate_default(value: &Value, schema: &Structural, prefix: &str) -> Vec<FieldError> {
    let walk = Walk { prefix, of: Checked::Default };
    walk.value(value, schema, Old::Unknown, &Path::Root("")).into_errors()
}

/// Whether an error keeps rules from being run.
pub(crate) fn is_blocking(error: &FieldError) -> bool {
    use FieldErrorClass::{NotSupported, Required, TooLong, TooMany, TypeInvalid};
    matches!(error.class, NotSupported | Required | TooLong | TooMany | TypeInvalid)
}

#[derive(Clone, Copy)]
struct Walk<'a> {
    prefix: &'a str,
    of: Checked,
}

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    Object,
    Default,
}

impl Walk<'_> {
    /// The format that counts.
    fn format(self, schema: &Structural) -> &str {
        match self.of {
            Checked::Object => formats::effective(schema),
            Checked::Default => &schema.format,
        }
    }

    /// Whether the schema asks for an integer or a text.
    fn wants_either(self, schema: &Structural) -> bool {
        schema.int_or_string && self.of == Checked::Object
    }

    /// A value that may be let through because it is what it was.
    fn ratcheted(self, value: &Value, schema: &Structural, old: Old<'_>, path: &Path<'_>) -> Outcome {
        let mut outcome = self.value(value, schema, old, path);
        if !outcome.is_valid() && old.is(value, schema) {
            outcome.forgive();
        }
        outcome
    }

    fn value(self, value: &Value, schema: &Structural, old: Old<'_>, path: &Path<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        if value.is_null() {
            outcome.merge(self.kind(value, schema, path));
            outcome.merge(self.enumerated(value, schema, path));
            return outcome;
        }
        let format = self.format(schema);
        if !schema.kind.is_empty() || self.wants_either(schema) || !format.is_empty() {
            outcome.merge(self.kind(value, schema, path));
            outcome.count();
        }
        // Within alternatives nothing is let through for being what it was.
        outcome.merge(self.junctors(value, schema, path));
        outcome.count();
        match value {
            Value::String(text) => {
                outcome.merge(self.text(text, schema, path));
                outcome.count();
                if formats::is_known(format) {
                    if !kube_codegen_formats::has(format, text) {
                        outcome.add(self.wrong_type(path, format, text));
                    }
                    outcome.count();
                }
            }
            Value::Number(number) => {
                outcome.merge(self.number(number, schema, path));
                outcome.count();
            }
            Value::Array(items) => {
                outcome.merge(self.list(items, schema, old, path));
                outcome.count();
            }
            _ => {}
        }
        outcome.merge(self.enumerated(value, schema, path));
        outcome.count();
        if let Value::Object(members) = value {
            outcome.merge(self.object(members, schema, old, path));
            outcome.count();
        }
        outcome.count();
        outcome
    }

    fn junctors(self, value: &Value, schema: &Structural, path: &Path<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        if !schema.any_of.is_empty() {
            let mut best: Option<Outcome> = None;
            let mut success = None;
            for alternative in &schema.any_of {
                let result = self.value(value, alternative, Old::Unknown, path);
                if result.is_valid() {
                    success = Some(result);
                    break;
                }
                if best.as_ref().is_none_or(|best| result.matched() > best.matched()) {
                    best = Some(result);
                }
            }
            if success.is_none() {
                outcome.add(self.plain(format!(
                    "{} must validate at least one schema (anyOf)",
                    quoted(&path.to_string())
                )));
            }
            outcome.merge(success.or(best).unwrap_or_default());
        }
        if !schema.one_of.is_empty() {
            outcome.merge(self.one_of(value, schema, path));
        }
        if !schema.all_of.is_empty() {
            let mut valid = 0;
            for part in &schema.all_of {
                let result = self.value(value, part, Old::Unknown, path);
                valid += usize::from(result.is_valid());
                outcome.merge(result);
            }
            if valid != schema.all_of.len() {
                let tail = if valid == 0 { ". None validated" } else { "" };
                outcome.add(self.plain(format!(
                    "{} must validate all the schemas (allOf){tail}",
                    quoted(&path.to_string())
                )));
            }
        }
        if let Some(not) = &schema.not
            && self.value(value, not, Old::Unknown, path).is_valid()
        {
            let text = format!("{} must not validate the schema (not)", quoted(&path.to_string()));
            outcome.add(self.plain(text));
        }
        outcome.count();
        outcome
    }

    fn one_of(self, value: &Value, schema: &Structural, path: &Path<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let mut best: Option<Outcome> = None;
        let mut success = None;
        let mut valid = 0;
        for alternative in &schema.one_of {
            let result = self.value(value, alternative, Old::Unknown, path);
            if result.is_valid() {
                valid += 1;
                best = None;
                success.get_or_insert(result);
                continue;
            }
            if valid == 0 && best.as_ref().is_none_or(|best| result.matched() > best.matched()) {
                best = Some(result);
            }
        }
        if valid == 1 {
            outcome.merge(success.unwrap_or_default());
            return outcome;
        }
        let tail = match valid {
            0 => "Found none valid".to_owned(),
            valid => format!("Found {valid} valid alternatives"),
        };
        outcome.add(self.plain(format!(
            "{} must validate one and only one schema (oneOf). {tail}",
            quoted(&path.to_string())
        )));
        outcome.merge(best.unwrap_or_default());
        outcome
    }

    fn list(self, items: &[Value], schema: &Structural, old: Old<'_>, path: &Path<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        if let Some(below) = schema.items.as_deref() {
            for (index, item) in items.iter().enumerate() {
                outcome.merge(self.ratcheted(item, below, old.item(schema, item), &path.index(index)));
            }
        }
        let limits = &schema.limits;
        let size = i64::try_from(items.len()).unwrap_or(i64::MAX);
        if let Some(least) = limits.min_items.filter(|least| size < *least) {
            let text = format!("{path} in body should have at least {least} items");
            outcome.add(self.invalid(path, size.to_string(), text));
        }
        if let Some(most) = limits.max_items.filter(|most| size > *most) {
            let text = format!("{path} in body should have at most {most} items");
            outcome.add_as(text, self.too_many(path, (size, most)));
        }
        let repeated = limits.unique_items
            && items
                .iter()
                .enumerate()
                .any(|(index, item)| items.iter().take(index).any(|other| other == item));
        if repeated {
            let text = format!("{path} in body shouldn't contain duplicates");
            outcome.add(self.invalid(path, quoted(""), text));
        }
        outcome.count();
        outcome
    }

    fn object(
        self,
        members: &Map<String, Value>,
        schema: &Structural,
        old: Old<'_>,
        path: &Path<'_>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let limits = &schema.limits;
        let size = i64::try_from(members.len()).unwrap_or(i64::MAX);
        if let Some(least) = limits.min_properties.filter(|least| size < *least) {
            let text = format!("{path} in body should have at least {least} properties");
            outcome.add(self.invalid(path, size.to_string(), text));
        }
        if let Some(most) = limits.max_properties.filter(|most| size > *most) {
            let text = format!("{path} in body should have at most {most} properties");
            outcome.add_as(text, self.too_many(path, (size, most)));
        }
        for (name, member) in members {
            if schema.properties.contains_key(name) {
                continue;
            }
            match &schema.additional {
                Some(Additional::Forbidden) => {
                    let text = format!("{path}.{name} in body is a forbidden property");
                    outcome.add(self.invalid(path, quoted(name), text));
                }
                Some(Additional::Schema(below)) => {
                    let old = old.member(schema, name);
                    // A real server puts a dot before the key of a free map also where nothing stands before it.
                    let dotted = matches!(path, Path::Root("")).then(|| format!(".{name}"));
                    let place = dotted.as_deref().map_or_else(|| path.member(name), Path::Root);
                    outcome.merge(self.ratcheted(member, below, old, &place));
                }
                _ => {}
            }
        }
        for (name, property) in &schema.properties {
            let Some(member) = members.get(name) else { continue };
            let typed = matches!(path, Path::Root("")) && ["kind", "apiVersion"].contains(&name.as_str());
            let old = if typed { Old::Unknown } else { old.member(schema, name) };
            outcome.merge(self.ratcheted(member, property, old, &path.member(name)));
        }
        for name in schema.required.iter().filter(|name| !members.contains_key(*name)) {
            let below = path.member(name);
            let text = format!("{path}.{name} in body is required");
            outcome.add_as(text, FieldError::required(self.field(&below), ""));
        }
        outcome
    }

    /// The field of an error, behind the field that the whole value stands in.
    fn field(self, path: &Path<'_>) -> String {
        match (self.prefix, path.to_string()) {
            ("", path) if path.is_empty() => "<nil>".to_owned(),
            ("", path) => path,
            (prefix, path) if path.is_empty() => prefix.to_owned(),
            (prefix, path) if path.starts_with('.') => format!("{prefix}{path}"),
            (prefix, path) => format!("{prefix}.{path}"),
        }
    }

    fn invalid(self, path: &Path<'_>, value: String, text: String) -> FieldError {
        FieldError { field: self.field(path), class: FieldErrorClass::Invalid, value, detail: text }
    }

    fn too_many(self, path: &Path<'_>, (size, most): (i64, i64)) -> FieldError {
        FieldError {
            field: self.field(path),
            class: FieldErrorClass::TooMany,
            value: size.to_string(),
            detail: format!("must have at most {most} {}", if most == 1 { "item" } else { "items" }),
        }
    }

    /// A failure that names no field.
    fn plain(self, text: String) -> FieldError {
        let field = if self.prefix.is_empty() { "<nil>" } else { self.prefix };
        FieldError {
            field: field.to_owned(),
            class: FieldErrorClass::Invalid,
            value: quoted(""),
            detail: text,
        }
    }

    fn wrong_type(self, path: &Path<'_>, wanted: &str, found: &str) -> FieldError {
        FieldError {
            field: self.field(path),
            class: FieldErrorClass::TypeInvalid,
            value: quoted(found),
            detail: format!("{path} in body must be of type {wanted}: {}", quoted(found)),
        }
    }
}
