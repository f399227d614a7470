//! Who should have which shard: even, complete, and no moves for nothing.

use std::collections::{BTreeMap, BTreeSet};

use kube_codegen_runtime::sharding::assign;
use proptest::prelude::*;

fn counts(assigned: &BTreeMap<u32, String>, members: &BTreeSet<String>) -> Vec<usize> {
    members.iter().map(|member| assigned.values().filter(|holder| *holder == member).count()).collect()
}

proptest! {
    #[test]
    fn shares_are_even_and_stable(
        shards in 1..40_u32,
        members in prop::collection::btree_set("[a-h]", 1..8),
        holders in prop::collection::btree_map(0..50_u32, "[a-j]", 0..50),
    ) {
        let assigned = assign(shards, &members, &holders);
        prop_assert_eq!(assigned.keys().copied().collect::<Vec<_>>(), (0..shards).collect::<Vec<_>>());
        let counts = counts(&assigned, &members);
        let (least, most) = (*counts.iter().min().unwrap(), *counts.iter().max().unwrap());
        prop_assert!(most - least <= 1, "{:?}", counts);
        // What it says once it says again.
        prop_assert_eq!(&assign(shards, &members, &assigned), &assigned);
        // Only what one has too much of, or what is free, moves.
        let held = |member: &String| holders.iter().filter(|(s, m)| **s < shards && *m == member).count();
        for (shard, before) in holders.iter().filter(|(shard, member)| **shard < shards && members.contains(*member)) {
            if assigned[shard] != *before {
                prop_assert!(held(before) > least, "{} moves from {}", shard, before);
            }
        }
    }
}

#[test]
fn a_newcomer_gets_its_share_and_the_rest_stays() {
    let members = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let two = assign(16, &members(&["a", "b"]), &BTreeMap::new());
    let three = assign(16, &members(&["a", "b", "c"]), &two);
    let moved = two.iter().filter(|(shard, holder)| three[*shard] != **holder).count();
    assert_eq!((counts(&three, &members(&["a", "b", "c"])), moved), (vec![6, 5, 5], 5));
    assert!(assign(16, &BTreeSet::new(), &three).is_empty());
}
