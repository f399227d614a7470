//! What a reconciler says when it has failed.
//!
//! In: any error. Out: the error, and whether another attempt can help. Never: a lost cause.

use std::{error::Error, fmt};

use crate::client;

/// Why a run failed. Made from any error by `?`; such a run is tried again, later from failure to failure.
///
/// ```
/// use kube_codegen_runtime::controller::Failure;
///
/// fn port(text: &str) -> Result<u16, Failure> {
///     Ok(text.parse()?)
/// }
///
/// assert!(port("http").is_err());
/// assert!(Failure::terminal("the port in the spec is no number").is_terminal());
/// ```
///
/// Like a boxed error it is no [`Error`] itself, so that `?` can take all of those; [`error`](Self::error) is what it holds.
pub struct Failure {
    kind: Kind,
    error: Box<dyn Error + Send + Sync>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Passing,
    Terminal,
}

impl Failure {
    /// A failure that no further attempt mends, such as a spec that cannot be followed. The key rests until something happens to it.
    pub fn terminal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::Terminal, error: error.into() }
    }

    /// A failure that may pass, from something that is no error by itself. Errors become failures by `?`.
    pub fn passing(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind: Kind::Passing, error: error.into() }
    }

    /// Whether no further attempt can help.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        self.kind == Kind::Terminal
    }

    /// Whether a write has met another writer ([`client::Error::Conflict`]), which is nobody's fault: the object has to be read again.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.kind == Kind::Passing
            && matches!(self.error.downcast_ref::<client::Error>(), Some(client::Error::Conflict(_)))
    }

    /// The error.
    #[must_use]
    pub fn error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self.error.as_ref()
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::passing(error)
    }
}

impl fmt::Display for Failure {
    /// The error and its causes, in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)?;
        let mut cause = self.error.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failure").field("kind", &self.kind).field("error", &self.error).finish()
    }
}
