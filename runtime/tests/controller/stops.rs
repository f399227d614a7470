//! The beginning and the end of a controller.

use std::time::Duration;

use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_apiserver::testing::{Fake, Verb};
use kube_codegen_runtime::{
    CancellationToken,
    client::ResourceClient,
    controller::{Action, Controller, Request, RunError},
    informer::SharedInformer,
};
use tokio::time::{Instant, sleep};

use super::support::{Running, Script, map, maps, settle};

#[tokio::test(start_paused = true)]
async fn nothing_runs_before_all_is_listed() {
    let fake = Fake::new([], [map("a").into(), map("b").into()]);
    fake.faults().on(Verb::List, "configmaps").delay(Duration::from_secs(5));
    fake.faults().on(Verb::Watch, "configmaps").delay(Duration::from_secs(5));
    let (informer, builder) = maps(&fake);
    let script = Script::new();
    let running = Running::start(builder.build(script.clone()));
    sleep(Duration::from_secs(4)).await;
    assert_eq!(script.count(), 0);
    sleep(Duration::from_secs(10)).await;
    assert!(informer.has_synced());
    assert_eq!(script.take(), ["a", "b"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn informers_that_do_not_get_there_are_an_error() {
    let fake = Fake::new([], []);
    let informer =
        SharedInformer::builder(ResourceClient::<ConfigMap>::namespaced(fake.client(), "default")).build();
    let controller =
        Controller::builder("maps", &informer).sync_limit(Duration::from_secs(30)).build(Script::new());
    let error = controller.run(CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, RunError::SyncTimeout { .. }), "{error}");
    assert!(
        error.to_string().contains("maps") && error.to_string().contains("were they started?"),
        "{error}"
    );

    let controller = Controller::builder("maps", &informer).build(Script::new());
    informer.start(&CancellationToken::new());
    informer.stop();
    let error = controller.run(CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, RunError::NotSynced { .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_gathered_for_a_controller_that_is_gone() {
    let fake = Fake::new([], [map("a").into()]);
    let (informer, builder) = maps(&fake);
    let (never_ran, second) =
        (builder.build(Script::new()), Controller::builder("second", &informer).build(Script::new()));
    let (first_queue, second_queue) = (never_ran.queue().clone(), second.queue().clone());
    informer.start(&CancellationToken::new());
    never_ran.wait_for_sync().await.unwrap();
    assert_eq!(first_queue.len(), 1);
    drop(never_ran);
    let running = tokio::time::timeout(Duration::from_secs(5), second.run(CancellationToken::new()));
    running.await.unwrap_err();
    for queue in [first_queue, second_queue] {
        assert!(queue.is_shutting_down());
        let ready = queue.len();
        queue.add(kube_codegen_runtime::object::ObjectKey::new("default", "b"));
        assert_eq!(queue.len(), ready);
    }
}

/// A stop begins no run, ends none that is running, and leaves nothing behind.
#[tokio::test(start_paused = true)]
async fn c089_a_stop_waits_for_what_runs_and_begins_nothing() {
    let names: Vec<String> = (0..20).map(|number| format!("m{number:02}")).collect();
    let fake = Fake::new([], names.iter().map(|name| map(name).into()));
    let (informer, builder) = maps(&fake);
    let lister = informer.lister();
    let ended = std::sync::Arc::new(parking_lot::Mutex::new(Vec::new()));
    let controller = builder.workers(3.try_into().unwrap()).build({
        let ended = std::sync::Arc::clone(&ended);
        move |request: Request| {
            let (lister, ended) = (lister.clone(), std::sync::Arc::clone(&ended));
            async move {
                sleep(Duration::from_secs(10)).await;
                // The cache can still be read.
                assert!(lister.get("default", request.name()).is_some());
                ended.lock().push(request.name().to_owned());
                Ok(Action::After(Duration::from_secs(1)))
            }
        }
    });
    let queue = controller.queue().clone();
    let running = Running::start(controller);
    sleep(Duration::from_secs(15)).await;
    let stopped = Instant::now();
    running.stop().await;
    assert_eq!(stopped.elapsed().as_secs(), 5, "the second three are waited for");
    assert_eq!(ended.lock().len(), 6);
    assert!(queue.is_shutting_down());
    sleep(Duration::from_secs(100)).await;
    assert_eq!(ended.lock().len(), 6);
    assert_eq!(informer.backlog(), (0, 0), "its handlers are gone");
}

/// Whoever drops a controller, as a manager does at its deadline, leaves no task of it running.
#[tokio::test(start_paused = true)]
async fn a_controller_that_is_dropped_is_gone() {
    let fake = Fake::new([], [map("a").into()]);
    let (_informer, builder) = maps(&fake);
    let script = Script::taking(Duration::from_secs(1));
    script.answer("a", |_| Ok(Action::Again));
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let running = Running::start(builder.workers(4.try_into().unwrap()).build(script.clone()));
    sleep(Duration::from_millis(2500)).await;
    let before = tasks();
    running.task.abort();
    settle().await;
    assert_eq!(tasks(), before - 5);
    let runs = script.count();
    sleep(Duration::from_secs(10)).await;
    assert_eq!(script.count(), runs);
}
