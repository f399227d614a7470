//! Filters: each row is an event and what the filters say of it.

use std::sync::Arc;

use k8s_openapi::{api::core::v1::ConfigMap, apimachinery::pkg::apis::meta::v1::ObjectMeta};
use kube_codegen_runtime::{
    controller::filter::{self, Filter},
    informer::Event,
    object::ObjectKey,
};
use serde_json::{Value, json};

fn object(meta: &Value) -> Arc<ConfigMap> {
    let mut whole =
        json!({"name": "a", "namespace": "default", "uid": "u1", "generation": 1, "resourceVersion": "1"});
    for (key, value) in meta.as_object().unwrap() {
        whole[key] = value.clone();
    }
    let metadata: ObjectMeta = serde_json::from_value(whole).unwrap();
    Arc::new(ConfigMap { metadata, ..ConfigMap::default() })
}

fn updated(new: &Value) -> Event<ConfigMap> {
    Event::Updated { old: object(&json!({})), new: object(new) }
}

fn verdicts(event: &Event<ConfigMap>) -> [bool; 4] {
    let filters: [Filter<ConfigMap>; 4] =
        [filter::generation(), filter::labels(), filter::annotations(), filter::resource_version()];
    filters.map(|filter| filter.passes(event))
}

#[test]
fn each_filter_looks_at_its_part() {
    let table = [
        (json!({}), [false, false, false, false]),
        (json!({"resourceVersion": "2"}), [false, false, false, true]),
        (json!({"resourceVersion": "2", "generation": 2}), [true, false, false, true]),
        (json!({"resourceVersion": "2", "labels": {"a": "b"}}), [false, true, false, true]),
        (json!({"resourceVersion": "2", "annotations": {"a": "b"}}), [false, false, true, true]),
        // Kinds without generations hide nothing.
        (json!({"resourceVersion": "2", "generation": null}), [true, false, false, true]),
        // Another object under the same name, though the generation is the same (kube-rs 1830).
        (json!({"uid": "u2", "resourceVersion": "9"}), [true, true, true, true]),
        // The beginning of a deletion, though the generation is the same.
        (
            json!({"deletionTimestamp": "2026-01-01T00:00:00Z", "resourceVersion": "2"}),
            [true, true, true, true],
        ),
    ];
    for (new, expected) in table {
        assert_eq!(verdicts(&updated(&new)), expected, "{new}");
    }
}

#[test]
fn additions_and_deletions_pass() {
    let added = Event::Added { object: object(&json!({})), initial: true };
    let key = ObjectKey::new("default", "a");
    let deleted = Event::Deleted { key: key.clone(), last: Some(object(&json!({}))), missed: false };
    let unknown = Event::Deleted { key, last: None, missed: true };
    for event in [added, deleted, unknown] {
        assert_eq!(verdicts(&event), [true; 4], "{event:?}");
    }
}

#[test]
fn filters_are_joined_like_the_words_they_are() {
    let labelled = updated(&json!({"labels": {"a": "b"}}));
    let (yes, no) = (filter::new(|_: &ConfigMap| true), filter::new(|_: &ConfigMap| false));
    for (filter, expected) in [
        (filter::generation().or(filter::labels()), true),
        (filter::generation().and(filter::labels()), false),
        (filter::generation().not(), true),
        (filter::labels().and(yes.clone()), true),
        (filter::labels().and(no.clone()), false),
        (no.clone().or(no.clone()), false),
        (no.or(yes), true),
    ] {
        assert_eq!(filter.passes(&labelled), expected);
    }
}

#[test]
fn a_selector_passes_what_matches_and_what_ceases_to() {
    use kube::core::Expression;
    let wanted = filter::selector::<ConfigMap>(Expression::Equal("tier".to_owned(), "web".to_owned()).into());
    let labelled = |value: &str| object(&json!({"labels": {"tier": value}}));
    let update = |old: &str, new: &str| Event::Updated { old: labelled(old), new: labelled(new) };
    assert!(wanted.passes(&update("db", "web")) && wanted.passes(&update("web", "db")));
    assert!(!wanted.passes(&update("db", "cache")));
    assert!(wanted.passes(&Event::Added { object: labelled("web"), initial: true }));
    assert!(!wanted.passes(&Event::Added { object: labelled("db"), initial: false }));
}
