//! `Selection`: which objects of a table a list or watch is about.
//!
//! In: a namespace and selectors. Out: yes or no about a stored object, from what lies beside its bytes.

use std::{borrow::Cow, fmt, sync::Arc};

use crate::protocol::{LabelSelector, Test};

use super::Stored;

/// Shows objects in another form than that in which they are stored.
pub(crate) trait Lens: fmt::Debug + Send + Sync {
    /// An object as it looks from here.
    fn see(&self, object: &Arc<Stored>) -> Arc<Stored>;

    /// Whether it may have to ask somebody first.
    fn asks(&self) -> bool {
        false
    }
}

/// Which objects are meant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// How the keys begin: `namespace/`, or nothing.
    pub prefix: String,
    pub labels: LabelSelector,
    pub fields: Vec<FieldTest>,
    /// In which form they are shown, and judged.
    pub lens: Option<Arc<dyn Lens>>,
}

/// One condition on a field.
#[derive(Clone, Debug)]
pub(crate) struct FieldTest {
    pub field: Field,
    pub test: Test,
    pub value: String,
}

/// A field that can be selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Name,
    Namespace,
    /// One of the kind's own, by its place in the kind's list.
    Own(usize),
}

impl Selection {
    /// Whether selectors narrow it.
    pub(crate) fn is_narrowed(&self) -> bool {
        !self.labels.is_empty() || !self.fields.is_empty()
    }

    /// An object as it is shown.
    pub(crate) fn view<'a>(&self, object: &'a Arc<Stored>) -> Cow<'a, Arc<Stored>> {
        match &self.lens {
            Some(lens) => Cow::Owned(lens.see(object)),
            None => Cow::Borrowed(object),
        }
    }

    /// Whether an object is meant.
    pub(crate) fn matches(&self, object: &Stored) -> bool {
        object.key.starts_with(&self.prefix) && self.selects(object)
    }

    /// Whether an object of the right namespace is meant.
    pub(crate) fn selects(&self, object: &Stored) -> bool {
        self.labels.matches(|key| object.label(key))
            && self.fields.iter().all(|condition| {
                let value = match condition.field {
                    Field::Name => object.name(),
                    Field::Namespace => object.namespace(),
                    Field::Own(index) => object.field(index),
                };
                (value == condition.value) == (condition.test == Test::Equal)
            })
    }

    /// Whether nothing but the one object of this page can match, whose key is known.
    pub(super) fn is_of(&self, page: &[Arc<Stored>]) -> bool {
        let is_whole = |object: &Arc<Stored>| !self.prefix.is_empty() || !object.key.contains('/');
        self.single_name().is_some() && page.iter().all(is_whole)
    }

    /// The one name that can match, where a condition fixes it.
    pub(crate) fn single_name(&self) -> Option<&str> {
        self.fields
            .iter()
            .find(|condition| condition.field == Field::Name && condition.test == Test::Equal)
            .map(|condition| condition.value.as_str())
    }
}
