//! Lists, pages and delete-collection.

use futures::{StreamExt, TryStreamExt};
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    client::{ListParams, ResourceClient},
    object::ObjectList,
};

use crate::types::{At, ats, server};

async fn fill(server: &ApiServer, namespace: &str, count: usize) -> ResourceClient<At> {
    let ats = ResourceClient::<At>::namespaced(server.client(), namespace);
    for index in 0..count {
        let tier = if index % 2 == 0 { "batch" } else { "web" };
        ats.create(&At::new(&format!("at-{index:04}"), "noon").labelled("tier", tier)).await.unwrap();
    }
    ats
}

fn names(list: &ObjectList<At>) -> Vec<&str> {
    list.items.iter().map(At::name).collect()
}

#[tokio::test]
async fn pages_show_one_moment() {
    let server = server();
    let ats = fill(&server, "default", 25).await;
    let mut pages = ats.pages(&ListParams::default().limit(10));
    let first = pages.next().await.unwrap().unwrap();
    ats.delete("at-0015").await.unwrap();
    ats.create(&At::new("at-9999", "noon")).await.unwrap();

    let rest: Vec<_> = pages.try_collect().await.unwrap();
    assert_eq!(rest.iter().map(|page| page.items.len()).collect::<Vec<_>>(), [10, 5]);
    assert!(rest.iter().all(|page| page.metadata.resource_version == first.metadata.resource_version));
    assert!(names(&rest[0]).contains(&"at-0015"));
}

#[tokio::test]
async fn pages_restart_when_the_moment_is_over() {
    let server = server();
    let ats = fill(&server, "default", 25).await;
    let mut pages = ats.pages(&ListParams::default().limit(10));
    assert_eq!(pages.next().await.unwrap().unwrap().items.len(), 10);
    ats.delete("at-0003").await.unwrap();
    server.compact();

    let rest = pages.next().await.unwrap().unwrap();
    assert!(pages.restarted());
    assert_eq!(rest.items.len(), 24);
    assert!(!names(&rest).contains(&"at-0003"));
    assert!(pages.next().await.is_none());

    let all = ats.list_all(&ListParams::default().limit(7)).await.unwrap();
    assert_eq!(names(&all), names(&ats.list().await.unwrap()));
}

#[tokio::test]
async fn namespaces_and_selectors_narrow_a_list() {
    let server = server();
    let here = fill(&server, "default", 4).await;
    fill(&server, "other", 3).await;
    let everywhere = ResourceClient::<At>::namespaced(server.client(), "");
    assert_eq!(here.list().await.unwrap().items.len(), 4);
    assert_eq!(everywhere.list().await.unwrap().items.len(), 7);
    let batch = ListParams::default().labels("tier=batch");
    assert_eq!(names(&here.list_with(&batch).await.unwrap()), ["at-0000", "at-0002"]);
    let one = ListParams::default().fields("metadata.name=at-0001,metadata.namespace=other");
    assert_eq!(everywhere.list_with(&one).await.unwrap().items.len(), 1);
}

#[tokio::test]
async fn a_collection_is_deleted_by_selector() {
    let server = server();
    let ats = fill(&server, "default", 4).await;
    fill(&server, "other", 4).await;
    ats.delete_collection(&ListParams::default().labels("tier=web")).await.unwrap();
    assert_eq!(names(&ats.list().await.unwrap()), ["at-0000", "at-0002"]);
    assert_eq!(crate::types::ats(&server).list().await.unwrap().items.len(), 2);
    assert_eq!(ResourceClient::<At>::namespaced(server.client(), "").list().await.unwrap().items.len(), 6);
}

#[tokio::test]
async fn the_bytes_of_a_list_are_its_json() {
    let server = server();
    fill(&server, "default", 3).await;
    let bytes = ats(&server).list_bytes(&ListParams::default()).await.unwrap();
    let list: ObjectList<At> = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(names(&list), ["at-0000", "at-0001", "at-0002"]);
}
