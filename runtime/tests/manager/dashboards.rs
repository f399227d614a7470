//! The dashboards of kubebuilder's Grafana plugin, by their queries.

use std::{collections::BTreeSet, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::{
    client::{ResourceClient, Tuning},
    controller::{Action, Failure, Request},
    informer::Factory,
    manager::Manager,
};

use super::support::{Diary, Process, add_maps, cluster};

/// Each query of the two dashboards (`controller-runtime-metrics.json`, `controller-resources-metrics.json`): its metric, and the labels that
/// it groups or shows by. Those that Prometheus adds itself (`job`, `namespace`, `pod`, `instance`) are left out.
const QUERIES: &[(&str, &[&str])] = &[
    ("controller_runtime_active_workers", &["controller"]),
    ("controller_runtime_reconcile_total", &[]),
    ("controller_runtime_reconcile_errors_total", &[]),
    ("workqueue_depth", &[]),
    ("workqueue_queue_duration_seconds_bucket", &["name", "le"]),
    ("workqueue_adds_total", &["name"]),
    ("workqueue_unfinished_work_seconds", &[]),
    ("workqueue_work_duration_seconds_bucket", &["name", "le"]),
    ("workqueue_retries_total", &["name"]),
    ("process_cpu_seconds_total", &[]),
    ("process_resident_memory_bytes", &[]),
];

/// The labels of a metric, in all of its lines.
fn labels(text: &str, metric: &str) -> Option<BTreeSet<String>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(metric));
    let mut lines = lines.filter(|rest| rest.starts_with(['{', ' '])).peekable();
    lines.peek()?;
    let labels = lines.filter_map(|rest| rest.strip_prefix('{')?.split_once('}').map(|(labels, _)| labels));
    let names = labels.flat_map(|labels| labels.split(',').filter_map(|label| label.split_once('=')));
    Some(names.map(|(name, _)| name.to_owned()).collect())
}

#[tokio::test(start_paused = true)]
async fn every_query_of_the_dashboards_finds_its_metric_before_anything_has_happened() {
    let fake = cluster();
    let manager = Manager::builder().build();
    add_maps(&manager, &fake, "maps", Duration::ZERO, &Diary::default());
    let text = manager.metrics().text();
    for (metric, wanted) in QUERIES {
        let found = labels(&text, metric).unwrap_or_else(|| unreachable!("{metric} is not there\n{text}"));
        let missing: Vec<_> = wanted.iter().filter(|label| !found.contains(**label)).collect();
        assert!(missing.is_empty(), "{metric} has no {missing:?}, but {found:?}");
    }
    // Numbers that can be: this process has a size, and began after the epoch.
    let value = |metric: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(metric)).unwrap();
        line.trim().parse().unwrap()
    };
    assert!(value("process_resident_memory_bytes ") > 1e6);
    assert!(value("process_start_time_seconds ") > 1.6e9);
    assert!(value("process_open_fds ") >= 3.0);
    assert!(value("process_cpu_seconds_total ") >= 0.0);
}

#[tokio::test(start_paused = true)]
async fn requests_are_counted_by_code_and_host() {
    let fake = cluster();
    let manager = Manager::builder().build();
    let counted = Tuning::new().metrics(manager.metrics().of_requests("cluster:6443")).wrap(fake.client());
    let maps = ResourceClient::<ConfigMap>::namespaced(counted, "default");
    maps.get("a").await.unwrap();
    maps.get("none").await.unwrap_err();
    maps.watch().await.unwrap();
    let text = manager.metrics().text();
    for line in [
        "rest_client_requests_total{code=\"200\",method=\"GET\",host=\"cluster:6443\"} 2",
        "rest_client_requests_total{code=\"404\",method=\"GET\",host=\"cluster:6443\"} 1",
        "rest_client_request_duration_seconds_count{verb=\"GET\",host=\"cluster:6443\"} 2",
    ] {
        assert!(text.contains(line), "{line}\n--\n{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_and_a_terminal_failure_are_counted_apart() {
    let fake = cluster();
    let manager = Manager::builder().build();
    let informers = Factory::builder(fake.client()).namespace("default").build();
    let informer = informers.informer::<ConfigMap>();
    manager.add_controller(manager.controller("maps", &informer).build(async |request: Request| {
        match request.name() {
            "a" => Err(Failure::terminal("never")),
            "b" if request.failures() == 0 => std::panic::panic_any("out of luck"),
            _ => Ok(Action::Done),
        }
    }));
    manager.add_informers(&informers);
    let process = Process::start(&manager);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let text = manager.metrics().text();
    for line in [
        "controller_runtime_terminal_reconcile_errors_total{controller=\"maps\"} 1",
        "controller_runtime_reconcile_panics_total{controller=\"maps\"} 1",
        "controller_runtime_reconcile_errors_total{controller=\"maps\"} 2",
        "controller_runtime_reconcile_timeouts_total{controller=\"maps\"} 0",
    ] {
        assert!(text.contains(line), "{line}\n--\n{text}");
    }
    process.stop().await.unwrap();
}
