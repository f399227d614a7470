//! A seed says everything.

use std::time::Duration;

use kube_codegen_apiserver::testing::simulation::{Chaos, Failure, Process, Trace, check};
use sample_apis::cnat::v1alpha1::{At, AtPhase, AtStatus};
use sample_client::Clientset;
use sample_controller::at::pod;

use crate::replica::{Election, replica, simulation};

fn trace(seed: u64) -> Trace {
    let ran = simulation(seed).run(async |world| {
        for name in ["one", "two"] {
            world.start(name, move |process| replica(process, Election::Held));
        }
        world.run_for(Duration::from_secs(300)).await;
        Err("shown".to_owned())
    });
    ran.unwrap_err().trace
}

#[test]
fn the_same_seed_has_the_same_trace() {
    for seed in 0..10 {
        let (first, second) = (trace(seed), trace(seed));
        let differs = first.lines().iter().zip(second.lines()).position(|(one, other)| one != other);
        assert_eq!(differs, None, "seed {seed}\n{first}\n{second}");
        assert_eq!(first.lines().len(), second.lines().len());
    }
}

/// Where another process is to write its traces.
const TRACES: &str = "SIMULATION_TRACES";

fn traces() -> String {
    let ats = (0..4).map(|seed| crate::ats::run(seed).unwrap_or_else(|failure| failure.trace).to_string());
    ats.chain((0..4).map(|seed| trace(seed).to_string())).collect()
}

/// Another process has other hashes and addresses, and begins at another time.
#[test]
fn the_same_seed_has_the_same_trace_in_another_process() {
    if let Ok(path) = std::env::var(TRACES) {
        std::fs::write(path, traces()).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traces");
    let itself = std::env::current_exe().unwrap();
    let name = "replay::the_same_seed_has_the_same_trace_in_another_process";
    let run = std::process::Command::new(itself).args(["--exact", name]).env(TRACES, &path).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let (ours, theirs) = (traces(), std::fs::read_to_string(&path).unwrap());
    let differs = ours.lines().zip(theirs.lines()).find(|(one, other)| one != other);
    assert_eq!(differs, None);
    assert!(ours == theirs && ours.lines().count() > 1000, "{} lines", ours.lines().count());
}

#[test]
fn other_seeds_have_other_traces_and_everything_goes_wrong_in_some() {
    let traces: Vec<String> = (0..20).map(|seed| trace(seed).to_string()).collect();
    assert!(traces.windows(2).all(|pair| pair[0] != pair[1]));
    let all = traces.concat();
    for what in [
        "crashes",
        "starts",
        "is lost",
        "the answer is lost",
        "(made up)",
        "is not sent any more",
        "a request of one that is gone arrives",
        "somebody else touches",
        "the clock jumps",
        "forgets its history",
        "a watch ends",
        "a watch breaks",
        "a watch has expired",
    ] {
        assert!(all.contains(what), "{what} never happens");
    }
}

/// A controller as one writes it at first: a pod is made where none is seen, and then the status is written.
async fn naive(process: Process) {
    let clientset = Clientset::new(process.client());
    let (ats, pods) = (clientset.cnat_v1alpha1().ats("default"), clientset.core_v1().pods("default"));
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let Ok(list) = ats.list().await else { continue };
        for mut at in list.items.into_iter().filter(|at| at.phase().is_none()) {
            let mut pod = pod::of(&at, vec!["true".to_owned()]).unwrap();
            pod.metadata.name = None;
            pod.metadata.generate_name = Some("run-".to_owned());
            if pods.create(&pod).await.is_ok() {
                at.status = Some(AtStatus { phase: Some(AtPhase::Done), ..AtStatus::default() });
                let _ = ats.update_status(&at).await;
            }
        }
    }
}

fn run_naive(seed: u64) -> Result<Trace, Box<Failure>> {
    simulation(seed).run(async |world| {
        let clientset = Clientset::new(world.client());
        let mut at = At::default();
        at.metadata.name = Some("once".to_owned());
        clientset.cnat_v1alpha1().ats("default").create(&at).await.unwrap();
        world.start("naive", naive);
        world.run_for(Duration::from_secs(60)).await;
        world.calm();
        world.run_until_idle().await?;
        match clientset.core_v1().pods("default").list().await.unwrap().items.len() {
            1 => Ok(()),
            pods => Err(format!("{pods} pods")),
        }
    })
}

#[test]
fn a_naive_controller_is_caught_and_its_seed_fails_again_in_the_same_way() {
    let failure = check(0..200, run_naive).unwrap_err();
    let again = run_naive(failure.seed).unwrap_err();
    assert_eq!((again.message, again.trace), (failure.message, failure.trace));
}

#[test]
fn nothing_goes_wrong_where_nothing_shall() {
    let ran = simulation(1).chaos(Chaos::none()).run(async |world| {
        world.start("calm", naive);
        world.run_until_idle().await
    });
    let trace = ran.unwrap();
    let starts = trace.lines().iter().filter(|line| line.ends_with("starts")).count();
    assert_eq!(starts, 1, "{trace}");
    assert!(trace.lines().iter().all(|line| line.ends_with("starts") || line.ends_with("-> 200")), "{trace}");
}
