//! The OpenAPI documents: texts, hashes, caching, and what custom kinds add.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use bytes::Bytes;
use http::{Request, Response, header};
use http_body_util::{BodyExt as _, Full};
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_apiserver::{ApiServer, Registration, ResponseBody};
use serde_json::Value;
use sha2::{Digest as _, Sha512};
use tower::ServiceExt as _;

async fn get(server: &ApiServer, path: &str, headers: &[(&str, &str)]) -> Response<ResponseBody> {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    server.service().oneshot(request.body(Full::<Bytes>::default()).unwrap()).await.unwrap()
}

async fn body(response: Response<ResponseBody>) -> Bytes {
    response.into_body().collect().await.unwrap().to_bytes()
}

fn sha512(text: &[u8]) -> String {
    Sha512::digest(text).iter().map(|byte| format!("{byte:02X}")).collect()
}

#[tokio::test]
async fn every_document_of_the_index_is_served_with_its_hash() {
    let server = ApiServer::default();
    let index: Value = serde_json::from_slice(&body(get(&server, "/openapi/v3", &[]).await).await).unwrap();
    let paths = index["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 49);
    for (path, entry) in paths {
        let url = entry["serverRelativeURL"].as_str().unwrap();
        let text = body(get(&server, url, &[]).await).await;
        assert_eq!(url, format!("/openapi/v3/{path}?hash={}", sha512(&text)));
    }
    // What a real server says.
    let apps = paths["apis/apps/v1"]["serverRelativeURL"].as_str().unwrap();
    assert!(apps.contains("?hash=D9D93953F83C7ECEC5A3BCA62C248FE868C25B4229AFA851964E016FCC38EB41"));
}

#[tokio::test]
async fn the_document_of_version_two_is_the_real_one() {
    let response = get(&ApiServer::default(), "/openapi/v2", &[]).await;
    let tag = response.headers()[header::ETAG].to_str().unwrap().to_owned();
    let text = body(response).await;
    assert_eq!(tag, format!("\"{}\"", sha512(&text)));
    assert!(tag.starts_with("\"DF2707FBB17B730BA6CFB1500097BA574D674EB780911FEFBF27F897FD0988F7"));
}

#[tokio::test]
async fn the_right_hash_may_be_kept_and_a_wrong_one_is_sent_to_it() {
    let server = ApiServer::default();
    let plain = get(&server, "/openapi/v3/apis/apps", &[]).await;
    let tag = plain.headers()[header::ETAG].to_str().unwrap().to_owned();
    let hash = tag.trim_matches('"');
    let right = get(&server, &format!("/openapi/v3/apis/apps?hash={hash}"), &[]).await;
    assert_eq!(right.headers()[header::CACHE_CONTROL], "public, immutable");
    assert!(right.headers().contains_key(header::EXPIRES));
    let wrong = get(&server, "/openapi/v3/apis/apps?hash=00", &[]).await;
    assert_eq!(wrong.status(), 301);
    assert_eq!(wrong.headers()[header::LOCATION], format!("/openapi/v3/apis/apps?hash={hash}"));
    let known = get(&server, "/openapi/v3/apis/apps", &[("if-none-match", &tag)]).await;
    assert_eq!(known.status(), 304);
    assert!(body(known).await.is_empty());
}

#[tokio::test]
async fn what_is_not_there_or_cannot_be_written_is_said_without_a_body() {
    let server = ApiServer::default();
    for (path, accept, status) in [
        ("/openapi/v3/apis/nope", "*/*", 404),
        ("/openapi/v3/apis/apps/", "*/*", 404),
        ("/openapi/v3/apis/apps", "application/xml", 406),
        ("/openapi/v2", "text/html", 406),
        ("/openapi/v2", "text/html, application/json;q=0.1", 200),
    ] {
        let response = get(&server, path, &[("accept", accept)]).await;
        assert_eq!(response.status(), status, "{path} {accept}");
        assert_eq!(body(response).await.is_empty(), status != 200, "{path} {accept}");
    }
}

#[tokio::test]
async fn registered_kinds_have_documents() {
    let registration = Registration::of::<ConfigMap>().resource_name("settings").status();
    let server = ApiServer::builder().register(registration).build();
    let core: Value =
        serde_json::from_slice(&body(get(&server, "/openapi/v3/api/v1", &[]).await).await).unwrap();
    let path = "/api/v1/namespaces/{namespace}/settings/{name}/status";
    assert!(core["paths"].get(path).is_some());
    assert!(core["paths"].get("/api/v1/pods").is_some(), "the built-in kinds stay");
    let v2: Value = serde_json::from_slice(&body(get(&server, "/openapi/v2", &[]).await).await).unwrap();
    assert!(v2["paths"].as_object().unwrap().keys().any(|path| path.ends_with("/settings")));
}

#[tokio::test]
async fn definitions_have_the_documents_of_a_real_server() {
    let server = ApiServer::default();
    // Two kinds in two versions, with everything that schemas can say; the tags are what a real server shows for them.
    let definitions: Vec<Value> = serde_json::from_str(include_str!("data/definitions.json")).unwrap();
    for definition in definitions {
        let request = Request::post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
            .body(Full::<Bytes>::from(definition.to_string()))
            .unwrap();
        let response = server.service().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 201);
    }
    for (path, tag) in [
        ("/openapi/v3/apis/kubectlw.example.com/v1", "F14C6408BA23A915773037D83C1B774B6DBCB5DF74C25A5D"),
        ("/openapi/v3/apis/kubectlw.example.com/v2", "F6497F9D15F412911FE20F711870335DB4B55A530A38B28D"),
        ("/openapi/v2", "DF6221289BB461B38EA960FB7C218E77BA65822E159240FE"),
    ] {
        let response = get(&server, path, &[]).await;
        let shown = response.headers()[header::ETAG].to_str().unwrap().to_owned();
        assert!(shown.trim_matches('"').starts_with(tag), "{path} {shown}");
        assert_eq!(shown.trim_matches('"'), sha512(&body(response).await));
    }
}
