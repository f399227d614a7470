//! Who owns which fields: what every write leaves in `metadata.managedFields`.
//!
//! In: the state before, the state after or the applied object, who writes. Out: the state after with its owners. How owners are
//! reckoned is the patch room's.

use serde_json::Value;

use crate::{
    patch::{
        PatchError,
        apply::{Kind, Tracker},
        check_fits,
        fields::FieldSet,
    },
    protocol::Fields,
    registry::Resource,
};

use super::{Context, conversion::ByForm, options::WriteOptions};

/// Who writes, and by which door.
#[derive(Clone, Copy)]
pub(super) struct Writer<'a> {
    pub context: &'a Context<'a>,
    pub options: &'a WriteOptions,
    /// Empty for the main resource.
    pub subresource: &'a str,
}

impl Writer<'_> {
    /// The state after an update or create, with its owners, closed.
    pub(super) fn track(&self, live: Option<&Fields>, mut new: Fields) -> Fields {
        // Nobody owns what is not stored.
        let aside = self.context.resource.rules.strategy.set_aside(&mut new);
        let mut new = self.with_tracker(|tracker| tracker.update_closed(live, new));
        aside.put_back(&mut new);
        new
    }

    /// The state after an apply, with its owners, closed.
    pub(super) fn apply(&self, live: Option<&Fields>, applied: &Value) -> Result<Fields, PatchError> {
        let resource = &self.context.resource;
        if let Some(live) = live.filter(|_| resource.custom.is_some())
            && let Err(why) = check_fits(live, &resource.schema())
        {
            let Context { namespace, name, .. } = self.context;
            let kind = format!("{}, Kind={}", resource.api_version(), resource.kind);
            let why = format!("failed to create typed live object ({namespace}/{name}; {kind}): {why}");
            return Err(PatchError::Internal(why));
        }
        self.with_tracker(|tracker| tracker.apply_closed(live, applied, self.options.force))
    }

    fn with_tracker<T>(&self, run: impl FnOnce(&Tracker<'_>) -> T) -> T {
        let resource = &self.context.resource;
        let schema = resource.schema();
        let api_version = resource.api_version();
        let versions = ByForm(resource.custom.as_deref());
        let reset = reset(resource, self.subresource);
        run(&Tracker {
            kind: Kind {
                schema: &schema,
                api_version: &api_version,
                kind: &resource.kind,
                versions: &versions,
            },
            subresource: self.subresource,
            manager: &self.options.manager,
            now: self.context.now,
            reset: &reset,
        })
    }
}

/// The fields that a write by this door cannot change.
fn reset(resource: &Resource, subresource: &str) -> FieldSet {
    let fields: &[&str] = match (subresource, resource.builtin) {
        ("status", false) => &["metadata", "spec"],
        ("status", true) => match (resource.group.as_str(), resource.plural.as_str()) {
            ("apps", "deployments") => &["spec", "metadata.labels"],
            ("", "pods") => &["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"],
            ("certificates.k8s.io", "certificatesigningrequests") => &["spec", "status.conditions"],
            _ if resource.rules.status_metadata.is_empty() => &["metadata", "spec"],
            _ => &["spec"],
        },
        ("approval", true) => &["spec", "status.certificate"],
        _ if (resource.group.as_str(), resource.plural.as_str())
            == ("certificates.k8s.io", "certificatesigningrequests") =>
        {
            &["spec", "status"]
        }
        _ if resource.has_status() => &["status"],
        _ => &[],
    };
    FieldSet::of_fields(fields)
}
