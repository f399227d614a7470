//! Rules in CEL.

use http::Method;
use serde_json::{Value, json};

use crate::ask::{DEFINITIONS, WIDGETS, ask, definition, server, widget};

/// A schema of `spec` with one rule.
fn ruled(properties: &Value, rule: &str) -> Value {
    json!({"type": "object", "properties": properties, "x-kubernetes-validations": [{"rule": rule}]})
}

#[tokio::test]
async fn the_libraries_of_kubernetes_are_there() {
    let rules = [
        "quantity('1.5Gi').isGreaterThan(quantity('1536M')) && quantity('2k').sub(quantity('1k')).asInteger() == 1000",
        "cidr('10.0.0.0/8').containsIP(ip('10.1.2.3')) && !isIP('10.0.0.300') && ip('::1').isLoopback()",
        "url('https://example.com:80/a/b?c=d&c=e').getQuery()['c'] == ['d', 'e'] && url('https://h:1/x').getPort() == '1'",
        "'a,b,c'.split(',')[1] == 'b' && 'abc'.upperAscii() == 'ABC' && 'abc'.find('[b-z]+') == 'bc'",
        "[1, 2].sum() == 3 && [2, 1].isSorted() == false && [1, 2].max() == 2 && lists.range(2) == [0, 1]",
        "semver('1.2.3').isLessThan(semver('1.10.0')) && isSemver('v1.0', true)",
        "!format.dns1123Label().validate('Not A Label').hasValue() == false",
        "sets.contains([1, 2, 3], [2]) && optional.of(1).orValue(2) == 1 && self.?missing.hasValue() == false",
        "{'a': 1, 'b': 2}.all(k, v, k in ['a', 'b'] && v > 0) && [1, 2].transformList(i, v, i + v) == [1, 3]",
        "'%.99999f'.format([0.5]).size() == 100001 && '%.99999e'.format([0.5]).endsWith('000e-01') && '%.2f'.format([0.5]) == '0.50'",
        "duration('90m').getHours() == 1 && timestamp('2024-02-29T12:00:00Z').getMonth() == 1",
        "type(self.n) == int && string(self.n) == '4' && double(self.n) / 8.0 == 0.5 && 7 % 4 == 3",
    ];
    for rule in rules {
        let schema = ruled(&json!({"n": {"type": "integer"}, "missing": {"type": "string"}}), rule);
        let server = server(&schema).await;
        let created = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"n": 4}))).await;
        assert_eq!(created.code, 201, "{rule}: {:?}", created.body["message"]);
    }
}

#[tokio::test]
async fn rules_that_cannot_be_compiled_are_refused_with_their_place() {
    let faults = [
        ("self.m == 1", "1:5: undefined field 'm'"),
        ("self.n + 'x' == 1", "1:8: found no matching overload for '_+_' applied to '(int, string)'"),
        ("size(self.n) > 1", "1:5: found no matching overload for 'size' applied to '(int)'"),
        ("other == 1", "1:1: undeclared reference to 'other' (in container '')"),
        ("other.thing(1) == 1", "1:12: undeclared reference to 'thing' (in container '')"),
        (
            "quantity('1').sign() == 1",
            "1:19: found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'",
        ),
        (
            "'%d'.format(['a']) == self.s",
            "1:14: error during formatting: decimal clause can only be used on integers, was given string",
        ),
        (
            "'%s'.format([1, 2]) == ''",
            "1:12: too many arguments supplied to string.format (expected 1, got 2)",
        ),
        (
            "self.n.all(x, true)",
            "1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
        ),
    ];
    for (rule, wanted) in faults {
        let schema = ruled(&json!({"n": {"type": "integer"}, "s": {"type": "string"}}), rule);
        let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
        let refused = ask(&server, Method::POST, DEFINITIONS, &definition(&schema)).await;
        let cause = refused.causes().concat();
        assert!(cause.contains(&format!("ERROR: <input>:{wanted}\n")), "{rule}: {cause}");
    }
}

#[tokio::test]
async fn a_rule_that_may_cost_too_much_is_refused() {
    let lists = json!({"a": {"type": "array", "items": {"type": "string"}}});
    let schema = ruled(&lists, "self.a.all(x, self.a.all(y, x == y))");
    let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
    let refused = ask(&server, Method::POST, DEFINITIONS, &definition(&schema)).await;
    let place = "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule";
    let why = "Forbidden: estimated rule cost exceeds budget by factor of more than 100x";
    assert!(refused.causes()[0].starts_with(&format!("{place}: {why}")), "{:?}", refused.causes());
    let bounded =
        json!({"a": {"type": "array", "maxItems": 10, "items": {"type": "string", "maxLength": 10}}});
    let schema = ruled(&bounded, "self.a.all(x, self.a.all(y, x == y))");
    assert_eq!(ask(&server, Method::POST, DEFINITIONS, &definition(&schema)).await.code, 201);
}

