//! Starts: from the way in which the caller names the type packages to the folders where the search begins.

use super::manifest;
use super::read;
use std::path::{Path, PathBuf};

/// Where a search begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Start {
    /// The folder or file.
    pub(super) base: PathBuf,
    /// Modules that come before the group.
    pub(super) modules: Vec<String>,
}

/// The places that `apis` can mean, likeliest first: a folder or file, a crate's folder, a module within the files above
/// (`src/apis` where `lib.rs` has `mod apis { .. }`), or a path in Rust's form (`my_crate::apis`).
pub(super) fn starts(apis: &Path) -> Vec<Start> {
    let plain = |base: PathBuf| Start { base, modules: Vec::new() };
    let mut starts = vec![plain(apis.to_owned()), plain(apis.join("src"))];
    if read::is_there(apis) {
        return starts;
    }
    let mut modules = Vec::new();
    let mut folder = apis;
    while let (Some(name), Some(parent)) = (folder.file_name(), folder.parent()) {
        modules.insert(0, name.to_string_lossy().into_owned());
        if read::is_there(parent) || parent.as_os_str().is_empty() {
            starts.push(Start { base: parent.to_owned(), modules: modules.clone() });
            break;
        }
        folder = parent;
    }
    starts.extend(crates(apis));
    starts
}

/// `my_crate::apis`, `crate::apis`, `my-crate`: the crate in the current folder, or in a folder below it.
fn crates(apis: &Path) -> Vec<Start> {
    let Some(text) = apis.to_str().filter(|text| !text.contains(['/', '\\'])) else { return Vec::new() };
    let mut segments = text.trim_start_matches("::").split("::").map(str::to_owned);
    let name = segments.next().unwrap_or_default().replace('-', "_");
    let modules: Vec<String> = segments.collect();
    let here = Path::new(".");
    let below = read::names(here).into_iter().map(|name| here.join(name));
    std::iter::once(here.to_owned())
        .chain(below)
        .filter_map(|folder| manifest::of(&folder))
        .filter(|found| found.crate_name == name || name == "crate")
        .filter_map(|found| Some(Start { base: found.lib.parent()?.to_owned(), modules: modules.clone() }))
        .take(1)
        .collect()
}
