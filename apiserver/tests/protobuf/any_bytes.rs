//! Whatever bytes come, reading them ends with a value or a refusal.

use kube_codegen_apiserver::protobuf;
use proptest::prelude::*;

use crate::samples::samples;

#[test]
fn cut_bodies_end_with_a_value_or_a_refusal() {
    for sample in samples() {
        let step = (sample.protobuf.len() / 100).max(1);
        for end in (0..sample.protobuf.len()).step_by(step) {
            let _ = protobuf::decode(&sample.protobuf[..end]);
        }
    }
}

#[test]
fn deep_bodies_are_refused() {
    let mut schema = Vec::new();
    for _ in 0..20_000 {
        // `not`, the schema inside a schema.
        let mut outer = vec![0xe2, 0x01];
        let mut length = schema.len();
        while length >= 0x80 {
            outer.push((length & 0x7f) as u8 | 0x80);
            length >>= 7;
        }
        outer.push(length as u8);
        outer.extend_from_slice(&schema);
        schema = outer;
        if schema.len() > 60_000 {
            break;
        }
    }
    let wrap = |number: u8, inner: &[u8]| {
        let mut out = vec![number << 3 | 2];
        let mut length = inner.len();
        while length >= 0x80 {
            out.push((length & 0x7f) as u8 | 0x80);
            length >>= 7;
        }
        out.push(length as u8);
        out.extend_from_slice(inner);
        out
    };
    // spec, versions, schema, openAPIV3Schema.
    let object = wrap(2, &wrap(7, &wrap(4, &wrap(1, &schema))));
    let mut body = b"k8s\0".to_vec();
    let kind = [wrap(1, b"apiextensions.k8s.io/v1"), wrap(2, b"CustomResourceDefinition")].concat();
    body.extend(wrap(1, &kind));
    body.extend(wrap(2, &object));
    assert!(protobuf::decode(&body).unwrap_err().to_string().contains("nested too deeply"));
}

proptest! {
    #[test]
    fn any_bytes_behind_the_prefix(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = protobuf::decode(&bytes);
        let _ = protobuf::decode(&[b"k8s\0", &bytes[..]].concat());
        let pod = [b"k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12", &[bytes.len().min(127) as u8][..], &bytes[..]].concat();
        let _ = protobuf::decode(&pod);
    }

    #[test]
    fn bodies_with_changed_bytes(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut body = which.get(samples()).protobuf.clone();
        let at = at.index(body.len());
        body[at] = byte;
        let _ = protobuf::decode(&body);
    }

    #[test]
    fn any_text_as_json(text in ".{0,200}") {
        let _ = protobuf::encode(text.as_bytes());
        let _ = protobuf::encode(format!("{{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"spec\":{text}}}").as_bytes());
    }
}
