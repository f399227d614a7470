//! A unified difference of two texts, by lines.
//!
//! In: two texts. Out: what differs, with three lines around it, as the matcher of Python's `difflib` (which Go has ported) sees it: blocks
//! are aligned at the longest run of equal lines, and in long texts common lines align nothing. It knows nothing of what the lines hold.

use std::collections::HashMap;

/// How many equal lines stand around a change.
const CONTEXT: usize = 3;
/// From how many lines on those that are common are left out of account.
const LONG: usize = 200;

/// A run of lines that both texts have: where it begins in either, and how long it is.
#[derive(Clone, Copy)]
struct Run {
    old: usize,
    new: usize,
    length: usize,
}

/// A stretch of both texts, equal or not.
#[derive(Clone)]
struct Step {
    equal: bool,
    old: (usize, usize),
    new: (usize, usize),
}

/// The difference; empty where there is none.
pub(super) fn unified(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut out = String::new();
    for group in groups(steps(&Matcher::new(&old, &new).runs())) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let (left, right) = (span(first.old.0, last.old.1), span(first.new.0, last.new.1));
        out.push_str(&format!("@@ -{left} +{right} @@\n"));
        for step in &group {
            let signs = if step.equal {
                [(" ", &old, step.old), ("", &new, (0, 0))]
            } else {
                [("-", &old, step.old), ("+", &new, step.new)]
            };
            for (sign, lines, (from, to)) in signs {
                for line in lines.get(from..to).unwrap_or_default() {
                    out.push_str(sign);
                    out.push_str(line);
                    out.push('\n');
                }
            }
        }
    }
    out
}

/// Lines from here to there, as a unified difference counts them.
fn span(from: usize, to: usize) -> String {
    match to.saturating_sub(from) {
        1 => (from + 1).to_string(),
        0 => format!("{from},0"),
        length => format!("{},{length}", from + 1),
    }
}

struct Matcher<'t> {
    old: &'t [&'t str],
    new: &'t [&'t str],
    places: HashMap<&'t str, Vec<usize>>,
}

impl<'t> Matcher<'t> {
    fn new(old: &'t [&'t str], new: &'t [&'t str]) -> Self {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, line) in new.iter().enumerate() {
            places.entry(line).or_default().push(place);
        }
        if new.len() >= LONG {
            let limit = new.len() / 100 + 1;
            places.retain(|_, found| found.len() <= limit);
        }
        Self { old, new, places }
    }

    /// All runs, in order.
    fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut open = vec![((0, self.old.len()), (0, self.new.len()))];
        while let Some((old, new)) = open.pop() {
            let run = self.longest(old, new);
            if run.length == 0 {
                continue;
            }
            open.push(((old.0, run.old), (new.0, run.new)));
            open.push(((run.old + run.length, old.1), (run.new + run.length, new.1)));
            runs.push(run);
        }
        runs.sort_by_key(|run| (run.old, run.new));
        runs.push(Run { old: self.old.len(), new: self.new.len(), length: 0 });
        runs
    }

    /// The longest run within these bounds, the first where there are several.
    fn longest(&self, old: (usize, usize), new: (usize, usize)) -> Run {
        let mut best = Run { old: old.0, new: new.0, length: 0 };
        let mut lengths: HashMap<usize, usize> = HashMap::new();
        for (place, line) in self.old.iter().enumerate().take(old.1).skip(old.0) {
            let mut next = HashMap::new();
            let found = self.places.get(line).map(Vec::as_slice).unwrap_or_default();
            for &other in found.iter().filter(|other| (new.0..new.1).contains(*other)) {
                let before = other.checked_sub(1).and_then(|before| lengths.get(&before));
                let length = before.copied().unwrap_or_default() + 1;
                next.insert(other, length);
                if length > best.length {
                    best = Run { old: place + 1 - length, new: other + 1 - length, length };
                }
            }
            lengths = next;
        }
        self.widened(best, old, new)
    }

    /// A run with the equal lines on both sides of it.
    fn widened(&self, mut run: Run, old: (usize, usize), new: (usize, usize)) -> Run {
        while run.old > old.0 && run.new > new.0 && self.old.get(run.old - 1) == self.new.get(run.new - 1) {
            run = Run { old: run.old - 1, new: run.new - 1, length: run.length + 1 };
        }
        let (left, right) = (|run: Run| run.old + run.length, |run: Run| run.new + run.length);
        while left(run) < old.1 && right(run) < new.1 && self.old.get(left(run)) == self.new.get(right(run)) {
            run.length += 1;
        }
        run
    }
}

/// The stretches between and in the runs; neighbours are one.
fn steps(runs: &[Run]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut old, mut new) = (0, 0);
    for run in runs {
        if old < run.old || new < run.new {
            steps.push(Step { equal: false, old: (old, run.old), new: (new, run.new) });
        }
        (old, new) = (run.old + run.length, run.new + run.length);
        if run.length == 0 {
            continue;
        }
        match steps.last_mut() {
            Some(last) if last.equal => (last.old.1, last.new.1) = (old, new),
            _ => steps.push(Step { equal: true, old: (run.old, old), new: (run.new, new) }),
        }
    }
    steps
}

/// The changes, each group with the lines around it.
fn groups(mut steps: Vec<Step>) -> Vec<Vec<Step>> {
    if let Some(first) = steps.first_mut().filter(|first| first.equal) {
        first.old.0 = first.old.0.max(first.old.1.saturating_sub(CONTEXT));
        first.new.0 = first.new.0.max(first.new.1.saturating_sub(CONTEXT));
    }
    if let Some(last) = steps.last_mut().filter(|last| last.equal) {
        last.old.1 = last.old.1.min(last.old.0 + CONTEXT);
        last.new.1 = last.new.1.min(last.new.0 + CONTEXT);
    }
    let mut groups = Vec::new();
    let mut group: Vec<Step> = Vec::new();
    for mut step in steps {
        if step.equal && step.old.1 - step.old.0 > 2 * CONTEXT {
            let (old, new) = (step.old.0 + CONTEXT, step.new.0 + CONTEXT);
            group.push(Step { equal: true, old: (step.old.0, old), new: (step.new.0, new) });
            groups.push(std::mem::take(&mut group));
            step.old.0 = step.old.1.saturating_sub(CONTEXT);
            step.new.0 = step.new.1.saturating_sub(CONTEXT);
        }
        group.push(step);
    }
    groups.push(group);
    groups.retain(|group| group.iter().any(|step| !step.equal));
    groups
}
