//! The garbage collector: what belongs to an object goes when the object goes.
//!
//! In: every change in the store. Out: deletions and patches, one object a step, as the collector of a real cluster makes them. It keeps an
//! index of dependents by owner, so that a step costs what the object costs and not what the cluster costs.

mod classify;
mod graph;

use core::time::Duration;
use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    sync::Arc,
};

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    registry::Resource,
    server::Core,
    store::{Change, Event, FOREGROUND, ORPHAN, Stored, TableId},
};

use self::{
    classify::Reference,
    graph::{Graph, Place},
};
use super::{
    Moment, Origin,
    agent::{Agent, Answer},
};

/// As whom the collector writes.
const NAME: &str = "kube-controller-manager";

/// The garbage collector.
#[derive(Debug, Default)]
pub(super) struct Collector {
    graph: Graph,
    queue: VecDeque<Place>,
    queued: HashSet<Place>,
    /// The objects that are looked at because they name an owner anew, not because an owner went.
    introduced: HashSet<Place>,
    /// Objects that wait for their dependents to go, by uid.
    waiting: HashMap<Box<str>, Place>,
    /// Dependents of kinds that nobody serves: they stay as they are until something more is served.
    unresolved: BTreeSet<Place>,
    /// What was refused, and when it is tried again.
    refused: BTreeSet<Place>,
    again: Option<Duration>,
    /// Tables of objects that are never dependents.
    ignored: Vec<TableId>,
}

/// How long the collector waits before it tries again what was refused.
const AGAIN: Duration = Duration::from_secs(5);

/// What is to be done about an object.
enum Verdict {
    Keep,
    /// Its owners cannot be looked for.
    Unresolved,
    /// It loses the references to these owners.
    Release(Vec<String>),
    /// It goes, this way.
    Delete(&'static str),
    /// It goes in the foreground, and blocks none of its owners any more: they wait for each other.
    DeleteUnblocked,
}

impl Collector {
    /// A collector that passes over these tables.
    pub(super) fn new(ignored: impl IntoIterator<Item = TableId>) -> Self {
        Self { ignored: ignored.into_iter().collect(), ..Self::default() }
    }

    /// Takes note of a change.
    pub(super) fn observe(&mut self, table: TableId, event: &Event, origin: Origin) {
        if self.ignored.contains(&table) {
            return;
        }
        let Event { change, object, previous } = event;
        let place = (table, object.key.clone());
        let gone = *change == Change::Deleted;
        let previous = previous.as_deref();
        let before = previous.map_or(&[][..], |previous| &previous.owners);
        let now = if gone { &[][..] } else { &object.owners };
        self.graph.replace(&place, before, now);
        for owner in before {
            let released = !now.iter().any(|now| now.uid == owner.uid && now.blocks >= owner.blocks);
            if released && let Some(waiting) = self.waiting.get(&owner.uid).cloned() {
                self.enqueue(waiting);
            }
        }
        if gone {
            return self.observe_end(object, &place);
        }
        if before != now && !now.is_empty() && origin == Origin::Request {
            self.introduced.insert(place.clone());
            self.enqueue(place.clone());
        }
        let ending = previous.map(|previous| previous.ending).unwrap_or_default();
        if object.ending.awaits_orphaning() && !ending.awaits_orphaning() {
            self.enqueue(place);
        } else if object.ending.awaits_dependents() && !ending.awaits_dependents() {
            self.waiting.insert(object.uid.clone(), place.clone());
            self.enqueue_dependents(&object.uid);
            self.enqueue(place);
        }
    }

    fn observe_end(&mut self, object: &Stored, place: &Place) {
        self.waiting.remove(&object.uid);
        self.introduced.remove(place);
        self.unresolved.remove(place);
        self.enqueue_dependents(&object.uid);
    }

    /// Looks again at what named owners of kinds that were not served.
    pub(super) fn retry_unresolved(&mut self) {
        for place in std::mem::take(&mut self.unresolved) {
            self.enqueue(place);
        }
    }

