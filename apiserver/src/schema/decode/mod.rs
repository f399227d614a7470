//! Objects of built-in kinds in the form in which a real server keeps them: decoded into Go structs and written out again.
//!
//! In: a value and its type. Out: the value in that form (unknown fields dropped, empty ones left out or written as Go writes them, amounts
//! and times canonical), the unknown fields, or the decoder's complaint. It sets no defaults.

mod place;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use super::{
    LeftOut, Scalar, TypeSchema, builtin, canonical_quantity, go_json_kind,
    time::{canonical_micro_time, canonical_time},
    types::{GoField, Shape},
};
use place::{Place, Step};

/// A value in normal form.
#[derive(Clone, Debug, PartialEq)]
pub struct Normal {
    /// The value.
    pub value: Value,
    /// Findings such as `unknown field "spec.x"`, sorted by their place.
    pub unknown: Vec<String>,
    /// The empty lists and maps that the form leaves out.
    pub left_out: LeftOut,
}

/// Brings an object of a built-in kind into normal form. Values of custom kinds come back as they are.
///
/// # Errors
///
/// When a value does not fit its type, in the words of Go's decoder: the first such value.
pub fn normalize(value: Value, schema: &TypeSchema) -> Result<Normal, String> {
    let mut decoder = Decoder { unknown: Vec::new(), left_out: LeftOut::default(), failure: None };
    let mut value = value;
    decoder.value(&mut value, schema, &Place::root(schema));
    match decoder.failure {
        Some(failure) => Err(failure),
        None => Ok(Normal { value, unknown: decoder.unknown, left_out: decoder.left_out }),
    }
}

struct Decoder {
    unknown: Vec<String>,
    left_out: LeftOut,
    /// The first complaint.
    failure: Option<String>,
}

impl Decoder {
    fn fail(&mut self, text: String) {
        self.failure.get_or_insert(text);
    }

    /// Complains about a value of the wrong JSON kind.
    fn wrong(&mut self, value: &Value, place: &Place<'_>, go_type: &str) {
        let mut found = go_json_kind(value).to_owned();
        if let (Value::Number(number), true) = (value, go_type.starts_with("int")) {
            found = format!("number {number}");
        }
        self.unfit(&found, place, go_type);
    }

    /// Complains about what was found.
    fn unfit(&mut self, found: &str, place: &Place<'_>, go_type: &str) {
        let go_type = go_type.replace("[]byte", "[]uint8");
        let into = match place.holder() {
            "" => format!("Go value of type {go_type}"),
            holder => format!("Go struct field {holder}.{} of type {go_type}", place.fields()),
        };
        self.fail(format!("json: cannot unmarshal {found} into {into}"));
    }

    /// Brings a value into its form, in its place.
    fn value(&mut self, value: &mut Value, schema: &TypeSchema, place: &Place<'_>) {
        match (schema.shape(), value) {
            (Shape::Any, value) => self.any(value, schema, place),
            (Shape::Struct(_), _) if schema.is_raw() => {}
            (Shape::Scalar(scalar), value) => {
                let given = std::mem::take(value);
                *value = self.scalar(given, *scalar, place);
            }
            (Shape::Struct(_), Value::Object(members)) => {
                if schema.is_go_struct() {
                    self.members(members, schema, place);
                }
            }
            (Shape::Map { .. }, Value::Object(members)) => self.map(members, schema, place),
            (Shape::List { .. }, Value::Array(items)) => self.list(items, schema, place),
            // Takes what there is as it is.
            (Shape::Struct(_) | Shape::Map { .. }, _) if place.kind == "runtime.RawExtension" => {}
            (Shape::Struct(_) | Shape::Map { .. }, other) => {
                self.wrong(other, place, &place.go_type("map[string]interface {}"));
            }
            (Shape::List { .. }, other) => self.wrong(other, place, &place.go_type("[]interface {}")),
        }
    }

    /// A value without a type, but for schemas in definitions: they may stand beside a flag or a list, and read themselves.
    fn any(&mut self, value: &mut Value, schema: &TypeSchema, place: &Place<'_>) {
        let Some((beside, inner)) = beside(schema) else { return };
        let known = self.unknown.len();
        match (beside, &mut *value) {
            (_, Value::Object(_)) => self.value(value, &inner, place),
            (Beside::Flag, Value::Bool(_)) => {}
            (Beside::Flag, _) => self.fail("boolean or JSON schema expected".to_owned()),
            (Beside::Schemas, Value::Array(items)) => self.items(items, &inner, place),
            (Beside::Names, Value::Array(items)) => self.items(items, TypeSchema::text(), place),
            // What is neither a schema nor a list is nothing.
            (Beside::Schemas | Beside::Names, _) => *value = Value::Null,
        }
        // What reads itself tells of no unknown fields.
        self.unknown.truncate(known);
    }

