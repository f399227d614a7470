//! `kube-codegen graph`: the model as a picture.

use super::audit::model_of;
use super::kube_codegen::{Source, no_config};
use super::run::complain;
use super::{Exit, Terminal};
use crate::config::marker_paths;
use crate::diagnostic::Diagnostics;
use crate::emit::graph::{Graph, mermaid, svg};
use crate::generate::Failure;
use crate::load_controllers;
use clap::Args;

/// The language of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A diagram that forges show in Markdown.
    Mermaid,
    /// A picture that browsers show.
    Svg,
}

const EXAMPLES: &str = "\
Examples:
  kube-codegen graph
      as kube-codegen.toml says, for a Mermaid block in Markdown
  kube-codegen graph src --format svg > kinds.svg
      with the controllers that are built below src, as a picture";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct GraphCommand {
    /// Where controllers are built: folders with all below them, files, or crates [default: the paths of rbac in kube-codegen.toml]
    #[arg(value_name = "PATH")]
    paths: Vec<String>,

    /// The language of the picture
    #[arg(long, value_name = "FORMAT", default_value = "mermaid")]
    format: Format,

    #[command(flatten)]
    source: Source,
}

pub(super) fn run(command: &GraphCommand, terminal: &mut Terminal<'_>) -> Exit {
    match graph(command) {
        Ok(graph) => {
            terminal.print(&match command.format {
                Format::Mermaid => mermaid(&graph),
                Format::Svg => svg(&graph),
            });
            Exit::Done
        }
        Err(wrong) => {
            complain(&Failure::Input(wrong), &[], terminal);
            Exit::Failed
        }
    }
}

fn graph(command: &GraphCommand) -> Result<Graph, Diagnostics> {
    let file = command.source.read()?.ok_or_else(no_config)?;
    let model = model_of(&file)?;
    let of_file = file.rbac.map(|rbac| rbac.paths).unwrap_or_default();
    let paths = if command.paths.is_empty() { of_file } else { command.paths.clone() };
    // Without a place to look at there are no arrows.
    let controllers =
        if paths.is_empty() { Vec::new() } else { load_controllers(&marker_paths(&paths)?, &model)? };
    Ok(Graph::new(&model, &controllers))
}
