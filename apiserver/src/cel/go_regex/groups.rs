//! The groups of an expression: how deep they are, and how often they repeat what stands in them.
//!
//! In: what is read, part by part. Out: whether there is something to repeat, and whether it is too deep. It keeps no text.

/// How deep an expression may be.
const HEIGHT: usize = 1000;

/// A part of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    height: usize,
    /// How many copies of its innermost part there are.
    copies: u64,
}

impl Node {
    /// A letter, a class, an assertion.
    pub(super) const LEAF: Self = Self { height: 1, copies: 0 };

    fn beside(self, other: Self) -> Self {
        Self { height: self.height.max(other.height), copies: self.copies.max(other.copies) }
    }

    fn below(self, levels: bool) -> Self {
        Self { height: self.height + usize::from(levels), ..self }
    }
}

/// Whether what a group has matched can be asked for, which makes it a level of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kept {
    Yes,
    #[default]
    No,
}

/// One group, or the whole.
#[derive(Debug, Default)]
struct Group {
    kept: Kept,
    /// The alternatives that have ended.
    ended: Option<Node>,
    /// The parts of this one but for the last.
    parts: Option<Node>,
    last: Option<Node>,
}

impl Group {
    fn alternative(&mut self) -> Node {
        let several = self.parts.is_some();
        let last = self.last.take().unwrap_or(Node::LEAF);
        self.parts.take().map_or(last, |parts| parts.beside(last)).below(several)
    }

    fn end(mut self) -> Node {
        let last = self.alternative();
        let several = self.ended.is_some();
        let whole = self.ended.map_or(last, |ended| ended.beside(last)).below(several);
        whole.below(self.kept == Kept::Yes)
    }
}

/// The groups that are open, the innermost last.
#[derive(Debug)]
pub(super) struct Groups {
    open: Vec<Group>,
    deepest: usize,
}

impl Default for Groups {
    fn default() -> Self {
        Self { open: vec![Group::default()], deepest: 0 }
    }
}

impl Groups {
    pub(super) fn open(&mut self, kept: Kept) {
        self.open.push(Group { kept, ..Group::default() });
    }

    /// Ends a group; whether there was one.
    pub(super) fn close(&mut self) -> bool {
        if !self.are_open() {
            return false;
        }
        let ended = self.open.pop().map(Group::end);
        ended.into_iter().for_each(|ended| self.push(ended));
        true
    }

    pub(super) fn are_open(&self) -> bool {
        self.open.len() > 1
    }

    pub(super) fn push(&mut self, node: Node) {
        self.deepest = self.deepest.max(node.height);
        let Some(group) = self.open.last_mut() else { return };
        if let Some(before) = group.last.replace(node) {
            group.parts = Some(group.parts.map_or(before, |parts| parts.beside(before)));
        }
    }

    pub(super) fn alternative(&mut self) {
        let Some(group) = self.open.last_mut() else { return };
        let ended = group.alternative();
        group.ended = Some(group.ended.map_or(ended, |before| before.beside(ended)));
    }

    /// Repeats what was read last, if there is something: how many copies of its innermost part there are then.
    pub(super) fn repeat(&mut self, times: u64, is_counted: bool) -> Option<u64> {
        let last = self.open.last_mut()?.last.as_mut()?;
        if is_counted {
            last.copies = times.saturating_mul(last.copies.max(1));
        }
        last.height += 1;
        self.deepest = self.deepest.max(last.height);
        Some(last.copies)
    }

    /// How deep the expression is so far.
    pub(super) fn height(&self) -> usize {
        self.deepest
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.deepest > HEIGHT
    }
}
