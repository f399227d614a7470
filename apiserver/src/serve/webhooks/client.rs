//! Webhooks over HTTPS: one connection for each call.
//!
//! In: an address, the authorities that its certificate may come from, a body. Out: the body of the answer, or why there is none.

use std::{io, sync::Arc};

use bytes::Bytes;
use http::{Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    rustls::{
        CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
        client::{
            WebPkiServerVerifier,
            danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
            verify_server_name,
        },
        crypto::ring,
        pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject as _},
        server::ParsedCertificate,
    },
};

use super::Unreached;
use crate::admission::calls::Target;

/// The longest answer that is read, in bytes.
const LIMIT: usize = 3 * 1024 * 1024;

/// Sends a body and reads the answer.
pub(super) async fn post(target: &Target, body: Bytes) -> Result<Bytes, Unreached> {
    let way = Unreached::OnTheWay;
    let uri: Uri = target.url.parse().map_err(|error| way(format!("unparsable URL: {error}")))?;
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let port = uri.port_u16().unwrap_or(443);
    let socket = connect(&host, port).await.map_err(way)?;
    let stream = secured(target, &host, socket).await.map_err(way)?;
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| way(error.to_string()))?;
    let driver = tokio::spawn(connection);
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let request = Request::post(path)
        .header(header::HOST, uri.authority().map_or("", |authority| authority.as_str()))
        .header(header::USER_AGENT, "kube-apiserver-admission")
        .header(header::ACCEPT, "application/json, */*")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Full::new(body))
        .map_err(|error| way(error.to_string()))?;
    let response = sender.send_request(request).await;
    let answer = match response {
        Ok(response) => {
            let status = response.status();
            let kind = response.headers().get(header::CONTENT_TYPE).cloned();
            let body = Limited::new(response.into_body(), LIMIT).collect().await;
            let body = body.map(|body| body.to_bytes()).map_err(|error| way(error.to_string()));
            body.and_then(|body| accepted(status, kind.as_ref(), body))
        }
        Err(error) => Err(way(if is_cut(&error) { "EOF".to_owned() } else { error.to_string() })),
    };
    driver.abort();
    answer
}

fn accepted(status: StatusCode, kind: Option<&header::HeaderValue>, body: Bytes) -> Result<Bytes, Unreached> {
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if let Some(message) = told_status(status, &body) {
        return Err(Unreached::Answered(message));
    }
    let why = match status.as_u16() {
        200..=299 if body.is_empty() => {
            format!("0-length response with status code: {} and content type: {kind}", status.as_u16())
        }
        200..=299 => return Ok(body),
        400 => "the server rejected our request for an unknown reason".to_owned(),
        401 => "the server has asked for the client to provide credentials".to_owned(),
        404 => "the server could not find the requested resource".to_owned(),
        405 => "the server does not allow this method on the requested resource".to_owned(),
        429 => {
            "the server has received too many requests and has asked us to try again later".to_owned()
        }
        503 => "the server is currently unable to handle the request".to_owned(),
        504 => "the server was unable to return a response in the time allotted, but may still be processing the request".to_owned(),
        code if code >= 500 => {
            "an error on the server (\"unknown\") has prevented the request from succeeding".to_owned()
        }
        code => format!("the server responded with the status code {code} but did not return more information"),
    };
    Err(Unreached::Answered(why))
}

/// Whether a connection ended before the answer did.
fn is_cut(error: &hyper::Error) -> bool {
    let inner = std::error::Error::source(error).and_then(|inner| inner.downcast_ref::<io::Error>());
    error.is_incomplete_message() || inner.is_some_and(|inner| inner.kind() == io::ErrorKind::UnexpectedEof)
}

/// What a `Status` in the place of an answer says.
fn told_status(code: StatusCode, body: &[u8]) -> Option<String> {
    let status: serde_json::Value = serde_json::from_slice(body).ok().filter(|_| !code.is_success())?;
    let text = |name: &str| status.get(name).and_then(serde_json::Value::as_str).unwrap_or_default();
    let said = text("kind") == "Status" && text("status") != "Success" && !text("message").is_empty();
    said.then(|| text("message").to_owned())
}

async fn connect(host: &str, port: u16) -> Result<TcpStream, String> {
    let found = tokio::net::lookup_host((host, port)).await;
    let addresses: Vec<_> = match found {
        Ok(found) => found.collect(),
        Err(_) => return Err(format!("dial tcp: lookup {host}: no such host")),
    };
    let mut failure = format!("dial tcp: lookup {host}: no such host");
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(socket) => return Ok(socket),
            Err(error) => failure = format!("dial tcp {address}: connect: {}", refused(&error)),
        }
    }
    Err(failure)
}

fn refused(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        io::ErrorKind::HostUnreachable => "no route to host".to_owned(),
        io::ErrorKind::NetworkUnreachable => "network is unreachable".to_owned(),
        _ => error.to_string(),
    }
}

async fn secured(
    target: &Target,
    host: &str,
    socket: TcpStream,
) -> Result<tokio_rustls::client::TlsStream<TcpStream>, String> {
    let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
    let config = trusting(&target.authorities).map_err(|error| told(&error))?;
    let connector = TlsConnector::from(Arc::new(config));
    connector.connect(name, socket).await.map_err(|error| {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
        inner.map_or_else(|| error.to_string(), told)
    })
}

/// What Go says of a certificate that is not trusted.
fn told(error: &Error) -> String {
    let why = match error {
        Error::InvalidCertificate(CertificateError::UnknownIssuer | CertificateError::BadSignature) => {
            "x509: certificate signed by unknown authority".to_owned()
        }
        Error::InvalidCertificate(CertificateError::Expired | CertificateError::ExpiredContext { .. }) => {
            "x509: certificate has expired or is not yet valid".to_owned()
        }
        Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => "x509: certificate is not valid for the name of the server".to_owned(),
        Error::InvalidCertificate(other) => format!("x509: {other:?}"),
        other => return format!("remote error: tls: {other}"),
    };
    format!("tls: failed to verify certificate: {why}")
}

fn trusting(authorities: &[u8]) -> Result<ClientConfig, Error> {
    let mut roots = RootCertStore::empty();
    let mut known = Vec::new();
    for certificate in CertificateDer::pem_slice_iter(authorities).flatten() {
        // What is no certificate of an authority may still be the one that is shown.
        let _ = roots.add(certificate.clone());
        known.push(certificate);
    }
    let provider = Arc::new(ring::default_provider());
    let inner = if roots.is_empty() {
        None
    } else {
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
        Some(verifier.build().map_err(|error| Error::General(error.to_string()))?)
    };
    let algorithms = provider.signature_verification_algorithms;
    let verifier = Arc::new(Verifier { inner, known, algorithms });
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth())
}

/// Trusts what the authorities have signed, and the certificates themselves that a configuration names: many webhooks in tests show a
/// certificate that is its own authority.
#[derive(Debug)]
struct Verifier {
    inner: Option<Arc<WebPkiServerVerifier>>,
    known: Vec<CertificateDer<'static>>,
    algorithms: tokio_rustls::rustls::crypto::WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.known.iter().any(|known| known == end_entity) {
            verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
            return Ok(ServerCertVerified::assertion());
        }
        match &self.inner {
            Some(inner) => {
                inner.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
            }
            None => Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        tokio_rustls::rustls::crypto::verify_tls12_signature(message, cert, dss, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        tokio_rustls::rustls::crypto::verify_tls13_signature(message, cert, dss, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
