// +groupName=d.example.com
// +versionName=v1
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;

/**
D is described in a block.

	It is indented here.
* a star
  - and a dash

TODO: not this
---
nor this
*/
// +kubebuilder:subresource:status
#[derive(Serialize, Deserialize)]
pub struct D {
    #[serde(flatten, skip_deserializing)]
    type_meta: TypeMeta<D>,
    metadata: ObjectMeta,
    spec: DSpec,
}

/// DSpec: first line.
///
///
/// ~~~
/// TODO stays in code
/// --- too
/// ~~~
/// TODO gone
/// TODOs gone too
/// todo stays
///   TODO stays indented
///  --- stays indented
/// end.
/// ----
/// hidden
#[derive(Serialize, Deserialize)]
pub struct DSpec {
    /// Deprecated: do not use.
    /// +optional
    /// Text goes on after a marker.
    ///
    /// +kubebuilder:validation:MinLength=1
    ///
    /// And after another.
    a: String, // trailing comments do not count
    ///
    /// Starts with a blank line.
    b: String,
    /// Ends with blanks.   
    ///   
    c: String,

    // This block is apart.

    d: String,
    // E line one.

    /// E line two.
    e: String,
    /** F in a block. */
    f: String,
    /// Sentence one. Sentence two is longer than that! And a third? yes
    g: String,
    /// 日本語の文。もう一つの文がここにあります。そして三つ目。
    h: String,
    /// nospacesatallinthisverylongwordthatgoesonandonandonandon
    i: String,
    // +kubebuilder:default:="x"
    #[serde(default)]
    j: String,
    //+kubebuilder:validation:MaxLength=3
    k: String,
    /// + not a marker
    l: String,
    /// +unknown:marker=1
    /// Text.
    m: String,
    /// x: y # z
    /// - {a}
    n: String,
}
