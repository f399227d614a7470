//! Random schemas and objects: what is true of all of them.

use http::Method;
use proptest::{
    collection::{btree_map, vec},
    prelude::*,
    test_runner::Config,
};
use serde_json::{Map, Value, json};
use tokio::runtime::Builder;

use crate::ask::{Answer, DEFINITIONS, WIDGETS, ask, definition, widget};

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (0..6_i64, any::<bool>()).prop_map(|(most, nullable)| json!({
            "type": "string", "maxLength": most, "nullable": nullable,
        })),
        (0..9_i64).prop_map(|most| json!({"type": "integer", "maximum": most})),
        (0..9_i64).prop_map(|value| json!({"type": "integer", "default": value})),
        Just(json!({"type": "boolean"})),
        Just(json!({"x-kubernetes-int-or-string": true})),
        Just(json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})),
        Just(json!({"type": "string", "x-kubernetes-validations": [{"rule": "self != 'x'"}]})),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            inner.clone().prop_map(|values| json!({"type": "object", "additionalProperties": values})),
            btree_map("[a-c]", inner, 1..3)
                .prop_map(|properties| json!({"type": "object", "properties": properties})),
        ]
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..12_i64).prop_map(Value::from),
        "[a-d]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map("[a-e]", inner, 0..4).prop_map(|members| Value::Object(Map::from_iter(members))),
        ]
    })
}

/// What a server makes of an object: created, replaced by what came out, and created anew from that.
async fn three_times(schema: &Value, spec: &Value) -> Option<[Answer; 3]> {
    let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
    let schema = json!({"type": "object", "properties": {"a": schema}});
    let defined = ask(&server, Method::POST, DEFINITIONS, &definition(&schema)).await;
    assert_eq!(defined.code, 201, "{:?}", defined.body);
    let first = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"a": spec}))).await;
    if first.code != 201 {
        assert_eq!(first.code, 422, "{:?}", first.body);
        return None;
    }
    let again = ask(&server, Method::PUT, &format!("{WIDGETS}/a"), &first.body).await;
    let anew = ask(&server, Method::POST, WIDGETS, &widget("b", &first.body["spec"])).await;
    Some([first, again, anew])
}

proptest! {
    #![proptest_config(Config { cases: 128, ..Config::default() })]

    #[test]
    fn what_was_accepted_is_accepted_again_and_stays_as_it_is(schema in schema(), spec in value()) {
        let runtime = Builder::new_current_thread().build().unwrap();
        if let Some([first, again, anew]) = runtime.block_on(three_times(&schema, &spec)) {
            prop_assert_eq!(again.code, 200);
            prop_assert_eq!(&again.body["metadata"]["resourceVersion"], &first.body["metadata"]["resourceVersion"]);
            prop_assert_eq!(anew.code, 201);
            prop_assert_eq!(&anew.body["spec"], &first.body["spec"]);
        }
    }
}