    fn map(&mut self, members: &mut Map<String, Value>, schema: &TypeSchema, place: &Place<'_>) {
        let Some(below) = schema.values() else { return };
        for (name, value) in members.iter_mut() {
            self.item(value, below, &place.below(Step::Entry(name)));
        }
    }

    fn list(&mut self, items: &mut [Value], schema: &TypeSchema, place: &Place<'_>) {
        self.items(items, TypeSchema::or_deduced(schema.items()), place);
    }

    fn items(&mut self, items: &mut [Value], below: &TypeSchema, place: &Place<'_>) {
        for (index, value) in items.iter_mut().enumerate() {
            self.item(value, below, &place.below(Step::Item(index)));
        }
    }

    fn item(&mut self, value: &mut Value, schema: &TypeSchema, place: &Place<'_>) {
        if value.is_null() {
            *value = zero_item(schema);
        } else {
            self.value(value, schema, place);
        }
    }

    fn members(&mut self, members: &mut Map<String, Value>, schema: &TypeSchema, place: &Place<'_>) {
        // Maps of JSON are sorted by name.
        members.retain(|name, value| {
            let Some(field) = schema.field(name) else {
                let path = place.path();
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                self.unknown.push(format!("unknown field \"{path}\""));
                return false;
            };
            if value.is_null() {
                return false;
            }
            let below = field.schema();
            if field.gated {
                self.left_out.push_gated(place.way(name));
            }
            self.value(value, below, &place.field(schema, name, field));
            if value.is_null() {
                return Kept::of(schema) == Kept::Held;
            }
            let empty = LeftOut::is_possible(value, below).then(|| value.clone());
            let written = is_written(value, below, field.go.as_ref(), Kept::of(schema));
            if let Some(empty) = empty.filter(|_| !written || value.is_null()) {
                self.left_out.push(place.way(name), empty);
            }
            written
        });
        for (name, value) in schema.zero().as_object().into_iter().flatten() {
            if !members.contains_key(name) {
                members.insert(name.clone(), value.clone());
            }
        }
    }

    fn scalar(&mut self, value: Value, scalar: Scalar, place: &Place<'_>) -> Value {
        match (scalar, value) {
            (Scalar::Quantity, Value::String(text)) => {
                self.canonical(canonical_quantity(&text).map_err(str::to_owned))
            }
            (Scalar::Quantity, Value::Number(number)) => {
                self.canonical(canonical_quantity(&number.to_string()).map_err(str::to_owned))
            }
            (Scalar::Quantity, other) => {
                self.canonical(canonical_quantity(&other.to_string()).map_err(str::to_owned))
            }
            (Scalar::Time, Value::String(text)) => self.canonical(canonical_time(&text)),
            (Scalar::MicroTime, Value::String(text)) => self.canonical(canonical_micro_time(&text)),
            (Scalar::Bytes, Value::String(text)) => self.bytes(&text),
            (Scalar::Bytes, Value::Array(numbers)) => self.numbers(&numbers, place),
            (Scalar::String | Scalar::Duration, value @ Value::String(_))
            | (Scalar::Boolean, value @ Value::Bool(_))
            | (Scalar::Number, value @ Value::Number(_))
            | (Scalar::Untyped, value)
            | (Scalar::IntOrString, value @ Value::String(_)) => value,
            (Scalar::Int64, value) if value.is_i64() => value,
            (Scalar::Int32 | Scalar::IntOrString, value) if is_int32(&value) => value,
            (scalar, other) => {
                let fallback = match scalar {
                    Scalar::Int32 | Scalar::IntOrString => "int32",
                    Scalar::Int64 => "int64",
                    Scalar::Number => "float64",
                    Scalar::Boolean => "bool",
                    Scalar::Bytes => "[]uint8",
                    _ => "string",
                };
                let special = matches!(
                    scalar,
                    Scalar::IntOrString | Scalar::Bytes | Scalar::Time | Scalar::MicroTime | Scalar::Duration
                );
                let go_type = if special { fallback.to_owned() } else { place.go_type(fallback) };
                self.wrong(&other, place, &go_type);
                Value::Null
            }
        }
    }

