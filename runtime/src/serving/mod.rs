//! Small HTTP servers: of probes, of metrics, of webhooks.
//!
//! In: connections over HTTP/1.1, with TLS or without. Out: whatever answers each request. Never: a connection that is held for long, or one
//! that outlives the stop.

#[cfg(feature = "tls")]
mod certificate;

use std::{convert::Infallible, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header::CONTENT_TYPE};
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

#[cfg(feature = "tls")]
pub(crate) use self::certificate::Certificate;
use crate::manager::ManagerError;

/// How long the headers of a request may take.
const HEADER_LIMIT: Duration = Duration::from_secs(10);
/// How long to wait when the system has no more sockets to give.
const BREATH: Duration = Duration::from_millis(50);

/// The type of texts for people.
pub(crate) const PLAIN: &str = "text/plain; charset=utf-8";

/// What stands behind one address.
pub(crate) trait Answers: Send + Sync + 'static {
    /// What it is there for, in messages.
    fn purpose(&self) -> &'static str;

    /// Answers one request.
    fn answer(&self, request: Request<Incoming>) -> impl Future<Output = Response<Full<Bytes>>> + Send;
}

/// An answer with this code and this type.
pub(crate) fn response(code: u16, kind: &'static str, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or_default();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// How connections come in.
#[derive(Clone)]
pub(crate) enum Door {
    Plain,
    #[cfg(feature = "tls")]
    Tls(tokio_rustls::TlsAcceptor),
}

/// A server that has its address and does not answer yet.
pub(crate) struct Server<A> {
    listener: TcpListener,
    answers: A,
    door: Door,
}

impl<A: Answers> Server<A> {
    /// Takes an address.
    pub(crate) async fn bind(address: SocketAddr, answers: A, door: Door) -> Result<Self, ManagerError> {
        let purpose = answers.purpose();
        let listener = TcpListener::bind(address).await.map_err(|source| ManagerError::Listen {
            purpose,
            address,
            source,
        })?;
        let address = listener.local_addr().unwrap_or(address);
        info!(%address, purpose, "listening");
        Ok(Self { listener, answers, door })
    }

    /// The address, with its port.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        self.listener.local_addr().ok()
    }

    /// Answers until the stop.
    pub(crate) async fn serve(self, stop: CancellationToken) {
        let answers = Arc::new(self.answers);
        let mut connections = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                () = stop.cancelled() => return,
                Some(_) = connections.join_next() => continue,
                accepted = self.listener.accept() => accepted,
            };
            match accepted {
                Ok((socket, _)) => {
                    connections.spawn(enter(self.door.clone(), socket, Arc::clone(&answers), stop.clone()));
                }
                Err(error) => {
                    warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(BREATH).await;
                }
            }
        }
    }
}

async fn enter<A: Answers>(door: Door, socket: TcpStream, answers: Arc<A>, stop: CancellationToken) {
    match door {
        Door::Plain => connection(socket, answers, stop).await,
        #[cfg(feature = "tls")]
        Door::Tls(acceptor) => {
            let greeted = tokio::time::timeout(HEADER_LIMIT, acceptor.accept(socket));
            match stop.run_until_cancelled(greeted).await {
                Some(Ok(Ok(socket))) => connection(socket, answers, stop).await,
                Some(Ok(Err(error))) => debug!(%error, "a connection could not be secured"),
                Some(Err(_)) | None => {}
            }
        }
    }
}

async fn connection<A, S>(socket: S, answers: Arc<A>, stop: CancellationToken)
where
    A: Answers,
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let socket = TokioIo::new(socket);
    let service = service_fn(move |request: Request<Incoming>| {
        let answers = Arc::clone(&answers);
        async move { Ok::<_, Infallible>(answers.answer(request).await) }
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
