//! `Message`: an object that an expression makes, such as `Object{spec: Object.spec{replicas: 3}}` or `JSONPatch{op: "test", ...}`.
//!
//! In: the names of types, members with their values. Out: their types, the JSON of a value, and whether the types of parts are named after
//! the places where they stand.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Number, Value};

use super::{EvalError, Type, Val, library::shown};

const OBJECT: &str = "Object";
const PATCH: &str = "JSONPatch";

/// An object that an expression has made.
#[derive(Clone, Debug)]
pub(crate) struct Message<'v> {
    pub name: &'v str,
    pub fields: Vec<(&'v str, Val<'v>)>,
}

/// Whether objects of a type of this name can be made.
pub(super) fn is_message(name: &str) -> bool {
    name == PATCH || name.strip_prefix(OBJECT).is_some_and(|below| below.is_empty() || below.starts_with('.'))
}

/// The type of a member.
pub(super) fn message_field(name: &str, field: &str) -> Option<Type> {
    match (name, field) {
        (PATCH, "op" | "path" | "from") => Some(Type::String),
        (PATCH, "value") => Some(Type::Dyn),
        (PATCH, _) => None,
        _ => Some(Type::Dyn),
    }
}

impl<'v> Message<'v> {
    pub(super) fn member(&self, name: &str) -> Option<Val<'v>> {
        self.fields.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone())
    }

    /// Every part whose type is not named after its place, in words.
    pub(crate) fn misnamed(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.check(OBJECT, &mut found);
        found
    }

    fn check(&self, place: &str, found: &mut Vec<String>) {
        if self.name != place {
            found.push(format!(
                "unexpected type name \"{}\", expected \"{place}\", which matches field name path from root Object type",
                self.name
            ));
        }
        for (name, value) in &self.fields {
            check(value, &format!("{place}.{name}"), found);
        }
    }
}

fn check(value: &Val<'_>, place: &str, found: &mut Vec<String>) {
    match value {
        Val::Message(message) => message.check(place, found),
        Val::List(items) => items.iter().for_each(|item| check(item, place, found)),
        Val::Map(pairs) => pairs.iter().for_each(|(_, item)| check(item, place, found)),
        _ => {}
    }
}

impl Val<'_> {
    /// The value as JSON.
    ///
    /// # Errors
    ///
    /// When JSON has nothing like it.
    pub(crate) fn to_json(&self) -> Result<Value, EvalError> {
        Ok(match self {
            Self::Null | Self::Optional(None) => Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::UInt(value) => (*value).into(),
            Self::Double(value) => Number::from_f64(*value).map_or(Value::Null, Value::Number),
            Self::Text(text) => Value::from(&**text),
            Self::Bytes(bytes) => STANDARD.encode(bytes).into(),
            Self::Optional(Some(inner)) => inner.to_json()?,
            Self::Duration(_) | Self::Timestamp(_) | Self::Opaque(_) => shown(self).into(),
            Self::Message(message) => {
                let mut members = Map::new();
                for (name, value) in &message.fields {
                    members.insert((*name).to_owned(), value.to_json()?);
                }
                Value::Object(members)
            }
            Self::List(_) | Self::Array(..) => {
                let items = self.items().unwrap_or_else(|| Ok(Vec::new()))?;
                Value::Array(items.iter().map(Self::to_json).collect::<Result<_, _>>()?)
            }
            Self::Map(_) | Self::Members(..) => {
                let mut members = Map::new();
                for (key, value) in self.pairs().unwrap_or_else(|| Ok(Vec::new()))? {
                    let Self::Text(key) = key else {
                        return Err(EvalError::new("map key is not a string"));
                    };
                    members.insert(key.to_string(), value.to_json()?);
                }
                Value::Object(members)
            }
            Self::Failed(error) => return Err((**error).clone()),
            Self::Type(_) | Self::Check(_) | Self::Lazy(_) => {
                return Err(EvalError::new(format!("type conversion error from '{}'", self.type_name())));
            }
        })
    }
}
