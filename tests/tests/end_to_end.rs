//! The generated clientset, informers and apply configurations together, over the in-memory API server.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use k8s_openapi::{
    api::{apps::v1::Deployment, core::v1::Pod},
    apimachinery::pkg::apis::meta::v1::{FieldsV1, ManagedFieldsEntry},
};
use kube_codegen_runtime::{
    CancellationToken,
    client::{Error, ListParams, Patch},
    informer::Event,
};
use sample_apis::myresource::v1::MyResource;
use sample_client::{
    SharedInformerFactory, applyconfiguration::apps::v1::DeploymentApplyConfiguration, fake,
};
use serde_json::{Value, json};
use tokio::{runtime::Handle, time::sleep};

const MANY: usize = 10_000;

fn my_resource(number: usize) -> MyResource {
    let mut object = MyResource::default();
    object.metadata.name = Some(format!("object-{number}"));
    object.metadata.namespace = Some("default".to_owned());
    object.spec.message = "before".to_owned();
    object
}

/// Waits, in paused time, until `count` has come to `expected`.
async fn reaches(count: &AtomicUsize, expected: usize) {
    for _ in 0..1000 {
        if count.load(Ordering::SeqCst) == expected {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(count.load(Ordering::SeqCst), expected);
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_objects_are_listed_watched_and_updated_and_nothing_is_left() {
    let fake = fake::Clientset::new((0..MANY).map(|number| my_resource(number).into()));
    let clientset = fake.clientset();
    let my_resources = clientset.trstringer_v1().my_resources("default");
    assert_eq!(my_resources.list().await.unwrap().items.len(), MANY);
    let selected = ListParams::default().fields("metadata.name=object-77");
    assert_eq!(my_resources.list_with(&selected).await.unwrap().items.len(), 1);

    let factory = SharedInformerFactory::new(&clientset);
    let informer = factory.trstringer_v1().my_resources();
    let (added, updated) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let registration = informer.add_event_handler({
        let (added, updated) = (Arc::clone(&added), Arc::clone(&updated));
        move |event| match event {
            Event::Added { .. } => drop(added.fetch_add(1, Ordering::SeqCst)),
            Event::Updated { .. } => drop(updated.fetch_add(1, Ordering::SeqCst)),
            Event::Deleted { .. } => {}
        }
    });
    factory.start(&CancellationToken::new());
    factory.wait_for_cache_sync().await.unwrap();
    reaches(&added, MANY).await;

    let lister = informer.lister();
    for object in my_resources.list().await.unwrap() {
        let mut object = object;
        object.spec.message = "after".to_owned();
        my_resources.update(&object).await.unwrap();
    }
    let is_after = |object: &Arc<MyResource>| object.spec.message == "after";
    let after = || lister.list().iter().filter(|object| is_after(object)).count();
    for _ in 0..1000 {
        if after() == MANY {
            break;
        }
        sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(after(), MANY);
    assert!(updated.load(Ordering::SeqCst) <= MANY, "changes of one object are folded, never doubled");
    assert_eq!(added.load(Ordering::SeqCst), MANY);

    let object = Arc::downgrade(&lister.my_resources("default").get("object-1").unwrap());
    drop((factory, informer, registration, lister, my_resources, clientset, fake));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0, "no task is left");
    assert_eq!(object.strong_count(), 0, "no object is left");
}

fn deployment() -> Deployment {
    serde_json::from_value(json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "web", "image": "web:1"}]},
            },
        },
    }))
    .unwrap()
}

fn owned_by(deployment: &Deployment, manager: &str) -> Option<Value> {
    let entries = deployment.metadata.managed_fields.as_deref().unwrap_or_default();
    let of_manager = |entry: &&ManagedFieldsEntry| entry.manager.as_deref() == Some(manager);
    let fields = entries.iter().find(of_manager).and_then(|entry| entry.fields_v1.clone());
    fields.map(|FieldsV1(fields)| fields)
}

#[tokio::test]
async fn c022_a_label_applied_to_a_deployment_claims_that_label_alone() {
    let fake = fake::Clientset::new([]);
    let deployments = fake.clientset().apps_v1().deployments("default");
    deployments.create(&deployment()).await.unwrap();
    let label = DeploymentApplyConfiguration::new("web").labels([("tier", "front")]);
    let applied = deployments.apply(&label, "labeller").await.unwrap();
    assert_eq!(owned_by(&applied, "labeller"), Some(json!({"f:metadata": {"f:labels": {"f:tier": {}}}})));
    let spec = &applied.spec;
    assert_eq!(spec.replicas, Some(3));
    assert_eq!(spec.selector.match_labels.as_ref().unwrap()["app"], "web");
    let extracted = DeploymentApplyConfiguration::extract(&applied, "labeller").unwrap();
    let mut expected = label.clone();
    expected.metadata.namespace = Some("default".to_owned());
    assert_eq!(extracted, expected);
}

#[tokio::test]
async fn c106_a_strategic_merge_patch_is_for_built_in_kinds_alone() {
    let mut pod = Pod::default();
    pod.metadata.name = Some("object-0".to_owned());
    pod.metadata.namespace = Some("default".to_owned());
    pod.spec = serde_json::from_value(json!({"containers": [{"name": "web", "image": "web:1"}]})).unwrap();
    let fake = fake::Clientset::new([my_resource(0).into(), pod.into()]);
    let clientset = fake.clientset();
    let my_resources = clientset.trstringer_v1().my_resources("default");
    let pods = clientset.core_v1().pods("default");

    let labels = json!({"metadata": {"labels": {"tier": "front"}}});
    let refused = my_resources.patch("object-0", &Patch::Strategic(&labels)).await.unwrap_err();
    assert!(matches!(&refused, Error::Unsupported(status) if status.code == 415), "{refused:?}");
    for accepted in
        ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+"]
    {
        assert!(refused.to_string().contains(accepted), "{refused}");
    }
    my_resources.patch("object-0", &Patch::Merge(&labels)).await.unwrap();

    let image = json!({"spec": {"containers": [{"name": "web", "image": "web:2"}]}});
    pods.patch("object-0", &Patch::Strategic(&labels)).await.unwrap();
    let patched = pods.patch("object-0", &Patch::Strategic(&image)).await.unwrap();
    assert_eq!(patched.spec.unwrap().containers[0].image.as_deref(), Some("web:2"));
    let none = json!({"metadata": {"labels": {"tier": null}}});
    let patched = pods.patch("object-0", &Patch::Merge(&none)).await.unwrap();
    assert_eq!(patched.metadata.labels.unwrap_or_default().get("tier"), None);
}
