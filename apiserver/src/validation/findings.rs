//! `Findings`: what is wrong with an object, in the order in which a real server tells it.
//!
//! In: places and sentences. Out: the errors. It never looks at values but to print them.

use serde_json::Value;

use crate::{
    protocol::{FieldError, printed},
    schema::internal::{Code, Internal},
};

use super::Spot;

/// What has been found so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    errors: Vec<FieldError>,
    /// What a real server finds by its declared rules, which run after the written ones.
    declared: Vec<FieldError>,
    /// Whether these are findings of declared rules.
    by_declaration: bool,
    /// The form in which a real server holds the object, and in which it shows parts of it.
    form: Option<Internal>,
}

impl Findings {
    /// For an object of a built-in kind.
    pub(crate) fn about(object: &Value) -> Self {
        let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
        let group = text("apiVersion").split_once('/').map_or("", |(group, _)| group);
        Self { form: Internal::of_kind(group, text("kind")), ..Self::default() }
    }

    /// The value of a place as a real server shows it.
    pub(crate) fn shown(&self, spot: &Spot<'_>) -> String {
        let value = spot.value();
        if value.is_object() || value.is_array() || value.is_null() {
            let code = self.form.and_then(|form| form.at(&spot.path()));
            return code.map_or_else(|| printed(value), |code| code.print(value));
        }
        printed(value)
    }

    /// How a struct differs from what it was.
    pub(crate) fn difference(&self, name: &str, old: &Value, new: &Value) -> String {
        Internal::of_struct(name).map(Code::from).map(|code| code.difference(old, new)).unwrap_or_default()
    }

    /// For a part of the same object, whose findings go another way.
    pub(crate) fn fresh(&self) -> Self {
        Self { by_declaration: self.by_declaration, form: self.form, ..Self::default() }
    }

    /// Everything that was found.
    pub(crate) fn into_errors(mut self) -> Vec<FieldError> {
        self.errors.append(&mut self.declared);
        self.errors
    }

    /// Runs checks whose findings come at the end.
    pub(crate) fn declared(&mut self, check: impl FnOnce(&mut Self)) {
        let mut inner = Self { by_declaration: true, ..self.fresh() };
        check(&mut inner);
        self.declared.extend(inner.into_errors());
    }

    /// Runs checks of which only the declared rules count.
    pub(crate) fn declared_alone(&mut self, check: impl FnOnce(&mut Self)) {
        let mut inner = self.fresh();
        check(&mut inner);
        self.declared.append(&mut inner.declared);
    }

    /// How much has been found.
    pub(crate) fn count(&self) -> usize {
        self.errors.len() + self.declared.len()
    }

    /// Says how the value of the last error is shown.
    pub(crate) fn last_value(&mut self, text: &str) {
        if let Some(last) = self.errors.last_mut() {
            text.clone_into(&mut last.value);
        }
    }

    /// One more error.
    pub(crate) fn push(&mut self, mut error: FieldError) {
        if self.by_declaration && error.detail.starts_with("must be no more than ") {
            // Declared rules count the same and call it by another name.
            error.detail = error.detail.replace(" characters", " bytes");
        }
        self.errors.push(error);
    }

    /// A value that must be there is not.
    pub(crate) fn required(&mut self, spot: &Spot<'_>, detail: impl Into<String>) {
        self.push(FieldError::required(spot.path(), detail));
    }

    /// The value breaks a rule.
    pub(crate) fn invalid(&mut self, spot: &Spot<'_>, detail: impl Into<String>) {
        self.push(FieldError::invalid_printed(spot.path(), self.shown(spot), detail));
    }

    /// The value breaks a rule and is told in another form.
    pub(crate) fn invalid_as(&mut self, spot: &Spot<'_>, value: impl Into<Value>, detail: impl Into<String>) {
        self.push(FieldError::invalid(spot.path(), &value.into(), detail));
    }

    /// The value, printed by the caller, breaks a rule.
    pub(crate) fn invalid_printed(
        &mut self,
        spot: &Spot<'_>,
        value: impl Into<String>,
        detail: impl Into<String>,
    ) {
        self.push(FieldError::invalid_printed(spot.path(), value, detail));
    }

