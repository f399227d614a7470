//! Event streams that are cut anywhere.

use std::io;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use http::StatusCode;
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::client::{Error, Lines, ResourceClient, Result, WatchParams};
use proptest::prelude::*;

use crate::mock::{Chunk, Mock};

async fn lines(chunks: Vec<Chunk>) -> Lines {
    let mock = Mock::default();
    mock.answer_with(StatusCode::OK, &[], stream::iter(chunks));
    let client = ResourceClient::<ConfigMap>::namespaced(mock.client(), "default");
    client.watch_lines(&WatchParams::default(), "7").await.unwrap()
}

async fn all(chunks: Vec<Chunk>) -> Result<Vec<Bytes>> {
    lines(chunks).await.try_collect().await
}

#[tokio::test]
async fn blank_lines_are_no_events() {
    let all = all(vec![Ok("\n{}\n\r\n  \n[1]\n\n".into())]).await.unwrap();
    assert_eq!(all, ["{}", "[1]"]);
}

#[tokio::test]
async fn a_whole_last_line_counts_without_its_newline() {
    assert_eq!(all(vec![Ok("{}\n{\"a\":".into()), Ok("1}".into())]).await.unwrap(), ["{}", "{\"a\":1}"]);
}

#[tokio::test]
async fn half_a_last_line_does_not_count() {
    for rest in ["{\"a\":", "{\"a\":{}", "{\"a\":\"b"] {
        assert_eq!(all(vec![Ok(format!("{{}}\n{rest}").into())]).await.unwrap(), ["{}"], "{rest}");
    }
}

/// That is how watches end when a server or a proxy goes away; they are resumed.
#[tokio::test]
async fn a_connection_that_breaks_ends_the_stream() {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, TimedOut, UnexpectedEof};
    for kind in [ConnectionAborted, ConnectionReset, TimedOut, UnexpectedEof] {
        let bare = io::Error::from(kind);
        let nested = io::Error::other(io::Error::new(kind, "inner"));
        for error in [bare, nested] {
            let chunks = vec![Ok("{}\n{\"half".into()), Err(error)];
            assert_eq!(all(chunks).await.unwrap(), ["{}"], "{kind}");
        }
    }
}

#[tokio::test]
async fn another_failure_is_an_error_and_the_end() {
    let chunks = vec![Ok("{}\n{\"half".into()), Err(io::Error::other("bad record")), Ok("{}\n".into())];
    let items: Vec<_> = lines(chunks).await.collect().await;
    let [Ok(line), Err(Error::Transport(_))] = items.as_slice() else { panic!("{items:?}") };
    assert_eq!(line, "{}");
}

#[tokio::test]
async fn a_line_without_end_is_an_error() {
    let chunk = Bytes::from(vec![b'x'; 1 << 20]);
    let items: Vec<_> =
        lines(vec![(); 80].into_iter().map(|()| Ok(chunk.clone())).collect()).await.collect().await;
    assert!(matches!(items.as_slice(), [Err(Error::EventTooLong { .. })]), "{}", items.len());
}

/// A line within one chunk is a view of it.
#[tokio::test]
async fn whole_lines_are_not_copied() {
    let chunk = Bytes::from_static(b"{\"a\":1}\n{\"b\":2}\n");
    let first = all(vec![Ok(chunk.clone())]).await.unwrap().remove(1);
    assert!(chunk.as_ptr_range().contains(&first.as_ptr()));
}

proptest! {
    #[test]
    fn lines_are_the_same_however_they_are_cut(
        events in prop::collection::vec("\\PC{0,20}", 0..10),
        cuts in prop::collection::vec(1..9usize, 1..40),
    ) {
        let wanted: Vec<String> = events.iter().map(|event| serde_json::json!({"e": event}).to_string()).collect();
        let text: String = wanted.iter().map(|line| format!("{line}\n")).collect();
        let mut bytes = Bytes::from(text);
        let mut chunks = Vec::new();
        let mut sizes = cuts.iter().cycle();
        while !bytes.is_empty() {
            let size = (*sizes.next().unwrap()).min(bytes.len());
            chunks.push(Ok(bytes.split_to(size)));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        prop_assert_eq!(runtime.block_on(all(chunks)).unwrap(), wanted);
    }
}
