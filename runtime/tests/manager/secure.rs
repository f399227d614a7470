//! Metrics over TLS, for those whom the cluster lets read them.

use std::{fs, net::SocketAddr, path::Path, sync::Arc, time::Duration};

use kube_codegen_apiserver::{
    ApiServer,
    testing::{Faults, Verb},
};
use kube_codegen_runtime::manager::{Manager, ManagerConfig, ManagerError, SecureMetrics};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
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

use super::support::Process;

const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";

fn pair(folder: &Path) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    fs::write(folder.join("tls.crt"), made.cert.pem()).unwrap();
    fs::write(folder.join("tls.key"), made.signing_key.serialize_pem()).unwrap();
}

/// Asks, trusting the certificate in the folder alone.
async fn ask(address: SocketAddr, folder: &Path, request: &str) -> std::io::Result<(u16, String)> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.join("tls.crt")).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let socket = TcpStream::connect(address).await?;
    let mut socket =
        TlsConnector::from(Arc::new(config)).connect("localhost".try_into().unwrap(), socket).await?;
    let request = format!("{request}host: localhost\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    Ok((head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned()))
}

async fn make(server: &ApiServer, path: &str, body: Value) -> Value {
    let request = http::Request::post(path).header("content-type", "application/json");
    server.client().request(request.body(serde_json::to_vec(&body).unwrap()).unwrap()).await.unwrap()
}

/// A token of an account that was made for it.
async fn token(server: &ApiServer, name: &str) -> String {
    make(server, ACCOUNTS, json!({"metadata": {"name": name}})).await;
    let made = make(server, &format!("{ACCOUNTS}/{name}/token"), json!({"spec": {}})).await;
    made["status"]["token"].as_str().unwrap().to_owned()
}

/// A cluster in which `reader` may get metrics.
async fn cluster() -> ApiServer {
    let server = ApiServer::builder().rbac().build();
    let rbac = "/apis/rbac.authorization.k8s.io/v1";
    let rules = json!([{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]);
    let role = json!({"metadata": {"name": "metrics"}, "rules": rules});
    make(&server, &format!("{rbac}/clusterroles"), role).await;
    let subjects = json!([{"kind": "ServiceAccount", "name": "reader", "namespace": "default"}]);
    let role = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "metrics"});
    let binding = json!({"metadata": {"name": "metrics"}, "roleRef": role, "subjects": subjects});
    make(&server, &format!("{rbac}/clusterrolebindings"), binding).await;
    server
}

fn as_user(token: &str) -> String {
    format!("GET /metrics HTTP/1.1\r\nauthorization: Bearer {token}\r\n")
}

#[tokio::test]
async fn metrics_are_for_those_whom_the_cluster_lets_read_them() {
    let (server, folder) = (cluster().await, tempfile::tempdir().unwrap());
    pair(folder.path());
    let (reader, other) = (token(&server, "reader").await, token(&server, "other").await);
    let faults = Faults::new();
    let mut config = ManagerConfig::default();
    config.health_probe_bind_address = None;
    config.metrics_bind_address = Some("127.0.0.1:0".parse().unwrap());
    config.metrics_secure = true;
    config.metrics_cert_path = Some(folder.path().to_string_lossy().into_owned());
    let manager = config.builder(&faults.wrap(server.client())).unwrap().build();
    let process = Process::start(&manager);
    let at = process.manager.metrics_address().await.unwrap();

    let answer = async |request: String| ask(at, folder.path(), &request).await.unwrap();
    let anonymous = "GET /metrics HTTP/1.1\r\n".to_owned();
    assert_eq!(answer(anonymous).await, (401, "Unauthorized\n".to_owned()));
    assert_eq!(answer(as_user("guessed")).await, (401, "Unauthorized\n".to_owned()));
    let denied = "Authorization denied for user system:serviceaccount:default:other\n";
    assert_eq!(answer(as_user(&other)).await, (403, denied.to_owned()));
    let (code, text) = answer(as_user(&reader)).await;
    assert!(code == 200 && text.ends_with("# EOF\n"), "{code} {text}");

    // The cluster's word is good for a while, also when it cannot be asked; others do not get in.
    faults.on(Verb::Create, "tokenreviews").error(kube_codegen_apiserver::Status::internal("broken"));
    assert_eq!(answer(as_user(&reader)).await.0, 200);
    let third = token(&server, "third").await;
    assert_eq!(answer(as_user(&third)).await, (500, "Authentication failed\n".to_owned()));
    process.stop().await.unwrap();
}

#[tokio::test]
async fn a_certificate_is_made_where_none_is_given_and_plain_requests_get_nothing() {
    let manager = Manager::builder()
        .metrics_address("127.0.0.1:0".parse().unwrap())
        .secure_metrics(SecureMetrics::self_signed())
        .build();
    let process = Process::start(&manager);
    let at = process.manager.metrics_address().await.unwrap();
    let mut socket = TcpStream::connect(at).await.unwrap();
    socket.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    let _ = socket.read_to_end(&mut answer).await;
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
    // Nobody vouches for it.
    let folder = tempfile::tempdir().unwrap();
    pair(folder.path());
    assert!(ask(at, folder.path(), "GET /metrics HTTP/1.1\r\n").await.is_err());
    process.stop().await.unwrap();
}

#[tokio::test]
async fn what_is_no_certificate_ends_the_start() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tls.crt"), "nothing").unwrap();
    fs::write(folder.path().join("tls.key"), "nothing").unwrap();
    let files = SecureMetrics::with_files(folder.path().join("tls.crt"), folder.path().join("tls.key"));
    let builder = Manager::builder().metrics_address("127.0.0.1:0".parse().unwrap()).secure_metrics(files);
    let error = builder.build().run(Default::default()).await.unwrap_err();
    let ManagerError::Certificate { source, .. } = error else { panic!("{error}") };
    assert!(source.to_string().contains("tls."), "{source}");
}

#[tokio::test]
async fn a_new_certificate_is_taken_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    pair(folder.path());
    let files = SecureMetrics::with_files(folder.path().join("tls.crt"), folder.path().join("tls.key"));
    let builder = Manager::builder().metrics_address("127.0.0.1:0".parse().unwrap()).secure_metrics(files);
    let process = Process::start(&builder.build());
    let at = process.manager.metrics_address().await.unwrap();
    assert_eq!(ask(at, folder.path(), "GET /metrics HTTP/1.1\r\n").await.unwrap().0, 200);
    tokio::time::sleep(Duration::from_millis(50)).await;
    pair(folder.path());
    // Files are looked at every ten seconds.
    for _ in 0..130 {
        if let Ok((code, _)) = ask(at, folder.path(), "GET /metrics HTTP/1.1\r\n").await {
            assert_eq!(code, 200);
            return process.stop().await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    unreachable!("the new certificate is not taken");
}
