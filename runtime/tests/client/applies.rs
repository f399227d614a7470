//! Typed applies.

use k8s_openapi::{api::core::v1::ConfigMap, apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry};
use kube_codegen_runtime::{
    client::{Error, PatchParams, ResourceClient},
    object::{ApplyConfiguration, ObjectMeta, TypeMeta},
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::mock::Mock;

#[derive(Clone, Default, Serialize)]
struct Settings {
    #[serde(flatten)]
    type_meta: TypeMeta<ConfigMap>,
    metadata: ObjectMeta,
}

impl ApplyConfiguration for Settings {
    type Object = ConfigMap;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

fn settings() -> Settings {
    let metadata = ObjectMeta {
        name: Some("settings".into()),
        managed_fields: Some(vec![ManagedFieldsEntry::default()]),
        ..ObjectMeta::default()
    };
    Settings { metadata, ..Settings::default() }
}

fn client(mock: &Mock) -> ResourceClient<ConfigMap> {
    ResourceClient::namespaced(mock.client(), "default")
}

fn body(namespace: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "namespace": namespace}})
}

#[tokio::test]
async fn are_sent_with_namespace_and_without_managed_fields() {
    let answers = [(); 4].map(|()| body("default"));
    let (mock, forced) = (Mock::answering(answers), PatchParams::apply("me").force());
    let client = client(&mock);
    let configuration = settings();
    client.apply(&configuration, "me").await.unwrap();
    client.apply_with(&forced, &configuration).await.unwrap();
    client.apply_status(&configuration, "me").await.unwrap();
    client.apply_status_with(&forced, &configuration).await.unwrap();

    let path = "PATCH /api/v1/namespaces/default/configmaps/settings";
    assert_eq!(
        mock.lines(),
        [
            format!("{path}?&fieldManager=me"),
            format!("{path}?&force=true&fieldManager=me"),
            format!("{path}/status?&fieldManager=me"),
            format!("{path}/status?&force=true&fieldManager=me"),
        ]
    );
    for seen in mock.seen() {
        assert_eq!(
            (seen.body, seen.content_type.as_str()),
            (body("default"), "application/apply-patch+yaml")
        );
    }
    assert!(configuration.metadata.managed_fields.is_some(), "the caller's value is left alone");
}

/// The server judges a namespace that differs; it is not overwritten.
#[tokio::test]
async fn keep_a_namespace_of_their_own() {
    let mock = Mock::answering([body("other")]);
    let mut configuration = settings();
    configuration.metadata.namespace = Some("other".into());
    client(&mock).apply(&configuration, "me").await.unwrap();
    assert_eq!(mock.only().body, body("other"));
}

#[tokio::test]
async fn need_a_name_and_a_namespace() {
    let mock = Mock::default();
    let nameless = Settings::default();
    for result in
        [client(&mock).apply(&nameless, "me").await, client(&mock).apply_status(&nameless, "me").await]
    {
        assert!(matches!(result, Err(Error::MissingName { .. })), "{result:?}");
    }
    let everywhere = ResourceClient::<ConfigMap>::namespaced(mock.client(), "");
    for result in
        [everywhere.apply(&settings(), "me").await, everywhere.apply_status(&settings(), "me").await]
    {
        assert!(matches!(result, Err(Error::MissingNamespace { .. })), "{result:?}");
    }
    assert!(mock.seen().is_empty());
}
