//! `applyconfiguration-gen`: partial objects for server-side apply.

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
  applyconfiguration-gen --output-dir src/client/applyconfiguration src/apis/cnat/v1alpha1

Exit codes: 0 done; 1 errors in the input, or files out of date with --check; 2 wrong usage.";

/// Writes apply configurations for annotated types
#[derive(Debug, Parser)]
#[command(name = "applyconfiguration-gen", version, after_help = EXAMPLES)]
pub(super) struct ConfigurationGen {
    #[command(flatten)]
    packages: Packages,

    #[command(flatten)]
    common: Common,
}

impl PartTool for ConfigurationGen {
    fn common(&self) -> &Common {
        &self.common
    }

    fn packages(&self) -> Result<Vec<PackageInput>, ConfigProblem> {
        self.packages.inputs()
    }

    fn part(&self) -> Part {
        Part {
            generator: Generator::ApplyConfiguration,
            folder: self.common.output_dir.clone(),
            module: self.common.output_pkg.clone(),
            modules: Modules::below("crate"),
            uses: BTreeSet::new(),
        }
    }
}
