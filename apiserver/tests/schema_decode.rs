//! Decoding as a real server does it: normal forms, unknown and duplicate fields, the decoder's complaints.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use kube_codegen_apiserver::schema::{
    TypeSchema, builtin, canonical_micro_time, canonical_quantity, canonical_time, normalize, parse_strict,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn kind(api_version: &str, kind: &str) -> TypeSchema {
    builtin::object(api_version, kind).unwrap()
}

#[test]
fn quantities() {
    for (sent, stored) in [
        ("0", "0"),
        ("0.5Gi", "512Mi"),
        ("1024Ki", "1Mi"),
        ("1000k", "1M"),
        ("1e3", "1e3"),
        ("12E2", "1200"),
        ("1500m", "1500m"),
        ("1.5", "1500m"),
        ("0.0000000001", "1n"),
        ("+2", "+2"),
        ("1.1Ki", "1126400m"),
        ("1000000", "1M"),
        ("007M", "007M"),
        ("0.1Ti", "109951162777600m"),
        ("2500", "2500"),
        ("-1Gi", "-1Gi"),
        ("512", "512"),
        ("1Ki", "1Ki"),
        ("8Ki", "8Ki"),
        ("100m", "100m"),
        ("0.1", "100m"),
        ("1E", "1E"),
        ("1000E", "1000E"),
        ("00", "0"),
    ] {
        assert_eq!(canonical_quantity(sent), Ok(stored.to_owned()), "{sent}");
    }
    for wrong in ["", "lots", "1 Gi", "1gi", "1.2.3"] {
        let format =
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
        assert_eq!(canonical_quantity(wrong), Err(format), "{wrong}");
    }
    assert_eq!(canonical_quantity("1KK"), Err("unable to parse quantity's suffix"));
}

#[test]
fn times() {
    for (sent, stored) in [
        ("2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z"),
        ("2001-01-01T00:00:00.123456789Z", "2001-01-01T00:00:00Z"),
        ("2001-01-01T01:00:00+01:00", "2001-01-01T00:00:00Z"),
    ] {
        assert_eq!(canonical_time(sent), Ok(stored.to_owned()), "{sent}");
    }
    for (sent, complaint) in [
        (
            "yesterday",
            r#"parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006""#,
        ),
        ("", r#"parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006""#),
        ("2001-01-01", r#"parsing time "2001-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T""#),
        ("2001-13-01T00:00:00Z", r#"parsing time "2001-13-01T00:00:00Z": month out of range"#),
        (
            "2001-01-01T00:00:00",
            r#"parsing time "2001-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00""#,
        ),
    ] {
        assert_eq!(canonical_time(sent), Err(complaint.to_owned()), "{sent}");
    }
    assert_eq!(
        canonical_micro_time("2001-01-01T00:00:00.123456Z"),
        Ok("2001-01-01T00:00:00.123456Z".to_owned())
    );
    let complaint = r#"parsing time "2001-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000""#;
    assert_eq!(canonical_micro_time("2001-01-01T00:00:00Z"), Err(complaint.to_owned()));
}

#[test]
fn objects_get_the_form_of_go() {
    for (api_version, name, sent, stored) in [
        (
            "v1",
            "ConfigMap",
            json!({"metadata": {"name": "a", "labels": {}, "annotations": {"n": null}, "finalizers": []}, "data": {"x": null}, "immutable": null}),
            json!({"metadata": {"name": "a", "annotations": {"n": ""}}, "data": {"x": ""}}),
        ),
        (
            "apps/v1",
            "Deployment",
            json!({"metadata": {"name": "d"}, "spec": {"replicas": 0, "minReadySeconds": 0, "paused": false, "template": {"spec": {"tolerations": []}}}}),
            json!({
                "metadata": {"name": "d"},
                "spec": {"replicas": 0, "selector": null, "strategy": {}, "template": {"metadata": {}, "spec": {"containers": null}}},
                "status": {},
            }),
        ),
        (
            "v1",
            "Pod",
            json!({
                "metadata": {"name": "p", "creationTimestamp": null},
                "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": 1}}, "ports": [{"containerPort": 80}]}], "securityContext": {}},
                "status": {"conditions": [{"type": "Ready", "status": "True"}]},
            }),
            json!({
                "metadata": {"name": "p"},
                "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}, "ports": [{"containerPort": 80}]}], "securityContext": {}},
                "status": {"conditions": [{"type": "Ready", "status": "True", "lastProbeTime": null, "lastTransitionTime": null}]},
            }),
        ),
        (
            "v1",
            "Service",
            json!({"spec": {"ports": [{"port": 80, "name": ""}]}}),
            json!({"metadata": {}, "spec": {"ports": [{"port": 80, "targetPort": 0}]}, "status": {"loadBalancer": {}}}),
        ),
    ] {
        let found = normalize(sent, &kind(api_version, name)).unwrap();
        assert_eq!(found.value, stored, "{name}");
        assert!(found.unknown.is_empty());
        assert_eq!(
            normalize(stored.clone(), &kind(api_version, name)).unwrap().value,
            stored,
            "{name} again"
        );
    }
}

