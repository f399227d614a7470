//! Sweeping: every Rust file below some paths, for markers that may stand beside any code.

use super::file::SourceFile;
use super::read;
use crate::diagnostic::{Diagnostics, SourceProblem, Span};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How deep folders may lie.
const DEPTH_LIMIT: usize = 64;

/// What a file with markers has in it, also where a marker is misspelt behind it.
const SIGN: &str = "+kube";

/// Folders beside a manifest which hold programs of their own that are no part of what is shipped.
const BESIDE_THE_CRATE: [&str; 3] = ["tests", "benches", "examples"];

/// The Rust files at and below some paths that can have markers, each once, sorted by path. Left out are hidden folders, build output, files
/// that generators wrote and, where they are not named themselves, the tests, benchmarks and examples of a crate.
pub fn sweep(paths: &[PathBuf], diagnostics: &mut Diagnostics) -> Vec<Rc<SourceFile>> {
    let mut found = BTreeSet::new();
    for path in paths {
        if path.is_dir() {
            below(path, DEPTH_LIMIT, &mut found);
        } else if read::exists(path) {
            found.insert(path.clone());
        } else {
            let path = path.display().to_string();
            diagnostics.add(SourceProblem::NoSuchPath { path: path.clone() }, Span::file(path));
        }
    }
    let mut known = BTreeSet::new();
    let mut files = Vec::new();
    for path in found {
        // Code without markers costs no more than a look, and what is wrong in it is nobody's business here.
        let is_bare = read::text(&path).is_some_and(|text| !text.contains(SIGN));
        if !is_bare && known.insert(read::real(&path)) {
            files.extend(read::read(&path, &Span::file(&path), diagnostics).map(Rc::new));
        }
    }
    files
}

fn below(folder: &Path, depth: usize, found: &mut BTreeSet<PathBuf>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let names = read::names(folder);
    let is_crate = names.iter().any(|name| name == "Cargo.toml");
    for name in names {
        let path = if folder == Path::new(".") { PathBuf::from(&name) } else { folder.join(&name) };
        // Links are not followed: they can lead in circles.
        let Ok(kind) = fs::symlink_metadata(&path).map(|data| data.file_type()) else { continue };
        let aside = is_crate && BESIDE_THE_CRATE.contains(&name.as_str());
        if kind.is_dir() && !name.starts_with('.') && name != "target" && !aside {
            below(&path, depth, found);
        } else if kind.is_file() && name.ends_with(".rs") && !name.starts_with("zz_generated") {
            found.insert(path);
        }
    }
}
