//! Every order in which an owner can be deleted and its children made, with the collector at work between any two: all end as a cluster does.

use std::collections::BTreeSet;

use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::{MAPS, blocking, create, exists, http::send, metadata, reference, stepped};

/// What a client does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    /// Makes a child of the owner, which blocks or does not.
    Child(&'static str, bool),
    /// Deletes the owner.
    Delete(&'static str),
    /// Deletes a child.
    End(&'static str),
}

/// What a client does, each with how many steps of the collector follow.
type Order = [(Act, usize)];

/// Does it; what is refused because nothing is there is no matter.
fn act(server: &ApiServer, act: Act, owner: &str) {
    match act {
        Act::Child(name, blocks) => {
            let owner = if blocks { blocking("owner", owner) } else { reference("owner", owner) };
            create(server, name, &[owner]);
        }
        Act::Delete(policy) => {
            send(server, "DELETE", &format!("{MAPS}/owner"), &json!({"propagationPolicy": policy}));
        }
        Act::End(name) => {
            send(server, "DELETE", &format!("{MAPS}/{name}"), &Value::Null);
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

fn explore(acts: &[Act], check: impl Fn(&ApiServer, &Order)) {
    let mut runs = 0;
    orders(acts, &mut Vec::new(), &mut |order| {
        let server = stepped();
        let owner = create(&server, "owner", &[]);
        for (next, steps) in order {
            act(&server, *next, &owner);
            (0..*steps).all(|_| server.step());
        }
        server.settle();
        check(&server, order);
        runs += 1;
    });
    assert!(runs > 100);
}

#[test]
fn whatever_comes_first_no_child_outlives_its_owner() {
    for policy in ["Background", "Foreground"] {
        let acts = [Act::Delete(policy), Act::Child("one", true), Act::Child("two", false)];
        explore(&acts, |server, order| {
            let left: BTreeSet<&str> =
                ["owner", "one", "two"].into_iter().filter(|name| exists(server, name)).collect();
            assert_eq!(left, BTreeSet::new(), "{order:?}");
        });
    }
}

#[test]
fn children_that_were_there_are_let_go_and_late_ones_are_not_left_with_a_ghost() {
    let acts = [Act::Delete("Orphan"), Act::Child("one", true), Act::Child("two", false)];
    explore(&acts, |server, order| {
        assert!(!exists(server, "owner"), "{order:?}");
        let deleted = order.iter().position(|(act, _)| *act == Act::Delete("Orphan")).unwrap();
        for (index, (act, _)) in order.iter().enumerate() {
            let Act::Child(name, _) = act else { continue };
            match exists(server, name) {
                true => assert_eq!(metadata(server, name)["ownerReferences"], Value::Null, "{order:?}"),
                false => assert!(index > deleted, "{name} was there before the deletion: {order:?}"),
            }
        }
    });
}

#[test]
fn a_child_that_ends_by_itself_frees_its_owner() {
    let acts = [Act::Delete("Foreground"), Act::Child("one", true), Act::End("one")];
    explore(&acts, |server, order| {
        let ends_last = order.iter().position(|(act, _)| *act == Act::End("one"))
            > order.iter().position(|(act, _)| matches!(act, Act::Child(..)));
        assert!(!exists(server, "owner"), "{order:?}");
        assert!(!exists(server, "one"), "{ends_last} {order:?}");
    });
}
