//! The grammar of markers, and the registry.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, its helpers too")]

use kube_codegen::diagnostic::MarkerProblem;
use kube_codegen::marker::{Form, Targets, Value, definitions, find, parse};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn arguments(text: &str) -> Vec<(String, Value)> {
    let marker =
        parse(text).unwrap_or_else(|misread| panic!("{text}: {misread:?}")).expect("a marker of ours");
    marker.arguments.into_iter().map(|argument| (argument.name, argument.value)).collect()
}

fn value(text: &str) -> Value {
    arguments(text).pop().expect("a value").1
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

fn problem(text: &str) -> MarkerProblem {
    parse(text).expect_err(text).faults.swap_remove(0).problem
}

#[test]
fn the_three_forms() {
    assert_eq!(arguments(" +genclient"), []);
    assert_eq!(arguments("+groupName=example.com"), [(String::new(), text("example.com"))]);
    assert_eq!(
        arguments("+kubebuilder:printcolumn:name=\"Big One\",type=integer,JSONPath=`.spec.a`,priority=1"),
        [
            ("name".to_owned(), text("Big One")),
            ("type".to_owned(), text("integer")),
            ("JSONPath".to_owned(), text(".spec.a")),
            ("priority".to_owned(), Value::Integer(1)),
        ]
    );
    assert_eq!(arguments("+kubebuilder:resource"), [], "all arguments can be left out");
}

#[test]
fn the_longest_registered_name_wins() {
    let marker = parse("+kubebuilder:validation:items:MaxLength=3").expect("right").expect("ours");
    assert_eq!(marker.definition.name, "kubebuilder:validation:items:MaxLength");
    let marker = parse("+kubebuilder:storageversion").expect("right").expect("ours");
    assert_eq!(marker.definition.name, "kubebuilder:storageversion");
}

#[test]
fn values_of_any_kind_are_guessed_as_controller_gen_does() {
    let list = |items: &[Value]| Value::List(items.to_vec());
    let table = [
        ("flat", text("flat")),
        ("\"flat, wide\"", text("flat, wide")),
        ("`a\"b\\n`", text("a\"b\\n")),
        ("250m", text("250m")),
        ("250", Value::Integer(250)),
        ("-2", Value::Integer(-2)),
        ("2.5", Value::Float(2.5)),
        ("007", Value::Integer(7)),
        ("08", text("08")),
        (".5", Value::Float(0.5)),
        ("1.0", Value::Integer(1)),
        ("1e3", Value::Integer(1000)),
        ("0x1f", text("0x1f")),
        ("1.2.3", text("1.2.3")),
        ("10:30", text("10:30")),
        ("http://x.y/z", text("http://x.y/z")),
        ("x=\"y,z\"", text("x=\"y,z\"")),
        ("a;", list(&[text("a")])),
        ("{a,b,}", list(&[text("a"), text("b")])),
        ("{a,1}", list(&[text("a"), text("1")])),
        ("a;1;true", list(&[text("a"), text("1"), text("true")])),
        ("{true, false}", list(&[Value::Bool(true), Value::Bool(false)])),
        ("{ a , b }", list(&[text("a"), text("b")])),
        (
            "{{a: 1},{a: 2}}",
            list(&[
                Value::Map(vec![("a".to_owned(), Value::Integer(1))]),
                Value::Map(vec![("a".to_owned(), Value::Integer(2))]),
            ]),
        ),
        ("{1: 2}", Value::Map(vec![("1".to_owned(), Value::Integer(2))])),
        ("2024-01-15", text("2024-01-15")),
        ("10/24", text("10/24")),
        ("[1]", text("[1]")),
        ("'x'", text("'x'")),
        ("true", Value::Bool(true)),
        ("x;y", list(&[text("x"), text("y")])),
        ("{a,b}", list(&[text("a"), text("b")])),
        ("{{1}, {2,3}}", list(&[list(&[Value::Integer(1)]), list(&[Value::Integer(2), Value::Integer(3)])])),
        ("{}", Value::Map(Vec::new())),
        (
            "{a: 1, \"b c\": {d: true}}",
            Value::Map(vec![
                ("a".to_owned(), Value::Integer(1)),
                ("b c".to_owned(), Value::Map(vec![("d".to_owned(), Value::Bool(true))])),
            ]),
        ),
    ];
    for (written, expected) in table {
        assert_eq!(value(&format!("+kubebuilder:default={written}")), expected, "{written}");
    }
}

#[test]
fn lists_with_and_without_braces() {
    let expected = Value::List(vec![text("thin"), text("very thin"), text("thick")]);
    assert_eq!(value("+kubebuilder:validation:Enum=thin;\"very thin\";thick"), expected);
    assert_eq!(value("+kubebuilder:validation:Enum={thin,\"very thin\",thick}"), expected);
    let arguments = arguments("+kubebuilder:rbac:groups=\"\",resources=pods;pods/status,verbs=get");
    assert_eq!(arguments[0].1, Value::List(vec![text("")]));
    assert_eq!(arguments[1].1, Value::List(vec![text("pods"), text("pods/status")]));
}

#[test]
fn values_that_cannot_be_guessed_are_wrong() {
    for value in
        ["{a: [1,2]}", "{a: b; c: d}", "{1,a}", "1;a", "a\"b", "a`b", "\"\\'\"", "{a: b", "{a", "{a b}, c"]
    {
        assert!(parse(&format!("+kubebuilder:default={value}")).is_err(), "{value}");
    }
}

#[test]
fn escapes_are_those_of_go() {
    assert_eq!(value(r#"+kubebuilder:title="a\tb\"c\\d\x41\u00e9\101""#), text("a\tb\"c\\dA\u{e9}A"));
    assert!(matches!(problem(r#"+kubebuilder:title="\q""#), MarkerProblem::BadEscape { .. }));
    assert!(matches!(problem(r#"+kubebuilder:title="\ud800""#), MarkerProblem::BadEscape { .. }));
}

#[test]
fn foreign_markers_and_prose_are_left_alone() {
    for line in [
        "just text",
        "+ a list item",
        "+1 for this",
        "+tool.example.com:note=x",
        "+gateway:experimental",
        "+marker2=1",
        "++genclient",
        "+",
        "",
        "+protobuf=true",
        "+union",
    ] {
        assert_eq!(parse(line), Ok(None), "{line}");
    }
}

#[test]
fn markers_of_upstream_generators_are_known() {
    for line in [
        "+k8s:deepcopy-gen=package,register",
        "+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object",
        "+k8s:defaulter-gen=TypeMeta",
        "+k8s:conversion-gen=false",
        "+k8s:prerelease-lifecycle-gen:introduced=1.30",
        "+k8s:subfield(name)=+k8s:format=k8s-short-name",
        "+k8s:alpha(since: \"1.34\")=+k8s:minimum=1",
        "+k8s:format=k8s-ip",
        "+kubebuilder:scaffold:imports",
        "+default=\"a\"",
        "+default=ref(pkg.Const)",
    ] {
        assert!(parse(line).is_ok_and(|marker| marker.is_some()), "{line}");
    }
}

#[test]
fn names_in_our_namespaces_must_be_known() {
    let nearest = |line: &str| match problem(line) {
        MarkerProblem::Unknown { nearest, .. } => nearest,
        other => panic!("{line}: {other}"),
    };
    assert_eq!(nearest("+genclient:nonamespaced").as_deref(), Some("genclient:nonNamespaced"));
    assert_eq!(nearest("+kubebuilder:printcolum:name=a").as_deref(), Some("kubebuilder:printcolumn"));
    assert_eq!(
        nearest("+kubebuilder:validation:minimum=1").as_deref(),
        Some("kubebuilder:validation:Minimum")
    );
    assert_eq!(nearest("+k8s:require").as_deref(), Some("k8s:required"));
    assert_eq!(nearest("+listtype=set").as_deref(), Some("listType"));
    assert_eq!(nearest("+Optional").as_deref(), Some("optional"));
    assert_eq!(nearest("+groupname=a").as_deref(), Some("groupName"));
    assert_eq!(nearest("+kubebuilder:frobnicate"), None);
}

#[test]
fn faults_have_their_bytes() {
    let line = " +kubebuilder:resource:path=a,scope=Galaxy";
    let fault = parse(line).expect_err("a wrong scope").faults.swap_remove(0);
    assert_eq!(&line[fault.bytes], "Galaxy");
    let line = " +kubebuilder:resource:path=a,size=3";
    let fault = parse(line).expect_err("an unknown argument").faults.swap_remove(0);
    assert_eq!(&line[fault.bytes], "size");
}

#[test]
fn the_registry_is_well_kept() {
    let mut names = BTreeSet::new();
    for definition in definitions() {
        assert!(names.insert(definition.name), "{} is there twice", definition.name);
        assert!(definition.help.ends_with('.'), "{}: {}", definition.name, definition.help);
        assert_eq!(find(definition.name), Some(definition));
        if let Form::Value(_, example) | Form::ValueOrEmpty(_, example) = definition.form {
            let parsed = parse(&format!("+{example}"));
            assert!(parsed.is_ok_and(|marker| marker.is_some()), "{example}");
        }
    }
    assert!(names.len() > 150);
    assert!(find("genclient").is_some_and(|found| found.targets.allow(Targets::TYPE)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        let _ = parse(&text);
    }

    #[test]
    fn any_text_behind_a_name_is_read(
        name in prop::sample::select(definitions().map(|definition| definition.name).collect::<Vec<_>>()),
        tail in "[=:,;{}\"`'\\\\a-c0-9. \u{e9}()-]{0,24}",
    ) {
        let line = format!("+{name}{tail}");
        if let Err(fault) = parse(&line) {
            for fault in fault.faults {
                prop_assert!(line.get(fault.bytes.clone()).is_some(), "{:?} of {}", fault.bytes, line);
            }
        }
    }
}

#[test]
fn deep_nesting_is_read() {
    for depth in [0, 1, 31, 32, 33, 34, 100, 5000] {
        let _ = parse(&format!("+kubebuilder:default={}", "{".repeat(depth)));
        let _ = parse(&format!("+kubebuilder:default={}", "{a: ".repeat(depth)));
        let _ = parse(&format!("+kubebuilder:default={}{}", "{".repeat(depth), "}".repeat(depth)));
    }
}
