//! Validating policies.

use http::Method;
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use super::{Client, GROUP, MAPS, map, policy};

fn validations(all: &[&str]) -> Value {
    json!({"validations": all.iter().map(|one| json!({"expression": one})).collect::<Vec<_>>()})
}

#[tokio::test]
async fn a_denial_tells_policy_binding_and_message() {
    let client = Client::new();
    let spec = json!({"validations": [
        {"expression": "object.data.a == 'x'", "message": "  must be x ", "reason": "Forbidden"},
        {"expression": "object.data.n == 'x'", "messageExpression": "'got ' + object.data.n"},
    ]});
    client.policy("p", spec, json!({})).await;
    assert_eq!(client.post(MAPS, &map("ok", json!({"a": "x", "n": "x"}))).await.code, 201);

    let refused = client.post(MAPS, &map("m", json!({"a": "y", "n": "x"}))).await;
    assert_eq!((refused.code, refused.body["reason"].as_str()), (403, Some("Forbidden")));
    let why = "ValidatingAdmissionPolicy 'p' with binding 'p' denied request: must be x";
    assert_eq!(refused.message(), format!("configmaps \"m\" is forbidden: {why}"));
    assert_eq!(refused.body["details"]["causes"], json!([{"message": why}]));

    let refused = client.post(MAPS, &map("m", json!({"a": "x", "n": "z"}))).await;
    assert_eq!(refused.code, 422);
    assert!(refused.message().ends_with("denied request: got z"), "{refused:?}");

    let refused = client.post(MAPS, &map("m", Value::Null)).await;
    let why = "denied request: expression 'object.data.a == 'x'' resulted in error: no such key: data";
    assert!(refused.message().ends_with(why), "{refused:?}");

    let gone = client.send(Method::DELETE, &format!("{MAPS}/ok"), &Value::Null).await;
    assert!(gone.message().ends_with(why), "{gone:?}");
    let patched = client.send(Method::PATCH, &format!("{MAPS}/ok"), &json!({"data": {"a": "q"}})).await;
    assert_eq!(patched.code, 403);
}

#[tokio::test]
async fn a_generated_name_is_known_to_policies() {
    let client = Client::new();
    client.policy("p", validations(&["request.name == object.metadata.name && false"]), json!({})).await;
    let refused = client.post(MAPS, &json!({"metadata": {"generateName": "gen-"}})).await;
    assert!(refused.message().starts_with("configmaps \"gen-"), "{refused:?}");
    assert_ne!(refused.body["details"]["name"], "gen-");
}

#[tokio::test]
async fn what_expressions_see_of_a_write() {
    let client = Client::new();
    let true_of_creates = [
        "oldObject == null",
        "!has(oldObject.data)",
        "request.operation == 'CREATE' && request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps'",
        "!has(request.subResource) && request.namespace == 'default' && !request.dryRun",
        "request.options.kind == 'CreateOptions'",
        "!has(request.userInfo.extra) && 'system:masters' in request.userInfo.groups",
        "namespaceObject.metadata.name == 'default' && !has(namespaceObject.metadata.annotations)",
        "object.kind == 'ConfigMap' && object['data']['a'] == 'x'",
        "authorizer.group('').resource('pods').namespace('x').check('get').allowed()",
        "authorizer.requestResource.check('create').allowed()",
    ];
    client.policy("p", validations(&true_of_creates), json!({})).await;
    let made = client.post(MAPS, &map("m", json!({"a": "x"}))).await;
    assert_eq!(made.code, 201, "{made:?}");
}

#[tokio::test]
async fn variables_are_worked_out_when_they_are_named() {
    let client = Client::new();
    let spec = json!({
        "variables": [
            {"name": "v", "expression": "object.data.v"},
            {"name": "w", "expression": "variables.v + '!'"},
        ],
        "matchConditions": [{"name": "own", "expression": "object.metadata.name != 'skip'"}],
        "validations": [{"expression": "variables.w == 'a!'"}],
    });
    client.policy("p", spec, json!({})).await;
    assert_eq!(client.post(MAPS, &map("skip", Value::Null)).await.code, 201);
    assert_eq!(client.post(MAPS, &map("a", json!({"v": "a"}))).await.code, 201);
    let refused = client.post(MAPS, &map("b", json!({"x": "a"}))).await;
    let why = "expression 'variables.w == 'a!'' resulted in error: composited variable \"w\" fails to evaluate: composited variable \
               \"v\" fails to evaluate: no such key: v";
    assert!(refused.message().ends_with(why), "{refused:?}");
}

