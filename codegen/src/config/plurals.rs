//! Plural exceptions: `Kind:Plural,Kind:Plural`, or a table of them in `kube-codegen.toml`.

use crate::naming::PluralExceptions;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::str::FromStr;

/// Kinds with plurals of their own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>")]
pub struct Plurals(BTreeMap<String, String>);

impl TryFrom<BTreeMap<String, String>> for Plurals {
    type Error = PluralsError;

    fn try_from(pairs: BTreeMap<String, String>) -> Result<Self, Self::Error> {
        match pairs.iter().find(|(kind, plural)| !PluralExceptions::is_pair(kind, plural)) {
            Some((kind, plural)) => Err(PluralsError { pair: format!("{kind}:{plural}") }),
            None => Ok(Self(pairs)),
        }
    }
}

impl Plurals {
    /// Adds the pairs of another list; they win.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// As the pluraliser takes them.
    pub fn exceptions(&self) -> PluralExceptions {
        let mut exceptions = PluralExceptions::default();
        for (kind, plural) in &self.0 {
            exceptions.insert(kind, plural);
        }
        exceptions
    }
}

/// A pair that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{pair}` is no pair of kind and plural; write `Kind:Plural`, for example `Endpoints:Endpoints`")]
pub struct PluralsError {
    /// What was written.
    pub pair: String,
}

impl FromStr for Plurals {
    type Err = PluralsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let pairs = text.split(',').filter(|pair| !pair.trim().is_empty());
        let read = |pair: &str| {
            PluralExceptions::parse(pair).ok_or_else(|| PluralsError { pair: pair.trim().to_owned() })
        };
        pairs.map(read).collect::<Result<_, _>>().map(Self)
    }
}
