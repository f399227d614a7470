//! Types to definitions to a server.

use std::fs;

use kube::{
    Api, Client,
    api::{ApiResource, DynamicObject, PostParams},
    core::GroupVersionKind,
};
use kube_codegen::{
    Inputs, PackageInput, Wanted,
    crd::{CrdOptions, Definition},
    diagnostic::Diagnostics,
    load_definitions,
};
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

/// What stands above the types of a case.
const HEAD: &str = "\
// +groupName=case.example.com
// +versionName=v1
use k8s_openapi::api::core::v1::{Container, PodTemplateSpec, Probe, ResourceRequirements};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

// +kubebuilder:object:root=true
// <markers>
#[derive(Serialize, Deserialize)]
pub struct Thing {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Thing>,
    pub metadata: ObjectMeta,
    pub spec: ThingSpec,
}
";

/// The definition of the kind `Thing`, whose spec and other types a case has.
pub(crate) fn define(types: &str, options: &CrdOptions) -> Result<Definition, Diagnostics> {
    define_with("", types, options)
}

/// The same with further markers on the kind.
pub(crate) fn define_with(
    markers: &str,
    types: &str,
    options: &CrdOptions,
) -> Result<Definition, Diagnostics> {
    let head = HEAD.replace("// <markers>", markers);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("v1.rs");
    let types =
        types.replace("#[types]", "#[derive(Serialize, Deserialize)]\n#[serde(rename_all = \"camelCase\")]");
    fs::write(&file, format!("{head}\n{types}")).unwrap();
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new([PackageInput::new(file, "", "")]) };
    Ok(load_definitions(&inputs, options)?.definitions.remove(0))
}

/// A server that serves one custom kind.
pub(crate) struct Served {
    pub(crate) client: Client,
    pub(crate) definition: Value,
    things: Api<DynamicObject>,
    resource: ApiResource,
    // The client ends with its server.
    _server: ApiServer,
}

impl Served {
    /// Serves the kind `Thing` of a case; a definition that is refused is a failure.
    pub(crate) async fn new(types: &str) -> Self {
        Self::with(types, &CrdOptions::default()).await
    }

    pub(crate) async fn with(types: &str, options: &CrdOptions) -> Self {
        let definition = define(types, options).unwrap_or_else(|wrong| panic!("{wrong}"));
        let server = ApiServer::builder().build();
        let client = server.client();
        let value = definition.to_value();
        let definitions = definitions(client.clone());
        let object: DynamicObject = serde_json::from_value(value.clone()).unwrap();
        definitions.create(&PostParams::default(), &object).await.unwrap();
        let kind = GroupVersionKind::gvk(&definition.group, "v1", &definition.kind);
        let resource = ApiResource::from_gvk_with_plural(&kind, &definition.plural);
        let things = Api::namespaced_with(client.clone(), "default", &resource);
        Self { client, definition: value, things, resource, _server: server }
    }

    /// Creates an object with this spec, and says what was stored.
    pub(crate) async fn create(&self, spec: Value) -> kube::Result<Value> {
        let mut object = DynamicObject::new("", &self.resource).data(json!({ "spec": spec }));
        object.metadata.name = None;
        object.metadata.generate_name = Some("thing-".to_owned());
        let stored = self.things.create(&PostParams::default(), &object).await?;
        Ok(stored.data["spec"].clone())
    }

    pub(crate) async fn accepts(&self, spec: Value) {
        let outcome = self.create(spec.clone()).await;
        assert!(outcome.is_ok(), "{spec} is refused: {}", outcome.unwrap_err());
    }

    /// The message with which an object is refused.
    pub(crate) async fn refuses(&self, spec: Value) -> String {
        match self.create(spec.clone()).await {
            Ok(stored) => panic!("{spec} is accepted, and stored as {stored}"),
            Err(error) => error.to_string(),
        }
    }

    /// The schema of the spec.
    pub(crate) fn spec_schema(&self) -> &Value {
        &self.definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    }
}

/// The definitions of a server.
pub(crate) fn definitions(client: Client) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    Api::all_with(client, &ApiResource::from_gvk_with_plural(&kind, "customresourcedefinitions"))
}
