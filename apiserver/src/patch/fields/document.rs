//! Sets as `fieldsV1` documents: `f:` a field, `k:` a list item by key, `v:` by value, `i:` by index, `.` the node itself.

use serde_json::{Map, Value};

use super::{FieldSet, PathElement};

/// How deep a document may go.
const DEEPEST: usize = 500;

impl FieldSet {
    /// The document of the set.
    #[must_use]
    pub fn to_fields_v1(&self) -> Value {
        Value::Object(self.members())
    }

    fn members(&self) -> Map<String, Value> {
        let mut out = Map::new();
        for element in &self.members {
            out.insert(element.encode(), Value::Object(Map::new()));
        }
        for (element, child) in &self.children {
            let mut below = child.members();
            if self.members.contains(element) {
                below.insert(".".into(), Value::Object(Map::new()));
            }
            out.insert(element.encode(), Value::Object(below));
        }
        out
    }

    /// The set of a document.
    ///
    /// # Errors
    ///
    /// When it is no such document, with the reason.
    pub fn from_fields_v1(document: &Value) -> Result<Self, String> {
        Self::read(document, 0).map(|(set, _)| set)
    }

    /// The set below a node, and whether the node itself is in.
    fn read(document: &Value, depth: usize) -> Result<(Self, bool), String> {
        let Value::Object(members) = document else { return Err(format!("no object: {document}")) };
        if depth > DEEPEST {
            return Err("nested too deep".into());
        }
        let mut set = Self::default();
        let mut itself = members.is_empty();
        for (name, below) in members {
            if name == "." {
                itself = true;
                continue;
            }
            let Some(element) = PathElement::decode(name)? else { continue };
            let (child, member) = Self::read(below, depth + 1)?;
            if !child.is_empty() {
                set.children.insert(element.clone(), child);
            }
            if member {
                set.members.insert(element);
            }
        }
        Ok((set, itself))
    }
}
