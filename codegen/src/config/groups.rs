//! The selection of groups and versions: `"cnat:v1alpha1,v1 webapp:v1"` to a list.
//!
//! In: the text of the command line, of `kube-codegen.toml` or of a build script. Out: groups with their versions, each
//! once, in the order written. It never looks whether they exist.

use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// A group and the versions of it that are wanted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupVersions {
    /// The folder, file or module of the group: `cnat`, or `batch/cnat` where groups lie deeper.
    pub group: String,
    /// The folders, files or modules of the versions.
    pub versions: Vec<String>,
}

impl fmt::Display for GroupVersions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.group, self.versions.join(","))
    }
}

/// All groups that are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups(Vec<GroupVersions>);

impl Groups {
    /// The groups, in the order written.
    pub fn iter(&self) -> impl Iterator<Item = &GroupVersions> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a version of a group; what is there already is not added again.
    pub fn add(&mut self, group: &str, version: &str) {
        let known = self.0.iter().position(|known| known.group == group);
        match known.and_then(|at| self.0.get_mut(at)) {
            Some(known) if known.versions.iter().any(|other| other == version) => {}
            Some(known) => known.versions.push(version.to_owned()),
            None => {
                self.0.push(GroupVersions { group: group.to_owned(), versions: vec![version.to_owned()] });
            }
        }
    }

    fn extend(&mut self, others: &Self) {
        for (group, version) in others.pairs() {
            self.add(group, version);
        }
    }

    /// Every version with its group.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|group| {
            group.versions.iter().map(move |version| (group.group.as_str(), version.as_str()))
        })
    }

    /// How many versions there are in all.
    pub fn len(&self) -> usize {
        self.pairs().count()
    }
}

impl fmt::Display for Groups {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        formatter.write_str(&groups.join(" "))
    }
}

/// A selection that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GroupsError {
    /// There is nothing in it.
    #[error("no group is named; write `group:version`, for example \"cnat:v1alpha1 webapp:v1\"")]
    Empty,
    /// A group without versions.
    #[error("`{group}` names no version; write `{group}:v1`")]
    NoVersion {
        /// The group.
        group: String,
    },
    /// A version without group.
    #[error("`{text}` names no group; write `group:version`")]
    NoGroup {
        /// What was written.
        text: String,
    },
    /// A name which no folder or module has.
    #[error(
        "`{name}` in `{text}` is no name of a folder or module; write `group:version,version`, with a space between groups"
    )]
    BadName {
        /// The name.
        name: String,
        /// The word in which it stands.
        text: String,
    },
}

impl FromStr for Groups {
    type Err = GroupsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut groups = Self::default();
        for word in text.split_whitespace() {
            let (group, versions) = word.split_once(':').unwrap_or((word, ""));
            let versions: Vec<&str> = versions.split(',').filter(|version| !version.is_empty()).collect();
            if group.is_empty() {
                return Err(GroupsError::NoGroup { text: word.to_owned() });
            }
            if versions.is_empty() {
                return Err(GroupsError::NoVersion { group: group.to_owned() });
            }
            for name in group.split('/').chain(versions.iter().copied()) {
                if !is_name(name) {
                    return Err(GroupsError::BadName { name: name.to_owned(), text: word.to_owned() });
                }
            }
            versions.into_iter().for_each(|version| groups.add(group, version));
        }
        if groups.is_empty() { Err(GroupsError::Empty) } else { Ok(groups) }
    }
}

fn is_name(name: &str) -> bool {
    let letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    !name.is_empty() && name.chars().all(letter) && !name.chars().all(|letter| letter == '.')
}

impl<'de> Deserialize<'de> for Groups {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// One text, or a list of them.
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected \"group:version,version\" or a list of such texts")]
        enum Written {
            One(String),
            Many(Vec<String>),
        }
        let words = match Written::deserialize(deserializer)? {
            Written::One(text) => vec![text],
            Written::Many(texts) => texts,
        };
        let mut groups = Self::default();
        for word in words {
            groups.extend(&word.parse().map_err(serde::de::Error::custom)?);
        }
        Ok(groups)
    }
}
