//! A server that lists and watches as badly as servers and what stands before them do.
//!
//! It keeps config maps and every version of them, and answers late, never, with failures, with half an answer, twice,
//! from the past where it may, and with pages in any order that overlap. What it says is true all the same: an informer
//! can find out what is there. Everything it does comes from a seed.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    io,
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use fastrand::Rng;
use futures::{StreamExt, stream};
use http::{Request, Response, StatusCode};
use http_body::Frame;
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use kube::client::Body;
use parking_lot::Mutex;
use tokio::{sync::watch, time::sleep};
use tokio_util::sync::CancellationToken;
use tower::BoxError;

type AnyBody = UnsyncBoxBody<Bytes, BoxError>;
type Answer = Result<Response<AnyBody>, BoxError>;

/// An object at one moment: uid, version, value.
type Object = (u64, u64, u32);

/// How likely it is, in percent, that something goes wrong: with a request, and with a line or a page of an answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weather {
    pub(crate) requests: u8,
    pub(crate) lines: u8,
}

#[derive(Clone)]
pub(crate) struct Rough {
    state: Arc<Mutex<State>>,
    /// The newest version.
    grown: Arc<watch::Sender<u64>>,
}

struct State {
    random: Rng,
    weather: Weather,
    /// Every change: its version, the name, what was there before, what is there now.
    history: Vec<(u64, u8, Option<Object>, Option<Object>)>,
    /// What came before this is forgotten.
    oldest: u64,
    /// Lists of which pages may still be asked for: their version and objects.
    lists: HashMap<u64, (u64, Vec<String>)>,
    cut: CancellationToken,
}

fn json(name: u8, (uid, version, value): Object) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"object-{name}","namespace":"default","uid":"{uid}","resourceVersion":"{version}"}},"data":{{"value":"{value}"}}}}"#
    )
}

fn event(kind: &str, object: &str) -> String {
    format!("{{\"type\":\"{kind}\",\"object\":{object}}}\n")
}

