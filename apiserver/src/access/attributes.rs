//! `Attributes`: what a request wants to do, in the words of authorisation.
//!
//! In: a method and a path, or the spec of a review. Out: verb, resource and scope, and the 403 about them.

use http::{Method, Request};
use serde_json::Value;

use crate::protocol::{FieldSelector, Query, ResourceName, ResourcePath, Status, Target, Test, quoted};

use super::User;

/// What a request wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attributes {
    pub verb: String,
    pub subject: Subject,
}

/// What it is done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Objects of a resource.
    Resource(ResourceAttributes),
    /// A document at a path.
    Path(String),
}

/// Which objects of a resource; what is empty is not limited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResourceAttributes {
    pub group: String,
    pub resource: String,
    pub subresource: String,
    pub namespace: String,
    pub name: String,
}

impl ResourceAttributes {
    /// `pods`, or `pods/log`.
    pub(crate) fn combined(&self) -> String {
        match self.subresource.as_str() {
            "" => self.resource.clone(),
            subresource => format!("{}/{subresource}", self.resource),
        }
    }
}

impl Attributes {
    /// The attributes of a request for objects.
    pub(crate) fn resource(verb: &str, resource: ResourceAttributes) -> Self {
        Self { verb: verb.to_owned(), subject: Subject::Resource(resource) }
    }

    /// What a request wants to do.
    pub(crate) fn of<B>(request: &Request<B>, target: &Target) -> Self {
        match target {
            Target::Resource(path) => Self::of_resource(request, path),
            _ => Self {
                verb: request.method().as_str().to_ascii_lowercase(),
                subject: Subject::Path(request.uri().path().to_owned()),
            },
        }
    }

    fn of_resource<B>(request: &Request<B>, path: &ResourcePath) -> Self {
        let query = Query::parse(request.uri().query());
        let mut name = path.name.clone().unwrap_or_default();
        let is_collection = name.is_empty();
        let verb = match *request.method() {
            Method::POST => "create",
            Method::GET | Method::HEAD if path.watch => "watch",
            Method::GET | Method::HEAD if !is_collection => "get",
            Method::GET | Method::HEAD if query.flag("watch").unwrap_or_default() => "watch",
            Method::GET | Method::HEAD => "list",
            Method::PUT => "update",
            Method::PATCH => "patch",
            Method::DELETE if is_collection => "deletecollection",
            Method::DELETE => "delete",
            _ => "",
        };
        // A list of one name is as good as a get to those who may see that name only.
        if is_collection && ["list", "watch", "deletecollection"].contains(&verb) {
            name = single_name(query.text("fieldSelector")).unwrap_or_default();
        }
        let mut namespace = path.namespace.clone().unwrap_or_default();
        if path.group.is_empty() && path.resource == "namespaces" && !is_collection {
            namespace.clone_from(&name);
        }
        let resource = ResourceAttributes {
            group: path.group.clone(),
            resource: path.resource.clone(),
            subresource: path.subresource.clone().unwrap_or_default(),
            namespace,
            name,
        };
        Self::resource(verb, resource)
    }

    /// The attributes that the spec of a review asks about.
    pub(crate) fn of_review(spec: &Value) -> Self {
        let text = |path: &str| spec.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        if spec.get("resourceAttributes").is_some() {
            let part = |name: &str| text(&format!("/resourceAttributes/{name}"));
            let resource = ResourceAttributes {
                group: part("group"),
                resource: part("resource"),
                subresource: part("subresource"),
                namespace: part("namespace"),
                name: part("name"),
            };
            return Self::resource(&part("verb"), resource);
        }
        Self {
            verb: text("/nonResourceAttributes/verb"),
            subject: Subject::Path(text("/nonResourceAttributes/path")),
        }
    }

    /// The 403 that tells a user what is not allowed.
    pub(crate) fn forbidden(&self, user: &User, why: &str) -> Status {
        let who = quoted(&user.name);
        let verb = &self.verb;
        let message = match &self.subject {
            Subject::Path(path) => format!("User {who} cannot {verb} path {}", quoted(path)),
            Subject::Resource(resource) => {
                let what = quoted(&resource.combined());
                let group = quoted(&resource.group);
                let place = match resource.namespace.as_str() {
                    "" => "at the cluster scope".to_owned(),
                    namespace => format!("in the namespace {}", quoted(namespace)),
                };
                format!("User {who} cannot {verb} resource {what} in API group {group} {place}")
            }
        };
        let message = message.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let message = if why.is_empty() { message } else { format!("{message}: {why}") };
        match &self.subject {
            Subject::Path(_) => Status::new(403, "Forbidden", format!("forbidden: {message}"))
                .with_details(crate::protocol::Details::default()),
            Subject::Resource(resource) => {
                let name = ResourceName { group: &resource.group, resource: &resource.resource };
                Status::forbidden(name, &resource.name, &message)
            }
        }
    }
}

/// The one name that a field selector lets through.
fn single_name(selector: &str) -> Option<String> {
    let selector = FieldSelector::parse(selector).ok()?;
    let mut conditions = selector.0.into_iter();
    let condition = conditions.find(|one| one.path == "metadata.name" && one.test == Test::Equal)?;
    Some(condition.value)
}
