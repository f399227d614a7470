//! `informer-gen`: shared informers and their factory.

use super::parts::{Common, Packages, PartTool, module};
use crate::config::Part;
use crate::diagnostic::ConfigProblem;
use crate::emit::Modules;
use crate::output::Generator;
use crate::source::PackageInput;
use clap::Parser;
use std::collections::BTreeSet;

const EXAMPLES: &str = "\
Example:
  informer-gen --output-dir src/client/informers \\
      --versioned-clientset-package crate::client::clientset::versioned \\
      --listers-package crate::client::listers src/apis/cnat/v1alpha1

Exit codes: 0 done; 1 errors in the input, or files out of date with --check; 2 wrong usage.";

/// Writes shared informers for annotated types
#[derive(Debug, Parser)]
#[command(name = "informer-gen", version, after_help = EXAMPLES)]
pub(super) struct InformerGen {
    #[command(flatten)]
    packages: Packages,

    /// The module of the clientset, as `crate::path`
    #[arg(long, value_name = "MODULE", value_parser = module)]
    versioned_clientset_package: String,

    /// The module of the listers, as `crate::path`
    #[arg(long, value_name = "MODULE", value_parser = module)]
    listers_package: String,

    /// Write into the output folder itself, not into `externalversions` below it
    #[arg(long)]
    single_directory: bool,

    #[command(flatten)]
    common: Common,
}

impl PartTool for InformerGen {
    fn common(&self) -> &Common {
        &self.common
    }

    fn packages(&self) -> Result<Vec<PackageInput>, ConfigProblem> {
        self.packages.inputs()
    }

    fn part(&self) -> Part {
        let (folder, module) = (&self.common.output_dir, self.common.output_pkg.as_ref());
        let (folder, module) = if self.single_directory {
            (folder.clone(), module.cloned())
        } else {
            (folder.join("externalversions"), module.map(|above| format!("{above}::externalversions")))
        };
        Part {
            generator: Generator::Informer,
            folder,
            module,
            modules: Modules {
                clientset: self.versioned_clientset_package.clone(),
                listers: self.listers_package.clone(),
                ..Modules::below("crate")
            },
            uses: BTreeSet::from([Generator::Client, Generator::Lister]),
        }
    }
}
