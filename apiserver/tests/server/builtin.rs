//! Built-in kinds: what is refused, in which words, and what a client is told of what is taken.

use bytes::Bytes;
use futures::FutureExt as _;
use http::{Request, header};
use http_body_util::{BodyExt as _, Full};
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};
use tower::Service as _;

/// The code of a create, the causes of its refusal, and the warnings that came with it.
fn create(path: &str, kind: (&str, &str), rest: &Value) -> (u16, Vec<String>, Vec<String>) {
    let mut object = json!({"apiVersion": kind.0, "kind": kind.1, "metadata": {"name": "x"}});
    object.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    let request = Request::post(path)
        .header("content-type", "application/json")
        .body(Full::new(Bytes::from(object.to_string())))
        .unwrap();
    let response = ApiServer::default().service().call(request).now_or_never().unwrap().unwrap();
    let warnings = response.headers().get_all(header::WARNING).iter();
    let warnings = warnings.map(|warning| warning.to_str().unwrap().to_owned()).collect();
    let code = response.status().as_u16();
    let bytes = response.into_body().collect().now_or_never().unwrap().unwrap().to_bytes();
    let body: Value = serde_json::from_slice(&bytes).unwrap();
    let causes = body["details"]["causes"].as_array().into_iter().flatten();
    let told = |cause: &Value| {
        format!("{}: {}", cause["field"].as_str().unwrap(), cause["message"].as_str().unwrap())
    };
    (code, causes.map(told).collect(), warnings)
}

const CLAIMS: &str = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const SLICES: &str = "/apis/resource.k8s.io/v1/resourceslices";

fn claim(devices: &Value) -> (u16, Vec<String>, Vec<String>) {
    create(CLAIMS, ("resource.k8s.io/v1", "ResourceClaim"), &json!({"spec": {"devices": devices}}))
}

#[test]
fn a_claim_names_its_own_requests_and_selects_devices_by_expressions_that_compile() {
    let selector = |expression: &str| {
        claim(
            &json!({"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu", "selectors": [{"cel": {"expression": expression}}]}}]}),
        )
    };
    let good = "cel.bind(gpu, device.attributes['gpu.example.com'], gpu.cores >= 4 && device.driver == 'gpu.example.com')";
    assert_eq!(selector(good).0, 201);
    let (code, causes, _) = selector("device.capacity");
    assert_eq!(code, 422);
    assert!(causes[0].ends_with(
        "must evaluate to bool or the unknown type, not map(string, map(string, kubernetes.Quantity))"
    ));
    let (code, causes, _) = claim(&json!({
        "requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu"}}],
        "constraints": [{"requests": ["cpu"], "matchAttribute": "cores"}],
    }));
    assert_eq!(code, 422);
    assert_eq!(
        causes,
        [
            "spec.devices.constraints[0].requests[0]: Invalid value: \"cpu\": must be the name of a request in the claim or the name of a \
             request and a subrequest separated by '/'",
            "spec.devices.constraints[0].matchAttribute: Invalid value: \"cores\": a fully qualified name must be a domain and a name \
             separated by a slash",
        ]
    );
}

#[test]
fn what_a_request_leaves_open_is_one_device() {
    let devices = json!({"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu", "count": -1}}]});
    let (_, causes, _) = claim(&devices);
    assert_eq!(
        causes,
        ["spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero"]
    );
}

#[test]
fn a_slice_says_in_one_way_from_where_its_devices_can_be_reached() {
    let slice = |spec: Value| create(SLICES, ("resource.k8s.io/v1", "ResourceSlice"), &json!({"spec": spec}));
    let pool = json!({"name": "p", "generation": 1, "resourceSliceCount": 1});
    let (code, causes, _) =
        slice(json!({"driver": "gpu.example.com", "pool": pool, "nodeName": "n", "allNodes": true}));
    assert_eq!(code, 422);
    assert_eq!(
        causes,
        [
            "spec: Invalid value: \"{`nodeName`, `allNodes`}\": exactly one of `nodeName`, `nodeSelector`, `allNodes`, \
          `perDeviceNodeSelection` is required, but multiple fields are set"
        ]
    );
    let (code, _, warnings) =
        slice(json!({"driver": "GPU.example.com", "pool": pool, "allNodes": true, "devices": []}));
    assert_eq!(code, 201);
    assert!(warnings[0].contains("driver names should be lowercase"), "{warnings:?}");
}

