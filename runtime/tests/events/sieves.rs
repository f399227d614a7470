//! Series, aggregation and the spam filter, by the clock.

use std::time::Duration;

use k8s_openapi::api::events::v1::Event;

use super::{Desk, map, settle};

const MINUTE: Duration = Duration::from_secs(60);

fn count(event: &Event) -> i32 {
    event.series.as_ref().map_or(1, |series| series.count)
}

#[tokio::test(start_paused = true)]
async fn a_series_is_refreshed_while_it_goes_on_and_finished_when_it_ends() {
    let desk = Desk::open();
    for _ in 0..40 {
        desk.recorder.warning(&map("a"), "BackOff", "Restarting", "again");
        tokio::time::sleep(MINUTE).await;
    }
    let writes: Vec<String> = desk.fake.writes().iter().map(|action| action.verb().to_string()).collect();
    assert_eq!(writes, ["create", "patch", "patch"], "created, made a series, refreshed after half an hour");
    tokio::time::sleep(MINUTE * 13).await;
    assert_eq!(desk.fake.writes().len(), 4, "and finished");
    let events = desk.events().await;
    assert_eq!((events.len(), count(&events[0])), (1, 40));

    // What comes after the end is another event.
    desk.recorder.warning(&map("a"), "BackOff", "Restarting", "again");
    settle().await;
    assert_eq!(desk.events().await.iter().map(count).collect::<Vec<_>>(), [40, 1]);
    tokio::time::sleep(MINUTE * 60).await;
    assert_eq!(desk.fake.writes().len(), 5, "what stays alone is written once");
    desk.close().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_that_changes_has_one_trouble_all_the_same() {
    let desk = Desk::open();
    for version in 0..5 {
        let mut object = map("a");
        object.metadata.resource_version = Some(version.to_string());
        desk.recorder.warning(&object, "BackOff", "Restarting", "again");
    }
    settle().await;
    let events = desk.events().await;
    assert_eq!((events.len(), count(&events[0])), (1, 2));
    assert_eq!(desk.fake.writes().len(), 2);
    desk.close().await;
}

#[tokio::test(start_paused = true)]
async fn the_tenth_of_events_that_are_alike_stands_for_all_after_it() {
    let desk = Desk::open();
    for number in 0..30 {
        desk.recorder.warning(&map("a"), "FailedMount", "Mounting", format!("attempt {number}"));
        settle().await;
    }
    let events = desk.events().await;
    let notes: Vec<String> = events.iter().filter_map(|event| event.note.clone()).collect();
    assert_eq!(notes.len(), 10);
    assert_eq!((notes[0].as_str(), notes[8].as_str()), ("attempt 0", "attempt 8"));
    assert_eq!(notes[9], "(combined from similar events): attempt 9");
    assert_eq!(count(&events[9]), 2, "and is counted here");
    // Other objects, other reasons are others.
    desk.recorder.warning(&map("b"), "FailedMount", "Mounting", "attempt 30");
    desk.recorder.warning(&map("a"), "FailedPull", "Mounting", "attempt 30");
    tokio::time::sleep(MINUTE * 11).await;
    assert_eq!(desk.events().await.len(), 12);
    // A window later it is one of its own.
    desk.recorder.warning(&map("a"), "FailedMount", "Mounting", "attempt 31");
    settle().await;
    assert_eq!(desk.events().await.last().unwrap().note.as_deref(), Some("attempt 31"));
    desk.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_source_has_25_events_about_an_object_and_one_more_every_five_minutes() {
    let desk = Desk::open();
    let reason = |number: usize| format!("Reason{number}");
    for number in 0..40 {
        desk.recorder.normal(&map("a"), &reason(number), "Trying", "so it goes");
    }
    // Bad news has a bucket of its own, other objects too.
    desk.recorder.warning(&map("a"), "Bad", "Trying", "so it goes");
    desk.recorder.normal(&map("b"), "Good", "Trying", "so it goes");
    settle().await;
    assert_eq!(desk.events().await.len(), 27);
    for number in 40..50 {
        tokio::time::sleep(MINUTE * 5).await;
        desk.recorder.normal(&map("a"), &reason(number), "Trying", "so it goes");
        desk.recorder.normal(&map("a"), &reason(number + 100), "Trying", "so it goes");
    }
    settle().await;
    assert_eq!(desk.events().await.len(), 37);
    desk.close().await;
}
