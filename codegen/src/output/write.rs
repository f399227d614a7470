//! Carries a plan out: first every new text is staged beside its target, then all are renamed into place, then stale
//! files and the folders they leave empty go. A reader never sees half a file; a full disk changes no file at all.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::OutputError;
use super::plan::{Change, Step};

/// Writes and removes what the plan says.
pub(super) fn commit(plan: &[Step]) -> Result<(), OutputError> {
    let mut staged = Staged::default();
    for step in plan {
        if let Change::Write { new, .. } = &step.change {
            staged.add(&step.path, new)?;
        }
    }
    staged.rename()?;
    for step in plan {
        if let Change::Remove { root, .. } = &step.change {
            fs::remove_file(&step.path).map_err(|source| failed("remove", &step.path, source))?;
            remove_empty_parents(&step.path, root);
        }
    }
    Ok(())
}

/// Files written under a temporary name; what was not renamed is deleted when this is dropped.
#[derive(Default)]
struct Staged {
    files: Vec<(PathBuf, PathBuf)>,
}

impl Staged {
    fn add(&mut self, target: &Path, text: &str) -> Result<(), OutputError> {
        let temporary = temporary_name(target);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(|source| failed("create", folder, source))?;
        }
        self.files.push((temporary.clone(), target.to_owned()));
        let write = || -> std::io::Result<()> {
            // What a process of this number left behind when it was killed; in containers the numbers come again.
            let _seldom = fs::remove_file(&temporary);
            let mut file = fs::File::create_new(&temporary)?;
            file.write_all(text.as_bytes())?;
            if let Ok(old) = fs::metadata(target) {
                file.set_permissions(old.permissions())?;
            }
            Ok(())
        };
        write().map_err(|source| failed("write", target, source))
    }

    fn rename(mut self) -> Result<(), OutputError> {
        while let Some((temporary, target)) = self.files.pop() {
            if let Err(source) = fs::rename(&temporary, &target) {
                self.files.push((temporary, target.clone()));
                return Err(failed("write", &target, source));
            }
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for (temporary, _) in &self.files {
            // Best effort: the file may never have been made.
            let _gone = fs::remove_file(temporary);
        }
    }
}

/// A name in the same folder (renames do not cross file systems) that no other process uses.
fn temporary_name(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// Removes the folders between the root and a removed file while they are empty; stops at the first that is not.
fn remove_empty_parents(path: &Path, root: &Path) {
    for folder in path.ancestors().skip(1) {
        if folder == root || fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

fn failed(action: &'static str, path: &Path, source: std::io::Error) -> OutputError {
    OutputError::Io { action, path: path.to_owned(), source }
}
