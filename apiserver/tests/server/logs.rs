//! Who asks for the log of a container is sent to whoever runs it.

use bytes::Bytes;
use futures::StreamExt as _;
use kube_codegen_apiserver::{ApiServer, LogQuery, LogSource, LogStream, Status};
use serde_json::{Value, json};

use crate::http::{get, send, text};

struct Echo;

impl LogSource for Echo {
    fn open(&self, query: &LogQuery) -> Result<LogStream, Status> {
        let LogQuery { namespace, pod, container, node, tail, .. } = query;
        if query.previous {
            return Err(Status::bad_request("there was no other"));
        }
        let text = format!("{namespace}/{pod}/{container} on {node}, the last {tail:?}\n");
        Ok(futures::stream::iter([Bytes::from(text)]).boxed())
    }
}

fn pod(containers: &[&str]) -> Value {
    let containers: Vec<Value> =
        containers.iter().map(|name| json!({"name": name, "image": "busybox"})).collect();
    json!({"metadata": {"name": "p"}, "spec": {"containers": containers}})
}

#[tokio::test]
async fn the_source_answers_for_pods_that_are_on_a_node() {
    let server = ApiServer::builder().logs(Echo).build();
    send(&server, "POST", "/api/v1/namespaces/default/pods", &pod(&["one"]));
    let path = "/api/v1/namespaces/default/pods/p/log";
    assert_eq!(text(&server, path), (204, String::new()));
    let target = json!({"metadata": {"name": "p"}, "target": {"name": "node-1"}});
    assert_eq!(send(&server, "POST", "/api/v1/namespaces/default/pods/p/binding", &target).0, 201);
    assert_eq!(
        text(&server, &format!("{path}?tailLines=3")),
        (200, "default/p/one on node-1, the last Some(3)\n".to_owned())
    );
    let (code, status) = get(&server, &format!("{path}?previous=true"));
    assert_eq!((code, status["message"].as_str()), (400, Some("there was no other")));
    let (code, status) = get(&server, &format!("{path}?container=two"));
    assert_eq!((code, status["message"].as_str()), (400, Some("container two is not valid for pod p")));
}

#[tokio::test]
async fn without_a_source_the_node_is_out_of_reach() {
    let server = ApiServer::new();
    let mut pod = pod(&["one", "two"]);
    pod["spec"]["nodeName"] = "node-1".into();
    send(&server, "POST", "/api/v1/namespaces/default/pods", &pod);
    let (code, status) = get(&server, "/api/v1/namespaces/default/pods/p/log");
    let message = "a container name must be specified for pod p, choose one of: [one two]";
    assert_eq!((code, status["message"].as_str()), (400, Some(message)));
    let path = "/api/v1/namespaces/default/pods/p/log?container=two";
    let (code, status) = get(&server, path);
    assert_eq!((code, status["message"].as_str()), (404, Some("pods \"node-1\" not found")));
    let addresses = json!([{"type": "Hostname", "address": "nowhere"}]);
    let node = json!({"metadata": {"name": "node-1"}, "status": {"addresses": addresses}});
    send(&server, "POST", "/api/v1/nodes", &node);
    let (code, status) = get(&server, path);
    let message =
        "Get \"https://nowhere:10250/containerLogs/default/p/two\": dial tcp: lookup nowhere: no such host";
    assert_eq!((code, status["message"].as_str()), (500, Some(message)));
}
