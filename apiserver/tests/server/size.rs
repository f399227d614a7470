//! Ten thousand objects: what one operation costs must not grow faster than what it touches.

use std::time::{Duration, Instant};

use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::http::{Watch, get, patch, send};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn filled(count: usize) -> ApiServer {
    let server = ApiServer::builder().seed(1).build();
    for index in 0..count {
        let label = (index % 10).to_string();
        let body =
            json!({"metadata": {"name": format!("m{index:05}"), "labels": {"l": label}}, "data": {"v": "x"}});
        assert_eq!(send(&server, "POST", MAPS, &body).0, 201);
    }
    server
}

/// The shortest of a few runs: what the machine does beside is not counted.
fn best(mut run: impl FnMut()) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed());
    }
    best
}

/// What each operation takes on a server of this size.
fn costs(count: usize) -> Vec<(&'static str, Duration)> {
    let server = filled(count);
    let path = format!("{MAPS}/m{:05}", count / 2);
    let mut value = 0;
    let single = [
        ("get", best(|| assert_eq!(get(&server, &path).0, 200))),
        (
            "patch",
            best(|| {
                value += 1;
                assert_eq!(patch(&server, &path, &json!({"data": {"v": value.to_string()}})).0, 200);
            }),
        ),
        (
            "create and delete",
            best(|| {
                assert_eq!(send(&server, "POST", MAPS, &json!({"metadata": {"name": "z"}})).0, 201);
                assert_eq!(send(&server, "DELETE", &format!("{MAPS}/z"), &Value::Null).0, 200);
            }),
        ),
    ];
    let whole = [
        ("list", best(|| assert_eq!(get(&server, MAPS).1["items"].as_array().unwrap().len(), count))),
        (
            "watch",
            best(|| assert_eq!(Watch::open(&server, &format!("{MAPS}?watch=true")).drain().len(), count)),
        ),
    ];
    single.into_iter().chain(whole).collect()
}

#[tokio::test]
async fn no_operation_is_slower_than_linear() {
    let (small, large) = (costs(1_000), costs(10_000));
    for ((name, before), (_, after)) in small.iter().zip(&large) {
        let factor = after.as_secs_f64() / before.as_secs_f64();
        println!("{name}: {before:?} with 1,000 objects, {after:?} with 10,000");
        let allowed = if ["list", "watch"].contains(name) { 25.0 } else { 8.0 };
        assert!(factor < allowed, "{name} takes {factor:.1} times as long with ten times the objects");
    }
}
