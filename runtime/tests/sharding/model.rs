//! Replicas that come, go, die and lose the server at any moment: never two at work on one shard, and all shards held before long.

use std::{num::NonZeroU32, time::Duration};

use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;
use kube_codegen_apiserver::testing::{Fake, Faults, Verb};
use kube_codegen_runtime::{CancellationToken, client::ResourceClient, sharding::Shards};
use tokio::time::{Instant, sleep};

use super::support::{Book, Replica, SECOND, TAKE_OVER, shards};

/// All shards are held, in even shares.
fn assert_even(replicas: &[Replica], when: &str) {
    let held: Vec<usize> = replicas.iter().map(Replica::held).collect();
    let (least, most) = (held.iter().min().unwrap(), held.iter().max().unwrap());
    assert!(held.iter().sum::<usize>() == 16 && most - least <= 1, "{when}: {held:?}");
}

#[tokio::test(start_paused = true)]
async fn shards_follow_replicas_that_come_and_go() {
    let (fake, book) = (Fake::new([], []), Book::default());
    let mut replicas = vec![Replica::start(&fake, &book, "a", 1)];
    sleep(SECOND * 6).await;
    assert_even(&replicas, "alone");
    for (seed, name) in [(2, "b"), (3, "c")] {
        replicas.push(Replica::start(&fake, &book, name, seed));
        // Within a Lease, though nobody had to expire: runs of up to nine seconds are waited for.
        sleep(SECOND * 15).await;
        assert_even(&replicas, name);
    }
    let gone = replicas.remove(0);
    gone.stop.cancel();
    sleep(SECOND * 15).await;
    assert!(gone.tasks[0].is_finished());
    gone.kill();
    assert_even(&replicas, "one less");
    replicas.remove(0).kill();
    sleep(TAKE_OVER).await;
    assert_even(&replicas, "another killed");
    let leases: Api<Lease> = Api::namespaced(fake.server().client(), "default");
    let members = async || {
        let all = leases.list(&Default::default()).await.unwrap().items;
        all.iter().filter(|lease| lease.metadata.name.as_ref().unwrap().starts_with("pods-member-")).count()
    };
    assert_eq!(members().await, 2, "who left in order has taken its Lease along");
    sleep(SECOND * 400).await;
    assert_eq!(members().await, 1, "and that of the dead is removed in the end");
}

/// So many crowds of replicas are followed, unless `SHARDING_SEEDS` says otherwise. Each takes some seconds.
const SEEDS: u64 = 6;

fn seeds() -> u64 {
    std::env::var("SHARDING_SEEDS").map_or(SEEDS, |seeds| seeds.parse().unwrap())
}

#[derive(Clone, Copy, Debug)]
enum Fate {
    Stop,
    Die,
    CutOff,
    Heal,
    Slow,
    Nothing,
}

#[tokio::test(start_paused = true)]
async fn whatever_happens_no_key_is_ever_with_two_replicas() {
    const FATES: [Fate; 6] = [Fate::Stop, Fate::Die, Fate::CutOff, Fate::Heal, Fate::Slow, Fate::Nothing];
    for seed in 0..seeds() {
        let mut random = fastrand::Rng::with_seed(seed);
        let (fake, book) = (Fake::new([], []), Book::default());
        let mut replicas: Vec<Replica> = Vec::new();
        for round in 0..12 {
            while replicas.len() < 4 {
                let name = format!("r{round}-{}", replicas.len());
                replicas.push(Replica::start(&fake, &book, &name, random.u64(..1000)));
            }
            let index = random.usize(..replicas.len());
            let replica = &replicas[index];
            match FATES[random.usize(..FATES.len())] {
                Fate::Stop => replica.stop.cancel(),
                Fate::Die => replica.kill(),
                Fate::CutOff => replica.faults.on(Verb::Any, "leases").hang(),
                Fate::Heal => replica.faults.clear(),
                Fate::Slow => {
                    let delay = Duration::from_millis(random.u64(1..12_000));
                    replica.faults.on(Verb::Any, "leases").delay(delay);
                }
                Fate::Nothing => {}
            }
            sleep(Duration::from_millis(random.u64(1..30_000))).await;
            replicas.retain(|replica| {
                let over = replica.tasks[0].is_finished();
                if over {
                    replica.kill();
                }
                !over
            });
        }
        replicas.retain(|replica| !replica.stop.is_cancelled());
        replicas.iter().for_each(|replica| replica.faults.clear());
        replicas.push(Replica::start(&fake, &book, "last", 7));
        sleep(TAKE_OVER * 2).await;
        assert_even(&replicas, &format!("seed {seed}"));
        replicas.iter().for_each(Replica::kill);
    }
}

/// A replica that hangs on to its work and cannot reach the server drops it in time.
#[tokio::test(start_paused = true)]
async fn work_of_a_replica_that_is_cut_off_is_dropped_before_others_begin() {
    let (fake, faults) = (Fake::new([], []), Faults::new());
    let shards = shards(&fake, &faults, "a");
    let running = tokio::spawn({
        let shards = shards.clone();
        async move { shards.run(CancellationToken::new()).await }
    });
    sleep(SECOND * 6).await;
    let key = "default/x".parse().unwrap();
    let entry = shards.enter(&key).unwrap();
    faults.on(Verb::Any, "leases").hang();
    let cut = Instant::now();
    while shards.owns(&key) {
        sleep(SECOND / 10).await;
    }
    assert!((7..=10).contains(&cut.elapsed().as_secs()), "nothing new is begun: {:?}", cut.elapsed());
    assert!(!entry.revoked().is_cancelled(), "and what runs has some time left");
    entry.revoked().cancelled().await;
    assert!(cut.elapsed() <= SECOND * 15, "{:?}", cut.elapsed());
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn the_first_replica_decides_how_many_shards_there_are() {
    let fake = Fake::new([], []);
    let stop = CancellationToken::new();
    for (name, number) in [("a", 5), ("b", 9)] {
        let leases = ResourceClient::namespaced(fake.client(), "default");
        let number = NonZeroU32::new(number).unwrap();
        let shards = Shards::builder(leases, "pods", name).shards(number).build().unwrap();
        assert_eq!(shards.shard_of(&"default/x".parse().unwrap()), None);
        let mut status = shards.status();
        tokio::spawn({
            let (shards, stop) = (shards.clone(), stop.clone());
            async move { shards.run(stop).await }
        });
        assert_eq!(status.wait_for(|status| status.shards > 0).await.unwrap().shards, 5);
    }
    stop.cancel();
    let refused = Shards::builder(ResourceClient::namespaced(fake.client(), "default"), "pods", "").build();
    assert!(refused.is_err());
}
