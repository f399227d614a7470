//! Roles and bindings decide; reviews tell.

use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use super::{Client, message};

const RBAC: &str = "/apis/rbac.authorization.k8s.io/v1";
const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn client() -> Client {
    Client::new(&ApiServer::builder().rbac().seed(1).build())
}

async fn role(client: &Client, name: &str, rules: Value) {
    client
        .make(
            &format!("{RBAC}/namespaces/default/roles"),
            &json!({"metadata": {"name": name}, "rules": rules}),
        )
        .await;
}

async fn bind(client: &Client, kind: &str, name: &str, subject: Value) {
    let body = json!({
        "metadata": {"name": name},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name},
        "subjects": [subject],
    });
    let path = match kind {
        "Role" => format!("{RBAC}/namespaces/default/rolebindings"),
        _ => format!("{RBAC}/clusterrolebindings"),
    };
    client.make(&path, &body).await;
}

fn jane() -> Value {
    json!({"kind": "User", "name": "jane", "apiGroup": "rbac.authorization.k8s.io"})
}

#[tokio::test]
async fn without_roles_everybody_known_may_do_everything() {
    let client = Client::new(&ApiServer::new());
    assert_eq!(client.user("jane").get(MAPS).await.0, 200);
    let question = json!({"spec": {"resourceAttributes": {"verb": "delete", "resource": "nodes"}}});
    let answer =
        client.user("jane").make("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", &question).await;
    assert_eq!(answer["status"], json!({"allowed": true}));
    let answer = client
        .make(
            "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
            &json!({"spec": {"namespace": "default"}}),
        )
        .await;
    assert_eq!(
        answer["status"]["resourceRules"],
        json!([{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}])
    );
}

#[tokio::test]
async fn a_role_gives_what_it_names_and_nothing_else() {
    let client = client();
    let rules = json!([
        {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"], "resourceNames": ["one"]},
        {"apiGroups": [""], "resources": ["*/log"], "verbs": ["*"]},
    ]);
    role(&client, "reader", rules).await;
    bind(&client, "Role", "reader", jane()).await;
    client.make(MAPS, &json!({"metadata": {"name": "one"}})).await;
    let jane = client.user("jane");
    assert_eq!(jane.get(&format!("{MAPS}/one")).await.0, 200);
    let (status, answer) = jane.get(&format!("{MAPS}/two")).await;
    assert_eq!(status, 403);
    assert_eq!(
        message(&answer),
        "configmaps \"two\" is forbidden: User \"jane\" cannot get resource \"configmaps\" in API group \"\" in the namespace \"default\""
    );
    let (_, answer) = jane.get("/api/v1/namespaces/default/pods/p/exec").await;
    assert_eq!(
        message(&answer),
        "pods \"p\" is forbidden: User \"jane\" cannot get resource \"pods/exec\" in API group \"\" in the namespace \"default\""
    );
    assert_ne!(jane.get("/api/v1/namespaces/default/pods/p/log").await.0, 403);
    assert_eq!(jane.get("/api/v1/namespaces/other/configmaps/one").await.0, 403);
    let (_, answer) = jane.get("/metrics").await;
    assert_eq!(message(&answer), "forbidden: User \"jane\" cannot get path \"/metrics\"");
}

#[tokio::test]
async fn a_binding_whose_role_is_gone_is_told() {
    let client = client();
    bind(&client, "ClusterRole", "gone", jane()).await;
    let (_, answer) = client.user("jane").get("/api/v1/nodes").await;
    assert_eq!(
        message(&answer),
        "nodes is forbidden: User \"jane\" cannot list resource \"nodes\" in API group \"\" at the cluster scope: RBAC: \
         clusterrole.rbac.authorization.k8s.io \"gone\" not found"
    );
}

#[tokio::test]
async fn an_aggregated_role_has_the_rules_of_those_it_selects() {
    let client = client();
    let part = json!({
        "metadata": {"name": "part", "labels": {"into": "whole"}},
        "rules": [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["list"]}],
    });
    client.make(&format!("{RBAC}/clusterroles"), &part).await;
    let whole = json!({
        "metadata": {"name": "whole"},
        "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"into": "whole"}}]},
        "rules": null,
    });
    client.make(&format!("{RBAC}/clusterroles"), &whole).await;
    bind(
        &client,
        "ClusterRole",
        "whole",
        json!({"kind": "ServiceAccount", "name": "robot", "namespace": "default"}),
    )
    .await;
    assert_eq!(client.user("system:serviceaccount:default:robot").get("/api/v1/nodes").await.0, 200);
    assert_eq!(client.user("system:serviceaccount:other:robot").get("/api/v1/nodes").await.0, 403);
    let question = json!({
        "spec": {"user": "system:serviceaccount:default:robot", "resourceAttributes": {"verb": "list", "resource": "nodes"}},
    });
    let answer = client.make("/apis/authorization.k8s.io/v1/subjectaccessreviews", &question).await;
    assert_eq!(
        answer["status"],
        json!({
            "allowed": true,
            "reason": "RBAC: allowed by ClusterRoleBinding \"whole\" of ClusterRole \"whole\" to ServiceAccount \"robot/default\"",
        })
    );
}

