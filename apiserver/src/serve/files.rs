//! Files that somebody has named: what may be read, and what may be replaced.
//!
//! In: a path. Out: what it holds, or where a file goes that takes its place. Devices are never opened: they have no end, and the name of
//! one is nothing that a file may take.

use std::{
    fs::{self, File, FileType},
    io::{self, Read as _},
    path::Path,
};

/// What a file holds that is no longer than `limit` bytes; a pipe is read to its end.
pub(super) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if is_device(fs::metadata(path)?.file_type()) {
        return Err(io::Error::other("it is a device"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > limit) {
        return Err(io::Error::other(format!("it has more than {limit} bytes")));
    }
    Ok(bytes)
}

/// Where a file goes that takes the place of what is there, or is new: what a link leads to is replaced, and not the link.
#[cfg(any(feature = "data", feature = "http"))]
pub(super) fn place(path: &Path) -> io::Result<std::path::PathBuf> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path),
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Err(io::Error::other("it is no regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn is_device(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_kind: FileType) -> bool {
    false
}
