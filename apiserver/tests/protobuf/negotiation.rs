//! Who is answered in protobuf, and what is said to those who cannot be.

use bytes::Bytes;
use futures::{FutureExt as _, StreamExt as _};
use http::{Request, Response};
use http_body_util::{BodyExt as _, BodyStream, Full};
use kube_codegen_apiserver::{ApiServer, Registration, ResponseBody, protobuf};
use serde_json::{Value, json};
use tower::Service as _;

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
/// What client-go sends.
const EITHER: &str = "application/vnd.kubernetes.protobuf,application/json";
const METADATA: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const METADATA_LIST: &str =
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// A request with its headers.
struct Ask<'a> {
    method: &'a str,
    path: &'a str,
    accept: &'a str,
    content_type: &'a str,
    body: Vec<u8>,
}

impl<'a> Ask<'a> {
    fn get(path: &'a str, accept: &'a str) -> Self {
        Self { method: "GET", path, accept, content_type: "", body: Vec::new() }
    }

    fn send(self, server: &ApiServer) -> Response<ResponseBody> {
        let mut request = Request::builder().method(self.method).uri(self.path).header("accept", self.accept);
        if !self.content_type.is_empty() {
            request = request.header("content-type", self.content_type);
        }
        let request = request.body(Full::new(Bytes::from(self.body))).unwrap();
        server.service().call(request).now_or_never().unwrap().unwrap()
    }

    fn answer(self, server: &ApiServer) -> (u16, String, Vec<u8>) {
        let response = self.send(server);
        let content_type = response.headers()["content-type"].to_str().unwrap().to_owned();
        let code = response.status().as_u16();
        let body = response.into_body().collect().now_or_never().unwrap().unwrap().to_bytes();
        (code, content_type, body.to_vec())
    }

    /// The answer, which has to be protobuf.
    fn object(self, server: &ApiServer) -> (u16, Value) {
        self.object_of(server, PROTOBUF)
    }

    /// The answer, which has to be of this type.
    fn object_of(self, server: &ApiServer, media: &str) -> (u16, Value) {
        let (code, content_type, body) = self.answer(server);
        assert_eq!(content_type, media);
        (code, protobuf::decode(&body).unwrap())
    }
}

fn server() -> ApiServer {
    ApiServer::builder().register(Registration::of::<Widget>()).build()
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Widget {
    metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
}

impl k8s_openapi::Resource for Widget {
    const API_VERSION: &'static str = "example.com/v1";
    const GROUP: &'static str = "example.com";
    const KIND: &'static str = "Widget";
    const VERSION: &'static str = "v1";
    const URL_PATH_SEGMENT: &'static str = "widgets";
    type Scope = k8s_openapi::NamespaceResourceScope;
}

impl k8s_openapi::Metadata for Widget {
    type Ty = k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

    fn metadata(&self) -> &Self::Ty {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut Self::Ty {
        &mut self.metadata
    }
}

fn create(server: &ApiServer, path: &str, object: &Value, content_type: &str) -> (u16, Value) {
    let text = object.to_string();
    let body =
        if content_type == PROTOBUF { protobuf::encode(text.as_bytes()).unwrap() } else { text.into_bytes() };
    let (code, _, body) =
        Ask { method: "POST", path, accept: "application/json", content_type, body }.answer(server);
    (code, serde_json::from_slice(&body).unwrap())
}

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const WIDGETS: &str = "/apis/example.com/v1/namespaces/default/widgets";

fn map(name: &str) -> Value {
    json!({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": name}, "data": {"a": "1"}})
}

#[test]
fn an_object_sent_as_protobuf_is_the_one_sent_as_json() {
    let (one, other) = (ApiServer::builder().seed(1).build(), ApiServer::builder().seed(1).build());
    let deployment = json!({
        "kind": "Deployment",
        "apiVersion": "apps/v1",
        "metadata": {"name": "web"},
        "spec": {
            "replicas": 0,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "web", "image": "web:1", "resources": {"requests": {"cpu": "0.5"}}}]},
            },
        },
    });
    let path = "/apis/apps/v1/namespaces/default/deployments";
    let (code, mut json) = create(&one, path, &deployment, "application/json");
    let (protobuf_code, mut protobuf) = create(&other, path, &deployment, PROTOBUF);
    assert_eq!((code, protobuf_code), (201, 201));
    for object in [&mut json, &mut protobuf] {
        object["metadata"]["creationTimestamp"] = Value::Null;
        for entry in object["metadata"]["managedFields"].as_array_mut().unwrap() {
            entry["time"] = Value::Null;
        }
    }
    assert_eq!(json, protobuf);
}

