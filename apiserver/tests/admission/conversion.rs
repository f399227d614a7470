//! Kinds whose versions a webhook converts: what would need it is refused, and nothing is converted wrongly.

use http::Method;
use serde_json::{Value, json};

use super::Client;

#[tokio::test]
async fn only_the_stored_version_can_be_used() {
    let client = Client::new();
    let schema = json!({"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let definition = json!({"metadata": {"name": "convs.example.com"}, "spec": {
        "group": "example.com", "scope": "Cluster", "names": {"plural": "convs", "kind": "Conv"},
        "versions": [
            {"name": "v1", "served": true, "storage": true, "schema": schema},
            {"name": "v2", "served": true, "storage": false, "schema": schema},
        ],
        "conversion": {"strategy": "Webhook", "webhook": {
            "conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://127.0.0.1:1/x"},
        }},
    }});
    client.make("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", &definition).await;
    let object = |version: &str| json!({"apiVersion": format!("example.com/{version}"), "kind": "Conv", "metadata": {"name": "a"}, "a": 1});
    let (old, new) = ("/apis/example.com/v1/convs", "/apis/example.com/v2/convs");
    let empty = client.send(Method::GET, new, &Value::Null).await;
    assert_eq!(empty.code, 200);
    client.make(old, &object("v1")).await;
    assert_eq!(client.send(Method::GET, &format!("{old}/a"), &Value::Null).await.code, 200);
    assert_eq!(client.send(Method::GET, old, &Value::Null).await.body["items"].as_array().unwrap().len(), 1);

    let why =
        "conversion webhook for example.com/v1, Kind=Conv failed: this server calls no conversion webhooks";
    let list = client.send(Method::GET, new, &Value::Null).await;
    assert_eq!((list.code, list.body["reason"].as_str()), (429, Some("TooManyRequests")));
    assert!(list.message().ends_with(why), "{list:?}");
    for method in [Method::GET, Method::DELETE] {
        let refused = client.send(method, &format!("{new}/a"), &Value::Null).await;
        assert_eq!((refused.code, refused.body["reason"].as_str()), (500, Some("InternalError")));
        assert!(refused.message().ends_with(why), "{refused:?}");
    }
    let patched = client.send(Method::PATCH, &format!("{new}/a"), &json!({"b": 1})).await;
    assert!(patched.message().starts_with("object not decodable revision="), "{patched:?}");
    let created = client.post(new, &object("v2")).await;
    let own =
        "conversion webhook for example.com/v2, Kind=Conv failed: this server calls no conversion webhooks";
    assert_eq!((created.code, created.message()), (500, own));
    assert_eq!(client.send(Method::GET, &format!("{new}/nope"), &Value::Null).await.code, 404);
    assert_eq!(client.send(Method::DELETE, &format!("{old}/a"), &Value::Null).await.code, 200);
}
