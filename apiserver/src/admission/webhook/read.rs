//! `Webhook`: one webhook of a configuration, ready to be asked.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    admission::{
        calls::Target,
        matching::Matching,
        policy::{Expression, Failure, Reinvocation},
    },
    cel::admission::{Compiler, Named, Names, Wanted},
    protocol::Fields,
};

/// What a webhook may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::admission) enum Kind {
    Mutating,
    Validating,
}

/// A webhook.
#[derive(Debug)]
pub(in crate::admission) struct Webhook {
    pub name: String,
    pub target: Target,
    pub matching: Matching,
    pub conditions: Vec<Expression>,
    pub failure: Failure,
    pub reinvocation: Reinvocation,
    /// The version of the review that it is sent.
    pub version: &'static str,
}

/// The webhooks of these configurations, in their order.
pub(in crate::admission) fn read(configurations: &[Fields]) -> Vec<Arc<Webhook>> {
    let hooks = configurations
        .iter()
        .flat_map(|one| one.get("webhooks").and_then(Value::as_array).into_iter().flatten());
    hooks.map(|said| Arc::new(Webhook::read(said))).collect()
}

impl Webhook {
    fn read(said: &Value) -> Self {
        let text = |name: &str| said.get(name).and_then(Value::as_str).unwrap_or_default();
        let items = |name: &str| said.get(name).and_then(Value::as_array).into_iter().flatten();
        let names = Names { authorizer: Named::Yes, ..Names::default() };
        let condition = |said: &Value| {
            let text = said.get("expression").and_then(Value::as_str).unwrap_or_default();
            let program = Compiler::default().compile(text, names, Wanted::Bool);
            Expression { text: text.to_owned(), program }
        };
        let timeout = said.get("timeoutSeconds").and_then(Value::as_u64).unwrap_or(10);
        let mut known = items("admissionReviewVersions").filter_map(Value::as_str);
        let beta = known.find(|version| ["v1", "v1beta1"].contains(version)) == Some("v1beta1");
        let empty = Value::Null;
        Self {
            name: text("name").to_owned(),
            target: Target::read(said.get("clientConfig").unwrap_or(&empty), timeout),
            matching: Matching::of_webhook(said),
            conditions: items("matchConditions").map(condition).collect(),
            failure: Failure::read(said.get("failurePolicy")),
            reinvocation: Reinvocation::read(said.get("reinvocationPolicy")),
            version: if beta { "v1beta1" } else { "v1" },
        }
    }
}
