//! The two protocols, spoken without a client library in between, and connections that say nothing.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Version, header};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, ServerName, pem::PemObject as _},
    },
};

use crate::{Running, soon};

/// A connection that offers one protocol.
async fn connect(running: &Running, protocol: &str) -> TlsStream<TcpStream> {
    let cluster = running.kubeconfig.clusters[0].cluster.clone().unwrap();
    let authority = STANDARD.decode(cluster.certificate_authority_data.unwrap()).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(&authority).unwrap()).unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let address = running.url.strip_prefix("https://").unwrap();
    let socket = TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, socket).await.unwrap()
}

fn request(running: &Running, version: Version) -> Request<Full<Bytes>> {
    let yaml = serde_json::to_value(&running.kubeconfig).unwrap();
    let token = yaml["users"][0]["user"]["token"].as_str().unwrap();
    let path = "/api/v1/namespaces/default";
    let uri = if version == Version::HTTP_2 { format!("{}{path}", running.url) } else { path.to_owned() };
    Request::get(uri)
        .version(version)
        .header(header::HOST, "localhost")
        .header(header::AUTHORIZATION, format!("bearer {token}"))
        .body(Full::default())
        .unwrap()
}

#[tokio::test]
async fn http2_is_spoken() {
    let running = Running::start().await;
    let stream = connect(&running, "h2").await;
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (mut sender, connection) =
        conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let response = soon(sender.send_request(request(&running, Version::HTTP_2))).await.unwrap();
    assert_eq!((response.status().as_u16(), response.version()), (200, Version::HTTP_2));
    let body = soon(response.into_body().collect()).await.unwrap().to_bytes();
    assert!(body.starts_with(b"{\"kind\":\"Namespace\""), "{body:?}");
    running.stop().await;
    soon(connection).await.unwrap().unwrap();
}

#[tokio::test]
async fn http1_is_spoken() {
    let running = Running::start().await;
    let stream = connect(&running, "http/1.1").await;
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
    let (mut sender, connection) = conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let response = soon(sender.send_request(request(&running, Version::HTTP_11))).await.unwrap();
    assert_eq!((response.status().as_u16(), response.version()), (200, Version::HTTP_11));
    soon(response.into_body().collect()).await.unwrap();
    // Whoever speaks for somebody in many groups sends a header for each.
    let mut many = request(&running, Version::HTTP_11);
    for index in 0..900 {
        many.headers_mut().append("x-group", index.into());
    }
    let response = soon(sender.send_request(many)).await.unwrap();
    assert_eq!(response.status(), 200);
    soon(response.into_body().collect()).await.unwrap();
    running.stop().await;
    soon(connection).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_silent_connection_does_not_hold_the_end_up() {
    let running = Running::start().await;
    let address = running.url.strip_prefix("https://").unwrap().to_owned();
    let silent = TcpStream::connect(address).await.unwrap();
    let idle = connect(&running, "http/1.1").await;
    running.stop().await;
    drop((silent, idle));
}

#[tokio::test]
async fn a_client_that_chose_http2_and_says_nothing_does_not_hold_the_end_up() {
    let running = Running::start().await;
    let idle = connect(&running, "h2").await;
    let start = std::time::Instant::now();
    running.stop().await;
    assert!(start.elapsed() < std::time::Duration::from_secs(4), "{:?}", start.elapsed());
    drop(idle);
}

#[tokio::test]
async fn answers_carry_what_a_real_server_adds() {
    let running = Running::start().await;
    let stream = connect(&running, "http/1.1").await;
    let (mut sender, connection) = conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let mut asked = request(&running, Version::HTTP_11);
    asked.headers_mut().insert("audit-id", "mine".parse().unwrap());
    let response = soon(sender.send_request(asked)).await.unwrap();
    assert_eq!(response.headers()["audit-id"], "mine");
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-cache, private");
    assert!(response.headers().contains_key("x-kubernetes-pf-flowschema-uid"));
    assert!(response.headers().contains_key("x-kubernetes-pf-prioritylevel-uid"));
    let body = soon(response.into_body().collect()).await.unwrap().to_bytes();
    assert!(body.ends_with(b"}\n"), "{body:?}");
    running.stop().await;
}
