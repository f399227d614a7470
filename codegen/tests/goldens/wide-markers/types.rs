// +groupName=c.example.com
// +versionName=v1
use k8s_openapi::api::core::v1::ObjectReference;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube_codegen_runtime::object::TypeMeta;
use std::collections::BTreeMap;

/// Word is text.
// +kubebuilder:validation:MaxLength=10
// +kubebuilder:title="A word"
#[derive(Serialize, Deserialize)]
pub struct Word(String);

/// Name is a word.
// +kubebuilder:validation:MinLength=2
#[derive(Serialize, Deserialize)]
pub struct Name(Word);

/// Bag is a list.
// +kubebuilder:validation:MinItems=1
// +kubebuilder:validation:items:MaxLength=5
// +listType=set
#[derive(Serialize, Deserialize)]
pub struct Bag(Vec<Name>);

/// Table is a map.
// +kubebuilder:validation:MaxProperties=4
// +mapType=atomic
#[derive(Serialize, Deserialize)]
pub struct Table(BTreeMap<String, Name>);

/// Num is whole.
// +kubebuilder:validation:Minimum=-5
// +kubebuilder:validation:ExclusiveMaximum=true
// +kubebuilder:validation:Maximum=50
#[derive(Serialize, Deserialize)]
pub struct Num(i64);

/// Row has a key.
// +kubebuilder:validation:XValidation:rule="!has(self.b) || self.a != string(self.b)",message="differ",reason=FieldValueForbidden,fieldPath=".a"
// +structType=atomic
#[derive(Serialize, Deserialize)]
pub struct Row {
    /// A is first.
    // +k8s:required
    a: Name,
    // +optional
    #[serde(default)]
    b: Num,
}

/// Inner is flattened.
// +kubebuilder:validation:XValidation:rule="has(self.x)"
// +kubebuilder:validation:AtMostOneOf=x;y
#[derive(Serialize, Deserialize)]
pub struct Inner {
    /// X of inner.
    // +kubebuilder:validation:Minimum=1
    // +optional
    x: Option<i32>,
    // +optional
    y: Option<Num>,
}

/// Deeper holds Inner.
#[derive(Serialize, Deserialize)]
pub struct Deeper {
    #[serde(flatten)]
    inner: Inner,
    /// Z of deeper.
    // +k8s:immutable
    // +optional
    z: Option<Bag>,
}

/// C is a kind.
/// It has two lines.
// +kubebuilder:resource:path=cees,shortName=c;cc,categories={all,some},singular=cee,scope=Namespaced
// +kubebuilder:printcolumn:name="A",type=string,JSONPath=".spec.name",description="What, and why",priority=1,format=date-time
// +kubebuilder:subresource:scale:specpath=.spec.num,statuspath=.status.num
// +kubebuilder:deprecatedversion:warning="c.example.com/v1 C is old; use d"
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() < 10",messageExpression="'too long: ' + self.metadata.name"
#[derive(Serialize, Deserialize)]
pub struct C {
    #[serde(flatten, skip_deserializing)]
    type_meta: TypeMeta<C>,
    metadata: ObjectMeta,
    /// Spec of it.
    // +kubebuilder:validation:XValidation:rule="oldSelf.hasValue() || self.num > 0",optionalOldSelf=true
    // +optional
    spec: Option<CSpec>,
    // +optional
    status: Option<CStatus>,
}

/// CStatus is seen.
#[derive(Serialize, Deserialize)]
pub struct CStatus {
    // +optional
    // +listType=map
    // +listMapKey=type
    // +patchStrategy=merge
    conditions: Vec<Condition>,
    num: Num,
}

