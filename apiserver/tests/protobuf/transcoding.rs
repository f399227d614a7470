//! JSON to bytes and back, for every kind.

use kube_codegen_apiserver::{
    protobuf::{self, ProtobufError},
    schema::{builtin, normalize},
};

use crate::samples::samples;

#[test]
fn json_becomes_the_bytes_that_go_writes() {
    for sample in samples() {
        let kind = format!("{} {}", sample.text("apiVersion"), sample.text("kind"));
        assert!(protobuf::encode(sample.text.as_bytes()) == Ok(sample.protobuf.clone()), "{kind}");
        let sorted = sample.json.to_string();
        assert!(
            protobuf::encode(sorted.as_bytes()) == Ok(sample.protobuf.clone()),
            "{kind}, with sorted members"
        );
    }
}

#[test]
fn bytes_become_the_json_that_go_writes() {
    let mut seen = 0;
    for sample in samples() {
        let (api_version, kind) = (sample.text("apiVersion"), sample.text("kind"));
        let Some(schema) = builtin::object(api_version, kind) else { continue };
        let read = protobuf::decode(&sample.protobuf).unwrap();
        assert_eq!(normalize(read, &schema).unwrap().value, sample.json, "{api_version} {kind}");
        seen += 1;
    }
    assert!(seen > 150, "{seen} kinds");
}

#[test]
fn times_before_1970_and_numbers_below_zero_come_back() {
    let lease = r#"{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"a","creationTimestamp":"1955-11-05T06:00:00Z"},"spec":{"leaseTransitions":-1,"renewTime":"1955-11-05T06:00:00.250000Z"}}"#;
    let read = protobuf::decode(&protobuf::encode(lease.as_bytes()).unwrap()).unwrap();
    assert_eq!(read, serde_json::from_str::<serde_json::Value>(lease).unwrap());
}

#[test]
fn a_custom_kind_has_no_message() {
    let json = br#"{"kind":"Widget","apiVersion":"example.com/v1","metadata":{}}"#;
    assert!(matches!(protobuf::encode(json), Err(ProtobufError::NoMessage { .. })));
    assert!(matches!(
        protobuf::decode(b"k8s\0\x0a\x0a\x0a\x02v1\x12\x04What\x12\x00"),
        Err(ProtobufError::NoMessage { .. })
    ));
}

#[test]
fn a_value_that_does_not_fit_is_refused() {
    for json in [
        &br#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":1}}"#[..],
        br#"{"kind":"Pod","apiVersion":"v1","metadata":{"creationTimestamp":"yesterday"}}"#,
        br#"{"kind":"Secret","apiVersion":"v1","data":{"a":"?"}}"#,
        br#"{"kind":"Pod","apiVersion":"v1","spec":[]}"#,
        b"{",
        b"",
    ] {
        assert!(matches!(protobuf::encode(json), Err(ProtobufError::Json(_))));
    }
}

#[test]
fn a_message_that_comes_twice_is_merged() {
    let body = b"k8s\0\x0a\x0f\x0a\x02v1\x12\x09ConfigMap\x12\x0e\x0a\x05\x0a\x03one\x0a\x05\x1a\x03two";
    let read = protobuf::decode(body).unwrap();
    assert_eq!(read["metadata"], serde_json::json!({"name": "one", "namespace": "two"}));
}
