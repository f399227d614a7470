//! The two small servers of a manager: health and metrics.
//!
//! In: GET requests over HTTP/1.1, with TLS or without. Out: texts. Never: a body that is read, or a connection that is held for long.

use std::{convert::Infallible, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Method, Request, Response, header::CONTENT_TYPE};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

#[cfg(feature = "secure-metrics")]
use super::secure::Access;
use super::{Checks, ManagerError, Metrics};

/// How long the headers of a request may take.
const HEADER_LIMIT: Duration = Duration::from_secs(10);
/// How long to wait when the system has no more sockets to give.
const BREATH: Duration = Duration::from_millis(50);

/// An answer: its code, its type, its text.
type Answer = (u16, &'static str, String);

const PLAIN: &str = "text/plain; charset=utf-8";
const METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What stands behind one address.
pub(super) enum Pages {
    Health { live: Checks, ready: Checks },
    Metrics(Box<Metrics>, Guard),
}

/// Who is answered.
pub(super) enum Guard {
    /// Everybody who can reach the address.
    Nobody,
    /// Whom the cluster lets.
    #[cfg(feature = "secure-metrics")]
    Access(Box<Access>),
}

/// How connections come in.
#[derive(Clone)]
pub(super) enum Door {
    Plain,
    #[cfg(feature = "secure-metrics")]
    Tls(tokio_rustls::TlsAcceptor),
}

impl Pages {
    fn purpose(&self) -> &'static str {
        match self {
            Self::Health { .. } => "health probes",
            Self::Metrics(..) => "metrics",
        }
    }

    fn answer(&self, path: &str, query: &str) -> Answer {
        match self {
            Self::Health { live, ready } => {
                let path = path.trim_start_matches('/');
                let (endpoint, check) = match path.split_once('/') {
                    Some((endpoint, check)) => (endpoint, Some(check).filter(|check| !check.is_empty())),
                    None => (path, None),
                };
                let checks = match endpoint {
                    "healthz" | "livez" => live,
                    "readyz" => ready,
                    _ => return missing("/healthz and /readyz"),
                };
                let (code, text) = checks.answer(endpoint, check, query);
                (code, PLAIN, text)
            }
            Self::Metrics(metrics, _) if path == "/metrics" => (200, METRICS, metrics.text()),
            Self::Metrics(..) => missing("/metrics"),
        }
    }

    /// What a request gets that is not to be answered.
    #[cfg(feature = "secure-metrics")]
    async fn refusal(&self, request: &Request<Incoming>) -> Option<Answer> {
        let Self::Metrics(_, Guard::Access(access)) = self else { return None };
        let admitted =
            access.admits(request.headers(), request.method().as_str(), request.uri().path()).await;
        admitted.err().map(|(code, text)| (code, PLAIN, text))
    }

    #[cfg(not(feature = "secure-metrics"))]
    async fn refusal(&self, _: &Request<Incoming>) -> Option<Answer> {
        None
    }
}

fn missing(there: &str) -> Answer {
    (404, PLAIN, format!("not found; there is {there}\n"))
}

/// A server that has its address and does not answer yet.
pub(super) struct Server {
    listener: TcpListener,
    pages: Pages,
    door: Door,
}

impl Server {
    pub(super) async fn bind(address: SocketAddr, pages: Pages, door: Door) -> Result<Self, ManagerError> {
        let purpose = pages.purpose();
        let listener = TcpListener::bind(address).await.map_err(|source| ManagerError::Listen {
            purpose,
            address,
            source,
        })?;
        let address = listener.local_addr().unwrap_or(address);
        info!(%address, purpose, "listening");
        Ok(Self { listener, pages, door })
    }

    /// The address, with its port.
    pub(super) fn address(&self) -> Option<SocketAddr> {
        self.listener.local_addr().ok()
    }

    /// Answers until the stop.
    pub(super) async fn serve(self, stop: CancellationToken) {
        let pages = Arc::new(self.pages);
        let mut connections = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                () = stop.cancelled() => return,
                Some(_) = connections.join_next() => continue,
                accepted = self.listener.accept() => accepted,
            };
            match accepted {
                Ok((socket, _)) => {
                    connections.spawn(enter(self.door.clone(), socket, Arc::clone(&pages), stop.clone()));
                }
                Err(error) => {
                    warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(BREATH).await;
                }
            }
        }
    }
}

async fn enter(door: Door, socket: TcpStream, pages: Arc<Pages>, stop: CancellationToken) {
    match door {
        Door::Plain => connection(socket, pages, stop).await,
        #[cfg(feature = "secure-metrics")]
        Door::Tls(acceptor) => {
            let greeted = tokio::time::timeout(HEADER_LIMIT, acceptor.accept(socket));
            match stop.run_until_cancelled(greeted).await {
                Some(Ok(Ok(socket))) => connection(socket, pages, stop).await,
                Some(Ok(Err(error))) => debug!(%error, "a connection could not be secured"),
                Some(Err(_)) | None => {}
            }
        }
    }
}

async fn connection<S>(socket: S, pages: Arc<Pages>, stop: CancellationToken)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let socket = TokioIo::new(socket);
    let service = service_fn(move |request: Request<Incoming>| {
        let pages = Arc::clone(&pages);
        async move { Ok::<_, Infallible>(respond(&pages, &request).await) }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_LIMIT);
    let mut connection = pin!(builder.serve_connection(socket, service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        debug!(%error, "a connection broke");
    }
}

async fn respond(pages: &Pages, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let (code, kind, text) = match *request.method() {
        Method::GET | Method::HEAD => match pages.refusal(request).await {
            Some(refusal) => refusal,
            None => pages.answer(request.uri().path(), request.uri().query().unwrap_or_default()),
        },
        _ => (405, PLAIN, "only GET is answered here\n".to_owned()),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = http::StatusCode::from_u16(code).unwrap_or_default();
    response.headers_mut().insert(CONTENT_TYPE, http::HeaderValue::from_static(kind));
    response
}
