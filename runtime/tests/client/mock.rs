//! A server that records what it is asked and answers from a list.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, StreamBody};
use kube::client::{Body, Client};
use serde_json::Value;

/// A request as the server saw it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    /// Method, path and query, such as `GET /api/v1/nodes?limit=1`.
    pub(crate) line: String,
    pub(crate) content_type: String,
    /// The headers of note: whether the client asks for an uncompressed answer.
    pub(crate) accept_encoding: String,
    /// The body; null if there is none.
    pub(crate) body: Value,
}

/// A chunk of a body, or the failure to give one.
pub(crate) type Chunk = Result<Bytes, std::io::Error>;

type MockBody = StreamBody<stream::BoxStream<'static, Result<http_body::Frame<Bytes>, std::io::Error>>>;

/// The server; its clones are the same one.
#[derive(Clone, Default)]
pub(crate) struct Mock {
    seen: Arc<Mutex<Vec<Seen>>>,
    answers: Arc<Mutex<VecDeque<Response<MockBody>>>>,
}

impl Mock {
    /// A server that answers a 200 with each of these in turn.
    pub(crate) fn answering(answers: impl IntoIterator<Item = Value>) -> Self {
        let mock = Self::default();
        for answer in answers {
            mock.answer(StatusCode::OK, &[], &answer.to_string());
        }
        mock
    }

    pub(crate) fn answer(&self, code: StatusCode, headers: &[(&str, &str)], body: &str) {
        let chunk = Bytes::copy_from_slice(body.as_bytes());
        self.answer_with(code, headers, stream::iter([Ok(chunk)]));
    }

    pub(crate) fn answer_with(
        &self,
        code: StatusCode,
        headers: &[(&str, &str)],
        chunks: impl Stream<Item = Chunk> + Send + 'static,
    ) {
        let frames = chunks.map(|chunk| chunk.map(http_body::Frame::data)).boxed();
        let mut response = Response::builder().status(code);
        for (name, value) in headers {
            response = response.header(*name, *value);
        }
        self.answers.lock().unwrap().push_back(response.body(StreamBody::new(frames)).unwrap());
    }

    pub(crate) fn client(&self) -> Client {
        let mock = self.clone();
        let service = tower::service_fn(move |request| {
            let mock = mock.clone();
            async move { Ok::<_, Infallible>(mock.serve(request).await) }
        });
        Client::new(service, "default")
    }

    async fn serve(&self, request: Request<Body>) -> Response<MockBody> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let header = |name: &str| {
            parts.headers.get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
        };
        self.seen.lock().unwrap().push(Seen {
            line: format!("{} {}", parts.method, parts.uri),
            content_type: header("content-type"),
            accept_encoding: header("accept-encoding"),
            body: if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap() },
        });
        self.answers.lock().unwrap().pop_front().expect("an answer for every request")
    }

    /// Everything asked so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The request lines so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }

    /// The only request so far.
    #[track_caller]
    pub(crate) fn only(&self) -> Seen {
        let seen = self.seen();
        assert_eq!(seen.len(), 1, "{seen:?}");
        seen.into_iter().next().unwrap()
    }
}
