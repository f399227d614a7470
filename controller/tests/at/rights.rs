//! The rights that the manifests give are those that the controllers need: all of them, and no others.

use std::{path::Path, time::Duration};

use kube::client::Body;
use kube_codegen_apiserver::{ApiServer, Kubelet, Manifests, testing::Recorder};
use kube_codegen_runtime::{
    CancellationToken, client::ResourceClient, leader_election::LeaderElector, manager::Manager,
};
use sample_apis::cnat::v1alpha1::AtPhase;
use sample_client::{Clientset, SharedInformerFactory, fake};
use sample_controller::{Setup, add_all};
use tokio::time::sleep;
use tower::ServiceExt;

use crate::rig::{at, ats, clock, pods_of, reaches};

const USER: &str = "system:serviceaccount:sample-controller-system:sample-controller";

/// A client of the service account.
fn impersonating(server: &ApiServer) -> kube::Client {
    let service = server.service().map_request(|mut request: http::Request<Body>| {
        request.headers_mut().insert("impersonate-user", http::HeaderValue::from_static(USER));
        request
    });
    kube::Client::new(service, "sample-controller-system")
}

#[tokio::test(start_paused = true)]
async fn the_service_account_may_do_what_the_controllers_do() {
    let clock = clock();
    let server = ApiServer::builder()
        .rbac()
        .register_all(fake::registrations())
        .kubelet(Kubelet::simulated())
        .clock({
            let clock = clock.clone();
            move || clock.now()
        })
        .build();
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../config");
    let files = [
        "manager/namespace.yaml",
        "rbac/service_account.yaml",
        "rbac/role.yaml",
        "rbac/role_binding.yaml",
        "manager/manager.yaml",
    ];
    server.load(&Manifests::read(files.map(|file| config.join(file))).unwrap()).unwrap();

    let recorder = Recorder::new();
    let client = recorder.wrap(impersonating(&server));
    let clientset = Clientset::new(client.clone());
    let leases = ResourceClient::namespaced(client, "sample-controller-system");
    let elector = LeaderElector::builder(leases, "sample-controller", "one").build().unwrap();
    let (manager, factory) =
        (Manager::builder().leader_election(elector).build(), SharedInformerFactory::new(&clientset));
    add_all(&manager, &clientset, &factory, &Setup { clock, ..Setup::default() }).unwrap();
    let stop = CancellationToken::new();
    let running = tokio::spawn(manager.run(stop.clone()));

    let admin = Clientset::new(server.client());
    ats(&admin).create(&at("allowed", 1)).await.unwrap();
    reaches(&admin, "allowed", AtPhase::Done).await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!(pods_of(&server).await.len(), 1);
    let events = admin.core_v1().events("default").list().await.unwrap();
    assert!(events.items.iter().any(|event| event.reason.as_deref() == Some("Completed")));
    let refused = clientset.core_v1().secrets("default").list().await.unwrap_err();
    assert!(refused.to_string().contains("forbidden"), "{refused}");
    stop.cancel();
    running.await.unwrap().unwrap();
    // Each verb that is allowed is used; get, list and watch go together.
    let used: Vec<String> = recorder.actions().iter().map(ToString::to_string).collect();
    for verb in
        ["create pods", "patch pods", "update ats/status", "create events", "update leases", "get ats"]
    {
        assert!(used.iter().any(|action| action.starts_with(verb)), "{verb}: {used:?}");
    }
}
