//! Messages about roles and webhook configurations.

use crate::diagnostic::Severity;

/// A permission or a webhook is not what an API server accepts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum ManifestProblem {
    #[error("the permission names no verb")]
    NoVerbs,
    #[error("the permission names neither resources nor URLs")]
    NothingAllowed,
    #[error("the permission names resources but no API group")]
    NoGroups,
    #[error("the permission names API groups but no resource")]
    NoResources,
    #[error("the permission names both resources and URLs")]
    ResourcesAndUrls,
    #[error("URLs belong to no namespace, but the permission names `{namespace}`")]
    UrlsInNamespace { namespace: String },
    #[error("`{name}` cannot be the name of a role")]
    RoleName { name: String },
    #[error("webhook `{webhook}` has both a path and a URL")]
    PathAndUrl { webhook: String },
    #[error("webhook `{webhook}` has neither a path nor a URL")]
    NoPathNoUrl { webhook: String },
    #[error("webhook `{webhook}` does not say its side effects")]
    NoSideEffects { webhook: String },
    #[error("webhook `{webhook}`: `{argument}` cannot be `{found}`")]
    BadValue { webhook: String, argument: &'static str, found: String, rule: &'static str },
    #[error("webhook `{webhook}`: `{argument}` is empty")]
    Empty { webhook: String, argument: &'static str },
    #[error("webhook `{webhook}`: the patch is no JSON object: {reason}")]
    BadPatch { webhook: String, reason: String },
    #[error("webhook `{webhook}`: a webhook has no field `{field}`, which the patch names")]
    UnknownPatchField { webhook: String, field: String, nearest: Option<String> },
    #[error("webhook `{webhook}`: the patch has {found} at `{field}`, where {expected} is expected")]
    PatchType { webhook: String, field: String, expected: &'static str, found: &'static str },
    #[error("two webhooks are called `{webhook}`")]
    SameWebhook { webhook: String },
    #[error("the {kind} is configured twice")]
    TwoConfigurations { kind: &'static str },
    #[error("the code may {verbs} `{resource}`, and no marker grants it")]
    NotGranted { group: String, resource: String, verbs: String },
    #[error("the marker grants {verbs} of `{resource}`, and no generated client asks for it")]
    NeverUsed { resource: String, verbs: String },
    #[error("a client for `{resource}` is made here, and it cannot be seen what it is used for")]
    UnseenUse { resource: String },
}

impl ManifestProblem {
    /// What becomes of a run in which it is found.
    pub(super) fn severity(&self) -> Severity {
        match self {
            Self::NeverUsed { .. } | Self::UnseenUse { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }

    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::NoVerbs => "for example `verbs=get;list;watch`",
            Self::NothingAllowed => "write `groups=..,resources=..`, or `urls=..`",
            Self::NoGroups => "write `groups=..`; the core group is `groups=\"\"`",
            Self::NoResources => "write `resources=..`",
            Self::ResourcesAndUrls => "write one marker for the resources and one for the URLs",
            Self::UrlsInNamespace { .. } => "leave `namespace` out: only a ClusterRole can allow URLs",
            Self::RoleName { .. } => {
                "a name is part of a path: it has no `/` and no `%`, and is neither `.` nor `..`"
            }
            Self::PathAndUrl { .. } => {
                "a webhook is reached by its service and a path, or by a URL; keep one of them"
            }
            Self::NoPathNoUrl { .. } => {
                "write `path=/..` for a service in the cluster, or `url=\"https://..\"`"
            }
            Self::NoSideEffects { .. } => "write `sideEffects=None`, or `sideEffects=NoneOnDryRun`",
            Self::BadValue { rule, .. } => rule,
            Self::Empty { .. } => "give it at least one value",
            Self::UnknownPatchField { nearest: Some(nearest), .. } => {
                return Some(format!("did you mean `{nearest}`?"));
            }
            Self::UnknownPatchField { .. } => {
                "names of fields are those of `admissionregistration.k8s.io/v1`"
            }
            Self::BadPatch { .. } => "put the JSON between backticks: patch=`{\"timeoutSeconds\":5}`",
            Self::SameWebhook { .. } => {
                "the names of the webhooks of one configuration differ; rename one of them"
            }
            Self::TwoConfigurations { .. } => {
                "all webhooks of one kind are in one configuration; keep one of the markers"
            }
            Self::NotGranted { group, resource, verbs } => {
                let (verbs, group) = (
                    verbs.replace("`, `", ";").replace('`', ""),
                    if group.is_empty() { "core" } else { group },
                );
                return Some(format!(
                    "add `// +kubebuilder:rbac:groups={group},resources={resource},verbs={verbs}` beside it"
                ));
            }
            Self::NeverUsed { .. } => "take it out, or keep it if something else needs it",
            Self::UnseenUse { .. } => {
                "give the variable, field or parameter that holds it the type of the client, by its name"
            }
            Self::PatchType { .. } => return None,
        };
        Some(text.to_owned())
    }
}
