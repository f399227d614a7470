//! `Val`: a value while an expression runs.
//!
//! In: JSON, and what its schema says of it. Out: values that borrow from the JSON as long as nothing is computed: an object is not
//! copied in order to look at one of its fields.

use std::{net::IpAddr, rc::Rc, sync::Arc};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use super::{
    Decl, DeclKind, EvalError, Type, authority::Check, lazy::Lazy, library::Quantity, library::Semver,
    library::Url, message::Message, parse_duration, time::Moment,
};

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Val<'v> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Double(f64),
    Text(Text<'v>),
    Bytes(Rc<[u8]>),
    /// In nanoseconds.
    Duration(i64),
    Timestamp(Moment),
    List(Rc<Vec<Val<'v>>>),
    Map(Rc<Vec<(Val<'v>, Val<'v>)>>),
    /// A list of JSON.
    Array(&'v [Value], Option<&'v Arc<Decl>>),
    /// An object of JSON.
    Members(&'v Map<String, Value>, Option<&'v Arc<Decl>>),
    Optional(Option<Rc<Val<'v>>>),
    Type(Rc<str>),
    Opaque(Rc<Opaque>),
    /// An object that an expression has made, with the name of its type.
    Message(Rc<Message<'v>>),
    /// A question about rights, or its answer.
    Check(Rc<Check<'v>>),
    /// Members that are worked out when they are asked for.
    Lazy(Lazy<'v>),
    /// What could not be made of JSON: told where it is asked for.
    Failed(Rc<EvalError>),
}

/// A text, borrowed or made.
#[derive(Clone, Debug)]
pub(crate) enum Text<'v> {
    Borrowed(&'v str),
    Made(Rc<str>),
}

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Made(text) => text,
        }
    }
}

/// A value of a library.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Opaque {
    Quantity(Quantity),
    Url(Url),
    Ip(IpAddr),
    Cidr(IpAddr, u8),
    Semver(Semver),
    Format(&'static str),
}

impl<'v> Val<'v> {
    pub(crate) fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(Text::Made(text.into()))
    }

    /// An object of JSON of which nothing is known.
    pub(crate) fn members(members: &'v Map<String, Value>) -> Self {
        Self::Members(members, None)
    }

    pub(super) fn list(items: Vec<Self>) -> Self {
        Self::List(Rc::new(items))
    }

    pub(super) fn some(value: Self) -> Self {
        Self::Optional(Some(Rc::new(value)))
    }

    pub(super) fn opaque(value: Opaque) -> Self {
        Self::Opaque(Rc::new(value))
    }

    /// A value of JSON of which nothing is known.
    pub(crate) fn untyped(value: &'v Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => match number.as_i64() {
                Some(integer) => Self::Int(integer),
                None => Self::Double(number.as_f64().unwrap_or_default()),
            },
            Value::String(text) => Self::Text(Text::Borrowed(text)),
            Value::Array(items) => Self::Array(items, None),
            Value::Object(members) => Self::Members(members, None),
        }
    }

    /// A value of JSON, as its schema has it.
    pub(crate) fn typed(value: &'v Value, decl: Option<&'v Arc<Decl>>) -> Result<Self, EvalError> {
        let Some(decl) = decl else { return Ok(Self::untyped(value)) };
        Ok(match (&decl.kind, value) {
            (_, Value::Null) => Self::Null,
            (DeclKind::Object { .. } | DeclKind::Map { .. }, Value::Object(members)) => {
                Self::Members(members, Some(decl))
            }
            (DeclKind::List { .. }, Value::Array(items)) => Self::Array(items, Some(decl)),
            (DeclKind::Plain(Type::Double), Value::Number(number)) => {
                Self::Double(number.as_f64().unwrap_or_default())
            }
            // A number that was written with a fraction or an exponent is no integer for rules, whatever its value.
            (DeclKind::Plain(Type::Int), Value::Number(number)) => match number.as_i64() {
                Some(integer) => Self::Int(integer),
                None => return Err(EvalError::new("invalid data, expected int, got float64")),
            },
            (DeclKind::Plain(Type::Dyn), Value::Number(number))
                if decl.is_integer_or_text() && !number.is_i64() =>
            {
                let why = "invalid data, expected XIntOrString value to be either a string or integer";
                return Err(EvalError::new(why));
            }
            (DeclKind::Plain(Type::Bytes), Value::String(text)) => {
                let bytes = STANDARD.decode(text).map_err(|error| EvalError::new(error.to_string()))?;
                Self::Bytes(bytes.into())
            }
            (DeclKind::Plain(Type::Duration), Value::String(text)) => {
                let duration = parse_duration(text);
                Self::Duration(duration.ok_or_else(|| EvalError::new(format!("Invalid duration {text}")))?)
            }
            (DeclKind::Plain(Type::Timestamp), Value::String(text)) => {
                let found = Moment::read(text).or_else(|| Moment::read(&format!("{text}T00:00:00Z")));
                Self::Timestamp(found.ok_or_else(|| EvalError::new(format!("Invalid timestamp {text}")))?)
            }
            (kind, value) => match misfit(kind, value) {
                Some(why) => return Err(EvalError::new(format!("invalid data, expected {why}"))),
                None => Self::untyped(value),
            },
        })
    }

    /// The name of the value's type.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::UInt(_) => "uint",
            Self::Double(_) => "double",
            Self::Text(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::List(_) | Self::Array(..) => "list",
            Self::Map(_) | Self::Members(..) => "map",
            Self::Optional(_) => "optional_type",
            Self::Type(_) => "type",
            Self::Opaque(value) => match &**value {
                Opaque::Quantity(_) => "kubernetes.Quantity",
                Opaque::Url(_) => "kubernetes.URL",
                Opaque::Ip(_) => "net.IP",
                Opaque::Cidr(..) => "net.CIDR",
                Opaque::Semver(_) => "kubernetes.Semver",
                Opaque::Format(_) => "kubernetes.NamedFormat",
            },
            Self::Message(_) => "object",
            Self::Check(check) => check.type_name(),
            Self::Lazy(_) => "kubernetes.variables",
            Self::Failed(_) => "error",
        }
    }

    /// The items of a list.
    pub(super) fn items(&self) -> Option<Result<Vec<Self>, EvalError>> {
        match self {
            Self::List(items) => Some(Ok(items.to_vec())),
            _ => self.each().map(|items| items.into_iter().collect()),
        }
    }

    /// The items of a list, or what keeps one from being of its type.
    pub(super) fn each(&self) -> Option<Vec<Result<Self, EvalError>>> {
        match self {
            Self::List(items) => Some(items.iter().cloned().map(Ok).collect()),
            Self::Array(items, decl) => {
                let below = decl.and_then(|decl| decl.element());
                Some(items.iter().map(|item| Self::typed(item, below)).collect())
            }
            _ => None,
        }
    }

    /// Whether a real server can go through the members of an object: not where one is null, nor where rules do not see one.
    pub(super) fn is_walkable(&self) -> bool {
        let Self::Members(members, Some(decl)) = self else { return true };
        let DeclKind::Object { fields, .. } = &decl.kind else { return true };
        let seen = fields.values().filter(|field| there(members, &field.name).is_some()).count();
        seen == members.len()
    }

    /// The pairs of a map or object, as far as the schema shows them.
    pub(super) fn pairs(&self) -> Option<Result<Vec<(Self, Self)>, EvalError>> {
        match self {
            Self::Map(pairs) => Some(Ok(pairs.to_vec())),
            Self::Members(members, None) => Some(Ok(members
                .iter()
                .map(|(name, value)| (Self::Text(Text::Borrowed(name)), Self::untyped(value)))
                .collect())),
            Self::Members(members, Some(decl)) => Some(match &decl.kind {
                DeclKind::Object { fields, .. } => fields
                    .iter()
                    .filter_map(|(name, field)| Some((name, field, there(members, &field.name)?)))
                    .map(|(name, field, value)| {
                        Ok((Self::Text(Text::Borrowed(name)), Self::typed(value, Some(&field.decl))?))
                    })
                    .collect(),
                _ => members
                    .iter()
                    .map(|(name, value)| {
                        Ok((Self::Text(Text::Borrowed(name)), Self::typed(value, decl.element())?))
                    })
                    .collect(),
            }),
            _ => None,
        }
    }

    /// The name of the type that holds the value in a real server.
    pub(super) fn go_name(&self) -> &'static str {
        match self {
            Self::Null => "types.Null",
            Self::Bool(_) => "types.Bool",
            Self::Int(_) => "types.Int",
            Self::UInt(_) => "types.Uint",
            Self::Double(_) => "types.Double",
            Self::Text(_) => "types.String",
            Self::Bytes(_) => "types.Bytes",
            Self::Duration(_) => "types.Duration",
            Self::Timestamp(_) => "types.Timestamp",
            Self::Optional(_) => "*types.Optional",
            _ => "*types.Type",
        }
    }

    /// The keys of a map or object, whose values are not looked at.
    pub(super) fn keys(&self) -> Option<Vec<Self>> {
        let text = |name: &'v str| Self::Text(Text::Borrowed(name));
        Some(match self {
            Self::Map(pairs) => pairs.iter().map(|(key, _)| key.clone()).collect(),
            Self::Members(members, decl) => match decl.map(|decl| &decl.kind) {
                Some(DeclKind::Object { fields, .. }) => {
                    let known = fields.iter().filter(|(_, field)| there(members, &field.name).is_some());
                    known.map(|(name, _)| text(name)).collect()
                }
                _ => members.keys().map(|name| text(name)).collect(),
            },
            _ => return None,
        })
    }

    /// An item of a list, by its place.
    pub(super) fn item(&self, at: usize) -> Option<Result<Self, EvalError>> {
        match self {
            Self::List(items) => items.get(at).cloned().map(Ok),
            Self::Array(items, decl) => {
                Some(Self::typed(items.get(at)?, decl.and_then(|decl| decl.element())))
            }
            _ => None,
        }
    }

    /// How many elements a list or map has.
    pub(super) fn size(&self) -> Option<usize> {
        match self {
            Self::List(items) => Some(items.len()),
            Self::Array(items, _) => Some(items.len()),
            Self::Map(pairs) => Some(pairs.len()),
            Self::Members(members, _) => Some(members.len()),
            Self::Text(text) => Some(text.chars().count()),
            Self::Bytes(bytes) => Some(bytes.len()),
            _ => None,
        }
    }

    /// A member by its name, where it is there.
    pub(super) fn member(&self, name: &str) -> Option<Result<Self, EvalError>> {
        match self {
            Self::Members(members, None) => members.get(name).map(|value| Ok(Self::untyped(value))),
            Self::Members(members, Some(decl)) => match &decl.kind {
                DeclKind::Object { fields, .. } => {
                    let field = fields.get(name)?;
                    there(members, &field.name).map(|value| Self::typed(value, Some(&field.decl)))
                }
                _ => members.get(name).map(|value| Self::typed(value, decl.element())),
            },
            Self::Map(pairs) => {
                let found = pairs.iter().find(|(key, _)| matches!(key, Self::Text(key) if **key == *name));
                found.map(|(_, value)| Ok(value.clone()))
            }
            Self::Message(message) => message.member(name).map(Ok),
            Self::Lazy(lazy) => lazy.member(name),
            _ => None,
        }
    }
}

/// A member of an object whose fields are declared: null is as good as absent there.
fn there<'v>(members: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    members.get(name).filter(|value| !value.is_null())
}

/// What was expected where a value is not of its type: where nothing is checked before rules are run.
fn misfit(kind: &DeclKind, value: &Value) -> Option<String> {
    let found = match value {
        Value::Null => return None,
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_i64() => "int64",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    };
    let wanted = match (kind, value) {
        (DeclKind::Object { .. } | DeclKind::Map { .. }, _) => {
            return Some("a map for the provided schema with type=object".to_owned());
        }
        (DeclKind::List { .. }, _) => {
            return Some("an array for the provided schema with type=array".to_owned());
        }
        (DeclKind::Plain(Type::String), Value::String(_)) | (DeclKind::Plain(Type::Bool), Value::Bool(_)) => {
            return None;
        }
        (DeclKind::Plain(Type::String | Type::Bytes | Type::Duration | Type::Timestamp), _) => "string",
        (DeclKind::Plain(Type::Bool), _) => "bool",
        (DeclKind::Plain(Type::Int), _) => "int",
        (DeclKind::Plain(Type::Double), _) => "float",
        _ => return None,
    };
    Some(format!("{wanted}, got {found}"))
}