#[tokio::test]
async fn failures_may_be_ignored_but_not_what_is_false() {
    let client = Client::new();
    let mut spec = validations(&["object.data.x == 'a'"]);
    spec["failurePolicy"] = "Ignore".into();
    client.policy("p", spec, json!({})).await;
    assert_eq!(client.post(MAPS, &map("a", Value::Null)).await.code, 201);
    assert_eq!(client.post(MAPS, &map("b", json!({"x": "b"}))).await.code, 422);
}

#[tokio::test]
async fn a_binding_may_only_warn() {
    let client = Client::new();
    client.policy("p", validations(&["false"]), json!({"validationActions": ["Warn", "Audit"]})).await;
    let made = client.post(MAPS, &map("a", Value::Null)).await;
    let text = "299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': failed expression: false\"";
    assert_eq!((made.code, made.warnings.as_slice()), (201, [text.to_owned()].as_slice()));
}

#[tokio::test]
async fn parameters_come_from_objects_of_any_kind() {
    let client = Client::new();
    let mut spec = validations(&["object.metadata.name != params.data.taken"]);
    spec["paramKind"] = json!({"apiVersion": "v1", "kind": "ConfigMap"});
    let by_label = json!({"paramRef": {
        "selector": {"matchLabels": {"role": "params"}}, "namespace": "kube-system", "parameterNotFoundAction": "Deny",
    }});
    client.policy("p", spec, by_label).await;
    let refused = client.post(MAPS, &map("a", Value::Null)).await;
    let why =
        "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";
    assert!(refused.message().ends_with(why), "{refused:?}");

    // The parameters lie where the policy looks at nothing but what is new.
    let own = format!("{GROUP}/validatingadmissionpolicybindings/p");
    assert_eq!(client.send(Method::DELETE, &own, &Value::Null).await.code, 200);
    for (name, taken) in [("one", "a"), ("two", "b")] {
        let params =
            json!({"metadata": {"name": name, "labels": {"role": "params"}}, "data": {"taken": taken}});
        client.make("/api/v1/namespaces/kube-system/configmaps", &params).await;
    }
    let binding = json!({"metadata": {"name": "p"}, "spec": {"policyName": "p", "validationActions": ["Deny"], "paramRef": {
        "selector": {"matchLabels": {"role": "params"}}, "namespace": "kube-system", "parameterNotFoundAction": "Deny",
    }}});
    client.make(&format!("{GROUP}/validatingadmissionpolicybindings"), &binding).await;
    assert_eq!(client.post(MAPS, &map("a", Value::Null)).await.code, 422);
    assert_eq!(client.post(MAPS, &map("b", Value::Null)).await.code, 422);
    assert_eq!(client.post(MAPS, &map("c", Value::Null)).await.code, 201);
}

#[tokio::test]
async fn a_kind_of_parameters_that_is_not_known_fails_the_policy() {
    let client = Client::new();
    let mut spec = validations(&["true"]);
    spec["paramKind"] = json!({"apiVersion": "rules.example.com/v1", "kind": "Limit"});
    client.policy("p", spec, json!({"paramRef": {"name": "x", "parameterNotFoundAction": "Allow"}})).await;
    let refused = client.post(MAPS, &map("a", Value::Null)).await;
    let why = "ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by \
               paramKind: 'rules.example.com/v1, Kind=Limit'";
    assert!(refused.message().ends_with(why), "{refused:?}");
}

