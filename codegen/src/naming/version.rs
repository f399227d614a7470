//! The order of API versions.

use std::cmp::Ordering;

/// The rank of a version name in Kubernetes' order, greatest first when sorted: stable before beta before alpha, higher
/// numbers first (`v10` before `v2`), and names of any other form last, by text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionPriority {
    numbers: Option<(Stage, u64, u64)>,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Alpha,
    Beta,
    Stable,
}

impl VersionPriority {
    /// The rank of a version.
    pub fn of(version: &str) -> Self {
        Self { numbers: parse(version), text: version.to_owned() }
    }
}

impl Ord for VersionPriority {
    fn cmp(&self, other: &Self) -> Ordering {
        other.numbers.cmp(&self.numbers).then_with(|| self.text.cmp(&other.text))
    }
}

impl PartialOrd for VersionPriority {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Whether a name has the form of a Kubernetes version: `v1`, `v2beta3`.
pub fn is_version(name: &str) -> bool {
    parse(name).is_some()
}

fn parse(version: &str) -> Option<(Stage, u64, u64)> {
    let (major, rest) = number(version.strip_prefix('v')?)?;
    if rest.is_empty() {
        return Some((Stage::Stable, major, 0));
    }
    let (stage, minor) = match (rest.strip_prefix("alpha"), rest.strip_prefix("beta")) {
        (Some(minor), _) => (Stage::Alpha, minor),
        (_, Some(minor)) => (Stage::Beta, minor),
        _ => return None,
    };
    match number(minor)? {
        (minor, "") => Some((stage, major, minor)),
        _ => None,
    }
}

fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    if digits.starts_with('0') {
        return None;
    }
    Some((digits.parse().ok()?, rest))
}
