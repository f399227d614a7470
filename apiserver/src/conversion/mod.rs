//! Conversion webhooks: how objects get from one version of their kind into another where a webhook decides.
//!
//! In: an object and the version that is wanted. Out: the object in that version, if the webhook has been asked already; else the question is
//! left on the desk and the request waits. The reviews that webhooks are sent, and what is wrong with their answers. Nobody is called here.

mod desk;
mod metadata;
mod review;

use std::sync::Arc;

use serde_json::Value;

use crate::protocol::Fields;

pub(crate) use desk::{Desk, Failure, Known};
pub(crate) use review::Asked;

/// What converts the objects of one kind.
#[derive(Debug)]
pub(crate) struct Converter {
    /// Where the webhook is, as the definition says.
    pub client: Value,
    /// The version of the review that it is sent.
    review: Review,
    desk: Arc<Desk>,
}

/// The versions of reviews.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Review {
    V1,
    V1Beta1,
}

impl Review {
    fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V1Beta1 => "v1beta1",
        }
    }
}

/// Why there is no converted object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unconverted {
    /// The webhook has to be asked first.
    Waits,
    /// It has been, and this came of it.
    Failed(String),
}

/// An object that is to be converted.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub converter: Arc<Converter>,
    /// The wanted `apiVersion`.
    pub desired: String,
    /// The object as the webhook is shown it.
    pub sent: String,
}

impl Converter {
    /// What a definition says of its webhook.
    pub(crate) fn new(webhook: &Value, desk: Arc<Desk>) -> Self {
        let versions = webhook.get("conversionReviewVersions").and_then(Value::as_array);
        let mut known = versions.into_iter().flatten().filter_map(|version| match version.as_str() {
            Some("v1") => Some(Review::V1),
            Some("v1beta1") => Some(Review::V1Beta1),
            _ => None,
        });
        let client = webhook.get("clientConfig").cloned().unwrap_or_default();
        Self { client, review: known.next().unwrap_or(Review::V1), desk }
    }

    /// Whether whoever asks now can wait for a webhook.
    pub(crate) fn is_asked(&self) -> bool {
        self.desk.is_open()
    }

    /// An object in another version, as the webhook says.
    pub(crate) fn convert(self: &Arc<Self>, object: &Fields, desired: &str) -> Result<Fields, Unconverted> {
        let sent = serde_json::to_string(object).unwrap_or_default();
        self.desk.ask(Question { converter: Arc::clone(self), desired: desired.to_owned(), sent })
    }

    /// Leaves word of what could not be converted: whoever needed it has to ask.
    pub(crate) fn note(&self, failure: Failure) {
        self.desk.note(failure);
    }
}