#[tokio::test]
async fn an_error_in_one_item_does_not_hide_that_another_decides() {
    let lists = json!({"a": {"type": "array", "maxItems": 5, "items": {"type": "integer"}}});
    let server = server(&ruled(&lists, "self.a.exists(x, 6 / x == 3)")).await;
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"a": [0, 2]}))).await;
    assert_eq!(created.code, 201);
    let refused = ask(&server, Method::POST, WIDGETS, &widget("b", &json!({"a": [0, 1]}))).await;
    assert_eq!(
        refused.causes(),
        ["spec: Invalid value: \"object\": division by zero evaluating rule: self.a.exists(x, 6 / x == 3)"]
    );
}

/// What is said of an object that breaks this rule about `x`, an integer or a text.
async fn said(rule: &str, x: Value) -> String {
    let x_or_text = json!({"x-kubernetes-int-or-string": true, "x-kubernetes-validations": [{"rule": rule}]});
    let server = server(&json!({"type": "object", "properties": {"x": x_or_text}})).await;
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"x": x}))).await;
    assert_eq!(refused.code, 422, "{rule}");
    let text = refused.causes().concat();
    text.trim_start_matches("spec.x: Invalid value: \"\": ").split(" evaluating").next().unwrap().to_owned()
}

#[tokio::test]
async fn what_does_not_fit_a_function_is_named_by_its_types() {
    let cases = [
        ("self.split(',').size() == 1", json!(2), "'no such overload: split(int, string)'"),
        ("size(self) > 1", json!(2), "'no such overload: size'"),
        ("self + 'x' == 'ax'", json!(2), "'no such overload'"),
        ("-self > 1", json!("a"), "'no such overload'"),
        ("dyn(null) <= self", json!(2), "'no such overload: _<=_'"),
        ("dyn([1]) < self", json!(2), "'no such overload: _<_'"),
        ("dyn([1]) + self == [1]", json!(2), "'no such overload'"),
        ("self.startsWith('a')", json!(2), "'no such overload'"),
        ("duration(self) > duration('1s')", json!(2), "'no such overload: duration(int)'"),
        ("self.flatten().size() == 1", json!("a"), "'no such overload: string.flatten()'"),
        ("self[0] == 1", json!("a"), "no such key: 0"),
        ("[1, 2][self] == 2", json!("a"), "unsupported index type 'string' in list"),
        ("self.all(x, true)", json!(2), "got 'types.Int', expected iterable type"),
        (
            "'%d'.format([self]) == '1'",
            json!("a"),
            "error during formatting: decimal clause can only be used on integers, was given string",
        ),
    ];
    for (rule, x, wanted) in cases {
        let found = said(rule, x).await;
        assert_eq!(found.split(": call arguments").next(), Some(wanted), "{rule}");
    }
}

#[tokio::test]
async fn a_url_that_is_none_is_refused_in_the_words_of_go() {
    let cases = [
        ("", "empty url"),
        ("a", "invalid URI for request"),
        (":a", "missing protocol scheme"),
        ("http://a b", "invalid character \" \" in host name"),
        ("http://a:b", "invalid port \":b\" after host"),
        ("http://[::1", "missing ']' in host"),
        ("/%zz", "invalid URL escape \"%zz\""),
    ];
    for (text, wanted) in cases {
        let found = said("url(self).getScheme() == 'https'", json!(text)).await;
        let start = format!("URL parse error during conversion from string: parse {}: ", json!(text));
        assert_eq!(found, format!("{start}{wanted}"));
    }
    for text in ["//a", "http://a<b>/", "mailto:a b", "*"] {
        assert!(said("!isURL(self)", json!(text)).await.ends_with("failed rule: !isURL(self)"), "{text}");
    }
}

