//! The code of the guide to webhooks.

use kube::{Api, api::PostParams};
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    manager::{Manager, ManagerConfig},
    webhook::{Conversion, WebhookServer, validating_path},
};
use sample_apis::cnat::v1alpha1::At;
use serde_json::json;

// ANCHOR: rules
use kube_codegen_runtime::webhook::{AdmissionRequest, Defaulter, Denied, FieldError, Validator, Warnings};

struct Rules;

impl Defaulter<At> for Rules {
    async fn default(&self, at: &mut At, _: &AdmissionRequest<At>) -> Result<(), Denied> {
        let labels = at.metadata.labels.get_or_insert_default();
        labels.entry("tier".to_owned()).or_insert_with(|| "batch".to_owned());
        Ok(())
    }
}

impl Validator<At> for Rules {
    async fn validate_update(
        &self,
        old: &At,
        new: &At,
        _: &AdmissionRequest<At>,
    ) -> Result<Warnings, Denied> {
        if old.spec.schedule == new.spec.schedule {
            return Ok(Warnings::new());
        }
        Err(Denied::invalid(new, [FieldError::forbidden("spec.schedule", "cannot be changed")]))
    }
}
// ANCHOR_END: rules

#[test]
fn under_a_manager() {
    let manager = Manager::builder().build();
    let config = ManagerConfig::default();
    // ANCHOR: manager
    let webhooks = config.webhook_server().defaulter::<At>(Rules).validator::<At>(Rules);
    manager.add_webhooks(webhooks);
    // ANCHOR_END: manager
}

#[tokio::test]
async fn in_a_test() {
    // ANCHOR: test
    use std::sync::Arc;

    let server = ApiServer::builder().register_all(sample_client::fake::registrations()).build();
    let webhooks = WebhookServer::new(([127, 0, 0, 1], 0).into(), "nowhere").validator::<At>(Rules);
    let webhooks = Arc::new(webhooks);
    server.webhook("https://hooks.test/validate", move |review| {
        let webhooks = Arc::clone(&webhooks);
        async move { webhooks.answer(&validating_path::<At>(), review).await }
    });
    // ... and a ValidatingWebhookConfiguration whose `clientConfig` has this url.
    // ANCHOR_END: test
    let configurations: Api<k8s_openapi::api::admissionregistration::v1::ValidatingWebhookConfiguration> =
        Api::all(server.client());
    let rule = json!({
        "apiGroups": ["cnat.ishankhare.dev"], "apiVersions": ["v1alpha1"], "operations": ["UPDATE"], "resources": ["ats"],
    });
    let webhook = json!({
        "name": "vat.kb.io", "rules": [rule], "sideEffects": "None", "admissionReviewVersions": ["v1"],
        "clientConfig": {"url": "https://hooks.test/validate"},
    });
    let configuration = json!({"metadata": {"name": "rules"}, "webhooks": [webhook]});
    configurations
        .create(&PostParams::default(), &serde_json::from_value(configuration).unwrap())
        .await
        .unwrap();
    let ats: Api<At> = Api::default_namespaced(server.client());
    let mut at = At::default();
    at.metadata.name = Some("nightly".to_owned());
    let mut at = ats.create(&PostParams::default(), &at).await.unwrap();
    at.spec.schedule = "2030-01-31T12:00:00Z".to_owned();
    let refused = ats.replace("nightly", &PostParams::default(), &at).await.unwrap_err().to_string();
    assert!(refused.contains("spec.schedule: Forbidden: cannot be changed"), "{refused}");
}

mod old {
    #![expect(unreachable_pub, reason = "what the derive makes is public")]

    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
    #[kube(group = "example.com", version = "v1alpha1", kind = "Lamp")]
    pub struct LampSpec {
        pub watts: u16,
    }
}

mod new {
    #![expect(unreachable_pub, reason = "what the derive makes is public")]

    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
    #[kube(group = "example.com", version = "v1", kind = "Lamp")]
    pub struct LampSpec {
        pub milliwatts: u32,
    }
}

// ANCHOR: versions
impl From<old::Lamp> for new::Lamp {
    fn from(lamp: old::Lamp) -> Self {
        let spec = new::LampSpec { milliwatts: u32::from(lamp.spec.watts) * 1000 };
        Self { metadata: lamp.metadata, spec }
    }
}

impl TryFrom<new::Lamp> for old::Lamp {
    type Error = std::num::TryFromIntError;

    fn try_from(lamp: new::Lamp) -> Result<Self, Self::Error> {
        let spec = old::LampSpec { watts: u16::try_from(lamp.spec.milliwatts / 1000)? };
        Ok(Self { metadata: lamp.metadata, spec })
    }
}
// ANCHOR_END: versions

#[tokio::test]
async fn versions() {
    let webhooks = ManagerConfig::default().webhook_server();
    // ANCHOR: conversion
    let webhooks = webhooks.conversion(Conversion::<new::Lamp>::hub().spoke::<old::Lamp>());
    // ANCHOR_END: conversion
    let lamp = json!({"apiVersion": "example.com/v1alpha1", "kind": "Lamp", "metadata": {"name": "l"}, "spec": {"watts": 4}});
    let request = json!({"uid": "u", "desiredAPIVersion": "example.com/v1", "objects": [lamp]});
    let review =
        json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request});
    let answer = webhooks.answer("/convert", review).await;
    assert_eq!(answer["response"]["convertedObjects"][0]["spec"]["milliwatts"], 4000);
}
