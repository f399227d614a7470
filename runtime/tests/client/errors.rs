//! Every class of failure, from a Status and from answers that are none.

use std::{error::Error as _, time::Duration};

use http::StatusCode;
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::client::{Error, FieldConflict, ResourceClient, Status};
use serde_json::{Value, json};

use crate::mock::Mock;

async fn failure(code: u16, headers: &[(&str, &str)], body: &str) -> Error {
    let mock = Mock::default();
    mock.answer(StatusCode::from_u16(code).unwrap(), headers, body);
    ResourceClient::<ConfigMap>::namespaced(mock.client(), "default").get("a").await.unwrap_err()
}

fn status(code: u16, reason: &str) -> Value {
    json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": "no", "reason": reason, "code": code,
    })
}

/// The name of the variant.
fn class(error: &Error) -> String {
    let text = format!("{error:?}");
    text.split(['(', ' ', '{']).next().unwrap().to_owned()
}

#[tokio::test]
async fn a_status_is_judged_by_its_reason() {
    let classes = [
        (404, "NotFound", "NotFound"),
        (409, "AlreadyExists", "AlreadyExists"),
        (409, "Conflict", "Conflict"),
        (410, "Expired", "Expired"),
        (410, "Gone", "Expired"),
        (422, "Invalid", "Invalid"),
        (400, "BadRequest", "BadRequest"),
        (401, "Unauthorized", "Unauthorized"),
        (403, "Forbidden", "Forbidden"),
        (405, "MethodNotAllowed", "Unsupported"),
        (406, "NotAcceptable", "Unsupported"),
        (415, "UnsupportedMediaType", "Unsupported"),
        (413, "RequestEntityTooLarge", "TooLarge"),
        (429, "TooManyRequests", "TooManyRequests"),
        (504, "Timeout", "Timeout"),
        (500, "ServerTimeout", "Timeout"),
        (503, "ServiceUnavailable", "Unavailable"),
        (500, "InternalError", "Internal"),
        (500, "StorageReadError", "Internal"),
        (418, "Teapot", "Api"),
        // The reason counts, not the code that it came with.
        (500, "NotFound", "NotFound"),
    ];
    for (code, reason, expected) in classes {
        let error = failure(code, &[], &status(code, reason).to_string()).await;
        assert_eq!(class(&error), expected, "{code} {reason}");
        assert_eq!(error.to_string(), "no");
        let status = error.status().unwrap();
        assert_eq!((status.code, status.reason.as_str()), (code, reason));
    }
}

#[tokio::test]
async fn an_answer_that_is_no_status_is_judged_by_its_code() {
    let classes = [
        (400, "BadRequest"),
        (401, "Unauthorized"),
        (403, "Forbidden"),
        (404, "NotFound"),
        (405, "Unsupported"),
        (406, "Unsupported"),
        (409, "Conflict"),
        (410, "Expired"),
        (413, "TooLarge"),
        (415, "Unsupported"),
        (422, "Invalid"),
        (429, "TooManyRequests"),
        (500, "Internal"),
        (502, "Api"),
        (503, "Unavailable"),
        (504, "Timeout"),
        // Redirects are followed by nobody here.
        (302, "Api"),
    ];
    for (code, expected) in classes {
        for body in ["404 page not found\n", "<html>", "{\"error\": 1}", "[]", "\u{fffd}"] {
            let error = failure(code, &[], body).await;
            assert_eq!(class(&error), expected, "{code}");
            assert_eq!(error.to_string(), body.trim());
            assert_eq!(error.status().unwrap().code, code);
            assert_eq!(error.causes()[0].reason, "UnexpectedServerResponse");
        }
    }
}

#[tokio::test]
async fn an_empty_answer_has_a_message_too() {
    let error = failure(502, &[], "").await;
    assert_eq!(error.to_string(), "the server answered 502 Bad Gateway");
}

#[tokio::test]
async fn a_long_page_is_cut() {
    let error = failure(502, &[], &"é".repeat(100_000)).await;
    assert_eq!(error.to_string().chars().count(), 1024);
}

#[tokio::test]
async fn the_wait_comes_from_the_body_or_the_header() {
    let mut asking = status(429, "TooManyRequests");
    asking["details"] = json!({"retryAfterSeconds": 3});
    let header = [("Retry-After", "7")];
    let (three, seven) = (Some(Duration::from_secs(3)), Some(Duration::from_secs(7)));
    for (body, headers, expected) in [
        (asking.to_string(), &[] as &[_], three),
        (asking.to_string(), &header, three),
        (status(429, "TooManyRequests").to_string(), &header, seven),
        ("slow down".to_owned(), &header, seven),
        ("slow down".to_owned(), &[("Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT")], None),
        ("slow down".to_owned(), &[], None),
    ] {
        let error = failure(429, headers, &body).await;
        let Error::TooManyRequests { retry_after, .. } = error else { panic!("{error:?}") };
        assert_eq!(retry_after, expected);
        assert_eq!(error.retry_after(), expected);
    }
    for code in [503, 504] {
        let error = failure(code, &header, "").await;
        let (Error::Unavailable { retry_after, .. } | Error::Timeout { retry_after, .. }) = error else {
            panic!("{error:?}")
        };
        assert_eq!(retry_after, seven);
    }
}

