//! `automod::dir!("..")`, a macro that stands for the modules of a folder, and `include!("..")`, which stands for what is in a file.
//!
//! In: the items of a module. Out: the same with a module for each file that such a macro would name. Other macros stay what they are.

use super::file::SourceFile;
use super::item::{Item, ItemKind};
use super::module::GENERATED;
use super::read;
use crate::diagnostic::{Diagnostics, SourceProblem};
use std::fs;
use std::path::{Path, PathBuf};
use syn::parse::{Parse, ParseStream};

/// The names of modules that are parts of the one around them begin with this, which no name does.
pub const INCLUDED: &str = "include!";

/// What stands in the brackets of the macro.
struct Folder {
    public: bool,
    path: String,
}

impl Parse for Folder {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let visibility: syn::Visibility = input.parse()?;
        let path: syn::LitStr = input.parse()?;
        Ok(Self { public: matches!(visibility, syn::Visibility::Public(_)), path: path.value() })
    }
}

/// Items with the modules that macros among them stand for.
///
/// - `folder`: where the files of modules without a path are.
pub(super) fn expanded(
    items: Vec<Item>,
    file: &SourceFile,
    folder: &Path,
    diagnostics: &mut Diagnostics,
) -> Vec<Item> {
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        if let Some(macro_folder) = called(&item, file) {
            all.extend(modules(&item, &macro_folder, (file, folder), diagnostics));
        } else if let Some(path) = included(&item, file) {
            all.push(part(&item, file, &path));
        } else {
            all.push(item);
        }
    }
    all
}

/// The file that `include!` names by a text alone. Those that a build writes are not looked for, nor are ours.
fn included(item: &Item, file: &SourceFile) -> Option<String> {
    if item.kind != ItemKind::Other || !matches!(item.name.as_str(), "include" | "std" | "core") {
        return None;
    }
    let call: syn::ItemMacro = item.parse(file).ok()?;
    let is_include = call.mac.path.segments.last().is_some_and(|last| last.ident == "include");
    let path = call.mac.parse_body::<syn::LitStr>().ok().filter(|_| is_include)?.value();
    let name = Path::new(&path).file_name()?.to_str()?;
    (!name.starts_with(GENERATED)).then_some(path)
}

/// The part of a module that is in another file, as a module without a name of its own.
fn part(item: &Item, file: &SourceFile, path: &str) -> Item {
    let from = file.path().parent().unwrap_or(Path::new(""));
    let from = std::path::absolute(from).unwrap_or_else(|_| from.to_owned());
    Item {
        kind: ItemKind::Module,
        name: format!("{INCLUDED}{path}"),
        public: true,
        path_attribute: Some(from.join(path).to_string_lossy().into_owned()),
        ..item.clone()
    }
}

/// The folder that an item names, where it is such a macro.
fn called(item: &Item, file: &SourceFile) -> Option<Folder> {
    if item.kind != ItemKind::Other || !matches!(item.name.as_str(), "automod" | ":") {
        return None;
    }
    let call: syn::ItemMacro = item.parse(file).ok()?;
    let names: Vec<String> = call.mac.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    if names != ["automod", "dir"] {
        return None;
    }
    call.mac.parse_body().ok()
}

fn modules(
    item: &Item,
    wanted: &Folder,
    (file, folder): (&SourceFile, &Path),
    diagnostics: &mut Diagnostics,
) -> Vec<Item> {
    let Some(directory) = directory(file.path(), &wanted.path) else { return Vec::new() };
    let names = names(&directory);
    if names.is_empty() {
        let problem = SourceProblem::NoModules { folder: wanted.path.clone() };
        diagnostics.add(problem, file.span(item.name_bytes.clone()));
    }
    let is_own = read::real(&directory) == read::real(folder);
    let module = |name: String| {
        let ident = name.replace('-', "_");
        let written = directory.join(format!("{name}.rs"));
        let path_attribute = (!is_own || ident != name).then(|| written.to_string_lossy().into_owned());
        Item { kind: ItemKind::Module, name: ident, public: wanted.public, path_attribute, ..item.clone() }
    };
    names.into_iter().map(module).collect()
}

/// The folder, which is named from that of the manifest.
fn directory(file: &Path, path: &str) -> Option<PathBuf> {
    let file = read::real(file);
    let package = file.ancestors().find(|folder| folder.join("Cargo.toml").is_file())?;
    Some(package.join(path))
}

/// The names of the source files in a folder, without those of modules around it.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names
        .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
        .filter(|name| !matches!(name.as_str(), "mod" | "lib" | "main") && !name.starts_with("zz_generated"))
        .collect();
    names.sort();
    names
}