#[test]
fn warnings_are_told_for_all_that_makes_pods() {
    let template = json!({
        "metadata": {"labels": {"a": "b"}},
        "spec": {
            "nodeSelector": {"beta.kubernetes.io/os": "linux"},
            "containers": [{"name": "c", "image": "i"}],
            "volumes": [{"name": "v", "configMap": {"name": "m", "items": [{"key": "a", "path": "p"}, {"key": "b", "path": "p/q"}]}}],
        },
    });
    let spec = json!({"selector": {"matchLabels": {"a": "b"}}, "template": template});
    let (code, _, warnings) = create(
        "/apis/apps/v1/namespaces/default/deployments",
        ("apps/v1", "Deployment"),
        &json!({"spec": spec}),
    );
    assert_eq!(code, 201);
    assert_eq!(
        warnings,
        [
            r#"299 - "spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use \"kubernetes.io/os\" instead""#,
            r#"299 - "volume \"v\" (ConfigMap \"m\"): overlapping paths: \"p/q\" with \"p\"""#,
        ]
    );
}

#[test]
fn addresses_in_odd_forms_are_taken_and_told() {
    let spec = json!({"ports": [{"port": 80}], "externalIPs": ["010.1.2.3"], "type": "ClusterIP"});
    let (code, _, warnings) =
        create("/api/v1/namespaces/default/services", ("v1", "Service"), &json!({"spec": spec}));
    assert_eq!(code, 201);
    assert_eq!(
        warnings,
        [
            r#"299 - "spec.externalIPs[0]: non-standard IP address \"010.1.2.3\" is invalid: use \"10.1.2.3\"""#,
            r#"299 - "spec.externalIPs is deprecated and may no longer be implemented in some clusters""#,
        ]
    );
}

#[test]
fn fields_of_structs_without_a_name_are_told_with_the_name_of_the_struct() {
    let spec = json!({"volumes": [{"name": "v", "emptyDir": {"medium": 5}}]});
    let request = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": spec});
    let server = ApiServer::default();
    let (code, body) = crate::http::send(&server, "POST", "/api/v1/namespaces/default/pods", &request);
    assert_eq!(code, 400);
    assert!(body["message"].as_str().unwrap().ends_with(
        "Go struct field EmptyDirVolumeSource.spec.volumes.VolumeSource.emptyDir.medium of type v1.StorageMedium"
    ));
}

