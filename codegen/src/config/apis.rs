//! Where the types are: from what the caller wrote to a folder.
//!
//! In: a path, or the name of a crate, perhaps with a module behind it (`my-apis::v2`). Out: a folder or file that exists.
//! Cargo is asked only when there is no such path.

use crate::diagnostic::ConfigProblem;
use std::path::{Path, PathBuf};

/// The folder of the type packages.
///
/// # Errors
/// There is neither such a path nor such a crate.
pub fn resolve(apis: &str) -> Result<PathBuf, ConfigProblem> {
    let path = PathBuf::from(apis);
    if path.exists() {
        return Ok(path);
    }
    let problem = |reason: String| ConfigProblem::NoApis { apis: apis.to_owned(), reason };
    let mut parts = apis.split("::").flat_map(|part| part.split('/')).filter(|part| !part.is_empty());
    let name = parts.next().unwrap_or_default();
    if apis.starts_with(['.', '/']) || !is_crate_name(name) {
        return Err(problem("there is no such folder".to_owned()));
    }
    let source = source_of(name).map_err(problem)?;
    let found = parts.fold(source, |path, part| path.join(part));
    if found.exists() || found.with_extension("rs").exists() {
        return Ok(found);
    }
    Err(problem(format!("crate `{name}` has no module `{}`", found.display())))
}

fn is_crate_name(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    name.starts_with(|letter: char| letter.is_ascii_alphabetic()) && name.chars().all(letter)
}

/// The folder with the source of a crate which cargo knows from here.
fn source_of(name: &str) -> Result<PathBuf, String> {
    let same = |other: &str| other.replace('-', "_") == name.replace('-', "_");
    let command = |options: &[&str]| {
        let mut command = cargo_metadata::MetadataCommand::new();
        command.other_options(options.iter().map(|option| (*option).to_owned()).collect::<Vec<_>>());
        command.exec()
    };
    // Without dependencies it is quick and needs no network; most types are in the caller's own workspace.
    let own = command(&["--no-deps", "--offline"]);
    let own = own.map_err(|_| "there is no such folder, and no crate around to look for one".to_owned())?;
    let find = |metadata: &cargo_metadata::Metadata| {
        let package = metadata.packages.iter().find(|package| same(package.name.as_ref()))?;
        let lib = package.targets.iter().find(|target| target.is_lib())?;
        lib.src_path.parent().map(|folder| folder.as_std_path().to_owned())
    };
    let all = || command(&["--offline"]).ok().as_ref().and_then(find);
    let folder = find(&own).or_else(all);
    folder.map(|folder| shortened(&folder)).ok_or_else(|| {
        let mut names: Vec<&str> = own.packages.iter().map(|package| package.name.as_ref()).collect();
        names.sort_unstable();
        format!("there is no such folder or crate; the crates here are {}", names.join(", "))
    })
}

/// The path from the current folder, where it lies below that.
fn shortened(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned)).unwrap_or_else(|| path.to_owned())
}