    fn canonical(&mut self, found: Result<String, String>) -> Value {
        match found {
            Ok(text) => text.into(),
            Err(failure) => {
                self.fail(failure);
                Value::Null
            }
        }
    }

    /// Bytes as a list of numbers.
    fn numbers(&mut self, numbers: &[Value], place: &Place<'_>) -> Value {
        let mut bytes = Vec::with_capacity(numbers.len());
        for number in numbers {
            match number.as_u64().map(u8::try_from) {
                Some(Ok(byte)) => bytes.push(byte),
                _ if number.is_null() => bytes.push(0),
                _ => {
                    let found = match number {
                        Value::Number(number) => format!("number {number}"),
                        other => go_json_kind(other).to_owned(),
                    };
                    self.unfit(&found, place, "uint8");
                }
            }
        }
        STANDARD.encode(bytes).into()
    }

    fn bytes(&mut self, text: &str) -> Value {
        let text: String = text.chars().filter(|letter| !matches!(letter, '\r' | '\n')).collect();
        if STANDARD.decode(&text).is_err() {
            let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
            let good = text.bytes().take_while(plain).count();
            // What ends too early is wrong from its last group of four on.
            let at = if good == text.len() { good / 4 * 4 } else { good };
            self.fail(format!("illegal base64 data at input byte {at}"));
        }
        text.into()
    }
}

fn is_int32(value: &Value) -> bool {
    value.as_i64().is_some_and(|number| i32::try_from(number).is_ok())
}

/// What null stands for as an item or map value.
fn zero_item(schema: &TypeSchema) -> Value {
    match schema.scalar() {
        Some(Scalar::String | Scalar::Bytes) => "".into(),
        Some(Scalar::Int32 | Scalar::Int64 | Scalar::Number | Scalar::IntOrString) => 0.into(),
        Some(Scalar::Boolean) => false.into(),
        Some(Scalar::Quantity) => "0".into(),
        _ if schema.is_go_struct() => schema.zero().clone(),
        _ => Value::Null,
    }
}

/// Makes of a value what Go writes, and says whether it writes it at all.
fn is_written(value: &mut Value, schema: &TypeSchema, go: Option<&GoField>, kept: Kept) -> bool {
    let Some(go) = go.filter(|go| !go.pointer) else { return true };
    let empty = match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::Bool(flag) => !*flag,
        Value::Null => true,
    };
    let is_struct = matches!(schema.shape(), Shape::Struct(_));
    if !empty {
        return !(is_struct && go.omit_zero && value == schema.zero());
    }
    let whole = is_struct
        || matches!(
            schema.scalar(),
            Some(Scalar::Quantity | Scalar::IntOrString | Scalar::Time | Scalar::MicroTime)
        );
    if whole {
        return !go.omit_zero;
    }
    if go.omit_empty || go.omit_zero {
        return kept == Kept::Held && (value.is_array() || value.is_object());
    }
    let list = schema.list_kind().is_some() && !schema.is_deduced();
    if kept == Kept::Binary && (list || value.is_object()) {
        *value = Value::Null;
    }
    true
}

/// How a real server keeps objects: in the binary form an empty list is none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Binary,
    Text,
    /// As it was read until it is checked: the checks of schemas tell an empty list or map from none.
    Held,
}

impl Kept {
    /// Definitions are kept as JSON. A list of policies that is there and empty has no default, and is refused.
    fn of(schema: &TypeSchema) -> Self {
        if schema.name().ends_with(".HPAScalingRules") {
            return Self::Held;
        }
        match schema.name().strip_prefix("io.k8s.apiextensions-apiserver.") {
            Some(name) if name.ends_with(".JSONSchemaProps") => Self::Held,
            Some(_) => Self::Text,
            None => Self::Binary,
        }
    }
}

/// What may stand in the place of a schema in a definition.
#[derive(Clone, Copy)]
enum Beside {
    Flag,
    Schemas,
    Names,
}

/// What a type allows beside a schema, and the type of that schema.
fn beside(schema: &TypeSchema) -> Option<(Beside, TypeSchema)> {
    let ends = [("OrBool", Beside::Flag), ("OrStringArray", Beside::Names), ("OrArray", Beside::Schemas)];
    ends.into_iter().find_map(|(end, beside)| {
        let inner = builtin::definition(schema.name().strip_suffix(end)?)?;
        Some((beside, inner))
    })
}
