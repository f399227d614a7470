//! The plan: for every file that should be there or is there and ours, what has to happen. Reads the disk, changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::files::Entry;
use super::{Files, Generator, OutputError, Persistence};

/// A folder and the files that belong into it.
#[derive(Debug)]
pub struct Root {
    /// The folder; made when missing.
    pub folder: PathBuf,
    /// Which other files in it are ours to remove.
    pub ownership: Ownership,
    /// What should be there.
    pub files: Files,
}

/// Which files below a root a run answers for, and removes when it no longer makes them. A file without our header is
/// never among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// The whole tree, except `zz_generated.*` files (they stand beside the user's types) and generated trees with a
    /// root of their own.
    Tree,
    /// Of the tree only the files of these generators: others have written the rest.
    Parts(BTreeSet<Generator>),
    /// The files of this name wherever they stand below the root.
    Named(String),
    /// The manifests of this generator in the folder itself.
    Manifests(Generator),
}

/// What happens to one file.
#[derive(Debug)]
pub(super) struct Step {
    /// The file on disk.
    pub(super) path: PathBuf,
    /// What happens.
    pub(super) change: Change,
}

#[derive(Debug)]
pub(super) enum Change {
    Unchanged,
    Write { old: Option<String>, new: String },
    Remove { old: String, root: PathBuf },
}

/// Plans all roots; the steps are sorted by path.
pub(super) fn plan(roots: Vec<Root>) -> Result<Vec<Step>, Vec<OutputError>> {
    let mut planner = Planner::default();
    let mut searches = Vec::new();
    for root in roots {
        let (entries, errors) = root.files.into_parts();
        planner.errors.extend(errors);
        for (path, entry) in entries {
            planner.place(&root.folder, &path, entry);
        }
        searches.push((root.folder, root.ownership));
    }
    for (folder, ownership) in &searches {
        planner.search(folder, folder, ownership);
    }
    if !planner.errors.is_empty() {
        return Err(planner.errors);
    }
    Ok(planner.steps.into_iter().map(|(path, change)| Step { path, change }).collect())
}

#[derive(Default)]
struct Planner {
    steps: BTreeMap<PathBuf, Change>,
    /// Files that are planned or the user's own: never stale.
    kept: BTreeSet<PathBuf>,
    errors: Vec<OutputError>,
}

impl Planner {
    /// Plans one wanted file.
    fn place(&mut self, folder: &Path, path: &str, entry: Entry) {
        let Some(target) = inside(folder, path) else {
            self.errors.push(OutputError::Escapes { path: path.to_owned(), root: folder.to_owned() });
            return;
        };
        self.kept.insert(target.clone());
        let old = match read(&target) {
            Ok(old) => old,
            Err(error) => return self.errors.push(error),
        };
        match (old, entry.persistence) {
            (Some(_), Persistence::Once) => {}
            (Some(old), _) if old == entry.text => {
                self.steps.insert(target, Change::Unchanged);
            }
            (Some(old), persistence) if !is_ours(&old, &entry.text, persistence) => {
                self.errors.push(OutputError::Foreign { path: target });
            }
            (old, _) => {
                self.steps.insert(target, Change::Write { old, new: entry.text });
            }
        }
    }

    /// Finds files of ours that nothing makes any more, in one folder of a root and below.
    fn search(&mut self, root: &Path, folder: &Path, ownership: &Ownership) {
        let entries = match sorted_entries(folder) {
            Ok(entries) => entries,
            Err(error) => return self.errors.push(error),
        };
        let is_named = matches!(ownership, Ownership::Named(_));
        if folder != root && !is_named && self.has_own_root(folder) {
            return;
        }
        for (path, is_folder) in entries {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if is_folder {
                let is_flat = matches!(ownership, Ownership::Manifests(_));
                if name != "target" && !name.starts_with('.') && !is_flat {
                    self.search(root, &path, ownership);
                }
            } else if ownership.covers(name) && !self.kept.contains(&path) {
                self.remove_if_ours(path, root, ownership);
            }
        }
    }

    fn remove_if_ours(&mut self, path: PathBuf, root: &Path, ownership: &Ownership) {
        let answers = |generator: Generator| match ownership {
            Ownership::Parts(generators) => generators.contains(&generator),
            Ownership::Manifests(own) => *own == generator,
            Ownership::Tree | Ownership::Named(_) => true,
        };
        match read(&path) {
            Ok(Some(old)) if Generator::of_text(&old).is_some_and(answers) => {
                self.steps.insert(path, Change::Remove { old, root: root.to_owned() });
            }
            Ok(_) => {}
            Err(error) => self.errors.push(error),
        }
    }

    fn has_own_root(&self, folder: &Path) -> bool {
        ["mod.rs", "lib.rs"].iter().map(|name| folder.join(name)).any(|path| {
            let text = if self.kept.contains(&path) { None } else { fs::read_to_string(&path).ok() };
            text.is_some_and(|text| Generator::of_text(&text) == Some(Generator::Groups))
        })
    }
}

impl Ownership {
    fn covers(&self, name: &str) -> bool {
        match self {
            Self::Tree | Self::Parts(_) => name.ends_with(".rs") && !name.starts_with("zz_generated."),
            Self::Named(wanted) => name == wanted,
            Self::Manifests(_) => name.ends_with(".yaml"),
        }
    }
}

/// Whether a file may be rewritten: it has our header, or is a manifest of the same kinds of objects.
fn is_ours(old: &str, new: &str, persistence: Persistence) -> bool {
    if Generator::of_text(old).is_some() || persistence == Persistence::Kept {
        return true;
    }
    let kinds = Generator::of_text(new).map(Generator::kinds).unwrap_or_default();
    let mut found = old.lines().filter_map(|line| line.strip_prefix("kind:")).map(str::trim).peekable();
    persistence == Persistence::Manifest && found.peek().is_some() && found.all(|kind| kinds.contains(&kind))
}

/// The path below the folder, if it stays there: no absolute path, no `..`, no symbolic link that leads out.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let relative = Path::new(path);
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    if path.is_empty() || path.contains('\\') || !plain {
        return None;
    }
    let target = folder.join(relative);
    let Ok(root) = fs::canonicalize(folder) else { return Some(target) };
    let existing = target.ancestors().find_map(|ancestor| fs::canonicalize(ancestor).ok());
    existing.is_none_or(|existing| existing.starts_with(root)).then_some(target)
}

/// The text of a file; `None` when there is none. Bytes that are no text are replaced: such a file is not ours anyway.
fn read(path: &Path) -> Result<Option<String>, OutputError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(OutputError::Io { action: "read", path: path.to_owned(), source }),
    }
}

/// What a folder holds, sorted; symbolic links are passed over. A missing folder holds nothing.
fn sorted_entries(folder: &Path) -> Result<Vec<(PathBuf, bool)>, OutputError> {
    let fail = |source| OutputError::Io { action: "read", path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(fail(source)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(fail)?;
        let kind = entry.file_type().map_err(fail)?;
        if kind.is_dir() || kind.is_file() {
            found.push((entry.path(), kind.is_dir()));
        }
    }
    found.sort();
    Ok(found)
}
