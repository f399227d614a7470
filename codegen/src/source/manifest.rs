//! Manifests: the crate to which a file belongs, and its name in Rust code.

use super::read;
use std::collections::BTreeMap;
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

/// The names in Rust code of the crates that the manifest around a file calls otherwise, by what it calls them.
pub fn renames_around(file: &Path) -> BTreeMap<String, String> {
    around(file).map(|manifest| renames(&manifest.folder)).unwrap_or_default()
}

/// The same for the manifest in a folder: `k8s = { package = "k8s-openapi" }`, be it written in the workspace's.
pub(super) fn renames(folder: &Path) -> BTreeMap<String, String> {
    let Some(own) = table(folder) else { return BTreeMap::new() };
    let inherits = |value: &toml::Value| value.get("workspace").and_then(toml::Value::as_bool) == Some(true);
    let listed = dependencies(&own);
    let of_workspace = listed.iter().any(|(_, value)| inherits(value)).then(|| workspace(folder)).flatten();
    let code = |name: &str| name.replace('-', "_");
    let mut renames = BTreeMap::new();
    for (name, value) in listed {
        let value = match &of_workspace {
            Some(all) if inherits(value) => all.get(name).unwrap_or(value),
            _ => value,
        };
        if let Some(package) = value.get("package").and_then(toml::Value::as_str) {
            renames.insert(code(name), code(package));
        }
    }
    renames
}

fn table(folder: &Path) -> Option<toml::Table> {
    read::text(&folder.join("Cargo.toml"))?.parse().ok()
}

/// The dependencies in all tables of a manifest.
fn dependencies(manifest: &toml::Table) -> Vec<(&String, &toml::Value)> {
    let platforms = manifest.get("target").and_then(toml::Value::as_table).into_iter().flatten();
    let tables = platforms.filter_map(|(_, platform)| platform.as_table()).chain([manifest]);
    let lists = tables.flat_map(|table| ["dependencies", "dev-dependencies"].map(|name| table.get(name)));
    lists.flatten().filter_map(toml::Value::as_table).flatten().collect()
}

/// The dependencies of the workspace around a folder.
pub(super) fn workspace(folder: &Path) -> Option<toml::Table> {
    let start = std::path::absolute(folder).ok()?;
    let manifest = start.ancestors().filter_map(table).find(|table| table.contains_key("workspace"))?;
    manifest.get("workspace")?.get("dependencies")?.as_table().cloned()
}
