//! Signing requests: what somebody has asked for is not changed any more.

use crate::protocol::Fields;

use super::Strategy;

/// The strategy of signing requests.
#[derive(Debug)]
pub(super) struct SigningRequests;

impl Strategy for SigningRequests {
    fn prepare_update(&self, object: &mut Fields, old: &Fields) {
        match old.get("spec") {
            Some(spec) => object.insert("spec".to_owned(), spec.clone()),
            None => object.remove("spec"),
        };
    }
}
