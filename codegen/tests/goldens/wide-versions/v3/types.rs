// +kubebuilder:skip
// +groupName=e.example.com
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
// +kubebuilder:object:root=true
#[derive(Serialize, Deserialize)]
pub struct E {
    #[serde(flatten, skip_deserializing)]
    type_meta: TypeMeta<E>,
    metadata: ObjectMeta,
    z: f64,
}
