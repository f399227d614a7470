//! What the informer does when the network or the server fails.

use std::time::Duration;

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::{Api, api::PostParams};
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::informer::{InformerError, ListStrategy, SharedInformer};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{
    network::{Fate, Kind, Network, Seen},
    support::{Diary, Hand, builder, settle, stored},
};

const STRATEGIES: [ListStrategy; 2] = [ListStrategy::Streaming, ListStrategy::Paged];

struct Running {
    network: Network,
    hand: Hand,
    informer: SharedInformer<ConfigMap>,
    diary: Diary,
}

/// An informer in sync with a server that holds `one`.
async fn running(strategy: ListStrategy) -> Running {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    hand.create("one", "1").await;
    let informer = builder(&network).list_strategy(strategy).build();
    let diary = Diary::default();
    let registration = informer.add_event_handler(diary.writer());
    tokio::spawn(informer.clone().run(CancellationToken::new()));
    registration.wait_for_sync().await.unwrap();
    // A watch that ends sooner would be a failure.
    sleep(Duration::from_secs(2)).await;
    diary.take();
    Running { network, hand, informer, diary }
}

fn gaps(seen: &[Seen]) -> Vec<f64> {
    seen.windows(2).map(|pair| (pair[1].at - pair[0].at).as_secs_f64()).collect()
}

#[tokio::test(start_paused = true)]
async fn c001_a_version_that_is_gone_is_routine() {
    for strategy in STRATEGIES {
        let Running { network, hand, informer, diary } = running(strategy).await;
        let secrets: Api<Secret> = Api::namespaced(network.server.client(), "default");
        for _ in 0..20 {
            let mut secret = Secret::default();
            secret.metadata.generate_name = Some("other-".into());
            secrets.create(&PostParams::default(), &secret).await.unwrap();
        }
        network.server.compact();
        network.cut();
        sleep(Duration::from_secs(5)).await;
        assert_eq!(informer.stats().lists, 2, "one new list: {:?}", network.seen());
        assert_eq!(informer.stats().failures, 0, "nothing to complain about");
        assert_eq!(diary.take(), [""; 0], "nothing has changed");
        assert_eq!(stored(&informer), hand.state().await);
        hand.update("one", "2").await;
        settle().await;
        assert_eq!(diary.take(), ["updated one=1->2"], "the informer goes on");
        assert_eq!(stored(&informer), hand.state().await);
    }
}

#[tokio::test(start_paused = true)]
async fn c004_a_server_that_is_down_is_asked_more_and_more_rarely() {
    for fate in [Fate::Status { code: 500, reason: "InternalError", retry_after: None }, Fate::Refused] {
        let network = Network::new(ApiServer::default());
        let always = fate.clone();
        network.judge(move |_| always.clone());
        let informer = builder(&network).on_error(|_| ()).build();
        informer.start(&CancellationToken::new());
        sleep(Duration::from_secs(600)).await;
        let seen = network.seen();
        assert!((6..100).contains(&seen.len()), "{} requests", seen.len());
        let gaps = gaps(&seen);
        assert!(gaps[0] < 1.7 && gaps[4] > gaps[0] * 4.0, "{gaps:?}");
        assert!(gaps.iter().all(|gap| *gap <= 60.0), "{gaps:?}");
        assert_eq!(informer.stats().failures as usize, seen.len());
        network.heal();
        informer.wait_for_sync().await.unwrap();
        sleep(Duration::from_secs(150)).await;
        network.judge(move |_| fate.clone());
        network.cut();
        let before = network.seen().len();
        sleep(Duration::from_secs(5)).await;
        assert!(network.seen().len() >= before + 3, "after good service the waits are short again");
    }
}

