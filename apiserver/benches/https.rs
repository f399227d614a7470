//! The server over HTTPS, one request after the other, beside bare round trips to the same server.
//!
//! `round trip` asks for `/version`: what TLS, HTTP and the client take. A real kube-apiserver with etcd on such a machine creates 640 pods a
//! second this way, that is one in 1.56 ms.

#![expect(clippy::unwrap_used, reason = "a benchmark ends when something fails")]

use std::{net::Ipv4Addr, thread};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use k8s_openapi::api::core::v1::{Container, Pod, PodSpec};
use kube::{
    Client, Config,
    api::{Api, PostParams},
    config::{KubeConfigOptions, Kubeconfig},
};
use kube_codegen_apiserver::{ApiServer, Http};
use tokio::runtime::Builder;
use tokio_util::sync::CancellationToken;

/// A server in a thread of its own, and its kubeconfig.
fn serve() -> Kubeconfig {
    let (told, heard) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let server = ApiServer::builder().seed(1).build();
            let http = Http::bind(&server, (Ipv4Addr::LOCALHOST, 0).into()).await.unwrap();
            told.send(http.kubeconfig()).unwrap();
            http.serve(CancellationToken::new()).await;
        });
    });
    heard.recv().unwrap()
}

fn pod(name: &str) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = Some(name.to_owned());
    let container = Container {
        name: "main".to_owned(),
        image: Some("registry.example.com/team/image:1.2.3".to_owned()),
        ..Container::default()
    };
    pod.spec = Some(PodSpec { containers: vec![container], ..PodSpec::default() });
    pod
}

fn https(c: &mut Criterion) {
    let kubeconfig = serve();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let client = runtime.block_on(async {
        let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
        Client::try_from(config).unwrap()
    });
    let _guard = runtime.enter();
    let pods: Api<Pod> = Api::namespaced(client.clone(), "default");
    c.bench_function("https/round trip", |b| {
        b.iter(|| runtime.block_on(client.apiserver_version()).unwrap());
    });
    let mut count = 0;
    c.bench_function("https/create", |b| {
        b.iter_batched(
            || {
                count += 1;
                pod(&format!("pod-{count}"))
            },
            |pod| runtime.block_on(pods.create(&PostParams::default(), &pod)).unwrap(),
            BatchSize::SmallInput,
        );
    });
    c.bench_function("https/get", |b| {
        b.iter(|| runtime.block_on(pods.get("pod-1")).unwrap());
    });
}

criterion_group!(benches, https);
criterion_main!(benches);
