//! `Service`: the server as a tower service.
//!
//! In: requests with any body. Out: responses. It reads the body, up to a limit, and hands the rest to the state machine.

use std::{
    any::Any,
    future::Future,
    panic::AssertUnwindSafe,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::FutureExt as _;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::Body;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::{
    protocol::{Encoding, Status, indented},
    server::{Content, Door, Reply},
};

use super::{ApiServer, ResponseBody, finish::Wishes};

/// The longest body that is read, in bytes: 3 MiB, as etcd has it.
const BODY_LIMIT: usize = 3 * 1024 * 1024;

/// The server as a tower service: what `kube::Client::new` and HTTP servers take.
#[derive(Clone, Debug)]
pub struct Service {
    server: ApiServer,
}

impl Service {
    pub(super) fn new(server: ApiServer) -> Self {
        Self { server }
    }

    /// The answer to a request that does not get as far as the server.
    #[cfg(feature = "http")]
    pub(super) fn refuse(&self, status: Status) -> Response<ResponseBody> {
        respond(&self.server, Reply::from(status))
    }
}

impl<B> tower::Service<Request<B>> for Service
where
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<tower::BoxError>,
{
    type Response = Response<ResponseBody>;
    type Error = std::convert::Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let server = self.server.clone();
        Box::pin(async move {
            let answered = AssertUnwindSafe(answer(&server, request)).catch_unwind().await;
            Ok(answered.unwrap_or_else(|panic| panicked(&server, &*panic)))
        })
    }
}

async fn answer<B>(server: &ApiServer, request: Request<B>) -> Response<ResponseBody>
where
    B: Body + Send,
    B::Error: Into<tower::BoxError>,
{
    let (mut parts, body) = request.into_parts();
    let bodiless = parts.method == Method::HEAD;
    let wishes = Wishes::of(&parts);
    let reply = match read_known(server, &mut parts, body).await {
        Ok(body) => server.answer(&Request::from_parts(parts, body)).await,
        Err(status) => Reply::from(status),
    };
    let reply = reply.encoded();
    let reply = if wishes.pretty { reply.mapped(indented) } else { reply };
    let response = wishes.finish(respond(server, reply));
    if bodiless { response.map(|_| ResponseBody::whole(Bytes::new())) } else { response }
}

/// The answer to a request that the server could not bear: a fault of its own, or of what it was given to call.
fn panicked(server: &ApiServer, panic: &(dyn Any + Send)) -> Response<ResponseBody> {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let why = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    tracing::error!(why, "a request has ended in a panic");
    server.abandon();
    let told = "This request caused apiserver to panic. Look in the logs for details.";
    respond(server, Reply::from(Status::new(500, "InternalError", told)))
}

/// The body of a request from somebody who is known; who that is goes along with the request.
async fn read_known<B>(
    server: &ApiServer,
    parts: &mut ::http::request::Parts,
    body: B,
) -> Result<Bytes, Status>
where
    B: Body + Send,
    B::Error: Into<tower::BoxError>,
{
    let door = parts.extensions.get::<Door>().copied().unwrap_or(Door::Inside);
    let user = server.authenticate(parts, door)?;
    parts.extensions.insert(user);
    read(body).await
}

async fn read<B>(body: B) -> Result<Bytes, Status>
where
    B: Body + Send,
    B::Error: Into<tower::BoxError>,
{
    let collected = Limited::new(body, BODY_LIMIT).collect().await;
    collected.map(|body| body.to_bytes()).map_err(|error| {
        if error.downcast_ref::<LengthLimitError>().is_some() {
            Status::too_large(BODY_LIMIT)
        } else {
            Status::bad_request(format!("the body could not be read: {error}"))
        }
    })
}

/// JSON on one line, with the end of the line.
fn ended(json: Bytes) -> Bytes {
    match json.last() {
        // Lists have theirs, and what has line breaks for people ends without one.
        None | Some(b'\n') => json,
        Some(_) if json.starts_with(b"{\n") => json,
        Some(_) => [&json[..], b"\n"].concat().into(),
    }
}

fn respond(server: &ApiServer, reply: Reply) -> Response<ResponseBody> {
    let reply = reply.encoded();
    let content_type = match &reply.content {
        Content::Nothing => "",
        Content::Yaml(_) => "application/yaml",
        Content::Text(_) => "text/plain; charset=utf-8",
        Content::Log(_) => "text/plain",
        Content::Document(media, _) => media,
        Content::Protobuf(_) => "application/vnd.kubernetes.protobuf",
        Content::Watch(watch) if watch.encoding == Encoding::Protobuf => {
            "application/vnd.kubernetes.protobuf;stream=watch"
        }
        Content::Json(_) | Content::List(_) | Content::Table(_) | Content::Watch(_) => "application/json",
    };
    let body = match reply.content {
        Content::Nothing => ResponseBody::whole(Bytes::new()),
        Content::Log(query) => match server.log(&query) {
            Ok(stream) => ResponseBody::log(stream),
            Err(status) => {
                let encoding = reply.encoding;
                return respond(server, Reply { encoding, ..Reply::from(status) });
            }
        },
        Content::Text(text) => ResponseBody::whole(Bytes::from_static(text.as_bytes())),
        Content::Json(json) => ResponseBody::whole(ended(json)),
        Content::Yaml(bytes) | Content::Protobuf(bytes) | Content::Document(_, bytes) => {
            ResponseBody::whole(bytes)
        }
        Content::List(list) => ResponseBody::whole(list.join()),
        Content::Table(table) => ResponseBody::whole(table.join()),
        Content::Watch(watch) => ResponseBody::watch(server, *watch),
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(reply.code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    *response.headers_mut() = reply.headers;
    let headers = response.headers_mut();
    if !content_type.is_empty() {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    if let Some(seconds) = reply.retry_after {
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    for warning in reply.warnings {
        let text = warning.replace('\\', "\\\\").replace('"', "\\\"");
        if let Ok(value) = HeaderValue::from_str(&format!("299 - \"{text}\"")) {
            headers.append(header::WARNING, value);
        }
    }
    response
}
