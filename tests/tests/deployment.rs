//! The image and the manifests of the sample controllers, as far as they can be looked at without a container engine: what the Dockerfile
//! copies and builds is there, and a server takes what kustomize makes of `config/`.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::authorization::v1::SubjectAccessReview;
use k8s_openapi::api::core::v1::{Container, Pod, PodSpec};
use k8s_openapi::api::rbac::v1::ClusterRoleBinding;
use kube::Api;
use kube::api::PostParams;
use kube_codegen_apiserver::{ApiServer, Manifests};
use kube_codegen_runtime::manager::ManagerConfig;
use serde_json::{Value, json};

const NAMESPACE: &str = "sample-controller-system";

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn read(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).unwrap()
}

/// The instructions of the Dockerfile, each with its words, by the stage that they are of.
fn stages() -> Vec<Vec<Vec<String>>> {
    let text = read("Dockerfile");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let mut stages: Vec<Vec<Vec<String>>> = Vec::new();
    for line in lines {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        if words[0] == "FROM" {
            stages.push(Vec::new());
        }
        stages.last_mut().unwrap().push(words);
    }
    stages
}

/// What follows an instruction that stands there once.
fn only(stage: &[Vec<String>], name: &str) -> Vec<String> {
    let found: Vec<_> = stage.iter().filter(|words| words[0] == name).collect();
    assert_eq!(found.len(), 1, "{name}: {found:?}");
    found[0][1..].to_vec()
}

fn cargo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO")).args(arguments).current_dir(workspace()).output().unwrap()
}

#[test]
fn what_the_image_is_built_from_is_there() {
    let [build, _] = &stages()[..] else { unreachable!("two stages") };
    let compiler = read("rust-toolchain.toml");
    let image = &only(build, "FROM")[0];
    let version = image.strip_prefix("rust:").and_then(|rest| rest.split('-').next()).unwrap();
    assert!(compiler.contains(&format!("\"{version}")), "{image} is not the compiler of {compiler}");
    assert_eq!(only(build, "COPY"), [".", "."]);

    // Nothing that is needed is left out.
    let tracked = Command::new("git").args(["ls-files"]).current_dir(workspace()).output().unwrap();
    let tracked = String::from_utf8(tracked.stdout).unwrap();
    for pattern in read(".dockerignore").lines() {
        let folder = pattern.strip_suffix('/').unwrap_or_else(|| unreachable!("{pattern} is no folder"));
        assert!(!folder.contains(['*', '!']) && !folder.is_empty(), "{pattern}");
        let lost = tracked.lines().find(|path| path.split('/').next() == Some(folder));
        assert_eq!(lost, None, "{pattern}");
    }
}

#[test]
fn the_image_holds_the_program_that_it_builds_and_is_not_root() {
    let [build, image] = &stages()[..] else { unreachable!("two stages") };
    let command = only(build, "RUN");
    let ["cargo", "build", "--locked", "--release", options @ ..] =
        &command.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        unreachable!("{command:?}")
    };
    // What it would build, with the same options: all of it is known, and the server for tests is not part of it.
    let tree =
        cargo(&[&["tree", "--locked", "--offline", "--edges=normal", "--prefix=none"], options].concat());
    assert!(tree.status.success(), "{}", text(&tree));
    let tree = text(&tree);
    assert!(tree.contains("kube-codegen-runtime ") && !tree.contains("kube-codegen-apiserver "), "{tree}");

    let metadata = cargo(&["metadata", "--no-deps", "--offline", "--format-version=1"]);
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let package = options.iter().position(|option| *option == "--package").and_then(|at| options.get(at + 1));
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|known| known["name"].as_str() == package.copied()).unwrap();
    let is_program = |target: &&Value| target["kind"][0] == "bin";
    let program =
        package["targets"].as_array().unwrap().iter().find(is_program).unwrap()["name"].as_str().unwrap();
    let built = format!("{}/target/release/{program}", only(build, "WORKDIR")[0]);

    let [from, source, destination] = &only(image, "COPY")[..] else { unreachable!("one program") };
    assert_eq!((from.as_str(), source), ("--from=build", &built));
    assert_eq!(only(image, "ENTRYPOINT"), [format!("[{destination:?}]")]);
    // The C library of the one is that of the other.
    assert!(only(build, "FROM")[0].ends_with("-bookworm") && only(image, "FROM")[0].contains("-debian12:"));
    // `runAsNonRoot` needs a number, for names tell a kubelet nothing.
    let user = &only(image, "USER")[0];
    assert!(user.split(':').all(|id| id.parse::<u32>().is_ok_and(|id| id > 0)), "{user}");
}

