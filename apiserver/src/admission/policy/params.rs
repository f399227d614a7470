//! The parameters of policies.
//!
//! In: what a policy and its binding say of them. Out: the stored objects, or why there are none.

use serde_json::Value;

use crate::{
    admission::{Attempt, Cluster},
    protocol::Fields,
    registry::Resource,
};

use super::read::{Binding, ParamRef, Policy};

/// Why a policy cannot be run.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unfit {
    /// The policy itself is at fault.
    #[error("failed to configure policy: {0}")]
    Policy(String),
    /// A binding of it is.
    #[error("failed to configure binding: {0}")]
    Binding(String),
}

/// The kind of a policy's parameters; a policy whose parameters are unknown cannot be run at all.
pub(super) fn kind<'a>(policy: &Policy, cluster: &Cluster<'a>) -> Result<Option<&'a Resource>, Unfit> {
    let Some((api_version, kind)) = &policy.param_kind else { return Ok(None) };
    match cluster.registry.of_kind(api_version, kind) {
        Some(resource) => Ok(Some(resource)),
        None => {
            let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
            let why =
                format!("failed to find resource referenced by paramKind: '{group}/{version}, Kind={kind}'");
            Err(Unfit::Policy(why))
        }
    }
}

/// The parameters of one binding: one that is none where the policy has no parameters.
pub(super) fn find(
    kind: Option<&Resource>,
    binding: &Binding,
    (attempt, cluster): (&Attempt<'_>, &Cluster<'_>),
) -> Result<Vec<Option<Fields>>, Unfit> {
    let (Some(kind), Some(wanted)) = (kind, &binding.params) else { return Ok(vec![None]) };
    let found = match look(kind, wanted, attempt, cluster) {
        Ok(found) => found,
        Err(why) => return Err(Unfit::Binding(why.to_owned())),
    };
    if found.is_empty() && wanted.missing == "Deny" {
        let why = "no params found for policy binding with `Deny` parameterNotFoundAction";
        return Err(Unfit::Binding(why.to_owned()));
    }
    Ok(found.into_iter().map(Some).collect())
}

fn look(
    kind: &Resource,
    wanted: &ParamRef,
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
) -> Result<Vec<Fields>, &'static str> {
    let namespace = match (kind.namespaced, wanted.namespace.as_str()) {
        (false, "") => "",
        (false, _) => return Err("paramRef.namespace must not be provided for a cluster-scoped `paramKind`"),
        (true, "") if attempt.namespace.is_empty() => {
            return Err(
                "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
            );
        }
        (true, "") => attempt.namespace,
        (true, namespace) => namespace,
    };
    let whole = |mut fields: Fields| {
        fields.entry("apiVersion").or_insert_with(|| Value::from(kind.api_version()));
        fields.entry("kind").or_insert_with(|| Value::from(kind.kind.as_str()));
        fields
    };
    if !wanted.name.is_empty() {
        let stored = cluster.store.get(kind.table, &kind.key(namespace, &wanted.name));
        return Ok(stored.into_iter().map(|stored| whole(kind.see(stored).fields())).collect());
    }
    let prefix = if kind.namespaced { format!("{namespace}/") } else { String::new() };
    let selected = cluster.store.objects(kind.table, &prefix).filter(|stored| {
        wanted.selector.as_ref().is_none_or(|selector| selector.matches(|key| stored.label(key)))
    });
    Ok(selected.map(|stored| whole(kind.see(stored).fields())).collect())
}
