//! Every order of what clients do and of what the collector does, in small clusters.
//!
//! What must hold whatever came first: nothing points to an owner that is gone, nothing that was to go is left, and nobody waits for ever.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::{
    MAPS, blocking, create, exists,
    http::{get, send},
    metadata, reference, stepped,
};

const POLICIES: [&str; 3] = ["Background", "Foreground", "Orphan"];

/// What a client does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    /// Makes a child of these objects, whose deletion it blocks or does not.
    Child(&'static str, &'static [&'static str], bool),
    /// Deletes an object, with a policy.
    Delete(&'static str, &'static str),
    /// Makes an object without owners.
    Make(&'static str),
    /// Takes all owners from an object.
    Free(&'static str),
}

/// What clients do, each with how many steps of the collector follow.
type Order = [(Act, usize)];

/// A cluster, and the uids that its objects had first.
struct Cluster {
    server: ApiServer,
    uids: RefCell<BTreeMap<&'static str, String>>,
}

impl Cluster {
    fn new(owners: &[&'static str]) -> Self {
        let cluster = Self { server: stepped(), uids: RefCell::default() };
        for owner in owners {
            cluster.make(owner, &[]);
        }
        cluster
    }

    /// Makes an object, if none of that name is there.
    fn make(&self, name: &'static str, owners: &[Value]) {
        if !exists(&self.server, name) {
            let uid = create(&self.server, name, owners);
            self.uids.borrow_mut().entry(name).or_insert(uid);
        }
    }

    /// Does it; what is refused because nothing is there is no matter.
    fn act(&self, act: Act) {
        match act {
            Act::Child(name, owners, blocks) => {
                let refer = if blocks { blocking } else { reference };
                let uids = self.uids.borrow().clone();
                let known = owners.iter().filter_map(|owner| Some(refer(owner, uids.get(owner)?)));
                self.make(name, &known.collect::<Vec<_>>());
            }
            Act::Delete(name, policy) => {
                let options = json!({"propagationPolicy": policy});
                send(&self.server, "DELETE", &format!("{MAPS}/{name}"), &options);
            }
            Act::Make(name) => self.make(name, &[]),
            Act::Free(name) if exists(&self.server, name) => {
                let mut object = get(&self.server, &format!("{MAPS}/{name}")).1;
                object["metadata"]["ownerReferences"] = Value::Null;
                send(&self.server, "PUT", &format!("{MAPS}/{name}"), &object);
            }
            Act::Free(_) => {}
        }
    }

    fn names(&self) -> BTreeSet<String> {
        let list = get(&self.server, MAPS).1;
        let names = list["items"].as_array().unwrap().iter();
        names.map(|object| object["metadata"]["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Nothing is left half done.
    fn check(&self, order: &Order) {
        let list = get(&self.server, MAPS).1;
        let objects = list["items"].as_array().unwrap();
        let uid = |value: &Value| value["uid"].as_str().unwrap().to_owned();
        let uids: BTreeSet<String> = objects.iter().map(|object| uid(&object["metadata"])).collect();
        for object in objects {
            let meta = &object["metadata"];
            assert_eq!(meta["deletionTimestamp"], Value::Null, "{} waits: {order:?}", meta["name"]);
            for owner in meta["ownerReferences"].as_array().into_iter().flatten() {
                assert!(uids.contains(&uid(owner)), "{} of a ghost: {order:?}", meta["name"]);
            }
        }
    }
}

/// Every way to take the acts in any order, each followed by none, one or all steps of the collector.
fn orders(acts: &[Act], taken: &mut Vec<(Act, usize)>, run: &mut dyn FnMut(&Order)) {
    if acts.is_empty() {
        return run(taken);
    }
    for index in 0..acts.len() {
        let mut rest = acts.to_vec();
        let next = rest.remove(index);
        for steps in [0, 1, usize::MAX] {
            taken.push((next, steps));
            orders(&rest, taken, run);
            taken.pop();
        }
    }
}

/// Plays every order of the acts over these owners, and looks at the end of each.
fn explore(owners: &[&'static str], acts: &[Act], check: impl Fn(&Cluster, &Order)) {
    let runs = Cell::new(0_usize);
    orders(acts, &mut Vec::new(), &mut |order| {
        let cluster = Cluster::new(owners);
        for (next, steps) in order {
            cluster.act(*next);
            (0..*steps).all(|_| cluster.server.step());
        }
        cluster.server.settle();
        cluster.check(order);
        check(&cluster, order);
        runs.set(runs.get() + 1);
    });
    let all: usize = (1..=acts.len()).product::<usize>() * 3_usize.pow(u32::try_from(acts.len()).unwrap());
    assert_eq!(runs.get(), all);
}

fn place(order: &Order, wanted: impl Fn(&Act) -> bool) -> usize {
    order.iter().position(|(act, _)| wanted(act)).unwrap()
}

#[test]
fn whatever_comes_first_no_child_outlives_its_owner() {
    for policy in ["Background", "Foreground"] {
        let acts = [
            Act::Delete("owner", policy),
            Act::Child("one", &["owner"], true),
            Act::Child("two", &["owner"], false),
        ];
        explore(&["owner"], &acts, |cluster, order| {
            assert_eq!(cluster.names(), BTreeSet::new(), "{order:?}");
        });
    }
}

#[test]
fn children_that_were_there_are_let_go_and_late_ones_are_not_left_with_a_ghost() {
    let acts = [
        Act::Delete("owner", "Orphan"),
        Act::Child("one", &["owner"], true),
        Act::Child("two", &["owner"], false),
    ];
    explore(&["owner"], &acts, |cluster, order| {
        assert!(!exists(&cluster.server, "owner"), "{order:?}");
        let deleted = place(order, |act| matches!(act, Act::Delete(..)));
        for (index, (act, _)) in order.iter().enumerate() {
            let Act::Child(name, ..) = act else { continue };
            match exists(&cluster.server, name) {
                true => {
                    assert_eq!(metadata(&cluster.server, name)["ownerReferences"], Value::Null, "{order:?}");
                }
                false => assert!(index > deleted, "{name} was there before the deletion: {order:?}"),
            }
        }
    });
}

#[test]
fn a_child_that_ends_by_itself_frees_its_owner() {
    for policy in POLICIES {
        let acts = [
            Act::Delete("owner", policy),
            Act::Child("one", &["owner"], true),
            Act::Delete("one", "Background"),
        ];
        explore(&["owner"], &acts, |cluster, order| {
            assert!(!exists(&cluster.server, "owner"), "{order:?}");
            let ended = place(order, |act| *act == Act::Delete("one", "Background"));
            if policy != "Orphan" || ended > place(order, |act| matches!(act, Act::Child(..))) {
                assert!(!exists(&cluster.server, "one"), "{order:?}");
            }
        });
    }
}

#[test]
fn grandchildren_follow_through_every_generation() {
    for policy in ["Background", "Foreground"] {
        let acts = [
            Act::Delete("owner", policy),
            Act::Child("child", &["owner"], true),
            Act::Child("grandchild", &["child"], true),
        ];
        explore(&["owner"], &acts, |cluster, order| {
            let child = place(order, |act| matches!(act, Act::Child("child", ..)));
            let grandchild = place(order, |act| matches!(act, Act::Child("grandchild", ..)));
            // Without a child to name, it was made without an owner.
            let left = BTreeSet::from_iter((grandchild < child).then(|| "grandchild".to_owned()));
            assert_eq!(cluster.names(), left, "{order:?}");
        });
    }
}

#[test]
fn of_two_owners_both_must_go_and_how_they_go_counts() {
    for first in POLICIES {
        for second in POLICIES {
            let acts = [
                Act::Delete("owner", first),
                Act::Delete("other", second),
                Act::Child("child", &["owner", "other"], true),
            ];
            explore(&["owner", "other"], &acts, |cluster, order| {
                let left = cluster.names();
                let orphans = [first, second].contains(&"Orphan");
                assert!(
                    left.is_empty() || (orphans && left == BTreeSet::from(["child".to_owned()])),
                    "{order:?}"
                );
                let made = place(order, |act| matches!(act, Act::Child(..)));
                if (first, second) == ("Orphan", "Orphan") && made == 0 {
                    assert!(!left.is_empty(), "it was there before: {order:?}");
                }
            });
        }
    }
}

#[test]
fn a_successor_of_the_same_name_owns_nothing_of_its_predecessor() {
    for policy in POLICIES {
        let acts = [Act::Delete("owner", policy), Act::Child("one", &["owner"], true), Act::Make("owner")];
        explore(&["owner"], &acts, |cluster, order| {
            let deleted = place(order, |act| matches!(act, Act::Delete(..)));
            let made = place(order, |act| matches!(act, Act::Make(..)));
            if made < deleted {
                assert!(!exists(&cluster.server, "owner"), "{order:?}");
            }
            if policy != "Orphan" {
                assert!(!exists(&cluster.server, "one"), "{order:?}");
            }
        });
    }
}

#[test]
fn a_child_that_was_freed_in_time_stays() {
    for policy in POLICIES {
        let acts = [Act::Delete("owner", policy), Act::Child("one", &["owner"], true), Act::Free("one")];
        explore(&["owner"], &acts, |cluster, order| {
            let deleted = place(order, |act| matches!(act, Act::Delete(..)));
            let made = place(order, |act| matches!(act, Act::Child(..)));
            let freed = place(order, |act| matches!(act, Act::Free(..)));
            assert!(!exists(&cluster.server, "owner"), "{order:?}");
            if made < freed && freed < deleted {
                assert!(exists(&cluster.server, "one"), "{order:?}");
            }
        });
    }
}

#[test]
fn two_that_own_each_other_go_together() {
    for policy in ["Background", "Foreground"] {
        let acts = [
            Act::Child("child", &["owner"], true),
            Act::Delete("owner", policy),
            Act::Child("late", &["owner", "child"], true),
        ];
        explore(&["owner"], &acts, |cluster, order| {
            let late = place(order, |act| matches!(act, Act::Child("late", ..)));
            let deleted = place(order, |act| matches!(act, Act::Delete(..)));
            if late > 0 || deleted > 0 {
                assert!(!exists(&cluster.server, "owner") && !exists(&cluster.server, "child"), "{order:?}");
            }
            assert!(!exists(&cluster.server, "late"), "{order:?}");
        });
    }
}
