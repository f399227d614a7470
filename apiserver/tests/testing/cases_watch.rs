//! What other fakes got wrong with watches and deletions, by number.

use std::time::{Duration, Instant};

use futures::{Stream, StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api, ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams, WatchEvent, WatchParams},
};
use kube_codegen_apiserver::testing::{Fake, Verb};
use serde_json::json;

use super::{create, data, fake, map, maps, ways::Way};

type Events = std::pin::Pin<Box<dyn Stream<Item = kube::Result<WatchEvent<ConfigMap>>> + Send>>;

/// A watch of everything that happens from now on.
async fn watch(maps: &Api<ConfigMap>) -> Events {
    let version = maps.list(&ListParams::default()).await.unwrap().metadata.resource_version.unwrap();
    maps.watch(&WatchParams::default(), &version).await.unwrap().boxed()
}

async fn next(events: &mut Events) -> (&'static str, ConfigMap) {
    match events.try_next().await.unwrap().expect("the watch has ended") {
        WatchEvent::Added(map) => ("added", map),
        WatchEvent::Modified(map) => ("modified", map),
        WatchEvent::Deleted(map) => ("deleted", map),
        other => panic!("not expected: {other:?}"),
    }
}

async fn patch(maps: &Api<ConfigMap>, name: &str, value: serde_json::Value) {
    maps.patch(name, &PatchParams::default(), &Patch::Merge(value)).await.unwrap();
}

fn labelled(name: &str, namespace: &str, label: &str) -> ConfigMap {
    let mut map = map(name);
    map.metadata.namespace = Some(namespace.into());
    map.labels_mut().insert("app".into(), label.into());
    map
}

async fn c027_what_happens_between_list_and_watch_is_replayed(way: Way) {
    let fake = way.to(Fake::new([], [map("old").into()])).await;
    let gate = fake.faults().on(Verb::Watch, "configmaps").hold();
    let follower = tokio::spawn({
        let maps = maps(&fake);
        async move {
            let list = maps.list(&ListParams::default()).await.unwrap();
            let mut known: Vec<String> = list.iter().map(ResourceExt::name_any).collect();
            let version = list.metadata.resource_version.unwrap();
            let mut events = maps.watch(&WatchParams::default(), &version).await.unwrap().boxed();
            for _ in 0..3 {
                let (what, map) = next(&mut events).await;
                known.push(format!("{what} {}", map.name_any()));
            }
            known
        }
    });
    gate.held(1).await;
    create(&maps(&fake), &map("new")).await;
    patch(&maps(&fake), "new", data("k", "v")).await;
    maps(&fake).delete("old", &DeleteParams::default()).await.unwrap();
    gate.open();
    assert_eq!(follower.await.unwrap(), ["old", "added new", "modified new", "deleted old"]);
}

async fn c036_delete_collection_deletes_what_matches_and_nothing_else(way: Way) {
    let seeds = [("a", "default", "x"), ("b", "default", "x"), ("c", "default", "y"), ("d", "other", "x")];
    let fake = way
        .to(Fake::new([], seeds.map(|(name, namespace, label)| labelled(name, namespace, label).into())))
        .await;
    let everywhere: Api<ConfigMap> = Api::all(fake.client());
    let mut events = watch(&everywhere).await;
    let selected = ListParams::default().labels("app=x");
    maps(&fake).delete_collection(&DeleteParams::default(), &selected).await.unwrap();
    let left = everywhere.list(&ListParams::default()).await.unwrap();
    assert_eq!(left.iter().map(ResourceExt::name_any).collect::<Vec<_>>(), ["c", "d"]);
    create(&maps(&fake), &map("end")).await;
    let mut told = Vec::new();
    for _ in 0..3 {
        let (what, map) = next(&mut events).await;
        told.push(format!("{what} {}", map.name_any()));
    }
    assert_eq!(told, ["deleted a", "deleted b", "added end"]);
}

async fn c036_delete_collection_respects_finalizers(way: Way) {
    let mut held = labelled("held", "default", "x");
    held.metadata.finalizers = Some(vec!["example.com/hold".into()]);
    let fake = way.to(Fake::new([], [held.into(), labelled("free", "default", "x").into()])).await;
    maps(&fake)
        .delete_collection(&DeleteParams::default(), &ListParams::default().labels("app=x"))
        .await
        .unwrap();
    let left = maps(&fake).list(&ListParams::default()).await.unwrap().items;
    assert_eq!(left.len(), 1);
    assert!(left[0].metadata.deletion_timestamp.is_some());
}

