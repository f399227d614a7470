//! `Outcome`: the failures of a value, and how many of its checks passed.

use crate::protocol::FieldError;

/// The failures of a value.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Each with the text by which it is told only once.
    errors: Vec<(String, FieldError)>,
    /// How much of the value was looked at with success: what alternatives are compared by.
    matched: usize,
}

impl Outcome {
    pub(super) fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    pub(super) fn matched(&self) -> usize {
        self.matched
    }

    pub(super) fn count(&mut self) {
        self.matched += 1;
    }

    /// Adds a failure that is told by its detail.
    pub(super) fn add(&mut self, error: FieldError) {
        self.add_as(error.detail.clone(), error);
    }

    pub(super) fn add_as(&mut self, text: String, error: FieldError) {
        if self.errors.iter().all(|(known, _)| *known != text) {
            self.errors.push((text, error));
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (text, error) in other.errors {
            self.add_as(text, error);
        }
        self.matched += other.matched;
    }

    /// Drops the failures.
    pub(super) fn forgive(&mut self) {
        self.errors.clear();
    }

    pub(super) fn into_errors(self) -> Vec<FieldError> {
        self.errors.into_iter().map(|(_, error)| error).collect()
    }
}
