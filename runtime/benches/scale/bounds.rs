//! What cannot be beaten: reading the bytes and doing nothing with them, and decoding without reading or storing.
//!
//! In: a feed, or pods in memory. Out: figures. Never: a store.

use std::{
    collections::HashMap,
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::{Buf, Bytes, BytesMut};
use futures::StreamExt;
use http_body_util::BodyExt;
use k8s_openapi::api::core::v1::Pod;
use kube::client::Body;

use crate::{
    feed::{Pods, key, shuffled},
    harness::Given,
    measure::{Clock, Figures, figures, resident, run, thread_time},
    network::{client, release},
};

pub(crate) const PAGE: usize = 500;

async fn get(client: &kube::Client, path: &str) -> http::Response<Body> {
    client.send(http::Request::get(path).body(Body::empty()).unwrap()).await.unwrap()
}

/// All pages, each read to its end; `keep` says what stays of it.
fn pages<T: Send + 'static>(given: Given, keep: fn(Bytes) -> T) -> Figures {
    run(async move {
        let client = client(given).await;
        let (before, clock, mut kept) = (resident(), Clock::start(), Vec::new());
        for from in (0..given.objects).step_by(PAGE) {
            let response = get(&client, &format!("/api/v1/pods?limit={PAGE}&continue={from}")).await;
            kept.push(keep(response.into_body().collect().await.unwrap().to_bytes()));
        }
        sync_figures(given.objects, &clock, before)
    })
}

pub(crate) fn sync_figures(objects: usize, clock: &Clock, before: f64) -> Figures {
    let (wall, cpu, objects) = (clock.wall(), clock.cpu(), objects as f64);
    figures([
        ("s", wall),
        ("us CPU/object", cpu * 1e6 / objects),
        ("resident bytes/object", (resident() - before) / objects),
    ])
}

pub(crate) fn list_bytes_alone(given: Given) -> Figures {
    let mut figures = pages(given, |page| page.len());
    figures.pop();
    figures
}

pub(crate) fn list_bytes_kept(given: Given) -> Figures {
    pages(given, |page| page)
}

/// All pods decoded from memory, one after the other, and kept.
pub(crate) fn list_decode_alone(given: Given) -> Figures {
    let pods = Pods::new();
    let (before, mut kept) = (resident(), Vec::with_capacity(given.objects));
    let (mut wall, mut cpu) = (Duration::ZERO, Duration::ZERO);
    let mut jsons = Vec::new();
    for pod in 0..given.objects {
        jsons.push(pods.json(pod));
        if jsons.len() == PAGE || pod + 1 == given.objects {
            let (began, worked) = (Instant::now(), thread_time());
            kept.extend(jsons.iter().map(|json| Arc::new(serde_json::from_str::<Pod>(json).unwrap())));
            wall += began.elapsed();
            cpu += thread_time() - worked;
            jsons.clear();
        }
    }
    let objects = given.objects as f64;
    let resident = (resident() - before) / objects;
    black_box(kept);
    let cpu = cpu.as_secs_f64() * 1e6 / objects;
    figures([("s", wall.as_secs_f64()), ("us CPU/object", cpu), ("resident bytes/object", resident)])
}

pub(crate) fn update_figures(updates: usize, clock: &Clock) -> Figures {
    let (wall, cpu) = (clock.wall(), clock.cpu());
    figures([
        ("us/update", wall * 1e6 / updates as f64),
        ("us CPU/update", cpu * 1e6 / updates as f64),
        ("s", wall),
    ])
}

pub(crate) fn update_bytes_alone(given: Given) -> Figures {
    run(async move {
        let client = client(given).await;
        let path = format!("/api/v1/pods?watch=true&resourceVersion={}", given.objects);
        let mut body = get(&client, &path).await.into_body().into_data_stream();
        let clock = Clock::start();
        release(&client, given.updates).await;
        let (mut buffer, mut lines) = (BytesMut::new(), 0);
        while lines < given.updates {
            buffer.extend_from_slice(&body.next().await.unwrap().unwrap());
            let mut done = 0;
            for end in memchr::memchr_iter(b'\n', &buffer) {
                (done, lines) = (end + 1, lines + 1);
            }
            buffer.advance(done);
        }
        update_figures(given.updates, &clock)
    })
}

/// Every update decoded from memory and put into a plain map in the place of what was there.
pub(crate) fn update_decode_alone(given: Given) -> Figures {
    let pods = Pods::new();
    let jsons: Vec<String> = (0..given.objects).map(|pod| pods.json(pod)).collect();
    let decode = |pod: usize| Arc::new(serde_json::from_str::<Pod>(&jsons[pod]).unwrap());
    let mut map: HashMap<(String, String), Arc<Pod>> =
        (0..given.objects).map(|pod| (key(pod), decode(pod))).collect();
    let clock = Clock::start();
    for update in 0..given.updates {
        let pod = decode(shuffled(update, given.objects));
        let key = (pod.metadata.namespace.clone().unwrap(), pod.metadata.name.clone().unwrap());
        map.insert(key, pod);
    }
    update_figures(given.updates, &clock)
}
