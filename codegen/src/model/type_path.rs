//! The path by which a type is named from anywhere.

use serde::{Serialize, Serializer};
use std::fmt;

/// The absolute path of a type: `sample_apis::cnat::v1alpha1::At`.
///
/// Segments are plain identifiers; those that are keywords carry their `r#`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypePath {
    /// The crate as it is named in Rust code: `sample_apis`.
    pub crate_name: String,
    /// The modules from the crate's root to the type; empty when it stands in the root.
    pub modules: Vec<String>,
    /// The type's own name.
    pub name: String,
}

impl TypePath {
    /// A path from its parts.
    pub fn new(crate_name: impl Into<String>, modules: Vec<String>, name: impl Into<String>) -> Self {
        Self { crate_name: crate_name.into(), modules, name: name.into() }
    }

    /// A path from its text, `a::b::C`; a leading `::` is allowed. `None` when there is no crate in it.
    pub fn parse(text: &str) -> Option<Self> {
        let mut segments: Vec<String> =
            text.trim().trim_start_matches("::").split("::").map(str::to_owned).collect();
        let name = segments.pop()?;
        if segments.is_empty() || name.is_empty() || segments.iter().any(String::is_empty) {
            return None;
        }
        let crate_name = segments.remove(0);
        Some(Self { crate_name, modules: segments, name })
    }

    /// All segments from the crate to the type.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.crate_name.as_str())
            .chain(self.modules.iter().map(String::as_str))
            .chain(std::iter::once(self.name.as_str()))
    }

    /// Whether the type lies at or below `a::b` of its crate.
    pub fn is_below(&self, crate_name: &str, modules: &[&str]) -> bool {
        self.crate_name == crate_name
            && self.modules.len() >= modules.len()
            && self.modules.iter().zip(modules).all(|(own, asked)| own == asked)
    }
}

impl fmt::Display for TypePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.crate_name)?;
        for module in &self.modules {
            write!(f, "::{module}")?;
        }
        write!(f, "::{}", self.name)
    }
}

impl Serialize for TypePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
