//! Where requests come from.
//!
//! In: events of an informer. Out: keys in the queue. Never: work in a handler; it only finds out which keys an event is about.

use std::any::TypeId;

use kube::{Resource, core::ClusterResourceScope};

use super::{controller_of, filter::Filter};
use crate::{
    informer::{Event, HandlerRegistration, SharedInformer},
    object::{Object, ObjectKey},
    workqueue::{Priority, WorkQueue},
};

/// A handler that is to be added once the queue is there.
pub(super) type Source = Box<dyn FnOnce(&WorkQueue<ObjectKey>) -> HandlerRegistration + Send>;

/// The objects themselves.
pub(super) fn own<K: Object>(informer: SharedInformer<K>, filter: Option<Filter<K>>) -> Source {
    Box::new(move |queue| {
        let queue = queue.clone();
        match filter {
            Some(filter) => informer.add_event_handler(move |event| {
                if filter.passes(&event) {
                    queue.add_with(event.key(), urgency(&event).into());
                }
            }),
            // Nobody looks at the objects.
            None => informer.add_key_handler(move |event| {
                let waits = event.is_initial() || event.is_resync();
                let priority = if waits { Priority::LOW } else { Priority::NORMAL };
                queue.add_with(event.into_key(), priority.into());
            }),
        }
    })
}

/// What `map` finds in the objects of another informer: in both states of one that changed.
pub(super) fn mapped<C, I>(
    informer: SharedInformer<C>,
    filter: Option<Filter<C>>,
    map: impl Fn(&C) -> I + Send + Sync + 'static,
) -> Source
where
    C: Object,
    I: IntoIterator<Item = ObjectKey>,
{
    Box::new(move |queue| {
        let queue = queue.clone();
        informer.add_event_handler(move |event| {
            if filter.as_ref().is_some_and(|filter| !filter.passes(&event)) {
                return;
            }
            let options = urgency(&event).into();
            if let Event::Updated { old, .. } = &event {
                queue.add_all_with(map(old), options);
            }
            if let Some(object) = event.object() {
                queue.add_all_with(map(object), options);
            }
        })
    })
}

/// What was there before, and what is told again, lets go first what happens now.
fn urgency<K: Object>(event: &Event<K>) -> Priority {
    let version = |object: &K| object.meta().resource_version.clone();
    match event {
        Event::Updated { old, new } if version(old) == version(new) => Priority::LOW,
        event if event.is_initial() => Priority::LOW,
        _ => Priority::NORMAL,
    }
}

/// The controller of an object, if it is a `K`.
pub(super) fn controlling<K: Object, C: Resource>(object: &C) -> Option<ObjectKey> {
    let reference = controller_of(object)?;
    let group = reference.api_version.split_once('/').map_or("", |(group, _)| group);
    let is_ours = reference.kind == K::kind(&()) && group == K::group(&());
    let is_cluster = TypeId::of::<K::Scope>() == TypeId::of::<ClusterResourceScope>();
    let namespace = object.meta().namespace.as_deref().filter(|_| !is_cluster).unwrap_or_default();
    is_ours.then(|| ObjectKey::new(namespace, &reference.name))
}
