//! `Context`: what every step of one request wants to know.
//!
//! Plain data: the request, the resource it is about, the time.

use std::sync::Arc;

use jiff::Timestamp;

use crate::{
    access::User,
    printers::{Include, TableForm},
    protocol::{Form, MetaVersion, ObjectView, Query, Status, quoted},
    registry::Resource,
};

use super::reply::Request;

/// What every step of one request wants to know.
#[derive(Clone, Debug)]
pub(crate) struct Context<'a> {
    pub request: &'a Request,
    pub resource: Arc<Resource>,
    pub query: Query,
    /// From the path; empty for cluster-scoped kinds and for all namespaces.
    pub namespace: String,
    /// From the path; empty for collections.
    pub name: String,
    pub now: Timestamp,
    /// Who asks.
    pub user: Arc<User>,
    /// What the client wants to see, and how.
    pub form: Form,
}

impl Context<'_> {
    /// A header, empty where there is none.
    pub(crate) fn header(&self, name: http::header::HeaderName) -> &str {
        self.request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The version of metadata, where only metadata is wanted.
    pub(crate) fn metadata_only(&self) -> Option<MetaVersion> {
        self.form.view.metadata()
    }

    /// How tables are written, where one is wanted.
    pub(crate) fn table(&self) -> Result<Option<TableForm>, Status> {
        let ObjectView::Table(version) = self.form.view else {
            return Ok(None);
        };
        let wanted = self.query.text("includeObject");
        let include = Include::parse(wanted).ok_or_else(|| {
            Status::bad_request(format!(
                "Unable to convert to Table as requested: includeObject: Invalid value: {}: must be 'Metadata', 'Object', 'None', or \
                 empty",
                quoted(wanted)
            ))
        })?;
        let Resource { printer, head, .. } = &*self.resource;
        Ok(Some(TableForm { printer: printer.clone(), version, include, head: Arc::clone(head) }))
    }

    /// The key of the object that the path names.
    pub(crate) fn key(&self) -> Arc<str> {
        self.resource.key(&self.namespace, &self.name)
    }

    /// The same request, read as one for objects of a subresource's kind.
    pub(crate) fn of_subresource(&self, name: &str) -> Self {
        let resource = self.resource.of_subresource(name).map(Arc::new);
        Self { resource: resource.unwrap_or_else(|| Arc::clone(&self.resource)), ..self.clone() }
    }

    /// The 404 about the object that the path names.
    pub(crate) fn not_found(&self) -> Status {
        Status::not_found(self.resource.name(), &self.name)
    }
}
