//! TLS: an authority made for one server, and a certificate that it signed.
//!
//! In: the address that is listened on. Out: what accepts connections, and the authority that clients need. Keys stay in memory.

use std::{net::IpAddr, sync::Arc};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, SanType,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::{CryptoProvider, ring},
        pki_types::PrivatePkcs8KeyDer,
    },
};

use super::HttpError;

/// How the two protocols are named when a connection is made; the first is preferred.
const PROTOCOLS: [&[u8]; 2] = [HTTP2, b"http/1.1"];
/// HTTP/2, as it is named when a connection is made.
pub(super) const HTTP2: &[u8] = b"h2";

/// What a server needs to speak TLS.
pub(super) struct Tls {
    pub(super) acceptor: TlsAcceptor,
    /// The authority's certificate, in PEM.
    pub(super) authority: String,
}

impl Tls {
    pub(super) fn new(address: IpAddr, provider: CryptoProvider) -> Result<Self, HttpError> {
        let authority = CertifiedIssuer::self_signed(authority(), KeyPair::generate()?)?;
        let key = KeyPair::generate()?;
        let certificate = leaf(address)?.signed_by(&key, &authority)?;
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        let mut config = ServerConfig::builder_with_provider(Arc::new(provider))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key.into())?;
        config.alpn_protocols = PROTOCOLS.iter().map(|name| name.to_vec()).collect();
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), authority: authority.pem() })
    }
}

/// The library that all of this rests on; it need not be the one of the process.
pub(super) fn provider() -> CryptoProvider {
    ring::default_provider()
}

fn authority() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "kube-codegen-apiserver authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn leaf(address: IpAddr) -> Result<CertificateParams, HttpError> {
    let mut params = CertificateParams::new(vec!["localhost".to_owned()])?;
    for address in [address, [127, 0, 0, 1].into(), IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])] {
        params.subject_alt_names.push(SanType::IpAddress(address));
    }
    params.distinguished_name.push(DnType::CommonName, "kube-codegen-apiserver");
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(params)
}