/// CSpec has all.
// +kubebuilder:validation:ExactlyOneOf=p;q
// +kubebuilder:validation:ExactlyOneOf=r;s
// +kubebuilder:validation:AtLeastOneOf=p;q;r
// +kubebuilder:validation:XValidation:rule="true",message=first
// +kubebuilder:validation:XValidation:rule="1 == 1",message="second, with comma"
#[derive(Serialize, Deserialize)]
pub struct CSpec {
    #[serde(flatten)]
    deeper: Deeper,
    /// Name of it.
    // +kubebuilder:validation:MaxLength=8
    // +kubebuilder:validation:Pattern="^[a-z]{2,3}$"
    name: Name,
    // +kubebuilder:validation:MaxItems=3
    // +kubebuilder:validation:items:MinLength=3
    names: Vec<Name>,
    // +nullable
    // +listType=atomic
    bag: Bag,
    // +kubebuilder:validation:MinProperties=1
    // +kubebuilder:default={a: bb}
    #[serde(default)]
    table: Table,
    // +kubebuilder:validation:Maximum=20
    // +kubebuilder:validation:MultipleOf=5
    num: Num,
    /// Rows of it.
    // +listType=map
    // +listMapKey=a
    // +kubebuilder:validation:items:XValidation:rule="self.a.size() > 1"
    // +optional
    rows: Vec<Row>,
    // +optional
    row: Option<Row>,
    // +optional
    p: Option<String>,
    // +optional
    q: Option<i64>,
    // +optional
    r: Vec<String>,
    // +optional
    s: BTreeMap<String, String>,
    // +kubebuilder:default={{a: xx, b: 1},{a: yy}}
    // +optional
    t: Vec<Row>,
    // +kubebuilder:externalDocs:url="https://example.com/x?y=z",description="The docs"
    // +kubebuilder:title="U"
    // +kubebuilder:example={a: "b", c: {1,2}}
    // +optional
    u: Option<ObjectReference>,
    // +kubebuilder:validation:XIntOrString
    // +kubebuilder:validation:Pattern="^[0-9]+%?$"
    // +kubebuilder:default="25%"
    // +optional
    v: Option<IntOrString>,
    // +default="x y"
    // +optional
    w: String,
    // +default={"a":[1,2.5],"b":null}
    // +kubebuilder:pruning:PreserveUnknownFields
    // +optional
    y2: Option<ObjectMeta>,
    // +kubebuilder:validation:Type=string
    // +kubebuilder:validation:Format=duration
    // +optional
    dur: i64,
    // +kubebuilder:validation:EmbeddedResource
    // +kubebuilder:pruning:PreserveUnknownFields
    // +kubebuilder:validation:Schemaless
    // +kubebuilder:validation:Type=object
    // +nullable
    // +optional
    any: Vec<String>,
    // +kubebuilder:validation:Enum=1;2;4
    // +optional
    e: i32,
    // +kubebuilder:validation:Enum="a b";"";c
    // +optional
    f: String,
    // +kubebuilder:validation:items:Enum=x;y
    // +kubebuilder:validation:UniqueItems=false
    // +optional
    g: Vec<String>,
    // +kubebuilder:validation:Enum=true
    // +optional
    h: bool,
    // +kubebuilder:validation:Minimum=0
    // +kubebuilder:validation:Minimum=3
    // +optional
    i: isize,
    // +k8s:required
    // +kubebuilder:validation:MinLength=4
    j: String,
    // +k8s:required
    k: BTreeMap<String, Row>,
    // +k8s:required
    l: Row,
    // +k8s:required
    m: Num,
    /// Matrix
    n: Vec<Vec<Name>>,
    o: BTreeMap<String, Vec<BTreeMap<String, Num>>>,
    // +optional
    q2: Option<Quantity>,
    // +kubebuilder:default="1Gi"
    // +optional
    q3: Quantity,
    // +k8s:minimum=2 # two
    // +k8s:maximum=9#nine
    // +optional
    q4: i32,
    // +kubebuilder:validation:Maximum=1e6
    // +kubebuilder:validation:Minimum=-0
    // +optional
    q5: i64,
    // +structType=granular
    // +optional
    q6: Option<Row>,
    // +mapType=granular
    // +optional
    q7: Table,
    // +kubebuilder:validation:XPreserveUnknownFields
    // +optional
    q8: BTreeMap<String, String>,
    // +optional
    q9: Option<Vec<Row>>,
}