/// What kustomize makes of a folder; nothing where there is no kubectl.
fn kustomized(folder: &str) -> Option<String> {
    let output =
        Command::new("kubectl").args(["kustomize", folder]).current_dir(workspace()).output().ok()?;
    assert!(output.status.success(), "{}", text(&output));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[tokio::test]
async fn a_server_takes_what_kustomize_makes() {
    let Some(manifests) = kustomized("config/default") else { return };
    let kinds: Vec<_> = manifests.lines().filter_map(|line| line.strip_prefix("kind: ")).collect();
    let expected = [
        "Namespace",
        "ServiceAccount",
        "Role",
        "ClusterRole",
        "ClusterRole",
        "RoleBinding",
        "ClusterRoleBinding",
        "ClusterRoleBinding",
        "Deployment",
    ];
    assert_eq!(kinds, expected);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.yaml");
    fs::write(&file, manifests).unwrap();
    let server = ApiServer::builder().system_objects().rbac().build();
    server.load(&Manifests::read([file, workspace().join("crd")]).unwrap()).unwrap();

    let deployments: Api<Deployment> = Api::namespaced(server.client(), NAMESPACE);
    let deployment = deployments.get("sample-controller").await.unwrap().spec;
    let labels = deployment.template.metadata.clone().unwrap().labels;
    assert_eq!(deployment.selector.match_labels, labels);
    // Its pods are admitted, although the namespace takes restricted ones alone.
    let mut pod = Pod { spec: deployment.template.spec, ..Pod::default() };
    pod.metadata.name = Some("one".to_owned());
    let pods: Api<Pod> = Api::namespaced(server.client(), NAMESPACE);
    let pod = pods.create(&PostParams::default(), &pod).await.unwrap().spec.unwrap();
    agrees(&pod);
    let mut careless = pod;
    careless.containers[0].security_context = None;
    let mut careless = Pod { spec: Some(careless), ..Pod::default() };
    careless.metadata.name = Some("two".to_owned());
    assert!(pods.create(&PostParams::default(), &careless).await.is_err());
}

/// Whether a user may do something.
async fn may(server: &ApiServer, user: &str, what: Value) -> bool {
    let mut spec = what;
    spec["user"] = user.into();
    let review: SubjectAccessReview =
        serde_json::from_value(json!({ "metadata": {}, "spec": spec })).unwrap();
    let reviews: Api<SubjectAccessReview> = Api::all(server.client());
    reviews.create(&PostParams::default(), &review).await.unwrap().status.unwrap().allowed
}

#[tokio::test]
async fn the_manager_may_ask_who_reads_its_metrics_and_readers_may_be_let_in() {
    let rbac = workspace().join("config/rbac");
    let server = ApiServer::builder().system_objects().rbac().build();
    let namespace = workspace().join("config/manager/namespace.yaml");
    let files = ["service_account", "role", "role_binding", "metrics_reader"];
    let files = files.map(|file| rbac.join(format!("{file}.yaml")));
    server.load(&Manifests::read([namespace].into_iter().chain(files)).unwrap()).unwrap();
    let account = format!("system:serviceaccount:{NAMESPACE}:sample-controller");
    for (group, resource) in
        [("authentication.k8s.io", "tokenreviews"), ("authorization.k8s.io", "subjectaccessreviews")]
    {
        let what =
            json!({ "resourceAttributes": { "group": group, "resource": resource, "verb": "create" } });
        assert!(may(&server, &account, what.clone()).await, "{resource}");
        assert!(!may(&server, "prometheus", what).await, "{resource}");
    }
    let metrics = json!({ "nonResourceAttributes": { "path": "/metrics", "verb": "get" } });
    assert!(!may(&server, "prometheus", metrics.clone()).await);
    let group = "rbac.authorization.k8s.io";
    let binding: ClusterRoleBinding = serde_json::from_value(json!({
        "metadata": { "name": "scrapers" },
        "roleRef": { "apiGroup": group, "kind": "ClusterRole", "name": "sample-controller-metrics-reader" },
        "subjects": [{ "apiGroup": group, "kind": "User", "name": "prometheus" }],
    }))
    .unwrap();
    Api::all(server.client()).create(&PostParams::default(), &binding).await.unwrap();
    assert!(may(&server, "prometheus", metrics).await);
}

/// The parts of the pod are about the same program.
fn agrees(pod: &PodSpec) {
    let [container] = &pod.containers[..] else { unreachable!("one container") };
    let image = container.image.as_deref().unwrap().split(':').next().unwrap();
    assert!(read("Dockerfile").contains(&format!("docker build -t {image} .")), "{image}");
    let (config, rest) = ManagerConfig::default().with_flags(container.args.clone().unwrap()).unwrap();
    assert!(rest.is_empty(), "{rest:?} are no flags of the manager");
    assert!(config.leader_elect && config.metrics_secure);
    let port = |address: Option<std::net::SocketAddr>| i32::from(address.unwrap().port());
    assert_eq!(named(container, "health"), port(config.health_probe_bind_address));
    assert_eq!(named(container, "metrics"), port(config.metrics_bind_address));
    let grace = pod.termination_grace_period_seconds.unwrap();
    assert!(u64::try_from(grace).unwrap() > config.graceful_shutdown_timeout.as_secs());
}

fn named(container: &Container, name: &str) -> i32 {
    let ports = container.ports.as_deref().unwrap_or_default();
    ports.iter().find(|port| port.name.as_deref() == Some(name)).unwrap().container_port
}
