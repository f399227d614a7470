//! Resource quotas: what a namespace may use, counted when objects are admitted.
//!
//! In: the quotas of a namespace, and an object for it. Out: the counts that the quotas have once the object is stored, or the refusal.
//! Only what a quota's status says is held against it: hard limits and usage get there by whoever runs quotas.

mod counter;

use serde_json::Value;

use crate::{
    protocol::{Fields, Status},
    strategy::{at, set, text},
};

use self::counter::Counter;
use super::{
    Attempt, Cluster,
    amount::{Amount, Amounts, add, amounts, to_value},
};

/// A quota with its new count.
#[derive(Clone, Debug)]
pub(crate) struct Charge {
    pub name: String,
    pub quota: Fields,
}

/// What is not counted.
const IGNORED: [&str; 2] = ["bindings", "events"];
/// Holds an object against the quotas of its namespace.
pub(super) fn validate(
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
    object: &Fields,
) -> Result<Vec<Charge>, Status> {
    let plural = attempt.resource.plural.as_str();
    if attempt.namespace.is_empty() || IGNORED.contains(&plural) {
        return Ok(Vec::new());
    }
    let quotas = cluster.list("", "resourcequotas", attempt.namespace);
    let counter = Counter::of(attempt);
    if quotas.is_empty() || !counter.counts(attempt, object) {
        return Ok(Vec::new());
    }
    let mut interesting = Vec::new();
    for quota in quotas {
        let hard = amounts(at(&quota, "status.hard"));
        let names: Vec<String> = hard.keys().filter(|name| counter.measures(name)).cloned().collect();
        if names.is_empty() || !scopes(&quota).iter().all(|scope| counter.is_in(scope, object)) {
            continue;
        }
        let name = text(&quota, "metadata.name");
        if let Some(missing) = counter.unstated(&names, object) {
            return Err(attempt.forbidden(&format!("failed quota: {name}: must specify {missing}")));
        }
        let used = amounts(at(&quota, "status.used"));
        if names.iter().any(|name| !used.contains_key(name)) {
            let names = names.join(",");
            return Err(attempt.forbidden(&format!("status unknown for quota: {name}, resources: {names}")));
        }
        interesting.push(quota);
    }
    let usage = counter.usage(object);
    let negative: Vec<&str> =
        usage.iter().filter(|(_, amount)| amount.is_negative()).map(|(name, _)| name.as_str()).collect();
    if !negative.is_empty() {
        let why = format!("quota usage is negative for resource(s): {}", negative.join(","));
        return Err(attempt.forbidden(&why));
    }
    let mut charges = Vec::new();
    for quota in interesting {
        charges.extend(charge(attempt, &counter, quota, &usage)?);
    }
    Ok(charges)
}

/// A quota with the usage added; none where nothing changes.
fn charge(
    attempt: &Attempt<'_>,
    counter: &Counter,
    mut quota: Fields,
    usage: &Amounts,
) -> Result<Option<Charge>, Status> {
    let hard = amounts(at(&quota, "status.hard"));
    let mut used = amounts(at(&quota, "status.used"));
    let mut requested = usage.clone();
    let before = attempt.old.filter(|old| scopes(&quota).iter().all(|scope| counter.is_in(scope, old)));
    if let Some(old) = before {
        let old = counter.usage(old);
        for (name, amount) in &mut requested {
            let difference = amount.minus(old.get(name).copied().unwrap_or_default());
            *amount = if difference.is_negative() { Amount::default() } else { difference };
        }
    }
    requested.retain(|name, amount| !amount.is_zero() && hard.contains_key(name));
    if requested.is_empty() {
        return Ok(None);
    }
    let limited = used.clone();
    add(&mut used, &requested);
    let exceeded = |name: &&String| {
        let after = used.get(*name).copied().unwrap_or_default();
        hard.get(*name).is_some_and(|hard| after > *hard)
    };
    let names: Vec<&String> = requested.keys().filter(exceeded).collect();
    let name = text(&quota, "metadata.name").to_owned();
    if !names.is_empty() && attempt.subresource != "status" {
        let shown = |amounts: &Amounts| {
            let texts = names.iter().filter_map(|name| Some(format!("{name}={}", amounts.get(*name)?)));
            texts.collect::<Vec<_>>().join(",")
        };
        return Err(attempt.forbidden(&format!(
            "exceeded quota: {name}, requested: {}, used: {}, limited: {}",
            shown(&requested),
            shown(&limited),
            shown(&hard)
        )));
    }
    set(&mut quota, "status.used", to_value(&used));
    Ok(Some(Charge { name, quota }))
}

/// The conditions under which a quota is about an object.
fn scopes(quota: &Fields) -> Vec<Value> {
    let list = |path: &str| at(quota, path).and_then(Value::as_array).cloned().unwrap_or_default();
    let plain = list("spec.scopes")
        .into_iter()
        .map(|scope| serde_json::json!({"scopeName": scope, "operator": "Exists"}));
    plain.chain(list("spec.scopeSelector.matchExpressions")).collect()
}

/// The status of a quota: what it limits, and what the objects of its namespace use of it.
pub(crate) fn count_quota(cluster: &Cluster<'_>, quota: &Fields) -> Value {
    let hard = amounts(at(quota, "spec.hard"));
    let (namespace, scopes) = (text(quota, "metadata.namespace"), scopes(quota));
    let mut used: Amounts = hard.keys().map(|name| (name.clone(), Amount::default())).collect();
    for resource in cluster.registry.preferred() {
        let counter = Counter::named(resource);
        let prefix = format!("{namespace}/");
        if !resource.namespaced || !hard.keys().any(|name| counter.measures(name)) {
            continue;
        }
        for object in cluster.store.all(resource.table, &prefix) {
            let object = object.fields();
            if !scopes.iter().all(|scope| counter.is_in(scope, &object)) {
                continue;
            }
            let mut usage = counter.usage(&object);
            usage.retain(|name, _| hard.contains_key(name));
            add(&mut used, &usage);
        }
    }
    serde_json::json!({"hard": to_value(&hard), "used": to_value(&used)})
}
