//! `Path`: where in a value a walk is, written out only when something is wrong there.

use std::fmt;

/// A place in a value: the steps from the root, held on the stack of the walk.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'a> {
    /// The root, under a name of its own that may be empty.
    Root(&'a str),
    /// A member that is written with a dot.
    Member(&'a Path<'a>, &'a str),
    /// A member that is written in brackets, as those of free maps are.
    Key(&'a Path<'a>, &'a str),
    /// An item.
    Index(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    pub(crate) fn member(&'a self, name: &'a str) -> Path<'a> {
        Path::Member(self, name)
    }

    pub(crate) fn key(&'a self, name: &'a str) -> Path<'a> {
        Path::Key(self, name)
    }

    pub(crate) fn index(&'a self, index: usize) -> Path<'a> {
        Path::Index(self, index)
    }

    /// The field of an error; a real server prints none as `<nil>`.
    pub(crate) fn field(&self) -> String {
        match self.to_string() {
            text if text.is_empty() => "<nil>".to_owned(),
            text => text,
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(name) => f.write_str(name),
            Self::Member(Self::Root(""), name) => f.write_str(name),
            Self::Member(above, name) => write!(f, "{above}.{name}"),
            Self::Key(above, name) => write!(f, "{above}[{name}]"),
            Self::Index(above, index) => write!(f, "{above}[{index}]"),
        }
    }
}
