//! What can go wrong between a client and its server.

use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api, ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams},
};
use kube_codegen_apiserver::{
    ApiServer, Status,
    testing::{Fake, Faults, Verb},
};
use tokio::time::{Instant, timeout};

use super::{code, create, data, fake, map, maps, pods};

async fn version(maps: &Api<ConfigMap>) -> String {
    maps.list(&ListParams::default()).await.unwrap().metadata.resource_version.unwrap()
}

/// Everything a watch says until it ends, in short.
async fn told(watch: impl futures::Stream<Item = kube::Result<WatchEvent<ConfigMap>>>) -> Vec<String> {
    let short = |event: kube::Result<WatchEvent<ConfigMap>>| match event {
        Ok(WatchEvent::Added(map)) => format!("added {}", map.name_any()),
        Ok(WatchEvent::Modified(map)) => format!("modified {}", map.name_any()),
        Ok(WatchEvent::Deleted(map)) => format!("deleted {}", map.name_any()),
        Ok(WatchEvent::Bookmark(_)) => "bookmark".to_owned(),
        Ok(WatchEvent::Error(status)) => format!("error {}", status.code),
        Err(_) => "broken".to_owned(),
    };
    watch.map(short).collect().await
}

#[tokio::test]
async fn the_next_requests_fail_and_then_no_more() {
    let fake = fake();
    fake.faults().on(Verb::List, "configmaps").times(2).error(Status::service_unavailable("come back"));
    for expected in [true, true, false] {
        assert_eq!(maps(&fake).list(&ListParams::default()).await.is_err(), expected);
        assert!(pods(&fake).list(&ListParams::default()).await.is_ok());
    }
    assert_eq!(fake.faults().rules(), 0);
    assert_eq!(fake.actions().len(), 6, "a failed request was sent all the same");
}

#[tokio::test]
async fn rules_hold_until_they_are_cleared() {
    let fake = fake();
    fake.faults().on(Verb::Any, "*").disconnect();
    for _ in 0..3 {
        let error = maps(&fake).get("a").await.unwrap_err();
        assert!(!matches!(error, kube::Error::Api(_)), "{error:?}");
    }
    fake.faults().clear();
    assert_eq!(code(maps(&fake).get("a").await), 404);
}

#[tokio::test(start_paused = true)]
async fn delays_add_up_and_a_hanging_request_hangs() {
    let fake = fake();
    fake.faults().on(Verb::Any, "*").delay(Duration::from_millis(300));
    fake.faults().on(Verb::Get, "configmaps").times(1).delay(Duration::from_secs(2));
    let start = Instant::now();
    assert_eq!(code(maps(&fake).get("a").await), 404);
    assert_eq!(start.elapsed().as_millis(), 2_300);
    assert_eq!(code(maps(&fake).get("a").await), 404);
    assert_eq!(start.elapsed().as_millis(), 2_600);
    fake.faults().on(Verb::Get, "configmaps").hang();
    timeout(Duration::from_secs(3_600), maps(&fake).get("a")).await.unwrap_err();
}

#[tokio::test]
async fn a_gate_holds_requests_until_it_is_opened() {
    let fake = fake();
    let gate = fake.faults().on(Verb::Get, "configmaps").hold();
    let read = |name: &'static str| {
        let maps = maps(&fake);
        tokio::spawn(async move { maps.get_opt(name).await.unwrap().is_some() })
    };
    let (first, second, given_up) = (read("a"), read("a"), read("a"));
    gate.held(3).await;
    given_up.abort();
    assert!(given_up.await.is_err());
    create(&maps(&fake), &map("a")).await;
    assert!(!first.is_finished());
    gate.open();
    assert!(first.await.unwrap() && second.await.unwrap());
    assert!(read("a").await.unwrap(), "an open gate holds back");
    // Nobody hangs because a test forgot its gate.
    let forgotten = fake.faults().on(Verb::Get, "configmaps").hold();
    let last = read("a");
    forgotten.held(1).await;
    drop(forgotten);
    assert!(last.await.unwrap());
}

#[tokio::test]
async fn a_lost_answer_has_had_its_effect() {
    let fake = fake();
    fake.faults().on(Verb::Create, "configmaps").times(1).lose_answer();
    maps(&fake).create(&PostParams::default(), &map("a")).await.unwrap_err();
    assert_eq!(code(maps(&fake).create(&PostParams::default(), &map("a")).await), 409);
}

#[tokio::test]
async fn open_watches_are_cut_now() {
    let fake = fake();
    let version = version(&maps(&fake)).await;
    let watch = maps(&fake).watch(&WatchParams::default(), &version).await.unwrap();
    let pods_watch = pods(&fake).watch(&WatchParams::default(), &version).await.unwrap();
    create(&maps(&fake), &map("a")).await;
    let mut watch = Box::pin(watch);
    watch.try_next().await.unwrap().unwrap();
    assert_eq!(fake.faults().open_watches(), 2);
    let waiting = tokio::spawn(told(watch));
    tokio::task::yield_now().await;
    assert_eq!(fake.faults().cut_watches("configmaps"), 1);
    assert_eq!(waiting.await.unwrap(), [""; 0]);
    assert_eq!(fake.faults().cut_watches("configmaps"), 0);
    assert_eq!(fake.faults().open_watches(), 1);
    drop(pods_watch);
    assert_eq!(fake.faults().open_watches(), 0);
}

