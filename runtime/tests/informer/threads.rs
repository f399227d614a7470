//! On a runtime of several threads, where objects are decoded by others than the reflector: the order stays.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    informer::{Delivery, ListStrategy, SharedInformer},
    store::Storage,
};
use tokio_util::sync::CancellationToken;

use super::{
    known::{Pace, Shared, listen},
    network::{Kind, Network},
    support::{Hand, builder, stored},
};

const OBJECTS: usize = 400;

/// Long enough that a hundred of them are worth the work of another thread.
fn long(text: &str) -> String {
    text.repeat(2_000)
}

async fn until(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < Duration::from_secs(60), "not in time: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn agree(informer: &SharedInformer<ConfigMap>, known: &[Shared], hand: &Hand) {
    let state = hand.state().await;
    until("the store", || stored(informer) == state).await;
    for known in known {
        until("a handler", || known.lock().state() == state).await;
        assert_eq!(known.lock().wrong, [""; 0]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_decoded_by_many_threads_are_stored_in_order() {
    for strategy in [ListStrategy::Streaming, ListStrategy::Paged] {
        for storage in [Storage::Decoded, Storage::Compact, Storage::Packed] {
            let network = Network::new(ApiServer::default());
            let hand = Hand::new(&network.server);
            for number in 0..OBJECTS {
                hand.create(&format!("object-{number}"), &long("a")).await;
            }
            let panics = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&panics);
            let informer = builder(&network)
                .list_strategy(strategy)
                .storage(storage)
                .page_size(30)
                .transform(move |object: ConfigMap| {
                    if object.metadata.name.as_deref() == Some("bad") {
                        counted.fetch_add(1, Ordering::Relaxed);
                        panic!("as told");
                    }
                    object
                })
                .on_error(|_| ())
                .build();
            let paces =
                [Delivery::Coalesce, Delivery::EveryEvent].map(|delivery| Pace { millis: 0, delivery });
            let known = paces.map(|pace| listen(&informer, pace));
            informer.start(&CancellationToken::new());
            informer.wait_for_sync().await.unwrap();
            agree(&informer, &known, &hand).await;

            // The watch falls behind, and then has much to read at once.
            network.cut();
            for round in 0..3 {
                for number in 0..OBJECTS / 4 {
                    hand.update(&format!("object-{number}"), &long(["b", "c", "d"][round])).await;
                }
            }
            hand.delete("object-7").await;
            hand.create("object-7", &long("e")).await;
            hand.delete("object-8").await;
            agree(&informer, &known, &hand).await;
            hand.create("bad", "x").await;
            until("the bad object", || informer.stats().bad_objects > 0).await;
            assert!(panics.load(Ordering::Relaxed) > 0 && network.count(Kind::Watch) > 0);
            informer.stop();
            informer.stopped().await;
        }
    }
}
