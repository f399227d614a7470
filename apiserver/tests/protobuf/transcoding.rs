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

#[test]
fn an_openapi_document_becomes_the_bytes_that_gnostic_writes() {
    let document = br##"{
        "swagger": "2.0",
        "info": {"title": "t", "version": "v1"},
        "paths": {"/a": {"get": {
            "parameters": [{"$ref": "#/parameters/p"}, {"in": "body", "name": "body", "required": true, "schema": {"type": "object"}}],
            "responses": {"200": {"description": "OK", "schema": {"$ref": "#/definitions/A"}}},
            "x-kubernetes-group-version-kind": {"group": "", "kind": "A", "version": "v1"}
        }}},
        "definitions": {"A": {
            "properties": {"enum": {"type": "array", "items": {"type": "string", "enum": ["*", "true", "b"]}}},
            "additionalProperties": false,
            "x-kubernetes-unions": [{"fields-to-discriminateBy": {"a": "A"}}]
        }}
    }"##;
    let expected = "0a03322e3012070a01741202763142ad0112aa010a022f6112a30112a001421212100a0e232f706172616d65746572732f70421f0a1d0a\
        1b1204626f64791a04626f647920012a0bb201080a066f626a6563744a240a220a03323030121b0a190a024f4b12130a110a0f232f6465\
        66696e6974696f6e732f416a430a1f782d6b756265726e657465732d67726f75702d76657273696f6e2d6b696e641220121e67726f7570\
        3a2022220a6b696e643a20410a76657273696f6e3a2076310a4a92010a8f010a0141128901aa01021000ca01400a3e0a04656e756d1236\
        b201070a056172726179ba01290a27a201061204272a270aa2010912072274727565220aa201041202620ab201080a06737472696e67fa\
        013e0a13782d6b756265726e657465732d756e696f6e73122712252d206669656c64732d746f2d6469736372696d696e61746542793a0a\
        20202020613a20410a";
    let hex = |bytes: Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hex(protobuf::encode_openapi_v2(document).unwrap()), expected);
    assert!(matches!(protobuf::encode_openapi_v2(b"{"), Err(ProtobufError::Json(_))));
}
