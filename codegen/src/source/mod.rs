//! Source: from a folder, a file or an inline module to modules, items and comments.
//!
//! In: the places of type packages and crates. Out: for every module its file (path, text, comments) and its items, of
//! which types and imports can be parsed on demand. This is the only room that reads files of the input. It never looks
//! at what markers say or what types mean, and no function body is ever parsed: the items of a file are found by a
//! lexer of our own, so that unusual code elsewhere in a file costs nothing and hides nothing.

mod automod;
mod crates;
mod documented;
mod file;
mod item;
mod lexer;
mod locate;
mod manifest;
mod module;
mod read;
mod split;
mod starts;
mod sweep;
mod word;

pub use automod::INCLUDED;
pub use crates::{CargoSources, CrateSource, CrateSources, FixedSources};
pub use documented::Documented;
pub use file::{Comment, CommentKind, SourceFile};
pub use item::{Item, ItemKind};
pub use locate::{Located, PackageInput};
pub use manifest::renames_around;
pub use module::{Module, ModuleLoader};
pub use read::{glance, names_in};
pub use sweep::{Interest, sweep};
pub use word::Word;
