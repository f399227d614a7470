//! The task that calls one handler.
//!
//! In: the handler's queue. Out: calls. Never: two calls at a time, or a panic of a handler beyond this file.

use std::{
    future::{Future, pending},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Weak},
};

use futures::{FutureExt, future::BoxFuture};
use tokio::{task::coop, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{super::Event, hub::Hub, member::Member};
use crate::{informer::stats, object::Object};

/// A handler's own code.
pub(in crate::informer) enum Callback<K> {
    Plain(Box<dyn Fn(Event<K>) + Send + Sync>),
    Async(Box<dyn Fn(Event<K>) -> BoxFuture<'static, ()> + Send + Sync>),
}

impl<K> Callback<K> {
    pub(in crate::informer) fn plain(handler: impl Fn(Event<K>) + Send + Sync + 'static) -> Self {
        Self::Plain(Box::new(handler))
    }

    pub(in crate::informer) fn future<F>(handler: impl Fn(Event<K>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        Self::Async(Box::new(move |event| handler(event).boxed()))
    }

    /// Calls the handler; an error if it panicked.
    async fn call(&self, event: Event<K>) -> std::thread::Result<()> {
        match self {
            Self::Plain(handler) => catch_unwind(AssertUnwindSafe(|| handler(event))),
            Self::Async(handler) => {
                let call = catch_unwind(AssertUnwindSafe(|| handler(event)))?;
                AssertUnwindSafe(call).catch_unwind().await
            }
        }
    }
}

/// Calls a handler for every event until it is removed or the informer stops.
pub(super) async fn serve<K: Object>(
    member: Arc<Member<K>>,
    callback: Callback<K>,
    hub: Weak<Hub<K>>,
    informer: CancellationToken,
) {
    let control = Arc::clone(&member.control);
    *control.task.lock() = tokio::task::try_id();
    let mut resync_at = member.resync.map(|period| Instant::now() + period);
    while !control.stop.is_cancelled() && !informer.is_cancelled() {
        if let (Some(at), Some(period)) = (resync_at, member.resync)
            && at <= Instant::now()
        {
            resync_at = Some(Instant::now() + period);
            if let Some(hub) = hub.upgrade() {
                hub.resync(&member);
            }
        }
        match member.next() {
            Some(event) => {
                deliver(&member, &callback, &hub, event).await;
                // A handler that never waits must not keep the others of its thread from running.
                coop::consume_budget().await;
            }
            None => tokio::select! {
                biased;
                () = member.wake.notified() => {}
                () = until(resync_at) => {}
                () = control.stop.cancelled() => {}
                () = informer.cancelled() => {}
            },
        }
    }
    drop(callback);
    member.clear();
}

async fn deliver<K: Object>(member: &Member<K>, callback: &Callback<K>, hub: &Weak<Hub<K>>, event: Event<K>) {
    let (initial, key) = (event.is_initial(), event.key());
    if callback.call(event).await.is_err() {
        tracing::error!(kind = %K::kind(&()), %key, "an event handler panicked; it goes on with the next event");
        if let Some(hub) = hub.upgrade() {
            stats::count(&hub.counters.handler_panics);
        }
    }
    if initial {
        member.settle_initial();
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => pending().await,
    }
}
