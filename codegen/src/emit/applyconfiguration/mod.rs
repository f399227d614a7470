//! The apply configuration generator: for each struct that is reachable from a root type a twin in which every field is
//! optional.
//!
//! In: the structs of the model. Out: `mod.rs`, `<group>/<version>/<type>.rs`. What was not set is not sent: the twins
//! skip it, and none of them writes a default. Types that the model cannot take apart are used as they are.

mod field;
mod root;
mod structure;
mod traits;

use super::Context;
use super::folders::Folders;
use crate::output::{Files, Generator, RustFile};

/// Writes the apply configurations.
pub(super) fn emit(context: &Context<'_>) -> Files {
    let comparable = traits::Comparable::of(context);
    let mut folders = Folders::new(&context.options.header, Generator::ApplyConfiguration);
    for place in context.configurations.iter() {
        let docs = format!("Apply configurations of `{}/{}`.", place.group.1, place.version.1);
        folders.add(
            ((&place.group.0, &place.group.1), "Apply configurations by version."),
            ((&place.version.0, &place.version.1), &docs),
            structure::leaf(context, &comparable, place),
        );
    }
    let mut files = Files::new();
    let docs = vec![
        "Apply configurations: partial objects for server-side apply.".to_owned(),
        String::new(),
        "Every field is optional, and only what was set is sent and then owned by the field manager."
            .to_owned(),
    ];
    let header = context.options.header.clone();
    let items = folders.modules().collect();
    files.insert_rust("mod.rs", RustFile { header, generator: Generator::ApplyConfiguration, docs, items });
    folders.write(&mut files);
    files
}
