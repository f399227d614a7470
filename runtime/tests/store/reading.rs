//! What readers see, and that they never wait.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use k8s_openapi::{
    api::core::v1::{ConfigMap, Namespace},
    apimachinery::pkg::apis::meta::v1::LabelSelector,
};
use kube_codegen_runtime::{
    lister::{ClusterLister, Lister},
    object::ObjectKey,
    store::{ResourceVersion, Selector, store},
};

use super::support::{object, packed, relist, value};

#[test]
fn objects_are_found_by_key_namespace_and_selector() {
    let (reader, mut writer) = store::<ConfigMap>();
    assert_eq!(reader.resource_version(), None);
    relist(&mut writer, [object("a", "one", "x"), object("a", "two", "y"), object("b", "one", "x")], "7");
    assert_eq!(reader.resource_version().unwrap().to_string(), "7");
    let lister = Lister::new(reader.clone());
    assert_eq!(value(&lister.get("b", "one").unwrap()), "x");
    assert!(lister.get("c", "one").is_none() && lister.get("", "one").is_none());
    assert_eq!(lister.namespace("a").list().len(), 2);
    assert_eq!(value(&lister.namespace("a").get("two").unwrap()), "y");
    let selector: Selector = LabelSelector {
        match_labels: Some([("value".to_owned(), "x".to_owned())].into()),
        match_expressions: None,
    }
    .try_into()
    .unwrap();
    assert_eq!((lister.select(&selector).len(), lister.namespace("a").select(&selector).len()), (2, 1));
    let namespaces: BTreeSet<_> = reader.namespaces().into_iter().collect();
    assert_eq!(namespaces, BTreeSet::from(["a".to_owned(), "b".to_owned()]));
    assert_eq!((reader.len(), reader.keys().len(), reader.list().len()), (3, 3, 3));

    let (reader, mut writer) = store::<Namespace>();
    let mut namespace = Namespace::default();
    namespace.metadata.name = Some("a".to_owned());
    writer.put_object(namespace);
    assert!(ClusterLister::new(reader.clone()).get("a").is_some());
    assert!(reader.namespaces().is_empty());
}

/// Short keys lie beside their objects, long ones elsewhere.
#[test]
fn keys_of_every_length_are_found_and_given_back() {
    let (reader, mut writer) = store::<ConfigMap>();
    let name = |len: usize| "n".repeat(len);
    for len in 1..=253 {
        writer.put_object(object("team", &name(len), &len.to_string()));
        writer.put_object(object("", &name(len), "no namespace"));
    }
    for len in 1..=253 {
        assert_eq!(value(&reader.get_named("team", &name(len)).unwrap()), len.to_string());
        assert_eq!(reader.with(&ObjectKey::cluster(&name(len)), value), Some("no namespace".to_owned()));
    }
    assert!(!reader.contains(&ObjectKey::new("team", &name(254))));
    let keys: BTreeSet<ObjectKey> = reader.keys().into_iter().collect();
    let expected =
        (1..=253).flat_map(|len| [ObjectKey::new("team", &name(len)), ObjectKey::cluster(&name(len))]);
    assert_eq!(keys, expected.collect());
    for key in keys {
        assert!(writer.remove(&key, None).is_some());
    }
    assert!(reader.is_empty());
}

#[test]
fn an_object_can_be_looked_at_where_it_lies() {
    let (reader, mut writer) = store::<ConfigMap>();
    let key = ObjectKey::new("a", "one");
    assert_eq!(reader.with(&key, value), None);
    writer.put_object(object("a", "one", "x"));
    assert_eq!(reader.with(&key, value), Some("x".to_owned()));
    writer.put(key.clone(), packed(&object("a", "one", "y")), None);
    let in_use = reader.get(&key).unwrap();
    assert!(reader.with(&key, |object| std::ptr::eq(object, &*in_use)).unwrap(), "one copy for all");
    drop(in_use);
    assert_eq!(reader.with(&key, value), Some("y".to_owned()));
    let spoilt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        writer.put_object(object("a", "one", "z"));
        reader.with(&key, |_| panic!("a reader's own fault"))
    }));
    assert!(spoilt.is_err());
    writer.put_object(object("a", "one", "after"));
    assert_eq!(reader.with(&key, value), Some("after".to_owned()));
}

#[test]
fn a_change_gives_back_what_was_there() {
    let (reader, mut writer) = store::<ConfigMap>();
    assert!(writer.put_object(object("a", "one", "x")).is_none());
    let before = writer.put_object(object("a", "one", "y")).unwrap();
    assert_eq!(value(&before.object().unwrap()), "x");
    let key = ObjectKey::new("a", "one");
    assert_eq!(value(&writer.remove(&key, None).unwrap().object().unwrap()), "y");
    assert!(writer.remove(&key, None).is_none());
    assert!(reader.is_empty() && reader.namespaces().is_empty() && reader.list_namespace("a").is_empty());
}

