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

use super::{
    hub::{Handled, Hub},
    member::Member,
};
use crate::{
    informer::{
        stats,
        told::{Kind, Waits},
    },
    object::Object,
};

/// A handler's own code.
pub(in crate::informer) enum Callback<E> {
    Plain(Box<dyn Fn(E) + Send + Sync>),
    Async(Box<dyn Fn(E) -> BoxFuture<'static, ()> + Send + Sync>),
}

impl<E> Callback<E> {
    pub(in crate::informer) fn plain(handler: impl Fn(E) + Send + Sync + 'static) -> Self {
        Self::Plain(Box::new(handler))
    }

    pub(in crate::informer) fn future<F>(handler: impl Fn(E) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        Self::Async(Box::new(move |event| handler(event).boxed()))
    }

    /// Calls the handler; an error if it panicked.
    async fn call(&self, event: E) -> std::thread::Result<()> {
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
pub(super) async fn serve<K: Object, E: Handled<K>>(
    member: Arc<Member<E>>,
    callback: Callback<E::Told>,
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

async fn deliver<K: Object, E: Waits>(
    member: &Member<E>,
    callback: &Callback<E::Told>,
    hub: &Weak<Hub<K>>,
    event: E,
) {
    let (kind, key) = (event.kind(), event.key().clone());
    let called = match catch_unwind(AssertUnwindSafe(|| event.told())) {
        Ok(Some(told)) => callback.call(told).await,
        // It does not decode, which was logged.
        Ok(None) => Ok(()),
        Err(panic) => Err(panic),
    };
    if called.is_err() {
        tracing::error!(kind = %K::kind(&()), %key, "an event handler panicked; it goes on with the next event");
        if let Some(hub) = hub.upgrade() {
            stats::count(&hub.counters.handler_panics);
        }
    }
    if kind == Kind::Initial {
        member.settle_initial();
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => pending().await,
    }
}
