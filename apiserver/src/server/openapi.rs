//! `/openapi/v2` and `/openapi/v3`.
//!
//! In: a request for one of the documents. Out: its text with what lets clients keep it: an entity tag, and for v3 a `hash` parameter. Whoever
//! names the right hash may keep the answer for ever, whoever names another one is sent to the right one. What the documents say is the
//! registry's.

use http::header;
use jiff::{Span, Timestamp, tz::TimeZone};

use crate::{
    protocol::{self, Query},
    registry::{Registry, openapi::Document},
};

use super::{
    dispatch::accept,
    reply::{Content, Reply, Request},
};

const JSON: &str = "application/json";
const PROTOBUF_V2: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
/// How clients name it that were written when it could not yet be parsed as a media type.
const PROTOBUF_V2_OF_OLD: &str = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

/// `/openapi/v3`.
pub(super) fn index(registry: &Registry) -> Reply {
    // That is how a real server calls it.
    Reply::with(200, Content::Document("text/plain; charset=utf-8", registry.openapi_index().into()))
}

/// `/openapi/v3/<path>`.
pub(super) fn v3(registry: &Registry, path: &str, request: &Request, now: Timestamp) -> Reply {
    let Some(document) = registry.openapi_v3(path) else {
        return Reply::with(404, Content::Nothing);
    };
    if protocol::pick(accept(request), &[JSON]).is_none() {
        return Reply::with(406, Content::Nothing).header(header::VARY, "Accept");
    }
    let query = Query::parse(request.uri().query());
    let hash = query.text("hash");
    let reply = if !hash.is_empty() && hash != document.hash {
        let location = format!("/openapi/v3/{path}?hash={}", document.hash);
        tagged(Reply::with(301, Content::Document(JSON, bytes::Bytes::new())), &document)
            .header(header::LOCATION, &location)
    } else {
        let reply = whole(request, &document, JSON);
        match hash {
            "" => reply,
            _ => reply
                .header(header::CACHE_CONTROL, "public, immutable")
                .header(header::EXPIRES, &in_a_year(now)),
        }
    };
    reply.header(header::VARY, "Accept")
}

/// `/openapi/v2`.
pub(super) fn v2(registry: &Registry, request: &Request) -> Reply {
    let reply = match protocol::pick(accept(request), &[JSON, PROTOBUF_V2, PROTOBUF_V2_OF_OLD]) {
        Some(JSON) => whole(request, &registry.openapi_v2(), JSON),
        Some(_) => whole(request, &registry.openapi_v2_protobuf(), PROTOBUF_V2),
        None => Reply::with(406, Content::Nothing),
    };
    reply.header(header::VARY, "Accept-Encoding").header(header::VARY, "Accept")
}

/// The text, or nothing where the client has it already.
fn whole(request: &Request, document: &Document, media: &'static str) -> Reply {
    let reply = if has(request, &document.hash) {
        Reply::with(304, Content::Nothing)
    } else {
        Reply::with(200, Content::Document(media, document.text.clone()))
    };
    tagged(reply, document)
}

fn tagged(reply: Reply, document: &Document) -> Reply {
    reply.header(header::ETAG, &format!("\"{}\"", document.hash))
}

/// Whether a client says that it has what this hash names.
pub(super) fn has(request: &Request, hash: &str) -> bool {
    let tags = request.headers().get_all(header::IF_NONE_MATCH).iter();
    tags.filter_map(|tags| tags.to_str().ok()).flat_map(|tags| tags.split(',')).any(|tag| {
        let tag = tag.trim();
        tag == "*" || tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"') == hash
    })
}

fn in_a_year(now: Timestamp) -> String {
    let then = now.to_zoned(TimeZone::UTC).saturating_add(Span::new().years(1));
    then.strftime("%a, %d %b %Y %H:%M:%S UTC").to_string()
}
