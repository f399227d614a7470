//! Webhooks over HTTPS.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http_body_util::{BodyExt as _, Full};
use hyper::{body::Bytes, service::service_fn};
use hyper_util::rt::TokioIo;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Api, Client, api::PostParams, core::DynamicObject, discovery::ApiResource};
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};

/// A webhook on this machine; gives its address and its certificate.
async fn webhook(allowed: bool) -> (String, String) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let provider = tokio_rustls::rustls::crypto::ring::default_provider();
    let config = ServerConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key.into())
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            // Whoever does not trust the certificate leaves.
            let Ok(stream) = acceptor.accept(socket).await else { continue };
            let service = service_fn(move |request: http::Request<hyper::body::Incoming>| async move {
                assert_eq!(request.uri().path_and_query().unwrap().as_str(), "/review?timeout=5s");
                let body = request.into_body().collect().await.unwrap().to_bytes();
                let review: Value = serde_json::from_slice(&body).unwrap();
                let response =
                    json!({"uid": review["request"]["uid"], "allowed": allowed, "status": {"message": "no"}});
                let answer = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response});
                Ok::<_, std::convert::Infallible>(http::Response::new(Full::new(Bytes::from(
                    answer.to_string(),
                ))))
            });
            tokio::spawn(
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
            );
        }
    });
    (format!("https://localhost:{port}/review"), made.cert.pem())
}

async fn configure(client: &Client, url: &str, authority: &str) {
    let resource = ApiResource {
        group: "admissionregistration.k8s.io".into(),
        version: "v1".into(),
        api_version: "admissionregistration.k8s.io/v1".into(),
        kind: "ValidatingWebhookConfiguration".into(),
        plural: "validatingwebhookconfigurations".into(),
    };
    let hook = json!({
        "name": "hook.example.com",
        "clientConfig": {"url": url, "caBundle": STANDARD.encode(authority)},
        "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"]}],
        "sideEffects": "None", "admissionReviewVersions": ["v1"], "timeoutSeconds": 5,
    });
    let object: DynamicObject = serde_json::from_value(json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "hook"}, "webhooks": [hook],
    }))
    .unwrap();
    let all: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
    all.create(&PostParams::default(), &object).await.unwrap();
}

async fn create(client: &Client) -> Result<(), String> {
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), "default");
    let mut map = ConfigMap::default();
    map.metadata.name = Some("m".to_owned());
    match maps.create(&PostParams::default(), &map).await {
        Ok(_) => Ok(()),
        Err(kube::Error::Api(status)) => Err(status.message),
        Err(other) => Err(other.to_string()),
    }
}

#[tokio::test]
async fn a_webhook_with_a_certificate_of_its_authority_is_asked() {
    for (allowed, expected) in [
        (true, Ok(())),
        (false, Err("admission webhook \"hook.example.com\" denied the request: no".to_owned())),
    ] {
        let (url, authority) = webhook(allowed).await;
        let client = ApiServer::new().client();
        configure(&client, &url, &authority).await;
        assert_eq!(create(&client).await, expected);
    }
}

#[tokio::test]
async fn a_webhook_that_cannot_be_trusted_or_reached_is_told_so() {
    let (url, _) = webhook(true).await;
    let (_, other) = webhook(true).await;
    let client = ApiServer::new().client();
    configure(&client, &url, &other).await;
    let why = create(&client).await.unwrap_err();
    let expected = format!(
        "Internal error occurred: failed calling webhook \"hook.example.com\": failed to call webhook: Post \"{url}?timeout=5s\": tls: \
         failed to verify certificate: x509: certificate signed by unknown authority"
    );
    assert_eq!(why, expected);

    let client = ApiServer::new().client();
    configure(&client, "https://127.0.0.1:1/review", &other).await;
    let why = create(&client).await.unwrap_err();
    assert!(why.ends_with("dial tcp 127.0.0.1:1: connect: connection refused"), "{why}");
}