    /// When the next step is to be taken.
    pub(super) fn due(&self, at: Duration) -> Option<Duration> {
        if self.queue.is_empty() { self.again } else { Some(at) }
    }

    /// Whether there is anything to do at once.
    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    fn enqueue(&mut self, place: Place) {
        if self.queued.insert(place.clone()) {
            self.queue.push_back(place);
        }
    }

    fn enqueue_dependents(&mut self, uid: &str) {
        let dependents: Vec<Place> = self.graph.dependents(uid).cloned().collect();
        for place in dependents {
            self.enqueue(place);
        }
    }

    /// Looks at the next object and does what is due.
    pub(super) fn step(&mut self, core: &mut Core, moment: Moment) {
        if self.queue.is_empty() {
            self.again = None;
            std::mem::take(&mut self.refused).into_iter().for_each(|place| self.enqueue(place));
        }
        let Some(place) = self.queue.pop_front() else { return };
        self.queued.remove(&place);
        if !self.look_at(&place, core, moment.now) {
            self.refused.insert(place);
            self.again.get_or_insert(moment.at + AGAIN);
        }
    }

    /// Does what is due about an object; says whether that worked.
    fn look_at(&mut self, place: &Place, core: &mut Core, now: Timestamp) -> bool {
        let introduced = self.introduced.remove(place);
        let (Some(resource), Some(object)) =
            (core.registry().of_table(place.0).cloned(), core.stored(place.0, &place.1).cloned())
        else {
            return true;
        };
        let mut agent = Agent { core, now, name: NAME };
        if object.ending.awaits_orphaning() {
            return self.orphan(&mut agent, &resource, &object);
        }
        if object.ending.awaits_dependents() {
            return self.graph.is_blocked(&object.uid)
                || drop_finalizer(&mut agent, &resource, &object, FOREGROUND);
        }
        if object.ending.begun || object.owners.is_empty() {
            return true;
        }
        match self.judge(&mut agent, &resource, &object, introduced) {
            Verdict::Keep => true,
            Verdict::Unresolved => {
                self.unresolved.insert(place.clone());
                true
            }
            Verdict::Release(uids) => release(&mut agent, &resource, &object, &uids),
            Verdict::Delete(policy) => delete(&mut agent, &resource, &object, policy),
            Verdict::DeleteUnblocked => {
                let unblocked = unblock(&mut agent, &resource, &object);
                let object = agent.core.stored(place.0, &place.1).cloned();
                unblocked && object.is_none_or(|object| delete(&mut agent, &resource, &object, "Foreground"))
            }
        }
    }

    fn judge(
        &self,
        agent: &mut Agent<'_>,
        resource: &Resource,
        object: &Stored,
        introduced: bool,
    ) -> Verdict {
        let fields = object.fields();
        let references = classify::references(&fields);
        let Some(classes) = classify::all(agent.core, resource, object, &references) else {
            return Verdict::Unresolved;
        };
        let Some(classes) = classes else { return Verdict::Keep };
        if introduced {
            classify::report_strangers(agent, resource, object, &references, &classes);
        }
        let of = |wanted: &[Reference]| -> Vec<String> {
            let pairs = references.iter().zip(&classes).filter(|(_, class)| wanted.contains(class));
            pairs.map(|(reference, _)| reference.uid.to_owned()).collect()
        };
        if classes.contains(&Reference::Solid) {
            return match of(&[Reference::Dangling, Reference::Waiting]) {
                uids if uids.is_empty() => Verdict::Keep,
                uids => Verdict::Release(uids),
            };
        }
        if classes.contains(&Reference::Waiting) && self.graph.has_dependents(&object.uid) {
            let in_circle = self.graph.dependents(&object.uid).any(|(table, key)| {
                agent.core.stored(*table, key).is_some_and(|dependent| dependent.ending.awaits_dependents())
            });
            return if in_circle { Verdict::DeleteUnblocked } else { Verdict::Delete("Foreground") };
        }
        Verdict::Delete(match (object.ending.orphan, object.ending.foreground) {
            (true, _) => "Orphan",
            (_, true) => "Foreground",
            _ => "Background",
        })
    }

