//! JSON patch (RFC 6902), with the deviations of a real server: `replace` of an absent member adds it, `copy` from one adds null, `add`
//! without a value adds null, indexes may count from the end, a path's first segment is never looked at.
//!
//! In: operations and a document. Out: the document after them. It knows nothing of kinds.

use serde_json::{Map, Value};

use super::PatchError;

/// How many operations a patch may have.
pub const MAX_OPERATIONS: usize = 10_000;

/// A list of operations.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonPatch(Vec<Operation>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Operation {
    op: Option<String>,
    path: Option<String>,
    from: Option<String>,
    /// None where the member is absent, null where it is null.
    value: Option<Value>,
}

/// An operation that cannot be done; a real server tells no more.
struct Impossible;

type Done = Result<(), Impossible>;

impl JsonPatch {
    /// Reads the operations of a parsed body.
    ///
    /// # Errors
    ///
    /// When the body is no list of objects, or longer than [`MAX_OPERATIONS`].
    pub fn from_value(body: &Value) -> Result<Self, PatchError> {
        let items = match body {
            Value::Array(items) => items.as_slice(),
            Value::Null => &[],
            other => return Err(undecodable(other, "[]handlers.jsonPatchOp")),
        };
        let operations = items.iter().map(Operation::from_value).collect::<Result<Vec<_>, _>>()?;
        if operations.len() > MAX_OPERATIONS {
            return Err(PatchError::TooManyOperations(operations.len()));
        }
        Ok(Self(operations))
    }

    /// Members of operations that mean nothing, as strict field validation reports them: `json patch unknown field "[0].note"`.
    #[must_use]
    pub fn unknown_members(body: &Value) -> Vec<String> {
        let mut found = Vec::new();
        for (index, operation) in body.as_array().into_iter().flatten().enumerate() {
            let known = ["op", "path", "from", "value"];
            for name in operation
                .as_object()
                .into_iter()
                .flat_map(Map::keys)
                .filter(|name| !known.contains(&name.as_str()))
            {
                found.push(format!("json patch unknown field \"[{index}].{name}\""));
            }
        }
        found
    }

    /// The document after all operations.
    ///
    /// # Errors
    ///
    /// When an operation is unknown, incomplete, or does not fit the document.
    pub fn apply(&self, document: &Value) -> Result<Value, PatchError> {
        let mut document = document.clone();
        for operation in &self.0 {
            operation.apply(&mut document).map_err(|Impossible| PatchError::Rejected)?;
        }
        Ok(document)
    }
}

/// What Go says of a value that does not fit.
pub(super) fn undecodable(value: &Value, wanted: &str) -> PatchError {
    let found = crate::schema::go_json_kind(value);
    PatchError::BadRequest(format!(
        "error decoding patch: json: cannot unmarshal {found} into Go value of type {wanted}"
    ))
}

impl Operation {
    fn from_value(value: &Value) -> Result<Self, PatchError> {
        let members = match value {
            Value::Object(members) => members,
            Value::Null => return Ok(Self::default()),
            other => return Err(undecodable(other, "handlers.jsonPatchOp")),
        };
        let text = |name: &str| match members.get(name) {
            Some(Value::String(text)) => Ok(Some(text.clone())),
            None | Some(Value::Null) => Ok(None),
            Some(other) => {
                let found = crate::schema::go_json_kind(other);
                let text = format!(
                    "error decoding patch: json: cannot unmarshal {found} into Go struct field jsonPatchOp.{name} of type string"
                );
                Err(PatchError::BadRequest(text))
            }
        };
        Ok(Self {
            op: text("op")?,
            path: text("path")?,
            from: text("from")?,
            value: members.get("value").cloned(),
        })
    }

    fn apply(&self, document: &mut Value) -> Done {
        match self.op.as_deref() {
            Some("add") => add(document, self.path()?, self.value()),
            Some("remove") => take(document, self.path()?).map(drop),
            Some("replace") => self.replace(document),
            Some("move") => {
                let value = take(document, self.from()?)?;
                add(document, self.path()?, value)
            }
            Some("copy") => {
                let value = get(document, self.from()?)?.cloned().unwrap_or_default();
                add(document, self.path()?, value)
            }
            Some("test") => self.test(document),
            _ => Err(Impossible),
        }
    }

