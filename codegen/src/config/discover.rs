//! Discovery: which type packages there are below a folder.
//!
//! In: a folder. Out: the groups and versions of every module that is named like a version and whose file has a
//! `+groupName`: a folder with a `mod.rs`, a file, or a module inside a file. This serves callers who name no groups, and messages about
//! a group that does not exist; what is found is located and read by `source`.

use super::groups::Groups;
use crate::naming::is_version;
use std::fs;
use std::path::Path;

/// How deep groups may lie.
const DEPTH_LIMIT: usize = 8;

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
