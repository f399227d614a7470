//! Externals: what other crates are called where they are used, and what their modules bring in as a whole.
//!
//! Their sources are asked where cargo has them; the standard library, and a few crates where it has not, are known by
//! heart.

use super::exprs::STANDARD;
use super::resolve::{Found, Has};
use super::universe::{Scope, Universe};
use super::well_known::is_well_known;
use std::rc::Rc;

/// Types that modules of well-known crates have.
const TYPES: &[(&str, &[&str])] = &[
    ("collections", &["BTreeMap", "BTreeSet", "BinaryHeap", "HashMap", "HashSet", "LinkedList", "VecDeque"]),
    ("sync", &["Arc", "Mutex", "RwLock", "Weak", "OnceLock", "LazyLock"]),
    ("rc", &["Rc", "Weak"]),
    ("cell", &["Cell", "RefCell", "OnceCell", "LazyCell"]),
    ("borrow", &["Cow"]),
    ("boxed", &["Box"]),
    ("string", &["String"]),
    ("vec", &["Vec"]),
    ("option", &["Option"]),
    ("result", &["Result"]),
    ("path", &["Path", "PathBuf"]),
    ("ffi", &["CStr", "CString", "OsStr", "OsString"]),
    ("marker", &["PhantomData", "PhantomPinned"]),
    ("time", &["Duration", "Instant", "SystemTime"]),
    ("cmp", &["Ordering", "Reverse"]),
    ("ops", &["Bound", "ControlFlow", "Range", "RangeFrom", "RangeFull", "RangeInclusive", "RangeTo"]),
    ("net", &["IpAddr", "Ipv4Addr", "Ipv6Addr", "SocketAddr", "SocketAddrV4", "SocketAddrV6"]),
    (
        "num",
        &[
            "NonZero",
            "NonZeroI8",
            "NonZeroI16",
            "NonZeroI32",
            "NonZeroI64",
            "NonZeroI128",
            "NonZeroIsize",
            "NonZeroU8",
            "NonZeroU16",
            "NonZeroU32",
            "NonZeroU64",
            "NonZeroU128",
            "NonZeroUsize",
            "Saturating",
            "Wrapping",
        ],
    ),
];

/// The same for crates whose source is not at hand.
const CRATES: &[(&str, &[&str])] = &[
    ("serde_json", &["Map", "Number", "Value"]),
    (
        "chrono",
        &[
            "Date",
            "DateTime",
            "Duration",
            "FixedOffset",
            "Local",
            "Month",
            "Months",
            "NaiveDate",
            "NaiveDateTime",
            "NaiveTime",
            "TimeDelta",
            "Utc",
            "Weekday",
        ],
    ),
    (
        "chrono::prelude",
        &[
            "Date",
            "DateTime",
            "FixedOffset",
            "Local",
            "Month",
            "NaiveDate",
            "NaiveDateTime",
            "NaiveTime",
            "Utc",
            "Weekday",
        ],
    ),
    ("kube", &["Client", "Config", "Error", "Api", "Discovery"]),
    ("k8s_openapi", &["ByteString"]),
];

impl Universe<'_> {
    /// The name of a crate that a module calls by this name: another one where `extern crate` or the manifest says so.
    pub(super) fn real_crate(&mut self, scope: &Scope, name: &str) -> String {
        let root = self.module(&scope.crate_name, &[]);
        let declared = root.iter().flat_map(|root| root.imports()).find_map(|import| {
            let path = match import.path.as_slice() {
                [only] if only == "crate" => &scope.crate_name,
                [only] if import.absolute => only,
                _ => return None,
            };
            (import.name.as_deref() == Some(name)).then(|| path.clone())
        });
        let name = declared.unwrap_or_else(|| name.to_owned());
        match self.renamed(&scope.crate_name, &name) {
            Some(real) if is_well_known(&real) || self.owns(&real) => real,
            _ => name,
        }
    }

    /// Whether a module of another crate has a type of this name.
    pub(super) fn external_has(&mut self, scope: &Rc<Scope>, path: &[String], name: &str) -> Has {
        let Some((crate_name, modules)) = path.split_first() else { return Has::Unknown };
        if matches!(crate_name.as_str(), "std" | "core" | "alloc") {
            return of_table(TYPES, &modules.join("::"), name);
        }
        if STANDARD.contains(&name) {
            // Nobody has a `String` of their own to be imported by the way.
            return Has::No;
        }
        match self.source_has(scope, path, name) {
            Has::Unknown => of_table(CRATES, &path.join("::"), name),
            known => known,
        }
    }

    /// The same from the crate's source.
    fn source_has(&mut self, scope: &Rc<Scope>, path: &[String], name: &str) -> Has {
        let Some(module) = self.foreign_module(path) else { return Has::Unknown };
        let before = self.guesses.len();
        if self.shows(&module, name, scope) {
            return Has::Yes;
        }
        let complete = self.guesses.len() == before && !super::exprs::has_macro_calls(&module);
        self.guesses.truncate(before);
        if complete { Has::No } else { Has::Unknown }
    }

    /// A module of another crate, wherever it is declared.
    fn foreign_module(&mut self, path: &[String]) -> Option<Rc<Scope>> {
        let (crate_name, modules) = path.split_first()?;
        let from = self.from.clone();
        self.add_foreign(crate_name, &from).ok()?;
        let root = self.module(crate_name, &[])?;
        let found =
            modules.iter().try_fold(Found::Module(root), |found, segment| self.step(found, segment, 1))?;
        match found {
            Found::Module(module) => Some(module),
            // It is that of yet another crate.
            Found::External(path) if path.first() != Some(crate_name) => self.foreign_module(&path),
            _ => None,
        }
    }
}

fn of_table(table: &[(&str, &[&str])], module: &str, name: &str) -> Has {
    match table.iter().find(|(known, _)| *known == module) {
        Some((_, types)) if types.contains(&name) => Has::Yes,
        Some(_) => Has::No,
        None => Has::Unknown,
    }
}
