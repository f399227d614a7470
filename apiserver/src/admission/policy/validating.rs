//! Validating policies at work.
//!
//! In: the bound policies, a write, the object as it is to be stored. Out: the refusal, or warnings.

use serde_json::Value;

use crate::{
    admission::{Attempt, Cluster, review},
    cel::Val,
    protocol::{Cause, Fields, Status},
    registry::Resource,
};

use super::{
    BUDGET, namespace, params,
    read::{Binding, Expression, Failure, Policy, Validation},
    scene::{Broken, Play, Rights, Scene, applies, question},
};

const LONGEST_MESSAGE: usize = 5 * 1024;

/// What a rule has against a write.
struct Denial {
    message: String,
    reason: String,
}

impl Denial {
    fn of_failure(message: impl Into<String>) -> Self {
        Self { message: message.into(), reason: String::new() }
    }
}

/// Asks the policies about a write.
pub(in crate::admission) fn validate(
    policies: &[std::sync::Arc<Policy>],
    (attempt, cluster): (&Attempt<'_>, &Cluster<'_>),
    object: Option<&Fields>,
    warnings: &mut Vec<String>,
) -> Result<(), Status> {
    let mut refusal = None;
    for policy in policies {
        let Some(meant) = policy.constraints.find(attempt, cluster, object)? else { continue };
        let mut refuse = |binding: Option<&Binding>, denial: Denial| {
            refusal.get_or_insert_with(|| refused(attempt, object, (policy, binding), &denial));
        };
        let kind = match params::kind(policy, cluster) {
            Ok(kind) => kind,
            Err(why) => {
                if policy.failure == Failure::Fail {
                    refuse(None, Denial::of_failure(why.to_string()));
                }
                continue;
            }
        };
        for binding in &policy.bindings {
            if let Some(matching) = &binding.matching
                && matching.find(attempt, cluster, object)?.is_none()
            {
                continue;
            }
            let found = match params::find(kind, binding, (attempt, cluster)) {
                Ok(found) => found,
                Err(why) => {
                    if policy.failure == Failure::Fail {
                        refuse(Some(binding), Denial::of_failure(why.to_string()));
                    }
                    continue;
                }
            };
            let namespace = namespace(attempt, cluster)?;
            for params in &found {
                let stage = Stage { attempt, object, namespace: namespace.as_ref(), params: params.as_ref() };
                let outcome = stage.judge(policy, &meant);
                for denial in outcome.denials {
                    if binding.actions.iter().any(|action| action == "Warn") {
                        warnings.push(format!(
                            "Validation failed for ValidatingAdmissionPolicy '{}' with binding '{}': {}",
                            policy.name, binding.name, denial.message
                        ));
                    }
                    if binding.actions.iter().any(|action| action == "Deny") {
                        refuse(Some(binding), denial);
                    }
                }
                for failure in outcome.annotations {
                    refuse(Some(binding), Denial::of_failure(failure));
                }
            }
        }
    }
    refusal.map_or(Ok(()), Err)
}

/// What one policy finds with one set of parameters.
#[derive(Default)]
struct Outcome {
    denials: Vec<Denial>,
    /// Annotations that could not be made.
    annotations: Vec<String>,
}

struct Stage<'a> {
    attempt: &'a Attempt<'a>,
    object: Option<&'a Fields>,
    namespace: Option<&'a Fields>,
    params: Option<&'a Fields>,
}

impl Stage<'_> {
    fn judge(&self, policy: &Policy, meant: &std::sync::Arc<Resource>) -> Outcome {
        let Self { attempt, .. } = self;
        let see = |object: Option<&Fields>| {
            object.map(|object| review::seen_as(attempt, meant, object).into_owned())
        };
        let (object, old) = (see(self.object), see(attempt.old));
        let request = review::request(attempt, meant, self.object);
        let name = request.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut scene = Scene {
            object: object.as_ref(),
            old: old.as_ref(),
            request,
            namespace: None,
            params: self.params,
            rights: Rights::of(attempt),
            question: question(attempt, &name),
        };
        let failed = |why: String| match policy.failure {
            Failure::Fail => Outcome { denials: vec![Denial::of_failure(why)], ..Outcome::default() },
            Failure::Ignore => Outcome::default(),
        };
        if !policy.conditions.is_empty() {
            match applies(policy, &scene) {
                Ok(true) => {}
                Ok(false) => return Outcome::default(),
                Err(why) => return failed(why),
            }
        }
        scene.namespace = self.namespace;
        let play = Play::new(&scene, &policy.variables, BUDGET);
        let mut denials = Vec::new();
        for validation in &policy.validations {
            match denial(&play, validation) {
                Ok(found) => denials.extend(found),
                Err(Broken::One(why)) => denials.extend(failed(why).denials),
                Err(Broken::All(why)) => return failed(why),
            }
        }
        let play = Play::new(&scene, &policy.variables, BUDGET);
        let annotations = policy.annotations.iter().filter_map(|one| annotation(&play, one));
        let annotations = match policy.failure {
            Failure::Fail => annotations.collect(),
            Failure::Ignore => Vec::new(),
        };
        Outcome { denials, annotations }
    }
}

fn denial<'v>(play: &Play<'v>, validation: &'v Validation) -> Result<Option<Denial>, Broken> {
    if matches!(play.value(&validation.rule)?, Val::Bool(true)) {
        return Ok(None);
    }
    let said = match validation.said.as_ref().map(|said| play.value(said)) {
        Some(Ok(Val::Text(text))) => text.trim().to_owned(),
        Some(Err(Broken::All(why))) => {
            return Err(Broken::One(format!("failed messageExpression: {why}")));
        }
        _ => String::new(),
    };
    let said = if said.len() > LONGEST_MESSAGE || said.contains('\n') { String::new() } else { said };
    let message = match (said.as_str(), validation.message.trim()) {
        ("", "") => format!("failed expression: {}", validation.rule.text.trim()),
        ("", message) => message.to_owned(),
        _ => said,
    };
    Ok(Some(Denial { message, reason: validation.reason.clone() }))
}

/// Why an annotation cannot be made.
fn annotation<'v>(play: &Play<'v>, expression: &'v Expression) -> Option<String> {
    play.value(expression).err().map(|why| why.to_string())
}

fn refused(
    attempt: &Attempt<'_>,
    object: Option<&Fields>,
    (policy, binding): (&Policy, Option<&Binding>),
    denial: &Denial,
) -> Status {
    let with = binding.map(|binding| format!(" with binding '{}'", binding.name)).unwrap_or_default();
    let message =
        format!("ValidatingAdmissionPolicy '{}'{with} denied request: {}", policy.name, denial.message);
    let (code, reason) = match denial.reason.as_str() {
        "Forbidden" => (403, "Forbidden"),
        "Unauthorized" => (401, "Unauthorized"),
        "RequestEntityTooLarge" => (413, "RequestEntityTooLarge"),
        _ => (422, "Invalid"),
    };
    let forbidden = attempt.named(object).forbidden(&message);
    let details = forbidden.details().cloned().unwrap_or_default();
    let text = forbidden.message().to_owned();
    Status::new(code, reason, text).with_details(details).with_cause(Cause { message, ..Cause::default() })
}
