//! The server over HTTPS, for kubectl and everything else that is not in this process.
//!
//! In: an address. Out: a listening server with a certificate and a token of its own, and the kubeconfig that holds both. It decides
//! nothing about objects: behind the token stands the same service that clients in this process have.

mod connection;
mod gate;
mod kubeconfig;
mod preface;
mod tls;
mod token;

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::Path,
    time::Duration,
};

use kube::config::Kubeconfig;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::warn;

pub use kubeconfig::KubeconfigError;

use self::{
    gate::{Flow, Gate},
    tls::Tls,
    token::Token,
};
use super::ApiServer;

/// How long requests may go on once the server ends.
const DRAIN_LIMIT: Duration = Duration::from_secs(5);
/// How long the server waits when the system has no more sockets to give.
const BREATH: Duration = Duration::from_millis(50);

/// A server could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The certificate could not be made.
    #[error("cannot make a certificate")]
    Certificate(#[from] rcgen::Error),
    /// TLS could not be set up.
    #[error("cannot set up TLS")]
    Tls(#[from] tokio_rustls::rustls::Error),
    /// The system gives no random bytes.
    #[error("cannot make a token: the system gives no random bytes")]
    Random,
}

/// An [`ApiServer`] that listens for HTTPS connections, HTTP/2 and HTTP/1.1.
///
/// It has a certificate and a token of its own, made anew each time. Who has the kubeconfig may do everything; who has not is told
/// 401.
///
/// ```
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use kube_codegen_apiserver::{ApiServer, Http};
/// use tokio_util::sync::CancellationToken;
///
/// let server = ApiServer::default();
/// let http = Http::bind(&server, "127.0.0.1:0".parse()?).await?;
/// let kubeconfig = http.kubeconfig();
/// let shutdown = CancellationToken::new();
/// let serving = tokio::spawn(http.serve(shutdown.clone()));
/// // ... kubectl, or a client of `kubeconfig` ...
/// shutdown.cancel();
/// serving.await?;
/// # assert!(kubeconfig.current_context.is_some());
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(example()).unwrap();
/// ```
pub struct Http {
    server: ApiServer,
    listener: TcpListener,
    address: SocketAddr,
    tls: Tls,
    token: Token,
}

impl Http {
    /// Listens on `address`; port 0 is any free one. Connections wait until [`serve`](Self::serve) runs.
    ///
    /// # Errors
    ///
    /// When the address is taken or not one of this machine, or no certificate can be made.
    pub async fn bind(server: &ApiServer, address: SocketAddr) -> Result<Self, HttpError> {
        let failed = |source| HttpError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let provider = tls::provider();
        let token = Token::random(&provider)?;
        server.trust(token.reveal());
        server.begin();
        let tls = Tls::new(address.ip(), provider)?;
        Ok(Self { server: server.clone(), listener, address, tls, token })
    }

    /// The address that is listened on, with its port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where clients on this machine find the server.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        format!("https://{}", SocketAddr::new(ip, self.address.port()))
    }

    /// What clients need: the address, the authority that signed the certificate, and the token.
    ///
    /// A server that listens on every address of the machine is known under the name `localhost` to clients elsewhere too: in their
    /// copy of the kubeconfig only the address has to be changed.
    pub fn kubeconfig(&self) -> Kubeconfig {
        let name = self.address.ip().is_unspecified().then_some("localhost");
        kubeconfig::document(&self.url(), &self.tls.authority, self.token.reveal(), name)
    }

    /// Writes the kubeconfig, whole or not at all, readable for its owner alone. It replaces the file of an earlier such server, and no
    /// other.
    ///
    /// # Errors
    ///
    /// When there is a file of somebody else, or the file cannot be written.
    pub fn write_kubeconfig(&self, path: &Path) -> Result<(), KubeconfigError> {
        kubeconfig::write(&self.kubeconfig(), path)
    }

    /// Answers requests until `shutdown` is cancelled; then watches end, and other requests have five seconds to be done.
    ///
    /// Dropping the future closes the door at once, and ends the watches of the connections that are open.
    pub async fn serve(self, shutdown: CancellationToken) {
        let connections = TaskTracker::new();
        let ending = shutdown.child_token();
        let _ends = ending.clone().drop_guard();
        let gate = Gate { service: self.server.service(), flow: Flow::new(), shutdown: ending };
        while let Some(socket) = accept(&self.listener, &shutdown).await {
            connections.spawn(connection::serve(socket, self.tls.acceptor.clone(), gate.clone()));
        }
        drop(self.listener);
        connections.close();
        if tokio::time::timeout(DRAIN_LIMIT, connections.wait()).await.is_err() {
            warn!(connections = connections.len(), "some clients did not finish in time");
        }
    }
}

/// The next connection; none when the server ends.
async fn accept(listener: &TcpListener, shutdown: &CancellationToken) -> Option<TcpStream> {
    loop {
        let accepted = shutdown.run_until_cancelled(listener.accept()).await?;
        match accepted {
            Ok((socket, _)) => return Some(socket),
            Err(error) => {
                warn!(%error, "a connection could not be accepted");
                shutdown.run_until_cancelled(tokio::time::sleep(BREATH)).await?;
            }
        }
    }
}

impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Http").field("address", &self.address).finish_non_exhaustive()
    }
}
