//! Eviction: a delete of a pod that its disruption budget may refuse.
//!
//! In: an Eviction in a body. Out: the pod on its way out and the budget that knows of it, or the 429 of a budget that is used up.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    protocol::{Cause, Details, FieldError, Fields, LabelSelector, ResourceName, Status},
    registry::{Found, Resource},
    store::Stored,
    strategy::{at, set, text},
};

use super::{
    Context, Core,
    options::{DeleteOptions, OptionsOf, WriteOptions},
    pods::{body, created, set_condition},
    reply::Reply,
    timestamp,
    write::draft,
};

/// How many evictions a budget may wait for.
const PENDING_LIMIT: usize = 2000;
const REFUSED: &str = "Cannot evict pod as it would violate the pod's disruption budget.";

/// What a budget says.
enum Verdict {
    /// The pod counts for nothing: it may go, as long as it stays the one that was looked at.
    Free,
    /// One disruption of the budget is spent.
    Spent,
}

impl Core {
    /// `POST .../pods/<name>/eviction`.
    pub(super) fn evict(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        let request = WriteOptions::read(context, OptionsOf::Create)?;
        let mut eviction = body(context, "Eviction")?;
        if text(&eviction, "metadata.name") != context.name {
            return Err(Status::bad_request("name in URL does not match name in Eviction object"));
        }
        let options = delete_options(context, &eviction, &request)?;
        let warnings = self.admit_below(context, &request, ("eviction", &mut eviction))?;
        let pods = self.pods()?;
        let pod = self.store.get(pods.table, &context.key()).cloned().ok_or_else(|| context.not_found())?;
        let fields = pod.fields();
        if ignores_budgets(&fields) {
            self.finish(context, &options, &pod)?;
            return Ok(created().warned(warnings));
        }
        let budgets = self.budgets_of(&pod, context);
        match budgets.as_slice() {
            [] => {}
            [budget] => match verdict(&fields, budget)? {
                Verdict::Free => {}
                Verdict::Spent => self.spend(context, &options, &pod, budget)?,
            },
            _ => return Err(many_budgets()),
        }
        self.finish(context, &options, &pod)?;
        Ok(created().warned(warnings))
    }

    /// Writes down why the pod goes, and lets it go.
    fn finish(
        &mut self,
        context: &Context<'_>,
        options: &DeleteOptions,
        pod: &Arc<Stored>,
    ) -> Result<(), Status> {
        if options.dry_run {
            self.remove(context, options, pod)?;
            return Ok(());
        }
        super::delete::preconditions(context, options, pod)?;
        let mut fields = pod.fields();
        let condition = json!({
            "type": "DisruptionTarget",
            "status": "True",
            "lastProbeTime": null,
            "lastTransitionTime": timestamp(context.now),
            "reason": "EvictionByEvictionAPI",
            "message": "Eviction API: evicting",
        });
        set_condition(&mut fields, condition);
        let marked = self.store.put(context.resource.table, draft(&context.resource, context.key(), &fields));
        // The preconditions were about the pod as it was before that.
        let options = DeleteOptions { resource_version: None, ..options.clone() };
        self.remove(context, &options, &marked)?;
        Ok(())
    }

    /// The budgets that are about a pod.
    fn budgets_of(&self, pod: &Stored, context: &Context<'_>) -> Vec<Budget> {
        let Found::Resource(resource) = self.registry.find("policy", "v1", "poddisruptionbudgets") else {
            return Vec::new();
        };
        let prefix = format!("{}/", context.namespace);
        let stored = self.store.all(resource.table, &prefix);
        let budgets = stored.map(|stored| Budget { fields: stored.fields(), resource: Arc::clone(resource) });
        budgets
            .filter(|budget| {
                let selector = at(&budget.fields, "spec.selector").map(LabelSelector::of_object);
                selector.is_some_and(|selector| {
                    selector.is_ok_and(|selector| selector.matches(|key| pod.label(key)))
                })
            })
            .collect()
    }

    /// Counts a disruption in the status of the budget.
    fn spend(
        &mut self,
        context: &Context<'_>,
        options: &DeleteOptions,
        pod: &Stored,
        budget: &Budget,
    ) -> Result<(), Status> {
        super::delete::preconditions(context, options, pod)?;
        if options.dry_run {
            return Ok(());
        }
        let mut fields = budget.fields.clone();
        let left = budget.number("disruptionsAllowed") - 1;
        set(&mut fields, "status.disruptionsAllowed", left);
        if left == 0 {
            set_disruption_condition(&mut fields, context);
        }
        let disrupted = at(&fields, "status.disruptedPods").and_then(Value::as_object).cloned();
        let mut disrupted = disrupted.unwrap_or_default();
        disrupted.insert(pod.name().to_owned(), timestamp(context.now).into());
        set(&mut fields, "status.disruptedPods", disrupted);
        let key = budget.resource.key(&context.namespace, budget.name());
        self.store.put(budget.resource.table, draft(&budget.resource, key, &fields));
        Ok(())
    }
}

struct Budget {
    fields: Fields,
    resource: Arc<Resource>,
}

impl Budget {
    fn name(&self) -> &str {
        text(&self.fields, "metadata.name")
    }

    /// A number of the status.
    fn number(&self, name: &str) -> i64 {
        at(&self.fields, &format!("status.{name}")).and_then(Value::as_i64).unwrap_or_default()
    }

