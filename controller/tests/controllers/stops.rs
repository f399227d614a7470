//! Stopping, and running beside others.

use std::num::NonZeroUsize;

use k8s_openapi::api::core::v1::{Container, Pod, PodSpec};
use kube_codegen_runtime::{CancellationToken, manager::Manager};
use sample_client::{SharedInformerFactory, fake};
use sample_controller::{Setup, Told, add_all};

use crate::rig::{Rig, my_resource};

/// No further object is begun with after the stop, and none is left half done.
#[tokio::test]
async fn a_stop_leaves_the_rest_to_the_next_start() {
    let fake = fake::Clientset::new([]);
    let client = fake.clientset().trstringer_v1().my_resources("default");
    for index in 0..200 {
        client.create(&my_resource(&format!("a{index}"), "hello")).await.unwrap();
    }
    let rig = Rig::over(fake.clone().into(), NonZeroUsize::MIN);
    rig.recorder.wait_for(1).await;
    let (result, lines) = rig.stop().await;
    result.unwrap();
    assert!((1..=200).contains(&lines.len()));

    let rig = Rig::over(fake, NonZeroUsize::MIN);
    rig.recorder.wait_for(200).await;
    rig.stop().await.0.unwrap();
}

/// A stop before the first list is a stop, not a failure.
#[tokio::test]
async fn a_stop_before_the_first_list_is_clean() {
    let rig = Rig::my_resources();
    let (result, lines) = rig.stop().await;
    result.unwrap();
    assert!(lines.is_empty());
}

/// All controllers of the binary under one manager, on one factory.
#[tokio::test(start_paused = true)]
async fn controllers_share_a_manager_and_their_informers() {
    let fake = fake::Clientset::new([]);
    let clientset = fake.clientset();
    clientset.trstringer_v1().my_resources("default").create(&my_resource("a", "hello")).await.unwrap();
    let mut pod = Pod::default();
    pod.metadata.name = Some("p".to_owned());
    let container = Container { name: "main".into(), image: Some("app:1".into()), ..Container::default() };
    pod.spec = Some(PodSpec { containers: vec![container], ..PodSpec::default() });
    clientset.core_v1().pods("default").create(&pod).await.unwrap();

    let (manager, factory) = (Manager::builder().build(), SharedInformerFactory::new(&clientset));
    let reports = add_all(&manager, &clientset, &factory, &Setup::default()).unwrap();
    add_all(&manager, &clientset, &factory, &Setup::default()).unwrap_err();
    let stop = CancellationToken::new();
    let running = tokio::spawn(manager.run(stop.clone()));
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert_eq!(reports.my_resources.told(), Told { created: 1, ..Told::default() });
    let watches = fake.actions().iter().filter(|action| **action == "watch pods").count();
    assert_eq!(watches, 1, "{:?}", fake.actions());
    stop.cancel();
    running.await.unwrap().unwrap();
}