    /// The value breaks these rules.
    pub(crate) fn all(&mut self, spot: &Spot<'_>, details: impl IntoIterator<Item = impl Into<String>>) {
        for detail in details {
            self.invalid(spot, detail);
        }
    }

    /// The value must not be set, or not be changed.
    pub(crate) fn forbidden(&mut self, spot: &Spot<'_>, detail: impl Into<String>) {
        self.push(FieldError::forbidden(spot.path(), detail));
    }

    /// The value is none of these.
    pub(crate) fn not_supported(&mut self, spot: &Spot<'_>, supported: &[&str]) {
        let text = Value::from(spot.str());
        let value = if spot.is_set() { spot.value() } else { &text };
        self.push(FieldError::not_supported(spot.path(), value, supported));
    }

    /// The value is there twice.
    pub(crate) fn duplicate(&mut self, spot: &Spot<'_>) {
        self.push(FieldError::duplicate_printed(spot.path(), self.shown(spot)));
    }

    /// The value is there twice and is told in another form.
    pub(crate) fn duplicate_as(&mut self, spot: &Spot<'_>, value: impl Into<Value>) {
        self.push(FieldError::duplicate(spot.path(), &value.into()));
    }

    /// What the value refers to is not there.
    pub(crate) fn not_found(&mut self, spot: &Spot<'_>) {
        self.push(FieldError::not_found(spot.path(), &Value::from(spot.str())));
    }

    /// The text is longer than this.
    pub(crate) fn too_long(&mut self, spot: &Spot<'_>, limit: usize) {
        self.push(FieldError::too_long(spot.path(), limit));
    }

    /// The text has more characters than this.
    pub(crate) fn too_long_characters(&mut self, spot: &Spot<'_>, limit: usize) {
        self.push(FieldError::too_long_characters(spot.path(), limit));
    }

    /// The list has more items than this.
    pub(crate) fn too_many(&mut self, spot: &Spot<'_>, count: usize, limit: usize) {
        self.push(FieldError::too_many(spot.path(), count, limit));
    }

    /// A text that must not be empty and must be one of these.
    pub(crate) fn one_of(&mut self, spot: &Spot<'_>, supported: &[&str]) {
        if spot.is_empty() {
            self.required(spot, "");
        } else if !supported.contains(&spot.str()) {
            self.not_supported(spot, supported);
        }
    }

    /// A text that may be absent and is else one of these.
    pub(crate) fn maybe_one_of(&mut self, spot: &Spot<'_>, supported: &[&str]) {
        if spot.is_set() && !supported.contains(&spot.str()) {
            self.not_supported(spot, supported);
        }
    }

    /// A text that must not be empty.
    pub(crate) fn present(&mut self, spot: &Spot<'_>) {
        if spot.is_empty() {
            self.required(spot, "");
        }
    }

    /// A number that must not be below nothing.
    pub(crate) fn not_negative(&mut self, spot: &Spot<'_>) {
        if spot.int().is_some_and(|number| number < 0) {
            self.invalid(spot, super::NOT_NEGATIVE);
        }
    }

    /// A number between these, both included.
    pub(crate) fn within(&mut self, spot: &Spot<'_>, low: i64, high: i64) {
        if spot.int().is_some_and(|number| number < low || number > high) {
            self.invalid(spot, format!("must be between {low} and {high}, inclusive"));
        }
    }

    /// A text that must be as it was, and is empty where it is absent.
    pub(crate) fn immutable_text(&mut self, new: &Spot<'_>, old: &Spot<'_>) {
        if new.str() != old.str() {
            self.invalid_as(new, new.str(), super::IMMUTABLE);
        }
    }

    /// A value that must be as it was.
    pub(crate) fn immutable(&mut self, new: &Spot<'_>, old: &Spot<'_>) {
        if new.value() == old.value() {
            return;
        }
        if self.by_declaration {
            // A declared rule does not show the value.
            return self.invalid_printed(new, "null", super::IMMUTABLE);
        }
        self.invalid(new, super::IMMUTABLE);
    }
}
