//! What other fakes got wrong with objects, by number.

use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::{
    Api, ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, Preconditions},
};
use kube_codegen_apiserver::testing::Fake;
use serde_json::{Value, json};

use super::{
    code, create, data, fake, map, maps, pod, pods,
    types::{self, At, AtStatus, Gateway},
    ways::Way,
};

fn ats(fake: &Fake) -> Api<At> {
    Api::namespaced(fake.client(), "default")
}

fn phase(at: &At) -> &str {
    &at.status.as_ref().unwrap().phase
}

async fn names(pods: &Api<Pod>, selector: &str) -> kube::Result<Vec<String>> {
    let list = pods.list(&ListParams::default().fields(selector)).await?;
    Ok(list.iter().map(ResourceExt::name_any).collect())
}

async fn c023_the_plural_is_the_registered_one(way: Way) {
    let fake = way.to(Fake::new(types::registrations(), [Gateway::new("edge").into()])).await;
    let gateways: Api<Gateway> = Api::namespaced(fake.client(), "default");
    assert_eq!(gateways.get("edge").await.unwrap().name_any(), "edge");
    assert_eq!(gateways.list(&ListParams::default()).await.unwrap().items.len(), 1);
    assert_eq!(fake.actions(), ["get gateways default/edge", "list gateways default"]);
}

async fn c025_field_selectors_select_or_fail(way: Way) {
    let fake = way.to(fake()).await;
    for (name, node) in [("a", "one"), ("b", "one"), ("c", "two")] {
        create(&pods(&fake), &pod(name, node)).await;
    }
    let pods = pods(&fake);
    assert_eq!(names(&pods, "metadata.name=c").await.unwrap(), ["c"]);
    assert_eq!(names(&pods, "spec.nodeName=one").await.unwrap(), ["a", "b"]);
    assert_eq!(names(&pods, "spec.nodeName!=two").await.unwrap(), ["a", "b"]);
    assert_eq!(names(&pods, "metadata.namespace=default").await.unwrap().len(), 3);
    assert_eq!(code(names(&pods, "spec.hostname=x").await), 400);
}

async fn c030_generated_names_differ_and_are_legal(way: Way) {
    let fake = way.to(fake()).await;
    let mut map = map("");
    map.metadata.name = None;
    map.metadata.generate_name = Some("settings-".into());
    let mut names = std::collections::BTreeSet::new();
    for _ in 0..1000 {
        let created = create(&maps(&fake), &map).await;
        assert!(created.uid().is_some() && created.creation_timestamp().is_some());
        let name = created.name_any();
        assert!(name.starts_with("settings-") && name.len() == "settings-".len() + 5, "{name}");
        assert!(names.insert(name));
    }
    for length in [58, 59, 63, 64, 250, 253] {
        map.metadata.generate_name = Some("a".repeat(length));
        let name = create(&maps(&fake), &map).await.name_any();
        assert!(name.len() <= 63 && name.starts_with(&"a".repeat(58)), "{length}: {name}");
    }
    map.metadata.name = Some("given".into());
    assert_eq!(create(&maps(&fake), &map).await.name_any(), "given");
    // A prefix that is longer than any name is refused, as kube-apiserver 1.37 does: it looks at the prefix before it shortens it.
    map.metadata.generate_name = Some("a".repeat(300));
    map.metadata.name = None;
    assert_eq!(code(maps(&fake).create(&PostParams::default(), &map).await), 422);
}

async fn c031_a_stale_update_is_a_conflict(way: Way) {
    let fake = way.to(Fake::new([], [map("seeded").into()])).await;
    let maps = maps(&fake);
    let params = PostParams::default();
    let (mut first, mut second) = (maps.get("seeded").await.unwrap(), maps.get("seeded").await.unwrap());
    assert!(first.resource_version().is_some_and(|version| version != "0"));
    first.labels_mut().insert("a".into(), "1".into());
    second.labels_mut().insert("a".into(), "2".into());
    let written = maps.replace("seeded", &params, &first).await.unwrap();
    assert_eq!(code(maps.replace("seeded", &params, &second).await), 409);
    assert_eq!(maps.get("seeded").await.unwrap().labels()["a"], "1");
    let again = maps.replace("seeded", &params, &written).await.unwrap();
    assert_eq!(
        again.resource_version(),
        written.resource_version(),
        "an update without a change made a version"
    );
    let mut versioned = map("new");
    versioned.metadata.resource_version = written.resource_version();
    assert!(maps.create(&params, &versioned).await.is_err());
    assert_eq!(code(maps.get("new").await), 404);
}

