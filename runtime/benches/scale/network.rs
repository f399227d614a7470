//! Over HTTP: from nothing to a full store, a list that is made anew, and changes to a full store.
//!
//! In: a feed. Out: figures. Never: what the feed needs; that is another process.

use std::{pin::pin, time::Duration};

use futures::TryStreamExt;
use k8s_openapi::api::core::v1::Pod;
use kube::{
    Api, Client, Resource,
    core::{NamespaceResourceScope, PartialObjectMeta},
};
use kube_codegen_runtime::{
    client::ResourceClient,
    informer::{ListStrategy, SharedInformer, SharedInformerBuilder},
    object::Object,
    store::Storage,
};
use kube_runtime::{
    WatchStreamExt, reflector,
    watcher::{self, Config, Event},
};
use tokio_util::sync::CancellationToken;

use crate::{
    bounds::{
        list_bytes_alone, list_bytes_kept, list_decode_alone, sync_figures, update_bytes_alone,
        update_decode_alone, update_figures,
    },
    harness::{Case, Given, Goal, Role},
    measure::{Clock, Figures, resident, run},
};

const PAGED: &str = "first sync, pages of 500";
const STREAMED: &str = "first sync, streaming list";
const METADATA: &str = "first sync of metadata alone, pages of 500";
const UPDATES: &str = "updates, two for each object";

const BYTES: &str = "bytes alone";
const KEPT: &str = "bytes kept";
const DECODE: &str = "decode alone";
const LEAN: &str = "decoded, no managed fields";
const COMPACT: &str = "compact";
const COMPACT_LEAN: &str = "compact, no managed fields";

/// For 100,000 objects.
const DECODED_SYNC: &[Goal] = &[Goal { figure: "s", at_most: 3.0 }];
const PACKED_SYNC: &[Goal] = &[
    Goal { figure: "s", at_most: 1.0 },
    Goal { figure: "us CPU/object", at_most: 10.0 },
    Goal { figure: "resident bytes/object", at_most: 5_000.0 },
];
const COMPACT_SYNC: &[Goal] =
    &[Goal { figure: "s", at_most: 3.0 }, Goal { figure: "resident bytes/object", at_most: 20_000.0 }];

pub(crate) fn cases() -> Vec<Case> {
    let case = Case::new;
    let bound = |table, name, run| case(table, name, Role::Bound, run);
    let peer = |table, run| case(table, "kube-runtime 5", Role::Peer, run);
    vec![
        bound(PAGED, BYTES, list_bytes_alone),
        bound(PAGED, KEPT, list_bytes_kept),
        bound(PAGED, DECODE, list_decode_alone),
        peer(PAGED, |given| run(kube_sync::<Pod>(given, Config::default()))),
        case(PAGED, "decoded", Role::Ours(DECODE), |given| sync(given, ListStrategy::Paged, decoded))
            .goals(DECODED_SYNC),
        case(PAGED, LEAN, Role::Ours(DECODE), |given| sync(given, ListStrategy::Paged, lean)),
        case(PAGED, "packed", Role::Ours(KEPT), |given| sync(given, ListStrategy::Paged, packed))
            .goals(PACKED_SYNC),
        case(PAGED, COMPACT, Role::Ours(DECODE), |given| sync(given, ListStrategy::Paged, compact)),
        case(PAGED, COMPACT_LEAN, Role::Ours(DECODE), |given| sync(given, ListStrategy::Paged, compact_lean))
            .goals(COMPACT_SYNC),
        peer(METADATA, |given| run(kube_sync::<Metadata>(given, Config::default()))),
        case(METADATA, "decoded", Role::Ours(""), |given| sync(given, ListStrategy::Paged, metadata)),
        case(METADATA, "packed", Role::Ours(""), |given| {
            sync(given, ListStrategy::Paged, |builder| metadata(builder).storage(Storage::Packed))
        }),
        bound(STREAMED, KEPT, list_bytes_kept),
        bound(STREAMED, DECODE, list_decode_alone),
        peer(STREAMED, |given| run(kube_sync::<Pod>(given, Config::default().streaming_lists()))),
        case(STREAMED, "decoded", Role::Ours(DECODE), |given| sync(given, ListStrategy::Streaming, decoded))
            .goals(DECODED_SYNC),
        case(STREAMED, LEAN, Role::Ours(DECODE), |given| sync(given, ListStrategy::Streaming, lean)),
        case(STREAMED, "packed", Role::Ours(KEPT), |given| sync(given, ListStrategy::Streaming, packed))
            .goals(PACKED_SYNC),
        bound(UPDATES, BYTES, update_bytes_alone),
        bound(UPDATES, DECODE, update_decode_alone),
        peer(UPDATES, |given| run(kube_updates(given))),
        // 16,000 a second.
        case(UPDATES, "decoded", Role::Ours(DECODE), |given| run(updates(given, decoded)))
            .goals(&[Goal { figure: "us/update", at_most: 62.5 }]),
        case(UPDATES, LEAN, Role::Ours(DECODE), |given| run(updates(given, lean))),
        case(UPDATES, COMPACT, Role::Ours(DECODE), |given| run(updates(given, compact))),
        // 60,000 a second.
        case(UPDATES, "packed", Role::Ours(BYTES), |given| run(updates(given, packed)))
            .goals(&[Goal { figure: "us/update", at_most: 16.7 }]),
    ]
}

