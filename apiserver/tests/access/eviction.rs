//! Disruption budgets stand between an eviction and the pod.

use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use super::{Client, message};

const PODS: &str = "/api/v1/namespaces/default/pods";
const BUDGETS: &str = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

async fn pod(client: &Client, name: &str, phase: &str) {
    let body = json!({
        "metadata": {"name": name, "labels": {"app": "web"}},
        "spec": {"containers": [{"name": "main", "image": "app:1"}]},
    });
    client.make(PODS, &body).await;
    let status = json!({"status": {"phase": phase, "conditions": [{"type": "Ready", "status": "True"}]}});
    client.patch(&format!("{PODS}/{name}/status"), &status).await;
}

async fn budget(client: &Client, name: &str, status: Value) {
    let body = json!({
        "metadata": {"name": name},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}},
    });
    client.make(BUDGETS, &body).await;
    client.patch(&format!("{BUDGETS}/{name}/status"), &json!({"status": status})).await;
}

async fn evict(client: &Client, name: &str) -> (u16, Value) {
    client.post(&format!("{PODS}/{name}/eviction"), &json!({"metadata": {"name": name}})).await
}

#[tokio::test]
async fn a_budget_is_spent_and_then_refuses() {
    let client = Client::new(&ApiServer::new());
    pod(&client, "a", "Running").await;
    pod(&client, "b", "Running").await;
    let status =
        json!({"observedGeneration": 1, "disruptionsAllowed": 1, "currentHealthy": 2, "desiredHealthy": 1});
    budget(&client, "web", status).await;
    assert_eq!(evict(&client, "a").await.0, 201);
    let (_, after) = client.get(&format!("{BUDGETS}/web")).await;
    assert_eq!(after["status"]["disruptionsAllowed"], 0);
    assert!(after["status"]["disruptedPods"]["a"].is_string());
    let (status, answer) = evict(&client, "b").await;
    assert_eq!(status, 429);
    assert_eq!(answer["details"]["causes"][0]["reason"], "DisruptionBudget");
    let (_, still) = client.get(&format!("{PODS}/b")).await;
    assert_eq!(still["status"]["phase"], "Running");
}

#[tokio::test]
async fn pods_that_serve_nobody_may_always_go() {
    let client = Client::new(&ApiServer::new());
    pod(&client, "done", "Succeeded").await;
    pod(&client, "waiting", "Pending").await;
    budget(&client, "web", json!({"observedGeneration": 1, "disruptionsAllowed": 0})).await;
    assert_eq!(evict(&client, "done").await.0, 201);
    assert_eq!(evict(&client, "waiting").await.0, 201);
    assert_eq!(client.get(&format!("{PODS}/done")).await.0, 404);
}

#[tokio::test]
async fn a_dry_run_spends_nothing() {
    let client = Client::new(&ApiServer::new());
    pod(&client, "a", "Running").await;
    let status =
        json!({"observedGeneration": 1, "disruptionsAllowed": 1, "currentHealthy": 2, "desiredHealthy": 1});
    budget(&client, "web", status).await;
    let body = json!({"metadata": {"name": "a"}, "deleteOptions": {"dryRun": ["All"]}});
    assert_eq!(client.post(&format!("{PODS}/a/eviction"), &body).await.0, 201);
    let (_, after) = client.get(&format!("{BUDGETS}/web")).await;
    assert_eq!(after["status"]["disruptionsAllowed"], 1);
    assert_eq!(client.get(&format!("{PODS}/a")).await.0, 200);
}

#[tokio::test]
async fn two_budgets_for_one_pod_are_too_many() {
    let client = Client::new(&ApiServer::new());
    pod(&client, "a", "Running").await;
    budget(&client, "one", json!({})).await;
    budget(&client, "two", json!({})).await;
    let (status, answer) = evict(&client, "a").await;
    assert_eq!(status, 500);
    assert_eq!(
        message(&answer),
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
    );
}
