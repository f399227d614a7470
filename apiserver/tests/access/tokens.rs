//! Tokens of service accounts are made, believed, and forgotten with what they are bound to.

use http::Method;
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use super::{Client, message};

const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";
const REVIEWS: &str = "/apis/authentication.k8s.io/v1/tokenreviews";

async fn account(client: &Client) {
    client.make(ACCOUNTS, &json!({"metadata": {"name": "robot"}})).await;
}

async fn token(client: &Client, spec: Value) -> String {
    let answer = client.make(&format!("{ACCOUNTS}/robot/token"), &json!({"spec": spec})).await;
    answer["status"]["token"].as_str().unwrap().to_owned()
}

async fn review(client: &Client, token: &str) -> Value {
    client.make(REVIEWS, &json!({"spec": {"token": token}})).await["status"].clone()
}

#[tokio::test]
async fn who_shows_a_token_is_the_account() {
    let client = Client::new(&ApiServer::builder().rbac().build());
    account(&client).await;
    let token = token(&client, json!({})).await;
    let robot = client.with("Authorization", &format!("Bearer {token}"));
    let (_, who) = robot.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", &json!({})).await;
    assert_eq!(who["status"]["userInfo"]["username"], "system:serviceaccount:default:robot");
    let (status, answer) = robot.get("/api/v1/namespaces/default/pods").await;
    assert_eq!(status, 403);
    assert!(message(&answer).contains("User \"system:serviceaccount:default:robot\" cannot list"));
    let (status, answer) = client.with("Authorization", "Bearer guessed").get("/api").await;
    assert_eq!((status, message(&answer)), (401, "Unauthorized"));
}

#[tokio::test]
async fn a_token_ends_with_its_account() {
    let client = Client::new(&ApiServer::new());
    account(&client).await;
    let token = token(&client, json!({})).await;
    let status = review(&client, &token).await;
    assert_eq!(status["authenticated"], true);
    assert_eq!(status["audiences"], json!(["https://kubernetes.default.svc"]));
    client.send(Method::DELETE, &format!("{ACCOUNTS}/robot"), None).await;
    assert_eq!(
        review(&client, &token).await,
        json!({"user": {}, "error": "[invalid bearer token, serviceaccounts \"robot\" not found]"})
    );
    account(&client).await;
    assert!(review(&client, &token).await["error"].as_str().unwrap().contains("does not match claim"));
}

#[tokio::test]
async fn a_token_is_for_its_audiences_and_cannot_be_changed() {
    let client = Client::new(&ApiServer::new());
    account(&client).await;
    let token = token(&client, json!({"audiences": ["vault"]})).await;
    assert_eq!(
        review(&client, &token).await["error"],
        "[invalid bearer token, token audiences [\"vault\"] is invalid for the target audiences \
         [\"https://kubernetes.default.svc\"]]"
    );
    let question = json!({"spec": {"token": token, "audiences": ["vault", "other"]}});
    assert_eq!(client.make(REVIEWS, &question).await["status"]["audiences"], json!(["vault"]));
    let (body, _) = token.rsplit_once('.').unwrap();
    let forged = format!("{body}.AAAA");
    assert_eq!(
        review(&client, &forged).await["error"],
        "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]"
    );
}

#[tokio::test]
async fn a_bound_token_ends_with_its_pod() {
    let client = Client::new(&ApiServer::new());
    account(&client).await;
    let pod = json!({
        "metadata": {"name": "p"},
        "spec": {"serviceAccountName": "robot", "containers": [{"name": "main", "image": "app:1"}]},
    });
    client.make("/api/v1/namespaces/default/pods", &pod).await;
    let bound = json!({"boundObjectRef": {"apiVersion": "v1", "kind": "Pod", "name": "p"}});
    let token = token(&client, bound).await;
    let status = review(&client, &token).await;
    assert_eq!(status["user"]["extra"]["authentication.kubernetes.io/pod-name"], json!(["p"]));
    client.send(Method::DELETE, "/api/v1/namespaces/default/pods/p", None).await;
    assert_eq!(
        review(&client, &token).await["error"],
        "[invalid bearer token, service account token has been invalidated]"
    );
}

#[tokio::test]
async fn the_same_seed_makes_the_same_tokens_and_they_can_be_verified() {
    let clock = || "2026-01-02T03:04:05Z".parse().unwrap();
    let make = || Client::new(&ApiServer::builder().seed(3).clock(clock).build());
    let (one, other) = (make(), make());
    account(&one).await;
    account(&other).await;
    assert_eq!(token(&one, json!({})).await, token(&other, json!({})).await);
    let (status, keys) = one.get("/openid/v1/jwks").await;
    assert_eq!((status, &keys["keys"][0]["alg"]), (200, &json!("ES256")));
}

#[tokio::test]
async fn what_is_only_asked_has_no_tables() {
    let server = ApiServer::new();
    let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let client = Client::new(&server).with("accept", table);
    let asked = [
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews",
        "/apis/authentication.k8s.io/v1/tokenreviews",
        "/api/v1/namespaces/default/serviceaccounts/default/token",
        "/api/v1/namespaces/default/pods/a/eviction",
        "/api/v1/namespaces/default/pods/a/binding",
        "/api/v1/namespaces/default/bindings",
    ];
    for path in asked {
        let (status, answer) = client.send(Method::POST, path, Some(&json!({"spec": {}}))).await;
        let types = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
        let why = format!("only the following media types are accepted: {types}");
        assert_eq!((status, &answer["message"]), (406, &json!(why)), "{path}");
    }
    let path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    let review = json!({"spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}}});
    let client = Client::new(&server).with("accept", &format!("{table},application/json"));
    let (status, answer) = client.send(Method::POST, path, Some(&review)).await;
    assert_eq!((status, &answer["kind"]), (201, &json!("SelfSubjectAccessReview")));
}
