//! Metrics over TLS, for those whom the cluster knows and lets read them.
//!
//! In: a certificate, and a client to ask about who asks. Out: connections over TLS; for each request whether it is to be answered. Never: a
//! token that is written anywhere, or an answer before the cluster has said yes.

mod access;

use std::{
    fmt,
    path::{Path, PathBuf},
};

pub(super) use access::Access;
use tokio_rustls::TlsAcceptor;

use super::BoxError;
use crate::{client::Client, serving::Certificate};

/// What is protected, in messages.
const PURPOSE: &str = "metrics";

/// How metrics are protected: see [`ManagerBuilder::secure_metrics`](super::ManagerBuilder::secure_metrics).
///
/// ```no_run
/// # use kube_codegen_runtime::manager::{Manager, SecureMetrics};
/// # fn example(client: kube::Client) {
/// let secure = SecureMetrics::with_files("/certs/tls.crt", "/certs/tls.key").reviewed_by(client);
/// let manager = Manager::builder().metrics_address(([0, 0, 0, 0], 8443).into()).secure_metrics(secure).build();
/// # let _ = manager; }
/// ```
#[derive(Clone)]
#[must_use]
pub struct SecureMetrics {
    certificate: Source,
    client: Option<Client>,
}

#[derive(Clone, Debug)]
enum Source {
    Own,
    Files { certificates: PathBuf, key: PathBuf },
}

impl SecureMetrics {
    /// With a certificate that is made at the start and signed by nobody else: scrapers cannot verify it.
    pub fn self_signed() -> Self {
        Self { certificate: Source::Own, client: None }
    }

    /// With the certificate, and those of its issuers, in one PEM file and its key in another. Both are read again when they change.
    pub fn with_files(certificates: impl AsRef<Path>, key: impl AsRef<Path>) -> Self {
        let (certificates, key) = (certificates.as_ref().to_owned(), key.as_ref().to_owned());
        Self { certificate: Source::Files { certificates, key }, client: None }
    }

    /// Answers those alone whose token the cluster knows (TokenReview) and who may `get` the path `/metrics` there (SubjectAccessReview).
    /// Answers of the cluster are good for a minute about tokens, for five minutes if they allow and for 30 seconds if they do not.
    ///
    /// The client has to be allowed to create `tokenreviews` and `subjectaccessreviews`; the role `system:auth-delegator` gives both.
    pub fn reviewed_by(mut self, client: Client) -> Self {
        self.client = Some(client);
        self
    }

    /// What accepts connections.
    pub(super) fn acceptor(&self) -> Result<TlsAcceptor, BoxError> {
        let certificate = match &self.certificate {
            Source::Own => Certificate::self_signed(PURPOSE)?,
            Source::Files { certificates, key } => Certificate::read(PURPOSE, certificates, key)?,
        };
        certificate.acceptor()
    }

    /// Who decides about requests.
    pub(super) fn access(&self) -> Option<Access> {
        self.client.clone().map(Access::new)
    }
}

impl fmt::Debug for SecureMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecureMetrics")
            .field("certificate", &self.certificate)
            .field("reviewed", &self.client.is_some())
            .finish()
    }
}
