//! JSON on the wire is written as a real server writes it: what HTML would read as its own is escaped.

use kube_codegen_apiserver::ApiServer;
use serde_json::json;

use crate::http::{get, send, text};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const WRITTEN: &str = r"\u003ca\u003e\u0026\u2028";

#[test]
fn what_html_would_read_is_escaped_wherever_it_stands() {
    let server = ApiServer::new();
    let odd = "<a>&\u{2028}";
    let map = json!({
        "metadata": {"name": "a", "annotations": {"x": odd}, "finalizers": ["example.com/a"]},
        "data": {"y": odd},
    });
    assert_eq!(send(&server, "POST", MAPS, &map).0, 201);
    let path = format!("{MAPS}/a");
    for (path, times) in [(path.as_str(), 2), (MAPS, 2)] {
        let (code, json) = text(&server, path);
        assert_eq!((code, json.matches(WRITTEN).count()), (200, times), "{json}");
    }
    let read = get(&server, &path).1;
    assert_eq!((&read["metadata"]["annotations"]["x"], &read["data"]["y"]), (&json!(odd), &json!(odd)));
    let (code, json) = text(&server, &format!("{MAPS}/%3Ca%3E%26"));
    assert_eq!(
        (code, json.contains(r#"configmaps \"\u003ca\u003e\u0026\" not found"#)),
        (404, true),
        "{json}"
    );
    // The version still stands where it is looked for.
    let changed = send(&server, "PATCH", &path, &json!([])).0;
    assert_eq!(changed, 415);
    assert!(!read["metadata"]["resourceVersion"].as_str().unwrap().is_empty());
}
