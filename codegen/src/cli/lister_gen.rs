//! `lister-gen`: readers of informers' caches.

use super::parts::{Common, Packages, PartTool};
use crate::config::Part;
use crate::diagnostic::ConfigProblem;
use crate::emit::Modules;
use crate::output::Generator;
use crate::source::PackageInput;
use clap::Parser;
use std::collections::BTreeSet;

const EXAMPLES: &str = "\
Example:
  lister-gen --output-dir src/client/listers src/apis/cnat/v1alpha1 src/apis/webapp/v1

Exit codes: 0 done; 1 errors in the input, or files out of date with --check; 2 wrong usage.";

/// Writes listers for annotated types
#[derive(Debug, Parser)]
#[command(name = "lister-gen", version, after_help = EXAMPLES)]
pub(super) struct ListerGen {
    #[command(flatten)]
    packages: Packages,

    #[command(flatten)]
    common: Common,
}

impl PartTool for ListerGen {
    fn common(&self) -> &Common {
        &self.common
    }

    fn packages(&self) -> Result<Vec<PackageInput>, ConfigProblem> {
        self.packages.inputs()
    }

    fn part(&self) -> Part {
        Part {
            generator: Generator::Lister,
            folder: self.common.output_dir.clone(),
            module: self.common.output_pkg.clone(),
            modules: Modules::below("crate"),
            uses: BTreeSet::new(),
        }
    }
}