    /// Lets one dependent go, or, when there is none left, the owner itself.
    fn orphan(&mut self, agent: &mut Agent<'_>, resource: &Resource, owner: &Stored) -> bool {
        let next = self.graph.dependents(&owner.uid).find_map(|(table, key)| {
            let resource = agent.core.registry().of_table(*table).cloned()?;
            Some((resource, agent.core.stored(*table, key).cloned()?))
        });
        let Some((kind, dependent)) = next else {
            return drop_finalizer(agent, resource, owner, ORPHAN);
        };
        let released = release(agent, &kind, &dependent, &[owner.uid.to_string()]);
        let place = (resource.table, Arc::clone(&owner.key));
        if released && self.queued.insert(place.clone()) {
            // Comes first, so that nothing else is done to the others meanwhile.
            self.queue.push_front(place);
        }
        released
    }
}

/// Takes a finalizer off an object; the last one takes the object along.
fn drop_finalizer(agent: &mut Agent<'_>, resource: &Resource, object: &Stored, finalizer: &str) -> bool {
    let fields = object.fields();
    let finalizers = fields.get("metadata").and_then(|metadata| metadata.get("finalizers"));
    let names = finalizers.and_then(Value::as_array).into_iter().flatten();
    let kept: Vec<&Value> = names.filter(|name| *name != finalizer).collect();
    let change = json!({"metadata": {"resourceVersion": object.version.to_string(), "finalizers": kept}});
    told(&agent.patch(resource, &object.key, "", &change), object)
}

/// Takes the references to these owners out of an object; says whether that worked.
fn release(agent: &mut Agent<'_>, resource: &Resource, object: &Stored, uids: &[String]) -> bool {
    let keep = |reference: &Value| {
        let uid = reference.get("uid").and_then(Value::as_str).unwrap_or_default();
        (!uids.iter().any(|gone| gone == uid)).then(|| reference.clone())
    };
    change_references(agent, resource, object, keep)
}

/// Lets an object block none of its owners.
fn unblock(agent: &mut Agent<'_>, resource: &Resource, object: &Stored) -> bool {
    change_references(agent, resource, object, |reference| {
        let mut reference = reference.clone();
        if let Some(blocks) = reference.get_mut("blockOwnerDeletion") {
            *blocks = false.into();
        }
        Some(reference)
    })
}

fn change_references(
    agent: &mut Agent<'_>,
    resource: &Resource,
    object: &Stored,
    change: impl Fn(&Value) -> Option<Value>,
) -> bool {
    let fields = object.fields();
    let references = fields.get("metadata").and_then(|metadata| metadata.get("ownerReferences"));
    let references = references.and_then(Value::as_array);
    let changed: Vec<Value> = references.into_iter().flatten().filter_map(change).collect();
    let changed = if changed.is_empty() { Value::Null } else { changed.into() };
    let change =
        json!({"metadata": {"resourceVersion": object.version.to_string(), "ownerReferences": changed}});
    told(&agent.patch(resource, &object.key, "", &change), object)
}

fn delete(agent: &mut Agent<'_>, resource: &Resource, object: &Stored, policy: &str) -> bool {
    let options = json!({
        "preconditions": {"uid": &*object.uid, "resourceVersion": object.version.to_string()},
        "propagationPolicy": policy,
    });
    told(&agent.delete(resource, &object.key, &options), object)
}

/// Whether it worked; a refusal is told to whoever runs the server.
fn told(answer: &Answer, object: &Stored) -> bool {
    if !answer.is_done() {
        tracing::warn!(object = %object.key, why = answer.message(), "garbage collection was refused");
    }
    answer.is_done()
}
