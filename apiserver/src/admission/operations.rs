//! JSON patches of policies and webhooks: the same operations as those of clients, but a failure is told in words.
//!
//! In: a document and operations. Out: the document after all of them, or which one does not apply and why.

use serde_json::{Value, json};

use crate::patch::JsonPatch;

/// Why operations cannot be applied.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unfit {
    /// A test does not hold.
    #[error("testing value {0} failed: test failed")]
    Test(String),
    /// An operation does not apply.
    #[error("{0}")]
    Other(String),
}

/// The document after all operations.
pub(super) fn apply(document: &Value, operations: &[Value]) -> Result<Value, Unfit> {
    let mut document = document.clone();
    for operation in operations {
        let patch = JsonPatch::from_value(&json!([operation]));
        match patch.and_then(|patch| patch.apply(&document)) {
            Ok(new) => document = new,
            Err(_) => return Err(why(&document, operation)),
        }
    }
    Ok(document)
}

fn why(document: &Value, operation: &Value) -> Unfit {
    let part = |name: &str| operation.get(name).and_then(Value::as_str).unwrap_or_default();
    let (op, path, from) = (part("op"), part("path"), part("from"));
    let missing = |text: String| Unfit::Other(format!("{text}: missing value"));
    let (holder, key) = path.rsplit_once('/').unwrap_or(("", path));
    let holder = document.pointer(holder);
    match op {
        "add" | "remove" if holder.is_none_or(is_leaf) => {
            missing(format!("{op} operation does not apply: doc is missing path: \"{path}\""))
        }
        "add" => Unfit::Other(format!("error in add for path: '{path}': {}", wrong_index(holder, key))),
        "remove" => {
            let inner = match holder {
                Some(Value::Array(_)) => wrong_index(holder, key),
                _ => format!("Unable to remove nonexistent key: {}: missing value", unescaped(key)),
            };
            Unfit::Other(format!("error in remove for path: '{path}': {inner}"))
        }
        "replace" if holder.is_none_or(is_leaf) => {
            missing(format!("replace operation does not apply: doc is missing path: {path}"))
        }
        "replace" => missing(format!("replace operation does not apply: doc is missing key: {path}")),
        "test" if holder.is_none_or(is_leaf) => {
            missing(format!("test operation does not apply: is missing path: {path}"))
        }
        "test" => Unfit::Test(path.to_owned()),
        "move" | "copy" if document.pointer(from).is_none() => {
            missing(format!("{op} operation does not apply: doc is missing from path: {from}"))
        }
        "move" | "copy" => {
            missing(format!("{op} operation does not apply: doc is missing destination path: {path}"))
        }
        other => Unfit::Other(format!("Unexpected kind: {other}")),
    }
}

fn is_leaf(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

fn unescaped(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}

fn wrong_index(holder: Option<&Value>, key: &str) -> String {
    match (holder, key.parse::<i64>()) {
        (Some(Value::Array(_)), Err(_)) => format!(
            "value was not a proper array index: '{key}': strconv.Atoi: parsing {}: invalid syntax",
            crate::protocol::quoted(key)
        ),
        (_, Ok(index)) => format!("Unable to access invalid index: {index}: invalid index referenced"),
        _ => "missing value".to_owned(),
    }
}
