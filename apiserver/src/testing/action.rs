//! `Action`: one request as it was sent.
//!
//! In: the parts of an HTTP request. Out: what it asks for, readable and comparable. It never knows the answer.

use std::fmt;

use bytes::Bytes;
use http::request::Parts;
use serde::{Deserialize, de::DeserializeOwned};

use crate::protocol::{Query, Target as Path};

use super::verb::{Named, Target, Verb};

/// One request as it was sent, before anything looked at it.
///
/// It is written, and compared with text, as `verb resource[/subresource] [namespace/][name]`:
///
/// ```text
/// get ats default/nightly
/// list pods default
/// update ats/status default/nightly
/// create pods default/nightly-*       (generateName: nightly-)
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Action {
    verb: Verb,
    group: String,
    version: String,
    resource: String,
    subresource: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
    query: String,
    body: Bytes,
}

impl Action {
    /// Reads a request; `None` if it is not about a resource (discovery, version, health).
    pub(super) fn read(parts: &Parts, body: &Bytes) -> Option<Self> {
        let Path::Resource(path) = Path::parse(parts.uri.path()) else { return None };
        let watches = path.watch || Query::parse(parts.uri.query()).flag("watch").unwrap_or(false);
        let target = match (&path.name, watches) {
            (_, true) => Target::Changes,
            (Some(_), false) => Target::Object,
            (None, false) => Target::Collection,
        };
        let verb = Verb::of(&parts.method, &parts.headers, target)?;
        let name = path.name.or_else(|| (verb == Verb::Create).then(|| name_in(body)).flatten());
        Some(Self {
            verb,
            group: path.group,
            version: path.version,
            resource: path.resource,
            subresource: path.subresource,
            namespace: path.namespace,
            name,
            query: parts.uri.query().unwrap_or_default().to_owned(),
            body: body.clone(),
        })
    }

    /// What it does.
    #[must_use]
    pub fn verb(&self) -> Verb {
        self.verb
    }

    /// The API group; empty for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.group
    }

    /// The version in the path.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The plural in the path, such as `pods`.
    #[must_use]
    pub fn resource(&self) -> &str {
        &self.resource
    }

    /// The subresource, such as `status`.
    #[must_use]
    pub fn subresource(&self) -> Option<&str> {
        self.subresource.as_deref()
    }

    /// The namespace in the path: `None` for cluster-scoped kinds and for all namespaces.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// The name in the path, or in the object where one is created; a generated name ends in `*` here.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The value of a parameter of the URL, such as `labelSelector` or `fieldManager`.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<String> {
        Query::parse(Some(&self.query)).get(name).map(str::to_owned)
    }

    /// The body, byte by byte as it was sent: an object, a patch, options of a deletion, or nothing.
    #[must_use]
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// The body as a value of a type: the object that was created or updated, a patch, options.
    ///
    /// # Errors
    ///
    /// When the body is no JSON of this type.
    pub fn object<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_slice(&self.body)
    }

    pub(super) fn named(&self) -> Named<'_> {
        Named {
            verb: self.verb,
            group: &self.group,
            resource: &self.resource,
            subresource: self.subresource.as_deref(),
        }
    }
}

/// The name in an object, or the prefix of a generated one.
fn name_in(body: &Bytes) -> Option<String> {
    #[derive(Deserialize)]
    struct Object {
        metadata: Metadata,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Metadata {
        name: Option<String>,
        generate_name: Option<String>,
    }
    let Object { metadata } = serde_json::from_slice(body).ok()?;
    let generated = || metadata.generate_name.map(|prefix| format!("{prefix}*"));
    metadata.name.filter(|name| !name.is_empty()).or_else(generated)
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.verb, self.resource)?;
        if let Some(subresource) = &self.subresource {
            write!(f, "/{subresource}")?;
        }
        match (&self.namespace, &self.name) {
            (Some(namespace), Some(name)) => write!(f, " {namespace}/{name}"),
            (Some(one), None) | (None, Some(one)) => write!(f, " {one}"),
            (None, None) => Ok(()),
        }
    }
}

/// As text: what a failed comparison of actions shows.
impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

impl PartialEq<str> for Action {
    fn eq(&self, other: &str) -> bool {
        let text = self.to_string();
        text == other
    }
}

impl PartialEq<&str> for Action {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<String> for Action {
    fn eq(&self, other: &String) -> bool {
        *self == **other
    }
}
