//! What can go wrong with a request.
//!
//! In: a server's Status, or a failure to reach it. Out: one variant for each case that a caller would treat in its
//! own way. Never: a lost cause; the Status and the source error are kept.

mod classify;

use std::{borrow::Cow, time::Duration};

use kube::core::{
    Status,
    response::{StatusCause, StatusDetails},
};

/// Why a request failed.
///
/// Made to be matched on:
///
/// ```no_run
/// # use k8s_openapi::api::core::v1::ConfigMap;
/// # use kube_codegen_runtime::client::{Error, ResourceClient, Result};
/// # async fn example(config_maps: ResourceClient<ConfigMap>) -> Result<()> {
/// match config_maps.get("settings").await {
///     Ok(settings) => println!("{settings:?}"),
///     Err(Error::NotFound(_)) => println!("not there yet"),
///     Err(Error::TooManyRequests { retry_after, .. }) => println!("come back in {retry_after:?}"),
///     Err(error) => return Err(error),
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The object has no name, or an empty one was asked for. Nothing was sent.
    #[error("{resource}: a name is required")]
    MissingName {
        /// The plural of the kind.
        resource: Cow<'static, str>,
    },
    /// The verb needs one namespace, and the client is for all of them. Nothing was sent.
    #[error("{resource}: a namespace is required; this client is for all namespaces")]
    MissingNamespace {
        /// The plural of the kind.
        resource: Cow<'static, str>,
    },
    /// A name or namespace cannot be part of a path. Nothing was sent.
    #[error("{segment:?} cannot be part of a path: it {reason}")]
    InvalidSegment {
        /// The name.
        segment: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The options contradict each other or do not fit the verb. Nothing was sent.
    #[error("invalid request: {0}")]
    InvalidRequest(#[source] kube::core::request::Error),
    /// The object cannot be written as JSON. Nothing was sent.
    #[error("cannot write the object as JSON")]
    Encode(#[source] serde_json::Error),
    /// The server answered with something else than the expected type.
    #[error("cannot read the answer of the server")]
    Decode(#[source] serde_json::Error),
    /// The server ended a list before its first page.
    #[error("the server gave an empty answer")]
    EmptyAnswer,
    /// An event of a watch is longer than any that a server would send.
    #[error("an event of the watch is longer than {limit} bytes")]
    EventTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// 404: there is no such object, or the kind is not served.
    #[error("{}", .0.message)]
    NotFound(Box<Status>),
    /// 409: an object of that name exists.
    #[error("{}", .0.message)]
    AlreadyExists(Box<Status>),
    /// 409: the object has changed since it was read, or is not the one that was meant. Read it again.
    #[error("{}", .0.message)]
    Conflict(Box<Status>),
    /// 409: other managers own fields that an apply would change.
    #[error("{}", .status.message)]
    ApplyConflict {
        /// One entry for each field and owner.
        conflicts: Vec<FieldConflict>,
        /// The server's answer.
        status: Box<Status>,
    },
    /// 410, as `Expired` or `Gone`: the version or continue token is too old. List again.
    #[error("{}", .0.message)]
    Expired(Box<Status>),
    /// 422: the object is not valid; see [`Error::causes`].
    #[error("{}", .0.message)]
    Invalid(Box<Status>),
    /// 400: the request is malformed, for example an unsupported selector.
    #[error("{}", .0.message)]
    BadRequest(Box<Status>),
    /// 401: the credentials are missing or not accepted.
    #[error("{}", .0.message)]
    Unauthorized(Box<Status>),
    /// 403: by access rules, admission, quota, or because the namespace is being deleted.
    #[error("{}", .0.message)]
    Forbidden(Box<Status>),
    /// 405, 406, 415: the server does not do this for this kind.
    #[error("{}", .0.message)]
    Unsupported(Box<Status>),
    /// 413: the object or patch is too large.
    #[error("{}", .0.message)]
    TooLarge(Box<Status>),
    /// 429: too many requests, or a disruption budget does not allow an eviction now.
    #[error("{}", .status.message)]
    TooManyRequests {
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
        /// The server's answer.
        status: Box<Status>,
    },
    /// 504, or 500 as `ServerTimeout`: the server did not finish in time; it may have done it nevertheless.
    #[error("{}", .status.message)]
    Timeout {
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
        /// The server's answer.
        status: Box<Status>,
    },
    /// 503: the server cannot serve now.
    #[error("{}", .status.message)]
    Unavailable {
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
        /// The server's answer.
        status: Box<Status>,
    },
    /// 500: something went wrong within the server.
    #[error("{}", .0.message)]
    Internal(Box<Status>),
    /// Any other answer that is not a success.
    #[error("{}", .0.message)]
    Api(Box<Status>),
    /// The server was not reached, or the connection failed.
    #[error("cannot reach the API server")]
    Transport(#[source] kube::Error),
}

impl Error {
    /// The error that a failure Status stands for.
    #[must_use]
    pub fn from_status(status: Status) -> Self {
        classify::classify(Box::new(status))
    }

    /// The server's answer, if it gave one.
    #[must_use]
    pub fn status(&self) -> Option<&Status> {
        match self {
            Self::NotFound(status)
            | Self::AlreadyExists(status)
            | Self::Conflict(status)
            | Self::ApplyConflict { status, .. }
            | Self::Expired(status)
            | Self::Invalid(status)
            | Self::BadRequest(status)
            | Self::Unauthorized(status)
            | Self::Forbidden(status)
            | Self::Unsupported(status)
            | Self::TooLarge(status)
            | Self::TooManyRequests { status, .. }
            | Self::Timeout { status, .. }
            | Self::Unavailable { status, .. }
            | Self::Internal(status)
            | Self::Api(status) => Some(status),
            _ => None,
        }
    }

    /// What in particular the server found wrong; for [`Error::Invalid`] one entry for each field.
    #[must_use]
    pub fn causes(&self) -> &[StatusCause] {
        self.details().map_or(&[], |details| &details.causes)
    }

    /// How long the server asks to wait before the request is sent again.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.details().and_then(classify::retry_after)
    }

    fn details(&self) -> Option<&StatusDetails> {
        self.status()?.details.as_ref()
    }
}

impl From<kube::Error> for Error {
    fn from(error: kube::Error) -> Self {
        match error {
            kube::Error::Api(status) => Self::from_status(*status),
            kube::Error::BuildRequest(source) => Self::InvalidRequest(source),
            kube::Error::SerdeError(source) => Self::Decode(source),
            other => Self::Transport(other),
        }
    }
}

impl From<kube::core::request::Error> for Error {
    fn from(error: kube::core::request::Error) -> Self {
        match error {
            kube::core::request::Error::SerializeBody(source) => Self::Encode(source),
            other => Self::InvalidRequest(other),
        }
    }
}

/// A field that an apply would change and that another manager owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldConflict {
    /// The owner, if the server named it.
    pub manager: Option<String>,
    /// The path of the field, such as `.spec.replicas`.
    pub field: String,
    /// The server's words.
    pub message: String,
}