async fn c032_status_and_the_rest_are_written_apart(way: Way) {
    let fake = way.to(fake()).await;
    let ats = ats(&fake);
    let params = PostParams::default();
    let mut at = At::new("a");
    at.labels_mut().insert("team".into(), "x".into());
    let mut at = create(&ats, &at).await;
    at.spec.command.clear();
    at.labels_mut().clear();
    at.status = Some(AtStatus { phase: "DONE".into() });
    let mut at = ats.replace_status("a", &params, &at).await.unwrap();
    assert_eq!((at.spec.command.as_str(), at.labels().len()), ("echo", 1));
    assert_eq!(at.status.as_ref().unwrap().phase, "DONE");
    at.status = None;
    at.spec.command = "sleep".into();
    let at = ats.replace("a", &params, &at).await.unwrap();
    assert_eq!((at.spec.command.as_str(), at.status.unwrap().phase.as_str()), ("sleep", "DONE"));
    // A kind without a status part has no such path.
    let gateways: Api<Gateway> = Api::namespaced(fake.client(), "default");
    let gateway = create(&gateways, &Gateway::new("g")).await;
    assert_eq!(code(gateways.replace_status("g", &params, &gateway).await), 404);
}

async fn c039_preconditions_of_a_deletion_count(way: Way) {
    let fake = way.to(fake()).await;
    let maps = maps(&fake);
    let old = create(&maps, &map("a")).await;
    let new = maps.patch("a", &PatchParams::default(), &Patch::Merge(data("k", "v"))).await.unwrap();
    let delete = async |uid: Option<String>, version: Option<String>| {
        let preconditions = Some(Preconditions { uid, resource_version: version });
        maps.delete("a", &DeleteParams { preconditions, ..DeleteParams::default() }).await.map(|_| ())
    };
    assert_eq!(code(delete(Some("another".into()), None).await), 409);
    assert_eq!(code(delete(old.uid(), old.resource_version()).await), 409);
    assert!(maps.get("a").await.is_ok());
    delete(new.uid(), new.resource_version()).await.unwrap();
    assert_eq!(code(maps.get("a").await), 404);
}

async fn c086_patches_of_status_and_the_rest_are_apart_too(way: Way) {
    let fake = way.to(fake()).await;
    let ats = ats(&fake);
    create(&ats, &At::new("a")).await;
    let both = |value: &str| -> Patch<Value> {
        Patch::Merge(json!({"metadata": {"annotations": {"note": value}}, "status": {"phase": value}}))
    };
    let at = ats.patch_status("a", &PatchParams::default(), &both("one")).await.unwrap();
    assert_eq!((at.annotations().len(), phase(&at)), (0, "one"));
    let at = ats.patch("a", &PatchParams::default(), &both("two")).await.unwrap();
    assert_eq!((at.annotations()["note"].as_str(), phase(&at)), ("two", "one"));
}

async fn what_a_fake_holds_is_what_its_server_holds(way: Way) {
    let fake = way.to(fake()).await;
    create(&maps(&fake), &map("a")).await;
    let direct: Api<ConfigMap> = Api::namespaced(fake.server().client(), "default");
    assert_eq!(direct.get("a").await.unwrap(), maps(&fake).get("a").await.unwrap());
}

on_both_ways!(
    c023_the_plural_is_the_registered_one,
    c025_field_selectors_select_or_fail,
    c030_generated_names_differ_and_are_legal,
    c031_a_stale_update_is_a_conflict,
    c032_status_and_the_rest_are_written_apart,
    c039_preconditions_of_a_deletion_count,
    c086_patches_of_status_and_the_rest_are_apart_too,
    what_a_fake_holds_is_what_its_server_holds,
);
