//! The last touches to an answer: line breaks for people, compression, and that nobody is to keep it.
//!
//! In: a request's wishes and an answer. Out: the answer as it goes out. Both are decided as a real server decides them.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, HeaderValue, Response, header, request::Parts};

use crate::protocol::Query;

use super::ResponseBody;

/// Answers from this size on are compressed.
const COMPRESSED_FROM: usize = 128 * 1024;

/// What a client wants of the bytes it gets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wishes {
    /// Whether a person reads along.
    pub(super) pretty: bool,
    gzip: bool,
}

impl Wishes {
    pub(super) fn of(request: &Parts) -> Self {
        Self { pretty: is_pretty(request), gzip: takes_gzip(&request.headers) }
    }

    /// Says that an answer is not to be kept, and compresses it where that is wanted and worth it.
    pub(super) fn finish(self, mut response: Response<ResponseBody>) -> Response<ResponseBody> {
        let kept = response.headers_mut().entry(header::CACHE_CONTROL);
        kept.or_insert(HeaderValue::from_static("no-cache, private"));
        if !self.gzip {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let body = match body.into_whole() {
            Ok(bytes) if bytes.len() > COMPRESSED_FROM => bytes,
            Ok(bytes) => return Response::from_parts(parts, ResponseBody::whole(bytes)),
            Err(stream) => return Response::from_parts(parts, stream),
        };
        // Writing into memory does not fail.
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        let written = encoder.write_all(&body).and_then(|()| encoder.finish());
        let Ok(compressed) = written else {
            return Response::from_parts(parts, ResponseBody::whole(body));
        };
        parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        parts.headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        Response::from_parts(parts, ResponseBody::whole(compressed.into()))
    }
}

fn is_pretty(request: &Parts) -> bool {
    let query = request.uri.query().filter(|query| query.contains("pretty"));
    let wish = Query::parse(query).text("pretty").to_owned();
    if !wish.is_empty() {
        return ["1", "t", "T", "true", "TRUE", "True"].contains(&wish.as_str());
    }
    let agent = request.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    let readers = ["curl", "Wget", "Mozilla/5.0"];
    agent.is_some_and(|agent| readers.iter().any(|reader| agent.starts_with(reader)))
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let encodings = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    encodings.flat_map(|list| list.split(',')).any(|encoding| {
        let mut parts = encoding.split(';').map(str::trim);
        parts.next() == Some("gzip") && !parts.any(|part| ["q=0", "q=0.0"].contains(&part))
    })
}
