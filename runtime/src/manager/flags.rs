//! The settings of a manager as arguments of clap.
//!
//! In: a command, and what was typed. Out: the command with the flags of [`ManagerConfig`], and the settings. Never: a flag that the plain
//! parser does not know.
//!
//! ```
//! use clap::Parser;
//! use kube_codegen_runtime::manager::ManagerConfig;
//!
//! #[derive(Parser)]
//! struct Options {
//!     #[command(flatten)]
//!     manager: ManagerConfig,
//! }
//!
//! let options = Options::parse_from(["operator", "--leader-elect", "--leader-election-id", "operator.example.com"]);
//! assert!(options.manager.leader_elect);
//! ```

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, error::ErrorKind};

use super::{
    ManagerConfig,
    config::{SETTINGS, set},
};

impl Args for ManagerConfig {
    fn augment_args(command: Command) -> Command {
        let mut scratch = Self::default();
        SETTINGS.iter().fold(command, |command, (flag, help, at)| {
            let value = at(&mut scratch);
            let help = match value.shown() {
                Some(default) => format!("{help} [default: {default}]"),
                None => (*help).to_owned(),
            };
            let argument = Arg::new(*flag).long(*flag).help(help).value_name(value.name());
            command.arg(if value.is_switch() {
                argument.num_args(0..=1).require_equals(true).default_missing_value("true")
            } else {
                argument
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ManagerConfig {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut config = Self::of_the_environment().map_err(|error| refused(&error))?;
        config.update_from_arg_matches(matches)?;
        Ok(config)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for (flag, _, at) in SETTINGS {
            if let Some(value) = matches.get_one::<String>(flag) {
                set(at(self), format!("--{flag}"), value.clone()).map_err(|error| refused(&error))?;
            }
        }
        Ok(())
    }
}

fn refused(error: &super::ConfigError) -> Error {
    Error::raw(ErrorKind::ValueValidation, format!("{error}\n"))
}