#[tokio::test]
async fn lists_in_messages_are_written_as_expressions_would_write_them() {
    let message = "'got %s'.format([self])";
    let rules = json!([{"rule": "self.size() > 4", "messageExpression": message}]);
    let texts = json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-validations": rules});
    let server = server(&json!({"type": "object", "properties": {"l": texts}})).await;
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"l": ["a\nb", "\""]}))).await;
    assert_eq!(refused.causes(), [r#"spec.l: Invalid value: got ["a\nb", "\""]"#]);
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_in_the_words_of_go() {
    let cases = [
        ("a", "unable to parse IP"),
        ("1.5Gi", "unexpected character (at \"Gi\")"),
        ("1.2.3", "IPv4 address too short"),
        ("01.2.3.4", "IPv4 field has octet with leading zero"),
        ("1.2.3.999", "IPv4 field has value >255"),
        ("1..2.3", "IPv4 field must have at least one digit (at \".2.3\")"),
        ("::1::2", "multiple :: in address (at \":2\")"),
        ("1:2", "address string too short"),
        ("12345::", "each group must have 4 or less digits (at \"12345::\")"),
        ("1:2:3:4:5:6:7:8:9", "trailing garbage after address (at \"9\")"),
    ];
    for (text, wanted) in cases {
        let found = said("ip(self).family() == 9", json!(text)).await;
        let quoted = json!(text);
        let start =
            format!("IP Address {quoted} parse error during conversion from string: ParseAddr({quoted}): ");
        assert_eq!(found, format!("{start}{wanted}"));
    }
}

#[tokio::test]
async fn keys_are_walked_without_a_look_at_the_values() {
    let rules = json!([{"rule": "self.all(k, k.size() < 2)"}]);
    let values = json!({"type": "integer"});
    let map = json!({"type": "object", "additionalProperties": values, "x-kubernetes-validations": rules});
    let server = server(&json!({"type": "object", "properties": {"m": map}})).await;
    let created = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"m": {"a": 1.0}}))).await;
    assert_eq!(created.code, 201, "{:?}", created.causes());
}

#[tokio::test]
async fn what_cannot_be_compared_differs() {
    let rules = json!([{"rule": "self != oldSelf"}]);
    let n = json!({"type": "integer"});
    let schema = json!({"type": "object", "properties": {"n": n}, "x-kubernetes-validations": rules});
    let server = server(&schema).await;
    let mut object = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"n": 1}))).await.body;
    for (n, code) in [(json!(1), 422), (json!(1.0), 200)] {
        object["spec"]["n"] = n;
        let path = format!("{WIDGETS}/a?dryRun=All");
        assert_eq!(ask(&server, Method::PUT, &path, &object).await.code, code);
    }
}

#[tokio::test]
async fn values_without_a_type_have_no_rules() {
    let any = json!({"x-kubernetes-preserve-unknown-fields": true});
    let rules = json!([{"rule": "self.size() > 1"}]);
    let map = json!({"type": "object", "additionalProperties": any, "x-kubernetes-validations": rules});
    let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
    let schema = json!({"type": "object", "properties": {"m": map}});
    let refused = ask(&server, Method::POST, DEFINITIONS, &definition(&schema)).await;
    let place = "spec.validation.openAPIV3Schema.properties[spec].properties[m].x-kubernetes-validations";
    assert!(refused.causes()[0].starts_with(&format!("{place}: Internal error: ")), "{:?}", refused.causes());
}

#[tokio::test]
async fn a_value_of_another_type_is_no_value_for_rules() {
    // Lists pass for texts that have a format.
    let rules = json!([{"rule": "size(self) > 0"}]);
    let bytes = json!({"type": "string", "format": "byte", "x-kubernetes-validations": rules});
    let server = server(&json!({"type": "object", "properties": {"b": bytes}})).await;
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"b": ["x"]}))).await;
    let why = "invalid data, expected string, got []interface {} evaluating rule: size(self) > 0";
    assert_eq!(refused.causes(), [format!("spec.b: Invalid value: \"string\": {why}")]);
}

#[tokio::test]
async fn a_value_of_the_wrong_type_is_told_only_by_rules_that_look_at_it() {
    let rules = json!([
        {"rule": "true || self.size() > 0"},
        {"rule": "!oldSelf.hasValue() || oldSelf.value() == self", "optionalOldSelf": true},
        {"rule": "self.size() > 1"},
    ]);
    // A list is let through where texts have a format.
    let text = json!({"type": "string", "format": "uuid", "x-kubernetes-validations": rules});
    let server = server(&json!({"type": "object", "properties": {"t": text}})).await;
    let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"t": [null]}))).await;
    let why = "invalid data, expected string, got []interface {} evaluating rule: self.size() > 1";
    assert_eq!(refused.causes(), [format!("spec.t: Invalid value: \"string\": {why}")]);
}

#[tokio::test]
async fn a_message_cannot_show_what_rules_do_not_see() {
    let item = json!({"type": "object", "properties": {
        "a": {"type": "string", "nullable": true},
        "any": {"x-kubernetes-preserve-unknown-fields": true},
    }});
    let rule = json!({"rule": "self.size() < 1", "messageExpression": "'got %s'.format([self])"});
    let list = json!({"type": "array", "items": item, "x-kubernetes-validations": [rule]});
    let server = server(&json!({"type": "object", "properties": {"l": list}})).await;
    let cases = [
        (json!([{"a": "x"}]), r#"got [{"a":"x"}]"#),
        (json!([{"a": "x", "any": 1}]), "failed rule: self.size() < 1"),
        (json!([{"a": null}]), "failed rule: self.size() < 1"),
    ];
    for (value, told) in cases {
        let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"l": value}))).await;
        assert_eq!(refused.causes(), [format!("spec.l: Invalid value: {told}")]);
    }
}

