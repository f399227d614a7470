//! The terminal: where reports go, and how a command ends.
//!
//! When the reader of a pipe has gone there is nobody to tell, and files have been written or not by then; the exit code still says
//! which. Where the result cannot be written for another reason, such as a full disk, the command has failed.

use crate::diagnostic::Style;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All is well: 0.
    Done,
    /// The input is wrong, or files differ from what they should be: 1.
    Failed,
    /// The command was called in a wrong way: 2.
    Usage,
}

impl Exit {
    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Where reports go.
pub struct Terminal<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    style: Style,
    /// Why the result could not be written.
    lost: Option<io::Error>,
}

impl fmt::Debug for Terminal<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Terminal").field("style", &self.style).finish_non_exhaustive()
    }
}

impl<'a> Terminal<'a> {
    /// Results go to `out`; errors, notes and hints go to `err`. Without colours.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { out, err, style: Style::Plain, lost: None }
    }

    /// With colours.
    #[must_use]
    pub fn coloured(self) -> Self {
        Self { style: Style::Colored, ..self }
    }

    /// How errors are drawn.
    pub(super) fn style(&self) -> Style {
        self.style
    }

    /// A part of the result, as it is.
    pub(super) fn print(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes());
        self.note_loss(written);
    }

    fn note_loss(&mut self, written: io::Result<()>) {
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.lost.get_or_insert(error);
        }
    }

    /// A line of the result.
    pub(super) fn line(&mut self, text: &str) {
        self.print(&format!("{text}\n"));
    }

    /// Text for the user, beside the result.
    pub(super) fn tell(&mut self, text: &str) {
        let _nobody_reads = self.err.write_all(text.as_bytes());
    }

    /// An error in one line.
    pub(super) fn error(&mut self, text: &str) {
        self.titled("error", "\u{1b}[1;31m", text);
    }

    /// A remark.
    pub(super) fn note(&mut self, text: &str) {
        self.titled("note", "\u{1b}[1;36m", text);
    }

    fn titled(&mut self, title: &str, colour: &str, text: &str) {
        let line = match self.style {
            Style::Plain => format!("{title}: {text}\n"),
            Style::Colored => format!("{colour}{title}\u{1b}[0m: {text}\n"),
        };
        self.tell(&line);
    }

    /// Everything written reaches the reader before the command ends. Out: how it ends; a result that could not be written is no success.
    pub(super) fn finish(&mut self, exit: Exit) -> Exit {
        let flushed = self.out.flush();
        self.note_loss(flushed);
        let lost = self.lost.take();
        if let Some(error) = &lost {
            self.error(&format!("cannot write the result: {error}"));
        }
        let _nobody_reads = self.err.flush();
        if lost.is_some() && exit == Exit::Done { Exit::Failed } else { exit }
    }
}
