//! Several candidates, who stop, die and lose the server at any moment: never two leaders, and never none for long.

use std::time::Duration;

use kube_codegen_apiserver::testing::{Fake, Verb};
use tokio::time::sleep;

use super::support::{Book, Candidate};

/// The Lease, and twice the longest pause between two attempts: one until the last renewal is seen, one after it has run out.
const TAKE_OVER: Duration = Duration::from_millis(15_000 + 2 * 4_400 + 200);

#[tokio::test(start_paused = true)]
async fn c015_of_three_one_leads_and_another_takes_over() {
    let (fake, book) = (Fake::new([], []), Book::new());
    let mut candidates: Vec<(String, Candidate)> = ["one", "two", "three"]
        .map(|name| (name.to_owned(), Candidate::start(&fake, &book, name, Duration::ZERO)))
        .into();
    while !candidates.is_empty() {
        for _ in 0..200 {
            sleep(TAKE_OVER / 200).await;
            book.leader();
        }
        let leader = book.leader().unwrap();
        let index = candidates.iter().position(|(name, _)| *name == leader).unwrap();
        // Killed: nothing is released.
        let (_, killed) = candidates.remove(index);
        killed.task.abort();
    }
    assert_eq!(book.reigns.lock().len(), 3);
    let tokens: Vec<u64> = book.reigns.lock().iter().map(|reign| reign.token).collect();
    assert_eq!(tokens, [0, 1, 2]);
}

/// What may happen to a candidate.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Stop,
    Die,
    CutOff,
    Slow,
    Nothing,
}

#[tokio::test(start_paused = true)]
async fn whatever_happens_there_are_never_two_leaders() {
    for seed in 0..50 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (fake, book) = (Fake::new([], []), Book::new());
        let mut candidates: Vec<Candidate> = Vec::new();
        for round in 0..12 {
            while candidates.len() < 3 {
                let last_words = Duration::from_millis(random.u64(0..8_000));
                let name = format!("c{round}-{}", candidates.len());
                candidates.push(Candidate::start(&fake, &book, &name, last_words));
            }
            let fate = [Fate::Stop, Fate::Die, Fate::CutOff, Fate::Slow, Fate::Nothing][random.usize(..5)];
            let index = random.usize(..candidates.len());
            match fate {
                Fate::Stop => candidates[index].stop.cancel(),
                Fate::Die => candidates[index].task.abort(),
                Fate::CutOff => candidates[index].faults.on(Verb::Any, "leases").hang(),
                Fate::Slow => {
                    let delay = Duration::from_millis(random.u64(1..12_000));
                    candidates[index].faults.on(Verb::Any, "leases").delay(delay);
                }
                Fate::Nothing => {}
            }
            for _ in 0..random.usize(1..40) {
                sleep(Duration::from_millis(random.u64(1..1_500))).await;
                book.leader();
            }
            candidates.retain(|candidate| !candidate.task.is_finished());
        }
        for candidate in &candidates {
            candidate.stop.cancel();
        }
        let fresh = Candidate::start(&fake, &book, "last", Duration::ZERO);
        sleep(TAKE_OVER * 3).await;
        assert_eq!(book.leader().as_deref(), Some("last"), "seed {seed}");
        fresh.stop.cancel();
        let reigns = book.reigns.lock().clone();
        assert!(reigns.windows(2).all(|pair| pair[0].token < pair[1].token), "seed {seed}: {reigns:?}");
    }
}
