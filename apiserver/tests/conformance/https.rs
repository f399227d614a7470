//! A client over HTTPS: HTTP/1.1, as the recordings were made.
//!
//! In: requests. Out: answers. One connection for the requests of a scenario, one for each of its watches.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http::{HeaderValue, Request, Response, header};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use kube_codegen_apiserver::{ApiServer, Http};
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, pem::PemObject as _},
    },
};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::transport::Body;

/// A server that listens, and the way to it.
pub(crate) struct Https {
    address: String,
    token: String,
    connector: TlsConnector,
    connection: Option<SendRequest<Full<Bytes>>>,
    _shutdown: DropGuard,
}

impl Https {
    pub(crate) async fn open(server: &ApiServer) -> Self {
        let http = Http::bind(server, "127.0.0.1:0".parse().unwrap()).await.unwrap();
        let address = http.address().to_string();
        let kubeconfig = serde_json::to_value(http.kubeconfig()).unwrap();
        let text = |path: &str| kubeconfig.pointer(path).unwrap().as_str().unwrap().to_owned();
        let authority = STANDARD.decode(text("/clusters/0/cluster/certificate-authority-data")).unwrap();
        let token = text("/users/0/user/token");
        let shutdown = CancellationToken::new();
        tokio::spawn(http.serve(shutdown.clone()));
        Self {
            address,
            token,
            connector: connector(&authority),
            connection: None,
            _shutdown: shutdown.drop_guard(),
        }
    }

    /// The token that the server knows.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> Response<Body> {
        let mut connection = match self.connection.take().filter(|connection| !connection.is_closed()) {
            Some(connection) => connection,
            None => self.connect().await,
        };
        connection.ready().await.unwrap();
        let response = connection.send_request(self.addressed(request)).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        self.connection = Some(connection);
        Response::from_parts(parts, Full::new(bytes).boxed_unsync())
    }

    pub(crate) async fn send_alone(&self, request: Request<Full<Bytes>>) -> Response<Body> {
        let mut connection = self.connect().await;
        let response = connection.send_request(self.addressed(request)).await.unwrap();
        // A connection ends when nobody may send any more; the body keeps the sending half.
        response.map(|body| {
            let body = body.map_frame(move |frame| {
                let _ = &connection;
                frame
            });
            body.map_err(|error| panic!("a watch broke: {error}")).boxed_unsync()
        })
    }

    async fn connect(&self) -> SendRequest<Full<Bytes>> {
        let socket = TcpStream::connect(&self.address).await.unwrap();
        socket.set_nodelay(true).unwrap();
        let stream = self.connector.connect("localhost".try_into().unwrap(), socket).await.unwrap();
        let (sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        sender
    }

    fn addressed(&self, mut request: Request<Full<Bytes>>) -> Request<Full<Bytes>> {
        let host = HeaderValue::from_str(&self.address).unwrap();
        request.headers_mut().insert(header::HOST, host);
        request
    }
}

fn connector(authority: &[u8]) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}