fn bookmark(version: u64, annotations: &str) -> String {
    event("BOOKMARK", &format!(r#"{{"metadata":{{"resourceVersion":"{version}"{annotations}}}}}"#))
}

fn status(code: u16) -> String {
    let reason = match code {
        410 => "Expired",
        429 => "TooManyRequests",
        504 => "Timeout",
        _ => "InternalError",
    };
    let details = match code {
        504 => r#","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"as told"}]}"#,
        _ => "",
    };
    format!(
        r#"{{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Failure","message":"as told","reason":"{reason}","code":{code}{details}}}"#
    )
}

fn whole(text: String) -> AnyBody {
    Full::from(text).map_err(|never| match never {}).boxed_unsync()
}

fn failure(code: u16, retry_after: u64) -> Response<AnyBody> {
    let response = Response::builder().status(StatusCode::from_u16(code).unwrap());
    let response = if code == 429 { response.header("retry-after", retry_after) } else { response };
    response.body(whole(status(code))).unwrap()
}

impl State {
    fn version(&self) -> u64 {
        self.history.last().map_or(1, |(version, ..)| *version)
    }

    fn at(&self, moment: u64) -> BTreeMap<u8, Object> {
        let mut objects = BTreeMap::new();
        for (_, name, _, now) in self.history.iter().take_while(|(version, ..)| *version <= moment) {
            match now {
                Some(object) => drop(objects.insert(*name, *object)),
                None => drop(objects.remove(name)),
            }
        }
        objects
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.random.u8(0..100) < percent
    }

    /// The events after a version.
    fn events(&self, after: u64) -> VecDeque<String> {
        let begin = self.history.partition_point(|(version, ..)| *version <= after);
        self.history[begin..].iter().map(line).collect()
    }
}

fn line((version, name, before, now): &(u64, u8, Option<Object>, Option<Object>)) -> String {
    match (before, now) {
        (None, Some(object)) => event("ADDED", &json(*name, *object)),
        (Some(_), Some(object)) => event("MODIFIED", &json(*name, *object)),
        (Some((uid, _, value)), None) => event("DELETED", &json(*name, (*uid, *version, *value))),
        (None, None) => bookmark(*version, ""),
    }
}

impl Rough {
    pub(crate) fn new(seed: u64) -> Self {
        let state = State {
            random: Rng::with_seed(seed),
            weather: Weather::default(),
            history: Vec::new(),
            oldest: 0,
            lists: HashMap::new(),
            cut: CancellationToken::new(),
        };
        Self { state: Arc::new(Mutex::new(state)), grown: Arc::new(watch::Sender::new(1)) }
    }

    pub(crate) fn client(&self) -> kube::Client {
        let server = self.clone();
        let service = tower::service_fn(move |request| server.clone().answer(request));
        kube::Client::new(service, "default")
    }

    pub(crate) fn weather(&self, weather: Weather) {
        self.state.lock().weather = weather;
    }

    /// Breaks all connections.
    pub(crate) fn cut(&self) {
        std::mem::take(&mut self.state.lock().cut).cancel();
    }

    /// Forgets everything but the present.
    pub(crate) fn forget(&self) {
        let mut state = self.state.lock();
        state.oldest = state.version();
        state.lists.clear();
    }

    /// Creates, changes or deletes some object.
    pub(crate) fn write(&self) {
        let mut state = self.state.lock();
        let version = state.version() + state.random.u64(1..4);
        let name = state.random.u8(0..6);
        let before = state.at(u64::MAX).get(&name).copied();
        let value = state.random.u32(0..9);
        let now = match before {
            Some(_) if state.random.u8(0..3) == 0 => None,
            Some((uid, ..)) => Some((uid, version, value)),
            None => Some((version, version, value)),
        };
        state.history.push((version, name, before, now));
        self.grown.send_replace(version);
    }

    /// Names and values of what there is.
    pub(crate) fn state(&self) -> BTreeMap<String, String> {
        let objects = self.state.lock().at(u64::MAX);
        objects
            .into_iter()
            .map(|(name, (_, _, value))| (format!("object-{name}"), value.to_string()))
            .collect()
    }

    async fn answer(self, request: Request<Body>) -> Answer {
        let query: HashMap<String, String> = request
            .uri()
            .query()
            .unwrap_or_default()
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let trouble = {
            let mut state = self.state.lock();
            let percent = state.weather.requests;
            state.chance(percent).then(|| (state.random.u8(0..20), state.random.u64(1..20)))
        };
        match trouble {
            None => {}
            Some((0..4, _)) => return Err(io::Error::from(io::ErrorKind::ConnectionRefused).into()),
            Some((4..8, _)) => return Ok(failure(410, 0)),
            Some((8..11, seconds)) => return Ok(failure(429, seconds)),
            Some((11..15, _)) => return Ok(failure(500, 0)),
            Some((15, _)) => return Ok(failure(504, 0)),
            Some((16, _)) => std::future::pending::<()>().await,
            Some((_, seconds)) => sleep(Duration::from_secs(seconds)).await,
        }
        if query.contains_key("watch") { Ok(self.watch(&query)) } else { Ok(self.list(&query)) }
    }

    fn list(&self, query: &HashMap<String, String>) -> Response<AnyBody> {
        let mut state = self.state.lock();
        let limit = query.get("limit").and_then(|limit| limit.parse().ok()).unwrap_or(usize::MAX);
        let (id, begin) = match query.get("continue") {
            Some(token) => {
                let (id, begin) = token.split_once('-').unwrap();
                (id.parse().unwrap(), begin.parse().unwrap())
            }
            None => {
                let newest = state.version();
                // A cache may be behind, if nothing else was asked for.
                let stale = query.get("resourceVersion").is_some_and(|version| version == "0");
                let oldest = state.oldest.clamp(1, newest);
                let moment = if stale { state.random.u64(oldest..=newest) } else { newest };
                let mut items: Vec<String> =
                    state.at(moment).into_iter().map(|(name, object)| json(name, object)).collect();
                state.random.shuffle(&mut items);
                let id = state.random.u64(..);
                state.lists.insert(id, (moment, items));
                (id, 0_usize)
            }
        };
        let Some((moment, all)) = state.lists.get(&id).cloned() else { return failure(410, 0) };
        let end = begin.saturating_add(limit).min(all.len());
        let mut items = all[begin..end].to_vec();
        let percent = state.weather.lines;
        if begin > 0 && state.chance(percent) {
            // Something of an earlier page once more.
            let again = state.random.usize(..begin);
            items.insert(0, all[again].clone());
        }
        let token = if end < all.len() { format!(r#","continue":"{id}-{end}""#) } else { String::new() };
        let mut body = format!(
            r#"{{"kind":"ConfigMapList","apiVersion":"v1","metadata":{{"resourceVersion":"{moment}"{token}}},"items":[{}]}}"#,
            items.join(",")
        );
        if state.chance(percent / 2) {
            let end = state.random.usize(..body.len());
            body.truncate(end);
        }
        Response::new(whole(body))
    }

    fn watch(&self, query: &HashMap<String, String>) -> Response<AnyBody> {
        let mut state = self.state.lock();
        let newest = state.version();
        let (mut after, mut lines) = (newest, VecDeque::new());
        if query.get("sendInitialEvents").is_some_and(|streamed| streamed == "true") {
            lines.extend(
                state.at(newest).into_iter().map(|(name, object)| event("ADDED", &json(name, object))),
            );
            state.random.shuffle(lines.make_contiguous());
            lines.push_back(bookmark(newest, r#","annotations":{"k8s.io/initial-events-end":"true"}"#));
        } else {
            after = query["resourceVersion"].parse().unwrap();
            if after < state.oldest {
                // Both are seen in the wild.
                let early = state.random.bool();
                return if early {
                    failure(410, 0)
                } else {
                    Response::new(whole(event("ERROR", &status(410))))
                };
            }
        }
        let listing = lines.len();
        let open =
            Open { server: self.clone(), grown: self.grown.subscribe(), after, lines, listing, over: false };
        let seconds = query.get("timeoutSeconds").and_then(|seconds| seconds.parse().ok()).unwrap_or(300);
        let chunks = stream::unfold(open, Open::next)
            .take_until(state.cut.clone().cancelled_owned())
            .take_until(sleep(Duration::from_secs(seconds)));
        let frames = chunks.map(|chunk| Ok(Frame::data(chunk.map_err(BoxError::from)?)));
        Response::new(StreamBody::new(frames).boxed_unsync())
    }
}

/// A watch.
struct Open {
    server: Rough,
    grown: watch::Receiver<u64>,
    after: u64,
    lines: VecDeque<String>,
    /// So many of the lines are a list, with which less can go wrong.
    listing: usize,
    over: bool,
}

impl Open {
    async fn next(mut self) -> Option<(io::Result<Bytes>, Self)> {
        if self.over {
            return None;
        }
        if self.lines.is_empty() {
            let after = self.after;
            self.after = *self.grown.wait_for(|newest| *newest > after).await.ok()?;
            self.lines = self.server.state.lock().events(after);
        }
        let line = self.lines.pop_front()?;
        let trouble = {
            let mut state = self.server.state.lock();
            let percent = state.weather.lines;
            state.chance(percent).then(|| (state.random.u8(0..16), state.random.usize(..line.len())))
        };
        let listing = self.listing > 0;
        self.listing = self.listing.saturating_sub(1);
        Some((self.send(line, listing, trouble).await, self))
    }

    async fn send(&mut self, line: String, listing: bool, trouble: Option<(u8, usize)>) -> io::Result<Bytes> {
        let ends_list = listing && self.listing == 0;
        let Some((what, number)) = trouble else { return Ok(line.into()) };
        match what {
            // The connection breaks within the line, noticed or not.
            0 | 1 => {
                self.over = true;
                Ok(line[..number].to_owned().into())
            }
            2 => {
                self.over = true;
                Err(io::ErrorKind::ConnectionReset.into())
            }
            3 | 4 => {
                self.over = true;
                let code = [410, 429, 500][number % 3];
                Ok(event("ERROR", &status(code)).into())
            }
            5..8 => {
                sleep(Duration::from_millis(number as u64 * 10)).await;
                Ok(line.into())
            }
            8..12 if !ends_list => Ok((line.clone() + &line).into()),
            // What came before comes again.
            12..14 if !listing => {
                let state = self.server.state.lock();
                let old = state.history.iter().take_while(|(version, ..)| *version <= self.after).nth(number);
                let old = old.filter(|(version, ..)| {
                    line.contains("BOOKMARK") || !line.contains(&format!(r#""{version}""#))
                });
                Ok((line + &old.map(self::line).unwrap_or_default()).into())
            }
            _ if !listing && self.lines.is_empty() => Ok((line + &bookmark(self.after, "")).into()),
            _ => Ok(line.into()),
        }
    }
}