#[tokio::test]
async fn constraints_say_which_writes_are_meant() {
    let client = Client::new();
    let mut spec = validations(&["false"]);
    spec["matchConstraints"] = json!({
        "resourceRules": [{"apiGroups": ["", "autoscaling"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["*"]}],
        "excludeResourceRules": [{
            "apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"], "resourceNames": ["free"],
        }],
        "objectSelector": {"matchExpressions": [{"key": "free", "operator": "DoesNotExist"}]},
        "namespaceSelector": {"matchExpressions": [
            {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-public"]},
        ]},
    });
    client.policy("p", spec, json!({})).await;
    let code = async |path: &str, body: Value| client.post(path, &body).await.code;
    assert_eq!(code(MAPS, map("a", Value::Null)).await, 422);
    assert_eq!(code(MAPS, map("free", Value::Null)).await, 201);
    assert_eq!(code(MAPS, json!({"metadata": {"name": "b", "labels": {"free": "1"}}})).await, 201);
    assert_eq!(code("/api/v1/namespaces/kube-public/configmaps", map("a", Value::Null)).await, 201);
    assert_eq!(code("/api/v1/namespaces", json!({"metadata": {"name": "n"}})).await, 422);
    // The same autoscaler in another version is the same autoscaler.
    let scaler = json!({"metadata": {"name": "h"}, "spec": {
        "maxReplicas": 2, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"},
    }});
    assert_eq!(code("/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", scaler).await, 422);
    // Configurations of admission are never held up by themselves.
    let other = policy("q", validations(&["true"]));
    assert_eq!(code(&format!("{GROUP}/validatingadmissionpolicies"), other).await, 201);
}

#[tokio::test]
async fn subresources_are_asked_about_as_what_they_are() {
    let client = Client::new();
    let mut spec =
        validations(&["object.kind == 'Scale' && object.spec.replicas < 3 && oldObject.spec.replicas == 1"]);
    spec["matchConstraints"] = json!({"resourceRules": [{
        "apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["UPDATE"], "resources": ["deployments/scale"],
    }]});
    client.policy("p", spec, json!({})).await;
    let deployments = "/apis/apps/v1/namespaces/default/deployments";
    let labels = json!({"app": "a"});
    let deployment = json!({"metadata": {"name": "d"}, "spec": {
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "a", "image": "b"}]}},
    }});
    client.make(deployments, &deployment).await;
    let scale = async |replicas: i64| {
        let path = format!("{deployments}/d/scale");
        client.send(Method::PATCH, &path, &json!({"spec": {"replicas": replicas}})).await
    };
    assert_eq!(scale(5).await.code, 422);
    assert_eq!(scale(2).await.code, 200);

    let mut spec = validations(&["object.command[0] != 'sh'"]);
    spec["matchConstraints"] = json!({"resourceRules": [{
        "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CONNECT"], "resources": ["pods/exec"],
    }]});
    client.policy("exec", spec, json!({})).await;
    let refused =
        client.post("/api/v1/namespaces/default/pods/x/exec?command=sh&stdout=true", &Value::Null).await;
    assert_eq!(refused.code, 422, "{refused:?}");
    assert!(refused.message().contains("failed expression: object.command[0] != 'sh'"), "{refused:?}");
}

#[tokio::test]
async fn rights_may_decide() {
    let server = ApiServer::builder().rbac().build();
    let mut client = Client::of(&server);
    client
        .policy(
            "p",
            validations(&[
                "authorizer.group('').resource('secrets').namespace('default').check('get').allowed()",
            ]),
            json!({}),
        )
        .await;
    let role = json!({"metadata": {"name": "maps"}, "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["*"]}]});
    client.make("/apis/rbac.authorization.k8s.io/v1/clusterroles", &role).await;
    let binding = json!({
        "metadata": {"name": "maps"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "maps"},
        "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "jane"}],
    });
    client.make("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", &binding).await;
    assert_eq!(client.post(MAPS, &map("a", Value::Null)).await.code, 201);
    client.user = Some("jane".to_owned());
    assert_eq!(client.post(MAPS, &map("b", Value::Null)).await.code, 422);
}

#[tokio::test]
async fn expressions_are_checked_when_a_policy_is_stored() {
    let client = Client::new();
    let spec = json!({
        "matchConditions": [{"name": "a", "expression": "request.foo == 1"}, {"name": "b", "expression": "'x'"}],
        "variables": [
            {"name": "good", "expression": "object.metadata.name"},
            {"name": "num", "expression": "1"},
            {"name": "b-ad", "expression": "1"},
            {"name": "fwd", "expression": "variables.later"},
            {"name": "", "expression": " "},
        ],
        "validations": [
            {"expression": "object.x"},
            {"expression": "variables.num == 'a'"},
            {"expression": "params.nope == 'a'"},
            {"expression": "namespaceObject.metadata + 1 == 2"},
            {"expression": "variables + 1 == 2"},
            {"expression": "authorizer.foo()"},
            {"expression": "authorizer.group('').resource('pods').check('get')"},
            {"expression": "Object{a: 1} == 1"},
            {"expression": "true", "messageExpression": "authorizer.group('')", "message": "a\nb", "reason": "Because"},
        ],
        "auditAnnotations": [{"key": "a b", "valueExpression": "1"}, {"key": "ok", "valueExpression": "null"}, {"key": "ok", "valueExpression": "object.a"}],
    });
    let refused = client.post(&format!("{GROUP}/validatingadmissionpolicies"), &policy("p", spec)).await;
    let told: Vec<String> = refused.body["details"]["causes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cause| format!("{}: {}", cause["field"].as_str().unwrap(), cause["message"].as_str().unwrap()))
        .collect();
    let expected = include_str!("policy_errors.txt");
    assert_eq!(told.join("\n") + "\n", expected);
}
