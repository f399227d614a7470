//! The rules of a version where they stand: what they may cost, against what a server allows, and whether the value before is known there.

use super::build::span;
use crate::diagnostic::{Diagnostic, Diagnostics, ServerProblem};
use crate::model::Resource;
use crate::schema::{PER_RULE, PER_SCHEMA, RuleCost, Schema, rule_costs};

/// Finds the rules for which a server would refuse the schema of a kind.
pub(super) fn check(schema: &Schema, resource: &Resource, wrong: &mut Diagnostics) {
    let mut total: u64 = 0;
    let mut is_any_too_dear = false;
    for found in rule_costs(schema) {
        total = total.saturating_add(found.cost).saturating_add(found.message_cost);
        let RuleCost { path, rule, cost, message_cost, uncorrelated } = found;
        let place = rule.place.as_ref().unwrap_or(&resource.place);
        let mut report = |problem: ServerProblem| {
            let diagnostic = Diagnostic::new(problem, span(place));
            wrong.push(diagnostic.with_related(span(&resource.place), "the kind"));
        };
        let shown = rule.rule.trim().to_owned();
        is_any_too_dear |= cost > PER_RULE || message_cost > PER_RULE;
        if let Some(list) = uncorrelated {
            let (rule, path) = (shown.clone(), path.clone());
            report(ServerProblem::Uncorrelated { rule, path, list });
        }
        if cost > PER_RULE {
            let (rule, path) = (shown.clone(), path.clone());
            report(ServerProblem::RuleCost { rule, path, factor: factor(cost, PER_RULE) });
        }
        if message_cost > PER_RULE {
            report(ServerProblem::MessageCost { rule: shown, path, factor: factor(message_cost, PER_RULE) });
        }
    }
    if total > PER_SCHEMA && !is_any_too_dear {
        let problem =
            ServerProblem::TotalCost { kind: resource.kind.clone(), factor: factor(total, PER_SCHEMA) };
        wrong.add(problem, span(&resource.place));
    }
}

/// How often a limit fits into a cost, as a server says it.
fn factor(cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    if factor > 100.0 {
        "more than 100".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}")
    } else {
        format!("{factor:.1}")
    }
}
