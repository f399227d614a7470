//! `Link`: the way of one process to the server.
//!
//! In: its requests. Out: the server's answers, or what a process sees when something has gone wrong.

use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, Uri, header, request::Parts};
use kube::client::Body as RequestBody;
use serde_json::json;
use tokio::time::sleep;
use tower::{BoxError, Service, ServiceExt, service_fn};

use super::{Process, stream::Disturbed, world::State};
use crate::{
    Status,
    testing::{
        Action, Verb,
        faults::stale_uri,
        reply::{Body, boxed, failure, reset},
    },
};

/// How far back an old list goes at most, in versions.
const OLDEST: u64 = 20;

/// What becomes of a request.
struct Fate {
    delay: Option<Duration>,
    end: End,
    touched: bool,
    stale: Option<u64>,
}

#[derive(Clone, Debug)]
enum End {
    Answered,
    Refused(Status),
    Lost,
    AnswerLost,
    CrashBefore,
    CrashOnTheWay(Duration),
    CrashAfter,
}

pub(super) struct Link;

impl Link {
    /// What a client of the process stands on.
    pub(super) fn service(
        process: Process,
    ) -> impl Service<Request<RequestBody>, Response = Response<Body>, Error = BoxError, Future: Send>
    + Clone
    + Send
    + 'static {
        service_fn(move |request: Request<RequestBody>| {
            let process = process.clone();
            async move {
                let (parts, body) = request.into_parts();
                let body = body.collect_bytes().await?;
                send(&process, parts, body).await
            }
        })
    }
}

async fn send(process: &Process, mut parts: Parts, body: Bytes) -> Result<Response<Body>, BoxError> {
    if process.is_over() {
        // A dead process sends nothing.
        std::future::pending::<()>().await;
    }
    let Some(action) = Action::read(&parts, &body) else {
        return forward(process, request(parts, body)).await;
    };
    let newest = process.world.server().resource_version();
    let fate = process.world.draw(|state| fate(state, &action, newest));
    if let Some(delay) = fate.delay {
        sleep(delay).await;
    }
    if process.is_over() {
        std::future::pending::<()>().await;
    }
    if fate.touched {
        touch(process, &parts, &action).await?;
    }
    if let Some(uri) = fate.stale.and_then(|version| stale_uri(&parts.uri, &action, version)) {
        process.note(&format!("{action} is answered from the past"));
        parts.uri = uri;
    }
    end(process, fate.end, &action, request(parts, body)).await
}

fn fate(state: &mut State, action: &Action, newest: u64) -> Fate {
    let chaos = state.chaos.clone();
    let delay = state.happens(chaos.delayed).then(|| state.up_to(chaos.longest_delay));
    let changes = matches!(action.verb(), Verb::Update | Verb::Patch | Verb::Apply);
    let touched = changes && action.name().is_some() && state.happens(chaos.touched);
    let is_old_list =
        action.verb() == Verb::List && action.parameter("resourceVersion").as_deref() == Some("0");
    let stale = (is_old_list && state.happens(chaos.stale_list))
        .then(|| newest.saturating_sub(state.random.u64(1..=OLDEST)).max(1));
    let ends = [
        (chaos.crash_before, 0),
        (chaos.crash_on_the_way, 1),
        (chaos.crash_after, 2),
        (chaos.refused, 3),
        (chaos.lost_request, 4),
        (chaos.lost_answer, 5),
    ];
    let end = ends.into_iter().find(|(probability, _)| state.happens(*probability)).map(|(_, end)| end);
    let end = match end {
        None => End::Answered,
        Some(0) => End::CrashBefore,
        Some(1) => End::CrashOnTheWay(state.up_to(chaos.longest_delay)),
        Some(2) => End::CrashAfter,
        Some(3) => End::Refused(match state.random.u8(..3) {
            0 => Status::too_many_requests(1),
            1 => Status::internal("made up by a simulation"),
            _ => Status::service_unavailable("made up by a simulation"),
        }),
        Some(4) => End::Lost,
        Some(_) => End::AnswerLost,
    };
    Fate { delay, end, touched, stale }
}

async fn end(
    process: &Process,
    end: End,
    action: &Action,
    request: Request<RequestBody>,
) -> Result<Response<Body>, BoxError> {
    match end {
        End::Answered => answered(process, action, request).await,
        End::Refused(status) => {
            process.note(&format!("{action} -> {} (made up)", status.code()));
            Ok(failure(&status))
        }
        End::Lost => {
            process.note(&format!("{action} is lost"));
            Err(reset())
        }
        End::AnswerLost => {
            drop(answered(process, action, request).await?);
            process.note("the answer is lost");
            Err(reset())
        }
        End::CrashBefore => {
            process.note(&format!("{action} is not sent any more"));
            crash(process).await
        }
        End::CrashOnTheWay(delay) => {
            let (late, action) = (process.clone(), action.clone());
            tokio::spawn(async move {
                sleep(delay).await;
                late.note("a request of one that is gone arrives");
                // Nobody waits for the answer.
                let _ = answered(&late, &action, request).await;
            });
            crash(process).await
        }
        End::CrashAfter => {
            drop(answered(process, action, request).await?);
            crash(process).await
        }
    }
}

async fn crash(process: &Process) -> Result<Response<Body>, BoxError> {
    process.crash();
    std::future::pending().await
}

/// Has the server answer, and notes it.
async fn answered(
    process: &Process,
    action: &Action,
    request: Request<RequestBody>,
) -> Result<Response<Body>, BoxError> {
    let answer = forward(process, request).await?;
    process.note(&format!("{action} -> {}", answer.status().as_u16()));
    if !answer.status().is_success() {
        return Ok(answer);
    }
    if action.verb().changes() && !matches!(action.resource(), "leases" | "events") {
        process.world.written();
    }
    if action.verb() == Verb::Watch {
        let process = process.clone();
        return Ok(answer.map(|body| boxed(Disturbed::new(body, process))));
    }
    Ok(answer)
}

async fn forward(process: &Process, request: Request<RequestBody>) -> Result<Response<Body>, BoxError> {
    let answer = process.world.server().service().oneshot(request).await?;
    Ok(answer.map(boxed))
}

fn request(parts: Parts, body: Bytes) -> Request<RequestBody> {
    Request::from_parts(parts, RequestBody::from(body))
}

/// Somebody else changes the object, so that its version is another.
async fn touch(process: &Process, parts: &Parts, action: &Action) -> Result<(), BoxError> {
    let path = parts.uri.path();
    let path = match action.subresource() {
        Some(subresource) => path.strip_suffix(subresource).unwrap_or(path).trim_end_matches('/'),
        None => path,
    };
    let mark = process.world.0.uptime.get().as_micros().to_string();
    let patch = json!({"metadata": {"annotations": {"simulation/touched": mark}}}).to_string();
    let request = Request::builder()
        .method(Method::PATCH)
        .uri(path.parse::<Uri>()?)
        .header(header::CONTENT_TYPE, "application/merge-patch+json")
        .body(RequestBody::from(patch.into_bytes()))?;
    let answer = forward(process, request).await?;
    process.note(&format!("somebody else touches {} -> {}", action.resource(), answer.status().as_u16()));
    Ok(())
}
