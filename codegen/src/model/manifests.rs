//! Permissions and webhooks: what stands in markers beside the code that needs them.

use super::{Marker, Place};
use serde::Serialize;
use serde_json::{Map, Value};

/// Everything that the generators of roles and webhook configurations read, in the order of files and lines.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Manifests {
    /// `+kubebuilder:rbac`.
    pub permissions: Vec<Permission>,
    /// `+kubebuilder:webhook`.
    pub webhooks: Vec<Webhook>,
    /// `+kubebuilder:webhookconfiguration`.
    pub configurations: Vec<WebhookConfiguration>,
}

/// A permission: what may be done with what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Permission {
    /// API groups; `core` and the empty text are the core group.
    pub groups: Vec<String>,
    /// Plurals, with `/` and a subresource where one is meant.
    pub resources: Vec<String>,
    /// Names of objects; all when empty.
    pub resource_names: Vec<String>,
    /// What is allowed.
    pub verbs: Vec<String>,
    /// Paths that are no resources.
    pub urls: Vec<String>,
    /// The namespace of the Role; a ClusterRole without it.
    pub namespace: Option<String>,
    /// The name of the role, where it is not the generator's.
    pub role_name: Option<String>,
    /// Where the marker stands.
    pub place: Place,
}

/// A request that code may send through a generated client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// The API group.
    pub group: String,
    /// The plural, with `/` and a subresource where one is meant.
    pub resource: String,
    /// The verb as roles have it: `deletecollection`.
    pub verb: String,
    /// Where the request is sent.
    pub place: Place,
}

/// What the code of a crate may do with generated clients.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct UsageReport {
    /// The requests, each group, resource, verb and place once.
    pub requests: Vec<Usage>,
    /// Where a client is made of which nobody can see what becomes of it, by the plural of its resource.
    pub unseen: Vec<(String, Place)>,
}

/// What a controller has to do with a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Tie {
    /// Its objects belong to the controller's, and go with them.
    Owns,
    /// Its objects are looked at.
    Watches,
}

/// A controller that code builds, with the kinds that it has to do with. Kinds are group and name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ControllerUse {
    /// The kind that it reconciles.
    pub kind: (String, String),
    /// The other kinds.
    pub ties: Vec<(Tie, (String, String))>,
}

/// Which of the two kinds of webhooks it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum WebhookKind {
    /// It may change objects.
    Mutating,
    /// It may refuse objects.
    Validating,
}

impl WebhookKind {
    /// The kind of the configuration that holds such webhooks.
    pub const fn configuration(self) -> &'static str {
        match self {
            Self::Mutating => "MutatingWebhookConfiguration",
            Self::Validating => "ValidatingWebhookConfiguration",
        }
    }
}

/// An admission webhook.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Webhook {
    /// Whether it changes or checks.
    pub kind: WebhookKind,
    /// Its name.
    pub name: String,
    /// Its entry in the configuration, patched.
    pub entry: Map<String, Value>,
    /// The marker, with the places of its arguments.
    pub marker: Marker,
}

/// The configuration that holds the webhooks of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WebhookConfiguration {
    /// Which webhooks it holds.
    pub kind: WebhookKind,
    /// Its name, where it is not the usual one.
    pub name: Option<String>,
    /// Where the marker stands.
    pub place: Place,
}
