//! Webhooks at work: who is asked, in which order, and what becomes of the object.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::{Value, json};

use crate::{
    admission::{
        Attempt, Cluster,
        calls::{Answer, Calls},
        operations,
        policy::{Failure, Reinvocation, Rights, Scene, conditions, question},
        review::{self, Unknown},
    },
    protocol::{Fields, Status, quoted},
    registry::Resource,
};

use super::{Kind, Webhook, answer};

/// A write, what is stored, and the answers so far.
pub(crate) struct Asking<'a> {
    pub attempt: &'a Attempt<'a>,
    pub cluster: &'a Cluster<'a>,
    pub calls: &'a mut Calls,
    pub warnings: &'a mut Vec<String>,
}

/// Which webhooks are asked again.
#[derive(Debug, Default)]
pub(in crate::admission) struct Rounds {
    /// Those that want to be, and have been asked.
    eligible: BTreeSet<usize>,
    /// Those among them after which something has changed.
    again: BTreeSet<usize>,
}

impl Rounds {
    fn changed(&mut self) {
        self.again.append(&mut self.eligible);
    }
}

/// Asks mutating webhooks one after the other, and some of them again. `settle` is what changes the object besides them.
pub(in crate::admission) fn mutate(
    hooks: &[Arc<Webhook>],
    asking: &mut Asking<'_>,
    mut object: Option<&mut Fields>,
    settle: &mut dyn FnMut(&mut Fields) -> Result<(), Status>,
) -> Result<(), Status> {
    let mut rounds = Rounds::default();
    let before = object.as_deref().cloned();
    for (index, hook) in hooks.iter().enumerate() {
        ask(hook, index, asking, object.as_deref_mut(), &mut rounds)?;
    }
    let Some(object) = object else { return Ok(()) };
    if before.as_ref() == Some(object) {
        return Ok(());
    }
    let output = object.clone();
    settle(object)?;
    if output != *object {
        rounds.changed();
    }
    for index in std::mem::take(&mut rounds.again) {
        if let Some(hook) = hooks.get(index) {
            ask(hook, index, asking, Some(object), &mut rounds)?;
        }
    }
    Ok(())
}

fn ask(
    hook: &Arc<Webhook>,
    index: usize,
    asking: &mut Asking<'_>,
    object: Option<&mut Fields>,
    rounds: &mut Rounds,
) -> Result<(), Status> {
    let Some(meant) = meant(hook, asking, object.as_deref())? else { return Ok(()) };
    let Some(answer) = answer_of(hook, &meant, asking, object.as_deref()) else {
        return Err(Calls::pending());
    };
    let word = match answer::read(hook, Kind::Mutating, &answer) {
        Ok(word) => word,
        Err(_) if hook.failure == Failure::Ignore => return Ok(()),
        Err(why) => return Err(failed(hook, &why)),
    };
    asking.warnings.extend(word.warnings);
    if let Some(refusal) = word.refusal {
        return Err(refusal);
    }
    if !word.operations.is_empty() {
        let Some(object) = object else {
            return Err(Status::internal(format!(
                "admission webhook {} attempted to modify the object, which is not supported for this operation",
                quoted(&hook.name)
            )));
        };
        if change(&word.operations, &meant, asking.attempt, object)? {
            rounds.changed();
        }
    }
    if hook.reinvocation == Reinvocation::IfNeeded {
        rounds.eligible.insert(index);
    }
    Ok(())
}

/// Changes an object as a webhook says; says whether anything is different.
fn change(
    operations: &[Value],
    meant: &Arc<Resource>,
    attempt: &Attempt<'_>,
    object: &mut Fields,
) -> Result<bool, Status> {
    let seen = review::seen_as(attempt, meant, object).into_owned();
    let new = operations::apply(&Value::Object(seen), operations).map_err(Status::internal)?;
    let new = review::settled(attempt, meant, new, Unknown::Dropped)?;
    let new = review::back(attempt, meant, new);
    let differs = new != *object;
    *object = new;
    Ok(differs)
}

/// Asks validating webhooks, all at once.
pub(in crate::admission) fn validate(
    hooks: &[Arc<Webhook>],
    asking: &mut Asking<'_>,
    object: Option<&Fields>,
) -> Result<(), Status> {
    let mut answers = Vec::new();
    let mut waits = false;
    for hook in hooks {
        let Some(meant) = meant(hook, asking, object)? else { continue };
        match answer_of(hook, &meant, asking, object) {
            Some(answer) => answers.push((hook, answer)),
            None => waits = true,
        }
    }
    if waits {
        return Err(Calls::pending());
    }
    let mut refusal = None;
    for (hook, answer) in answers {
        match answer::read(hook, Kind::Validating, &answer) {
            Ok(word) => {
                asking.warnings.extend(word.warnings);
                refusal = refusal.or(word.refusal);
            }
            Err(_) if hook.failure == Failure::Ignore => {}
            Err(why) => {
                refusal.get_or_insert_with(|| failed(hook, &why));
            }
        }
    }
    refusal.map_or(Ok(()), Err)
}

fn failed(hook: &Webhook, why: &str) -> Status {
    Status::internal(format!("failed calling webhook {}: {why}", quoted(&hook.name)))
}

/// As which resource a webhook is asked about a write, if it is asked at all.
fn meant(
    hook: &Webhook,
    asking: &Asking<'_>,
    object: Option<&Fields>,
) -> Result<Option<Arc<Resource>>, Status> {
    let Asking { attempt, cluster, .. } = asking;
    let Some(meant) = hook.matching.find(attempt, cluster, object)? else { return Ok(None) };
    if hook.conditions.is_empty() {
        return Ok(Some(meant));
    }
    let see = |object: &Fields| review::seen_as(attempt, &meant, object).into_owned();
    let (seen, old) = (object.map(see), attempt.old.map(see));
    let request = review::request(attempt, &meant, object);
    let name = request.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let scene = Scene {
        object: seen.as_ref(),
        old: old.as_ref(),
        request,
        namespace: None,
        params: None,
        rights: Rights::of(attempt),
        question: question(attempt, &name),
    };
    match conditions(&hook.conditions, &[], &scene) {
        Ok(true) => {}
        Ok(false) => return Ok(None),
        Err(_) if hook.failure == Failure::Ignore => return Ok(None),
        Err(why) => return Err(attempt.named(object).forbidden(&why)),
    }
    Ok(Some(meant))
}

fn answer_of(
    hook: &Webhook,
    meant: &Arc<Resource>,
    asking: &mut Asking<'_>,
    object: Option<&Fields>,
) -> Option<Answer> {
    let attempt = asking.attempt;
    let desk = asking.cluster.registry.desk();
    let see = |object: Option<&Fields>| match object {
        Some(object) => Value::Object(review::seen_as(attempt, meant, object).into_owned()),
        None => Value::Null,
    };
    let mut request = review::request(attempt, meant, object);
    request.insert("object".to_owned(), see(object));
    request.insert("oldObject".to_owned(), see(attempt.old));
    // Nobody is asked about what is still to be converted.
    if desk.waits() {
        return None;
    }
    let review = json!({
        "kind": "AdmissionReview",
        "apiVersion": format!("admission.k8s.io/{}", hook.version),
        "request": request,
    });
    // Two webhooks at one address are two.
    let mut target = hook.target.clone();
    let separator = if target.url.contains('?') { '&' } else { '?' };
    target.url = format!("{}{separator}timeout={}s", target.url, target.timeout);
    asking.calls.ask(&target, &review, |mut review, uid| {
        review["request"]["uid"] = uid.into();
        review
    })
}
