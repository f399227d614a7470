//! kubectl with a kind in two versions, between which a webhook converts.

use std::process::Command;

use kube_codegen_apiserver::{ApiServer, Http};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const DEFINITION: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hosts.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: hosts, singular: host, kind: Host}
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://versions.test/convert'}}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {host: {type: string}, port: {type: string}}}}}}
  - name: v2
    served: true
    storage: false
    additionalPrinterColumns: [{name: Address, type: string, jsonPath: .spec.address}]
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {address: {type: string}}}}}}
";

const HOST: &str = "
apiVersion: example.com/v1
kind: Host
metadata: {name: web}
spec: {host: example.com, port: '80'}
";

fn answer(review: &Value) -> Value {
    let desired = &review["request"]["desiredAPIVersion"];
    let objects = review["request"]["objects"].as_array().unwrap().iter().map(|object| {
        let text = |name: &str| object["spec"][name].as_str().unwrap_or_default().to_owned();
        let spec = if desired == "example.com/v2" {
            json!({"address": format!("{}:{}", text("host"), text("port"))})
        } else {
            let address = text("address");
            let (host, port) = address.split_once(':').unwrap();
            json!({"host": host, "port": port})
        };
        let metadata = &object["metadata"];
        json!({"apiVersion": desired, "kind": "Host", "metadata": metadata, "spec": spec})
    });
    json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "response": {
        "uid": review["request"]["uid"], "result": {"status": "Success"}, "convertedObjects": objects.collect::<Vec<_>>(),
    }})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kubectl_gets_and_changes_an_object_in_both_versions() {
    if Command::new("kubectl").arg("version").arg("--client").output().is_err() {
        println!("SKIPPED: there is no kubectl on the PATH");
        return;
    }
    let server = ApiServer::default();
    server.webhook("https://versions.test/convert", |review| async move { answer(&review) });
    let http = Http::bind(&server, "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("kubeconfig");
    http.write_kubeconfig(&config).unwrap();
    let shutdown = CancellationToken::new();
    let serving = tokio::spawn(http.serve(shutdown.clone()));
    let files = [("definition.yaml", DEFINITION), ("host.yaml", HOST)].map(|(name, text)| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    });
    let home = folder.path().to_owned();
    let story = tokio::task::spawn_blocking(move || {
        let run = |arguments: &str| {
            let mut command = Command::new("kubectl");
            command.args(arguments.split(' ')).env("KUBECONFIG", &config).env("HOME", &home);
            let output = command.output().unwrap();
            let (out, error) =
                (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
            assert!(output.status.success(), "{arguments}: {error}");
            out.trim().to_owned()
        };
        for file in files {
            assert!(run(&format!("apply -f {}", file.display())).contains(" created"));
        }
        assert_eq!(run("get hosts.v1.example.com web -o jsonpath={.spec.host}"), "example.com");
        assert_eq!(run("get hosts.v2.example.com web -o jsonpath={.spec.address}"), "example.com:80");
        let patch =
            "patch hosts.v2.example.com web --type merge -p {\"spec\":{\"address\":\"example.org:81\"}}";
        assert!(run(patch).contains("patched"));
        assert_eq!(run("get hosts.v1.example.com web -o jsonpath={.spec.port}"), "81");
        let table = run("get hosts --no-headers");
        assert!(table.contains("example.org:81"), "{table}");
        assert!(run("delete hosts.v2.example.com web").contains("deleted"));
    });
    story.await.unwrap();
    shutdown.cancel();
    serving.await.unwrap();
}
