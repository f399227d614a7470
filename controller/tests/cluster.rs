//! The program and a cluster without nodes, where a test plays the kubelet: an API server of this process, and any other.
//!
//! The other one is named by a kubeconfig; where a candidate of client-go is named as well (`tests/fixtures/leader-candidate`), it shares the
//! program's Lease:
//!
//! ```text
//! CLUSTER=/path/to/kubeconfig CANDIDATE_GO=/path/to/candidate cargo test -p sample-controller --test cluster -- --ignored
//! ```

#![cfg(all(unix, feature = "embedded"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use k8s_openapi::{
    api::core::v1::{Namespace, Pod},
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{
    Api, Client, Config,
    api::{DeleteParams, Patch, PatchParams, PostParams},
    config::{KubeConfigOptions, Kubeconfig},
};
use kube_codegen_apiserver::{ApiServer, Http};
use kube_codegen_runtime::CancellationToken;
use sample_apis::{
    cnat::v1alpha1::{At, AtPhase},
    myresource::v1::MyResource,
};
use serde_json::json;
use tokio::time::sleep;

/// How long anything may take: an election without a release takes up to 20 s.
const PATIENCE: Duration = Duration::from_secs(40);

/// Looks again and again, until something is there.
async fn until<T>(what: &str, look: impl AsyncFn() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if let Some(found) = look().await {
            return found;
        }
        sleep(Duration::from_millis(50)).await;
    }
    unreachable!("{what}: not within {PATIENCE:?}")
}

/// A program that runs, and what it says.
struct Program {
    child: Child,
    log: PathBuf,
}

