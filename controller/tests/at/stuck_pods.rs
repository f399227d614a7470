//! The Pod controller: pods that no node was found for.

use std::time::Duration;

use k8s_openapi::api::core::v1::{Container, Pod, PodSpec};
use kube_codegen_runtime::{clock::WallClock, object::ObjectKey};
use sample_client::fake;
use tokio::time::sleep;

use crate::rig::{Replica, clock, world};

fn pod(name: &str) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = Some(name.to_owned());
    let container = Container { name: "main".into(), image: Some("app:1".into()), ..Container::default() };
    pod.spec = Some(PodSpec { containers: vec![container], ..PodSpec::default() });
    pod
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_finds_no_node_is_reported_until_it_goes() {
    // The times of objects are those of the system's clock here.
    let fake = fake::Clientset::new([]);
    let clientset = fake.clientset();
    let replica = Replica::start(&clientset, WallClock::starting_at(jiff::Timestamp::now()));
    let pods = clientset.core_v1().pods("default");
    pods.create(&pod("lonely")).await.unwrap();
    sleep(Duration::from_secs(30)).await;
    assert!(replica.reports.stuck_pods.stuck().is_empty());
    sleep(Duration::from_secs(60)).await;
    let stuck = replica.reports.stuck_pods.stuck();
    assert_eq!(stuck.keys().collect::<Vec<_>>(), [&ObjectKey::new("default", "lonely")]);
    pods.delete("lonely").await.unwrap();
    sleep(Duration::from_secs(1)).await;
    assert!(replica.reports.stuck_pods.stuck().is_empty());
    replica.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_with_a_node_is_not_reported() {
    let fake = world();
    let clientset = fake.clientset();
    let replica = Replica::start(&clientset, clock());
    clientset.core_v1().pods("default").create(&pod("fine")).await.unwrap();
    sleep(Duration::from_secs(600)).await;
    assert!(replica.reports.stuck_pods.stuck().is_empty());
    replica.stop().await;
}
