//! Urgent keys first, and none of the others for ever last.

use kube_codegen_runtime::workqueue::{AddOptions, Priority, WorkQueue};

use super::{ms, next, poll_get};

fn drain(queue: &WorkQueue<u32>) -> Vec<u32> {
    std::iter::from_fn(|| next(queue)).collect()
}

#[tokio::test(start_paused = true)]
async fn higher_priorities_go_first_and_equal_ones_in_their_order() {
    let queue = WorkQueue::default();
    queue.add_all_with([1, 2, 3], Priority::LOW.into());
    queue.add_all([4, 5]);
    queue.add_with(6, Priority::new(10).into());
    assert_eq!(queue.depths(), [(Priority::NORMAL, 2), (Priority::LOW, 3), (Priority::new(10), 1)]);
    assert_eq!(drain(&queue), [6, 4, 5, 1, 2, 3]);
    assert_eq!(queue.depths(), [(Priority::NORMAL, 0)]);
}

#[tokio::test(start_paused = true)]
async fn of_two_requests_the_higher_priority_counts() {
    let queue = WorkQueue::default();
    queue.add_all_with([1, 2], Priority::LOW.into());
    queue.add(3);
    queue.add(2);
    queue.add_with(2, Priority::LOW.into());
    assert_eq!(queue.len(), 3);
    assert_eq!(drain(&queue), [3, 2, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_later_request_keeps_its_priority_and_further_runs_that_of_their_item() {
    let queue = WorkQueue::default();
    queue.add_with(1, AddOptions::from(Priority::LOW).after(ms(10)));
    queue.add_with(1, AddOptions::from(Priority::new(5)).after(ms(20)));
    queue.add_after(2, ms(10));
    tokio::time::advance(ms(10)).await;
    let item = poll_get(&queue).flatten().unwrap();
    assert_eq!((*item, item.priority()), (1, Priority::new(5)), "the earliest time, the highest priority");
    // Asked for in the meantime, less urgently.
    queue.add_with(1, Priority::LOW.into());
    item.requeue_after(ms(30));
    assert_eq!(next(&queue), Some(2));
    let again = poll_get(&queue).flatten().unwrap();
    assert_eq!((*again, again.priority()), (1, Priority::LOW));
    drop(again);
    tokio::time::advance(ms(30)).await;
    let delayed = poll_get(&queue).flatten().unwrap();
    assert_eq!((*delayed, delayed.priority()), (1, Priority::new(5)));
    delayed.with_priority(Priority::LOW).requeue();
    assert_eq!(queue.depths(), [(Priority::NORMAL, 0), (Priority::LOW, 1)]);
}

/// However many urgent keys come, every sixteenth run is that of who has waited longest.
#[tokio::test(start_paused = true)]
async fn nobody_starves() {
    let queue = WorkQueue::default();
    queue.add_all_with(0..10, Priority::LOW.into());
    let mut seen = Vec::new();
    for urgent in 100..260 {
        queue.add(urgent);
        seen.extend(next(&queue));
    }
    let low: Vec<u32> = seen.iter().copied().filter(|key| *key < 100).collect();
    assert_eq!(low, (0..10).collect::<Vec<_>>());
}

/// Keys whose priority rises and falls leave nothing behind.
#[tokio::test(start_paused = true)]
async fn entries_of_the_past_do_not_heap_up() {
    let queue = WorkQueue::default();
    queue.add_with(0, Priority::LOW.into());
    for round in 0..1_000 {
        let key = 1 + round % 7;
        queue.add_with(key, Priority::LOW.into());
        queue.add_with(key, Priority::new(3).into());
        let taken = next(&queue).unwrap();
        assert!(taken == key || (taken == 0 && round == 15), "{taken} in round {round}");
        if taken == 0 {
            assert_eq!(next(&queue), Some(key));
        }
    }
    assert!(queue.is_empty() && poll_get(&queue).is_none());
}
