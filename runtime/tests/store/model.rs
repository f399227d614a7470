//! Random operations on a store with indexes, beside maps that are searched.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::{
    object::ObjectKey,
    store::{Index, ResourceVersion, Store, Writer, store},
};
use proptest::prelude::*;

use super::support::{object, packed, value};

type Key = (u8, u8);

#[derive(Clone, Debug)]
enum Operation {
    Put {
        key: Key,
        value: String,
        packed: bool,
    },
    Remove(Key),
    Relist(Vec<(Key, String)>),
    AddIndex,
    /// Keeps a list, which later operations may not change.
    Hold,
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let key = || (0..4_u8, 0..12_u8);
    let value = || "[abc!]{0,3}";
    let operation = prop_oneof![
        10 => (key(), value(), any::<bool>()).prop_map(|(key, value, packed)| Operation::Put { key, value, packed }),
        6 => key().prop_map(Operation::Remove),
        1 => prop::collection::vec((key(), value()), 0..200).prop_map(Operation::Relist),
        1 => Just(Operation::AddIndex),
        1 => Just(Operation::Hold),
    ];
    prop::collection::vec(operation, 1..300)
}

fn parts((namespace, name): Key) -> (String, String) {
    let namespace = if namespace == 0 { String::new() } else { format!("namespace-{namespace}") };
    (namespace, format!("name-{name}"))
}

fn make(key: Key, value: &str) -> ConfigMap {
    let (namespace, name) = parts(key);
    object(&namespace, &name, value)
}

/// The letters of the value; panics on an exclamation mark.
fn letters(object: &ConfigMap) -> Vec<char> {
    let value = value(object);
    assert!(!value.contains('!'), "as told");
    value.chars().collect()
}

/// The index functions panic thousands of times, as they are meant to; nobody needs to read of that.
fn hush() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if panic.payload_as_str() != Some("as told") {
                loud(panic);
            }
        }));
    });
}

struct World {
    reader: Store<ConfigMap>,
    writer: Writer<ConfigMap>,
    indexes: Vec<Index<ConfigMap, char>>,
    model: BTreeMap<Key, String>,
    held: Vec<(Vec<String>, Vec<std::sync::Arc<ConfigMap>>)>,
}

impl World {
    fn perform(&mut self, operation: Operation) {
        match operation {
            Operation::Put { key, value, packed: pack } => {
                let object = make(key, &value);
                let entry = if pack { packed(&object) } else { object.clone().into() };
                let before = self.writer.put(ObjectKey::of(&object), entry, None);
                let before = before.map(|entry| super::support::value(&entry.object().unwrap()));
                assert_eq!(before, self.model.insert(key, value));
            }
            Operation::Remove(key) => {
                let (namespace, name) = parts(key);
                let before = self.writer.remove(&ObjectKey::new(&namespace, &name), None);
                assert_eq!(before.is_some(), self.model.remove(&key).is_some());
            }
            Operation::Relist(objects) => {
                let mut list = self.writer.replacement();
                for (key, value) in &objects {
                    let object = make(*key, value);
                    list.put(ObjectKey::of(&object), object.into());
                }
                self.model = objects.into_iter().collect();
                assert_eq!(list.len(), self.model.len());
                drop(self.writer.commit(list, ResourceVersion::from("1")));
            }
            Operation::AddIndex => {
                let name = self.indexes.len().to_string();
                self.indexes.push(self.reader.add_index(&name, letters).unwrap());
            }
            Operation::Hold => {
                let list = self.reader.list();
                self.held.push((list.iter().map(|object| value(object)).collect(), list));
            }
        }
    }

    fn check(&self) {
        let key = |object: &ConfigMap| ObjectKey::of(object).to_string();
        let model_key = |model: Key| {
            let (namespace, name) = parts(model);
            ObjectKey::new(&namespace, &name).to_string()
        };
        let expected: BTreeMap<String, String> =
            self.model.iter().map(|(model, value)| (model_key(*model), value.clone())).collect();
        let found: BTreeMap<String, String> =
            self.reader.list().iter().map(|object| (key(object), value(object))).collect();
        assert_eq!(found, expected);
        assert_eq!(self.reader.len(), expected.len());
        for number in 0..4 {
            let (namespace, _) = parts((number, 0));
            let expected: BTreeSet<String> = self
                .model
                .keys()
                .filter(|model| model.0 == number && number > 0)
                .map(|key| model_key(*key))
                .collect();
            let found = self.reader.list_namespace(&namespace);
            assert_eq!(found.len(), expected.len());
            assert_eq!(found.iter().map(|object| key(object)).collect::<BTreeSet<_>>(), expected);
        }
        for index in &self.indexes {
            for letter in ['a', 'b', 'c'] {
                let has = |value: &String| !value.contains('!') && value.contains(letter);
                let expected: BTreeSet<String> = self
                    .model
                    .iter()
                    .filter(|(_, value)| has(value))
                    .map(|(key, _)| model_key(*key))
                    .collect();
                let found = index.get(&letter);
                assert_eq!(found.len(), expected.len());
                assert_eq!(found.iter().map(|object| key(object)).collect::<BTreeSet<_>>(), expected);
            }
        }
        for (values, list) in &self.held {
            assert_eq!(*values, list.iter().map(|object| value(object)).collect::<Vec<_>>());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_store_with_indexes_is_as_good_as_searching(operations in operations()) {
        hush();
        let (reader, writer) = store();
        let mut world =
            World { reader, writer, indexes: Vec::new(), model: BTreeMap::new(), held: Vec::new() };
        let every = operations.len() / 8 + 1;
        for (number, operation) in operations.into_iter().enumerate() {
            world.perform(operation);
            // Reading decodes packed objects and shares them; not reading is another path.
            if number % every == 0 {
                world.check();
            }
        }
        world.check();
    }
}
