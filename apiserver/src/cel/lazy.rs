//! `Lazy`: a map whose members are worked out when they are first asked for.
//!
//! In: a function from names to values. Out: the same, to be used as a value. It keeps nothing by itself.

use std::{fmt, rc::Rc};

use super::{EvalError, Val};

type Member<'v> = dyn Fn(&str) -> Option<Result<Val<'v>, EvalError>> + 'v;

/// Members that are worked out when they are asked for.
#[derive(Clone)]
pub(crate) struct Lazy<'v>(Rc<Member<'v>>);

impl<'v> Lazy<'v> {
    /// A map with these members.
    pub(crate) fn new(member: impl Fn(&str) -> Option<Result<Val<'v>, EvalError>> + 'v) -> Self {
        Self(Rc::new(member))
    }

    pub(super) fn member(&self, name: &str) -> Option<Result<Val<'v>, EvalError>> {
        (self.0)(name)
    }
}

impl fmt::Debug for Lazy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lazy")
    }
}
