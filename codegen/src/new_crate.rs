//! The manifest of a crate that is made for generated code: once, then it is the user's.
//!
//! In: the folder of the crate, the model, and the manifests around. Out: the text of its `Cargo.toml`. Dependencies come
//! from the workspace where it has them, else from the crate of the types, else with the versions of this release.

use crate::emit::{FakeCfg, Options};
use crate::model::Model;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

const RUNTIME: &str = "kube-codegen-runtime";
const APISERVER: &str = "kube-codegen-apiserver";

/// The text of the manifest.
pub(crate) fn manifest(folder: &Path, model: &Model, options: &Options) -> String {
    let folder = clean(folder);
    let crates: BTreeMap<&str, &Path> = model
        .versions()
        .filter_map(|(_, version)| {
            Some((version.package.crate_name.as_str(), version.package.crate_root.as_deref()?))
        })
        .collect();
    let known = Known::around(&folder, crates.values().next().copied());
    let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut lines = vec![
        "[package]".to_owned(),
        format!("name = {}", Value::from(if name.is_empty() { "client".to_owned() } else { name })),
        "version = \"0.1.0\"".to_owned(),
        "edition = \"2024\"".to_owned(),
        "publish = false".to_owned(),
        String::new(),
    ];
    let mut apiserver = known.dependency(APISERVER, &folder);
    match &options.fake {
        FakeCfg::Predicate(predicate) if predicate.contains("feature") => {
            lines.extend(["[features]".to_owned(), format!("fake = [\"dep:{APISERVER}\"]"), String::new()]);
            apiserver.insert("optional".to_owned(), Value::Boolean(true));
        }
        _ => {}
    }
    lines.push("[dependencies]".to_owned());
    let mut dependencies = BTreeMap::from([
        ("k8s-openapi".to_owned(), known.dependency("k8s-openapi", &folder)),
        (RUNTIME.to_owned(), with_feature(known.dependency(RUNTIME, &folder), "client")),
        ("serde".to_owned(), with_feature(known.dependency("serde", &folder), "derive")),
    ]);
    if options.fake != FakeCfg::Never {
        dependencies.insert(APISERVER.to_owned(), apiserver);
    }
    for (name, root) in crates {
        let mut table = Table::new();
        table.insert("path".to_owned(), Value::String(relative(&folder, &clean(root))));
        dependencies.insert(package_name(root).unwrap_or_else(|| name.to_owned()), table);
    }
    lines.extend(dependencies.into_iter().map(|(name, table)| format!("{name} = {}", Value::Table(table))));
    lines.join("\n") + "\n"
}

/// The dependencies that manifests around speak of.
#[derive(Default)]
struct Known {
    /// Of the workspace that the new crate lies in.
    inherited: Table,
    /// Of the crate of the types, with paths from its folder, and of its workspace.
    others: Vec<(PathBuf, Table)>,
}

impl Known {
    fn around(folder: &Path, apis: Option<&Path>) -> Self {
        let workspace = |from: &Path| {
            from.ancestors().find_map(|above| {
                let workspace = read(above)?.get("workspace")?.as_table()?.clone();
                let shared = workspace.get("dependencies").and_then(Value::as_table).cloned();
                Some((above.to_owned(), shared.unwrap_or_default()))
            })
        };
        let inherited = workspace(folder).map(|(_, shared)| shared).unwrap_or_default();
        let Some(apis) = apis.map(clean) else { return Self { inherited, others: Vec::new() } };
        let own = read(&apis).and_then(|table| table.get("dependencies")?.as_table().cloned());
        let mut others = vec![(apis.clone(), own.unwrap_or_default())];
        others.extend(workspace(&apis));
        Self { inherited, others }
    }

    /// How the new crate names a dependency.
    fn dependency(&self, name: &str, folder: &Path) -> Table {
        if self.inherited.contains_key(name) {
            return Table::from_iter([("workspace".to_owned(), Value::Boolean(true))]);
        }
        for (from, table) in &self.others {
            match table.get(name) {
                Some(Value::String(version)) => return version_of(version),
                Some(Value::Table(found)) if !found.contains_key("workspace") => {
                    return moved(found, from, folder);
                }
                _ => {}
            }
        }
        if name == APISERVER
            && let Some(Value::String(runtime)) = self.dependency(RUNTIME, folder).get("path")
        {
            let path = Path::new(runtime).with_file_name("apiserver");
            return Table::from_iter([("path".to_owned(), Value::String(slashes(&path)))]);
        }
        released(name)
    }
}

/// A dependency of another manifest, as one in `folder` says it.
fn moved(found: &Table, from: &Path, folder: &Path) -> Table {
    let mut table = found.clone();
    table.remove("optional");
    if let Some(Value::String(path)) = table.get("path") {
        let path = relative(folder, &clean(&from.join(path)));
        table.insert("path".to_owned(), Value::String(path));
    }
    table
}

/// The versions that this release was tested with.
fn released(name: &str) -> Table {
    match name {
        "k8s-openapi" => with_feature(version_of("0.29"), "latest"),
        "serde" => version_of("1"),
        _ => version_of(env!("CARGO_PKG_VERSION")),
    }
}

fn version_of(version: &str) -> Table {
    Table::from_iter([("version".to_owned(), Value::String(version.to_owned()))])
}

fn with_feature(mut table: Table, feature: &str) -> Table {
    let features = table.entry("features").or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(features) = features
        && !features.iter().any(|known| known.as_str() == Some(feature))
    {
        features.push(Value::String(feature.to_owned()));
    }
    table
}

fn package_name(root: &Path) -> Option<String> {
    Some(read(root)?.get("package")?.get("name")?.as_str()?.to_owned())
}

fn read(folder: &Path) -> Option<Table> {
    std::fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()
}

/// The absolute path, without `.` and `..`.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// The path from one absolute folder to another.
fn relative(from: &Path, to: &Path) -> String {
    let common = from.components().zip(to.components()).take_while(|(left, right)| left == right).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(common)).collect();
    if path.as_os_str().is_empty() { ".".to_owned() } else { slashes(&path) }
}

fn slashes(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}
