//! What the caller decides about generated code: its header, where it will stand, and when the fake is compiled.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;

use crate::output::{Generator, Header};

/// Options of every generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What stands above the code.
    pub header: Header,
    /// Which generators run.
    pub generators: BTreeSet<Generator>,
    /// Where each part of the generated code will stand.
    pub modules: Modules,
    /// The crate that the generated code becomes a part of, as Rust code names it. Its types are then named by
    /// `crate::`. `None` when the output is a crate of its own.
    pub own_crate: Option<String>,
    /// What the root file is.
    pub root: RootFile,
    /// When the fake is compiled.
    pub fake: FakeCfg,
}

impl Options {
    /// Options for all client generators, with the output as a crate of its own.
    pub fn for_crate(header: Header) -> Self {
        use Generator::{ApplyConfiguration, Client, Informer, Lister, Object};
        Self {
            header,
            generators: BTreeSet::from([Object, Client, Lister, Informer, ApplyConfiguration]),
            modules: Modules::below("crate"),
            own_crate: None,
            root: RootFile::Lib,
            fake: FakeCfg::Predicate("feature = \"fake\"".to_owned()),
        }
    }

    /// Options for all client generators, with the output as a module of an existing crate: `crate::client`.
    pub fn for_module(header: Header, own_crate: &str, module: &str) -> Self {
        Self {
            modules: Modules::below(module),
            own_crate: Some(own_crate.to_owned()),
            root: RootFile::Mod,
            fake: FakeCfg::Predicate("test".to_owned()),
            ..Self::for_crate(header)
        }
    }

    /// Whether a generator runs.
    pub fn runs(&self, generator: Generator) -> bool {
        self.generators.contains(&generator)
    }
}

/// The modules of the generated code, as paths from the root of its crate: `crate::clientset::versioned`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modules {
    /// The clientset.
    pub clientset: String,
    /// The listers.
    pub listers: String,
    /// The informers.
    pub informers: String,
    /// The apply configurations.
    pub applyconfiguration: String,
}

impl Modules {
    /// The usual places below a root module.
    pub fn below(root: &str) -> Self {
        Self {
            clientset: format!("{root}::clientset::versioned"),
            listers: format!("{root}::listers"),
            informers: format!("{root}::informers::externalversions"),
            applyconfiguration: format!("{root}::applyconfiguration"),
        }
    }
}

/// The file at the root of a generated tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootFile {
    /// `lib.rs`, of a crate of its own.
    Lib,
    /// `mod.rs`, of a module.
    Mod,
    /// `mod.rs` without `//!` lines, to be `include!`d from `OUT_DIR` into a module.
    Included,
}

impl RootFile {
    /// The name of the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lib => "lib.rs",
            Self::Mod | Self::Included => "mod.rs",
        }
    }
}

/// When the fake clientset is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FakeCfg {
    /// Always: the API server is then an ordinary dependency.
    Always,
    /// Under `#[cfg(..)]`: `feature = "fake"`, or `test` with the API server as a dev-dependency.
    Predicate(String),
    /// There is no fake.
    Never,
}

impl FakeCfg {
    /// Reads `always`, `never`, or the predicate of a `cfg`; `None` for text that is no Rust.
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "always" => Some(Self::Always),
            "never" => Some(Self::Never),
            predicate => {
                let tokens = predicate.parse::<TokenStream>().ok()?;
                (!tokens.is_empty()).then(|| Self::Predicate(predicate.to_owned()))
            }
        }
    }
}
