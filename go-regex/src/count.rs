//! Counts of repetitions.
//!
//! In: an expression from `{` on. Out: how often something is repeated, and what follows. It does not know what is repeated.

/// How often something may be repeated, repetitions within repetitions multiplied.
pub(crate) const REPEATS: u64 = 1000;

/// How often something is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) least: i64,
    /// -1: without end.
    pub(crate) most: i64,
}

impl Count {
    /// Whether it is more than there may be, or ends before it begins.
    pub(crate) fn is_beyond(&self) -> bool {
        let most = i64::try_from(REPEATS).unwrap_or(i64::MAX);
        self.least < 0 || self.least > most || self.most > most || (self.most >= 0 && self.least > self.most)
    }

    /// How many copies are made.
    pub(crate) fn times(&self) -> u64 {
        if self.most < 0 { self.least } else { self.most }.unsigned_abs()
    }

    /// Whether more than one copy is made.
    pub(crate) fn is_plural(&self) -> bool {
        self.least >= 2 || self.most >= 2
    }
}

/// `{2}`, `{2,}` or `{2,3}`, and what follows; without it the bracket is a letter.
pub(crate) fn count(here: &str) -> Option<(Count, &str)> {
    let (least, rest) = number(here.strip_prefix('{')?)?;
    if let Some(after) = rest.strip_prefix('}') {
        return Some((Count { least, most: least }, after));
    }
    let rest = rest.strip_prefix(',')?;
    if let Some(after) = rest.strip_prefix('}') {
        return Some((Count { least, most: -1 }, after));
    }
    let (most, rest) = number(rest)?;
    Some((Count { least: if most < 0 { -1 } else { least }, most }, rest.strip_prefix('}')?))
}

/// A number without needless zeros, -1 for one that is too long, and what follows.
fn number(text: &str) -> Option<(i64, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some((digits.parse().ok().filter(|_| digits.len() < 10).unwrap_or(-1), rest))
}