    fn path(&self) -> Result<&str, Impossible> {
        self.path.as_deref().ok_or(Impossible)
    }

    fn from(&self) -> Result<&str, Impossible> {
        self.from.as_deref().ok_or(Impossible)
    }

    fn value(&self) -> Value {
        self.value.clone().unwrap_or_default()
    }

    fn replace(&self, document: &mut Value) -> Done {
        let path = self.path()?;
        if path.is_empty() {
            let whole = self.value.as_ref().ok_or(Impossible)?;
            // A scalar changes nothing: a real server overlooks its own error here.
            if whole.is_object() || whole.is_array() {
                document.clone_from(whole);
            }
            return Ok(());
        }
        let (container, key) = find(document, path)?;
        match container {
            Value::Object(members) => {
                members.insert(key, self.value());
            }
            Value::Array(items) => {
                let index = index(&key, items.len())?;
                *items.get_mut(index).ok_or(Impossible)? = self.value();
            }
            _ => return Err(Impossible),
        }
        Ok(())
    }

    fn test(&self, document: &mut Value) -> Done {
        let path = self.path()?;
        let wanted = self.value.as_ref().ok_or(Impossible)?;
        let equal = if path.is_empty() {
            document == wanted
        } else {
            get(document, path)?.unwrap_or(&Value::Null) == wanted
        };
        equal.then_some(()).ok_or(Impossible)
    }
}

/// The container that a path's last segment is in, and that segment.
fn find<'a>(document: &'a mut Value, path: &str) -> Result<(&'a mut Value, String), Impossible> {
    let (_, path) = path.split_once('/').ok_or(Impossible)?;
    let (parents, last) = path.rsplit_once('/').map_or((None, path), |(parents, last)| (Some(parents), last));
    let mut current = document;
    for segment in parents.into_iter().flat_map(|parents| parents.split('/')) {
        let key = decode(segment);
        current = match current {
            Value::Object(members) => members.get_mut(&key).ok_or(Impossible)?,
            Value::Array(items) => {
                let index = index(&key, items.len())?;
                items.get_mut(index).ok_or(Impossible)?
            }
            _ => return Err(Impossible),
        };
    }
    match current {
        Value::Object(_) | Value::Array(_) => Ok((current, decode(last))),
        _ => Err(Impossible),
    }
}

fn decode(segment: &str) -> String {
    let mut out = String::with_capacity(segment.len());
    let mut rest = segment;
    while let Some(at) = rest.find('~') {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let (text, skipped) = match tail.as_bytes().get(1) {
            Some(b'0') => ("~", 2),
            Some(b'1') => ("/", 2),
            _ => ("~", 1),
        };
        out.push_str(text);
        rest = tail.get(skipped..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The place of an item; negative numbers count from the end.
fn index(key: &str, length: usize) -> Result<usize, Impossible> {
    let number: i64 = key.parse().map_err(|_| Impossible)?;
    let place = if number < 0 { i64::try_from(length).map_err(|_| Impossible)? + number } else { number };
    let place = usize::try_from(place).map_err(|_| Impossible)?;
    (place < length).then_some(place).ok_or(Impossible)
}

fn get<'a>(document: &'a mut Value, path: &str) -> Result<Option<&'a Value>, Impossible> {
    let (container, key) = find(document, path)?;
    match container {
        Value::Object(members) => Ok(members.get(&key)),
        Value::Array(items) => {
            let index = index(&key, items.len())?;
            Ok(items.get(index))
        }
        _ => Err(Impossible),
    }
}

fn take(document: &mut Value, path: &str) -> Result<Value, Impossible> {
    let (container, key) = find(document, path)?;
    match container {
        Value::Object(members) => members.remove(&key).ok_or(Impossible),
        Value::Array(items) => {
            let index = index(&key, items.len())?;
            Ok(items.remove(index))
        }
        _ => Err(Impossible),
    }
}

fn add(document: &mut Value, path: &str, value: Value) -> Done {
    let (container, key) = find(document, path)?;
    match container {
        Value::Object(members) => {
            members.insert(key, value);
        }
        Value::Array(items) if key == "-" => items.push(value),
        Value::Array(items) => {
            let index = index(&key, items.len() + 1)?;
            items.insert(index, value);
        }
        _ => return Err(Impossible),
    }
    Ok(())
}
