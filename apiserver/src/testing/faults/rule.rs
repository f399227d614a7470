//! What happens to which requests, and how often. Plain data.

use std::{sync::Arc, time::Duration};

use crate::Status;

use super::{Pattern, gate::Lock, stream::End};

/// What happens to a request.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    Error(Status),
    Disconnect,
    LoseAnswer,
    Hang,
    Delay(Duration),
    Hold(Arc<Lock>),
    ReadAt(u64),
    EndAfter(usize, End),
}

impl Effect {
    /// Whether nothing can happen to the request after this.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Error(_) | Self::Disconnect | Self::Hang)
    }
}

#[derive(Debug)]
pub(super) struct Rule {
    pub(super) pattern: Pattern,
    /// For how many requests more; `None` means all.
    pub(super) left: Option<u32>,
    pub(super) effect: Effect,
}

impl Rule {
    /// Uses the rule once.
    pub(super) fn apply(&mut self) -> Option<Effect> {
        match &mut self.left {
            Some(0) => return None,
            Some(left) => *left -= 1,
            None => {}
        }
        Some(self.effect.clone())
    }
}
