//! This server beside kube-fake-client 0.3: the same pods, the same calls, one after the other, through the same `kube::Api`.
//!
//! `cargo run --release` prints a table of microseconds a call; the third column says how many times as quick this server is.

use std::{collections::BTreeMap, time::Instant};

use futures::executor::block_on;
use k8s_openapi::api::core::v1::{Container, EnvVar, Pod, PodSpec};
use kube::{
    Client,
    api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams},
};
use serde_json::json;

/// How many pods; lists hold all of them.
const PODS: usize = 1_000;
/// How often everything is measured; the quickest counts.
const ROUNDS: usize = 5;

fn pod(number: usize) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = Some(format!("pod-{number:05}"));
    pod.metadata.namespace = Some("default".to_owned());
    pod.metadata.labels = Some((0..8).map(|n| (format!("label-{n}"), format!("value-{n}"))).collect());
    let env = |n| EnvVar { name: format!("VARIABLE_{n}"), value: Some("x".repeat(40)), ..EnvVar::default() };
    let containers = (0..3).map(|n| Container {
        name: format!("container-{n}"),
        image: Some("registry.example.com/team/image:1.2.3".to_owned()),
        env: Some((0..8).map(env).collect()),
        ..Container::default()
    });
    pod.spec = Some(PodSpec { containers: containers.collect(), ..PodSpec::default() });
    pod
}

/// Microseconds a call of each kind.
type Figures = BTreeMap<&'static str, f64>;

/// Calls `each` for every pod and notes what one call took.
async fn timed<F: Future<Output = ()>>(figures: &mut Figures, name: &'static str, each: impl Fn(usize) -> F) {
    let start = Instant::now();
    for number in 0..PODS {
        each(number).await;
    }
    figures.insert(name, start.elapsed().as_secs_f64() * 1e6 / PODS as f64);
}

async fn measure(client: Client) -> Figures {
    let api: Api<Pod> = Api::namespaced(client, "default");
    let name = |number: usize| format!("pod-{number:05}");
    let mut figures = Figures::new();
    timed(&mut figures, "1 create", async |number| {
        api.create(&PostParams::default(), &pod(number)).await.unwrap();
    })
    .await;
    timed(&mut figures, "2 get", async |number| {
        api.get(&name(number)).await.unwrap();
    })
    .await;
    timed(&mut figures, "3 update (get, replace)", async |number| {
        let mut pod = api.get(&name(number)).await.unwrap();
        pod.metadata.labels.get_or_insert_default().insert("updated".to_owned(), "yes".to_owned());
        api.replace(&name(number), &PostParams::default(), &pod).await.unwrap();
    })
    .await;
    timed(&mut figures, "4 merge patch", async |number| {
        let patch = Patch::Merge(json!({"metadata": {"labels": {"patched": "yes"}}}));
        api.patch(&name(number), &PatchParams::default(), &patch).await.unwrap();
    })
    .await;
    timed(&mut figures, "5 apply", async |number| {
        let patch = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name(number), "annotations": {"a": "b"}}});
        api.patch(&name(number), &PatchParams::apply("bench").force(), &Patch::Apply(patch)).await.unwrap();
    })
    .await;
    let start = Instant::now();
    for _ in 0..5 {
        assert_eq!(api.list(&ListParams::default()).await.unwrap().items.len(), PODS);
    }
    figures.insert("6 list of 1000", start.elapsed().as_secs_f64() * 1e6 / 5.0);
    timed(&mut figures, "7 delete", async |number| {
        let at_once = DeleteParams::default().grace_period(0);
        api.delete(&name(number), &at_once).await.unwrap();
    })
    .await;
    figures
}

/// The smaller figure of each kind.
fn best(all: Vec<Figures>) -> Figures {
    let mut best = Figures::new();
    for (name, figure) in all.into_iter().flatten() {
        best.entry(name).and_modify(|least| *least = figure.min(*least)).or_insert(figure);
    }
    best
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let _guard = runtime.enter();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let server = kube_codegen_apiserver::ApiServer::builder().seed(1).build();
        ours.push(block_on(measure(Client::new(server.service(), "default"))));
        let client = block_on(kube_fake_client::ClientBuilder::new().build()).unwrap();
        theirs.push(block_on(measure(client)));
    }
    let (ours, theirs) = (best(ours), best(theirs));
    println!("| call | this server, us | kube-fake-client, us | times as quick |\n|---|--:|--:|--:|");
    for (name, our) in ours {
        let their = theirs.get(name).copied().unwrap_or_default();
        println!("| {} | {our:.1} | {their:.1} | {:.1} |", &name[2..], their / our);
    }
}
