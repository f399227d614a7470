//! The groups of an expression: how deep they are, how large, and how often they repeat what stands in them.
//!
//! In: what is read, part by part. Out: whether there is something to repeat, and which limit of Go it goes beyond. It keeps no text.

use crate::count::Count;

/// How deep an expression may be.
const HEIGHT: usize = 1000;
/// How large a program Go makes of one at most, in its instructions.
const SIZE: u64 = (128 << 20) / 40;

/// A limit of Go, in its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Size,
    Height,
}

impl Limit {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Size => "expression too large",
            Self::Height => "expression nests too deeply",
        }
    }
}

/// A part of an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    height: usize,
    /// How many copies of its innermost part there are.
    copies: u64,
    /// How many instructions it takes.
    size: u64,
    /// How often it repeats what it holds, where it is a repetition itself.
    times: u64,
    stands_for: StandsFor,
}

/// What a part is found as. Letters in a row are one text for Go, alternatives of one letter each a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StandsFor {
    Letter,
    Text,
    Class,
    Other,
}

impl StandsFor {
    fn is_text(self) -> bool {
        matches!(self, Self::Letter | Self::Text)
    }

    fn is_one(self) -> bool {
        matches!(self, Self::Letter | Self::Class)
    }
}

impl Node {
    /// A letter.
    pub(crate) const LETTER: Self =
        Self { height: 1, copies: 0, size: 1, times: 1, stands_for: StandsFor::Letter };
    /// One of several letters.
    pub(crate) const CLASS: Self = Self { stands_for: StandsFor::Class, ..Self::LETTER };
    /// An assertion, or nothing.
    pub(crate) const EMPTY: Self = Self { stands_for: StandsFor::Other, ..Self::LETTER };

    /// Two parts, one after the other.
    fn then(self, other: Self) -> Self {
        Self {
            height: self.height.max(other.height),
            copies: self.copies.max(other.copies),
            size: self.size.saturating_add(other.size),
            times: 1,
            stands_for: match self.stands_for.is_text() && other.stands_for.is_text() {
                true => StandsFor::Text,
                false => StandsFor::Other,
            },
        }
    }

    /// Two parts, of which one is found.
    fn or(self, other: Self) -> Self {
        if self.stands_for.is_one() && other.stands_for.is_one() {
            return Self::CLASS;
        }
        self.then(other).grown(1)
    }

    fn grown(self, by: u64) -> Self {
        Self { size: self.size.saturating_add(by), times: 1, stands_for: StandsFor::Other, ..self }
    }

    fn higher(self) -> Self {
        Self { height: self.height + 1, ..self }
    }

    fn repeated(self, how: &Repeat) -> Self {
        let Repeat::Counted(count) = how else {
            return self.grown(if *how == Repeat::Star { 2 } else { 1 }).higher();
        };
        let least = count.least.unsigned_abs();
        let size = match count.most {
            ..0 if least == 0 => self.size.saturating_add(2),
            ..0 => self.size.saturating_mul(least).saturating_add(1),
            most => {
                let most = most.unsigned_abs();
                self.size.saturating_mul(most).saturating_add(most.saturating_sub(least))
            }
        };
        let copies = count.times().saturating_mul(self.copies.max(1));
        Self { copies, size: size.max(1), times: count.times().max(1), ..self.grown(0).higher() }
    }
}

/// How something is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// `*`
    Star,
    /// `+` and `?`
    Once,
    Counted(Count),
}

/// Whether what a group has matched can be asked for, which makes it a level of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kept {
    Yes,
    #[default]
    No,
}

/// One group, or the whole.
#[derive(Clone, Debug, Default)]
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
        let last = self.last.take().unwrap_or(Node::EMPTY);
        let Some(parts) = self.parts.take() else { return last };
        let all = parts.then(last);
        if all.stands_for == StandsFor::Text { all } else { all.higher() }
    }

    /// What is in the group, in the steps in which Go looks at it: the last alternative, all of them.
    fn end(mut self) -> [Node; 2] {
        let last = self.alternative();
        let whole = match self.ended {
            Some(ended) => match ended.or(last) {
                all if all.stands_for == StandsFor::Class => all,
                all => all.higher(),
            },
            None => last,
        };
        [last, whole]
    }
}

/// The groups that are open, the innermost last.
#[derive(Debug)]
pub(crate) struct Groups {
    open: Vec<Group>,
    deepest: usize,
    largest: u64,
    /// How many parts there are, a run of letters being one, and all repetitions multiplied: Go asks for the size when these allow it to be large.
    parts: u64,
    repeats: u64,
}

impl Default for Groups {
    fn default() -> Self {
        Self { open: vec![Group::default()], deepest: 0, largest: 0, parts: 0, repeats: 1 }
    }
}

impl Groups {
    pub(crate) fn open(&mut self, kept: Kept) {
        self.open.push(Group { kept, ..Group::default() });
    }

    /// Ends a group; whether there was one.
    pub(crate) fn close(&mut self) -> bool {
        if !self.are_open() {
            return false;
        }
        let Some(group) = self.open.pop() else { return false };
        let kept = group.kept;
        let [last, whole] = group.end();
        self.see(last);
        self.see(whole);
        self.push(match kept {
            Kept::Yes => whole.grown(2).higher(),
            Kept::No => whole,
        });
        true
    }

    pub(crate) fn are_open(&self) -> bool {
        self.open.len() > 1
    }

    /// A letter that stands for itself.
    pub(crate) fn letter(&mut self) {
        let is_run = self.open.last().is_some_and(|group| {
            group.parts.is_some() && group.last.is_some_and(|last| last.stands_for == StandsFor::Letter)
        });
        self.push(Node::LETTER);
        self.parts -= u64::from(is_run);
    }

    pub(crate) fn push(&mut self, node: Node) {
        self.parts += 1;
        self.see(node);
        let Some(group) = self.open.last_mut() else { return };
        if let Some(before) = group.last.replace(node) {
            group.parts = Some(group.parts.map_or(before, |parts| parts.then(before)));
        }
    }

    /// Looks at a part as often as Go does: a repetition that is all of a group counts each time.
    fn see(&mut self, node: Node) {
        self.repeats = self.repeats.saturating_mul(node.times);
        self.deepest = self.deepest.max(node.height);
        self.largest = self.largest.max(node.size);
    }

    pub(crate) fn alternative(&mut self) {
        let Some(group) = self.open.last_mut() else { return };
        let ended = group.alternative();
        group.ended = Some(group.ended.map_or(ended, |before| before.or(ended)));
        self.see(ended);
    }

    /// Repeats what was read last, if there is something: how many copies of its innermost part there are then.
    pub(crate) fn repeat(&mut self, how: &Repeat) -> Option<u64> {
        let last = self.open.last_mut()?.last.as_mut()?;
        *last = last.repeated(how);
        let last = *last;
        self.parts += 1;
        self.see(last);
        Some(last.copies)
    }

    /// How deep the expression is so far.
    pub(crate) fn height(&self) -> usize {
        self.deepest
    }

    /// The end of the expression.
    pub(crate) fn end(&mut self) {
        self.open.pop().into_iter().flat_map(Group::end).for_each(|node| self.see(node));
    }

    /// The limit that the expression goes beyond.
    pub(crate) fn beyond(&self) -> Option<Limit> {
        if self.largest > SIZE && self.parts.saturating_mul(self.repeats) >= SIZE {
            return Some(Limit::Size);
        }
        (self.deepest > HEIGHT).then_some(Limit::Height)
    }
}
