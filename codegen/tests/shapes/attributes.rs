//! Attributes of kube, schemars and validator say what markers say.

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, KubeSchema)]
#[kube(
    group = "shop.example.com",
    version = "v1",
    kind = "Order",
    namespaced,
    doc = "Order is what somebody wants.",
    status = "OrderStatus",
    shortname = "ord",
    category = "all",
    singular = "order",
    selectable = ".spec.customer",
    annotation("shop.example.com/owner", "sales"),
    label("tier", "gold"),
    deprecated = "use v2",
    scale(spec_replicas_path = ".spec.count", status_replicas_path = ".status.count"),
    printcolumn(name = "Customer", type_ = "string", json_path = ".spec.customer", priority = 1),
    printcolumn = r#"{"name":"Count","type":"integer","jsonPath":".spec.count","description":"How many"}"#,
    validation = Rule::new("self.metadata.name.size() < 20").message("the name is too long"),
)]
#[x_kube(validation = ("self.count > 0", "there is none"))]
#[serde(rename_all = "camelCase")]
pub struct OrderSpec {
    /// Customer who wants it.
    #[schemars(length(min = 1, max = 40), regex(pattern = r"^[a-z ]+$"))]
    pub customer: String,
    #[schemars(range(min = 1, max = 99))]
    pub count: i32,
    #[validate(range(min = 0))]
    #[schemars(range(exclusive_max = 100))]
    pub percent: Option<i64>,
    #[schemars(length(max = 5), inner(length(min = 2)))]
    pub tags: Vec<String>,
    #[schemars(length(max = 3))]
    pub notes: BTreeMap<String, String>,
    #[schemars(email)]
    pub mail: Option<String>,
    #[schemars(url)]
    pub site: Option<String>,
    #[schemars(with = "String")]
    pub price: decimal::Money,
    #[serde(with = "own")]
    #[schemars(with = "Option<Vec<Part>>")]
    pub parts: Vec<(String, u8)>,
    #[x_kube(merge_strategy = ListMerge::Map(["name"]))]
    pub boxes: Vec<Part>,
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    pub crates: Vec<Part>,
    #[x_kube(
        validation = Rule::new("self == oldSelf").message("it stays").reason(Reason::FieldValueForbidden),
    )]
    pub kept: String,
    #[schemars(extend("x-kubernetes-validations" = [{"rule": "self == oldSelf", "message": "it stays too"}]))]
    pub fixed: String,
    #[schemars(schema_with = "selector")]
    pub selector: BTreeMap<String, String>,
    pub codes: BTreeSet<String>,
    pub places: BTreeSet<Part>,
}

fn selector(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "object",
        "additionalProperties": { "type": "string" },
        "x-kubernetes-map-type": "atomic"
    })
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    pub name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OrderStatus {
    pub count: Option<i32>,
}