impl Program {
    fn start(command: &mut Command, log: PathBuf) -> Self {
        let file = File::create(&log).unwrap();
        command.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file);
        Self { child: command.spawn().unwrap(), log }
    }

    async fn says(&self, text: &str) {
        let log = || fs::read_to_string(&self.log).unwrap();
        until(&format!("{text:?} of {}", log()), async || log().contains(text).then_some(())).await;
    }

    /// Asks it to end, and waits.
    fn stop(&mut self) {
        let _ = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(self.child.wait().unwrap().success(), "{}", fs::read_to_string(&self.log).unwrap());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A namespace of a cluster that serves our kinds. It goes with the test, and so do kinds that were not there before.
struct Cluster {
    client: Client,
    kubeconfig: PathBuf,
    namespace: String,
    folder: tempfile::TempDir,
    defined: Vec<String>,
}

impl Cluster {
    async fn of(kubeconfig: &Path) -> Self {
        let parsed = Kubeconfig::read_from(kubeconfig).unwrap();
        let config = Config::from_custom_kubeconfig(parsed, &KubeConfigOptions::default()).await.unwrap();
        let client = Client::try_from(config).unwrap();
        let namespace: Namespace =
            serde_json::from_value(json!({ "metadata": { "generateName": "sample-" } })).unwrap();
        let namespace = Api::all(client.clone()).create(&PostParams::default(), &namespace).await.unwrap();
        let mut cluster = Self {
            client,
            kubeconfig: kubeconfig.to_owned(),
            namespace: namespace.metadata.name.unwrap(),
            folder: tempfile::tempdir().unwrap(),
            defined: Vec::new(),
        };
        for name in ["cnat.ishankhare.dev_ats", "trstringer.com_myresources"] {
            cluster.define(name).await;
        }
        cluster
    }

    async fn define(&mut self, file: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../crd/{file}.yaml"));
        let kind: CustomResourceDefinition =
            serde_saphyr::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let (name, kinds) = (kind.metadata.name.clone().unwrap(), Api::all(self.client.clone()));
        match kinds.create(&PostParams::default(), &kind).await {
            Ok(_) => self.defined.push(name.clone()),
            Err(kube::Error::Api(status)) if status.code == 409 => {}
            Err(error) => unreachable!("{error}"),
        }
        until("the kind is served", async || {
            let kind: CustomResourceDefinition = kinds.get(&name).await.unwrap();
            let conditions = kind.status.and_then(|status| status.conditions).unwrap_or_default();
            conditions.iter().any(|it| it.type_ == "Established" && it.status == "True").then_some(())
        })
        .await;
    }

    fn api<K>(&self) -> Api<K>
    where
        K: kube::Resource<DynamicType = (), Scope = k8s_openapi::NamespaceResourceScope>,
    {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    fn sample_controller(&self, log: &str) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sample-controller"));
        command.arg("--kubeconfig").arg(&self.kubeconfig);
        command.args(["--namespace", &self.namespace, "--leader-elect", "--health-probe-bind-address=0"]);
        command.args(["--leader-election-namespace", &self.namespace]).env("RUST_LOG", "info");
        Program::start(&mut command, self.folder.path().join(log))
    }

    fn candidate(&self, program: &str, id: &str) -> Program {
        let mut command = Command::new(program);
        command.arg("-kubeconfig").arg(&self.kubeconfig);
        command.args([
            "-namespace",
            &self.namespace,
            "-lease",
            "sample-controller",
            "-id",
            id,
            "-reign",
            "5s",
        ]);
        Program::start(&mut command, self.folder.path().join(id))
    }

    async fn leave(self) {
        let (all, now) = (Api::<Namespace>::all(self.client.clone()), DeleteParams::default());
        all.delete(&self.namespace, &now).await.unwrap();
        for name in &self.defined {
            Api::<CustomResourceDefinition>::all(self.client.clone()).delete(name, &now).await.unwrap();
        }
    }
}

/// What a kubelet would write.
async fn report(cluster: &Cluster, pod: &str, phase: &str, state: serde_json::Value) {
    let container = json!({
        "name": "command", "image": "busybox", "imageID": "", "ready": phase == "Running", "restartCount": 0, "state": state,
    });
    let status = json!({ "status": { "phase": phase, "containerStatuses": [container] } });
    let pods: Api<Pod> = cluster.api();
    pods.patch_status(pod, &PatchParams::default(), &Patch::Merge(status)).await.unwrap();
}

/// An At that is due now goes through its phases.
async fn at_runs(cluster: &Cluster) {
    let (ats, pods): (Api<At>, Api<Pod>) = (cluster.api(), cluster.api());
    let mut at = At::default();
    at.metadata.name = Some("now".to_owned());
    at.spec.schedule = "2020-01-31T12:00:00Z".to_owned();
    at.spec.command = "echo hello".to_owned();
    ats.create(&PostParams::default(), &at).await.unwrap();
    let pod = until("the pod", async || {
        let list = pods.list(&kube::api::ListParams::default()).await.unwrap();
        list.items.into_iter().next()?.metadata.name
    })
    .await;
    let reaches = async |phase| {
        until(&format!("{phase:?}"), async || {
            (ats.get("now").await.unwrap().phase() == Some(phase)).then_some(())
        })
        .await;
    };
    reaches(AtPhase::Running).await;
    report(cluster, &pod, "Running", json!({ "running": { "startedAt": "2026-01-31T12:00:00Z" } })).await;
    sleep(Duration::from_millis(500)).await;
    reaches(AtPhase::Running).await;
    report(cluster, &pod, "Succeeded", json!({ "terminated": { "exitCode": 0, "reason": "Completed" } }))
        .await;
    reaches(AtPhase::Done).await;
    let at = ats.get("now").await.unwrap();
    assert_eq!(at.status.unwrap().pod_name, Some(pod));
}

/// A MyResource is created, updated and deleted, and each is told once.
async fn my_resource_is_told(cluster: &Cluster, program: &Program) {
    let my_resources: Api<MyResource> = cluster.api();
    let mut mine = MyResource::default();
    mine.metadata.name = Some("mine".to_owned());
    mine.spec.message = "one".to_owned();
    my_resources.create(&PostParams::default(), &mine).await.unwrap();
    program.says("MyResource created").await;
    let change = Patch::Merge(json!({ "spec": { "message": "two" } }));
    my_resources.patch("mine", &PatchParams::default(), &change).await.unwrap();
    program.says("MyResource updated").await;
    my_resources.delete("mine", &DeleteParams::default()).await.unwrap();
    program.says("MyResource deleted").await;
}

async fn stories(cluster: &Cluster) {
    let mut program = cluster.sample_controller("program");
    at_runs(cluster).await;
    my_resource_is_told(cluster, &program).await;
    program.stop();
    program.says("created: 1, updated: 1, deleted: 1").await;
}

/// The Lease goes from a candidate in Go to the program, and from the program to one in Go.
async fn go_shares_the_lease(cluster: &Cluster, candidate: &str) {
    let first = cluster.candidate(candidate, "go-1");
    first.says("go-1 begins").await;
    let mut program = cluster.sample_controller("second");
    program.says("waiting for the lease").await;
    first.says("go-1 ends").await;
    program.says("became leader").await;
    let second = cluster.candidate(candidate, "go-2");
    second.says("go-2 sees").await;
    program.stop();
    second.says("go-2 begins").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stories_run_against_a_server_of_this_process() {
    let server = ApiServer::builder().build();
    let http = Http::bind(&server, ([127, 0, 0, 1], 0).into()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    http.write_kubeconfig(&kubeconfig).unwrap();
    let end = CancellationToken::new();
    let _ended = end.clone().drop_guard();
    tokio::spawn(http.serve(end));
    stories(&Cluster::of(&kubeconfig).await).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a cluster, named by CLUSTER, and for the election a candidate in Go, named by CANDIDATE_GO"]
async fn the_stories_run_against_another_server() {
    let Ok(kubeconfig) = std::env::var("CLUSTER") else { unreachable!("CLUSTER names no kubeconfig") };
    let cluster = Cluster::of(Path::new(&kubeconfig)).await;
    stories(&cluster).await;
    if let Ok(candidate) = std::env::var("CANDIDATE_GO") {
        go_shares_the_lease(&cluster, &candidate).await;
    }
    cluster.leave().await;
}
