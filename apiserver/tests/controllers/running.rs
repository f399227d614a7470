//! Controllers that run by themselves.

use std::time::Duration;

use futures::StreamExt as _;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::{
    Api,
    api::{DeleteParams, WatchEvent, WatchParams},
};
use kube_codegen_apiserver::{ApiServer, Controllers};
use tokio::time::{Instant, sleep};

use crate::{create, delete, exists, http::get, reference};

#[tokio::test(start_paused = true)]
async fn nobody_has_to_ask_for_it() {
    let server = ApiServer::new();
    let owner = create(&server, "owner", &[]);
    create(&server, "child", &[reference("owner", &owner)]);
    delete(&server, "owner", "Background");
    assert!(exists(&server, "child"), "the answer comes first");
    sleep(Duration::from_millis(100)).await;
    assert!(!exists(&server, "child"));
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_waits_sees_the_end_of_a_namespace() {
    let server = ApiServer::new();
    let namespaces: Api<Namespace> = Api::all(server.client());
    let mut namespace = Namespace::default();
    namespace.metadata.name = Some("box".into());
    namespaces.create(&Default::default(), &namespace).await.unwrap();
    let version = server.resource_version().to_string();
    let mut watch = namespaces.watch(&WatchParams::default(), &version).await.unwrap().boxed();
    let start = Instant::now();
    namespaces.delete("box", &DeleteParams::default()).await.unwrap();
    loop {
        match watch.next().await.unwrap().unwrap() {
            WatchEvent::Deleted(_) => break,
            WatchEvent::Modified(_) => {}
            other => assert_eq!(format!("{other:?}"), ""),
        }
    }
    let waited = start.elapsed();
    assert!((Duration::from_secs(1)..Duration::from_secs(5)).contains(&waited), "{waited:?}");
}

#[tokio::test]
async fn it_works_in_the_time_of_the_clock_on_the_wall_too() {
    let server = ApiServer::new();
    let maps: Api<ConfigMap> = Api::default_namespaced(server.client());
    create(&server, "child", &[reference("ghost", "u-1")]);
    while maps.get_opt("child").await.unwrap().is_some() {
        sleep(Duration::from_millis(5)).await;
    }
}

#[test]
fn work_left_by_one_runtime_is_done_in_the_next() {
    let server = ApiServer::new();
    let run = |future: &mut dyn FnMut()| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { future() });
    };
    run(&mut || {
        create(&server, "child", &[reference("ghost", "u-1")]);
    });
    assert!(exists(&server, "child"), "that runtime is gone");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        create(&server, "other", &[]);
        sleep(Duration::from_secs(1)).await;
    });
    assert!(!exists(&server, "child"));
}

#[tokio::test(start_paused = true)]
async fn they_can_be_left_out() {
    let server = ApiServer::builder().controllers(Controllers::Off).build();
    create(&server, "child", &[reference("ghost", "u-1")]);
    sleep(Duration::from_secs(60)).await;
    assert!(exists(&server, "child"));
    assert!(!server.step());
    assert_eq!(get(&server, "/api/v1/namespaces/default").0, 200);
}
