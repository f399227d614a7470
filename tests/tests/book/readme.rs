//! The code of the README.

use std::sync::Arc;

use k8s_openapi::api::core::v1::Pod;
use kube_codegen_runtime::{CancellationToken, workqueue::WorkQueue};
use sample_apis::cnat::v1alpha1::{At, AtPhase};
use sample_client::{
    Clientset, SharedInformerFactory, applyconfiguration::cnat::v1alpha1::AtApplyConfiguration,
};

fn at(name: &str) -> At {
    let mut at = At::default();
    at.metadata.name = Some(name.to_owned());
    at
}

/// The first line needs a cluster, so it is compiled alone.
#[expect(dead_code, reason = "there is no cluster in a test")]
async fn connected() -> Result<Clientset, Box<dyn std::error::Error>> {
    // ANCHOR: client
    let clientset = Clientset::try_default().await?;
    // ANCHOR_END: client
    Ok(clientset)
}

async fn used(clientset: Clientset, at: At) -> Result<usize, Box<dyn std::error::Error>> {
    let (queue, shutdown) = (Arc::new(WorkQueue::default()), CancellationToken::new());
    let _ended = shutdown.clone().drop_guard();
    // ANCHOR: client
    let ats = clientset.cnat_v1alpha1().ats("default");
    ats.create(&at).await?;
    ats.apply(&AtApplyConfiguration::new("nightly").labels([("tier", "batch")]), "my-controller").await?;

    let factory = SharedInformerFactory::builder(&clientset).namespace("default").build();
    let informer = factory.cnat_v1alpha1().ats();
    let by_phase = informer.add_index("phase", |at: &At| at.phase())?;
    informer.add_event_handler(move |event| queue.add(event.key()));
    factory.start(&shutdown);
    factory.wait_for_cache_sync().await?;
    let running: Vec<Arc<At>> = by_phase.get(&AtPhase::Running);
    // ANCHOR_END: client
    Ok(running.len())
}

#[tokio::test]
async fn the_client_and_the_informer() {
    let fake = sample_client::fake::Clientset::new([at("other").into()]);
    assert_eq!(used(fake.clientset(), at("nightly")).await.unwrap(), 0);
    assert_eq!(fake.writes(), ["create ats default/nightly", "apply ats default/nightly"]);
}

async fn run_controller_once(clientset: Clientset) {
    let at = clientset.cnat_v1alpha1().ats("default").get("nightly").await.unwrap();
    let container = serde_json::json!({ "name": "main", "image": "busybox" });
    let spec = serde_json::json!({ "containers": [container] });
    let mut pod = Pod { spec: serde_json::from_value(spec).unwrap(), ..Pod::default() };
    pod.metadata.name = at.metadata.name;
    clientset.core_v1().pods("default").create(&pod).await.unwrap();
}

#[tokio::test]
async fn the_fake() {
    let (at, mut pod) = (at("nightly"), Pod::default());
    pod.metadata.name = Some("other".to_owned());
    // ANCHOR: fake
    let fake = sample_client::fake::Clientset::new([at.into(), pod.into()]);
    run_controller_once(fake.clientset()).await;
    assert_eq!(fake.actions(), ["get ats default/nightly", "create pods default/nightly"]);
    // ANCHOR_END: fake
}