#[tokio::test]
async fn causes_of_an_invalid_object_are_kept() {
    let mut invalid = status(422, "Invalid");
    invalid["details"] = json!({"causes": [
        {"reason": "FieldValueRequired", "message": "Required value", "field": "spec.schedule"},
        {"reason": "FieldValueInvalid", "message": "Invalid value: 3", "field": "spec.command"},
    ]});
    let error = failure(422, &[], &invalid.to_string()).await;
    let fields: Vec<_> = error.causes().iter().map(|cause| cause.field.as_str()).collect();
    assert_eq!(fields, ["spec.schedule", "spec.command"]);
}

#[tokio::test]
async fn an_apply_conflict_names_fields_and_owners() {
    let mut conflict = status(409, "Conflict");
    conflict["details"] = json!({"causes": [
        {"reason": "FieldManagerConflict", "message": "conflict with \"you\" using apps/v1 at 2030-01-01T00:00:00Z", "field": ".spec.replicas"},
        {"reason": "FieldManagerConflict", "message": "conflict", "field": ".spec.image"},
    ]});
    let Error::ApplyConflict { conflicts, status } = failure(409, &[], &conflict.to_string()).await else {
        panic!("no apply conflict")
    };
    assert_eq!(status.reason, "Conflict");
    let owned = |manager: Option<&str>, field: &str, message: &str| FieldConflict {
        manager: manager.map(str::to_owned),
        field: field.to_owned(),
        message: message.to_owned(),
    };
    assert_eq!(
        conflicts,
        [
            owned(
                Some("you"),
                ".spec.replicas",
                "conflict with \"you\" using apps/v1 at 2030-01-01T00:00:00Z"
            ),
            owned(None, ".spec.image", "conflict"),
        ]
    );
}

#[tokio::test]
async fn a_success_of_another_type_is_a_decode_error() {
    for body in ["", "null", "[]", "{\"metadata\": 3}", "{", "<html>"] {
        let error = failure(200, &[], body).await;
        assert!(matches!(error, Error::Decode(_)), "{error:?}");
        assert!(error.source().is_some());
        assert!(error.status().is_none() && error.causes().is_empty() && error.retry_after().is_none());
    }
}

#[tokio::test]
async fn a_server_out_of_reach_is_a_transport_error() {
    let service = tower::service_fn(async |_: http::Request<kube::client::Body>| {
        Err::<http::Response<kube::client::Body>, _>(std::io::Error::other("cable cut"))
    });
    let client = kube::Client::new(service, "default");
    let error = ResourceClient::<ConfigMap>::namespaced(client, "default").list().await.unwrap_err();
    assert!(matches!(error, Error::Transport(_)), "{error:?}");
    let mut cause = error.source();
    let mut found = false;
    while let Some(error) = cause {
        found |= error.to_string() == "cable cut";
        cause = error.source();
    }
    assert!(found, "the cause is lost");
}

/// A body that breaks off is no answer.
#[tokio::test]
async fn half_an_answer_is_a_transport_error() {
    let mock = Mock::default();
    let chunks = [Ok("{\"metadata\":".into()), Err(std::io::ErrorKind::ConnectionReset.into())];
    mock.answer_with(StatusCode::OK, &[], futures::stream::iter(chunks));
    let client = ResourceClient::<ConfigMap>::namespaced(mock.client(), "default");
    assert!(matches!(client.get("a").await, Err(Error::Transport(_))));
}

#[test]
fn kube_errors_become_ours() {
    let status = Status::failure("no", "NotFound").with_code(404).boxed();
    assert!(matches!(Error::from(kube::Error::Api(status)), Error::NotFound(_)));
    let source = serde_json::from_str::<u8>("x").unwrap_err();
    assert!(matches!(Error::from(kube::Error::SerdeError(source)), Error::Decode(_)));
    assert!(matches!(Error::from(kube::Error::TlsRequired), Error::Transport(_)));
}

/// Errors cross tasks and end up in `anyhow` and boxes.
#[test]
fn errors_are_send_sync_and_static() {
    fn check<T: std::error::Error + Send + Sync + 'static>() {}
    check::<Error>();
}
