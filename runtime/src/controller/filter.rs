//! Which events are worth a run.
//!
//! In: an event, with the object as it was and as it is. Out: yes or no. Never: a memory; an event is compared with what the same handler
//! was told before, so an object that was deleted and made again under its name is two events (kube-rs 1830).
//!
//! ```
//! use k8s_openapi::api::apps::v1::Deployment;
//! use kube_codegen_runtime::controller::filter::{self, Filter};
//!
//! let filter = filter::generation::<Deployment>().or(filter::labels()).and(filter::new(|deployment: &Deployment| {
//!     deployment.metadata.name.as_deref() != Some("ignored")
//! }));
//! # let _ = filter;
//! ```

use std::{fmt, sync::Arc};

use kube::{ResourceExt, core::SelectorExt};

use crate::{informer::Event, object::Object, store::Selector};

type Passes<K> = dyn Fn(&Event<K>) -> bool + Send + Sync;

/// Says which events pass. A cheap clone.
pub struct Filter<K>(Arc<Passes<K>>);

impl<K> Clone for Filter<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K> fmt::Debug for Filter<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Filter")
    }
}

impl<K: Object> Filter<K> {
    /// A filter of one's own, which sees whole events.
    pub fn of_events(passes: impl Fn(&Event<K>) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(passes))
    }

    /// Passes what additions and deletions do, and of updates those for which `differs` holds between the old and the new object. An
    /// object in place of another of its name, and the beginning of a deletion, always pass.
    pub fn of_updates(differs: impl Fn(&K, &K) -> bool + Send + Sync + 'static) -> Self {
        Self::of_events(move |event| match event {
            Event::Updated { old, new } => is_another(&**old, &**new) || differs(old, new),
            Event::Added { .. } | Event::Deleted { .. } => true,
        })
    }

    /// Whether an event passes.
    #[must_use]
    pub fn passes(&self, event: &Event<K>) -> bool {
        (self.0)(event)
    }

    /// Passes what both pass.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::of_events(move |event| self.passes(event) && other.passes(event))
    }

    /// Passes what one of them passes.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::of_events(move |event| self.passes(event) || other.passes(event))
    }

    /// Passes what this one does not.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "the three words of the algebra belong together, and `!` would hide one"
    )]
    pub fn not(self) -> Self {
        Self::of_events(move |event| !self.passes(event))
    }
}

/// Passes events about objects for which this holds: the object as it is, or as it last was.
pub fn new<K: Object>(passes: impl Fn(&K) -> bool + Send + Sync + 'static) -> Filter<K> {
    Filter::of_events(move |event| event.object().is_some_and(|object| passes(object)))
}

/// Passes updates that change the generation, which a server raises when something other than metadata and status changes
/// (controller-runtime: `GenerationChangedPredicate`). For kinds whose objects have no generation, every update passes.
///
/// Unlike in Go the beginning of a deletion passes even where a server does not raise the generation with it, since a finalizer that
/// waits for it would never be removed.
#[must_use]
pub fn generation<K: Object>() -> Filter<K> {
    Filter::of_updates(|old: &K, new| {
        let (old, new) = (old.meta().generation, new.meta().generation);
        new.is_none() || old != new
    })
}

/// Passes updates that change labels.
#[must_use]
pub fn labels<K: Object>() -> Filter<K> {
    Filter::of_updates(|old: &K, new| old.labels() != new.labels())
}

/// Passes events about objects with labels that this matches, and of updates also those after which the labels do not match any more: what
/// leaves is news as well.
#[must_use]
pub fn selector<K: Object>(selector: Selector) -> Filter<K> {
    let matches = move |object: &K| selector.matches(object.labels());
    Filter::of_events(move |event| match event {
        Event::Updated { old, new } => matches(old) || matches(new),
        event => event.object().is_some_and(|object| matches(object)),
    })
}

/// Passes updates that change annotations.
#[must_use]
pub fn annotations<K: Object>() -> Filter<K> {
    Filter::of_updates(|old: &K, new| old.annotations() != new.annotations())
}

/// Passes updates that change anything, and so no resyncs.
#[must_use]
pub fn resource_version<K: Object>() -> Filter<K> {
    Filter::of_updates(|old: &K, new| old.meta().resource_version != new.meta().resource_version)
}

/// Whether the new object is not the old one, or its deletion has begun.
fn is_another<K: Object>(old: &K, new: &K) -> bool {
    let (old, new) = (old.meta(), new.meta());
    old.uid != new.uid || (old.deletion_timestamp.is_none() && new.deletion_timestamp.is_some())
}
