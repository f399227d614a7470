//! Names: from a kind, a group or a version to every name that is derived from it.
//!
//! In: the words of the user. Out: names, computed once and carried in the model; no generator derives a name of its
//! own. It never looks at types, files or other names: clashes are found by `check`.

mod case;
mod dns;
mod keyword;
mod names;
mod nearest;
mod plural;
mod serde_case;
mod version;

pub use case::{camel, pascal, snake, words};
pub use dns::{is_dns_label, is_dns_name, is_label, is_label_key, is_label_value, is_path_segment};
pub use keyword::{is_identifier, is_keyword, module_file, rust_ident};
pub use names::{GroupNames, MethodNames, ResourceNames, VersionNames};
pub use nearest::nearest;
pub use plural::{PluralExceptions, kube_plural, plural};
pub use serde_case::SerdeCase;
pub use version::{VersionPriority, is_version};