#[test]
fn complaints_of_the_decoder() {
    for (of, sent, complaint) in [
        (
            "apps/v1 Deployment",
            json!({"spec": {"replicas": "3"}}),
            "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
        ),
        (
            "apps/v1 Deployment",
            json!({"spec": {"replicas": 1.5}}),
            "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32",
        ),
        (
            "v1 Pod",
            json!({"metadata": {"labels": {"x": 1}}, "spec": {"containers": {}}}),
            "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
        ),
        (
            "v1 Pod",
            json!({"spec": {"containers": [], "hostNetwork": "yes"}}),
            "json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool",
        ),
        (
            "v1 Pod",
            json!({"spec": {"containers": {}}}),
            "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container",
        ),
        (
            "v1 Pod",
            json!({"spec": "x"}),
            "json: cannot unmarshal string into Go struct field Pod.spec of type v1.PodSpec",
        ),
        (
            "v1 Pod",
            json!({"spec": {"restartPolicy": 1}}),
            "json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy",
        ),
        (
            "v1 Pod",
            json!({"metadata": []}),
            "json: cannot unmarshal array into Go struct field Pod.metadata of type v1.ObjectMeta",
        ),
        (
            "v1 Service",
            json!({"spec": {"ports": [{"port": 80, "targetPort": true}]}}),
            "json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32",
        ),
        ("v1 Secret", json!({"data": {"k": "not base64!"}}), "illegal base64 data at input byte 3"),
        (
            "coordination.k8s.io/v1 Lease",
            json!({"spec": {"leaseDurationSeconds": "15"}}),
            "json: cannot unmarshal string into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32",
        ),
    ] {
        let (api_version, name) = of.split_once(' ').unwrap();
        assert_eq!(normalize(sent, &kind(api_version, name)), Err(complaint.to_owned()));
    }
}

#[test]
fn unknown_fields_of_values_come_sorted() {
    let sent = json!({"spec": {"ports": [{"port": 1}, {"port": 2, "shade": 1}], "extra": 1}, "x": 1});
    let found = normalize(sent, &kind("v1", "Service")).unwrap();
    assert_eq!(
        found.unknown,
        ["unknown field \"spec.extra\"", "unknown field \"spec.ports[1].shade\"", "unknown field \"x\""]
    );
    assert!(found.value.get("x").is_none());
}

#[test]
fn findings_of_texts_come_in_their_order() {
    let text = br#"{"metadata":{"name":"b","labels":{"x":"1","x":"2"}},"dat":{"a":1,"a":2},"data":{"k":"1","k":"2","k":"3"},"data":{"z":"9"}}"#;
    let found = parse_strict(text, Some(&kind("v1", "ConfigMap"))).unwrap();
    assert_eq!(
        found.findings,
        [
            "duplicate field \"metadata.labels.x\"",
            "unknown field \"dat\"",
            "duplicate field \"data.k\"",
            "duplicate field \"data\""
        ]
    );
    assert_eq!(found.value["data"], json!({"k": "3", "z": "9"}));
    let found = parse_strict(text, None).unwrap();
    assert_eq!(
        found.findings,
        [
            "duplicate field \"metadata.labels.x\"",
            "duplicate field \"dat.a\"",
            "duplicate field \"data.k\"",
            "duplicate field \"data\""
        ]
    );
    assert_eq!(found.value["data"], json!({"z": "9"}));
    let text = br#"{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i","image":"j"}]}}}}"#;
    let found = parse_strict(text, Some(&kind("apps/v1", "Deployment"))).unwrap();
    assert_eq!(found.findings, ["duplicate field \"spec.template.spec.containers[0].image\""]);
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
        "[+-]?[0-9]{0,22}[.]?[0-9]{0,3}(Ki|Ei|m|n|E|e[0-9]{1,3})?".prop_map(Value::from),
    ];
    let name = || {
        prop_oneof![
            "metadata|spec|status|containers|resources|limits|cpu|ports|targetPort|conditions|template",
            "labels|creationTimestamp|lastProbeTime|data|volumes|emptyDir|sizeLimit|name|x"
        ]
    };
    leaf.prop_recursive(6, 40, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(name(), inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn nothing_panics_and_normal_is_normal(value in any_value()) {
        for (api_version, name) in [("v1", "Pod"), ("apps/v1", "Deployment"), ("v1", "Secret")] {
            let schema = kind(api_version, name);
            if let Ok(once) = normalize(value.clone(), &schema) {
                let twice = normalize(once.value.clone(), &schema).unwrap();
                prop_assert_eq!(&once.value, &twice.value);
                prop_assert!(twice.unknown.is_empty());
            }
        }
    }

    #[test]
    fn texts_never_panic(text in ".{0,40}") {
        let _ = canonical_quantity(&text);
        let _ = canonical_time(&text);
        let _ = canonical_micro_time(&text);
        let _ = parse_strict(text.as_bytes(), None);
    }

    #[test]
    fn canonical_amounts_are_canonical(text in "[+-]?[0-9]{1,20}([.][0-9]{0,12})?(Ki|Mi|Gi|Ti|Pi|Ei|m|n|u|k|M|G|T|P|E|e-?[0-9]{1,2})?") {
        if let Ok(once) = canonical_quantity(&text) {
            prop_assert_eq!(canonical_quantity(&once), Ok(once.clone()));
        }
    }

    #[test]
    fn reading_is_what_serde_json_reads(value in any_value()) {
        let text = value.to_string();
        prop_assert_eq!(parse_strict(text.as_bytes(), None).unwrap().value, serde_json::from_str::<Value>(&text).unwrap());
    }
}