#[tokio::test]
async fn what_goes_through_a_list_finds_an_odd_item_when_it_is_there() {
    let list = |rule: &str| {
        let items = json!({"type": "integer", "nullable": true});
        json!({"type": "object", "properties": {"l": {"type": "array", "items": items, "x-kubernetes-validations": [{"rule": rule}]}}})
    };
    let cases = [
        ("self.isSorted()", "[null]", "no such overload: isSorted(list)"),
        ("self.isSorted()", "[2.0, 1]", "no such overload: isSorted(list)"),
        ("self.max() < 9", "[1, null]", "no such overload"),
        ("self.sum() < 9", "[null, 1]", "no such overload: sum(list)"),
        ("self.min() < 9", "[1, 2.0]", "invalid data, expected int, got float64"),
        ("self.indexOf(1) == 2", "[null, 2.0, 1]", ""),
        ("self.isSorted()", "[]", ""),
    ];
    for (rule, items, told) in cases {
        let server = server(&list(rule)).await;
        let items: Value = serde_json::from_str(items).unwrap();
        let answer = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"l": items}))).await;
        let text = answer.causes().concat();
        let text = text.trim_start_matches("spec.l: Invalid value: \"array\": ").trim_start_matches('\'');
        let shown = text.split(" evaluating").next().and_then(|text| text.split("':").next());
        assert_eq!(shown, Some(told), "{rule} {items}");
    }
}

#[tokio::test]
async fn of_several_items_that_fail_the_last_condition_or_the_first_value_is_told() {
    let item = json!({"type": "object", "maxProperties": 5, "additionalProperties": {"type": "integer"}});
    let lists = json!({"l": {"type": "array", "maxItems": 5, "items": item}});
    let cases = [
        ("self.l.exists_one(y, y['a'] == y['b'])", "b"),
        ("self.l.exists_one(i, y, y['a'] == y['b'])", "b"),
        ("self.l.filter(y, y['a'] == y['b']).size() > 0", "b"),
        ("self.l.transformList(i, y, y['a'] == y['b'], y).size() > 0", "b"),
        ("self.l.map(y, y['a'] == y['b']).size() > 0", "a"),
        ("self.l.all(y, y['a'] == y['b'])", "a"),
    ];
    for (rule, key) in cases {
        let server = server(&ruled(&lists, rule)).await;
        let spec = json!({"l": [{"a": 1, "b": 1}, {"b": 1}, {"a": 1}]});
        let refused = ask(&server, Method::POST, WIDGETS, &widget("a", &spec)).await;
        let why = format!("spec: Invalid value: \"object\": no such key: {key} evaluating rule: {rule}");
        assert_eq!(refused.causes(), [why]);
    }
}

#[tokio::test]
async fn messages_of_protobuf_are_the_values_that_they_stand_for() {
    let rules = [
        "google.protobuf.Int64Value{value: 3} == 3 && google.protobuf.Int64Value{} == 0",
        "string(google.protobuf.StringValue{value: 'a'}) == 'a' && google.protobuf.BytesValue{} == b''",
        "google.protobuf.Int64Value{} != null && google.protobuf.Value{} == null",
        "type(google.protobuf.UInt32Value{value: 3u}) == uint && type(google.protobuf.NullValue.NULL_VALUE) == int",
        "google.protobuf.Duration{seconds: 90} == duration('90s')",
        "google.protobuf.Timestamp{seconds: 1} == timestamp('1970-01-01T00:00:01Z')",
        "google.protobuf.Struct{fields: {'a': 1.0}}['a'] == 1.0 && google.protobuf.ListValue{values: [1.0]}[0] == 1.0",
    ];
    for rule in rules {
        let server = server(&ruled(&json!({"n": {"type": "integer"}}), rule)).await;
        let created = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"n": 4}))).await;
        assert_eq!(created.code, 201, "{rule}: {:?}", created.body["message"]);
    }
    let faults = [
        (
            "google.protobuf.Int64Value{value: 'a'} == 1",
            "expected type of field 'value' is 'int' but provided type is 'string'",
        ),
        (
            "google.protobuf.Nothing{} == 1",
            "undeclared reference to 'google.protobuf.Nothing' (in container '')",
        ),
    ];
    for (rule, wanted) in faults {
        let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
        let schema = ruled(&json!({"n": {"type": "integer"}}), rule);
        let refused = ask(&server, Method::POST, DEFINITIONS, &definition(&schema)).await;
        assert!(refused.causes().concat().contains(wanted), "{rule}: {:?}", refused.causes());
    }
}
