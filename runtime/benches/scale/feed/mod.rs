//! What the measured programs read: pods, serialised beforehand, over HTTP.
//!
//! In: how many pods and updates. Out: an address that lists them in pages, streams the list, and watches. Never: work at
//! the time of a request beyond copying memory into a socket.
//!
//! Version `n` is the state of the list, update `k` (from 0) has version `n + k + 1`. `GET /release?updates=M` lets the
//! watches see the first `M` updates, and 0 hides them again from watches that begin later.

mod pods;

use std::{convert::Infallible, net::SocketAddr, sync::Arc};

use bytes::Bytes;
use futures::{StreamExt, stream, stream::BoxStream};
use http::{Request, Response, StatusCode};
use http_body_util::StreamBody;
use hyper::{
    body::{Frame, Incoming},
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpListener, sync::watch};

pub(crate) use pods::{NAMESPACES, Pods, key, namespace, shuffled};

/// Bytes in a chunk of a watch.
const CHUNK: usize = 64 << 10;

/// Texts back to back: text `i` is `bytes[ends[i]..ends[i + 1]]`.
struct Texts {
    bytes: Bytes,
    ends: Vec<usize>,
}

impl Texts {
    fn new(count: usize, mut append: impl FnMut(usize, &mut String)) -> Self {
        let (mut text, mut ends) = (String::new(), vec![0]);
        for number in 0..count {
            append(number, &mut text);
            ends.push(text.len());
        }
        Self { bytes: text.into(), ends }
    }

    fn slice(&self, from: usize, to: usize) -> Bytes {
        self.bytes.slice(self.ends[from]..self.ends[to])
    }
}

struct Feed {
    pods: usize,
    updates: usize,
    items: Texts,
    /// The same with their metadata alone.
    metadata: Texts,
    added: Texts,
    modified: Texts,
    released: watch::Sender<usize>,
}

type Body = StreamBody<BoxStream<'static, Result<Frame<Bytes>, Infallible>>>;

impl Feed {
    fn new(count: usize, updates: usize) -> Self {
        let pods = Pods::new();
        let mut revisions = vec![0; count];
        let event = |kind: &str, pod: usize, revision: usize, version: usize, text: &mut String| {
            text.push_str(&format!(r#"{{"type":"{kind}","object":"#));
            pods.write_typed(pod, revision, version, text);
            text.push_str("}\n");
        };
        Self {
            pods: count,
            updates,
            items: Texts::new(count, |pod, text| {
                pods.write(pod, 0, pod + 1, text);
                text.push(',');
            }),
            metadata: Texts::new(count, |pod, text| {
                let mut whole = String::new();
                pods.write(pod, 0, pod + 1, &mut whole);
                text.push_str(whole.split_once(r#","spec":"#).unwrap().0);
                text.push_str("},");
            }),
            added: Texts::new(count, |pod, text| event("ADDED", pod, 0, pod + 1, text)),
            modified: Texts::new(updates, |update, text| {
                let pod = shuffled(update, count);
                revisions[pod] += 1;
                event("MODIFIED", pod, revisions[pod], count + update + 1, text);
            }),
            released: watch::Sender::new(0),
        }
    }

    fn answer(self: Arc<Self>, request: &Request<Incoming>) -> Response<Body> {
        let query = |name: &str| {
            let pairs = request.uri().query().unwrap_or_default().split('&');
            pairs
                .filter_map(|pair| pair.split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value)
        };
        let number = |name: &str| query(name).and_then(|value| value.parse::<usize>().ok());
        let (mut status, mut body) = (StatusCode::OK, stream::empty().boxed());
        match request.uri().path() {
            "/api/v1/pods" if query("watch").is_some() => {
                let streamed = query("sendInitialEvents") == Some("true");
                let version = if streamed { None } else { number("resourceVersion") };
                let seen = version.unwrap_or_default().saturating_sub(self.pods);
                body = self.watch(streamed, seen);
            }
            "/api/v1/pods" => {
                let from = number("continue").unwrap_or_default();
                let accept = request.headers().get("accept").and_then(|accept| accept.to_str().ok());
                let items = match accept.unwrap_or_default().contains("as=PartialObjectMetadataList") {
                    true => &self.metadata,
                    false => &self.items,
                };
                body = self.list(items, from, number("limit").unwrap_or(self.pods));
            }
            "/release" => {
                self.released.send_replace(number("updates").unwrap_or_default().min(self.updates));
            }
            _ => status = StatusCode::NOT_FOUND,
        }
        let body = StreamBody::new(body.map(|bytes| Ok(Frame::data(bytes))).boxed());
        let mut response = Response::new(body);
        *response.status_mut() = status;
        response
    }

    fn list(&self, items: &Texts, from: usize, limit: usize) -> BoxStream<'static, Bytes> {
        let to = (from + limit).min(self.pods);
        let token = if to < self.pods { format!(r#","continue":"{to}""#) } else { String::new() };
        let head = format!(
            r#"{{"kind":"PodList","apiVersion":"v1","metadata":{{"resourceVersion":"{}"{token}}},"items":["#,
            self.pods
        );
        let items = items.slice(from, to);
        // Without the last comma.
        let items = items.slice(..items.len().saturating_sub(1));
        stream::iter([Bytes::from(head), items, Bytes::from_static(b"]}\n")]).boxed()
    }

    fn watch(self: Arc<Self>, streamed: bool, seen: usize) -> BoxStream<'static, Bytes> {
        let bookmark = format!(
            concat!(
                r#"{{"type":"BOOKMARK","object":{{"kind":"Pod","apiVersion":"v1","metadata":{{"resourceVersion":"{}","#,
                r#""annotations":{{"k8s.io/initial-events-end":"true"}}}}}}}}"#,
                "\n"
            ),
            self.pods
        );
        let list = if streamed { vec![self.added.bytes.clone(), bookmark.into()] } else { Vec::new() };
        let released = self.released.subscribe();
        let updates = stream::unfold((self, released, seen), |(feed, mut released, seen)| async move {
            let to = *released.wait_for(|to| *to > seen).await.ok()?;
            Some((feed.modified.slice(seen, to), (feed, released, to)))
        });
        stream::iter(list).chain(updates).flat_map(chunks).boxed()
    }
}

fn chunks(bytes: Bytes) -> impl futures::Stream<Item = Bytes> {
    let starts = (0..bytes.len()).step_by(CHUNK);
    stream::iter(starts.map(move |start| bytes.slice(start..bytes.len().min(start + CHUNK))))
}

/// Serves for ever; `ready` is told where.
pub(crate) async fn serve(pods: usize, updates: usize, ready: impl FnOnce(SocketAddr)) {
    let feed = Arc::new(Feed::new(pods, updates));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    ready(listener.local_addr().unwrap());
    while let Ok((socket, _)) = listener.accept().await {
        socket.set_nodelay(true).unwrap();
        let feed = Arc::clone(&feed);
        tokio::spawn(async move {
            let answer = service_fn(move |request| {
                let answer = Arc::clone(&feed).answer(&request);
                async move { Ok::<_, Infallible>(answer) }
            });
            // A client that goes away in the middle of a watch is no failure.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(socket), answer)
                .await;
        });
    }
}
