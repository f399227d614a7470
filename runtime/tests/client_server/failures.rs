//! What the server refuses, as errors.

use kube_codegen_runtime::client::{Error, GetParams, ListParams, ResourceClient, VersionMatch};

use crate::types::{At, ats, server};

#[tokio::test]
async fn a_name_in_use() {
    let ats = ats(&server());
    ats.create(&At::new("a", "noon")).await.unwrap();
    let error = ats.create(&At::new("a", "noon")).await.unwrap_err();
    assert!(matches!(error, Error::AlreadyExists(_)), "{error:?}");
    assert!(error.to_string().contains("\"a\""), "{error}");
}

#[tokio::test]
async fn a_stale_update() {
    let ats = ats(&server());
    let mut first = ats.create(&At::new("a", "noon")).await.unwrap();
    let mut second = first.clone();
    first.spec.schedule = "dawn".into();
    ats.update(&first).await.unwrap();
    second.spec.schedule = "dusk".into();
    assert!(matches!(ats.update(&second).await, Err(Error::Conflict(_))));
}

#[tokio::test]
async fn what_is_not_there() {
    let server = server();
    let ats = ats(&server);
    let missing = At { metadata: ats.create(&At::new("a", "noon")).await.unwrap().metadata, ..At::default() };
    ats.delete("a").await.unwrap();
    let results = [
        ats.get("a").await.map(drop),
        ats.update(&missing).await.map(drop),
        ats.update_status(&missing).await.map(drop),
        ats.delete("a").await.map(drop),
        ats.get_subresource::<At>("a", "nothing", &GetParams::default()).await.map(drop),
        ats.clone().with_resource_name("attics").list().await.map(drop),
    ];
    for result in results {
        assert!(matches!(result, Err(Error::NotFound(_))), "{result:?}");
    }
}

#[tokio::test]
async fn an_invalid_name() {
    let error = ats(&server()).create(&At::new("Not A Name", "noon")).await.unwrap_err();
    assert!(matches!(error, Error::Invalid(_)), "{error:?}");
    assert_eq!(error.causes()[0].field, "metadata.name");
}

#[tokio::test]
async fn a_namespace_that_is_not_the_path_s() {
    let mut at = At::new("a", "noon");
    at.metadata.namespace = Some("other".into());
    let error = ats(&server()).create(&at).await.unwrap_err();
    assert!(matches!(error, Error::BadRequest(_)), "{error:?}");
}

#[tokio::test]
async fn selectors_that_make_no_sense() {
    let ats = ats(&server());
    for params in [ListParams::default().fields("spec.x=y"), ListParams::default().labels("a in")] {
        let error = ats.list_with(&params).await.unwrap_err();
        assert!(matches!(error, Error::BadRequest(_)), "{error:?}");
    }
}

#[tokio::test]
async fn a_version_of_the_future() {
    let future = ListParams::default().at("1000000").matching(VersionMatch::NotOlderThan);
    let Err(Error::Timeout { retry_after, .. }) = ats(&server()).list_with(&future).await else {
        panic!("an answer from the future")
    };
    assert!(retry_after.is_some());
}

#[tokio::test]
async fn a_missing_namespace() {
    let server = kube_codegen_apiserver::ApiServer::builder()
        .register(kube_codegen_apiserver::Registration::of::<At>())
        .require_namespaces()
        .build();
    let ats = ResourceClient::<At>::namespaced(server.client(), "nowhere");
    let error = ats.create(&At::new("a", "noon")).await.unwrap_err();
    assert!(matches!(error, Error::NotFound(_)), "{error:?}");
}
