//! The source of other crates: where it is, found through cargo.

use super::read;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Where the source of a crate is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrateSource {
    /// The root file of its library.
    pub lib: PathBuf,
    /// Its features that are switched on.
    pub features: Vec<String>,
}

/// Finds the source of crates.
pub trait CrateSources: fmt::Debug + Send + Sync {
    /// The source of the crate which the crate in the folder `from` names `name` in its code.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    fn find(&self, name: &str, from: &Path) -> Result<CrateSource, String>;
}

/// Crates at known places, for tests and for callers that know better.
#[derive(Debug, Clone, Default)]
pub struct FixedSources(BTreeMap<String, CrateSource>);

impl FixedSources {
    /// Adds a crate.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, lib: impl Into<PathBuf>) -> Self {
        self.0.insert(name.into(), CrateSource { lib: lib.into(), features: Vec::new() });
        self
    }
}

impl CrateSources for FixedSources {
    fn find(&self, name: &str, _from: &Path) -> Result<CrateSource, String> {
        self.0.get(name).cloned().ok_or_else(|| format!("no source is known for `{name}`"))
    }
}

/// Asks cargo, once for each workspace and only when a crate is asked for.
///
/// The lock file, cargo's own cache and the paths in manifests are looked at first, since `cargo metadata` takes longer than all generation. It
/// is run without network; where that fails because the source was never fetched, once more with.
#[derive(Debug, Default)]
pub struct CargoSources {
    known: Mutex<BTreeMap<PathBuf, Result<Graph, String>>>,
}

/// Libraries by their names in Rust code.
type Graph = BTreeMap<String, CrateSource>;

impl CrateSources for CargoSources {
    fn find(&self, called: &str, from: &Path) -> Result<CrateSource, String> {
        let renamed = super::manifest::renames(from).remove(called);
        let name = renamed.as_deref().unwrap_or(called);
        if let Some(found) = cached(name, from).or_else(|| beside(called, from)) {
            return Ok(found);
        }
        let mut known = self.known.lock().map_err(|_| "a former search failed".to_owned())?;
        let graph = known.entry(from.to_owned()).or_insert_with(|| metadata(from));
        let graph = graph.as_ref().map_err(Clone::clone)?;
        graph.get(name).cloned().ok_or_else(|| format!("`{name}` is no dependency of this workspace"))
    }
}

fn metadata(from: &Path) -> Result<Graph, String> {
    let run = |options: &[&str]| {
        cargo_metadata::MetadataCommand::new()
            .manifest_path(from.join("Cargo.toml"))
            .other_options(options.iter().map(|option| (*option).to_owned()).collect::<Vec<_>>())
            .exec()
    };
    let host = host();
    let platform: Vec<&str> = host.iter().flat_map(|host| ["--filter-platform", host.as_str()]).collect();
    let metadata = run(&[&["--offline"], platform.as_slice()].concat())
        .or_else(|_| run(&platform))
        .map_err(|error| error.to_string())?;
    let features: BTreeMap<_, _> = metadata
        .resolve
        .iter()
        .flat_map(|resolve| &resolve.nodes)
        .map(|node| (&node.id, node.features.iter().map(ToString::to_string).collect::<Vec<_>>()))
        .collect();
    let mut graph = Graph::new();
    for package in &metadata.packages {
        let Some(lib) = package.targets.iter().find(|target| target.is_lib() || target.is_proc_macro())
        else {
            continue;
        };
        let source = CrateSource {
            lib: lib.src_path.clone().into(),
            features: features.get(&package.id).cloned().unwrap_or_default(),
        };
        graph.insert(lib.name.replace('-', "_"), source);
    }
    Ok(graph)
}

/// The platform of this machine: the sources of crates for others need not be at hand.
fn host() -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = std::process::Command::new(rustc).arg("-vV").output().ok()?;
    let said = String::from_utf8(said.stdout).ok()?;
    said.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

/// A crate from the registry in cargo's cache, when the lock file has exactly one version of it.
fn cached(name: &str, from: &Path) -> Option<CrateSource> {
    let start = std::path::absolute(from).ok()?;
    let (folder, lock) = start
        .ancestors()
        .find_map(|folder| Some((folder.to_owned(), read::text(&folder.join("Cargo.lock"))?)))?;
    let lock: toml::Table = lock.parse().ok()?;
    let packages = lock.get("package")?.as_array()?;
    let text = |package: &toml::Value, key: &str| package.get(key)?.as_str().map(str::to_owned);
    let mut versions = packages.iter().filter(|package| {
        let is_named = text(package, "name").is_some_and(|found| found.replace('-', "_") == name);
        is_named && text(package, "source").is_some_and(|source| source.starts_with("registry+"))
    });
    let (Some(package), None) = (versions.next(), versions.next()) else { return None };
    let wanted = format!("{}-{}", text(package, "name")?, text(package, "version")?);
    let registry = cargo_home()?.join("registry").join("src");
    let lib = read::names(&registry)
        .iter()
        .map(|index| registry.join(index).join(&wanted).join("src").join("lib.rs"))
        .find(|lib| read::exists(lib))?;
    Some(CrateSource { lib, features: features_of(name, &folder, &start) })
}

/// A crate that lies in another folder, which the manifest of the crate or that of its workspace names.
fn beside(name: &str, from: &Path) -> Option<CrateSource> {
    let start = std::path::absolute(from).ok()?;
    let table = |folder: &Path| read::text(&folder.join("Cargo.toml"))?.parse::<toml::Table>().ok();
    let named = |dependencies: &toml::Table| {
        let found = dependencies.iter().find(|(key, _)| key.replace('-', "_") == name);
        found.map(|(_, dependency)| dependency.clone())
    };
    let own = table(&start)?;
    let dependency = named(own.get("dependencies")?.as_table()?)?;
    let path = |folder: &Path, dependency: &toml::Value| Some(folder.join(dependency.get("path")?.as_str()?));
    let folder = match path(&start, &dependency) {
        Some(folder) => folder,
        None => start.ancestors().find_map(|folder| {
            let table = table(folder)?;
            let dependencies = table.get("workspace")?.get("dependencies")?.as_table()?;
            path(folder, &named(dependencies)?)
        })?,
    };
    let manifest = super::manifest::of(&folder)?;
    let workspace = start.ancestors().skip(1).find(|folder| folder.join("Cargo.lock").is_file());
    let features = features_of(name, workspace.unwrap_or(&start), &start);
    Some(CrateSource { lib: manifest.lib, features })
}

fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
}

/// The features which the manifests of the workspace and of the crate itself ask for.
fn features_of(name: &str, workspace: &Path, own: &Path) -> Vec<String> {
    let mut features = Vec::new();
    for folder in [workspace, own] {
        let Some(text) = read::text(&folder.join("Cargo.toml")) else { continue };
        let Ok(table) = text.parse::<toml::Table>() else { continue };
        let tables = [
            table.get("workspace").and_then(|workspace| workspace.get("dependencies")),
            table.get("dependencies"),
            table.get("dev-dependencies"),
        ];
        for dependency in tables.into_iter().flatten().filter_map(toml::Value::as_table).flatten() {
            let (key, value) = dependency;
            if key.replace('-', "_") != name {
                continue;
            }
            let asked = value.get("features").and_then(toml::Value::as_array).into_iter().flatten();
            features.extend(asked.filter_map(toml::Value::as_str).map(str::to_owned));
        }
    }
    features.sort();
    features.dedup();
    features
}
