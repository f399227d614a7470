//! Who should have which shard.
//!
//! In: the replicas that live, and who has what. Out: who should have what. Never: a move that does not even things out, or an answer that
//! depends on who asks.

use std::collections::{BTreeMap, BTreeSet};

/// Shares `shards` shards among members so that no two have numbers that differ by more than one, and so that as few as can be move from
/// where they are. Without members nobody has any.
#[must_use]
pub fn assign(
    shards: u32,
    members: &BTreeSet<String>,
    holders: &BTreeMap<u32, String>,
) -> BTreeMap<u32, String> {
    let Some(count) = u32::try_from(members.len()).ok().filter(|count| *count > 0) else {
        return BTreeMap::new();
    };
    let (least, more) = (shards / count, shards % count);
    let mut has: BTreeMap<&str, Vec<u32>> =
        members.iter().map(|member| (member.as_str(), Vec::new())).collect();
    for (shard, holder) in holders {
        if let Some(held) = has.get_mut(holder.as_str()).filter(|_| *shard < shards) {
            held.push(*shard);
        }
    }
    // Who has most keeps one more than others, so that less moves.
    let mut order: Vec<&str> = has.keys().copied().collect();
    order.sort_by_key(|member| std::cmp::Reverse(has.get(member).map_or(0, Vec::len)));
    let mut assigned = BTreeMap::new();
    let mut room = Vec::new();
    for (place, member) in (0..count).zip(order) {
        let quota = least + u32::from(place < more);
        let held = has.remove(member).unwrap_or_default();
        let kept = held.into_iter().take(usize::try_from(quota).unwrap_or(usize::MAX));
        let before = assigned.len();
        assigned.extend(kept.map(|shard| (shard, member.to_owned())));
        let kept = u32::try_from(assigned.len() - before).unwrap_or(quota);
        room.extend((kept..quota).map(|_| member));
    }
    let free: Vec<u32> = (0..shards).filter(|shard| !assigned.contains_key(shard)).collect();
    assigned.extend(free.into_iter().zip(room).map(|(shard, member)| (shard, member.to_owned())));
    assigned
}
