//! Leaders of several processes, as the cases of others tell of them.

use std::{sync::Arc, time::Duration};

use k8s_openapi::{api::coordination::v1::Lease, jiff::Timestamp};
use kube::{Api, api::PostParams};
use kube_codegen_apiserver::{
    Status,
    testing::{Fake, Faults, Verb},
};
use kube_codegen_runtime::{
    client::ResourceClient,
    leader_election::LeaderElector,
    manager::{Manager, ManagerError},
};
use parking_lot::Mutex;
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::support::{Diary, Process, cluster, electing, task};

const SECOND: Duration = Duration::from_secs(1);

/// client-go 448: the times in a Lease are those of another clock.
#[tokio::test(start_paused = true)]
async fn c058_a_lease_is_waited_for_by_ones_own_clock() {
    for hours in [-365 * 24, 365 * 24] {
        let (fake, diary) = (cluster(), Diary::default());
        let renewed = Timestamp::now() + k8s_openapi::jiff::SignedDuration::from_hours(hours);
        let spec = json!({"holderIdentity": "other", "leaseDurationSeconds": 20, "leaseTransitions": 3,
            "acquireTime": renewed, "renewTime": renewed});
        let lease = json!({"metadata": {"name": "operator", "namespace": "default"}, "spec": spec});
        let leases: Api<Lease> = Api::namespaced(fake.server().client(), "default");
        leases.create(&PostParams::default(), &serde_json::from_value(lease).unwrap()).await.unwrap();
        let manager = electing(&fake, "one").build();
        manager.add_leader_task("leading", {
            let diary = diary.clone();
            |stop| task("leading", diary, stop)
        });
        let process = Process::start(&manager);
        sleep(SECOND * 19).await;
        assert_eq!(diary.take(), [""; 0], "{hours} hours from now");
        sleep(SECOND * 6).await;
        assert_eq!(diary.take(), ["leading begins"]);
        process.stop().await.unwrap();
    }
}

/// From when to when somebody worked.
type Times = (Duration, Option<Duration>);

/// All work, in the order of its beginning.
#[derive(Clone)]
struct Shifts {
    began: Instant,
    all: Arc<Mutex<Vec<Times>>>,
}

struct Shift(Shifts, usize);

impl Drop for Shift {
    fn drop(&mut self) {
        let now = self.0.began.elapsed();
        if let Some(shift) = self.0.all.lock().get_mut(self.1) {
            shift.1 = Some(now);
        }
    }
}

impl Shifts {
    fn begin(&self) -> Shift {
        let mut all = self.all.lock();
        all.push((self.began.elapsed(), None));
        Shift(self.clone(), all.len() - 1)
    }
}

/// A process whose work does not end at once, with a network of its own.
fn worker(fake: &Fake, identity: &str, shifts: &Shifts, last_words: Duration) -> (Process, Faults) {
    let faults = Faults::new();
    let leases = ResourceClient::namespaced(faults.wrap(fake.server().client()), "default");
    let elector = LeaderElector::builder(leases, "operator", identity).build().unwrap();
    let manager = Manager::builder().leader_election(elector).build();
    let shifts = shifts.clone();
    manager.add_leader_task("work", move |stop| async move {
        let _shift = shifts.begin();
        stop.cancelled().await;
        sleep(last_words).await;
        Ok(())
    });
    (Process::start(&manager), faults)
}

/// kubernetes 23731: a leader that could not renew went on to believe that it led.
#[tokio::test(start_paused = true)]
async fn c060_a_leader_that_cannot_renew_ends_before_another_begins() {
    let (fake, shifts) = (cluster(), Shifts { began: Instant::now(), all: Arc::default() });
    let refusals = [
        Status::internal("broken"),
        Status::new(403, "Forbidden", "not any more"),
        Status::new(409, "Conflict", "somebody else was here"),
    ];
    let mut random = fastrand::Rng::with_seed(60);
    let mut last_words = || Duration::from_millis(random.u64(0..12_000));
    let (mut leader, mut waiting) = (None, None);
    for round in 0..100 {
        let (process, faults) =
            leader.take().unwrap_or_else(|| worker(&fake, "first", &shifts, last_words()));
        sleep(SECOND * 5).await;
        let next =
            waiting.take().unwrap_or_else(|| worker(&fake, &format!("w{round}"), &shifts, last_words()));
        sleep(SECOND * 10).await;
        let before = shifts.all.lock().len();
        assert_eq!(before, round + 1, "one leads");
        faults.on(Verb::Update, "leases").error(refusals.get(round % 3).cloned().unwrap());
        let failing = Instant::now();
        let error = process.task.await.unwrap().unwrap_err();
        assert!(matches!(error, ManagerError::LeadershipLost(_)), "{error}");
        assert!(
            failing.elapsed() <= SECOND * 15,
            "its work ends before the Lease does: {:?}",
            failing.elapsed()
        );
        // The Lease, and twice the longest pause between two attempts.
        sleep(SECOND * 24).await;
        (leader, waiting) = (Some(next), None);
    }
    let shifts = shifts.all.lock().clone();
    assert_eq!(shifts.len(), 101);
    for pair in shifts.windows(2) {
        let [(_, ended), (began, _)] = pair else { continue };
        assert!(ended.is_some_and(|ended| ended <= *began), "{pair:?}");
    }
}

/// kube-rs 485: three managers over one server. One is active at each sample; killed at any moment, another follows within the Lease and the
/// pauses between attempts.
#[tokio::test(start_paused = true)]
async fn c015_of_three_managers_one_is_active_and_another_follows_when_it_is_killed() {
    // The last renewal may be seen one pause late, and the end of the Lease another.
    let take_over = SECOND * 15 + Duration::from_millis(2 * 4_400);
    for seed in 0..10 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (fake, shifts) = (cluster(), Shifts { began: Instant::now(), all: Arc::default() });
        let start = |name: usize| worker(&fake, &format!("m{name}"), &shifts, Duration::ZERO).0;
        let mut managers: Vec<Process> = (0..3).map(start).collect();
        let mut killed: Vec<Duration> = Vec::new();
        sleep(take_over).await;
        for name in 3..8 {
            // At any moment. Which of them works is seen by what ends with it; those that are tried before it are killed as well.
            sleep(Duration::from_millis(random.u64(0..4_000))).await;
            assert_eq!(active(&shifts), 1, "seed {seed}");
            for process in std::mem::take(&mut managers) {
                if active(&shifts) == 1 && shifts.all.lock().len() == killed.len() + 1 {
                    process.task.abort();
                    let _ = process.task.await;
                    // What it had started ends where it waits.
                    sleep(Duration::from_millis(1)).await;
                    if active(&shifts) == 0 {
                        killed.push(shifts.began.elapsed());
                    }
                } else {
                    managers.push(process);
                }
            }
            while managers.len() < 3 {
                managers.push(start(name * 10 + managers.len()));
            }
            for _ in 0..100 {
                sleep(take_over / 100).await;
                assert!(active(&shifts) <= 1, "seed {seed}");
            }
        }
        let all = shifts.all.lock().clone();
        assert_eq!((killed.len(), all.len()), (5, 6), "seed {seed}");
        for (at, (began, _)) in killed.iter().zip(all.iter().skip(1)) {
            assert!(*began > *at && *began - *at <= take_over, "seed {seed}: {at:?} {began:?}");
        }
    }
}

/// How many are at work.
fn active(shifts: &Shifts) -> usize {
    shifts.all.lock().iter().filter(|(_, ended)| ended.is_none()).count()
}
