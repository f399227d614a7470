//! Manifests: the crate to which a file belongs, and its name in Rust code.

use super::read;
use std::path::{Path, PathBuf};

/// What a `Cargo.toml` says about its library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    /// The folder it stands in.
    pub(super) folder: PathBuf,
    /// The crate's name in Rust code.
    pub(super) crate_name: String,
    /// The root file of the library.
    pub(super) lib: PathBuf,
}

/// The manifest of the crate around a file: the nearest `Cargo.toml` above it that has a `[package]`.
pub(super) fn around(file: &Path) -> Option<Manifest> {
    let absolute = std::path::absolute(file).ok()?;
    let depth = file.components().count();
    // The answer keeps the caller's way of writing the path, so that messages do.
    let mut written = Some(file);
    for (steps, folder) in absolute.ancestors().enumerate().skip(1) {
        written = written.and_then(Path::parent);
        let named = match written {
            Some(parent) if steps <= depth => parent.to_owned(),
            _ => folder.to_owned(),
        };
        if let Some(manifest) = read_manifest(folder, &named) {
            return Some(manifest);
        }
    }
    None
}

/// The manifest in a folder.
pub(super) fn of(folder: &Path) -> Option<Manifest> {
    read_manifest(folder, folder)
}

fn read_manifest(folder: &Path, named: &Path) -> Option<Manifest> {
    let text = read::text(&folder.join("Cargo.toml"))?;
    let table: toml::Table = text.parse().ok()?;
    let package = table.get("package")?.get("name")?.as_str()?;
    let lib = table.get("lib");
    let of_lib = |key: &str| lib.and_then(|lib| lib.get(key)).and_then(toml::Value::as_str);
    let mut lib = named.join(of_lib("path").unwrap_or("src/lib.rs"));
    let main = lib.with_file_name("main.rs");
    if !read::exists(&lib) && read::exists(&main) {
        lib = main;
    }
    Some(Manifest {
        folder: named.to_owned(),
        crate_name: of_lib("name").unwrap_or(package).replace('-', "_"),
        lib,
    })
}
