//! Random schemas and objects: what is true of all of them.

use http::Method;
use kube_codegen_apiserver::ApiServer;
use proptest::{
    collection::{btree_map, vec},
    prelude::*,
    test_runner::Config,
};
use serde_json::{Map, Value, json};
use tokio::runtime::Builder;

use crate::ask::{Answer, DEFINITIONS, WIDGETS, ask, definition, widget};

/// A text, a number or something else without parts, with what may limit it.
fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0..6_i64, any::<bool>()).prop_map(|(most, nullable)| json!({
            "type": "string", "maxLength": most, "nullable": nullable,
        })),
        prop::sample::select(vec!["byte", "date", "date-time", "duration", "ipv4", "uuid", "made-up"])
            .prop_map(|format| json!({"type": "string", "format": format})),
        Just(json!({"type": "string", "enum": ["a", "b"], "default": "b"})),
        Just(json!({"type": "string", "pattern": "^[a-c]*$"})),
        (0..9_i64).prop_map(|most| json!({"type": "integer", "maximum": most})),
        (0..9_i64).prop_map(|value| json!({"type": "integer", "default": value})),
        (0..9_i64).prop_map(|value| json!({"type": "integer", "default": value, "nullable": true})),
        Just(json!({"type": "number", "multipleOf": 0.5})),
        Just(json!({"type": "boolean"})),
        Just(json!({"x-kubernetes-int-or-string": true})),
        Just(json!({"type": "string", "x-kubernetes-validations": [{"rule": "self != 'x'"}]})),
    ]
}

/// A schema; `open` are leaves that keep what they do not know.
fn schema(open: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![8 => leaf(), 1 => open];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let keyed = inner.clone().prop_map(|value| {
            json!({
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {
                    "type": "object", "required": ["k"],
                    "properties": {"k": {"type": "string"}, "a": value},
                },
            })
        });
        let members = btree_map("[a-c]", inner.clone(), 1..3);
        prop_oneof![
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            Just(json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}})),
            keyed,
            inner.clone().prop_map(|values| json!({"type": "object", "additionalProperties": values})),
            (inner, any::<bool>()).prop_map(|(value, nullable)| json!({
                "type": "object", "properties": {"a": value}, "nullable": nullable, "default": {},
            })),
            (members, "[a-c]").prop_map(|(properties, required)| json!({
                "type": "object", "properties": properties, "required": [required],
            })),
        ]
    })
}

fn open() -> BoxedStrategy<Value> {
    Just(json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})).boxed()
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..12_i64).prop_map(Value::from),
        (-3..12_i32).prop_map(|number| Value::from(f64::from(number) / 2.0)),
        "[a-d]{0,4}".prop_map(Value::from),
        prop::sample::select(vec!["aGk=", "2024-02-29", "2024-02-29T10:00:00Z", "1h", "10.0.0.1"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map("[a-ek]", inner, 0..4).prop_map(|members| Value::Object(Map::from_iter(members))),
        ]
    })
}

/// A server where the kind has this schema of `spec.a`; none where the default of something does not fit.
async fn server(schema: &Value) -> Option<ApiServer> {
    let server = ApiServer::builder().seed(5).build();
    let schema = json!({"type": "object", "properties": {"a": schema}});
    let defined = ask(&server, Method::POST, DEFINITIONS, &definition(&schema)).await;
    if defined.code == 422 {
        let all_defaults = defined.causes().iter().all(|cause| cause.contains("default"));
        assert!(all_defaults, "{:?}", defined.causes());
        return None;
    }
    assert_eq!(defined.code, 201, "{:?}", defined.body);
    Some(server)
}

/// What a server makes of an object: created, replaced by what came out, and created anew from that.
async fn three_times(schema: &Value, spec: &Value) -> Option<[Answer; 3]> {
    let server = server(schema).await?;
    let first = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"a": spec}))).await;
    if first.code != 201 {
        assert_eq!(first.code, 422, "{:?}", first.body);
        return None;
    }
    let again = ask(&server, Method::PUT, &format!("{WIDGETS}/a"), &first.body).await;
    let anew = ask(&server, Method::POST, WIDGETS, &widget("b", &first.body["spec"])).await;
    Some([first, again, anew])
}

/// The same schema asking of every value for what none has.
fn tightened(schema: &Value) -> Value {
    let mut tight = schema.clone();
    let Some(members) = tight.as_object_mut() else { return tight };
    members.remove("default");
    for below in ["items", "additionalProperties"] {
        if let Some(schema) = members.get_mut(below) {
            *schema = tightened(schema);
        }
    }
    for schema in
        members.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
    {
        *schema = tightened(schema);
    }
    let limit = match members.get("type").and_then(Value::as_str).unwrap_or_default() {
        "string" => json!({"minLength": 90}),
        "integer" | "number" => json!({"minimum": 90}),
        "array" => json!({"minItems": 90}),
        "object" => json!({"minProperties": 90}),
        _ => json!({"pattern": "^long$"}),
    };
    members.extend(limit.as_object().cloned().unwrap());
    // A list passes for a text with a format, and is none for a rule.
    if !members.contains_key("format") {
        members.insert("x-kubernetes-validations".to_owned(), json!([{"rule": "false"}]));
    }
    tight
}

/// What a server says of an object that it took, as it is, once its schema asks for more.
async fn under_a_tighter_one(schema: &Value, spec: &Value) -> Option<Answer> {
    let server = server(schema).await?;
    let first = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"a": spec}))).await;
    if first.code != 201 {
        return None;
    }
    let tight = json!({"type": "object", "properties": {"a": tightened(schema)}});
    let patch = json!({"spec": {"versions": definition(&tight)["spec"]["versions"]}});
    let changed = ask(&server, Method::PATCH, &format!("{DEFINITIONS}/widgets.example.com"), &patch).await;
    assert_eq!(changed.code, 200, "{:?}", changed.causes());
    let now = ask(&server, Method::GET, &format!("{WIDGETS}/a"), &Value::Null).await;
    Some(ask(&server, Method::PUT, &format!("{WIDGETS}/a"), &now.body).await)
}

proptest! {
    #![proptest_config(Config { cases: 128, ..Config::default() })]

    #[test]
    fn what_was_accepted_is_accepted_again_and_stays_as_it_is(schema in schema(open()), spec in value()) {
        let runtime = Builder::new_current_thread().build().unwrap();
        if let Some([first, again, anew]) = runtime.block_on(three_times(&schema, &spec)) {
            prop_assert_eq!(again.code, 200);
            prop_assert_eq!(&again.body["metadata"]["resourceVersion"], &first.body["metadata"]["resourceVersion"]);
            prop_assert_eq!(anew.code, 201);
            prop_assert_eq!(&anew.body["spec"], &first.body["spec"]);
        }
    }

    #[test]
    fn what_is_there_may_stay_whatever_more_its_schema_asks_for(schema in schema(leaf().boxed()), spec in value()) {
        let runtime = Builder::new_current_thread().build().unwrap();
        if let Some(answer) = runtime.block_on(under_a_tighter_one(&schema, &spec)) {
            prop_assert_eq!(answer.code, 200, "{:?}", answer.causes());
        }
    }
}
