//! Semantic versions.

use std::{cmp::Ordering, fmt};

use crate::protocol::quoted;

use super::{EvalError, Opaque, Result, Val};
use crate::cel::ops::{opaque, text};

/// A semantic version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Semver {
    numbers: [u64; 3],
    before: Vec<String>,
    build: String,
}

impl fmt::Display for Semver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        if !self.before.is_empty() {
            write!(f, "-{}", self.before.join("."))?;
        }
        if !self.build.is_empty() {
            write!(f, "+{}", self.build)?;
        }
        Ok(())
    }
}

impl PartialOrd for Semver {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Semver {
    fn cmp(&self, other: &Self) -> Ordering {
        let parts = || match (self.before.is_empty(), other.before.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => {
                let mut pairs = self.before.iter().zip(&other.before);
                let order = pairs.find_map(|(left, right)| {
                    let order = match (left.parse::<u64>(), right.parse::<u64>()) {
                        (Ok(left), Ok(right)) => left.cmp(&right),
                        (Ok(_), Err(_)) => Ordering::Less,
                        (Err(_), Ok(_)) => Ordering::Greater,
                        (Err(_), Err(_)) => left.cmp(right),
                    };
                    (order != Ordering::Equal).then_some(order)
                });
                order.unwrap_or_else(|| self.before.len().cmp(&other.before.len()))
            }
        };
        self.numbers.cmp(&other.numbers).then_with(parts)
    }
}

impl Semver {
    fn parse(text: &str) -> Option<Self> {
        let (rest, build) = text.split_once('+').map_or((text, ""), |(rest, build)| (rest, build));
        let (numbers, before) =
            rest.split_once('-').map_or((rest, None), |(numbers, before)| (numbers, Some(before)));
        let number = |text: &str| {
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            (plain && (text == "0" || !text.starts_with('0'))).then(|| text.parse::<u64>().ok()).flatten()
        };
        let numbers: Vec<u64> = numbers.split('.').map(number).collect::<Option<_>>()?;
        let word = |text: &str| {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let before: Vec<String> =
            before.map(|before| before.split('.').map(str::to_owned).collect()).unwrap_or_default();
        let leading = |part: &String| {
            part.len() > 1 && part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !before.iter().all(|part| word(part)) || before.iter().any(leading) {
            return None;
        }
        if text.contains('+') && !build.split('.').all(word) {
            return None;
        }
        Some(Self { numbers: numbers.try_into().ok()?, before, build: build.to_owned() })
    }

    /// Reads what is almost a version: with a `v` in front, zeros that lead, or parts missing.
    fn parse_tolerant(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let end = text.find(['-', '+']).unwrap_or(text.len());
        let (numbers, tail) = text.split_at(end);
        let mut parts: Vec<String> = numbers
            .split('.')
            .map(|part| match part.trim_start_matches('0') {
                "" if !part.is_empty() => "0".to_owned(),
                rest => rest.to_owned(),
            })
            .collect();
        if parts.len() < 3 && !tail.is_empty() {
            return None;
        }
        while parts.len() < 3 {
            parts.push("0".to_owned());
        }
        Self::parse(&format!("{}{tail}", parts.join(".")))
    }
}

/// Why a text is no version.
fn fault(text: &str) -> String {
    let parts: Vec<&str> = text.splitn(3, '.').collect();
    let [major, minor, rest] = parts.as_slice() else {
        let why =
            if text.is_empty() { "Version string empty" } else { "No Major.Minor.Patch elements found" };
        return why.to_owned();
    };
    let patch = rest.split(['+', '-']).next().unwrap_or_default();
    for (name, part) in [("major", major), ("minor", minor), ("patch", &patch)] {
        if !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return format!("Invalid character(s) found in {name} number {}", quoted(part));
        }
        if part.len() > 1 && part.starts_with('0') {
            let title = name.get(..1).unwrap_or_default().to_uppercase() + name.get(1..).unwrap_or_default();
            return format!("{title} number must not contain leading zeroes {}", quoted(part));
        }
    }
    "Prerelease or build metadata is empty".to_owned()
}

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    let parse = |rest: &[Val<'v>], text: &str| match rest {
        [Val::Bool(true)] => Semver::parse_tolerant(text),
        _ => Semver::parse(text),
    };
    match (function, args) {
        ("semver", [value, rest @ ..]) => Some(text(value).and_then(|text| {
            parse(rest, text)
                .map(|version| Val::opaque(Opaque::Semver(version)))
                .ok_or_else(|| EvalError::new(fault(text)))
        })),
        ("isSemver", [value, rest @ ..]) => {
            Some(text(value).map(|text| Val::Bool(parse(rest, text).is_some())))
        }
        (_, [first]) => {
            let Ok(Opaque::Semver(version)) = opaque(first) else { return None };
            let [major, minor, patch] = version.numbers;
            let number = match function {
                "major" => major,
                "minor" => minor,
                "patch" => patch,
                _ => return None,
            };
            Some(Ok(Val::Int(i64::try_from(number).unwrap_or(i64::MAX))))
        }
        _ => None,
    }
}
