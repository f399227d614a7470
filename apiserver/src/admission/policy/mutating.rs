//! Mutating policies at work.
//!
//! In: the bound policies and an object on its way into the store. Out: the object with their changes, or the refusal.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    admission::{
        Attempt, Cluster, operations,
        review::{self, Unknown, schema, settled},
    },
    cel::Val,
    patch::apply_configuration,
    protocol::{Cause, Fields, Status},
    registry::Resource,
    strategy::text,
};

use super::{
    BUDGET, namespace, params,
    read::{Binding, Expression, Failure, Mutation, Policy, Reinvocation},
    scene::{Play, Rights, Scene, applies, question},
};

/// A policy with a binding and parameters of it, about a write.
struct Invocation<'p> {
    policy: &'p Policy,
    binding: &'p Binding,
    meant: Arc<Resource>,
    params: Option<Fields>,
}

/// Why a change was not made.
enum Failed {
    /// The policy's failure policy decides.
    Policy(String),
    /// The whole request has failed.
    Request(Status),
}

/// What a policy has against a write.
struct Refusal {
    message: String,
    reason: &'static str,
}

/// Changes an object as the policies say, in their order; what later ones have changed, earlier ones may look at again.
pub(in crate::admission) fn mutate(
    policies: &[Arc<Policy>],
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
    object: &mut Fields,
) -> Result<(), Status> {
    let mut refusals = Vec::new();
    let invocations = invocations(policies, (attempt, cluster), object, &mut refusals)?;
    if !invocations.is_empty() {
        let namespace = namespace(attempt, cluster)?;
        let mut run = Round { attempt, namespace: namespace.as_ref(), object, refusals: &mut refusals };
        // A policy is run again where one after it has changed the object.
        let mut last_change = None;
        for (index, invocation) in invocations.iter().enumerate() {
            if run.invoke(invocation)? {
                last_change = Some(index);
            }
        }
        if let Some(last) = last_change {
            let again = invocations.iter().take(last);
            for invocation in again.filter(|one| one.policy.reinvocation == Reinvocation::IfNeeded) {
                run.invoke(invocation)?;
            }
        }
    }
    match refusals.first() {
        None => Ok(()),
        Some(first) => Err(refused(attempt, object, first, &refusals)),
    }
}

fn invocations<'p>(
    policies: &'p [Arc<Policy>],
    (attempt, cluster): (&Attempt<'_>, &Cluster<'_>),
    object: &Fields,
    refusals: &mut Vec<Refusal>,
) -> Result<Vec<Invocation<'p>>, Status> {
    let mut found = Vec::new();
    for policy in policies {
        let Some(meant) = policy.constraints.find(attempt, cluster, Some(object))? else { continue };
        let mut refuse = |binding: Option<&Binding>, why: String| {
            if policy.failure == Failure::Fail {
                refusals.push(Refusal { message: told(policy, binding, &why), reason: "Forbidden" });
            }
        };
        let kind = match params::kind(policy, cluster) {
            Ok(kind) => kind,
            Err(why) => {
                refuse(None, why.to_string());
                continue;
            }
        };
        for binding in &policy.bindings {
            if let Some(matching) = &binding.matching
                && matching.find(attempt, cluster, Some(object))?.is_none()
            {
                continue;
            }
            match params::find(kind, binding, (attempt, cluster)) {
                Ok(all) => found.extend(all.into_iter().map(|params| Invocation {
                    policy,
                    binding,
                    meant: Arc::clone(&meant),
                    params,
                })),
                Err(why) => refuse(Some(binding), why.to_string()),
            }
        }
    }
    Ok(found)
}

struct Round<'a> {
    attempt: &'a Attempt<'a>,
    namespace: Option<&'a Fields>,
    object: &'a mut Fields,
    refusals: &'a mut Vec<Refusal>,
}

impl Round<'_> {
    /// Makes the changes of one policy; says whether there was any.
    fn invoke(&mut self, invocation: &Invocation<'_>) -> Result<bool, Status> {
        let Invocation { policy, binding, .. } = invocation;
        let fails = policy.failure == Failure::Fail;
        let mut refuse = |why: &str| {
            if fails {
                let message = told(policy, Some(binding), why);
                self.refusals.push(Refusal { message, reason: "Invalid" });
            }
        };
        let before = self.object.clone();
        if !policy.conditions.is_empty() {
            let scene = scene(self.attempt, invocation, &before, None);
            match applies(policy, &scene.scene()) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(why) => {
                    refuse(&why);
                    return Ok(false);
                }
            }
        }
        for mutation in &policy.mutations {
            let seen = scene(self.attempt, invocation, self.object, self.namespace);
            match changed(&seen, invocation, mutation) {
                Ok(Some(object)) => *self.object = review::back(self.attempt, &invocation.meant, object),
                Ok(None) => {}
                Err(Failed::Policy(why)) => refuse(&why),
                Err(Failed::Request(status)) => return Err(status),
            }
        }
        Ok(before != *self.object)
    }
}

