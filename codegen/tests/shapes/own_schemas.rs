//! Schemas that types and fields bring themselves: `impl JsonSchema` and functions, as far as they hold JSON or the schema of another type.
// +groupName=shop.example.com
// +versionName=v1
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shop.example.com", version = "v1", kind = "Order", namespaced)]
pub struct OrderSpec {
    #[schemars(schema_with = "unlike")]
    pub unlike: Value,
    pub a: Delegates,
    pub b: Written,
    pub c: Said,
    pub d: Page<String>,
    #[schemars(schema_with = "lists")]
    pub e: Vec<Vec<String>>,
    #[schemars(schema_with = "described")]
    pub f: i32,
    /// Own text.
    #[schemars(schema_with = "described")]
    pub g: i32,
    pub n: New,
    pub o: FromFunction,
    pub p: FromType,
    pub q: FromVariable,
    pub s: Braces,
    #[schemars(with = "BTreeMap<String, i32>")]
    pub r: BTreeMap<i32, i32>,
}
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct New(#[schemars(length(min=1))] pub String);
fn lists(_: &mut SchemaGenerator) -> Schema { json_schema!({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}) }
fn described(_: &mut SchemaGenerator) -> Schema { json_schema!({"type": "integer", "description": "From JSON"}) }

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Delegates { a: String }
impl JsonSchema for Delegates {
    fn schema_name() -> Cow<'static, str> { "x".into() }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema { generator.subschema_for::<String>() }
}
/// Written is documented.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Written { a: String }
impl schemars::JsonSchema for Written {
    fn schema_name() -> Cow<'static, str> { "x".into() }
    fn json_schema(_: &mut SchemaGenerator) -> Schema { json_schema!({"type": "object", "properties": {"z": {"type": "string"}}}) }
}
// +kubebuilder:validation:Type=string
#[derive(Clone, Debug)]
pub struct Said { a: String }
impl schemars::JsonSchema for Said {
    fn json_schema(g: &mut SchemaGenerator) -> Schema { let q = 1; compute() }
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Page<T> { a: T }
impl<T: JsonSchema> schemars::JsonSchema for Page<T> {
    fn json_schema(g: &mut SchemaGenerator) -> Schema { <Vec<T> as JsonSchema>::json_schema(g) }
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(schema_with = "described")]
pub struct FromFunction(pub Value);
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(with = "Vec<String>")]
pub struct FromType(pub Value);
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FromVariable(pub Value);
impl JsonSchema for FromVariable {
    fn json_schema(_gen: &mut SchemaGenerator) -> Schema {
        let value = serde_json::json!({"type": "string", "maxLength": 9});
        Schema::try_from(value).expect("it is a schema")
    }
}
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Braces(pub Value);
impl JsonSchema for Braces {
    fn json_schema(_gen: &mut SchemaGenerator) -> Schema {
        json_schema! {
            {
                "type": "string",
                "enum": ["a", "b"],
            }
        }
    }
}

fn unlike(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "externalDocs": { "url": "https://example.com" },
        "properties": {
            "one": { "type": "string", "not": { "enum": ["none"] } },
            "several": { "type": "string", "not": { "anyOf": [{ "maxLength": 1 }, { "pattern": "^x" }] }, "default": "ab" }
        }
    })
}
