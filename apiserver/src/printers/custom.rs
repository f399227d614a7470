//! The cells of custom kinds: what the columns of a definition find in an object.
//!
//! In: columns, each a type and a path. Out: cells. A column shows the first thing that its path finds, if it is of the column's type.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    Cells,
    age::{human, now_minus},
    json_path::JsonPath,
    value::name,
};

/// A column of a custom kind, as `additionalPrinterColumns` of its definition has it.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    name: String,
    kind: String,
    format: String,
    description: String,
    priority: i64,
    path: JsonPath,
}

const NAME: &str = "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
const MADE: &str = "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

impl Column {
    /// Reads one entry of `additionalPrinterColumns`; none where its path is not one.
    pub(crate) fn read(entry: &Value) -> Option<Self> {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        let path = text("jsonPath");
        let description = match text("description") {
            "" => format!("Custom resource definition column (in JSONPath format): {path}"),
            description => description.to_owned(),
        };
        Some(Self {
            name: text("name").to_owned(),
            kind: text("type").to_owned(),
            format: text("format").to_owned(),
            description,
            priority: entry.get("priority").and_then(Value::as_i64).unwrap_or_default(),
            path: JsonPath::parse(path)?,
        })
    }

    /// The column of kinds that name none.
    pub(crate) fn age() -> Self {
        Self {
            name: "Age".to_owned(),
            kind: "date".to_owned(),
            format: String::new(),
            description: MADE.to_owned(),
            priority: 0,
            path: JsonPath::parse(".metadata.creationTimestamp").unwrap_or_default(),
        }
    }

    fn definition(&self) -> String {
        let Self { name, kind, format, description, priority, .. } = self;
        let text = |text: &str| json!(text).to_string();
        format!(
            r#"{{"name":{},"type":{},"format":{},"description":{},"priority":{priority}}}"#,
            text(name),
            text(kind),
            text(format),
            text(description),
        )
    }

    fn cell(&self, object: &Value, now: Timestamp) -> Value {
        let found = self.path.find(object);
        let Some(value) = found.first().filter(|value| !value.is_null()) else {
            return Value::Null;
        };
        match (self.kind.as_str(), value) {
            ("string", Value::String(text)) => text.as_str().into(),
            ("string", value) => value.to_string().into(),
            ("integer", Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => whole.into(),
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a fraction is cut off, as a real server does"
                )]
                (None, Some(broken)) => (broken as i64).into(),
                _ => Value::Null,
            },
            ("number", Value::Number(_)) | ("boolean", Value::Bool(_)) => (*value).clone(),
            ("date", Value::String(text)) if text.is_empty() => "<unknown>".into(),
            ("date", Value::String(text)) => match text.parse::<Timestamp>() {
                Ok(then) => human(now_minus(now, then)).into(),
                Err(_) => "<invalid>".into(),
            },
            _ => Value::Null,
        }
    }
}

/// The definitions of the name and these columns, as JSON.
pub(super) fn definitions(columns: &[Column]) -> std::sync::Arc<str> {
    let name = format!(
        r#"{{"name":"Name","type":"string","format":"name","description":{},"priority":0}}"#,
        json!(NAME)
    );
    let all: Vec<String> = std::iter::once(name).chain(columns.iter().map(Column::definition)).collect();
    format!("[{}]", all.join(",")).into()
}

/// The cells of an object.
pub(super) fn cells(columns: &[Column], object: &Value, now: Timestamp) -> Cells {
    let name = Value::from(name(object));
    std::iter::once(name).chain(columns.iter().map(|column| column.cell(object, now))).collect()
}