/// What expressions see, with the objects in the version that the policy means.
struct Seen<'a> {
    attempt: &'a Attempt<'a>,
    object: Fields,
    old: Option<Fields>,
    namespace: Option<&'a Fields>,
    params: Option<&'a Fields>,
    meant: &'a Arc<Resource>,
}

fn scene<'a>(
    attempt: &'a Attempt<'a>,
    invocation: &'a Invocation<'_>,
    object: &Fields,
    namespace: Option<&'a Fields>,
) -> Seen<'a> {
    let meant = &invocation.meant;
    let see = |object: &Fields| review::seen_as(attempt, meant, object).into_owned();
    Seen {
        attempt,
        object: see(object),
        old: attempt.old.map(see),
        namespace,
        params: invocation.params.as_ref(),
        meant,
    }
}

impl Seen<'_> {
    fn scene(&self) -> Scene<'_> {
        let request = review::request(self.attempt, self.meant, Some(&self.object));
        let name = request.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        Scene {
            object: Some(&self.object),
            old: self.old.as_ref(),
            request,
            namespace: self.namespace,
            params: self.params,
            rights: Rights::of(self.attempt),
            question: question(self.attempt, &name),
        }
    }
}

/// The object with one change made; none where a test of the change fails.
fn changed(
    seen: &Seen<'_>,
    invocation: &Invocation<'_>,
    mutation: &Mutation,
) -> Result<Option<Fields>, Failed> {
    let scene = seen.scene();
    let play = Play::new(&scene, &invocation.policy.variables, BUDGET);
    let value = |expression| play.value(expression).map_err(|why| Failed::Policy(why.to_string()));
    let whole = Value::Object(seen.object.clone());
    let new = match mutation {
        Mutation::Apply(expression) => applied(seen, &value(expression)?, &whole)?,
        Mutation::Patch(expression) => match patched(&value(expression)?, &whole, expression)? {
            Some(new) => new,
            None => return Ok(None),
        },
    };
    let unknown = if matches!(mutation, Mutation::Patch(_)) { Unknown::Refused } else { Unknown::Dropped };
    settled(seen.attempt, seen.meant, new, unknown).map(Some).map_err(Failed::Request)
}

fn applied(seen: &Seen<'_>, value: &Val<'_>, object: &Value) -> Result<Value, Failed> {
    let failed = |why: String| Failed::Policy(why);
    let Val::Message(message) = value else {
        return Err(failed("unsupported return type from ApplyConfiguration expression".to_owned()));
    };
    let misnamed = message.misnamed();
    if !misnamed.is_empty() {
        return Err(failed(format!("type mismatch: {}", misnamed.join("\n"))));
    }
    let mut change = value.to_json().map_err(|error| failed(format!("invalid return type: {error}")))?;
    for name in ["kind", "apiVersion"] {
        change[name] = object.get(name).cloned().unwrap_or_default();
    }
    apply_configuration(object, &change, &schema(seen.attempt, seen.meant))
        .map_err(|why| failed(format!("error applying patch: {why}")))
}

fn patched(value: &Val<'_>, object: &Value, expression: &Expression) -> Result<Option<Value>, Failed> {
    let failed = |why: String| Failed::Policy(why);
    let unlike = |error: crate::cel::EvalError| {
        failed(format!(
            "JSONPath valueExpression evaluated to a type that could not marshal to JSON: {error}"
        ))
    };
    let Value::Array(operations) = value.to_json().map_err(unlike)? else {
        return Err(failed(format!("type mismatch: {} should evaluate to array", expression.text)));
    };
    if let Val::List(items) = value {
        for item in items.iter() {
            if let Val::Message(operation) = item
                && let Some((_, Val::Message(made))) =
                    operation.fields.iter().find(|(name, _)| *name == "value")
            {
                let misnamed = made.misnamed();
                if !misnamed.is_empty() {
                    return Err(failed(format!("type mismatch: {}", misnamed.join("\n"))));
                }
            }
        }
    }
    match operations::apply(object, &operations) {
        Ok(new) => Ok(Some(new)),
        Err(operations::Unfit::Test(_)) => Ok(None),
        Err(error) => Err(failed(format!("JSON Patch: {error}"))),
    }
}

fn told(policy: &Policy, binding: Option<&Binding>, why: &str) -> String {
    match binding {
        Some(binding) => {
            format!("policy '{}' with binding '{}' denied request: {why}", policy.name, binding.name)
        }
        None => format!("policy \"{}\" denied request: {why}", policy.name),
    }
}

fn refused(attempt: &Attempt<'_>, object: &Fields, first: &Refusal, all: &[Refusal]) -> Status {
    let name = match (text(object, "metadata.name"), attempt.name) {
        ("", shown) => shown,
        (name, _) => name,
    };
    let details = attempt.resource.name().details(name);
    let status = Status::new(403, first.reason, first.message.as_str()).with_details(details);
    all.iter().fold(status, |status, refusal| {
        status.with_cause(Cause { message: refusal.message.clone(), ..Cause::default() })
    })
}
