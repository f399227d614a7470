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
    let (bytes, size) = beginning(path)?;
    if size > SIZE_LIMIT {
        let file = path.display().to_string();
        return Err(SourceProblem::TooLarge { file, size, limit: SIZE_LIMIT });
    }
    Ok(bytes)
}

/// What a file begins with, up to the limit, and its size.
fn beginning(path: &Path) -> Result<(Vec<u8>, u64), SourceProblem> {
    let file = path.display().to_string();
    let unreadable = |error: &std::io::Error| SourceProblem::Unreadable {
        file: file.clone(),
        reason: error.kind().to_string(),
    };
    let found = fs::metadata(path).map_err(|error| unreadable(&error))?;
    if !found.is_file() {
        return Err(SourceProblem::NotAFile { file });
    }
    let length = found.len().min(SIZE_LIMIT);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    let opened = fs::File::open(path).map_err(|error| unreadable(&error))?;
    // The file may grow while it is read.
    opened.take(SIZE_LIMIT).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    Ok((bytes, found.len()))
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

/// The text of a file that is looked through for what it may hold. What is no text in it, or too long, does not matter here: who reads
/// the file for what was found is told.
///
/// # Errors
/// It cannot be read, or is no regular file.
pub fn glance(path: &Path) -> Result<String, SourceProblem> {
    beginning(path).map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned())
}

/// The names in a folder, sorted; none where it cannot be read.
pub(super) fn names(folder: &Path) -> Vec<String> {
    names_in(folder).unwrap_or_default()
}

/// The names in a folder, sorted.
///
/// # Errors
/// It cannot be read.
pub fn names_in(folder: &Path) -> Result<Vec<String>, SourceProblem> {
    let entries = fs::read_dir(folder).map_err(|error| SourceProblem::UnreadableFolder {
        folder: folder.display().to_string(),
        reason: error.kind().to_string(),
    })?;
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}
