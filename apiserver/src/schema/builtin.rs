//! The types of the built-in kinds, from data made out of a real server's OpenAPI documents.
//!
//! In: the compressed file `data/schemas.bin` (made by `cargo run --example schema_data`). Out: types by kind or by definition. The
//! definitions of one package (such as `io.k8s.api.apps.v1`) are unpacked when one of them is first asked for.
//!
//! The file: a little-endian u32, the length of the index; the index, deflated JSON; then the sections, each deflated JSON on its own.

use std::{
    collections::HashMap,
    io::Read,
    sync::{LazyLock, OnceLock},
};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{openapi::Reader, types::TypeSchema};

static DATA: &[u8] = include_bytes!("../../data/schemas.bin");
static INDEX: LazyLock<Index> = LazyLock::new(Index::load);

/// What the data holds.
#[derive(Default)]
struct Index {
    /// `apps/v1/Deployment` -> definition.
    kinds: HashMap<String, String>,
    sections: HashMap<String, Section>,
}

struct Section {
    data: &'static [u8],
    loaded: OnceLock<HashMap<String, TypeSchema>>,
}

#[derive(Default, Deserialize)]
struct Head {
    kinds: HashMap<String, String>,
    sections: HashMap<String, (usize, usize)>,
}

impl Index {
    fn load() -> Self {
        let Some((length, rest)) = DATA.split_first_chunk::<4>() else { return Self::default() };
        let length = u32::from_le_bytes(*length) as usize;
        let Some((head, body)) = rest.split_at_checked(length) else { return Self::default() };
        let head: Head = unpack(head).unwrap_or_default();
        let section = |(name, (start, length)): (String, (usize, usize))| {
            let data = body.get(start..start + length).unwrap_or_default();
            (name, Section { data, loaded: OnceLock::new() })
        };
        Self { kinds: head.kinds, sections: head.sections.into_iter().map(section).collect() }
    }
}

impl Section {
    fn definitions(&self, package: &str) -> &HashMap<String, TypeSchema> {
        self.loaded.get_or_init(|| {
            let reader = Reader { library: definition };
            let schemas: Map<String, Value> = unpack(self.data).unwrap_or_default();
            let read = |(name, schema): (String, Value)| {
                let full = format!("{package}.{name}");
                let schema = reader.definition(&full, &schema);
                (name, schema)
            };
            schemas.into_iter().map(read).collect()
        })
    }
}

fn unpack<T: serde::de::DeserializeOwned>(data: &[u8]) -> Option<T> {
    let mut text = Vec::new();
    flate2::read::DeflateDecoder::new(data).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// The type of a definition, such as `io.k8s.api.core.v1.PodSpec`.
#[must_use]
pub fn definition(name: &str) -> Option<TypeSchema> {
    let (package, short) = name.rsplit_once('.')?;
    INDEX.sections.get(package)?.definitions(package).get(short).cloned()
}

/// The type of a built-in kind. The group is empty for the core group.
#[must_use]
pub fn kind(group: &str, version: &str, kind: &str) -> Option<TypeSchema> {
    definition(INDEX.kinds.get(&format!("{group}/{version}/{kind}"))?)
}

/// The type of a built-in kind, by its apiVersion as objects write it.
#[must_use]
pub fn object(api_version: &str, kind_name: &str) -> Option<TypeSchema> {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    kind(group, version, kind_name)
}

static RETIRED: &str = include_str!("../../data/retired-kinds.txt");

/// Whether a real server knows this kind by name, though it may not serve it.
pub(crate) fn is_known(api_version: &str, kind_name: &str) -> bool {
    let retired = || {
        let mut lines = RETIRED.lines().map(|line| line.split(' '));
        lines.any(|mut words| words.next() == Some(api_version) && words.any(|word| word == kind_name))
    };
    object(api_version, kind_name).is_some() || retired()
}

/// All built-in kinds, as `group/version/kind`, in no order.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    INDEX.kinds.keys().filter_map(|key| {
        let (group, rest) = key.split_once('/')?;
        let (version, kind) = rest.split_once('/')?;
        Some((group, version, kind))
    })
}