#[tokio::test]
async fn watches_end_in_three_ways_after_so_many_events() {
    let fake = fake();
    for name in ["a", "b", "c"] {
        fake.add(map(name)).unwrap();
    }
    let watch = async || told(maps(&fake).watch(&WatchParams::default(), "0").await.unwrap()).await;
    let on = || fake.faults().on(Verb::Watch, "configmaps").times(1);
    on().cut_after(2);
    assert_eq!(watch().await, ["added a", "added b"]);
    on().reset_after(1);
    assert_eq!(watch().await, ["added a", "broken"]);
    on().expire_after(3);
    assert_eq!(watch().await, ["added a", "added b", "added c", "error 410"]);
    on().cut_after(0);
    assert_eq!(watch().await, [""; 0]);
    on().error(Status::expired("too old"));
    assert_eq!(code(maps(&fake).watch(&WatchParams::default(), "0").await.map(|_| ())), 410);
    assert_eq!(fake.faults().rules(), 0);
}

#[tokio::test]
async fn open_watches_expire_or_break_now() {
    let fake = fake();
    let version = version(&maps(&fake)).await;
    let open = async || maps(&fake).watch(&WatchParams::default(), &version).await.unwrap();
    let watch = open().await;
    assert_eq!(fake.faults().expire_watches("*"), 1);
    assert_eq!(told(watch).await, ["error 410"]);
    let watch = open().await;
    assert_eq!(fake.faults().reset_watches("*"), 1);
    assert_eq!(told(watch).await, ["broken"]);
}

#[tokio::test]
async fn after_the_history_is_dropped_old_versions_have_expired() {
    let fake = fake();
    let old = version(&maps(&fake)).await;
    create(&maps(&fake), &map("a")).await;
    let watch = maps(&fake).watch(&WatchParams::default(), &old).await.unwrap();
    fake.drop_history();
    assert_eq!(told(watch).await, [""; 0]);
    // Depending on the moment a server says so in its answer or in the stream; both are 410.
    match maps(&fake).watch(&WatchParams::default(), &old).await {
        Ok(watch) => assert_eq!(told(watch).await, ["error 410"]),
        refused => assert_eq!(code(refused.map(|_| ())), 410),
    }
    let now = version(&maps(&fake)).await;
    let mut watch = Box::pin(maps(&fake).watch(&WatchParams::default(), &now).await.unwrap());
    maps(&fake).delete("a", &DeleteParams::default()).await.unwrap();
    assert!(matches!(watch.try_next().await.unwrap(), Some(WatchEvent::Deleted(_))));
}

#[tokio::test]
async fn reads_can_be_answered_from_the_past() {
    let fake = fake();
    create(&maps(&fake), &map("old")).await;
    let patched =
        maps(&fake).patch("old", &PatchParams::default(), &Patch::Merge(data("k", "1"))).await.unwrap();
    let past = fake.server().resource_version();
    maps(&fake).patch("old", &PatchParams::default(), &Patch::Merge(data("k", "2"))).await.unwrap();
    create(&maps(&fake), &map("new")).await;
    fake.faults().on(Verb::Get, "configmaps").read_at(past);
    fake.faults().on(Verb::List, "configmaps").read_at(past);
    let read = maps(&fake).get("old").await.unwrap();
    assert_eq!(read, patched);
    assert_eq!(code(maps(&fake).get("new").await), 404);
    let everywhere: Api<ConfigMap> = Api::all(fake.client());
    for list in
        [maps(&fake).list(&ListParams::default()), everywhere.list(&ListParams::default().labels("a!=b"))]
    {
        let list = list.await.unwrap();
        assert_eq!(list.items.iter().map(ResourceExt::name_any).collect::<Vec<_>>(), ["old"]);
        assert_eq!(list.metadata.resource_version, Some(past.to_string()));
    }
    // What was read from the past cannot overwrite the present.
    assert_eq!(code(maps(&fake).replace("old", &PostParams::default(), &read).await), 409);
    fake.faults().clear();
    assert_eq!(maps(&fake).list(&ListParams::default()).await.unwrap().items.len(), 2);
}

#[tokio::test]
async fn any_client_can_be_disturbed() {
    let server = ApiServer::default();
    let faults = Faults::new();
    let client = faults.wrap(server.client());
    let maps: Api<ConfigMap> = Api::default_namespaced(client);
    faults.on(Verb::Create, "configmaps").times(1).error(Status::too_many_requests(1));
    assert_eq!(code(maps.create(&PostParams::default(), &map("a")).await), 429);
    create(&maps, &map("a")).await;
    let watch = maps.watch(&WatchParams::default(), "0").await.unwrap();
    assert_eq!(faults.cut_watches("configmaps"), 1);
    assert_eq!(told(watch).await, [""; 0]);
    let Err(kube::Error::Api(status)) = maps.get("b").await else { panic!("it did not fail") };
    assert_eq!(status.code, 404);
}

#[tokio::test]
async fn handles_are_the_same_fake() {
    let fake = fake();
    let other: Fake = fake.clone();
    other.faults().on(Verb::Get, "*").times(1).error(Status::unauthorized());
    assert_eq!(code(maps(&fake).get("a").await), 401);
    assert_eq!(other.actions(), ["get configmaps default/a"]);
    assert_eq!(format!("{:?}", other.faults()), "Faults { rules: 0, open_watches: 0 }");
}
