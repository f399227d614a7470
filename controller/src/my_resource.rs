//! The MyResource controller.
//!
//! In: the generated informer of MyResources. Out: a log line and a count for each that is created, updated or deleted.
//! Never: a request to the server; the informer has all that is needed.

use std::sync::Arc;

use kube_codegen_runtime::object::ObjectKey;
use sample_apis::myresource::v1::MyResource;
use sample_client::SharedInformerFactory;
use tracing::info;

use crate::{Controller, Handler, HandlerError, LogAndCount};

// +kubebuilder:rbac:groups=trstringer.com,resources=myresources,verbs=list;watch
/// A controller that has MyResources handled.
#[must_use]
pub fn controller<H>(factory: &SharedInformerFactory, handler: H) -> Controller<MyResource, H>
where
    H: Handler<MyResource>,
{
    Controller::new("MyResource", &factory.trstringer_v1().my_resources(), handler)
}

impl Handler<MyResource> for LogAndCount {
    async fn created(&self, object: &Arc<MyResource>) -> Result<(), HandlerError> {
        let spec = &object.spec;
        info!(key = %ObjectKey::of(&**object), message = %spec.message, value = ?spec.some_value, "MyResource created");
        self.counts.created();
        Ok(())
    }

    async fn updated(&self, old: &Arc<MyResource>, new: &Arc<MyResource>) -> Result<(), HandlerError> {
        let (was, is) = (&old.spec.message, &new.spec.message);
        info!(key = %ObjectKey::of(&**new), message = %is, %was, "MyResource updated");
        self.counts.updated();
        Ok(())
    }

    async fn deleted(&self, last: &Arc<MyResource>) -> Result<(), HandlerError> {
        info!(key = %ObjectKey::of(&**last), message = %last.spec.message, "MyResource deleted");
        self.counts.deleted();
        Ok(())
    }
}
