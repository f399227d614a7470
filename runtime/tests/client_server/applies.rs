//! Typed applies, and what is extracted of them afterwards.

use kube_codegen_runtime::{
    client::{Error, PatchParams, ResourceClient},
    object::{ApplyConfiguration, ObjectMeta, TypeMeta, extract, extract_subresource},
};
use serde::{Deserialize, Serialize};

use crate::types::{At, ats, server};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct AtApply {
    #[serde(flatten, skip_deserializing)]
    type_meta: TypeMeta<At>,
    #[serde(default)]
    metadata: ObjectMeta,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spec: Option<SpecApply>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<StatusApply>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct SpecApply {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schedule: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct StatusApply {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phase: Option<String>,
}

impl ApplyConfiguration for AtApply {
    type Object = At;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

impl AtApply {
    fn named(name: &str) -> Self {
        let metadata = ObjectMeta {
            name: Some(name.into()),
            namespace: Some("default".into()),
            ..ObjectMeta::default()
        };
        Self { metadata, ..Self::default() }
    }

    fn label(mut self, key: &str, value: &str) -> Self {
        self.metadata.labels.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    fn finalizer(mut self, name: &str) -> Self {
        self.metadata.finalizers.get_or_insert_default().push(name.into());
        self
    }

    fn schedule(mut self, schedule: &str) -> Self {
        self.spec = Some(SpecApply { schedule: Some(schedule.into()) });
        self
    }

    fn phase(mut self, phase: &str) -> Self {
        self.status = Some(StatusApply { phase: Some(phase.into()) });
        self
    }
}

fn client() -> ResourceClient<At> {
    ats(&server())
}

/// What was applied comes back out of the managed fields, whatever others own.
#[tokio::test]
async fn extract_gives_back_what_was_applied() {
    let ats = client();
    let mine = AtApply::named("a").label("tier", "batch").finalizer("me.example.com/done").schedule("noon");
    let yours = AtApply::named("a").label("app", "at").label("tier", "batch");
    ats.apply(&mine, "me").await.unwrap();
    let at = ats.apply(&yours, "you").await.unwrap();
    assert_eq!(at.metadata.labels.as_ref().unwrap().len(), 2);
    assert_eq!(extract::<AtApply>(&at, "me").unwrap(), mine);
    assert_eq!(extract::<AtApply>(&at, "you").unwrap(), yours);
    assert_eq!(extract::<AtApply>(&at, "nobody").unwrap(), AtApply::named("a"));
}

/// The round that extract is for: what no longer is set, is given up.
#[tokio::test]
async fn extract_change_apply() {
    let ats = client();
    let first = AtApply::named("a").label("tier", "batch").label("old", "1").schedule("noon");
    let at = ats.apply(&first, "me").await.unwrap();
    let mut next: AtApply = extract(&at, "me").unwrap();
    next.metadata.labels.as_mut().unwrap().remove("old");
    let at = ats.apply(&next.schedule("dawn"), "me").await.unwrap();
    assert_eq!(at.metadata.labels, Some([("tier".to_owned(), "batch".to_owned())].into()));
    assert_eq!(at.spec.schedule, "dawn");
    // Applying the same again changes nothing at all.
    let again = ats.apply(&extract::<AtApply>(&at, "me").unwrap(), "me").await.unwrap();
    assert_eq!(again.version(), at.version());
}

#[tokio::test]
async fn a_conflict_names_the_owner_and_can_be_forced() {
    let ats = client();
    ats.apply(&AtApply::named("a").schedule("noon"), "me").await.unwrap();
    let yours = AtApply::named("a").schedule("dusk");
    let Err(Error::ApplyConflict { conflicts, .. }) = ats.apply(&yours, "you").await else {
        panic!("no conflict")
    };
    let owners: Vec<_> = conflicts.iter().map(|one| (one.manager.as_deref(), one.field.as_str())).collect();
    assert_eq!(owners, [(Some("me"), ".spec.schedule")]);

    let at = ats.apply_with(&PatchParams::apply("you").force(), &yours).await.unwrap();
    assert_eq!(at.spec.schedule, "dusk");
    let left = extract::<AtApply>(&at, "me").unwrap();
    assert_eq!(left.spec.and_then(|spec| spec.schedule), None);
}

#[tokio::test]
async fn status_is_applied_and_extracted_apart() {
    let ats = client();
    ats.apply(&AtApply::named("a").schedule("noon"), "me").await.unwrap();
    let status = AtApply::named("a").phase("RUNNING");
    let at = ats.apply_status(&status, "me").await.unwrap();
    assert_eq!((at.spec.schedule.as_str(), at.phase()), ("noon", Some("RUNNING")));
    assert_eq!(extract::<AtApply>(&at, "me").unwrap(), AtApply::named("a").schedule("noon"));
    assert_eq!(extract_subresource::<AtApply>(&at, "me", "status").unwrap(), status);

    let missing = ats.apply_status(&AtApply::named("b").phase("RUNNING"), "me").await;
    assert!(matches!(missing, Err(Error::NotFound(_))), "{missing:?}");
}

/// An update of the same name is another manager: what it set is not extracted.
#[tokio::test]
async fn what_was_updated_is_not_extracted() {
    let ats = client();
    let mut at = ats.apply(&AtApply::named("a").label("tier", "batch"), "me").await.unwrap();
    at.spec.schedule = "noon".into();
    let params =
        kube_codegen_runtime::client::PostParams { field_manager: Some("me".into()), ..Default::default() };
    let at = ats.update_with(&params, &at).await.unwrap();
    assert_eq!(extract::<AtApply>(&at, "me").unwrap(), AtApply::named("a").label("tier", "batch"));
}
