//! The certificate of a server.
//!
//! In: two files, or nothing. Out: what accepts connections over TLS. Never: a connection that fails because a file was being written; the
//! certificate of before goes on until there is a whole new one.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use parking_lot::Mutex;
#[cfg(feature = "secure-metrics")]
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::{CryptoProvider, ring},
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
        server::{ClientHello, ResolvesServerCert},
        sign::CertifiedKey,
    },
};
use tracing::{info, warn};

use crate::manager::BoxError;

/// How often files are looked at, at most.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// The one protocol that is spoken.
const PROTOCOL: &[u8] = b"http/1.1";

/// A certificate with its key, and where they come from.
#[derive(Debug)]
pub(crate) struct Certificate {
    /// What is served with it.
    purpose: &'static str,
    provider: Arc<CryptoProvider>,
    current: Mutex<Current>,
    files: Option<Files>,
}

#[derive(Debug)]
struct Current {
    certified: Arc<CertifiedKey>,
    stamp: Stamp,
    looked: Instant,
}

#[derive(Debug)]
struct Files {
    certificates: PathBuf,
    key: PathBuf,
}

/// A certificate, with those of its issuers, and its key.
type Pair = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

/// When files were written last.
type Stamp = Option<(SystemTime, SystemTime)>;

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

impl Certificate {
    /// One that is made now, for this machine, and signed by nobody else.
    #[cfg(feature = "secure-metrics")]
    pub(crate) fn self_signed(purpose: &'static str) -> Result<Self, BoxError> {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned(), "127.0.0.1".to_owned()])?;
        let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        Self::new(purpose, (vec![made.cert.der().clone()], key.into()), None)
    }

    /// One from PEM files, which are read again when they change.
    pub(crate) fn read(purpose: &'static str, certificates: &Path, key: &Path) -> Result<Self, BoxError> {
        let files = Files { certificates: certificates.to_owned(), key: key.to_owned() };
        let pair = files.read()?;
        Self::new(purpose, pair, Some(files))
    }

    fn new(purpose: &'static str, (chain, key): Pair, files: Option<Files>) -> Result<Self, BoxError> {
        let provider = provider();
        let certified = Arc::new(CertifiedKey::from_der(chain, key, &provider)?);
        let stamp = files.as_ref().and_then(Files::stamp);
        let current = Mutex::new(Current { certified, stamp, looked: Instant::now() });
        Ok(Self { purpose, provider, current, files })
    }

    /// What accepts connections with it.
    pub(crate) fn acceptor(self) -> Result<TlsAcceptor, BoxError> {
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(self));
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    /// Takes what the files hold by now, if that is another pair that fits together.
    fn refresh(&self, files: &Files, current: &mut Current) {
        current.looked = Instant::now();
        let stamp = files.stamp();
        if stamp == current.stamp {
            return;
        }
        let read =
            files.read().and_then(|(chain, key)| Ok(CertifiedKey::from_der(chain, key, &self.provider)?));
        match read {
            Ok(certified) => {
                current.certified = Arc::new(certified);
                current.stamp = stamp;
                info!(file = %files.certificates.display(), purpose = self.purpose, "took a new certificate");
            }
            Err(error) => warn!(error, purpose = self.purpose, "cannot take the new certificate yet"),
        }
    }
}

impl Files {
    fn read(&self) -> Result<Pair, BoxError> {
        let unreadable = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let chain: Result<Vec<_>, _> =
            CertificateDer::pem_file_iter(&self.certificates).and_then(Iterator::collect);
        let chain = chain.map_err(|error| unreadable(&self.certificates, &error))?;
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(|error| unreadable(&self.key, &error))?;
        if chain.is_empty() {
            return Err(unreadable(&self.certificates, &"holds no certificate").into());
        }
        Ok((chain, key))
    }

    fn stamp(&self) -> Stamp {
        let written = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
        written(&self.certificates).zip(written(&self.key))
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let mut current = self.current.lock();
        if let Some(files) = self.files.as_ref().filter(|_| current.looked.elapsed() >= LOOK_EVERY) {
            self.refresh(files, &mut current);
        }
        Some(Arc::clone(&current.certified))
    }
}
