//! The columns of the built-in kinds, out of `data/columns.bin`.
//!
//! In: a resource. Out: the definitions of its columns as JSON, to the byte what a real server sends. The file is deflated JSON, an object from
//! `group/version/plural` (`v1/pods`) to the `columnDefinitions` of the table that the server shows for a list; it was made by
//! `cargo run --example columns_data`, and is unpacked when the first table is asked for.

use std::{collections::HashMap, io::Read, sync::LazyLock};

use serde_json::value::RawValue;

static DATA: &[u8] = include_bytes!("../../data/columns.bin");
static COLUMNS: LazyLock<HashMap<String, Box<RawValue>>> = LazyLock::new(|| load().unwrap_or_default());

/// What has no printer of its own shows its name, and when it was made.
const PLAIN: &str = "v1/limitranges";

fn load() -> Option<HashMap<String, Box<RawValue>>> {
    let mut text = String::new();
    flate2::read::DeflateDecoder::new(DATA).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// The definitions of a resource's columns.
pub(super) fn definitions(key: &str) -> &'static str {
    let found = COLUMNS.get(key).or_else(|| COLUMNS.get(PLAIN));
    found.map_or("[]", |columns| columns.get())
}
