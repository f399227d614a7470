//! What happens while the connection is down is told when it is up again, and nothing is missed.

use std::collections::BTreeMap;

use kube_codegen_apiserver::testing::{Gate, Verb};

use crate::rig::{Rig, my_resource};

/// How the connection to the server is lost, and what the server remembers of the time in between.
#[derive(Clone, Copy, Debug)]
enum Gap {
    /// The watch ends; what happened since is replayed.
    Cut,
    /// The connection breaks; what happened since is replayed.
    Reset,
    /// The server says 410 right away.
    Expired,
    /// The watch ends, and the server forgets what happened since: the next watch is answered with 410.
    Forgotten,
}

const ALL: [Gap; 4] = [Gap::Cut, Gap::Reset, Gap::Expired, Gap::Forgotten];

/// Takes the connection away; the next watch waits at the gate.
fn begin(rig: &Rig, gap: Gap) -> Gate {
    let faults = rig.fake.faults();
    let gate = faults.on(Verb::Watch, "myresources").hold();
    let cut = match gap {
        Gap::Cut | Gap::Forgotten => faults.cut_watches("myresources"),
        Gap::Reset => faults.reset_watches("myresources"),
        Gap::Expired => faults.expire_watches("myresources"),
    };
    assert_eq!(cut, 1);
    gate
}

/// Gives the connection back.
fn end(rig: &Rig, gap: Gap, gate: &Gate) {
    if let Gap::Forgotten = gap {
        rig.fake.drop_history();
    }
    rig.fake.faults().clear();
    gate.open();
}

/// The same life as with a steady connection, with a gap around each step: the same is told, in the same order.
#[tokio::test(start_paused = true)]
async fn c006_a_life_in_gaps_is_told_once_each_and_in_order() {
    for gap in ALL {
        let rig = Rig::my_resources();
        let my_resources = rig.clientset.trstringer_v1().my_resources("default");
        // One that stays, so that the connection is up before the first gap.
        my_resources.create(&my_resource("z", "stays")).await.unwrap();
        rig.recorder.wait_for(1).await;
        rig.watching().await;

        let gate = begin(&rig, gap);
        let mut object = my_resources.create(&my_resource("a", "hello")).await.unwrap();
        end(&rig, gap, &gate);
        rig.recorder.wait_for(2).await;
        rig.watching().await;

        let gate = begin(&rig, gap);
        object.spec.message = "bye".into();
        my_resources.update(&object).await.unwrap();
        end(&rig, gap, &gate);
        rig.recorder.wait_for(3).await;
        rig.watching().await;

        let gate = begin(&rig, gap);
        my_resources.delete("a").await.unwrap();
        end(&rig, gap, &gate);
        rig.recorder.wait_for(4).await;

        let (result, lines) = rig.stop().await;
        result.unwrap();
        assert_eq!(lines, ["+z:stays", "+a:hello", "a:hello>a:bye", "-a:bye"], "{gap:?}");
    }
}

/// Everything happens in one gap. How much is seen of the way depends on what the server remembers; the end does not.
#[tokio::test(start_paused = true)]
async fn c006_every_gap_ends_in_the_same_state() {
    for gap in ALL {
        let rig = Rig::my_resources();
        let my_resources = rig.clientset.trstringer_v1().my_resources("default");
        for name in ["changed", "deleted", "anew", "kept"] {
            my_resources.create(&my_resource(name, "0")).await.unwrap();
        }
        rig.recorder.wait_for(4).await;
        rig.watching().await;

        let gate = begin(&rig, gap);
        let mut changed = my_resources.get("changed").await.unwrap();
        for message in ["1", "2", "3"] {
            changed.spec.message = message.into();
            changed = my_resources.update(&changed).await.unwrap();
        }
        my_resources.delete("deleted").await.unwrap();
        my_resources.delete("anew").await.unwrap();
        my_resources.create(&my_resource("anew", "again")).await.unwrap();
        my_resources.create(&my_resource("short", "0")).await.unwrap();
        my_resources.delete("short").await.unwrap();
        my_resources.create(&my_resource("new", "0")).await.unwrap();
        end(&rig, gap, &gate);

        let expected = BTreeMap::from(
            [("anew", "again"), ("changed", "3"), ("kept", "0"), ("new", "0")]
                .map(|(name, message)| (name.to_owned(), message.to_owned())),
        );
        let lines = rig.recorder.wait_until(|lines| told(lines) == expected).await;
        let count = |line: &str| lines.iter().filter(|known| *known == line).count();
        assert_eq!(
            [count("-deleted:0"), count("-anew:0"), count("+anew:again")],
            [1, 1, 1],
            "{gap:?}: {lines:?}"
        );
        assert_eq!([count("+kept:0"), count("+new:0")], [1, 1], "{gap:?}: {lines:?}");
        assert!(
            !lines.iter().any(|line| line.contains("short")) || count("-short:0") == 1,
            "{gap:?}: {lines:?}"
        );
        rig.stop().await.0.unwrap();
    }
}

/// What a reader of the lines believes to be there.
fn told(lines: &[String]) -> BTreeMap<String, String> {
    let mut known = BTreeMap::new();
    for line in lines {
        let now = line.rsplit(['+', '-', '>']).next().unwrap_or_default();
        let (name, message) = now.split_once(':').unwrap();
        if line.starts_with('-') {
            known.remove(name);
        } else {
            known.insert(name.to_owned(), message.to_owned());
        }
    }
    known
}

/// The server is down for ten minutes; the controller carries on when it is back, and was not idle trying.
#[tokio::test(start_paused = true)]
async fn a_long_outage_is_got_over() {
    let rig = Rig::my_resources();
    let my_resources = rig.clientset.trstringer_v1().my_resources("default");
    my_resources.create(&my_resource("a", "hello")).await.unwrap();
    rig.recorder.wait_for(1).await;
    rig.watching().await;

    let faults = rig.fake.faults();
    faults.on(Verb::List, "*").disconnect();
    faults.on(Verb::Watch, "*").disconnect();
    faults.cut_watches("*");
    my_resources.delete("a").await.unwrap();
    rig.fake.drop_history();
    rig.fake.clear_actions();
    tokio::time::sleep(std::time::Duration::from_secs(600)).await;
    faults.clear();

    assert_eq!(rig.recorder.wait_for(2).await, ["+a:hello", "-a:hello"]);
    rig.stop().await.0.unwrap();
}