/// The text of a read in YAML.
fn yaml(server: &ApiServer, path: &str) -> String {
    let request =
        Request::get(path).header("accept", "application/yaml").body(Full::new(Bytes::new())).unwrap();
    let response = server.service().call(request).now_or_never().unwrap().unwrap();
    let bytes = response.into_body().collect().now_or_never().unwrap().unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn yaml_is_written_as_go_writes_it() {
    let server = ApiServer::default();
    let long =
        "aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhhh iiiiiiiii jjjjjjjjj";
    let data = json!({
        "k1": "plain", "k10": "5", "k2": " lead", "k3": "two\nlines\n", "k4": "no", "k5": "a: b", "k6": "", "k7": "1:30", "k8": "2024-01-02",
        "k9": "it's #1", "l": long, "m": "tab\there", "n": "- dash", "o": "0x1f", "p": "no\nend", "Z": "é",
    });
    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": data});
    let (code, _) = crate::http::send(&server, "POST", "/api/v1/namespaces/default/configmaps", &map);
    assert_eq!(code, 201);
    let text = yaml(&server, "/api/v1/namespaces/default/configmaps/x");
    let (head, _) = text.split_once("kind: ConfigMap").unwrap();
    let wanted = r#"apiVersion: v1
data:
  Z: é
  k1: plain
  k2: ' lead'
  k3: |
    two
    lines
  k4: "no"
  k5: 'a: b'
  k6: ""
  k7: "1:30"
  k8: "2024-01-02"
  k9: 'it''s #1'
  k10: "5"
  l: aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhhh
    iiiiiiiii jjjjjjjjj
  m: "tab\there"
  "n": '- dash'
  o: "0x1f"
  p: |-
    no
    end
"#;
    assert_eq!(head, wanted);
    assert!(text.contains("      f:data:\n        .: {}\n        f:Z: {}\n"), "{text}");
}

#[test]
fn kinds_of_the_cluster_know_the_selector_by_namespace() {
    let server = ApiServer::default();
    let count = |selector: &str| {
        let path = format!("/apis/rbac.authorization.k8s.io/v1/clusterroles?fieldSelector={selector}");
        let (code, body) = crate::http::get(&server, &path);
        (code, body["items"].as_array().map(Vec::len))
    };
    assert_eq!(count("metadata.namespace%3Dx"), (200, Some(0)));
    let (code, body) = crate::http::get(&server, "/api/v1/nodes?fieldSelector=metadata.namespace%3Dx");
    assert_eq!(
        (code, body["message"].as_str()),
        (400, Some("field label not supported: metadata.namespace"))
    );
}

#[test]
fn what_is_refused_late_comes_with_its_warnings() {
    let server = ApiServer::default();
    let spec = json!({"ports": [{"port": 80}], "trafficDistribution": "PreferClose"});
    let service = json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": spec});
    let post = || {
        let request = Request::post("/api/v1/namespaces/default/services")
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(service.to_string())))
            .unwrap();
        let response = server.service().call(request).now_or_never().unwrap().unwrap();
        (response.status().as_u16(), response.headers().get_all(header::WARNING).iter().count())
    };
    assert_eq!([post(), post()], [(201, 1), (409, 1)]);
}

#[test]
fn a_request_gives_itself_a_length_of_time_or_none() {
    let server = ApiServer::default();
    let read = |path: &str| {
        let (code, body) = crate::http::get(&server, path);
        (code, body["message"].as_str().unwrap_or_default().to_owned())
    };
    for good in ["/version?timeout=1h30m", "/version?timeout=0", "/api/v1/namespaces?timeout="] {
        assert_eq!(read(good).0, 200, "{good}");
    }
    let why = |why: &str| (400, format!("invalid timeout specified in the request URL - time: {why}"));
    assert_eq!(read("/healthz?timeout=x"), why("invalid duration \"x\""));
    assert_eq!(read("/api/v1/namespaces?timeout=5"), why("missing unit in duration \"5\""));
    assert_eq!(read("/nothing?timeout=1x"), why("unknown unit \"x\" in duration \"1x\""));
}

#[test]
fn what_is_refused_shows_lists_and_maps_that_are_there_and_empty() {
    let path = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
    let ingress = |spec: Value| create(path, ("networking.k8s.io/v1", "Ingress"), &json!({"spec": spec})).1;
    let why = "either `defaultBackend` or `rules` must be specified";
    assert_eq!(ingress(json!({"rules": []})), [format!("spec: Invalid value: []: {why}")]);
    assert_eq!(ingress(json!({})), [format!("spec: Invalid value: null: {why}")]);
    let volume = json!({"spec": {"capacity": {}, "accessModes": [], "hostPath": {"path": "/a"}}});
    let (_, causes, _) = create("/api/v1/persistentvolumes", ("v1", "PersistentVolume"), &volume);
    assert_eq!(
        causes,
        [
            "spec.accessModes: Required value",
            "spec.capacity: Required value",
            "spec.capacity: Unsupported value: {}: supported values: \"storage\"",
        ]
    );
    let set = json!({"spec": {
        "selector": {"matchLabels": {"a": "b"}},
        "template": {
            "metadata": {"labels": {}},
            "spec": {"containers": [{"name": "c", "image": "i", "args": []}]},
        },
    }});
    let (_, causes, _) =
        create("/apis/apps/v1/namespaces/default/daemonsets", ("apps/v1", "DaemonSet"), &set);
    let labels =
        "spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`";
    assert_eq!(causes, [labels]);
}

