//! Indexes: complete from the start, and in step whatever their functions do.

use std::{
    hash::{Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::{object::ObjectKey, store::store};

use super::support::{object, relist, value};

#[test]
fn an_object_is_found_under_each_of_its_values() {
    let (reader, mut writer) = store::<ConfigMap>();
    let letters =
        reader.add_index("letters", |object: &ConfigMap| value(object).chars().collect::<Vec<_>>()).unwrap();
    writer.put_object(object("a", "one", "xyx"));
    writer.put_object(object("a", "two", "y"));
    assert_eq!((letters.count(&'x'), letters.get(&'y').len(), letters.keys_of(&'z').len()), (1, 2, 0));
    writer.put_object(object("a", "one", "z"));
    assert_eq!((letters.count(&'x'), letters.count(&'y'), letters.count(&'z')), (0, 1, 1));
    let mut keys = letters.keys();
    keys.sort_unstable();
    assert_eq!(keys, ['y', 'z'], "values without objects are gone");
    assert_eq!(letters.name(), "letters");
}

#[test]
fn c049_an_index_function_that_panics_leaves_nothing_behind() {
    let (reader, mut writer) = store::<ConfigMap>();
    let index = reader
        .add_index("value", |object: &ConfigMap| {
            let value = value(object);
            assert!(!value.contains('!'), "no");
            [value]
        })
        .unwrap();
    writer.put_object(object("a", "one", "x"));
    writer.put_object(object("a", "one", "x!"));
    assert_eq!(index.get("x").len(), 0, "the old value no longer holds");
    assert_eq!(reader.len(), 1, "the object is there");
    writer.put_object(object("a", "one", "y"));
    assert_eq!(index.get("y").len(), 1);
    relist(&mut writer, [object("a", "one", "!"), object("a", "two", "x")], "1");
    assert_eq!((index.get("x").len(), index.keys().len()), (1, 1));
    for name in ["one", "two"] {
        writer.remove(&ObjectKey::new("a", name), None);
    }
    assert!(index.keys().is_empty() && index.get("x").is_empty());
}

#[test]
fn c049_an_index_function_may_say_what_it_likes() {
    let (reader, mut writer) = store::<ConfigMap>();
    let calls = AtomicUsize::new(0);
    let index = reader.add_index("calls", move |_| [calls.fetch_add(1, Ordering::Relaxed)]).unwrap();
    for round in 0..10 {
        writer.put_object(object("a", "one", &round.to_string()));
        assert_eq!((index.keys().len(), index.get(&round).len()), (1, 1));
    }
    writer.remove(&ObjectKey::new("a", "one"), None);
    assert!(index.keys().is_empty());
}

/// A value that is not even equal to itself, and sometimes refuses to be compared.
#[derive(Clone, Debug)]
struct Odd(&'static str);

impl PartialEq for Odd {
    fn eq(&self, _: &Self) -> bool {
        assert_ne!(self.0, "panics");
        false
    }
}

impl Eq for Odd {}

impl Hash for Odd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        0.hash(state);
    }
}

#[test]
fn c049_values_that_cannot_be_compared_leave_nothing_behind() {
    for odd in ["differs", "panics"] {
        let (reader, mut writer) = store::<ConfigMap>();
        let index = reader.add_index("odd", move |_| [Odd(odd)]).unwrap();
        for name in ["one", "two", "one", "two"] {
            writer.put_object(object("a", name, "x"));
        }
        assert!(index.keys().len() <= 2);
        assert_eq!(reader.len(), 2);
        for name in ["one", "two"] {
            writer.remove(&ObjectKey::new("a", name), None);
        }
        assert!(index.keys().is_empty(), "{odd}");
    }
}

/// 1,000 objects that stay as they are, "still" by their value, and 1,000 that a writer changes all the time.
fn still_and_moving() -> impl Iterator<Item = ConfigMap> {
    let still = (0..1000).map(|number| object("a", &format!("still-{number}"), "still"));
    still.chain((0..1000).map(|number| object("a", &format!("moving-{number}"), "0")))
}

#[test]
fn c050_an_index_added_while_writes_go_on_is_complete_at_once() {
    let (reader, mut writer) = store::<ConfigMap>();
    relist(&mut writer, still_and_moving(), "1");
    let stop = Arc::new(AtomicBool::new(false));
    let writing = {
        let stop = Arc::clone(&stop);
        thread::spawn(move || {
            for round in 1.. {
                let name = format!("moving-{}", round % 1000);
                writer.put_object(object("a", &name, &(round % 7).to_string()));
                if round % 5000 == 0 {
                    relist(&mut writer, still_and_moving(), "1");
                }
                if stop.load(Ordering::Relaxed) {
                    return;
                }
            }
        })
    };
    for number in 0..8 {
        let name = format!("index-{number}");
        let index = reader.add_index(&name, |object: &ConfigMap| [value(object)]).unwrap();
        let taken = reader.add_index(&name, |_| [1]).unwrap_err();
        assert_eq!(taken.name, name);
        for _ in 0..20 {
            assert_eq!(index.get("still").len(), 1000);
            let found = index.get("3");
            let names: std::collections::BTreeSet<_> =
                found.iter().map(|object| &object.metadata.name).collect();
            assert_eq!(names.len(), found.len(), "an object is found twice");
        }
    }
    stop.store(true, Ordering::Relaxed);
    writing.join().unwrap();
    let indexed = reader.add_index("last", |object: &ConfigMap| [value(object)]).unwrap();
    assert_eq!(indexed.keys().iter().map(|value| indexed.count(value)).sum::<usize>(), 2000);
}
