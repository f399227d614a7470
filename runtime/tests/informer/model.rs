//! Random schedules: writes, cuts, lost history, refusals, slowness and repeated events, and handlers of every speed.
//!
//! However it went: in the end the store and what each handler was told come to what the server has; each handler heard
//! events that fit together, and of each deletion once; versions never went back.

use std::{collections::BTreeMap, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    informer::{Delivery, ListStrategy, SharedInformer},
    store::Storage,
};
use proptest::prelude::*;
use tokio::time::sleep;
use tokio_util::{bytes::Bytes, sync::CancellationToken};

use super::{
    known::{Pace, Shared, listen},
    network::{Fate, Network},
    support::{Hand, builder, stored},
};

#[derive(Clone, Debug)]
enum Step {
    Write {
        name: u8,
        value: u8,
    },
    Delete {
        name: u8,
    },
    Cut,
    Compact,
    /// From now on requests fare like this.
    Weather(Weather),
    Wait(u16),
    AddHandler(Pace),
}

#[derive(Clone, Copy, Debug)]
enum Weather {
    Fine,
    Refused,
    Busy,
    Failing,
    /// Every other request fails.
    Mixed,
    Slow,
    /// Every event comes twice.
    Echo,
    /// Events come in again that came before.
    Replay,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let weather = prop_oneof![
        4 => Just(Weather::Fine),
        1 => Just(Weather::Refused),
        1 => Just(Weather::Busy),
        1 => Just(Weather::Failing),
        1 => Just(Weather::Mixed),
        1 => Just(Weather::Slow),
        1 => Just(Weather::Echo),
        1 => Just(Weather::Replay),
    ];
    let delivery = prop_oneof![Just(Delivery::Coalesce), Just(Delivery::EveryEvent)];
    let pace = (prop_oneof![Just(0), Just(7), Just(300), Just(5000)], delivery);
    let step = prop_oneof![
        12 => (0..6_u8, 0..9_u8).prop_map(|(name, value)| Step::Write { name, value }),
        6 => (0..6_u8).prop_map(|name| Step::Delete { name }),
        2 => Just(Step::Cut),
        1 => Just(Step::Compact),
        3 => weather.prop_map(Step::Weather),
        6 => prop_oneof![0..5_u16, 0..3000_u16, Just(40_000), Just(65_000)].prop_map(Step::Wait),
        1 => pace.prop_map(|(millis, delivery)| Step::AddHandler(Pace { millis, delivery })),
    ];
    prop::collection::vec(step, 1..120)
}

fn set_weather(network: &Network, weather: Weather) {
    network.heal();
    let mut count = 0_u32;
    match weather {
        Weather::Fine => {}
        Weather::Refused => network.judge(|_| Fate::Refused),
        Weather::Busy => {
            network.judge(|_| Fate::Status { code: 429, reason: "TooManyRequests", retry_after: Some(2) });
        }
        Weather::Failing => {
            network.judge(|_| Fate::Status { code: 500, reason: "InternalError", retry_after: None });
        }
        Weather::Mixed => network.judge(move |_| {
            count += 1;
            if count.is_multiple_of(2) { Fate::Pass } else { Fate::Refused }
        }),
        Weather::Slow => network.judge(|_| Fate::Late(Duration::from_millis(700))),
        Weather::Echo => network.mangle(|chunk| vec![chunk.clone(), chunk]),
        Weather::Replay => {
            let mut before: Vec<Bytes> = Vec::new();
            network.mangle(move |chunk| {
                if chunk.is_empty() {
                    before.clear();
                    return Vec::new();
                }
                before.push(chunk);
                let (oldest, newest) = (before[before.len() / 2].clone(), before[before.len() - 1].clone());
                // What ends a list is not repeated: that is a different list.
                if is_bookmark(&newest) || is_bookmark(&oldest) { vec![newest] } else { vec![newest, oldest] }
            });
        }
    }
}

fn is_bookmark(chunk: &Bytes) -> bool {
    std::str::from_utf8(chunk).unwrap_or_default().contains("BOOKMARK")
}

async fn perform(step: Step, network: &Network, hand: &Hand, names: &mut BTreeMap<u8, ()>) {
    match step {
        Step::Write { name, value } => {
            let (object, value) = (format!("object-{name}"), value.to_string());
            match names.insert(name, ()) {
                None => drop(hand.create(&object, &value).await),
                Some(()) => hand.update(&object, &value).await,
            }
        }
        Step::Delete { name } => {
            if names.remove(&name).is_some() {
                hand.delete(&format!("object-{name}")).await;
            }
        }
        Step::Cut => network.cut(),
        Step::Compact => network.server.compact(),
        Step::Weather(weather) => set_weather(network, weather),
        Step::Wait(millis) => sleep(Duration::from_millis(millis.into())).await,
        Step::AddHandler(_) => {}
    }
}

/// Fails as soon as the version of the store goes back.
async fn never_back(informer: SharedInformer<ConfigMap>) {
    let mut last = 0;
    loop {
        let version =
            informer.store().resource_version().and_then(|version| version.number()).unwrap_or_default();
        assert!(version >= last, "from {last} back to {version}");
        last = version;
        sleep(Duration::from_millis(400)).await;
    }
}

async fn live_through(steps: Vec<Step>, strategy: ListStrategy, storage: Storage, seed: u64) {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    let informer = builder(&network)
        .list_strategy(strategy)
        .storage(storage)
        .page_size(2)
        .seed(seed)
        .on_error(|_| ())
        .build();
    let paces = [
        (0, Delivery::Coalesce),
        (50, Delivery::Coalesce),
        (2000, Delivery::Coalesce),
        (10, Delivery::EveryEvent),
    ];
    let mut handlers: Vec<Shared> = paces
        .iter()
        .map(|(millis, delivery)| listen(&informer, Pace { millis: *millis, delivery: *delivery }))
        .collect();
    let stop = CancellationToken::new();
    informer.start(&stop);
    let watching = tokio::spawn(never_back(informer.clone()));
    let mut names = BTreeMap::new();
    for step in steps {
        if let Step::AddHandler(pace) = step {
            handlers.push(listen(&informer, pace));
        }
        perform(step, &network, &hand, &mut names).await;
    }
    network.heal();
    network.cut();
    sleep(Duration::from_secs(1000)).await;
    assert!(!watching.is_finished(), "{:?}", watching.await);
    watching.abort();
    let state = hand.state().await;
    assert_eq!(stored(&informer), state);
    for handler in &handlers {
        let known = handler.lock();
        assert_eq!(known.wrong, [""; 0]);
        assert_eq!(known.state(), state, "after {} events", known.told);
    }
    stop.cancel();
    informer.stopped().await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_all_end_equal_to_the_server(
        steps in steps(),
        streaming in any::<bool>(),
        packed in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let strategy = if streaming { ListStrategy::Streaming } else { ListStrategy::Paged };
        let storage = if packed { Storage::Packed } else { Storage::Decoded };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(live_through(steps, strategy, storage, seed));
    }
}