type Builder = SharedInformerBuilder<Pod>;
/// How an informer is to keep what it is sent.
type How<K> = fn(SharedInformerBuilder<K>) -> SharedInformerBuilder<K>;
type Metadata = PartialObjectMeta<Pod>;

fn decoded(builder: Builder) -> Builder {
    builder
}

fn lean(builder: Builder) -> Builder {
    builder.drop_managed_fields()
}

fn compact(builder: Builder) -> Builder {
    builder.storage(Storage::Compact)
}

fn compact_lean(builder: Builder) -> Builder {
    builder.drop_managed_fields().storage(Storage::Compact)
}

fn packed(builder: Builder) -> Builder {
    builder.storage(Storage::Packed)
}

fn metadata(builder: SharedInformerBuilder<Metadata>) -> SharedInformerBuilder<Metadata> {
    builder
}

/// A client that has its connection.
pub(crate) async fn client(given: Given) -> Client {
    let config = kube::Config::new(format!("http://{}", given.feed()).parse().unwrap());
    let client = Client::try_from(config).unwrap();
    release(&client, 0).await;
    client
}

/// Lets watches see so many updates.
pub(crate) async fn release(client: &Client, updates: usize) {
    let request = http::Request::get(format!("/release?updates={updates}"));
    client.request_text(request.body(Vec::new()).unwrap()).await.unwrap();
}

fn informer<K>(client: &Client, strategy: ListStrategy, how: How<K>) -> SharedInformer<K>
where
    K: Object + Resource<Scope = NamespaceResourceScope>,
{
    let pods = ResourceClient::<K>::namespaced(client.clone(), "");
    how(SharedInformer::builder(pods).list_strategy(strategy)).build()
}

fn sync<K>(given: Given, strategy: ListStrategy, how: How<K>) -> Figures
where
    K: Object + Resource<Scope = NamespaceResourceScope>,
{
    run(async move {
        let client = client(given).await;
        let (before, clock) = (resident(), Clock::start());
        let informer = informer(&client, strategy, how);
        informer.start(&CancellationToken::new());
        informer.wait_for_sync().await.unwrap();
        let figures = sync_figures(given.objects, &clock, before);
        assert_eq!(informer.store().len(), given.objects);
        figures
    })
}

async fn kube_sync<K: Object>(given: Given, config: Config) -> Figures {
    let pods = Api::<K>::all(client(given).await);
    let (before, clock) = (resident(), Clock::start());
    let (store, writer) = reflector::store();
    let mut events = pin!(watcher::watcher(pods, config).reflect(writer));
    while !matches!(events.try_next().await.unwrap().unwrap(), Event::InitDone) {}
    let figures = sync_figures(given.objects, &clock, before);
    assert_eq!(store.len(), given.objects);
    figures
}

async fn updates(given: Given, how: How<Pod>) -> Figures {
    let client = client(given).await;
    let informer = informer(&client, ListStrategy::Streaming, how);
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    let clock = Clock::start();
    release(&client, given.updates).await;
    let last = (given.objects + given.updates) as u64;
    while informer.store().resource_version().and_then(|version| version.number()) != Some(last) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    update_figures(given.updates, &clock)
}

async fn kube_updates(given: Given) -> Figures {
    let client = client(given).await;
    let (_store, writer) = reflector::store();
    let events = watcher::watcher(Api::<Pod>::all(client.clone()), Config::default().streaming_lists());
    let mut events = pin!(events.reflect(writer));
    while !matches!(events.try_next().await.unwrap().unwrap(), Event::InitDone) {}
    // It takes the same for each, and long.
    let updates = given.updates / 4;
    let clock = Clock::start();
    release(&client, updates).await;
    for _ in 0..updates {
        assert!(matches!(events.try_next().await.unwrap().unwrap(), Event::Apply(_)));
    }
    let mut figures = update_figures(updates, &clock);
    // The total is not to be compared.
    figures.pop();
    figures
}
