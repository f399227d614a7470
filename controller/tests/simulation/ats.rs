//! At: exactly one pod, whatever happens, and an end.

use std::{collections::BTreeSet, time::Duration};

use futures::StreamExt;
use jiff::SignedDuration;
use k8s_openapi::api::core::v1::Pod;
use kube::{
    Api,
    api::{WatchEvent, WatchParams},
};
use kube_codegen_apiserver::testing::simulation::{Failure, Trace, World, check, seeds};
use kube_codegen_runtime::client::DeleteParams;
use sample_apis::cnat::v1alpha1::{At, AtPhase};
use sample_client::Clientset;
use sample_controller::at::pod;
use std::sync::{Arc, Mutex};

use crate::replica::{Election, replica, simulation};

/// How many seeds are tried unless `SIMULATION_SEEDS` says otherwise.
const SEEDS: u64 = 300;

/// The pods that were ever made, by their uids.
type Made = Arc<Mutex<Vec<(String, String)>>>;

/// Notes every pod that is made, on a watch that nothing disturbs.
async fn count_pods(world: World, made: Made) {
    let pods: Api<Pod> = Api::namespaced(world.client(), "default");
    let stream = pods.watch(&WatchParams::default().timeout(86400), "0").await.unwrap();
    let mut stream = std::pin::pin!(stream);
    while let Some(event) = stream.next().await {
        if let Ok(WatchEvent::Added(pod)) = event {
            let at = pod::at_of(&pod).unwrap().name().to_owned();
            made.lock().unwrap().push((at, pod.metadata.uid.unwrap_or_default()));
        }
    }
}

/// Ats come, some due at once and some later, some with a deadline.
async fn make_ats(world: &World, clientset: &Clientset) -> Vec<At> {
    let ats = clientset.cnat_v1alpha1().ats("default");
    let mut made = Vec::new();
    for number in 0..world.random(1..4) {
        let mut at = At::default();
        at.metadata.name = Some(format!("at-{number}"));
        let seconds = i64::try_from(world.random(0..60)).unwrap() - 10;
        at.spec.schedule = (world.now() + SignedDuration::from_secs(seconds)).to_string();
        at.spec.command = "true".to_owned();
        if world.random(0..3) == 0 {
            at.spec.starting_deadline_seconds = Some(i64::try_from(world.random(0..120)).unwrap());
        }
        made.push(ats.create(&at).await.unwrap());
        world.run_for(Duration::from_millis(world.random(0..5000))).await;
    }
    made
}

/// Somebody deletes pods that run or ran; only where the Lease sees to it that no request of a former leader is on its way.
async fn delete_pods(world: &World, clientset: &Clientset) {
    let pods = clientset.core_v1().pods("default");
    for pod in pods.list().await.unwrap().items {
        if world.random(0..2) == 0 {
            let params = DeleteParams::default().grace_period(u32::try_from(world.random(0..3)).unwrap());
            let _ = pods.delete_with(&pod.metadata.name.unwrap_or_default(), &params).await;
        }
    }
}

async fn story(world: World, election: Election) -> Result<(), String> {
    let (clientset, made) = (Clientset::new(world.client()), Made::default());
    tokio::spawn(count_pods(world.clone(), Arc::clone(&made)));
    for name in ["one", "two"] {
        world.start(name, move |process| replica(process, election));
    }
    let ats = make_ats(&world, &clientset).await;
    for _ in 0..6 {
        world.run_for(Duration::from_secs(15)).await;
        if let Election::Held = election {
            delete_pods(&world, &clientset).await;
        }
    }
    world.calm();
    // Clocks have been set right, which the controller sees in five minutes at the latest.
    world.run_for(Duration::from_secs(310)).await;
    world.run_until_idle().await?;

    let made = made.lock().unwrap().clone();
    for at in &ats {
        let name = at.metadata.name.as_deref().unwrap_or_default();
        let at =
            clientset.cnat_v1alpha1().ats("default").get(name).await.map_err(|error| error.to_string())?;
        let pods: BTreeSet<_> = made.iter().filter(|(of, _)| of == name).map(|(_, uid)| uid).collect();
        let status = at.status.unwrap_or_default();
        let missed = status.conditions.iter().any(|condition| condition.reason == "Missed");
        let expected = usize::from(!missed);
        if status.phase != Some(AtPhase::Done) || pods.len() != expected {
            return Err(format!(
                "{name} is {:?} with {} pods: {:?}",
                status.phase,
                pods.len(),
                status.conditions
            ));
        }
    }
    let held = clientset.core_v1().pods("default").list().await.map_err(|error| error.to_string())?;
    match held.items.iter().find(|pod| pod::is_held(pod)) {
        Some(pod) => Err(format!("the pod {:?} is held for ever", pod.metadata.name)),
        None => Ok(()),
    }
}

pub(crate) fn run(seed: u64) -> Result<Trace, Box<Failure>> {
    let election = if seed.is_multiple_of(2) { Election::Held } else { Election::Left };
    simulation(seed).run(|world| story(world, election))
}

/// Of two replicas that crash all the time, with a Lease and without: each At has one pod, and ends.
#[test]
fn c095_an_at_has_exactly_one_pod_whatever_happens() {
    if let Err(failure) = check(seeds(0..SEEDS), run) {
        unreachable!("{failure}");
    }
}
