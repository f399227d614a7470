//! Namespaces: the label with their own name, the finalizer in the spec, the phase.

use serde_json::{Value, json};

use crate::protocol::{FieldError, Fields, names::qualified_name_errors};

use super::{Strategy, at, child, set, text};

/// The strategy of namespaces.
#[derive(Debug)]
pub(super) struct Namespaces;

const NAME_LABEL: &str = "kubernetes.io/metadata.name";

impl Strategy for Namespaces {
    fn default(&self, object: &mut Fields) {
        label(object);
    }

    fn prepare_create(&self, object: &mut Fields) {
        let given = at(object, "spec.finalizers").and_then(Value::as_array).cloned();
        let mut finalizers = given.unwrap_or_default();
        if !finalizers.iter().any(|finalizer| finalizer == "kubernetes") {
            finalizers.push("kubernetes".into());
        }
        set(object, "spec.finalizers", finalizers);
        object.insert("status".to_owned(), json!({"phase": "Active"}));
        label(object);
    }

    fn prepare_update(&self, object: &mut Fields, old: &Fields) {
        match old.get("spec").cloned() {
            Some(spec) => object.insert("spec".to_owned(), spec),
            None => object.remove("spec"),
        };
        label(object);
    }

    fn validate_new(&self, object: &Fields) -> Vec<FieldError> {
        let mut errors = self.validate(object);
        // Of a new one a real server does not tell which.
        for error in &mut errors {
            "spec.finalizers".clone_into(&mut error.field);
        }
        errors
    }

    fn validate(&self, object: &Fields) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let finalizers = at(object, "spec.finalizers").and_then(Value::as_array);
        for (index, name) in finalizers.into_iter().flatten().enumerate() {
            let (field, name) = (format!("spec.finalizers[{index}]"), name.as_str().unwrap_or_default());
            for why in qualified_name_errors(name) {
                errors.push(FieldError::invalid_text(&field, name, why));
            }
            if !name.contains('/') && name != "kubernetes" {
                let why = "name is neither a standard finalizer name nor is it fully qualified";
                errors.push(FieldError::invalid_text(field, name, why));
            }
        }
        errors
    }

    fn validate_status(&self, object: &Fields, _old: &Fields) -> Vec<FieldError> {
        Vec::from_iter(phase_fits(object).err())
    }
}

/// The phase says whether the namespace is being deleted.
fn phase_fits(object: &Fields) -> Result<(), FieldError> {
    let phase = text(object, "status.phase");
    let (wanted, is) = match at(object, "metadata.deletionTimestamp") {
        None | Some(Value::Null) => ("Active", "is empty"),
        Some(_) => ("Terminating", "is not empty"),
    };
    if phase == wanted {
        return Ok(());
    }
    let why = format!("may only be '{wanted}' if `deletionTimestamp` {is}");
    Err(FieldError::invalid_text("status.Phase", phase, why))
}

fn label(object: &mut Fields) {
    let name = text(object, "metadata.name").to_owned();
    if !name.is_empty() {
        let labels = child(object, "metadata").and_then(|metadata| child(metadata, "labels"));
        if let Some(labels) = labels {
            labels.insert(NAME_LABEL.to_owned(), name.into());
        }
    }
}
