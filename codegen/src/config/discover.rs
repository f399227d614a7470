//! Discovery: which type packages there are below a folder.
//!
//! In: a folder. Out: the groups and versions of every module that is named like a version and whose file has a
//! `+groupName`: a folder with a `mod.rs`, a file, or a module inside a file. This serves callers who name no groups, and messages about
//! a group that does not exist; what is found is located and read by `source`.

use super::groups::Groups;
use crate::diagnostic::{Diagnostics, Span};
use crate::naming::is_version;
use crate::source;
use std::fs;
use std::path::{Path, PathBuf};

/// How deep groups may lie.
const DEPTH_LIMIT: usize = 16;

/// The type packages below a folder, a crate's folder included.
pub fn packages(apis: &Path) -> Groups {
    let mut groups = Groups::default();
    let source = apis.join("src");
    let start = if apis.join("Cargo.toml").is_file() && source.is_dir() { source.as_path() } else { apis };
    if start.is_file() {
        inline(start, "", &mut groups);
    } else {
        search(start, "", DEPTH_LIMIT, &mut groups);
    }
    groups
}

fn search(folder: &Path, group: &str, depth: usize, groups: &mut Groups) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<_> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    entries.sort();
    for name in entries {
        let path = folder.join(&name);
        let stem = name.strip_suffix(".rs").unwrap_or(&name);
        if path.is_dir() {
            let root = path.join("mod.rs");
            if is_version(&name) && is_package(&root) {
                groups.add(group, &name);
            } else if name != "target" && !name.starts_with('.') {
                inline(&root, &below(group, &name), groups);
                search(&path, &below(group, &name), depth, groups);
            }
        } else if name.ends_with(".rs") && is_version(stem) && is_package(&path) {
            groups.add(group, stem);
        } else if name.ends_with(".rs") && !["mod.rs", "lib.rs", "main.rs"].contains(&name.as_str()) {
            inline(&path, &below(group, stem), groups);
        }
    }
}

/// The files below a folder, or the file itself, in which type packages begin: those with a group, and those with kinds
/// that name their group themselves and are part of no other package.
///
/// What cannot be read goes to the diagnostics: a kind may be in there, and a definition must not be lost with it.
pub fn package_files(path: &Path, reach: Reach, diagnostics: &mut Diagnostics) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if path.is_dir() {
        let depth = if reach == Reach::All { DEPTH_LIMIT } else { 1 };
        rust_files(path, depth, (&mut files, diagnostics));
    } else {
        files.push(path.to_owned());
    }
    let mut texts: Vec<(PathBuf, String)> = Vec::new();
    for file in files {
        match source::glance(&file) {
            Ok(text) if is_generated(&text) => {}
            Ok(text) => texts.push((file, text)),
            Err(problem) => diagnostics.add(problem, Span::file(file)),
        }
    }
    // a module's file lies below its parent's, or beside a root: parents come first, however they are named
    texts.sort_by_key(|(file, _)| (file.components().count(), !is_root(file)));
    let mut found: Vec<PathBuf> =
        texts.iter().filter(|(_, text)| has_group(text)).map(|(file, _)| file.clone()).collect();
    let has_kind = |text: &str| has_word(text, "CustomResource") || text.contains("+kubebuilder:object:root");
    for (file, text) in &texts {
        let is_covered = |package: &PathBuf| {
            let root = texts.iter().find(|(path, _)| path == package).map_or("", |(_, text)| text);
            covers((package, root), file)
        };
        if has_kind(text) && !found.iter().any(is_covered) {
            found.push(file.clone());
        }
    }
    found.sort();
    found
}

/// How far files are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// In the folder itself.
    Folder,
    /// In all folders below as well.
    All,
}

/// Whether a text has a word that is no part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|behind| behind.chars().next());
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

/// Whether a file's modules lie beside it.
fn is_root(file: &Path) -> bool {
    file.file_name().is_some_and(|name| ["mod.rs", "lib.rs", "main.rs"].iter().any(|root| name == *root))
}

/// Whether a file is that of a module, or of one below it. The program of a crate may use a library whose files lie beside its own: what
/// it does not declare, nor leaves to a macro, is not part of it.
fn covers((package, text): (&Path, &str), file: &Path) -> bool {
    let folder = if is_root(package) {
        package.parent().map(Path::to_owned)
    } else {
        Some(package.with_extension(""))
    };
    let below = folder.and_then(|folder| file.strip_prefix(folder).ok().map(Path::to_owned));
    let first = below.as_deref().and_then(|below| below.components().next());
    let name = first.map(|first| Path::new(first.as_os_str()).with_extension("").display().to_string());
    let includes = |below: &Path| text.contains(&format!("include!(\"{}\")", below.display()));
    let declares = |name: String| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_declared = |pair: &[&str]| matches!(pair, ["mod", found] if found.trim_end_matches([';', '{']).trim_start_matches("r#") == name);
        words.windows(2).any(is_declared) || text.contains("automod::dir!") || text.contains("#[path")
    };
    package == file || below.as_deref().is_some_and(includes) || name.is_some_and(declares)
}

/// Folders beside a manifest whose programs are no part of what is shipped.
const BESIDE_THE_CRATE: [&str; 3] = ["tests", "benches", "examples"];

fn rust_files(folder: &Path, depth: usize, (files, diagnostics): (&mut Vec<PathBuf>, &mut Diagnostics)) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let names = match source::names_in(folder) {
        Ok(names) => names,
        Err(problem) => return diagnostics.add(problem, Span::file(folder)),
    };
    let is_crate = names.iter().any(|name| name == "Cargo.toml");
    for name in names {
        let path = if folder == Path::new(".") { PathBuf::from(&name) } else { folder.join(&name) };
        let Ok(kind) = fs::symlink_metadata(&path).map(|data| data.file_type()) else { continue };
        let aside = is_crate && BESIDE_THE_CRATE.contains(&name.as_str());
        if kind.is_dir() && !name.starts_with('.') && name != "target" && !aside {
            rust_files(&path, depth, (files, diagnostics));
        } else if kind.is_file() && name.ends_with(".rs") && !name.starts_with("zz_generated") {
            files.push(path);
        }
    }
}

fn below(group: &str, name: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{group}/{name}") }
}

fn is_package(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| has_group(&text) && !is_generated(&text))
}

/// Versions that are written as modules inside the file of their group.
fn inline(file: &Path, group: &str, groups: &mut Groups) {
    let Ok(text) = fs::read_to_string(file) else { return };
    if group.is_empty() || !has_group(&text) || is_generated(&text) {
        return;
    }
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["pub", "mod", name, "{", ..] = words.as_slice()
            && is_version(name)
        {
            groups.add(group, name);
        }
    }
}

fn has_group(text: &str) -> bool {
    text.contains("+groupName")
}

fn is_generated(text: &str) -> bool {
    crate::output::Generator::of_text(text).is_some()
}
