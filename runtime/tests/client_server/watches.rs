//! Watches that live.

use std::time::Duration;

use futures::StreamExt;
use kube_codegen_runtime::client::{Error, Result, Watch, WatchEvent, WatchParams};
use tokio::time::timeout;

use crate::types::{At, ats, server};

async fn next(watch: &mut Watch<At>) -> Option<Result<WatchEvent<At>>> {
    timeout(Duration::from_secs(5), watch.next()).await.unwrap()
}

async fn shown(watch: &mut Watch<At>) -> String {
    match next(watch).await {
        Some(Ok(WatchEvent::Added(at))) => format!("+{}", at.name()),
        Some(Ok(WatchEvent::Modified(at))) => format!("~{}:{}", at.name(), at.spec.schedule),
        Some(Ok(WatchEvent::Deleted(at))) => format!("-{}:{}", at.name(), at.spec.schedule),
        Some(Ok(WatchEvent::Bookmark(_))) => "@".to_owned(),
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn changes_arrive_as_they_happen() {
    let ats = ats(&server());
    let version = ats.list().await.unwrap().metadata.resource_version.unwrap();
    let mut watch = ats.watch_with(&WatchParams::default(), &version).await.unwrap();

    let mut at = ats.create(&At::new("a", "noon")).await.unwrap();
    assert_eq!(shown(&mut watch).await, "+a");
    at.spec.schedule = "dawn".into();
    ats.update(&at).await.unwrap();
    assert_eq!(shown(&mut watch).await, "~a:dawn");
    ats.delete("a").await.unwrap();
    assert_eq!(shown(&mut watch).await, "-a:dawn");
}

#[tokio::test]
async fn a_plain_watch_begins_with_what_is_there() {
    let ats = ats(&server());
    ats.create(&At::new("a", "noon")).await.unwrap();
    ats.create(&At::new("b", "noon")).await.unwrap();
    let mut watch = ats.watch().await.unwrap();
    assert_eq!([shown(&mut watch).await, shown(&mut watch).await], ["+a", "+b"]);
}

#[tokio::test]
async fn initial_events_end_with_a_bookmark() {
    let ats = ats(&server());
    ats.create(&At::new("a", "noon")).await.unwrap();
    let mut watch = ats.watch_with(&WatchParams::streaming_lists(), "").await.unwrap();
    assert_eq!(shown(&mut watch).await, "+a");
    let Some(Ok(WatchEvent::Bookmark(bookmark))) = next(&mut watch).await else { panic!("no bookmark") };
    assert_eq!(bookmark.metadata.annotations["k8s.io/initial-events-end"], "true");
}

#[tokio::test]
async fn labels_narrow_a_watch() {
    let ats = ats(&server());
    let params = WatchParams::default().labels("tier=batch").disable_bookmarks();
    let mut watch = ats.watch_with(&params, "0").await.unwrap();
    ats.create(&At::new("a", "noon").labelled("tier", "web")).await.unwrap();
    ats.create(&At::new("b", "noon").labelled("tier", "batch")).await.unwrap();
    assert_eq!(shown(&mut watch).await, "+b");
}

#[tokio::test]
async fn a_forgotten_version_is_expired() {
    let server = server();
    let ats = ats(&server);
    let at = ats.create(&At::new("a", "noon")).await.unwrap();
    ats.create(&At::new("b", "noon")).await.unwrap();
    server.compact();
    let error = match ats.watch_with(&WatchParams::default(), at.version()).await {
        Ok(mut watch) => {
            let error = next(&mut watch).await.unwrap().unwrap_err();
            assert!(next(&mut watch).await.is_none(), "an error is the last item");
            error
        }
        Err(error) => error,
    };
    assert!(matches!(error, Error::Expired(_)), "{error:?}");
}

#[tokio::test]
async fn a_watch_ends_when_its_time_is_over() {
    let ats = ats(&server());
    let params = WatchParams::default().timeout(1).disable_bookmarks();
    let mut watch = ats.watch_with(&params, "0").await.unwrap();
    assert!(next(&mut watch).await.is_none());
}

#[tokio::test]
async fn lines_are_events_as_sent() {
    let ats = ats(&server());
    ats.create(&At::new("a", "noon")).await.unwrap();
    let mut lines = ats.watch_lines(&WatchParams::default(), "0").await.unwrap();
    let line = timeout(Duration::from_secs(5), lines.next()).await.unwrap().unwrap().unwrap();
    let event: serde_json::Value = serde_json::from_slice(&line).unwrap();
    assert_eq!((&event["type"], &event["object"]["metadata"]["name"]), (&"ADDED".into(), &"a".into()));
}