async fn c037_a_watch_that_nobody_reads_harms_no_writer(way: Way) {
    let fake = way.to(fake()).await;
    let maps = maps(&fake);
    create(&maps, &map("a")).await;
    let mut events = watch(&maps).await;
    let start = Instant::now();
    // More than a connection's buffers hold.
    let rounds = if way == Way::InProcess { 50_000 } else { 10_000 };
    for round in 0..rounds {
        patch(&maps, "a", data("round", &round.to_string())).await;
    }
    assert!(start.elapsed() < Duration::from_secs(300), "{:?}", start.elapsed());
    // Either all of it comes, or the watch says that it has fallen behind; never a part and silence.
    let mut seen = 0;
    while let Some(event) = events.try_next().await.unwrap() {
        match event {
            WatchEvent::Modified(_) => seen += 1,
            WatchEvent::Error(status) => {
                assert_eq!(status.code, 410);
                return;
            }
            other => panic!("not expected: {other:?}"),
        }
        if seen == rounds {
            return;
        }
    }
    panic!("the watch ended after {seen} events and said nothing");
}

async fn c037_watches_that_are_dropped_while_others_write_harm_nobody(way: Way) {
    let fake = way.to(fake()).await;
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let maps = maps(&fake);
            tokio::spawn(async move {
                let name = format!("map-{writer}");
                create(&maps, &map(&name)).await;
                for round in 0..200 {
                    patch(&maps, &name, data("round", &round.to_string())).await;
                }
            })
        })
        .collect();
    let watchers: Vec<_> = (0..4)
        .map(|_| {
            let maps = maps(&fake);
            tokio::spawn(async move {
                for events in 0..40 {
                    let watch = maps.watch(&WatchParams::default(), "0").await.unwrap();
                    let mut watch = Box::pin(watch.take(events % 5));
                    while let Ok(Some(Some(_))) =
                        tokio::time::timeout(Duration::from_millis(20), watch.next()).await.map(Some)
                    {
                    }
                }
            })
        })
        .collect();
    for task in writers.into_iter().chain(watchers) {
        tokio::time::timeout(Duration::from_secs(120), task).await.expect("a deadlock").unwrap();
    }
    assert_eq!(maps(&fake).list(&ListParams::default()).await.unwrap().items.len(), 8);
    assert_eq!(fake.faults().open_watches(), 0);
}

async fn c082_a_deletion_waits_for_the_last_finalizer(way: Way) {
    let fake = way.to(fake()).await;
    let maps = maps(&fake);
    let mut object = map("a");
    object.metadata.finalizers = Some(vec!["example.com/one".into(), "example.com/two".into()]);
    let created = create(&maps, &object).await;
    let mut events = watch(&maps).await;
    let delete = async || maps.delete("a", &DeleteParams::default()).await.unwrap();
    assert!(delete().await.is_left(), "it is gone at once");
    let deleting = maps.get("a").await.unwrap();
    assert!(deleting.metadata.deletion_timestamp.is_some());
    assert_ne!(deleting.resource_version(), created.resource_version());
    patch(&maps, "a", json!({"metadata": {"finalizers": ["example.com/two"]}})).await;
    let before = maps.get("a").await.unwrap();
    delete().await;
    assert_eq!(maps.get("a").await.unwrap(), before, "a second delete changed something");
    patch(&maps, "a", json!({"metadata": {"finalizers": null}})).await;
    assert!(maps.get_opt("a").await.unwrap().is_none());
    let mut told = Vec::new();
    for _ in 0..3 {
        told.push(next(&mut events).await.0);
    }
    assert_eq!(told, ["modified", "modified", "deleted"]);
}

on_both_ways!(
    c027_what_happens_between_list_and_watch_is_replayed,
    c036_delete_collection_deletes_what_matches_and_nothing_else,
    c036_delete_collection_respects_finalizers,
    c037_a_watch_that_nobody_reads_harms_no_writer,
    c037_watches_that_are_dropped_while_others_write_harm_nobody,
    c082_a_deletion_waits_for_the_last_finalizer,
);
