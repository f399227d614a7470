//! Tables.
//!
//! In: cases with their figures. Out: Markdown on standard output. Never: a figure of ours without what it is compared with.

use crate::{
    harness::{Case, Role},
    measure::Figures,
};

pub(crate) fn print_table(rows: &[(&Case, &Figures)]) {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|(_, figures)| *figures) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    println!("\n### {}\n\n| | {} |", rows[0].0.table, names.join(" | "));
    println!("|---|{}", "---|".repeat(names.len()));
    for (case, figures) in rows {
        let peer = rows.iter().find(|(case, _)| case.role == Role::Peer);
        let bound =
            rows.iter().find(|(other, _)| matches!(case.role, Role::Ours(bound) if bound == other.name));
        let cells = names.iter().map(|name| {
            let Some(value) = figure(figures, name) else { return String::new() };
            let mut cell = short(value);
            if let Role::Ours(_) = case.role {
                for (row, what) in [(peer, "kube"), (bound, "bound")] {
                    if let Some(other) = row.and_then(|(_, figures)| figure(figures, name)) {
                        cell.push_str(&format!(", {} x {what}", short(value / other)));
                    }
                }
            }
            cell
        });
        println!("| {} | {} |", case.name, cells.collect::<Vec<_>>().join(" | "));
    }
}

fn figure(figures: &Figures, name: &str) -> Option<f64> {
    figures.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
}

/// Three digits that count, or all before the point.
fn short(value: f64) -> String {
    let digits = 2 - value.abs().max(1e-9).log10().floor() as i32;
    format!("{value:.*}", digits.clamp(0, 6) as usize)
}

/// What was to be reached, and what was.
pub(crate) fn print_goals(rows: &[(&Case, &Figures)]) {
    if rows.iter().all(|(case, _)| case.goals.is_empty()) {
        return;
    }
    println!("\n### goals\n\n| measure | | figure | goal | ours | of the goal | kube-runtime 5 | bound | |");
    println!("|---|---|---|--:|--:|--:|--:|--:|---|");
    for (case, figures) in rows {
        for goal in case.goals {
            let Some(ours) = figure(figures, goal.figure) else { continue };
            let beside = |is: &dyn Fn(&Case) -> bool| {
                let other = rows.iter().find(|(other, _)| other.table == case.table && is(other));
                other.and_then(|(_, figures)| figure(figures, goal.figure)).map_or(String::new(), short)
            };
            let peer = beside(&|other| other.role == Role::Peer);
            let bound = beside(&|other| matches!(case.role, Role::Ours(bound) if bound == other.name));
            let verdict = if ours <= goal.at_most { "reached" } else { "**missed**" };
            println!(
                "| {} | {} | {} | {} | {} | {} | {peer} | {bound} | {verdict} |",
                case.table,
                case.name,
                goal.figure,
                short(goal.at_most),
                short(ours),
                short(ours / goal.at_most),
            );
        }
    }
}
