//! The MyResource controller.
//!
//! In: the generated informer of MyResources, and a handler. Out: a call of the handler for each that is created, updated or deleted; a call
//! that fails is made again, a limited number of times. Never: two calls at a time about one object, or a request to the server.

use std::sync::Arc;

use kube_codegen_runtime::{
    controller::{
        Action, Controller, ControllerBuilder, Failure, Reconciler, Request,
        filter::{self, Filter},
    },
    informer::{Event, SharedInformer},
    object::{Object, ObjectKey},
    store::Store,
};
use sample_apis::myresource::v1::MyResource;
use tracing::info;

use crate::{
    Handler, HandlerError, LogAndCount,
    changes::{Change, Changes},
};

/// How often a call is made again before it is given up, until its object changes once more.
pub const MAX_RETRIES: u32 = 5;

// +kubebuilder:rbac:groups=trstringer.com,resources=myresources,verbs=list;watch
/// A controller that has MyResources handled. The builder is one for `informer`.
#[must_use]
pub fn controller<H>(
    builder: ControllerBuilder<MyResource>,
    informer: &SharedInformer<MyResource>,
    handler: H,
) -> Controller<Telling<MyResource, H>>
where
    H: Handler<MyResource>,
{
    let changes = Arc::new(Changes::default());
    let telling = Telling { store: informer.store(), changes: Arc::clone(&changes), handler };
    builder.filter(filter::resource_version().and(keeping_last_states(changes))).build(telling)
}

/// Passes everything, and keeps how deleted objects last were: nobody can look that up once their keys are in the queue.
fn keeping_last_states<K: Object>(changes: Arc<Changes<K>>) -> Filter<K> {
    Filter::of_events(move |event| {
        if let Event::Deleted { last: Some(last), .. } = event {
            changes.keep_last(event.key(), Arc::clone(last));
        }
        true
    })
}

/// Tells a handler what became of objects.
#[derive(Debug)]
pub struct Telling<K: Object, H> {
    store: Store<K>,
    changes: Arc<Changes<K>>,
    handler: H,
}

impl<K: Object, H: Handler<K>> Telling<K, H> {
    async fn tell(&self, key: &ObjectKey) -> Result<(), HandlerError> {
        while let Some(change) = self.changes.next(key, self.store.get(key)) {
            match &change {
                Change::Created(object) => self.handler.created(object).await?,
                Change::Updated { old, new } => self.handler.updated(old, new).await?,
                Change::Deleted(last) => self.handler.deleted(last).await?,
            }
            self.changes.told(key, change);
        }
        Ok(())
    }
}

impl<K: Object, H: Handler<K>> Reconciler for Telling<K, H> {
    async fn reconcile(&self, request: Request) -> Result<Action, Failure> {
        let failures = request.failures();
        if failures > MAX_RETRIES {
            return Err(Failure::terminal(format!("given up after {failures} failures")));
        }
        match self.tell(request.key()).await {
            Ok(()) => Ok(Action::Done),
            Err(error) if failures == MAX_RETRIES => Err(Failure::terminal(error)),
            Err(error) => Err(Failure::passing(error)),
        }
    }
}

impl Handler<MyResource> for LogAndCount {
    async fn created(&self, object: &Arc<MyResource>) -> Result<(), HandlerError> {
        let spec = &object.spec;
        info!(message = %spec.message, value = ?spec.some_value, "MyResource created");
        self.count_created();
        Ok(())
    }

    async fn updated(&self, old: &Arc<MyResource>, new: &Arc<MyResource>) -> Result<(), HandlerError> {
        let (was, is) = (&old.spec.message, &new.spec.message);
        info!(message = %is, %was, "MyResource updated");
        self.count_updated();
        Ok(())
    }

    async fn deleted(&self, last: &Arc<MyResource>) -> Result<(), HandlerError> {
        info!(message = %last.spec.message, "MyResource deleted");
        self.count_deleted();
        Ok(())
    }
}