    /// What the budget says when it says no.
    fn excuse(&self) -> String {
        let name = self.name();
        let conditions = at(&self.fields, "status.conditions").and_then(Value::as_array);
        let condition = conditions
            .into_iter()
            .flatten()
            .find(|condition| condition.get("type").is_some_and(|kind| kind == "DisruptionAllowed"));
        let part = |part: &str| {
            condition.and_then(|condition| condition.get(part)).and_then(Value::as_str).unwrap_or_default()
        };
        let told = part("status") == "False" && !part("message").is_empty();
        let (wanted, there) = (self.number("desiredHealthy"), self.number("currentHealthy"));
        if told && part("reason") == "SyncFailed" {
            let message = part("message");
            return format!(
                "The disruption budget {name} does not allow evicting pods currently because it failed sync: {message}"
            );
        }
        if there <= wanted {
            return format!(
                "The disruption budget {name} needs {wanted} healthy pods and has {there} currently"
            );
        }
        if told {
            return format!(
                "The disruption budget {name} does not allow evicting pods currently ({}): {}",
                part("reason"),
                part("message")
            );
        }
        format!("The disruption budget {name} does not allow evicting pods currently")
    }
}

/// Options of the delete: those of the Eviction, with a dry run of the request.
fn delete_options(
    context: &Context<'_>,
    eviction: &Fields,
    request: &WriteOptions,
) -> Result<DeleteOptions, Status> {
    let given = eviction.get("deleteOptions");
    let ignores = "ignoreStoreReadErrorWithClusterBreakingPotential";
    if given.and_then(|given| given.get(ignores)).is_some_and(|value| value == true) {
        let field = format!("deleteOptions.{ignores}");
        let why = "can not be set for pod eviction, try after removing the option";
        let name = ResourceName { group: "policy", resource: "Eviction" };
        let error = FieldError::invalid(field, &true.into(), why);
        return Err(Status::invalid(name, &context.name, &[error]));
    }
    let mut options = match given {
        Some(given) => DeleteOptions::check(given)?,
        None => DeleteOptions::default(),
    };
    options.dry_run |= request.dry_run;
    Ok(options)
}

/// Whether a pod disrupts nothing any more, or not yet.
fn ignores_budgets(pod: &Fields) -> bool {
    let phase = text(pod, "status.phase");
    ["Succeeded", "Failed", "Pending"].contains(&phase) || at(pod, "metadata.deletionTimestamp").is_some()
}

fn is_ready(pod: &Fields) -> bool {
    let conditions = at(pod, "status.conditions").and_then(Value::as_array);
    conditions.into_iter().flatten().any(|condition| {
        let is = |name: &str, wanted: &str| condition.get(name).is_some_and(|value| value == wanted);
        is("type", "Ready") && is("status", "True")
    })
}

fn verdict(pod: &Fields, budget: &Budget) -> Result<Verdict, Status> {
    if !is_ready(pod) {
        let policy = text(&budget.fields, "spec.unhealthyPodEvictionPolicy");
        let wanted = budget.number("desiredHealthy");
        if policy == "AlwaysAllow" || (budget.number("currentHealthy") >= wanted && wanted > 0) {
            return Ok(Verdict::Free);
        }
    }
    let name = budget.name();
    let observed = budget.number("observedGeneration");
    let generation = at(&budget.fields, "metadata.generation").and_then(Value::as_i64).unwrap_or_default();
    if observed < generation {
        let text = format!("The disruption budget {name} is still being processed by the server.");
        return Err(too_many(&text).with_retry_after(10));
    }
    let allowed = budget.number("disruptionsAllowed");
    if allowed < 0 {
        let why = "pdb disruptions allowed is negative";
        let text = format!("The disruption budget {name} does not allow evicting pods currently: {why}");
        return Err(broken(name, why, &text));
    }
    let pending = at(&budget.fields, "status.disruptedPods").and_then(Value::as_object);
    if pending.is_some_and(|pending| pending.len() > PENDING_LIMIT) {
        let why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
        let text = format!(
            "The disruption budget {name} does not allow evicting pods currently: too many pending evictions not confirmed by PDB \
             controller"
        );
        return Err(broken(name, why, &text));
    }
    if allowed == 0 {
        return Err(too_many(&budget.excuse()));
    }
    Ok(Verdict::Spent)
}

fn cause(text: &str) -> Cause {
    Cause { reason: "DisruptionBudget", message: text.to_owned(), field: String::new() }
}

fn too_many(text: &str) -> Status {
    Status::new(429, "TooManyRequests", REFUSED)
        .with_details(Details { causes: vec![cause(text)], ..Details::default() })
}

fn broken(name: &str, why: &str, text: &str) -> Status {
    let resource = ResourceName { group: "policy", resource: "poddisruptionbudget" };
    Status::forbidden(resource, name, why).with_cause(cause(text))
}

fn many_budgets() -> Status {
    let why =
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    Status::new(500, "", why)
}

/// Says in the conditions of a budget that nothing is left of it.
fn set_disruption_condition(fields: &mut Fields, context: &Context<'_>) {
    let conditions = at(fields, "status.conditions").and_then(Value::as_array).cloned();
    let mut conditions = conditions.unwrap_or_default();
    let before = conditions
        .iter()
        .find(|condition| condition.get("type").is_some_and(|kind| kind == "DisruptionAllowed"));
    let same =
        before.is_some_and(|condition| condition.get("status").is_some_and(|status| status == "False"));
    let since = before.filter(|_| same).and_then(|condition| condition.get("lastTransitionTime").cloned());
    let observed = at(fields, "status.observedGeneration").cloned().unwrap_or_default();
    let condition = json!({
        "type": "DisruptionAllowed",
        "status": "False",
        "observedGeneration": observed,
        "lastTransitionTime": since.unwrap_or_else(|| timestamp(context.now).into()),
        "reason": "InsufficientPods",
        "message": "",
    });
    let kind = condition.get("type").cloned();
    match conditions.iter_mut().find(|there| there.get("type") == kind.as_ref()) {
        Some(there) => *there = condition,
        None => conditions.push(condition),
    }
    set(fields, "status.conditions", conditions);
}
