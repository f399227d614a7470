//! The command line: one function for all commands.
//!
//! In: which command, its arguments, and where to write. Out: files, a report on the terminal and an exit code. What is
//! here reads arguments and writes reports; settings are `config`'s, generation is [`generate`](crate::generate)'s.

mod answer;
mod audit;
mod client_gen;
mod configuration_gen;
mod controller_gen;
mod generate_groups;
mod go_flags;
mod graph;
mod informer_gen;
mod kube_codegen;
mod lister_gen;
mod markers;
mod parts;
mod run;
mod terminal;

pub use markers::markdown as marker_reference;
pub use run::RunOptions;
pub use terminal::{Exit, Terminal};

use go_flags::GoFlags;
use std::ffi::OsString;
use std::io::{self, IsTerminal};

/// The commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// `kube-codegen`, with a subcommand a generator.
    KubeCodegen,
    /// `generate-groups`, the historic form.
    GenerateGroups,
    /// `client-gen`.
    ClientGen,
    /// `lister-gen`.
    ListerGen,
    /// `informer-gen`.
    InformerGen,
    /// `applyconfiguration-gen`.
    ApplyconfigurationGen,
    /// `controller-gen`.
    ControllerGen,
}

impl Tool {
    /// The name of the command.
    pub const fn name(self) -> &'static str {
        match self {
            Self::KubeCodegen => "kube-codegen",
            Self::GenerateGroups => "generate-groups",
            Self::ClientGen => "client-gen",
            Self::ListerGen => "lister-gen",
            Self::InformerGen => "informer-gen",
            Self::ApplyconfigurationGen => "applyconfiguration-gen",
            Self::ControllerGen => "controller-gen",
        }
    }
}

/// Runs a command with the arguments, the output and the exit code of this process.
pub fn main(tool: Tool) -> std::process::ExitCode {
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    let coloured = std::env::var_os("NO_COLOR").is_none() && io::stderr().is_terminal();
    let mut terminal = Terminal::new(&mut out, &mut err);
    if coloured {
        terminal = terminal.coloured();
    }
    run(tool, std::env::args_os().skip(1), &mut terminal).into()
}

/// Runs a command.
///
/// - `arguments`: without the name of the program.
pub fn run(tool: Tool, arguments: impl IntoIterator<Item = OsString>, terminal: &mut Terminal<'_>) -> Exit {
    let exit = match GoFlags::take(tool, arguments) {
        Ok(flags) => {
            flags.notes.iter().for_each(|note| terminal.note(note));
            dispatch(tool, flags.arguments, terminal)
        }
        Err(refused) => {
            terminal.error(&refused);
            Exit::Usage
        }
    };
    terminal.finish(exit)
}

fn dispatch(tool: Tool, arguments: Vec<OsString>, terminal: &mut Terminal<'_>) -> Exit {
    match tool {
        Tool::KubeCodegen => kube_codegen::run(arguments, terminal),
        Tool::GenerateGroups => generate_groups::run(arguments, terminal),
        Tool::ClientGen => parts::run::<client_gen::ClientGen>(tool, arguments, terminal),
        Tool::ListerGen => parts::run::<lister_gen::ListerGen>(tool, arguments, terminal),
        Tool::InformerGen => parts::run::<informer_gen::InformerGen>(tool, arguments, terminal),
        Tool::ApplyconfigurationGen => {
            parts::run::<configuration_gen::ConfigurationGen>(tool, arguments, terminal)
        }
        Tool::ControllerGen => controller_gen::run(arguments, terminal),
    }
}
