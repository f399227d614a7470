//! Settings: everything that a caller decides about a run, whichever way it is said.
//!
//! In: flags, `kube-codegen.toml` or calls of a build script; one struct serves all three. Out: the settings, laid over
//! one another. It never looks at the disk; paths stay as the caller wrote them.

use super::groups::Groups;
use super::plurals::Plurals;
use crate::emit::FakeCfg;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What a caller decides. What is `None` is left to `kube-codegen.toml`, or to the default.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Settings {
    /// Where the types are: a crate's folder, a module's folder, or the name of a crate
    #[arg(long, value_name = "FOLDER|CRATE")]
    pub apis: Option<String>,

    /// The groups and versions, as "group:version,version group2:version"; all that there are when left out
    #[arg(long, value_name = "GROUPS")]
    pub groups: Option<Groups>,

    /// Where the generated code goes: a crate of its own, or a folder below the `src` of a crate
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// The licence note that opens every generated file
    #[arg(long, visible_alias = "go-header-file", value_name = "FILE")]
    pub header_file: Option<PathBuf>,

    /// When the fake clientset is compiled: `always`, `never`, or the predicate of a cfg, such as `test`
    #[arg(long, value_name = "CFG", value_parser = fake)]
    #[serde(default, deserialize_with = "fake_setting")]
    pub fake: Option<FakeCfg>,

    /// Plurals that the rules do not give, as Kind:Plural,Kind:Plural
    #[arg(long, value_name = "PAIRS")]
    pub plural_exceptions: Option<Plurals>,
}

impl Settings {
    /// These settings, and where they say nothing, those of `base`. Plural exceptions add up.
    #[must_use]
    pub fn over(self, base: Self) -> Self {
        let mut plurals = base.plural_exceptions;
        if let Some(own) = self.plural_exceptions {
            plurals.get_or_insert_default().extend(own);
        }
        // Groups are named below the folder of the types: one without the other means something else.
        let groups = if self.apis.is_some() { self.groups } else { self.groups.or(base.groups) };
        Self {
            groups,
            apis: self.apis.or(base.apis),
            output: self.output.or(base.output),
            header_file: self.header_file.or(base.header_file),
            fake: self.fake.or(base.fake),
            plural_exceptions: plurals,
        }
    }

    /// The same settings with paths that start at `folder`.
    #[must_use]
    pub fn rooted(self, folder: &Path) -> Self {
        let join = |path: PathBuf| folder.join(path);
        let apis = self.apis.map(|apis| match folder.join(&apis) {
            found if found.exists() => found.to_string_lossy().into_owned(),
            _ => apis,
        });
        Self { apis, output: self.output.map(join), header_file: self.header_file.map(join), ..self }
    }
}

/// Reads a setting of the fake.
///
/// # Errors
/// A sentence, when the text is no predicate.
pub(crate) fn fake(text: &str) -> Result<FakeCfg, String> {
    FakeCfg::parse(text).ok_or_else(|| {
        "write `always`, `never`, or the predicate of a cfg: `test`, `feature = \"fake\"`".to_owned()
    })
}

fn fake_setting<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<FakeCfg>, D::Error> {
    let text = String::deserialize(deserializer)?;
    fake(&text).map(Some).map_err(|reason| serde::de::Error::custom(format!("`{text}`: {reason}")))
}