#[test]
fn devices_of_others_are_for_namespaces_that_say_so() {
    let server = ApiServer::default();
    let claim = json!({
        "metadata": {"name": "a"},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c", "adminAccess": true}}]}},
    });
    let ask = || crate::http::send(&server, "POST", CLAIMS, &claim);
    let (code, body) = ask();
    assert_eq!(
        (code, &body["details"]["causes"][0]["field"]),
        (422, &json!("spec.devices.requests[0].adminAccess"))
    );
    let label =
        json!({"metadata": {"name": "default", "labels": {"resource.kubernetes.io/admin-access": "true"}}});
    assert_eq!(crate::http::send(&server, "PUT", "/api/v1/namespaces/default", &label).0, 200);
    assert_eq!(ask().0, 201);
}

#[test]
fn what_belongs_to_features_that_are_off_is_owned_and_left_out() {
    let server = ApiServer::default();
    let container = json!({"name": "c", "image": "i", "lifecycle": {"stopSignal": "SIGTERM"}});
    let responders = json!([{"name": "a", "priority": 1}]);
    let pod = json!({"metadata": {"name": "a"}, "spec": {"containers": [container], "evictionResponders": responders}});
    let (code, body) = crate::http::send(&server, "POST", "/api/v1/namespaces/default/pods", &pod);
    assert_eq!(code, 201);
    assert!(body["spec"].get("evictionResponders").is_none(), "{body}");
    assert!(body["spec"]["containers"][0].get("lifecycle").is_none(), "{body}");
    let owned = &body["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"];
    assert!(owned.get("f:evictionResponders").is_some(), "{owned}");
    let path = "/api/v1/namespaces/default/persistentvolumeclaims";
    let elsewhere = json!({"kind": "VolumeSnapshot", "name": "s", "apiGroup": "snapshot.storage.k8s.io", "namespace": "b"});
    let claim = json!({"metadata": {"name": "a"}, "spec": {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "1Gi"}},
        "dataSourceRef": elsewhere,
    }});
    let (code, body) = crate::http::send(&server, "POST", path, &claim);
    assert_eq!((code, body["spec"].get("dataSourceRef")), (201, None));
}

#[test]
fn a_bundle_is_named_after_its_signer() {
    let path = "/apis/certificates.k8s.io/v1/clustertrustbundles";
    let spec = json!({"spec": {"signerName": "example.com/a", "trustBundle": ""}});
    let (_, causes, _) = create(path, ("certificates.k8s.io/v1", "ClusterTrustBundle"), &spec);
    let why = "ClusterTrustBundle for signerName example.com/a must be named with prefix example.com:a:";
    assert!(causes.contains(&format!("metadata.name: Invalid value: \"x\": {why}")), "{causes:?}");
}

#[test]
fn yaml_has_no_control_characters_and_folds_its_own_line_breaks() {
    let server = ApiServer::default();
    let store = |name: &str, value: &str| {
        let map = json!({"metadata": {"name": name}, "data": {"a": value}});
        assert_eq!(crate::http::send(&server, "POST", "/api/v1/namespaces/default/configmaps", &map).0, 201);
        yaml(&server, &format!("/api/v1/namespaces/default/configmaps/{name}"))
    };
    for text in [store("a", "x\u{7f}y"), store("b", "\u{9f}"), store("c", "\u{ffff}")] {
        let wanted = "apiVersion: v1\ncode: 500\nkind: Status\nmessage: 'yaml: control characters are not allowed'\nmetadata: {}\nstatus: Failure\n";
        assert_eq!(text, wanted);
    }
    assert!(store("d", "\u{1}").contains("  a: \"\\x01\"\n"));
    assert!(store("e", "x \u{85} y").contains("  a: x y\n"));
    assert!(store("f", "x\u{2028}y").contains("  a: 'x\u{2028}    y'\n"));
    assert!(store("g", "\u{feff}é").contains("  a: \"\\uFEFF\\xE9\"\n"));
}
