//! Webhook configurations: one for all mutating webhooks, one for all validating ones.

use crate::model::{Manifests, WebhookKind};
use crate::output::{Generator, Manifest};
use serde_json::{Value, json};

/// The name of the file.
const FILE_NAME: &str = "manifests.yaml";

/// The file with the configurations; `None` when there are no webhooks.
pub fn files(manifests: &Manifests) -> Option<Manifest> {
    let documents: Vec<Value> = [
        configuration(manifests, WebhookKind::Mutating, "mutating-webhook-configuration"),
        configuration(manifests, WebhookKind::Validating, "validating-webhook-configuration"),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!documents.is_empty()).then(|| Manifest {
        name: FILE_NAME.to_owned(),
        generator: Generator::Webhook,
        documents,
    })
}

fn configuration(manifests: &Manifests, kind: WebhookKind, usual_name: &str) -> Option<Value> {
    let mut webhooks: Vec<_> = manifests.webhooks.iter().filter(|webhook| webhook.kind == kind).collect();
    if webhooks.is_empty() {
        return None;
    }
    webhooks.sort_by(|left, right| left.name.cmp(&right.name));
    let named = manifests.configurations.iter().find(|configuration| configuration.kind == kind);
    let name = named.and_then(|configuration| configuration.name.as_deref()).unwrap_or(usual_name);
    Some(json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind.configuration(),
        "metadata": { "name": name },
        "webhooks": webhooks.iter().map(|webhook| Value::Object(webhook.entry.clone())).collect::<Vec<_>>(),
    }))
}
