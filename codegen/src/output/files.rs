//! The emitters' result: a sorted map from path to text. It collects what goes wrong instead of stopping at the first;
//! it never touches the disk.

use std::collections::BTreeMap;
use std::collections::btree_map;

use super::{Header, Manifest, OutputError, RustFile};

/// How long a generated file stays ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    /// Rewritten by every run, removed when stale. The text carries our header.
    Generated,
    /// Made when missing, then the user's: never rewritten, never compared.
    Once,
    /// Rewritten by every run. A file without our header is taken over when it holds the same kinds of objects, so that
    /// manifests which another tool made can become ours.
    Manifest,
    /// The user's own file, in which a part is kept up to date: rewritten whoever made it.
    Kept,
}

/// One file: its text and whose it is afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The whole text.
    pub text: String,
    /// Whether later runs may rewrite it.
    pub persistence: Persistence,
}

/// Files to write, by path relative to the output folder, with `/` between the parts.
#[derive(Debug, Default)]
pub struct Files {
    entries: BTreeMap<String, Entry>,
    errors: Vec<OutputError>,
}

impl Files {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a generated file. The same path twice is an error unless the text is the same.
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.add(path.into(), Entry { text: text.into(), persistence: Persistence::Generated });
    }

    /// Adds a file that is made once and then left to the user.
    pub fn insert_once(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.add(path.into(), Entry { text: text.into(), persistence: Persistence::Once });
    }

    /// Adds a manifest.
    pub fn insert_manifest(&mut self, manifest: &Manifest, header: &Header) {
        let entry = Entry { text: manifest.text(header), persistence: Persistence::Manifest };
        self.add(manifest.name.clone(), entry);
    }

    /// Adds a file of the user's in which a part is new.
    pub fn insert_kept(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.add(path.into(), Entry { text: text.into(), persistence: Persistence::Kept });
    }

    /// Prints and adds a Rust file; what does not parse becomes an error of this set.
    pub fn insert_rust(&mut self, path: impl Into<String>, file: RustFile) {
        let path = path.into();
        match file.print() {
            Ok(text) => self.insert(path, text),
            Err(error) => self.errors.push(OutputError::Malformed { path, reason: error.to_string() }),
        }
    }

    /// Takes over all files of another set.
    pub fn merge(&mut self, other: Self) {
        self.errors.extend(other.errors);
        for (path, entry) in other.entries {
            self.add(path, entry);
        }
    }

    /// Takes over all files of another set, below a folder.
    pub fn merge_under(&mut self, folder: &str, other: Self) {
        self.errors.extend(other.errors);
        for (path, entry) in other.entries {
            let path = if folder.is_empty() { path } else { format!("{folder}/{path}") };
            self.add(path, entry);
        }
    }

    /// Keeps only the files for which `keep` says so. What went wrong stays known.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &Entry) -> bool) {
        self.entries.retain(|path, entry| keep(path, entry));
    }

    /// The files, sorted by path.
    pub fn iter(&self) -> btree_map::Iter<'_, String, Entry> {
        self.entries.iter()
    }

    /// The text of one file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.entries.get(path).map(|entry| entry.text.as_str())
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What went wrong while the files were made.
    pub fn errors(&self) -> &[OutputError] {
        &self.errors
    }

    pub(super) fn into_parts(self) -> (BTreeMap<String, Entry>, Vec<OutputError>) {
        (self.entries, self.errors)
    }

    fn add(&mut self, path: String, entry: Entry) {
        match self.entries.entry(path) {
            btree_map::Entry::Vacant(slot) => {
                slot.insert(entry);
            }
            btree_map::Entry::Occupied(slot) if *slot.get() == entry => {}
            btree_map::Entry::Occupied(slot) => {
                self.errors.push(OutputError::Clash { path: slot.key().clone() });
            }
        }
    }
}
