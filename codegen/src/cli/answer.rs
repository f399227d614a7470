//! What clap says: help goes to the result and ends well, complaints end with a usage error.

use super::{Exit, Terminal};
use crate::diagnostic::Style;
use clap::Parser;
use std::ffi::OsString;

/// The arguments as a struct, or how the command ends without them.
///
/// # Errors
/// Help was asked for or the arguments are wrong; either has been written then.
pub(super) fn parse<P: Parser>(
    program: &str,
    arguments: Vec<OsString>,
    terminal: &mut Terminal<'_>,
) -> Result<P, Exit> {
    let with_program = std::iter::once(OsString::from(program)).chain(arguments);
    P::try_parse_from(with_program).map_err(|error| {
        let text = error.render();
        let text = match terminal.style() {
            Style::Plain => text.to_string(),
            Style::Colored => text.ansi().to_string(),
        };
        if error.use_stderr() {
            terminal.tell(&text);
            Exit::Usage
        } else {
            terminal.print(&text);
            Exit::Done
        }
    })
}
