//! Sets as `fieldsV1` documents: `f:` a field, `k:` a list item by key, `v:` by value, `i:` by index, `.` the node itself.

use serde_json::{Map, Value};

use super::{FieldSet, PathElement, set::Node};

/// How deep a document may go.
const DEEPEST: usize = 500;

impl FieldSet {
    /// The document of the set.
    #[must_use]
    pub fn to_fields_v1(&self) -> Value {
        Value::Object(self.members())
    }

    fn members(&self) -> Map<String, Value> {
        let member = |node: &Node| {
            let mut below = node.below.members();
            if node.is_member && !below.is_empty() {
                below.insert(".".into(), Value::Object(Map::new()));
            }
            (node.element.encode(), Value::Object(below))
        };
        self.nodes().iter().map(member).collect()
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
        let mut nodes = Vec::with_capacity(members.len());
        let mut itself = members.is_empty();
        for (name, below) in members {
            if name == "." {
                itself = true;
                continue;
            }
            let Some(element) = PathElement::decode(name)? else { continue };
            let (below, is_member) = Self::read(below, depth + 1)?;
            nodes.push(Node { element, is_member, below });
        }
        Ok((nodes.into_iter().collect(), itself))
    }
}
