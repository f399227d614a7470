//! The work of a controller.
//!
//! In: a request that names an object. Out: when to look at it again, or why the run failed. Never: the object itself; the run reads what
//! is there now, from a lister.

use std::{future::Future, ops::Deref, sync::Arc};

use super::{Action, Failure};
use crate::object::ObjectKey;

/// One run about one object. A cheap clone; it derefs to the [`ObjectKey`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    key: ObjectKey,
    failures: u32,
    run: u64,
}

impl Request {
    pub(super) fn new(key: ObjectKey, failures: u32, run: u64) -> Self {
        Self { key, failures, run }
    }

    /// The object.
    #[must_use]
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// How often runs about this object have failed in a row.
    #[must_use]
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// The number of this run among those of its controller, from 1 on; it stands in the log lines of the run.
    #[must_use]
    pub fn run(&self) -> u64 {
        self.run
    }
}

impl Deref for Request {
    type Target = ObjectKey;

    fn deref(&self) -> &ObjectKey {
        &self.key
    }
}

/// Brings what is in line with what is wanted, for one object at a time.
///
/// A run that finds nothing under its key was asked for because the object has gone. It has to be idempotent: it may be called for any
/// reason and any number of times, and what it reads from a cache may be old.
///
/// Every function of a [`Request`] with the right future is a reconciler.
pub trait Reconciler: Send + Sync + 'static {
    /// Does what is to be done about one object.
    fn reconcile(&self, request: Request) -> impl Future<Output = Result<Action, Failure>> + Send;
}

impl<F, R> Reconciler for F
where
    F: Fn(Request) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Action, Failure>> + Send,
{
    fn reconcile(&self, request: Request) -> impl Future<Output = Result<Action, Failure>> + Send {
        self(request)
    }
}

/// The trait behind `Arc`s, so that a controller needs not be generic over its reconciler.
impl<R: Reconciler> Reconciler for Arc<R> {
    fn reconcile(&self, request: Request) -> impl Future<Output = Result<Action, Failure>> + Send {
        (**self).reconcile(request)
    }
}
