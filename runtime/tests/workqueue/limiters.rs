//! Limiters on their own, and the default one.

use std::time::Duration;

use kube_codegen_runtime::workqueue::{
    Capped, DefaultLimiter, Exponential, FastSlow, MaxOf, RateLimiter, TokenBucket,
};
use tokio::time::Instant;

use super::ms;

fn waits<K: Copy>(limiter: &mut impl RateLimiter<K>, key: K, times: usize) -> Vec<u128> {
    let now = Instant::now();
    (0..times).map(|_| limiter.when(&key, now).as_millis()).collect()
}

#[tokio::test(start_paused = true)]
async fn exponential_reaches_its_cap_and_stays_there() {
    let mut limiter = Exponential::new(ms(1), Duration::from_secs(1000));
    let waits = waits(&mut limiter, "a", 200);
    assert_eq!(waits[..4], [1, 2, 4, 8]);
    assert_eq!((waits[19], waits[20], waits[199]), (524_288, 1_000_000, 1_000_000));
    assert_eq!(limiter.num_requeues(&"a"), 200);
    limiter.forget(&"a");
    assert_eq!((limiter.num_requeues(&"a"), limiter.when(&"a", Instant::now())), (0, ms(1)));
}

#[tokio::test(start_paused = true)]
async fn exponential_survives_extreme_bounds() {
    let mut limiter = Exponential::new(Duration::MAX, Duration::MAX);
    assert_eq!(limiter.when(&"a", Instant::now()), Duration::MAX);
    let mut limiter = Exponential::new(Duration::ZERO, ms(1));
    assert_eq!(waits(&mut limiter, "a", 300), vec![0; 300]);
}

#[tokio::test(start_paused = true)]
async fn fast_then_slow_counts_per_key() {
    let mut limiter = FastSlow::new(ms(5), ms(10_000), 3);
    assert_eq!(waits(&mut limiter, "a", 5), [5, 5, 5, 10_000, 10_000]);
    assert_eq!(waits(&mut limiter, "b", 1), [5]);
    limiter.forget(&"a");
    assert_eq!((waits(&mut limiter, "a", 1), limiter.num_requeues(&"b")), (vec![5], 1));
}

#[tokio::test(start_paused = true)]
async fn a_bucket_saves_up_no_more_than_its_burst() {
    let mut bucket = TokenBucket::new(ms(100), 3);
    assert_eq!(waits(&mut bucket, "a", 5), [0, 0, 0, 100, 200]);
    tokio::time::advance(ms(450)).await;
    assert_eq!(waits(&mut bucket, "b", 4), [0, 0, 50, 150]);
    tokio::time::advance(Duration::from_secs(3600)).await;
    assert_eq!(waits(&mut bucket, "c", 5), [0, 0, 0, 100, 200]);
}

#[tokio::test(start_paused = true)]
async fn a_bucket_without_a_burst_still_lets_one_through() {
    assert_eq!(waits(&mut TokenBucket::new(ms(100), 0), "a", 3), [0, 100, 200]);
}

#[tokio::test(start_paused = true)]
async fn the_longer_of_two_waits_counts_and_both_are_charged() {
    let mut limiter = MaxOf(Exponential::new(ms(30), ms(1000)), TokenBucket::new(ms(50), 1));
    assert_eq!(waits(&mut limiter, "a", 4), [30, 60, 120, 240]);
    assert_eq!(waits(&mut limiter, "b", 1), [200]);
    limiter.forget(&"a");
    assert_eq!((limiter.num_requeues(&"a"), limiter.num_requeues(&"b")), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_cap_cuts_waits_off() {
    let mut limiter = Capped::new(TokenBucket::new(ms(100), 1), ms(250));
    assert_eq!(waits(&mut limiter, "a", 5), [0, 100, 200, 250, 250]);
}

#[tokio::test(start_paused = true)]
async fn the_default_is_the_usual_one_of_controllers() {
    let mut limiter = DefaultLimiter::default();
    assert_eq!(waits(&mut limiter, 0, 6), [5, 10, 20, 40, 80, 160]);
    for key in 1..95 {
        assert_eq!(waits(&mut limiter, key, 1), [5]);
    }
    assert_eq!(waits(&mut limiter, 95, 1), [100]);
    assert_eq!(waits(&mut limiter, 96, 1), [200]);
}
