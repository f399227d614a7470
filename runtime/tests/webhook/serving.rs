//! Webhooks under a manager, over TLS.

use std::{fs, net::SocketAddr, path::Path, sync::Arc, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Api, api::PostParams};
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    CancellationToken,
    manager::{Manager, ManagerConfig, ManagerError},
    webhook::WebhookServer,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring::default_provider,
        pki_types::{CertificateDer, pem::PemObject},
    },
};

use super::support::{color, colors, configure, map};

/// A certificate and its key in a folder; the certificate.
fn certificate(folder: &Path) -> String {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    fs::write(folder.join("tls.crt"), made.cert.pem()).unwrap();
    fs::write(folder.join("tls.key"), made.signing_key.serialize_pem()).unwrap();
    made.cert.pem()
}

fn webhooks(folder: &Path) -> WebhookServer {
    colors(WebhookServer::new(([127, 0, 0, 1], 0).into(), folder))
}

/// A manager with webhooks, while it runs.
struct Running {
    manager: Manager,
    address: SocketAddr,
    stop: CancellationToken,
    run: tokio::task::JoinHandle<Result<(), ManagerError>>,
}

async fn run(folder: &Path) -> Running {
    let (manager, stop) = (Manager::builder().build(), CancellationToken::new());
    manager.add_webhooks(webhooks(folder));
    let run = tokio::spawn(manager.clone().run(stop.clone()));
    let address = manager.webhook_address().await.unwrap();
    Running { manager, address, stop, run }
}

impl Running {
    async fn end(self) {
        self.stop.cancel();
        self.run.await.unwrap().unwrap();
    }
}

/// Sends a request, trusting one certificate, and reads the answer.
async fn ask(address: SocketAddr, certificate: &str, request: &[u8]) -> (u16, String) {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let socket = TcpStream::connect(address).await.unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    let mut socket = connector.connect("localhost".try_into().unwrap(), socket).await.unwrap();
    // A server may answer and close before it has read all.
    let _ = socket.write_all(request).await;
    let mut answer = Vec::new();
    let _ = socket.read_to_end(&mut answer).await;
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn request(method: &str, path: &str, kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

#[tokio::test]
async fn a_cluster_asks_them_over_tls_and_they_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let authority = certificate(folder.path());
    let running = run(folder.path()).await;
    let server = ApiServer::default();
    let address = format!("https://localhost:{}", running.address.port());
    configure(&server.client(), &address, Some(STANDARD.encode(authority))).await;
    let maps: Api<ConfigMap> = Api::default_namespaced(server.client());
    assert_eq!(color(&maps.create(&PostParams::default(), &map("a", None)).await.unwrap()), "red");
    maps.create(&PostParams::default(), &map("b", Some("gray"))).await.unwrap_err();
    maps.create(&PostParams::default(), &map("c", Some("black"))).await.unwrap_err();
    let text = running.manager.metrics().text();
    for line in [
        "controller_runtime_webhook_requests_total{webhook=\"/mutate--v1-configmap\",code=\"200\"} 3",
        "controller_runtime_webhook_requests_total{webhook=\"/validate--v1-configmap\",code=\"200\"} 3",
        "controller_runtime_webhook_requests_in_flight{webhook=\"/validate--v1-configmap\"} 0",
        "controller_runtime_webhook_latency_seconds_count{webhook=\"/validate--v1-configmap\"} 3",
        "controller_runtime_webhook_panics_total 1",
    ] {
        assert!(text.lines().any(|there| there == line), "{line} is not in\n{text}");
    }
    running.end().await;
}

#[tokio::test]
async fn what_is_no_review_gets_a_code_and_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let authority = certificate(folder.path());
    let running = run(folder.path()).await;
    let (path, json) = ("/validate--v1-configmap", "application/json; charset=utf-8");
    let long = "x".repeat(8 * 1024 * 1024);
    for (request, code, told) in [
        (
            request("POST", "/other", json, "{}"),
            404,
            "there is no webhook at this path; there is /mutate--v1-configmap, /validate--v1-configmap\n",
        ),
        (request("GET", path, json, ""), 405, "only POST is answered here\n"),
        (request("POST", path, "text/plain", "{}"), 415, "reviews are sent as application/json\n"),
        (
            request("POST", path, json, ""),
            400,
            "the body is no JSON: EOF while parsing a value at line 1 column 0\n",
        ),
        (request("POST", path, json, "[1, 2]"), 400, "the body is no review: it has no request\n"),
        (
            request("POST", path, json, &"[".repeat(100_000)),
            400,
            "the body is no JSON: recursion limit exceeded at line 1 column 128\n",
        ),
        (request("POST", path, json, &long), 413, "a review has 7340032 bytes at most\n"),
    ] {
        assert_eq!(ask(running.address, &authority, &request).await, (code, told.to_owned()));
    }
    running.end().await;
}

#[tokio::test]
async fn without_a_certificate_the_manager_does_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let manager = Manager::builder().build();
    manager.add_webhooks(webhooks(folder.path()));
    let error = manager.run(CancellationToken::new()).await.unwrap_err();
    let ManagerError::Certificate { purpose: "webhooks", source } = error else { panic!("{error}") };
    let source = source.to_string();
    assert!(source.contains("tls.crt") && source.contains("No such file"), "{source}");
}

#[test]
fn the_flags_of_kubebuilders_main_say_where_the_certificate_is() {
    let server = |flags: &[&str]| {
        let flags = flags.iter().map(|flag| (*flag).to_owned());
        let (config, rest) = ManagerConfig::default().with_flags(flags).unwrap();
        assert!(rest.is_empty());
        format!("{:?}", config.webhook_server())
    };
    let common = server(&[]);
    assert!(common.contains("0.0.0.0:9443"), "{common}");
    assert!(common.contains("/k8s-webhook-server/serving-certs/tls.crt\""), "{common}");
    let own =
        server(&["--webhook-cert-path=/certs", "--webhook-cert-name", "a.pem", "--webhook-cert-key=b.pem"]);
    assert!(own.contains("\"/certs/a.pem\"") && own.contains("\"/certs/b.pem\""), "{own}");
}

#[tokio::test]
async fn a_manager_is_ready_once_its_webhooks_are_answered_and_ends_them_last() {
    let folder = tempfile::tempdir().unwrap();
    let authority = certificate(folder.path());
    let (manager, stop) =
        (Manager::builder().health_address(([127, 0, 0, 1], 0).into()).build(), CancellationToken::new());
    manager.add_webhooks(webhooks(folder.path()));
    let late = manager.clone();
    manager.add_task("the last run", move |stop: CancellationToken| async move {
        stop.cancelled().await;
        // What the last runs write is still reviewed.
        let address = late.webhook_address().await.unwrap();
        let (code, _) = ask(address, &authority, &request("GET", "/mutate--v1-configmap", "", "")).await;
        assert_eq!(code, 405);
        Ok(())
    });
    let run = tokio::spawn(manager.clone().run(stop.clone()));
    let address = manager.webhook_address().await.unwrap();
    let health = manager.health_address().await.unwrap();
    let probe = async || {
        let mut socket = TcpStream::connect(health).await.unwrap();
        socket.write_all(b"GET /readyz/webhooks HTTP/1.0\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        answer
    };
    while !probe().await.ends_with("ok") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stop.cancel();
    run.await.unwrap().unwrap();
    TcpStream::connect(address).await.unwrap_err();
}
