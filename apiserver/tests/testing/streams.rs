//! Watches are cut between events, wherever the network cuts their bytes.

use std::convert::Infallible;

use bytes::Bytes;
use futures::{StreamExt, stream};
use http::{Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use kube::client::Body;
use kube_codegen_apiserver::testing::{Faults, Verb};
use proptest::prelude::*;
use tower::{Layer, ServiceExt, service_fn};

#[derive(Clone, Copy, Debug)]
enum End {
    Cut,
    Reset,
    Expired,
}

/// The bytes of a watch whose server sends these frames, and whether it ended well.
async fn watch(frames: Vec<Bytes>, limit: usize, end: End) -> (Vec<u8>, bool) {
    let faults = Faults::new();
    let rule = faults.on(Verb::Watch, "pods");
    match end {
        End::Cut => rule.cut_after(limit),
        End::Reset => rule.reset_after(limit),
        End::Expired => rule.expire_after(limit),
    }
    let server = service_fn(move |_: Request<Body>| {
        let frames = frames.clone().into_iter().map(|frame| Ok::<_, Infallible>(Frame::data(frame)));
        std::future::ready(Ok::<_, Infallible>(Response::new(StreamBody::new(stream::iter(frames)))))
    });
    let request = Request::get("/api/v1/pods?watch=true").body(Body::empty()).unwrap();
    let answer = faults.layer().layer(server).oneshot(request).await.unwrap();
    let (mut bytes, mut well) = (Vec::new(), true);
    let mut frames = answer.into_body().into_data_stream();
    while let Some(frame) = frames.next().await {
        match frame {
            Ok(frame) => bytes.extend_from_slice(&frame),
            Err(_) => well = false,
        }
    }
    (bytes, well)
}

/// Cuts bytes into frames at arbitrary places.
fn frames(bytes: &[u8], cuts: &[prop::sample::Index]) -> Vec<Bytes> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    places.extend([0, bytes.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| Bytes::copy_from_slice(&bytes[pair[0]..pair[1]])).collect()
}

proptest! {
    #[test]
    fn a_watch_passes_on_exactly_the_events_before_its_end(
        events in prop::collection::vec("[a-z]{0,12}", 0..8),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        limit in 0_usize..10,
        end in prop_oneof![Just(End::Cut), Just(End::Reset), Just(End::Expired)],
    ) {
        let lines: Vec<String> = events.iter().map(|event| format!("{event}\n")).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (bytes, well) = runtime.block_on(watch(frames(lines.concat().as_bytes(), &cuts), limit, end));
        let text = String::from_utf8(bytes).unwrap();
        let reached = limit <= lines.len();
        let passed = lines[..limit.min(lines.len())].concat();
        match end {
            _ if !reached => prop_assert_eq!((text, well), (passed, true)),
            End::Cut => prop_assert_eq!((text, well), (passed, true)),
            End::Reset => prop_assert_eq!((text, well), (passed, false)),
            End::Expired => {
                let last = text.strip_prefix(passed.as_str()).unwrap();
                let event: serde_json::Value = serde_json::from_str(last).unwrap();
                prop_assert_eq!((&event["type"], &event["object"]["code"]), (&"ERROR".into(), &410.into()));
                prop_assert!(well);
            }
        }
    }
}
