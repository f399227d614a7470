//! One connection: TLS, then HTTP/2 or HTTP/1.1, whichever the client chose.
//!
//! In: a socket. Out: answers on it, until the client leaves or the server ends. What goes wrong with one connection is told to the log
//! and to nobody else.

use std::{pin::pin, time::Duration};

use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use tokio::{net::TcpStream, time::timeout};
use tokio_rustls::TlsAcceptor;
use tracing::debug;

use super::{gate::Gate, preface::Preface, tls::HTTP2};

/// How long the making of a TLS connection may take, and after it the first words of HTTP/2.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);
/// How long the headers of a request may take; an idle connection of HTTP/1.1 lasts as long.
const HEADER_LIMIT: Duration = Duration::from_secs(60);
/// The most that the headers of a request may have, in bytes: as with a real server.
const HEADER_SIZE: u32 = 1024 * 1024;
/// How many there may be in a request of HTTP/1.1: room for all of them is made before they are read, so there has to be an end. Who
/// speaks for somebody in hundreds of groups sends hundreds.
const HEADERS: usize = 1000;
/// How many requests one connection may have open, watches among them; 250 is what a real server allows.
const STREAMS: u32 = 250;
/// How often a silent connection of HTTP/2 is asked whether it is still there, and how long it may take to say so.
const PING_EVERY: Duration = Duration::from_secs(30);
const PING_LIMIT: Duration = Duration::from_secs(15);

/// Serves one connection to its end.
pub(super) async fn serve(socket: TcpStream, acceptor: TlsAcceptor, gate: Gate) {
    // Small writes, such as the events of a watch, go out at once.
    if let Err(error) = socket.set_nodelay(true) {
        debug!(%error, "a connection cannot be told to send at once");
    }
    let stream = tokio::select! {
        stream = timeout(HANDSHAKE_LIMIT, acceptor.accept(socket)) => stream,
        () = gate.shutdown.cancelled() => return,
    };
    let stream = match stream {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return debug!(%error, "no TLS connection came about"),
        Err(_) => return debug!("a client took too long to make a TLS connection"),
    };
    let shutdown = gate.shutdown.clone();
    let (builder, stream) = match stream.get_ref().1.alpn_protocol() {
        Some(HTTP2) => {
            let stream = Preface::awaited(stream, HANDSHAKE_LIMIT, shutdown.clone());
            (builder().http2_only(), stream)
        }
        _ => (builder().http1_only(), Preface::any(stream)),
    };
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), gate));
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        debug!(error, "a connection broke");
    }
}

fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_LIMIT)
        .max_headers(HEADERS)
        .max_buf_size(usize::try_from(HEADER_SIZE).unwrap_or(usize::MAX));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(HEADER_SIZE)
        .max_concurrent_streams(STREAMS)
        .keep_alive_interval(PING_EVERY)
        .keep_alive_timeout(PING_LIMIT);
    builder
}
