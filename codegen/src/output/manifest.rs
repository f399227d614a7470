//! Manifests: objects that go to one file, or to the terminal.

use super::header::{AFTER, BEFORE, Generator, Header};
use super::yaml;
use serde_json::Value;

/// The objects of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// The name of the file.
    pub name: String,
    /// Whose it is.
    pub generator: Generator,
    /// The objects.
    pub documents: Vec<Value>,
}

impl Manifest {
    /// The text of the file: the boilerplate, the line by which we know our own files again, and the objects.
    pub fn text(&self, header: &Header) -> String {
        let boilerplate = header.yaml();
        let gap = if boilerplate.is_empty() { "" } else { "\n" };
        format!("{boilerplate}{gap}# {BEFORE}{}{AFTER}\n{}", self.generator, yaml::documents(&self.documents))
    }

    /// The same for the terminal, where nobody has to know the file again.
    pub fn printed(&self, header: &Header) -> String {
        format!("{}{}", header.yaml(), yaml::documents(&self.documents))
    }
}
