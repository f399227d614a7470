//! Label selectors as objects write them: `matchLabels` and `matchExpressions`.
//!
//! In: the value of such a field. Out: a [`LabelSelector`], or why it is none.

use serde_json::Value;

use super::{
    field_error::quoted,
    label_selector::{LabelSelector, Requirement, Rule},
};

impl LabelSelector {
    /// Reads the selector of an object; an empty one selects everything.
    pub(crate) fn of_object(selector: &Value) -> Result<Self, String> {
        let labels = selector.get("matchLabels").and_then(Value::as_object);
        let mut requirements: Vec<Requirement> = labels
            .into_iter()
            .flatten()
            .map(|(key, value)| Requirement {
                key: key.clone(),
                rule: Rule::In(vec![value.as_str().unwrap_or_default().to_owned()]),
            })
            .collect();
        let expressions = selector.get("matchExpressions").and_then(Value::as_array);
        for expression in expressions.into_iter().flatten() {
            requirements.push(requirement(expression)?);
        }
        Ok(Self::of_requirements(requirements))
    }
}

fn requirement(expression: &Value) -> Result<Requirement, String> {
    let text = |name: &str| expression.get(name).and_then(Value::as_str).unwrap_or_default();
    let values = expression.get("values").and_then(Value::as_array);
    let values: Vec<String> =
        values.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let rule = match text("operator") {
        "In" => Rule::In(values),
        "NotIn" => Rule::NotIn(values),
        "Exists" => Rule::Exists,
        "DoesNotExist" => Rule::Absent,
        other => return Err(format!("{} is not a valid label selector operator", quoted(other))),
    };
    Ok(Requirement { key: text("key").to_owned(), rule })
}
