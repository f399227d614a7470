//! The log of a container: whose it is, and what of it is wanted.
//!
//! In: `GET .../pods/<name>/log`. Out: a [`LogQuery`] for whoever runs the container, or the `Status` for what names none. The text itself
//! never comes through here.

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    protocol::{FieldError, Fields, ResourceName, Status},
    strategy::{at, text},
};

use super::{
    Context, Core,
    reply::{Content, Reply},
};

/// What somebody wants to read of the output of a container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogQuery {
    /// Namespace of the pod.
    pub namespace: String,
    /// Name of the pod.
    pub pod: String,
    /// Uid of the pod.
    pub uid: String,
    /// The node that the pod is on.
    pub node: String,
    /// Name of the container.
    pub container: String,
    /// Goes on with what is written later, until the container ends.
    pub follow: bool,
    /// Of the run before this one.
    pub previous: bool,
    /// Puts the time before each line.
    pub timestamps: bool,
    /// Only lines that are not older than this.
    pub since: Option<Timestamp>,
    /// Only the last so many lines.
    pub tail: Option<u64>,
    /// Ends after so many bytes.
    pub limit: Option<u64>,
    /// Only what was written to this stream; all where none is named.
    pub stream: Option<LogSide>,
    /// Why the container waits, as the pod's status says it; empty where it does not.
    pub waiting: String,
}

/// One of the two streams that a container writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogSide {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl Core {
    /// Finds the container whose log is wanted.
    pub(super) fn log(&self, context: &Context<'_>) -> Result<Reply, Status> {
        let resource = &context.resource;
        let mut wanted = options(context)?;
        let missing = || context.not_found();
        let pod = self.store.get(resource.table, &context.key()).ok_or_else(missing)?.fields();
        wanted.container = container(&pod, &context.name, context.query.text("container"))?;
        wanted.node = text(&pod, "spec.nodeName").to_owned();
        text(&pod, "metadata.uid").clone_into(&mut wanted.uid);
        wanted.waiting = waiting(&pod, &wanted.container).to_owned();
        if wanted.node.is_empty() {
            return Ok(Reply::with(204, Content::Nothing));
        }
        Ok(Reply::with(200, Content::Log(Box::new(wanted))))
    }
}

/// Why a container waits.
fn waiting<'a>(pod: &'a Fields, container: &str) -> &'a str {
    let lists =
        ["status.containerStatuses", "status.initContainerStatuses", "status.ephemeralContainerStatuses"];
    let mut all = lists.into_iter().filter_map(|list| at(pod, list)?.as_array()).flatten();
    let status = all.find(|status| status.get("name").and_then(Value::as_str) == Some(container));
    let reason = status.and_then(|status| status.pointer("/state/waiting/reason"));
    reason.and_then(Value::as_str).unwrap_or_default()
}

fn options(context: &Context<'_>) -> Result<LogQuery, Status> {
    let query = &context.query;
    let mut errors = Vec::new();
    for (name, least, why) in [
        ("tailLines", 0, "must be greater than or equal to 0"),
        ("limitBytes", 1, "must be greater than 0"),
        ("sinceSeconds", 1, "must be greater than 0"),
    ] {
        if let Some(number) = query.number(name)?.filter(|number| *number < least) {
            errors.push(FieldError::invalid(name, &number.into(), why));
        }
    }
    if !errors.is_empty() {
        let kind = ResourceName { group: "", resource: "PodLogOptions" };
        return Err(Status::invalid(kind, &context.name, &errors));
    }
    let count = |name| Ok(query.number(name)?.and_then(|number| u64::try_from(number).ok()));
    let seconds = query.number("sinceSeconds")?;
    let since = match query.text("sinceTime") {
        "" => None,
        text => {
            Some(text.parse().map_err(|_| Status::bad_request(format!("sinceTime {text:?} is no time")))?)
        }
    };
    let ago =
        seconds.and_then(|seconds| context.now.checked_sub(jiff::SignedDuration::from_secs(seconds)).ok());
    Ok(LogQuery {
        namespace: context.namespace.clone(),
        pod: context.name.clone(),
        follow: query.flag("follow").unwrap_or_default(),
        previous: query.flag("previous").unwrap_or_default(),
        timestamps: query.flag("timestamps").unwrap_or_default(),
        since: since.or(ago),
        tail: count("tailLines")?,
        limit: count("limitBytes")?,
        stream: match query.text("stream") {
            "Stdout" => Some(LogSide::Stdout),
            "Stderr" => Some(LogSide::Stderr),
            _ => None,
        },
        ..LogQuery::default()
    })
}

/// The one container that is meant: the named one, or the only one.
pub(super) fn container(pod: &Fields, name: &str, wanted: &str) -> Result<String, Status> {
    let of = |list: &str| -> Vec<&str> {
        let containers = at(pod, &format!("spec.{list}")).and_then(Value::as_array);
        let names = containers.into_iter().flatten().map(|container| container.get("name"));
        names.filter_map(|name| name.and_then(Value::as_str)).collect()
    };
    let all: Vec<&str> =
        ["initContainers", "containers", "ephemeralContainers"].into_iter().flat_map(of).collect();
    match (wanted, of("containers").as_slice()) {
        ("", [only]) => Ok((*only).to_owned()),
        ("", []) => Err(Status::bad_request(format!("a container name must be specified for pod {name}"))),
        ("", _) => Err(Status::bad_request(format!(
            "a container name must be specified for pod {name}, choose one of: [{}]",
            all.join(" ")
        ))),
        (wanted, _) if all.contains(&wanted) => Ok(wanted.to_owned()),
        (wanted, _) => Err(Status::bad_request(format!("container {wanted} is not valid for pod {name}"))),
    }
}
