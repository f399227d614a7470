//! Reading files: what may be read, and what is said when it cannot be.

use super::file::SourceFile;
use crate::diagnostic::{Diagnostics, SourceProblem, Span};
use std::fs;
use std::io::Read;
use std::path::Path;

/// The longest file that is read, in bytes.
const SIZE_LIMIT: u64 = 8 << 20;

/// Reads and lexes a file; what is wrong goes to the diagnostics, at the place that asked for the file.
pub(super) fn read(path: &Path, asked: &Span, diagnostics: &mut Diagnostics) -> Option<SourceFile> {
    match bytes(path) {
        Err(problem) => {
            diagnostics.add(problem, asked.clone());
            None
        }
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Some(SourceFile::new(path, text, diagnostics)),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let before = error.as_bytes().get(..valid).unwrap_or_default();
                diagnostics.add(SourceProblem::NotUtf8, broken_text(path, before));
                None
            }
        },
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, SourceProblem> {
    let file = path.display().to_string();
    let unreadable = |error: &std::io::Error| SourceProblem::Unreadable {
        file: file.clone(),
        reason: error.kind().to_string(),
    };
    let found = fs::metadata(path).map_err(|error| unreadable(&error))?;
    if !found.is_file() {
        return Err(SourceProblem::NotAFile { file });
    }
    if found.len() > SIZE_LIMIT {
        return Err(SourceProblem::TooLarge { file, size: found.len(), limit: SIZE_LIMIT });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found.len()).unwrap_or_default());
    let opened = fs::File::open(path).map_err(|error| unreadable(&error))?;
    // The file may grow while it is read.
    opened.take(SIZE_LIMIT).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

/// The line and column at which a text stops being one.
fn broken_text(path: &Path, before: &[u8]) -> Span {
    let before = String::from_utf8_lossy(before);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Span { file: path.to_owned(), line, column, length: 1 }
}

/// Whether there is something under this path that could be read as a file.
pub(super) fn exists(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_dir())
}

/// Whether there is anything under this path.
pub(super) fn is_there(path: &Path) -> bool {
    fs::metadata(path).is_ok()
}

/// The text of a small file that is no Rust, such as a manifest.
pub(super) fn text(path: &Path) -> Option<String> {
    String::from_utf8(bytes(path).ok()?).ok()
}

/// The path without links and dots, for comparing; the path itself where that fails.
pub(super) fn real(path: &Path) -> std::path::PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The names in a folder, sorted.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
