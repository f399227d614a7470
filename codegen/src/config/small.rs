//! Small files: settings, header files, manifests.
//!
//! In: a path. Out: its text, or why there is none. What is no regular file is not opened, and what is longer than any such file would be
//! is not read.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

/// The longest settings and header files, in bytes.
pub(super) const SETTINGS_LIMIT: u64 = 1 << 20;
/// The longest manifest, in bytes.
pub(crate) const MANIFEST_LIMIT: u64 = 64 << 20;

/// The text of a file that is no longer than `limit` bytes.
pub(crate) fn text(file: &Path, limit: u64) -> io::Result<String> {
    let found = fs::metadata(file)?;
    if found.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !found.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut text = String::new();
    // The file may grow while it is read.
    fs::File::open(file)?.take(limit.saturating_add(1)).read_to_string(&mut text)?;
    if u64::try_from(text.len()).is_ok_and(|length| length > limit) {
        return Err(io::Error::other(format!("it has more than {limit} bytes")));
    }
    Ok(text)
}

/// Why a file cannot be read, in words for people.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::InvalidData => "it is not UTF-8".to_owned(),
        io::ErrorKind::Other => error.to_string(),
        kind => kind.to_string(),
    }
}