#[test]
fn a_packed_object_that_does_not_decode_is_absent() {
    let (reader, mut writer) = store::<ConfigMap>();
    let index = reader.add_index("value", |object: &ConfigMap| [value(object)]).unwrap();
    let one = object("a", "one", "x");
    writer.put(ObjectKey::of(&one), packed(&one), None);
    assert_eq!(index.get("x").len(), 1);
    let broken = kube_codegen_runtime::store::Entry::packed(b"{\"metadata\":7}", "", None);
    writer.put(ObjectKey::of(&one), broken, None);
    assert!(reader.get(&ObjectKey::of(&one)).is_none() && reader.list().is_empty());
    assert_eq!((index.get("x").len(), index.keys().len()), (0, 0));
}

#[test]
fn a_list_shows_one_moment_and_stays_as_it_was() {
    let (reader, mut writer) = store::<ConfigMap>();
    let stop = Arc::new(AtomicBool::new(false));
    relist(&mut writer, (0..3000).map(|number| object("a", &number.to_string(), "0")), "1");
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (reader, stop) = (reader.clone(), Arc::clone(&stop));
            thread::spawn(move || {
                let mut reads = 0;
                while !stop.load(Ordering::Relaxed) {
                    // Objects are changed in order, from the first to the last, again and again.
                    let mut values: Vec<(usize, usize)> = reader
                        .list_namespace("a")
                        .iter()
                        .map(|object| {
                            let name = object.metadata.name.as_deref().unwrap();
                            (name.parse().unwrap(), value(object).parse().unwrap())
                        })
                        .collect();
                    values.sort_unstable();
                    assert_eq!(values.len(), 3000);
                    let falls = values.windows(2).filter(|pair| pair[1].1 > pair[0].1).count();
                    let steps = values.windows(2).filter(|pair| pair[1].1 != pair[0].1).count();
                    assert!(falls == 0 && steps <= 1, "more than one moment");
                    reads += 1;
                }
                reads
            })
        })
        .collect();
    for round in 1..8 {
        for number in 0..3000 {
            writer.put_object(object("a", &number.to_string(), &round.to_string()));
        }
    }
    stop.store(true, Ordering::Relaxed);
    assert!(readers.into_iter().map(|reader| reader.join().unwrap()).sum::<usize>() > 3);
}

#[test]
fn a_re_list_is_seen_whole_or_not_at_all_and_never_undone() {
    let (reader, mut writer) = store::<ConfigMap>();
    relist(&mut writer, (0..500).map(|number| object("a", &number.to_string(), "1")), "1");
    let index = reader.add_index("value", |object: &ConfigMap| [value(object)]).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let watcher = {
        let (reader, stop) = (reader, Arc::clone(&stop));
        thread::spawn(move || {
            let mut last = 0;
            while !stop.load(Ordering::Relaxed) {
                let version = reader.resource_version().unwrap().number().unwrap();
                let one: u64 = value(&reader.get_named("a", "7").unwrap()).parse().unwrap();
                let all: BTreeSet<_> = reader.list().iter().map(|object| value(object)).collect();
                assert_eq!(all.len(), 1);
                let listed: u64 = all.first().unwrap().parse().unwrap();
                let indexed = index.get(&listed.to_string()).len();
                assert!(indexed == 500 || indexed == 0);
                assert!(last <= version && version <= one && one <= listed, "it went back");
                last = listed;
            }
        })
    };
    for round in 2..60_u64 {
        let objects = (0..500).map(|number| object("a", &number.to_string(), &round.to_string()));
        relist(&mut writer, objects, &round.to_string());
    }
    stop.store(true, Ordering::Relaxed);
    watcher.join().unwrap();
}

#[test]
fn the_memory_of_the_old_state_is_given_back() {
    let (reader, mut writer) = store::<ConfigMap>();
    relist(&mut writer, (0..100).map(|number| object("a", &number.to_string(), "1")), "1");
    let old: Vec<_> = reader.list().iter().map(Arc::downgrade).collect();
    relist(&mut writer, [object("a", "one", "2")], "2");
    assert!(old.iter().all(|object| object.strong_count() == 0));
}

#[test]
fn versions_compare_where_they_are_numbers() {
    let version = ResourceVersion::from;
    assert!(version("9").is_before(&version("10")) && !version("10").is_before(&version("9")));
    assert!(!version("a").is_before(&version("b")) && !version("1").is_before(&version("b")));
    for text in ["0", "7", "007", "+7", "18446744073709551616", "opaque"] {
        assert_eq!(version(text).to_string(), text);
    }
    assert_ne!(version("007"), version("7"));
}
