//! Layout: from an output folder to what generated code is there: a crate of its own, or a module of a crate.
//!
//! In: the folder. Out: the crate around it, the module that it becomes, and what its root file is. It reads manifests,
//! never Rust.

use crate::diagnostic::ConfigProblem;
use crate::emit::RootFile;
use crate::naming::{is_identifier, rust_ident};
use std::path::{Component, Path, PathBuf};

/// What generated code is in its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The crate that the code is a part of, as Rust code names it; `None` for a crate that is made for it.
    pub crate_name: Option<String>,
    /// The module that the folder becomes: `crate`, `crate::client`.
    pub module: String,
    /// What its root file is.
    pub root: RootFile,
    /// The folder below the output in which the code stands: `src` for a crate.
    pub source: &'static str,
}

impl Layout {
    /// The layout of the folder of a whole tree: a crate (with a manifest, or outside of every crate's source), or a
    /// module below the source of a crate.
    ///
    /// # Errors
    /// The folder lies in the source of a crate and has no name for a module.
    pub fn of_tree(output: &Path) -> Result<Self, ConfigProblem> {
        if let Some(name) = package_name(output) {
            return Ok(Self::of_crate(Some(name)));
        }
        match around(output) {
            Some((name, modules)) if !modules.is_empty() => Ok(Self {
                crate_name: Some(name),
                module: module_path(output, &modules)?,
                root: RootFile::Mod,
                source: "",
            }),
            // The source folder itself: what is asked for is the crate.
            Some((name, _)) => Ok(Self { source: "", ..Self::of_crate(Some(name)) }),
            None => Ok(Self::of_crate(None)),
        }
    }

    /// The module of a folder that holds a part of a tree, and its crate. `None` outside of the source of crates.
    ///
    /// # Errors
    /// The folder has no name for a module.
    pub fn of_part(folder: &Path) -> Result<Option<(String, String)>, ConfigProblem> {
        let Some((name, modules)) = around(folder) else { return Ok(None) };
        Ok(Some((name, module_path(folder, &modules)?)))
    }

    fn of_crate(crate_name: Option<String>) -> Self {
        Self { crate_name, module: "crate".to_owned(), root: RootFile::Lib, source: "src" }
    }
}

/// The name in Rust code of the package whose manifest is in this folder.
fn package_name(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let table: toml::Table = text.parse().ok()?;
    let package = table.get("package")?.get("name")?.as_str()?;
    let lib = table.get("lib").and_then(|lib| lib.get("name")).and_then(toml::Value::as_str);
    Some(lib.unwrap_or(package).replace('-', "_"))
}

/// The crate in whose `src` a folder lies, and the folders between.
fn around(folder: &Path) -> Option<(String, Vec<String>)> {
    let folder = clean(folder)?;
    let mut below = Vec::new();
    for above in folder.ancestors() {
        let name = above.file_name().map(|name| name.to_string_lossy().into_owned())?;
        if name == "src"
            && let Some(package) = above.parent().and_then(package_name)
        {
            below.reverse();
            return Some((package, below));
        }
        below.push(name);
    }
    None
}

/// The absolute path, without `.` and `..`.
fn clean(path: &Path) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for part in std::path::absolute(path).ok()?.components() {
        if part == Component::ParentDir {
            clean.pop();
        } else {
            clean.push(part);
        }
    }
    Some(clean)
}

fn module_path(output: &Path, modules: &[String]) -> Result<String, ConfigProblem> {
    let mut path = "crate".to_owned();
    for part in modules {
        let ident = rust_ident(part);
        // A name that only resembles the folder's would be a module whose files nobody finds.
        if !is_identifier(&ident) || ident.trim_start_matches("r#") != part {
            let output = output.display().to_string();
            return Err(ConfigProblem::BadModule { output, part: part.clone() });
        }
        path.push_str("::");
        path.push_str(&ident);
    }
    Ok(path)
}
