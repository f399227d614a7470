//! The way from an informer to the server: it keeps a record, and fails as it is told to.

use std::{convert::Infallible, io, sync::Arc, time::Duration};

use futures::{Stream, StreamExt};
use http::{Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use kube::client::Body;
use kube_codegen_apiserver::ApiServer;
use parking_lot::Mutex;
use tokio::time::Instant;
use tokio_util::{bytes::Bytes, sync::CancellationToken};
use tower::{BoxError, ServiceExt};

/// What a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    List,
    Stream,
    Watch,
    Other,
}

/// A request that came by.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) at: Instant,
    pub(crate) kind: Kind,
    pub(crate) query: String,
}

impl Seen {
    pub(crate) fn asks_for(&self, parameter: &str) -> bool {
        self.query.split('&').any(|part| part == parameter)
    }
}

/// What the network does to a request.
#[derive(Clone, Debug)]
pub(crate) enum Fate {
    Pass,
    /// It passes after a while.
    Late(Duration),
    /// It is never answered.
    Silence,
    /// Nobody listens.
    Refused,
    /// The server answers with a failure.
    Status {
        code: u16,
        reason: &'static str,
        retry_after: Option<u64>,
    },
    /// The server answers with this body.
    Answer(String),
    /// A watch is answered with this line after its own events so far.
    Lines(Vec<String>),
}

type Judge = Box<dyn FnMut(&Seen) -> Fate + Send>;
/// What becomes of each chunk of a watch, which is one event in this server. An empty one begins each answer.
type Mangle = Box<dyn FnMut(Bytes) -> Vec<Bytes> + Send>;

/// A network with one server in it.
#[derive(Clone)]
pub(crate) struct Network {
    pub(crate) server: ApiServer,
    state: Arc<Mutex<State>>,
}

struct State {
    seen: Vec<Seen>,
    judge: Judge,
    mangle: Mangle,
    cut: CancellationToken,
}

type AnyBody = UnsyncBoxBody<Bytes, BoxError>;

impl Network {
    pub(crate) fn new(server: ApiServer) -> Self {
        let state = State {
            seen: Vec::new(),
            judge: Box::new(|_| Fate::Pass),
            mangle: Box::new(|chunk| vec![chunk]),
            cut: CancellationToken::new(),
        };
        Self { server, state: Arc::new(Mutex::new(state)) }
    }

    /// A client that goes through this network. `server.client()` goes around it.
    pub(crate) fn client(&self) -> kube::Client {
        let network = self.clone();
        let service = tower::service_fn(move |request| network.clone().answer(request));
        kube::Client::new(service, "default")
    }

    /// From now on, what happens to requests.
    pub(crate) fn judge(&self, judge: impl FnMut(&Seen) -> Fate + Send + 'static) {
        self.state.lock().judge = Box::new(judge);
    }

    /// From now on, what happens to events.
    pub(crate) fn mangle(&self, mangle: impl FnMut(Bytes) -> Vec<Bytes> + Send + 'static) {
        self.state.lock().mangle = Box::new(mangle);
    }

    /// Everything passes.
    pub(crate) fn heal(&self) {
        self.judge(|_| Fate::Pass);
        self.mangle(|chunk| vec![chunk]);
    }

    /// Cuts all connections that are open, in the middle of whatever they carry.
    pub(crate) fn cut(&self) {
        std::mem::take(&mut self.state.lock().cut).cancel();
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.state.lock().seen.clone()
    }

    pub(crate) fn count(&self, kind: Kind) -> usize {
        self.state.lock().seen.iter().filter(|seen| seen.kind == kind).count()
    }

    async fn answer(self, request: Request<Body>) -> Result<Response<AnyBody>, BoxError> {
        let fate = {
            let mut state = self.state.lock();
            let seen = look_at(&request);
            state.seen.push(seen.clone());
            (state.judge)(&seen)
        };
        match fate {
            Fate::Pass => self.pass(request).await,
            Fate::Late(wait) => {
                tokio::time::sleep(wait).await;
                self.pass(request).await
            }
            Fate::Silence => std::future::pending().await,
            Fate::Refused => Err(io::Error::from(io::ErrorKind::ConnectionRefused).into()),
            Fate::Status { code, reason, retry_after } => Ok(failure(code, reason, retry_after)),
            Fate::Answer(body) => Ok(Response::new(whole(body))),
            Fate::Lines(lines) => {
                let lines = futures::stream::iter(lines.into_iter().map(|line| Bytes::from(line + "\n")));
                Ok(Response::new(streamed(lines.chain(futures::stream::pending()))))
            }
        }
    }

    async fn pass(self, request: Request<Body>) -> Result<Response<AnyBody>, BoxError> {
        let response = self.server.service().oneshot(request).await.unwrap_or_else(|never| match never {});
        let cut = {
            let mut state = self.state.lock();
            // An empty chunk: here begins an answer.
            (state.mangle)(Bytes::new());
            state.cut.clone()
        };
        Ok(response.map(|body| {
            let chunks =
                body.into_data_stream().map(|chunk| chunk.unwrap_or_else(|never: Infallible| match never {}));
            let chunks = chunks.flat_map(move |chunk| {
                let mangled = (self.state.lock().mangle)(chunk);
                futures::stream::iter(mangled)
            });
            streamed(chunks.take_until(cut.cancelled_owned()))
        }))
    }
}

fn look_at(request: &Request<Body>) -> Seen {
    let query = request.uri().query().unwrap_or_default().to_owned();
    let seen = Seen { at: Instant::now(), kind: Kind::Other, query };
    let kind = match request.method().as_str() {
        "GET" if seen.asks_for("sendInitialEvents=true") => Kind::Stream,
        "GET" if seen.asks_for("watch=true") => Kind::Watch,
        "GET" => Kind::List,
        _ => Kind::Other,
    };
    Seen { kind, ..seen }
}

fn failure(code: u16, reason: &str, retry_after: Option<u64>) -> Response<AnyBody> {
    let status = format!(
        r#"{{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Failure","message":"as told","reason":"{reason}","code":{code}}}"#
    );
    let mut response = Response::builder().status(code);
    if let Some(seconds) = retry_after {
        response = response.header("retry-after", seconds);
    }
    response.body(whole(status)).unwrap()
}

fn whole(text: String) -> AnyBody {
    Full::from(text).map_err(|never| match never {}).boxed_unsync()
}

fn streamed(chunks: impl Stream<Item = Bytes> + Send + 'static) -> AnyBody {
    StreamBody::new(chunks.map(|chunk| Ok::<_, BoxError>(Frame::data(chunk)))).boxed_unsync()
}
