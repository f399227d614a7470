//! A cluster that asks webhooks, and the webhooks that it asks.

use std::{collections::BTreeMap, sync::Arc};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api, Client,
    api::{DynamicObject, PostParams},
    core::{ApiResource, GroupVersionKind},
};
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::webhook::{
    AdmissionRequest, Defaulter, Denied, FieldError, Validator, Warnings, WebhookServer, mutating_path,
    validating_path,
};
use serde_json::{Value, json};

/// ConfigMaps with a color, which is `red` if nobody says it, must be one of three, and stays what it is.
pub(crate) struct Colors;

const COLORS: [&str; 3] = ["blue", "green", "red"];
const FIELD: &str = "data.color";

pub(crate) fn color(map: &ConfigMap) -> &str {
    map.data.as_ref().and_then(|data| data.get("color")).map_or("", String::as_str)
}

impl Defaulter<ConfigMap> for Colors {
    async fn default(
        &self,
        map: &mut ConfigMap,
        request: &AdmissionRequest<ConfigMap>,
    ) -> Result<(), Denied> {
        assert!(request.object.is_some());
        map.data.get_or_insert_default().entry("color".to_owned()).or_insert_with(|| "red".to_owned());
        Ok(())
    }
}

impl Validator<ConfigMap> for Colors {
    async fn validate_create(
        &self,
        new: &ConfigMap,
        request: &AdmissionRequest<ConfigMap>,
    ) -> Result<Warnings, Denied> {
        assert!(request.user_info.username.is_some());
        match color(new) {
            "black" => panic!("black is too much"),
            "gray" => Err("gray is not a color".into()),
            color if !COLORS.contains(&color) => {
                Err(Denied::invalid(new, [FieldError::not_supported(FIELD, color, COLORS)]))
            }
            "green" => Ok(vec!["green is out of fashion".to_owned()]),
            _ => Ok(Warnings::new()),
        }
    }

    async fn validate_update(
        &self,
        old: &ConfigMap,
        new: &ConfigMap,
        _: &AdmissionRequest<ConfigMap>,
    ) -> Result<Warnings, Denied> {
        if color(old) == color(new) {
            return Ok(Warnings::new());
        }
        let errors = [
            FieldError::invalid(FIELD, color(new), format!("was {:?}", color(old))),
            FieldError::forbidden(FIELD, "cannot be changed"),
        ];
        Err(Denied::invalid(new, errors))
    }

    async fn validate_delete(
        &self,
        old: &ConfigMap,
        _: &AdmissionRequest<ConfigMap>,
    ) -> Result<Warnings, Denied> {
        if color(old) == "blue" { Err("blue stays".into()) } else { Ok(Warnings::new()) }
    }
}

pub(crate) fn colors(server: WebhookServer) -> WebhookServer {
    server.defaulter::<ConfigMap>(Colors).validator::<ConfigMap>(Colors)
}

/// Webhooks that are asked without a network.
pub(crate) fn unserved() -> WebhookServer {
    WebhookServer::new(([127, 0, 0, 1], 0).into(), "nowhere")
}

/// Makes an object of any kind.
pub(crate) async fn make(client: &Client, (group, version, kind): (&str, &str, &str), object: Value) {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind));
    let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
    api.create(&PostParams::default(), &serde_json::from_value(object).unwrap()).await.unwrap();
}

/// Tells a cluster that its ConfigMaps are looked at under this address.
pub(crate) async fn configure(client: &Client, address: &str, authority: Option<String>) {
    for (kind, path) in [
        ("MutatingWebhookConfiguration", mutating_path::<ConfigMap>()),
        ("ValidatingWebhookConfiguration", validating_path::<ConfigMap>()),
    ] {
        let group = ("admissionregistration.k8s.io", "v1", kind);
        let webhook = json!({
            "name": "colors.example.com",
            "clientConfig": {"url": format!("{address}{path}"), "caBundle": authority},
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"]}],
            "sideEffects": "None", "admissionReviewVersions": ["v1"],
        });
        let object = json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
            "metadata": {"name": "colors"}, "webhooks": [webhook],
        });
        make(client, group, object).await;
    }
}

/// A cluster that asks these webhooks in this process.
pub(crate) async fn cluster(webhooks: WebhookServer) -> Api<ConfigMap> {
    const ADDRESS: &str = "https://webhooks.test";
    let server = ApiServer::default();
    let webhooks = Arc::new(webhooks);
    let paths: Vec<String> = webhooks.paths().map(str::to_owned).collect();
    for path in paths {
        let webhooks = Arc::clone(&webhooks);
        server.webhook(&format!("{ADDRESS}{path}"), move |review| {
            let (webhooks, path) = (Arc::clone(&webhooks), path.clone());
            async move { webhooks.answer(&path, review).await }
        });
    }
    configure(&server.client(), ADDRESS, None).await;
    Api::default_namespaced(server.client())
}

pub(crate) fn map(name: &str, color: Option<&str>) -> ConfigMap {
    let mut map = ConfigMap::default();
    map.metadata.name = Some(name.to_owned());
    map.data = color.map(|color| BTreeMap::from([("color".to_owned(), color.to_owned())]));
    map
}
