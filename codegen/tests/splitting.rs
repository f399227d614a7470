//! The splitter against syn: both find the same types, modules and imports in every file that syn can parse.

use kube_codegen::diagnostic::Diagnostics;
use kube_codegen::source::{ItemKind, ModuleLoader};
use quote::ToTokens;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long the dependencies are read.
const LIMIT: Duration = Duration::from_secs(8);

type Items = Vec<(ItemKind, String)>;

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        text.starts_with("cfg") && !text.starts_with("cfg_attr") && text.contains("test")
    })
}

/// What syn finds; `None` when it cannot parse the file, or when the file asks for tests alone.
fn by_syn(text: &str) -> Option<Items> {
    let file = syn::parse_file(text).ok()?;
    let mut items = Items::new();
    for item in &file.items {
        let plain = |ident: &syn::Ident| ident.to_string().trim_start_matches("r#").to_owned();
        let (kind, name, attributes) = match item {
            syn::Item::Struct(item) => (ItemKind::Struct, plain(&item.ident), &item.attrs),
            syn::Item::Enum(item) => (ItemKind::Enum, plain(&item.ident), &item.attrs),
            syn::Item::Type(item) => (ItemKind::Type, plain(&item.ident), &item.attrs),
            syn::Item::Mod(item) => (ItemKind::Module, plain(&item.ident), &item.attrs),
            syn::Item::Use(item) => (ItemKind::Use, "use".to_owned(), &item.attrs),
            _ => continue,
        };
        if is_for_tests(attributes) {
            return None;
        }
        items.push((kind, name));
    }
    Some(items)
}

fn by_splitter(path: &Path) -> Items {
    let mut diagnostics = Diagnostics::new();
    let module = ModuleLoader::default().root(path, PathBuf::new(), &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics}");
    // What `include!` stands for is no item of its file.
    let items = module.into_iter().flat_map(|module| module.items);
    let items = items.filter(|item| !item.name.starts_with("include!"));
    let wanted = |kind| !matches!(kind, ItemKind::Impl | ItemKind::Other);
    items.filter(|item| wanted(item.kind)).map(|item| (item.kind, item.name)).collect()
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir()
            && !path.is_symlink()
            && path.file_name().is_none_or(|name| name != "target" && name != "diagnostics")
        {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn compare(path: &Path) {
    let Ok(text) = fs::read_to_string(path) else { return };
    // syn recurses on what a file nests, and may need more stack than a test has.
    if text.len() > 300_000 {
        return;
    }
    if let Some(expected) = by_syn(&text) {
        assert_eq!(by_splitter(path), expected, "{}", path.display());
    }
}

#[test]
fn on_the_files_of_this_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut files = Vec::new();
    rust_files(root, &mut files);
    files.iter().for_each(|file| compare(file));
}

#[test]
fn on_the_files_of_the_dependencies() {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let Some(registry) = home.map(|home| home.join("registry").join("src")).filter(|path| path.is_dir())
    else {
        return;
    };
    let mut files = Vec::new();
    rust_files(&registry, &mut files);
    let stride = (1..).map(|number| 5003 + number).find(|stride| files.len() % stride != 0).unwrap_or(1);
    let start = Instant::now();
    let mut at = 0;
    for _ in 0..files.len() {
        if start.elapsed() > LIMIT {
            break;
        }
        compare(&files[at]);
        at = (at + stride) % files.len();
    }
}
