//! `Verb` and `Pattern`: which requests a reactor or a fault is about.
//!
//! In: words such as `pods/status`. Out: yes or no for a request. Plain data.

use std::fmt;

use http::{HeaderMap, Method, header};

/// What a request does with a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verb {
    /// Reads one object.
    Get,
    /// Reads many.
    List,
    /// Follows changes.
    Watch,
    /// Makes a new object, or calls a subresource such as `pods/eviction`.
    Create,
    /// Replaces an object.
    Update,
    /// Changes parts of an object by a JSON, merge or strategic patch.
    Patch,
    /// Server-side apply.
    Apply,
    /// Deletes one object.
    Delete,
    /// Deletes many.
    DeleteCollection,
    /// Any of these: only for reactors and faults, no request has it.
    Any,
}

impl Verb {
    /// The word that Kubernetes uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Watch => "watch",
            Self::Create => "create",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Apply => "apply",
            Self::Delete => "delete",
            Self::DeleteCollection => "deletecollection",
            Self::Any => "*",
        }
    }

    /// Whether it asks for a change, rather than for what is there.
    #[must_use]
    pub const fn changes(self) -> bool {
        !matches!(self, Self::Get | Self::List | Self::Watch | Self::Any)
    }

    /// The verb of a request for a resource; `None` for methods that mean nothing to an API server.
    pub(super) fn of(method: &Method, headers: &HeaderMap, target: Target) -> Option<Self> {
        let applies = || {
            let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
            media.is_some_and(|media| media.starts_with("application/apply-patch"))
        };
        match *method {
            Method::GET | Method::HEAD => Some(match target {
                Target::Object => Self::Get,
                Target::Collection => Self::List,
                Target::Changes => Self::Watch,
            }),
            Method::POST => Some(Self::Create),
            Method::PUT => Some(Self::Update),
            Method::PATCH if applies() => Some(Self::Apply),
            Method::PATCH => Some(Self::Patch),
            Method::DELETE if target == Target::Object => Some(Self::Delete),
            Method::DELETE => Some(Self::DeleteCollection),
            _ => None,
        }
    }

    fn covers(self, other: Self) -> bool {
        self == Self::Any || self == other
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a URL leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Object,
    Collection,
    /// Changes of an object or a collection.
    Changes,
}

/// Requests by verb and resource.
///
/// Resources are written as `pods`, `pods/status`, `deployments.apps` (where two groups have one plural), `pods/*`
/// (with all subresources) or `*` (everything).
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    verb: Verb,
    resource: String,
    group: Option<String>,
    subresource: Option<String>,
}

impl Pattern {
    pub(super) fn new(verb: Verb, resource: &str) -> Self {
        let (resource, subresource) = match resource.split_once('/') {
            Some((resource, subresource)) => (resource, Some(subresource.to_owned())),
            None if resource == "*" => (resource, Some("*".to_owned())),
            None => (resource, None),
        };
        let (resource, group) = match resource.split_once('.') {
            Some((resource, group)) => (resource, Some(group.to_owned())),
            None => (resource, None),
        };
        Self { verb, resource: resource.to_owned(), group, subresource }
    }

    pub(super) fn matches(&self, request: &Named<'_>) -> bool {
        let subresource = match self.subresource.as_deref() {
            Some("*") => true,
            subresource => subresource == request.subresource,
        };
        self.verb.covers(request.verb)
            && (self.resource == "*" || self.resource == request.resource)
            && self.group.as_deref().is_none_or(|group| group == request.group)
            && subresource
    }
}

/// What a pattern looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'a> {
    pub(super) verb: Verb,
    pub(super) group: &'a str,
    pub(super) resource: &'a str,
    pub(super) subresource: Option<&'a str>,
}