#[test]
fn objects_lists_and_refusals_come_as_protobuf() {
    let server = server();
    assert_eq!(create(&server, MAPS, &map("one"), PROTOBUF).0, 201);
    let (code, object) = Ask::get("/api/v1/namespaces/default/configmaps/one", EITHER).object(&server);
    assert_eq!((code, &object["data"]["a"]), (200, &json!("1")));
    let (_, list) = Ask::get(MAPS, EITHER).object(&server);
    assert_eq!(list["kind"], "ConfigMapList");
    assert_eq!(list["items"][0]["metadata"]["name"], "one");
    assert!(list["metadata"]["resourceVersion"].is_string());
    let (code, status) = Ask::get("/api/v1/namespaces/default/configmaps/two", EITHER).object(&server);
    assert_eq!((code, &status["reason"]), (404, &json!("NotFound")));
    let delete = Ask {
        method: "DELETE",
        path: "/api/v1/namespaces/default/configmaps/one",
        accept: EITHER,
        content_type: PROTOBUF,
        body: protobuf::encode(br#"{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]}"#).unwrap(),
    };
    assert_eq!(delete.object(&server).1["status"], "Success");
    assert_eq!(Ask::get("/api/v1/namespaces/default/configmaps/one", EITHER).object(&server).0, 200);
}

#[test]
fn the_preferred_clause_decides() {
    let server = server();
    for (accept, expected) in [
        ("application/json,application/vnd.kubernetes.protobuf", "application/json"),
        ("application/json;q=0.5,application/vnd.kubernetes.protobuf", PROTOBUF),
        ("application/vnd.kubernetes.protobuf;q=0.1,application/yaml", "application/yaml"),
        (
            "application/vnd.kubernetes.protobuf;as=Nothing;g=meta.k8s.io;v=v1,application/json",
            "application/json",
        ),
    ] {
        let (code, content_type, _) = Ask::get("/api/v1/namespaces/default", accept).answer(&server);
        assert_eq!((code, content_type.as_str()), (200, expected), "{accept}");
    }
}

#[test]
fn metadata_comes_as_protobuf_for_every_kind() {
    let server = server();
    create(&server, MAPS, &map("one"), PROTOBUF);
    let widget = json!({"kind": "Widget", "apiVersion": "example.com/v1", "metadata": {"name": "w"}});
    create(&server, WIDGETS, &widget, "application/json");
    for path in [MAPS, WIDGETS] {
        let (code, list) = Ask::get(path, METADATA_LIST).object(&server);
        assert_eq!((code, &list["kind"]), (200, &json!("PartialObjectMetadataList")));
        let name = list["items"][0]["metadata"]["name"].as_str().unwrap();
        let (code, object) = Ask::get(&format!("{path}/{name}"), METADATA).object(&server);
        assert_eq!((code, &object["metadata"]["name"]), (200, &json!(name)));
        assert!(object["data"].is_null());
    }
}

#[test]
fn custom_kinds_have_json_only() {
    let server = server();
    let widget = json!({"kind": "Widget", "apiVersion": "example.com/v1", "metadata": {"name": "w"}});
    assert_eq!(create(&server, WIDGETS, &widget, "application/json").0, 201);
    let path = "/apis/example.com/v1/namespaces/default/widgets/w";
    let (code, content_type, _) = Ask::get(path, EITHER).answer(&server);
    assert_eq!((code, content_type.as_str()), (200, "application/json"));
    for path in [path, WIDGETS, "/apis/example.com/v1/namespaces/default/widgets?watch=1"] {
        let (code, status) = Ask::get(path, PROTOBUF).object(&server);
        assert_eq!(code, 406, "{path}");
        assert_eq!(
            status["message"],
            "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf"
        );
    }
    // Failures have a message whatever they are about.
    let missing = "/apis/example.com/v1/namespaces/default/widgets/none";
    assert_eq!(Ask::get(missing, EITHER).object(&server).0, 404);
    let post = Ask {
        method: "POST",
        path: WIDGETS,
        accept: "application/json",
        content_type: PROTOBUF,
        body: b"k8s\0\x12\0".to_vec(),
    };
    assert_eq!(post.answer(&server).0, 415);
}

#[test]
fn what_cannot_be_read_is_told_as_upstream_tells_it() {
    let server = server();
    let envelope = |message: &[u8]| {
        let mut body = b"k8s\0\x0a\x0f\x0a\x02v1\x12\x09ConfigMap\x12".to_vec();
        body.push(message.len() as u8);
        body.extend_from_slice(message);
        body
    };
    let unfit = |why: &str| format!("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: {why}");
    let unrecognised =
        |why: &str| format!("the object provided is unrecognized (must be of type ConfigMap): {why}");
    for (body, expected) in [
        (
            b"xx".to_vec(),
            unrecognised(
                "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (7878)",
            ),
        ),
        (Vec::new(), unrecognised("empty data (<empty>)")),
        (b"k8s\0".to_vec(), unrecognised("empty body (6b387300)")),
        (envelope(b"\x0a\x05\x05"), unfit("unexpected EOF")),
        (envelope(b"\x08\x05"), unfit("proto: wrong wireType = 0 for field ObjectMeta")),
        (envelope(b"\x1f\x01\x02\x03"), unfit("proto: wrong wireType = 7 for field BinaryData")),
        (envelope(b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), unfit("proto: integer overflow")),
        (envelope(b"\x0c"), unfit("proto: ConfigMap: wiretype end group for non-group")),
        (envelope(b"\x02\x00"), unfit("proto: ConfigMap: illegal tag 0 (wire type 2)")),
    ] {
        let ask =
            Ask { method: "POST", path: MAPS, accept: "application/json", content_type: PROTOBUF, body };
        let (code, _, body) = ask.answer(&server);
        let status: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((code, status["message"].as_str().unwrap()), (400, expected.as_str()));
    }
}

#[tokio::test]
async fn watches_send_frames_with_their_length() {
    let server = server();
    create(&server, MAPS, &map("one"), PROTOBUF);
    let path = "/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1";
    let response = Ask::get(path, "application/vnd.kubernetes.protobuf;stream=watch").send(&server);
    assert_eq!(response.headers()["content-type"], "application/vnd.kubernetes.protobuf;stream=watch");
    let mut frames = BodyStream::new(response.into_body());
    let frame = frames.next().await.unwrap().unwrap().into_data().unwrap();
    let (length, event) = frame.split_first_chunk::<4>().unwrap();
    assert_eq!(u32::from_be_bytes(*length) as usize, event.len());
    assert!(event.starts_with(b"\x0a\x05ADDED\x12"));
    let body = event.windows(4).position(|bytes| bytes == b"k8s\0").unwrap();
    assert_eq!(protobuf::decode(&event[body..]).unwrap()["metadata"]["name"], "one");
}

#[test]
fn streams_have_no_yaml() {
    let (code, _, body) = Ask::get("/api/v1/pods?watch=1", "application/yaml").answer(&server());
    assert_eq!(code, 406);
    // Long lines of YAML go on in the next one.
    let text = String::from_utf8(body).unwrap().replace("\n  ", " ");
    assert!(
        text.contains("application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"),
        "{text}"
    );
}

#[test]
fn discovery_comes_as_protobuf() {
    let server = server();
    let (_, versions) = Ask::get("/api", PROTOBUF).object_of(&server, PROTOBUF);
    assert_eq!((&versions["kind"], &versions["versions"][0]), (&json!("APIVersions"), &json!("v1")));
    let (_, resources) = Ask::get("/apis/apps/v1", EITHER).object_of(&server, PROTOBUF);
    assert_eq!(resources["groupVersion"], "apps/v1");
    let accept = "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    let expected = accept.split(',').next().unwrap();
    let (_, all) = Ask::get("/apis", accept).object_of(&server, expected);
    assert!(all["items"].as_array().unwrap().iter().any(|group| group["metadata"]["name"] == "apps"));
}

#[test]
fn the_openapi_document_comes_as_protobuf() {
    for accept in [
        "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
        "application/com.github.proto-openapi.spec.v2.v1.0+protobuf, application/json;q=0.5",
    ] {
        let (code, content_type, body) = Ask::get("/openapi/v2", accept).answer(&server());
        assert_eq!(code, 200);
        assert_eq!(content_type, "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
        assert!(body.starts_with(b"\x0a\x032.0\x12"));
    }
}

#[test]
fn a_list_and_its_json_are_the_same_message() {
    let server = server();
    for name in ["one", "two", "three"] {
        create(&server, MAPS, &map(name), PROTOBUF);
    }
    let json_metadata = METADATA_LIST.replace(PROTOBUF, "application/json");
    for path in [MAPS, "/api/v1/configmaps?limit=2", "/api/v1/pods", "/apis/apps/v1/deployments"] {
        for (protobuf, json) in [(PROTOBUF, "application/json"), (METADATA_LIST, &*json_metadata)] {
            let (_, _, bytes) = Ask::get(path, protobuf).answer(&server);
            let (_, _, text) = Ask::get(path, json).answer(&server);
            assert!(protobuf::encode(&text) == Ok(bytes), "{path} as {protobuf}");
        }
    }
}
