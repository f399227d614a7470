//! The `events` module from outside, over the in-memory API server and under paused time.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking, its helpers too"
)]

mod sieves;
mod troubles;
mod wire;

use std::time::Duration;

use k8s_openapi::api::{core::v1::ConfigMap, events::v1::Event};
use kube::Api;
use kube_codegen_apiserver::testing::Fake;
use kube_codegen_runtime::{
    CancellationToken,
    clock::WallClock,
    events::{EventBroadcaster, EventRecorder},
};
use serde_json::json;
use tokio::task::JoinHandle;

/// A server, and a broadcaster that runs.
struct Desk {
    fake: Fake,
    recorder: EventRecorder,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Desk {
    fn open() -> Self {
        let fake = Fake::new([], []);
        let clock = WallClock::starting_at("2030-01-01T00:00:00Z".parse().unwrap());
        let broadcaster = EventBroadcaster::new(fake.client()).clock(clock);
        let recorder = broadcaster.recorder_of("my-controller", "my-controller-host1");
        let stop = CancellationToken::new();
        Self { task: tokio::spawn(broadcaster.run(stop.clone())), fake, recorder, stop }
    }

    /// All events, oldest first.
    async fn events(&self) -> Vec<Event> {
        let events: Api<Event> = Api::all(self.fake.server().client());
        let mut events = events.list(&Default::default()).await.unwrap().items;
        events.sort_by_key(|event| event.event_time.clone().map(|time| time.0));
        events
    }

    async fn close(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

fn map(name: &str) -> ConfigMap {
    let metadata =
        json!({"name": name, "namespace": "default", "uid": format!("uid-{name}"), "resourceVersion": "7"});
    serde_json::from_value(json!({"metadata": metadata})).unwrap()
}

async fn settle() {
    tokio::time::sleep(Duration::from_millis(2)).await;
}