#[tokio::test(start_paused = true)]
async fn c006_an_object_deleted_while_the_connection_was_down_is_deleted_once() {
    for strategy in STRATEGIES {
        for history in ["kept", "dropped"] {
            let Running { network, hand, informer, diary } = running(strategy).await;
            network.judge(|_| Fate::Refused);
            network.cut();
            settle().await;
            hand.delete("one").await;
            hand.create("two", "2").await;
            if history == "dropped" {
                network.server.compact();
            }
            sleep(Duration::from_secs(10)).await;
            network.heal();
            sleep(Duration::from_secs(60)).await;
            let deleted = if history == "kept" { "deleted one" } else { "missed one" };
            assert_eq!(diary.take(), [deleted, "added two=2"], "{strategy:?}, history {history}");
            assert_eq!(stored(&informer), hand.state().await);
            assert_eq!(informer.stats().lists, if history == "kept" { 1 } else { 2 });
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_object_made_anew_in_between_is_another_one() {
    for strategy in STRATEGIES {
        let Running { network, hand, diary, .. } = running(strategy).await;
        network.judge(|_| Fate::Refused);
        network.cut();
        settle().await;
        hand.delete("one").await;
        hand.create("one", "1").await;
        network.server.compact();
        network.heal();
        sleep(Duration::from_secs(10)).await;
        assert_eq!(diary.take(), ["missed one", "added one=1"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_busy_server_is_left_alone_for_as_long_as_it_asks() {
    let Running { network, informer, .. } = running(ListStrategy::Streaming).await;
    let mut refusals = 1;
    network.judge(move |_| {
        refusals -= 1;
        if refusals < 0 {
            return Fate::Pass;
        }
        Fate::Status { code: 429, reason: "TooManyRequests", retry_after: Some(7) }
    });
    network.cut();
    let cut = Instant::now();
    sleep(Duration::from_secs(30)).await;
    let seen = network.seen();
    let watches: Vec<_> = seen.iter().filter(|seen| seen.at >= cut && seen.kind == Kind::Watch).collect();
    assert_eq!(watches.len(), 2, "{seen:?}");
    assert_eq!((watches[1].at - watches[0].at).as_secs(), 7);
    assert_eq!(informer.stats().lists, 1, "no new list");
}

#[tokio::test(start_paused = true)]
async fn internal_errors_are_borne_for_a_while_before_a_new_list() {
    let Running { network, informer, .. } = running(ListStrategy::Paged).await;
    let error = r#"{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"etcd","reason":"InternalError","code":500}}"#;
    network.judge(move |seen| match seen.kind {
        Kind::Watch => Fate::Lines(vec![error.to_owned()]),
        _ => Fate::Pass,
    });
    network.cut();
    sleep(Duration::from_secs(3)).await;
    assert_eq!(informer.stats().lists, 1);
    sleep(Duration::from_secs(90)).await;
    assert!(informer.stats().lists > 1);
    assert!(network.seen().len() < 20);
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_ends_at_once_is_a_failure() {
    let Running { network, .. } = running(ListStrategy::Paged).await;
    network.judge(|_| Fate::Answer(String::new()));
    network.cut();
    sleep(Duration::from_secs(120)).await;
    let watches = network.count(Kind::Watch);
    assert!((5..30).contains(&watches), "{watches}");
    assert_eq!(network.count(Kind::List), 1, "no new list");
}

#[tokio::test(start_paused = true)]
async fn a_dead_connection_is_given_up() {
    let Running { network, hand, informer, .. } = running(ListStrategy::Paged).await;
    let mut first = true;
    // The watch never says anything, not even that it ends.
    network.judge(move |_| if std::mem::take(&mut first) { Fate::Lines(Vec::new()) } else { Fate::Pass });
    network.cut();
    settle().await;
    hand.update("one", "2").await;
    sleep(Duration::from_secs(200)).await;
    assert_eq!(stored(&informer)["one"], "1");
    sleep(Duration::from_secs(450)).await;
    assert_eq!(stored(&informer)["one"], "2");
    assert_eq!(network.count(Kind::List), 1);
}

#[tokio::test(start_paused = true)]
async fn a_watch_is_taken_up_from_the_last_bookmark() {
    let Running { network, .. } = running(ListStrategy::Streaming).await;
    let secrets: Api<Secret> = Api::namespaced(network.server.client(), "default");
    let mut secret = Secret::default();
    secret.metadata.name = Some("other".into());
    secrets.create(&PostParams::default(), &secret).await.unwrap();
    let version = network.server.resource_version();
    sleep(Duration::from_secs(150)).await;
    network.cut();
    sleep(Duration::from_secs(5)).await;
    let last = network.seen().pop().unwrap();
    assert!(last.kind == Kind::Watch && last.asks_for(&format!("resourceVersion={version}")), "{last:?}");
    let timeout = last.query.split('&').find_map(|part| part.strip_prefix("timeoutSeconds=")).unwrap();
    assert!((300..600).contains(&timeout.parse::<u32>().unwrap()));
    assert!(last.asks_for("allowWatchBookmarks=true"));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_cannot_stream_is_listed_in_pages_and_not_asked_again() {
    let refusal = Fate::Status { code: 422, reason: "Invalid", retry_after: None };
    let ignorance = Fate::Lines(vec![
        r#"{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"one"}}}"#
            .into(),
    ]);
    let misunderstanding = Fate::Answer(r#"{"kind":"ConfigMapList","metadata":{},"items":[]}"#.into());
    for fate in [refusal, ignorance, misunderstanding] {
        let network = Network::new(ApiServer::default());
        let hand = Hand::new(&network.server);
        hand.create("one", "1").await;
        network.judge(move |seen| if seen.kind == Kind::Stream { fate.clone() } else { Fate::Pass });
        let informer = builder(&network).build();
        informer.start(&CancellationToken::new());
        informer.wait_for_sync().await.unwrap();
        assert_eq!(stored(&informer), hand.state().await);
        network.server.compact();
        network.cut();
        hand.update("one", "2").await;
        network.server.compact();
        sleep(Duration::from_secs(10)).await;
        assert_eq!(stored(&informer), hand.state().await);
        assert_eq!(informer.stats().lists, 2);
        assert_eq!(network.count(Kind::Stream), 1, "the answer is remembered");
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_that_expires_between_pages_is_asked_for_whole() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    for number in 0..5 {
        hand.create(&format!("object-{number}"), "1").await;
    }
    // A first list of version 0 comes in one piece, so that one is refused as well.
    network.judge(|seen| match seen.query.contains("continue=") || seen.asks_for("resourceVersion=0") {
        true => Fate::Status { code: 410, reason: "Expired", retry_after: None },
        false => Fate::Pass,
    });
    let informer = builder(&network).list_strategy(ListStrategy::Paged).page_size(2).build();
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    assert_eq!(stored(&informer).len(), 5);
    assert_eq!(network.count(Kind::List), 4);
    assert_eq!(informer.stats().failures, 0);
}

#[tokio::test(start_paused = true)]
async fn readers_see_the_old_state_until_a_new_list_is_whole() {
    let network = Network::new(ApiServer::default());
    let hand = Hand::new(&network.server);
    for number in 0..4 {
        hand.create(&format!("object-{number}"), "old").await;
    }
    let informer = builder(&network).list_strategy(ListStrategy::Paged).page_size(1).build();
    informer.start(&CancellationToken::new());
    informer.wait_for_sync().await.unwrap();
    network
        .judge(|seen| if seen.kind == Kind::List { Fate::Late(Duration::from_secs(1)) } else { Fate::Pass });
    network.cut();
    for number in 0..4 {
        hand.update(&format!("object-{number}"), "new").await;
    }
    network.server.compact();
    let mut states = Vec::new();
    for _ in 0..100 {
        sleep(Duration::from_millis(100)).await;
        let values: std::collections::BTreeSet<_> = stored(&informer).into_values().collect();
        assert_eq!(values.len(), 1, "half a list was shown");
        states.extend(values);
    }
    states.dedup();
    assert_eq!(states, ["old", "new"]);
}

#[tokio::test(start_paused = true)]
async fn a_stale_list_is_thrown_away() {
    let Running { network, hand, informer, .. } = running(ListStrategy::Paged).await;
    for _ in 0..5 {
        hand.update("one", "2").await;
    }
    settle().await;
    let known = informer.store().resource_version().unwrap().number().unwrap();
    let stale = r#"{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}"#;
    let mut times = 3;
    network.judge(move |seen| {
        if seen.kind == Kind::List && times > 0 {
            times -= 1;
            return Fate::Answer(stale.to_owned());
        }
        Fate::Pass
    });
    network.server.compact();
    network.cut();
    hand.update("one", "3").await;
    network.server.compact();
    for _ in 0..600 {
        sleep(Duration::from_millis(100)).await;
        assert_eq!(stored(&informer).len(), 1);
        assert!(informer.store().resource_version().unwrap().number().unwrap() >= known);
    }
    assert_eq!(stored(&informer), hand.state().await);
}

#[tokio::test(start_paused = true)]
async fn the_error_handler_hears_of_it() {
    let network = Network::new(ApiServer::default());
    network.judge(|_| Fate::Refused);
    let (sender, errors) = std::sync::mpsc::channel();
    let informer = builder(&network)
        .on_error(move |error| {
            sender.send(matches!(error, InformerError::List(_)) && !error.is_routine()).unwrap();
            panic!("as handlers do");
        })
        .build();
    informer.start(&CancellationToken::new());
    sleep(Duration::from_secs(3)).await;
    assert!(errors.try_iter().filter(|expected| *expected).count() >= 2);
    network.heal();
    informer.wait_for_sync().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_server_on_which_everything_has_expired_is_not_asked_in_a_loop() {
    for kinds in [&[Kind::List, Kind::Stream, Kind::Watch][..], &[Kind::Watch][..]] {
        for strategy in STRATEGIES {
            let network = Network::new(ApiServer::default());
            network.judge(|seen| match kinds.contains(&seen.kind) {
                true => Fate::Status { code: 410, reason: "Expired", retry_after: None },
                false => Fate::Pass,
            });
            let informer = builder(&network).list_strategy(strategy).on_error(|_| ()).build();
            informer.start(&CancellationToken::new());
            sleep(Duration::from_secs(600)).await;
            let requests = network.seen().len();
            assert!(requests < 100, "{requests} requests, {kinds:?}, {strategy:?}");
            network.heal();
            sleep(Duration::from_secs(61)).await;
            assert!(informer.has_synced());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_restored_from_a_backup_is_believed() {
    let network = Network::new(ApiServer::default());
    let list = |version: u64, value: &str| {
        let object = format!(
            r#"{{"metadata":{{"name":"one","namespace":"default","uid":"u","resourceVersion":"{}"}},"data":{{"value":"{value}"}}}}"#,
            version - 1
        );
        format!(r#"{{"metadata":{{"resourceVersion":"{version}"}},"items":[{object}]}}"#)
    };
    let (before, restored) = (list(100, "newer"), list(50, "restored"));
    let mut watched = false;
    network.judge(move |seen| match seen.kind {
        Kind::List if seen.asks_for("resourceVersion=0") => Fate::Answer(before.clone()),
        Kind::List if seen.query.contains("resourceVersion=") => {
            Fate::Status { code: 410, reason: "Expired", retry_after: None }
        }
        Kind::List => Fate::Answer(restored.clone()),
        _ if std::mem::replace(&mut watched, true) => Fate::Silence,
        _ => Fate::Status { code: 410, reason: "Expired", retry_after: None },
    });
    let informer = builder(&network).list_strategy(ListStrategy::Paged).build();
    let diary = Diary::default();
    informer.add_event_handler(diary.writer());
    informer.start(&CancellationToken::new());
    sleep(Duration::from_secs(1)).await;
    assert_eq!(diary.take(), ["initial one=newer", "updated one=newer->restored"]);
    assert_eq!(stored(&informer)["one"], "restored");
    assert_eq!(informer.store().resource_version().unwrap().number(), Some(50));
}
