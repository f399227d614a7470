//! Package v1 is one.
// +kubebuilder:validation:Optional
// +groupName=e.example.com

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::LocalObjectReference;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, MicroTime, ObjectMeta, OwnerReference, Time};
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use kube::core::Duration;
use kube_codegen_runtime::object::TypeMeta;
use std::collections::BTreeMap;

/// E one.
// +kubebuilder:storageversion
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:name="X",type="integer",JSONPath=`.spec.x`,priority=0
// +kubebuilder:metadata:labels=a=b
#[derive(Serialize, Deserialize)]
pub struct E {
    #[serde(flatten, skip_deserializing)]
    type_meta: TypeMeta<E>,
    metadata: ObjectMeta,
    spec: ESpec,
    // +required
    status: EStatus,
}

/// Selector wraps.
#[derive(Serialize, Deserialize)]
pub struct Selector {
    #[serde(flatten)]
    reference: LocalObjectReference,
    /// Key in it.
    // +kubebuilder:validation:Required
    key: String,
}

/// ESpec one.
// +kubebuilder:validation:MaxProperties=20
// +kubebuilder:externalDocs:url=https://e.example.com
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ESpec {
    x: i64,
    // +required
    y: Option<String>,
    /// Selector in it.
    selector: Selector,
    /// Doc of field.
    // +kubebuilder:title=Field
    selectors: Vec<Selector>,
    raw: RawExtension,
    raws: Vec<RawExtension>,
    // +kubebuilder:pruning:PreserveUnknownFields
    j: JSON,
    // +nullable
    jm: BTreeMap<String, JSON>,
    t: Time,
    tm: MicroTime,
    d: Duration,
    ls: Option<LabelSelector>,
    or: Vec<OwnerReference>,
    // +listType=set
    // +kubebuilder:validation:items:Enum=a;b
    // +kubebuilder:default={a}
    set: Vec<String>,
    // +kubebuilder:default={b: z}
    // +kubebuilder:example={}
    obj: Option<Sub>,
    // +kubebuilder:default={x: {y: 1}}
    nest: BTreeMap<String, BTreeMap<String, isize>>,
    bytes: ByteString,
    bytes_list: Vec<ByteString>,
    arr: [i32; 3],
    // +kubebuilder:validation:Enum="1";"2"
    // +kubebuilder:default="1"
    num: String,
    // +kubebuilder:default=-3
    // +kubebuilder:validation:Minimum=-10
    neg: i32,
    // +kubebuilder:validation:MaxLength=0
    // +kubebuilder:validation:Pattern=""
    empty: String,
    // +kubebuilder:validation:ExclusiveMinimum=false
    excl: i32,
    // +k8s:required
    #[serde(rename = "subR")]
    sub_r: Sub,
    // +k8s:optional
    // +kubebuilder:validation:Required
    both: String,
    sub_map: BTreeMap<String, Sub>,
    sub_ptrs: Vec<Option<Sub>>,
}

/// Sub is sub.
// +structType=granular
#[derive(Serialize, Deserialize)]
pub struct Sub {
    // +kubebuilder:default=5
    a: isize,
    #[serde(flatten)]
    common: Common,
}

/// Common is common.
#[derive(Serialize, Deserialize)]
pub struct Common {
    /// A of common.
    // +kubebuilder:validation:Maximum=9
    a: isize,
    // +required
    b: String,
}

/// EStatus one.
#[derive(Serialize, Deserialize)]
pub struct EStatus {}