#[tokio::test]
async fn nobody_gives_rights_that_they_do_not_have() {
    let client = client();
    let rules = json!([
        {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles", "rolebindings"], "verbs": ["get", "create", "patch"]},
        {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]},
    ]);
    role(&client, "granter", rules).await;
    bind(&client, "Role", "granter", jane()).await;
    let jane = client.user("jane").with("Impersonate-Group", "crew");
    let more = json!({
        "metadata": {"name": "more"},
        "rules": [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list", "watch"]}],
    });
    let (status, answer) = jane.post(&format!("{RBAC}/namespaces/default/roles"), &more).await;
    assert_eq!(status, 403);
    assert_eq!(
        message(&answer),
        "roles.rbac.authorization.k8s.io \"more\" is forbidden: user \"jane\" (groups=[\"crew\" \"system:authenticated\"]) is \
         attempting to grant RBAC permissions not currently held:\n{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"list\" \
         \"watch\"]}"
    );
    client.make(&format!("{RBAC}/namespaces/default/roles"), &more).await;
    let (status, _) = jane
        .patch(&format!("{RBAC}/namespaces/default/roles/more"), &json!({"metadata": {"labels": {"a": "b"}}}))
        .await;
    assert_eq!(status, 403);
    let (status, _) = jane
        .patch(
            &format!("{RBAC}/namespaces/default/roles/more"),
            &json!({"metadata": {"finalizers": ["x.example.com/y"]}}),
        )
        .await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn to_impersonate_is_a_right_of_its_own() {
    let client = client();
    let rules = json!([{"apiGroups": [""], "resources": ["users"], "verbs": ["impersonate"], "resourceNames": ["kim"]}]);
    client
        .make(&format!("{RBAC}/clusterroles"), &json!({"metadata": {"name": "actor"}, "rules": rules}))
        .await;
    bind(&client, "ClusterRole", "actor", jane()).await;
    let (status, answer) = client.with("Impersonate-Group", "crew").get("/api").await;
    assert_eq!(status, 400);
    assert_eq!(
        message(&answer),
        "requested &user.DefaultInfo{Name:\"\", UID:\"\", Groups:[]string{\"crew\"}, Extra:map[string][]string(nil)} without \
         impersonating a user name"
    );
    let review = Client::new(&ApiServer::new())
        .user("kim")
        .with("Impersonate-Uid", "7")
        .with("Impersonate-Group", "crew")
        .with("Impersonate-Extra-Example.com%2Fteam", "blue")
        .make("/apis/authentication.k8s.io/v1/selfsubjectreviews", &json!({}))
        .await;
    assert_eq!(
        review["status"]["userInfo"],
        json!({
            "username": "kim",
            "uid": "7",
            "groups": ["crew", "system:authenticated"],
            "extra": {"example.com/team": ["blue"]},
        })
    );
}
