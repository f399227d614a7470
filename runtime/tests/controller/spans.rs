//! What a run is told by in traces and logs.

use std::{fmt::Debug, sync::Arc};

use kube_codegen_apiserver::testing::Fake;
use kube_codegen_runtime::controller::{Action, Failure, Request};
use parking_lot::Mutex;
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

use super::support::{Running, map, maps, settle};

/// Lines, each with the span in which it was said.
#[derive(Clone, Default)]
struct Trace(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// By the number of a span: its name and fields.
    spans: Vec<String>,
    entered: Vec<usize>,
    lines: Vec<String>,
}

#[derive(Default)]
struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push_str(&format!(" {field}={value:?}"));
    }
}

fn number(id: &span::Id) -> usize {
    usize::try_from(id.into_u64()).unwrap() - 1
}

impl Subscriber for Trace {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let targets = ["kube_codegen_runtime::controller", module_path!()];
        targets.iter().any(|target| metadata.target().starts_with(target))
    }

    fn new_span(&self, span: &span::Attributes<'_>) -> span::Id {
        let mut fields = Fields(span.metadata().name().to_owned());
        span.record(&mut fields);
        let mut state = self.0.lock();
        state.spans.push(fields.0);
        span::Id::from_u64(state.spans.len() as u64)
    }

    fn record(&self, _span: &span::Id, _values: &span::Record<'_>) {}

    fn record_follows_from(&self, _span: &span::Id, _follows: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut state = self.0.lock();
        let within = state.entered.last().map_or("nothing", |span| &state.spans[*span]);
        let line = format!("{within}: {}{}", event.metadata().level(), fields.0);
        state.lines.push(line);
    }

    fn enter(&self, span: &span::Id) {
        self.0.lock().entered.push(number(span));
    }

    fn exit(&self, span: &span::Id) {
        let span = number(span);
        let mut state = self.0.lock();
        if let Some(last) = state.entered.iter().rposition(|entered| *entered == span) {
            state.entered.remove(last);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn each_run_is_a_span_of_its_own_in_which_all_stands_that_it_says() {
    let trace = Trace::default();
    let _guard = tracing::subscriber::set_default(trace.clone());
    let fake = Fake::new([], [map("a").into(), map("b").into()]);
    let (_informer, builder) = maps(&fake);
    let controller = builder.workers(2.try_into().unwrap()).build(async |request: Request| {
        tracing::info!(step = "first");
        settle().await;
        tracing::info!(step = "second");
        match request.name() {
            "b" => Err(Failure::terminal("no")),
            _ => Ok(Action::Done),
        }
    });
    let running = Running::start(controller);
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    running.stop().await;
    let lines = trace.0.lock().lines.clone();
    for (key, run, end) in
        [("a", 1, "DEBUG message=reconciled action=Done"), ("b", 2, "ERROR message=failed")]
    {
        let span = format!("reconcile controller=maps key=default/{key} run={run}: ");
        let said: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix(&span)).collect();
        assert_eq!(said[..2], ["INFO step=\"first\"", "INFO step=\"second\""], "{lines:#?}");
        assert!(said.len() == 3 && said[2].starts_with(end), "{lines:#?}");
    }
}
