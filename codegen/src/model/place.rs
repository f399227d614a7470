//! Places in source files, for messages.

use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// A place in a source file.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// The file, as the caller named its folder.
    pub file: PathBuf,
    /// Line, counted from 1; 0 stands for the whole file.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// How many characters of the line it covers; 0 when that is not known.
    pub length: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}
