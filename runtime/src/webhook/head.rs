//! What a review and its answer have in common.
//!
//! In: a review of either kind. Out: its request, and later the answer to it.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Denied, conversion};

/// The version and kind of a review, and the name of its request.
#[derive(Clone, Debug)]
pub(super) struct Head {
    api_version: Value,
    kind: Value,
    uid: Value,
}

impl Head {
    /// The head of a review.
    pub(super) fn of(review: &Value) -> Self {
        Self {
            api_version: review["apiVersion"].clone(),
            kind: review["kind"].clone(),
            uid: review["request"]["uid"].clone(),
        }
    }

    /// The head of a review, and its request.
    pub(super) fn split(mut review: Value) -> (Self, Value) {
        let head = Self::of(&review);
        (head, review.get_mut("request").map(Value::take).unwrap_or_default())
    }

    /// The answer to a review of admission: allowed, with more to say, or denied.
    pub(super) fn answer(self, verdict: Result<impl Serialize, Denied>) -> Value {
        let written = verdict.and_then(|verdict| serde_json::to_value(verdict).map_err(Denied::internal));
        let mut response = match written {
            Ok(Value::Object(response)) => response,
            Ok(_) => serde_json::Map::new(),
            Err(why) => return self.refuse(&why),
        };
        response.insert("uid".to_owned(), self.uid.clone());
        response.insert("allowed".to_owned(), true.into());
        self.with(&response.into())
    }

    /// The answer to a review of either kind, refused.
    pub(super) fn refuse(self, why: &Denied) -> Value {
        if self.kind == "ConversionReview" {
            return self.converted(Err(why.to_string()));
        }
        let response = json!({"uid": self.uid, "allowed": false, "status": why.status()});
        self.with(&response)
    }

    /// The answer to a review of conversion.
    pub(super) fn converted(self, outcome: Result<Vec<Value>, String>) -> Value {
        let (result, objects) = conversion::told(outcome);
        let response = json!({"uid": self.uid, "result": result, "convertedObjects": objects});
        self.with(&response)
    }

    fn with(&self, response: &Value) -> Value {
        json!({"apiVersion": self.api_version, "kind": self.kind, "response": response})
    }
}
