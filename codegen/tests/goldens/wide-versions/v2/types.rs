// +groupName=e.example.com
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
/// E two.
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:unservedversion
// +kubebuilder:deprecatedversion
// +kubebuilder:selectablefield:JSONPath=.spec.a
#[derive(Serialize, Deserialize)]
pub struct E {
    #[serde(flatten, skip_deserializing)]
    type_meta: TypeMeta<E>,
    metadata: ObjectMeta,
    spec: Spec,
}
#[derive(Serialize, Deserialize)]
pub struct Spec {
    a: String,
}
