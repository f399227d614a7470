//! One object's life.

use k8s_openapi::api::core::v1::Namespace;
use kube_codegen_runtime::{
    client::{
        DeleteParams, Deleted, Error, GetParams, Patch, PostParams, Preconditions, ResourceClient,
        retry_on_conflict,
    },
    object::ObjectMeta,
};
use serde_json::json;

use crate::types::{At, AtStatus, ats, server};

#[tokio::test]
async fn create_get_update_delete() {
    let ats = ats(&server());
    let created = ats.create(&At::new("a", "noon")).await.unwrap();
    assert!(created.metadata.uid.is_some());
    assert_eq!(created.metadata.namespace.as_deref(), Some("default"));
    assert_eq!(ats.get("a").await.unwrap(), created);
    assert_eq!(ats.get_with("a", &GetParams::at(created.version())).await.unwrap(), created);

    let mut changed = created.clone();
    changed.spec.schedule = "midnight".into();
    let updated = ats.update(&changed).await.unwrap();
    assert_eq!((updated.spec.schedule.as_str(), updated.metadata.generation), ("midnight", Some(2)));
    assert_ne!(updated.version(), created.version());

    assert!(matches!(ats.delete("a").await.unwrap(), Deleted::Done(status) if status.is_success()));
    assert!(matches!(ats.get("a").await, Err(Error::NotFound(_))));
}

#[tokio::test]
async fn the_server_makes_the_name_up() {
    let ats = ats(&server());
    let metadata = ObjectMeta { generate_name: Some("at-".into()), ..ObjectMeta::default() };
    let created = ats.create(&At { metadata, ..At::default() }).await.unwrap();
    assert!(created.name().starts_with("at-") && created.name().len() > 3);
}

#[tokio::test]
async fn spec_and_status_are_written_apart() {
    let ats = ats(&server());
    let mut at = ats.create(&At::new("a", "noon")).await.unwrap();
    at.spec.schedule = "lost".into();
    at.status = Some(AtStatus { phase: "RUNNING".into() });
    let at = ats.update_status(&at).await.unwrap();
    assert_eq!((at.spec.schedule.as_str(), at.phase()), ("noon", Some("RUNNING")));

    let mut at = at;
    at.status = None;
    let at = ats.update(&at).await.unwrap();
    assert_eq!(at.phase(), Some("RUNNING"));

    let patch = Patch::Merge(json!({"spec": {"schedule": "lost"}, "status": {"phase": "DONE"}}));
    let at = ats.patch_status("a", &patch).await.unwrap();
    assert_eq!((at.spec.schedule.as_str(), at.phase()), ("noon", Some("DONE")));
}

#[tokio::test]
async fn patches() {
    let ats = ats(&server());
    ats.create(&At::new("a", "noon").labelled("tier", "batch")).await.unwrap();
    let patch = json!({"metadata": {"labels": {"tier": null, "app": "at"}}});
    let at = ats.patch("a", &Patch::Merge(patch)).await.unwrap();
    assert_eq!(at.metadata.labels, Some([("app".to_owned(), "at".to_owned())].into()));

    let operations = json!([
        {"op": "test", "path": "/spec/schedule", "value": "noon"},
        {"op": "replace", "path": "/spec/schedule", "value": "dawn"},
    ]);
    let patch = Patch::<()>::Json(serde_json::from_value(operations).unwrap());
    assert_eq!(ats.patch("a", &patch).await.unwrap().spec.schedule, "dawn");
    // The same again: its test no longer holds.
    assert!(matches!(ats.patch("a", &patch).await, Err(Error::Invalid(_))));
}

#[tokio::test]
async fn finalizers_hold_a_delete_back() {
    let ats = ats(&server());
    let mut at = At::new("a", "noon");
    at.metadata.finalizers = Some(vec!["example.com/hold".into()]);
    ats.create(&at).await.unwrap();
    let Deleted::Pending(held) = ats.delete("a").await.unwrap() else { panic!("gone at once") };
    assert!(held.metadata.deletion_timestamp.is_some());

    let patch = Patch::Merge(json!({"metadata": {"finalizers": null}}));
    ats.patch("a", &patch).await.unwrap();
    assert!(matches!(ats.get("a").await, Err(Error::NotFound(_))));
}

#[tokio::test]
async fn preconditions_guard_a_delete() {
    let ats = ats(&server());
    let at = ats.create(&At::new("a", "noon")).await.unwrap();
    let with = |uid: &str| {
        let preconditions = Preconditions { uid: Some(uid.into()), ..Preconditions::default() };
        DeleteParams::default().preconditions(preconditions)
    };
    assert!(matches!(ats.delete_with("a", &with("another")).await, Err(Error::Conflict(_))));
    let uid = at.metadata.uid.unwrap();
    assert!(matches!(ats.delete_with("a", &with(&uid)).await, Ok(Deleted::Done(_))));
}

#[tokio::test]
async fn a_dry_run_changes_nothing() {
    let ats = ats(&server());
    let dry = PostParams { dry_run: true, ..PostParams::default() };
    assert!(ats.create_with(&dry, &At::new("a", "noon")).await.unwrap().metadata.uid.is_some());
    assert!(matches!(ats.get("a").await, Err(Error::NotFound(_))));
}

#[tokio::test]
async fn cluster_scoped_kinds() {
    let namespaces = ResourceClient::<Namespace>::cluster(server().client());
    let metadata = ObjectMeta { name: Some("shop".into()), ..ObjectMeta::default() };
    namespaces.create(&Namespace { metadata, ..Namespace::default() }).await.unwrap();
    assert_eq!(namespaces.get("shop").await.unwrap().metadata.name.as_deref(), Some("shop"));
}

/// Sixteen rivals add to one number, and none of it is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn conflicts_are_got_over() {
    let ats = ats(&server());
    ats.create(&At::new("a", "0")).await.unwrap();
    let rivals = (0..16).map(|_| {
        let ats = ats.clone();
        tokio::spawn(async move {
            for _ in 0..5 {
                // Five attempts may not do against so many; a caller would come back later.
                while let Err(error) = retry_on_conflict(|| add_one(&ats)).await {
                    assert!(matches!(error, Error::Conflict(_)), "{error:?}");
                }
            }
        })
    });
    futures::future::try_join_all(rivals).await.unwrap();
    assert_eq!(ats.get("a").await.unwrap().spec.schedule, "80");
}

async fn add_one(ats: &ResourceClient<At>) -> kube_codegen_runtime::client::Result<At> {
    let mut at = ats.get("a").await?;
    at.spec.schedule = (at.spec.schedule.parse::<u32>().unwrap() + 1).to_string();
    ats.update(&at).await
}
