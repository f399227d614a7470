//! The list of generators: `all`, or `client,lister,informer`, to a set.
//!
//! In: the text of the command line or of `kube-codegen.toml`. Out: which generators run. It never runs one.

use crate::naming::nearest;
use crate::output::Generator;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::str::FromStr;

/// The generators and all names by which they are called; the first name is the one to use.
const NAMES: [(Generator, &[&str]); 5] = [
    (Generator::Object, &["object", "deepcopy"]),
    (Generator::Client, &["client"]),
    (Generator::Lister, &["lister"]),
    (Generator::Informer, &["informer"]),
    (Generator::ApplyConfiguration, &["applyconfiguration"]),
];

/// Generators of other toolchains, and why there is none here.
const ABSENT: [(&[&str], &str); 5] = [
    (&["crd", "rbac", "webhook"], "this version does not write manifests"),
    (&["defaulter", "defaults"], "defaults of a type are its `Default` impl and `#[serde(default)]`"),
    (&["conversion"], "conversions between versions are `From` impls, written by hand"),
    (&["register"], "`object` writes the group, the version and the list types"),
    (&["openapi", "protobuf"], "clients read and write JSON, and need no such code"),
];

/// Which generators run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generators {
    set: BTreeSet<Generator>,
    all: bool,
}

impl Generators {
    /// All of them.
    pub fn all() -> Self {
        Self { set: NAMES.into_iter().map(|(generator, _)| generator).collect(), all: true }
    }

    /// One of them.
    pub fn one(generator: Generator) -> Self {
        Self { set: BTreeSet::from([generator]), all: false }
    }

    /// None of them: a run for manifests alone.
    pub fn none() -> Self {
        Self { set: BTreeSet::new(), all: false }
    }

    /// The same generators, but meant to be all that there are: files of others are stale.
    #[must_use]
    pub fn as_all(&self) -> Self {
        Self { set: self.set.clone(), all: true }
    }

    /// The set.
    pub fn set(&self) -> &BTreeSet<Generator> {
        &self.set
    }

    /// Whether `all` was written, so that what no generator makes any more is stale whoever made it.
    pub fn is_all(&self) -> bool {
        self.all
    }
}

impl Default for Generators {
    fn default() -> Self {
        Self::all()
    }
}

/// A list of generators that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GeneratorsError {
    /// There is nothing in it.
    #[error("no generator is named; write `all` or some of {}", known())]
    Empty,
    /// A generator of other toolchains.
    #[error("there is no generator `{name}`: {reason}")]
    Absent {
        /// Its name.
        name: String,
        /// What to use in its place.
        reason: &'static str,
    },
    /// Nothing of that name.
    #[error("there is no generator `{name}`{}; the generators are {}", meant(.nearest.as_deref()), known())]
    Unknown {
        /// The name.
        name: String,
        /// What may have been meant.
        nearest: Option<String>,
    },
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

fn known() -> String {
    names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The names to use.
fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().filter_map(|(_, names)| names.first().copied())
}

impl FromStr for Generators {
    type Err = GeneratorsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = text.split(|letter: char| letter == ',' || letter.is_whitespace());
        let mut generators = Self { set: BTreeSet::new(), all: false };
        for word in words.filter(|word| !word.is_empty()) {
            if word == "all" {
                generators = Self::all();
            } else {
                generators.set.insert(named(word)?);
            }
        }
        if generators.set.is_empty() { Err(GeneratorsError::Empty) } else { Ok(generators) }
    }
}

fn named(word: &str) -> Result<Generator, GeneratorsError> {
    if let Some((generator, _)) = NAMES.iter().find(|(_, names)| names.contains(&word)) {
        return Ok(*generator);
    }
    if let Some((_, reason)) = ABSENT.iter().find(|(names, _)| names.contains(&word)) {
        return Err(GeneratorsError::Absent { name: word.to_owned(), reason });
    }
    let nearest = nearest(word, names().chain(["all", "deepcopy"])).map(str::to_owned);
    Err(GeneratorsError::Unknown { name: word.to_owned(), nearest })
}

impl<'de> Deserialize<'de> for Generators {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// One text, or a list of them.
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected \"all\" or a list of generators")]
        enum Written {
            One(String),
            Many(Vec<String>),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::One(text) => text,
            Written::Many(texts) => texts.join(","),
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}
