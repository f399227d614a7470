//! A planned change as a unified diff, with the path as both sides' name.

use similar::TextDiff;

use super::plan::{Change, Step};

/// The diff of one step; `None` when the file is right already.
pub(super) fn of(step: &Step) -> Option<String> {
    let (old, new) = match &step.change {
        Change::Unchanged => return None,
        Change::Write { old, new } => (old.as_deref(), Some(new.as_str())),
        Change::Remove { old, .. } => (Some(old.as_str()), None),
    };
    let path = step.path.display().to_string();
    let name = |text: Option<&str>| if text.is_some() { path.clone() } else { "/dev/null".to_owned() };
    let diff = TextDiff::from_lines(old.unwrap_or_default(), new.unwrap_or_default());
    Some(diff.unified_diff().context_radius(3).header(&name(old), &name(new)).to_string())
}
