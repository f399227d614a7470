// +groupName=docs.example.com

//! `docs.example.com`.

#![expect(
    clippy::doc_lazy_continuation,
    missing_docs,
    rustdoc::bare_urls,
    rustdoc::broken_intra_doc_links,
    rustdoc::invalid_html_tags,
    reason = "this is what the case is about"
)]

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

include!("zz_generated.object.rs");

// +genclient
/// Doc has documentation that means something where it stands.
///
/// See [`DocSpec`], [the spec](DocSpec), [Unknown] and [a link](https://example.com/a_(b)), or https://example.com/path.
/// Also <https://example.com>, Vec<String>, a < b > c, `code with [brackets] and <angles>` and a lone ` tick.
///
/// - one item
/// that goes on
///   - nested
/// 1. first
///    still first
///
/// ```
/// assert_eq!(1 + 1, 2);
/// ```
///
/// ```rust,ignore
/// ignored();
/// ```
///
///     assert_eq!(2 + 1, 3);
///
/// * star https://example.com/star, and (https://example.com/paren).
/// # Heading
/// End of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Doc {
    /// Its type.
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Doc>,
    /// Its metadata.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// Its spec.
    #[serde(default)]
    pub spec: DocSpec,
}

/// DocSpec is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocSpec {
    /// A [`Doc`] field, see [x] and https://example.com/#anchor_x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(default)]
    pub bare: Option<i32>,
}
