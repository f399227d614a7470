//! `kube-codegen.toml`: where it is, what it says, and what is wrong with it.
//!
//! In: a folder, or the path of a file. Out: the settings and generators of the file, with paths that start at its folder.
//! Every key that it does not know is refused. It never writes.

use super::{CrdSettings, Generators, RbacSettings, Settings, WebhookSettings, small};
use crate::diagnostic::{ConfigProblem, Diagnostics, Span};
use crate::naming::nearest;
use serde::Deserialize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the file.
pub const FILE_NAME: &str = "kube-codegen.toml";

/// The keys that the file may have.
const KEYS: [&str; 10] = [
    "apis",
    "crd",
    "fake",
    "generators",
    "groups",
    "header-file",
    "output",
    "plural-exceptions",
    "rbac",
    "webhook",
];

/// What a `kube-codegen.toml` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigFile {
    /// Its folder, as the caller would write it; empty for the current folder.
    pub folder: PathBuf,
    /// Its settings, with paths that start at its folder.
    pub settings: Settings,
    /// Its generators; all where it names none.
    pub generators: Generators,
    /// What it says of custom resource definitions; they are generated when it says anything.
    pub crd: Option<CrdSettings>,
    /// What it says of roles; they are generated when it says anything.
    pub rbac: Option<RbacSettings>,
    /// What it says of webhook configurations; they are generated when it says anything.
    pub webhook: Option<WebhookSettings>,
}

#[derive(Default, Deserialize)]
struct OwnKeys {
    generators: Option<Generators>,
}

#[derive(Default, Deserialize)]
struct Tables {
    crd: Option<CrdSettings>,
    rbac: Option<RbacSettings>,
    webhook: Option<WebhookSettings>,
}

impl ConfigFile {
    /// The nearest file in this folder or above it.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        let nearest = folder.join(FILE_NAME);
        if nearest.is_file() {
            return Some(nearest);
        }
        let absolute = std::env::current_dir().ok()?.join(folder);
        absolute.ancestors().skip(1).map(|above| above.join(FILE_NAME)).find(|file| file.is_file())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(file: &Path) -> Result<Self, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let text = match small::text(file, small::SETTINGS_LIMIT) {
            Ok(text) => text,
            Err(error) => {
                let reason = small::reason(&error);
                diagnostics.add(ConfigProblem::Unreadable { what: FILE_NAME, reason }, Span::file(file));
                return Err(diagnostics);
            }
        };
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        Self::parse(&text, file, folder)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(text: &str, file: &Path, folder: PathBuf) -> Result<Self, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        diagnostics.add_text(file, Arc::from(text));
        let table = match toml::de::DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                diagnostics.add(said(&error), span(file, text, error.span()));
                return Err(diagnostics);
            }
        };
        for key in table.keys().filter(|key| !KEYS.contains(&key.get_ref().as_ref())) {
            let nearest = nearest(key.get_ref(), KEYS).map(str::to_owned);
            let problem = ConfigProblem::UnknownKey { key: key.get_ref().to_string(), nearest };
            diagnostics.add(problem, span(file, text, Some(key.span())));
        }
        // Read twice, each time for its own keys, so that a mistake in one does not hide those of the other.
        let own = toml::from_str::<OwnKeys>(text);
        let settings = toml::from_str::<Settings>(text);
        let tables = toml::from_str::<Tables>(text);
        let mut kept = |error: toml::de::Error| {
            diagnostics.add(said(&error), span(file, text, error.span()));
        };
        let generators = own.map_err(&mut kept).unwrap_or_default().generators;
        let settings = settings.map_err(&mut kept).unwrap_or_default().rooted(&folder);
        let tables = tables.map_err(&mut kept).unwrap_or_default();
        let crd = tables.crd.map(|table| {
            let base = CrdSettings { header_file: settings.header_file.clone(), ..CrdSettings::default() };
            table.rooted(&folder).over(base)
        });
        let rbac = tables.rbac.map(|table| {
            let base = RbacSettings { header_file: settings.header_file.clone(), ..RbacSettings::default() };
            table.rooted(&folder).over(base)
        });
        let webhook = tables.webhook.map(|table| {
            let base =
                WebhookSettings { header_file: settings.header_file.clone(), ..WebhookSettings::default() };
            table.rooted(&folder).over(base)
        });
        let generators = generators.unwrap_or_default();
        diagnostics.into_result(Self { folder, settings, generators, crd, rbac, webhook })
    }
}

fn said(error: &toml::de::Error) -> ConfigProblem {
    ConfigProblem::Invalid { message: error.message().trim_end().to_owned() }
}

/// Bytes of the text as a place; the rest of the first line when there are several.
fn span(file: &Path, text: &str, bytes: Option<Range<usize>>) -> Span {
    let Some(bytes) = bytes else { return Span::file(file) };
    let before = text.get(..bytes.start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let covered = text.get(bytes).unwrap_or_default().lines().next().unwrap_or_default();
    Span {
        file: file.to_owned(),
        line: before.matches('\n').count() + 1,
        column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        length: covered.chars().count(),
    }
}
