//! `client-gen`: the clientset and its fake.

use super::parts::{Common, PartTool, inputs_below, module, module_name};
use crate::config::{Part, Settings};
use crate::diagnostic::ConfigProblem;
use crate::emit::{FakeCfg, Modules};
use crate::output::Generator;
use crate::source::PackageInput;
use clap::{ArgAction, Parser};
use std::collections::BTreeSet;

const EXAMPLES: &str = "\
Example:
  client-gen --input-base src/apis --input cnat/v1alpha1,webapp/v1 \\
      --output-dir src/client/clientset \\
      --apply-configuration-package crate::client::applyconfiguration

Exit codes: 0 done; 1 errors in the input, or files out of date with --check; 2 wrong usage.";

/// Writes a clientset for annotated types, and its fake
#[derive(Debug, Parser)]
#[command(name = "client-gen", version, after_help = EXAMPLES)]
pub(super) struct ClientGen {
    /// Type packages, as group/version; repeated or as a comma list
    #[arg(long, value_name = "GROUP/VERSION", required = true, value_delimiter = ',')]
    input: Vec<String>,

    /// The folder, or the crate, in which the groups are
    #[arg(long, value_name = "FOLDER|CRATE")]
    input_base: String,

    /// The folder of the clientset, below the output folder
    #[arg(short = 'n', long, value_name = "NAME", default_value = "versioned", value_parser = module_name)]
    clientset_name: String,

    /// Whether to write the fake
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1, require_equals = true,
        default_value_t = true, default_missing_value = "true")]
    fake_clientset: bool,

    /// When the fake is compiled: `always`, or the predicate of a cfg
    #[arg(long, value_name = "CFG", value_parser = crate::config::fake)]
    fake: Option<FakeCfg>,

    /// The module of the apply configurations, as `crate::path`; no apply methods when left out
    #[arg(long, value_name = "MODULE", value_parser = module)]
    apply_configuration_package: Option<String>,

    #[command(flatten)]
    common: Common,
}

impl PartTool for ClientGen {
    fn common(&self) -> &Common {
        &self.common
    }

    fn packages(&self) -> Result<Vec<PackageInput>, ConfigProblem> {
        inputs_below(&self.input_base, &self.input)
    }

    fn settings(&self, settings: Settings) -> Settings {
        let fake = if self.fake_clientset { self.fake.clone() } else { Some(FakeCfg::Never) };
        Settings { fake, ..settings }
    }

    fn part(&self) -> Part {
        let mut modules = Modules::below("crate");
        let mut uses = BTreeSet::new();
        if let Some(module) = &self.apply_configuration_package {
            modules.applyconfiguration.clone_from(module);
            uses.insert(Generator::ApplyConfiguration);
        }
        Part {
            generator: Generator::Client,
            folder: self.common.output_dir.join(&self.clientset_name),
            module: self.common.output_pkg.as_ref().map(|above| format!("{above}::{}", self.clientset_name)),
            modules,
            uses,
        }
    }
}
