//! `Saved`: a server's state in a file.
//!
//! In: a server. Out: a file that holds every object, and a server made of such a file. A file is replaced whole or not at all, and reaches
//! the disk before the old one goes; one that is damaged is refused and left as it is.
//!
//! The file is text: a line with the form and the version, a line for each object (`[group, plural, object]`), and a last line with their
//! number and a checksum of all that stands before it.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use bytes::Bytes;
use flate2::Crc;
use serde_json::{Value, json};

use crate::{
    controllers::Origin,
    protocol::Fields,
    server::{Kept, Unserved},
};

use super::{ApiServer, files};

/// The form of the file.
const FORM: &str = "kube-codegen-apiserver/1";

/// A state could not be saved or taken up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is not what was written.
    #[error("{} is damaged ({problem}); it is left as it is: move it away to begin anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The file is whole, but this server cannot hold what is in it.
    #[error("{} holds {resource} \"{name}\", which nobody serves here; it is left as it is", path.display())]
    Unserved {
        /// The file.
        path: PathBuf,
        /// Plural and group.
        resource: String,
        /// Name of the object.
        name: String,
    },
}

/// The state of a server, read from a file.
pub struct Saved {
    path: PathBuf,
    version: u64,
    objects: Vec<Kept<Fields>>,
}

impl std::fmt::Debug for Saved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Saved");
        shown.field("path", &self.path).field("objects", &self.objects.len()).finish_non_exhaustive()
    }
}

impl Saved {
    /// Reads a file that [`ApiServer::save`] has written; nothing where there is none.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not whole.
    pub fn read(path: &Path) -> Result<Option<Self>, DataError> {
        let failed = |source| DataError::Read { path: path.to_owned(), source };
        let text = match files::place(path).and_then(fs::read) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let damaged =
            |problem: &str| DataError::Damaged { path: path.to_owned(), problem: problem.to_owned() };
        let body = whole(&text).map_err(damaged)?;
        let mut lines = body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let head: Value = lines.next().and_then(|line| serde_json::from_slice(line).ok()).unwrap_or_default();
        let form = head.get("form").and_then(Value::as_str).unwrap_or_default();
        if form != FORM {
            return Err(damaged(&format!("its form is {form:?}, not {FORM:?}")));
        }
        let version =
            head.get("version").and_then(Value::as_u64).ok_or_else(|| damaged("it has no version"))?;
        let objects = lines.map(|line| {
            let (group, plural, object): (String, String, Fields) = serde_json::from_slice(line).ok()?;
            Some(Kept { group, plural, object })
        });
        let objects = objects.collect::<Option<_>>().ok_or_else(|| damaged("a line is no object"))?;
        Ok(Some(Self { path: path.to_owned(), version, objects }))
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }
}

/// What stands before the last line, if that line is right about it.
fn whole(text: &[u8]) -> Result<&[u8], &'static str> {
    let text = text.strip_suffix(b"\n").ok_or("it ends in the middle of a line")?;
    let end = text.iter().rposition(|byte| *byte == b'\n').ok_or("it has no end")?;
    let (body, last) = text.split_at(end + 1);
    let last: Value = serde_json::from_slice(last).map_err(|_| "its last line is not one")?;
    let sum = last.get("checksum").and_then(Value::as_u64).ok_or("its end is missing")?;
    let mut crc = Crc::new();
    crc.update(body);
    if u64::from(crc.sum()) == sum { Ok(body) } else { Err("its checksum is wrong") }
}

impl ApiServer {
    /// Writes the whole state into a file, in place of what is there.
    ///
    /// # Errors
    ///
    /// When the file cannot be written; the old one is still there then.
    pub fn save(&self, path: &Path) -> Result<(), DataError> {
        let (version, objects) = self.0.core.lock().kept();
        let failed = |source| DataError::Write { path: path.to_owned(), source };
        write(path, version, &objects).map_err(failed)
    }

    /// Takes up a state that was saved, in place of everything this server holds. Versions go on from there.
    ///
    /// This is for a server that nobody has asked anything yet.
    ///
    /// # Errors
    ///
    /// When it holds objects of kinds that this server does not serve.
    pub fn take_up(&self, saved: Saved) -> Result<(), DataError> {
        let now = (self.0.clock)();
        let Saved { path, version, objects } = saved;
        let mut core = self.0.core.lock();
        core.take_up(version, objects, now).map_err(|Unserved { group, plural, name }| {
            let resource = if group.is_empty() { plural } else { format!("{plural}.{group}") };
            DataError::Unserved { path, resource, name }
        })?;
        self.observe(&mut core, Origin::Request);
        drop(core);
        self.reached(version);
        Ok(())
    }
}

fn write(path: &Path, version: u64, objects: &[Kept<Bytes>]) -> io::Result<()> {
    let path = files::place(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".kube-codegen-").suffix(".saving").tempfile_in(folder)?;
    let mut out = Summed { inner: BufWriter::new(file.as_file()), crc: Crc::new() };
    writeln!(out, "{}", json!({"form": FORM, "version": version}))?;
    for Kept { group, plural, object } in objects {
        write!(out, "[{},{},", json!(group), json!(plural))?;
        out.write_all(object)?;
        out.write_all(b"]\n")?;
    }
    let sum = out.crc.sum();
    writeln!(out, "{}", json!({"objects": objects.len(), "checksum": sum}))?;
    out.flush()?;
    drop(out);
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    // The new name has to reach the disk as well; where folders cannot be opened it does so by itself.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A writer that sums up what it has written.
struct Summed<W> {
    inner: W,
    crc: Crc,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.crc.update(bytes.get(..count).unwrap_or_default());
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
