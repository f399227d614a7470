//! What attributes say with constants, and what functions say that hold nothing but JSON.
// +groupName=shapes.example.com
// +versionName=v1
use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

const MOST: u32 = 5;
pub(crate) const LONGEST: u32 = 2 * (limits::SHORT as u32) + MOST - 1;
const LEAST: i32 = -3;
static PATTERN: &str = r"^[a-z]+$";
static DIGITS: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[0-9]+$").unwrap());
const RULE: &str = "self.words.size() > 1";

lazy_static! {
    /// Words of letters.
    static ref NUMBERS: Regex = Regex::new("^[0-9]*$").unwrap();
    pub static ref LETTERS: Regex = Regex::new(concat!(r"^[a-z]", "*", '$')).expect("it is one");
}

mod limits {
    pub const SHORT: u8 = 10;
    pub fn share(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "maximum": 100})
    }
}

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "shapes.example.com", version = "v1", kind = "Constant", namespaced)]
#[kube(validation = Rule::new("self.spec.name != 'x'").message("no x"))]
#[x_kube(validation = RULE)]
pub struct ConstantSpec {
    #[schemars(length(min = self::limits::SHORT, max = LONGEST), regex(pattern = PATTERN))]
    pub name: String,
    #[schemars(range(min = LEAST, max = limits::SHORT))]
    pub count: i32,
    #[schemars(length(max = MOST), inner(length(max = 6), contains(pattern = "a.b")))]
    pub words: Vec<String>,
    #[schemars(description = "What is said here counts.\n\n---\nThis does not.", default)]
    /// Not this.
    pub described: String,
    #[validate(regex = "DIGITS")]
    pub digits: String,
    #[validate(regex(path = *DIGITS))]
    pub more_digits: String,
    #[cel_validate(rule = Rule::new("self != 'y'").message("no y"))]
    #[cel_validate(rule = Rule { rule: "self != 'z'".into(), reason: Some(Reason::FieldValueInvalid), ..Default::default() })]
    pub checked: String,
    #[garde(length(graphemes, min = 2, max = MOST), pattern("^[a-f]+$"), custom(check))]
    pub guarded: String,
    #[schemars(pattern("^[g-m]+$"))]
    pub patterned: String,
    #[validate(range(min = "LEAST", max = 7, message = "no"), custom(function = "check"))]
    pub validated: i32,
    #[garde(inner(range(min = 1)), dive)]
    pub numbers: Vec<i32>,
    #[schemars(skip)]
    pub hidden: String,
    #[schemars(required, length(max = 3))]
    pub required: Option<String>,
    #[validate(regex(path = *LETTERS))]
    pub letters: String,
    #[schemars(schema_with = "self::limits::share")]
    pub share: i32,
    #[schemars(schema_with = "anything")]
    pub anything: serde_json::Value,
    #[schemars(schema_with = "port")]
    pub port: i32,
    #[schemars(schema_with = "words")]
    pub others: Vec<String>,
    /// Set by one each.
    #[schemars(schema_with = "set")]
    pub nodes: Vec<String>,
    /// Never changed.
    #[schemars(schema_with = "fixed")]
    pub fixed: Part,
}

/// Part is a part.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    pub name: String,
}

fn set(generator: &mut SchemaGenerator) -> Schema {
    let mut schema: schemars::schema::SchemaObject = <Vec<String>>::json_schema(generator).into();
    schema.extensions.insert("x-kubernetes-list-type".to_owned(), serde_json::Value::String("set".to_owned()));
    schema.into()
}

fn fixed(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = Part::json_schema(generator);
    schema.insert(
        "x-kubernetes-validations".to_owned(),
        serde_json::from_str(r#"[{"message": "it is fixed", "rule": "self == oldSelf"}]"#).unwrap(),
    );
    schema
}

fn anything(_: &mut SchemaGenerator) -> Schema {
    let mut schema = schemars::schema::SchemaObject::default();
    schema.extensions.insert("x-kubernetes-preserve-unknown-fields".into(), true.into());
    schemars::schema::Schema::Object(schema)
}

fn port(_: &mut SchemaGenerator) -> Schema {
    serde_json::from_value(serde_json::json!({ "type": "integer", "minimum": 1, "maximum": 65535 })).unwrap()
}

fn words(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "items": { "type": "string", "x-enum-descriptions": ["kube drops this"] },
        "x-kubernetes-list-type": "set"
    })
}
