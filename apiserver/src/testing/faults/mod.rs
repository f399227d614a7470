//! `Faults`: what goes wrong between a client and its server, on demand.
//!
//! In: rules ("the next two lists of pods fail"). Out: a layer that keeps them. It never looks at what a server stores.

mod gate;
mod layer;
mod rule;
mod stale;
mod stream;

use std::{
    fmt,
    sync::{Arc, Weak},
    time::Duration,
};

use http::Response;
use kube::Client;
use parking_lot::Mutex;
use tower::Layer;

pub use gate::Gate;
pub use layer::{FaultLayer, Faulty};

use crate::Status;

use super::{
    through::service_of,
    verb::{Named, Pattern, Verb},
};
use rule::{Effect, Rule};
#[cfg(feature = "simulation")]
pub(super) use stale::exact as stale_uri;
#[cfg(feature = "simulation")]
pub(super) use stream::expired as expired_event;
use stream::{Control, End};

#[derive(Default)]
struct Shared {
    rules: Mutex<Vec<Rule>>,
    watches: Mutex<Vec<Weak<Control>>>,
}

/// What goes wrong between a client and its server. A handle: clones share everything.
///
/// Faults are asked for by verb and resource, as reactors are: `pods`, `pods/status`, `pods/*`, `deployments.apps`, `*`.
///
/// ```
/// use std::time::Duration;
/// use kube_codegen_apiserver::{Status, testing::{Faults, Verb}};
///
/// let faults = Faults::new();
/// faults.on(Verb::List, "pods").times(2).error(Status::too_many_requests(1)); // the next two lists fail
/// faults.on(Verb::Any, "*").delay(Duration::from_millis(50));                 // everything is slow
/// faults.on(Verb::Watch, "pods").times(1).cut_after(3);                      // the next watch ends early
/// faults.cut_watches("*");                                                    // all open watches end now
/// faults.clear();
/// ```
///
/// They work on the stream of requests alone, so that any client can be tested with them: see [`wrap`](Self::wrap).
#[derive(Clone, Default)]
pub struct Faults {
    shared: Arc<Shared>,
}

impl Faults {
    /// Nothing goes wrong.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A layer for a service that a `kube::Client` stands on.
    #[must_use]
    pub fn layer(&self) -> FaultLayer {
        FaultLayer::new(self.clone())
    }

    /// The same client, with these faults in between. Must be called in a tokio runtime.
    #[must_use]
    pub fn wrap(&self, client: Client) -> Client {
        let namespace = client.default_namespace().to_owned();
        Client::new(self.layer().layer(service_of(client)), namespace)
    }

    /// Begins a rule for requests of this verb (or [`Verb::Any`]) and resource; what happens to them is said by the
    /// method that ends it.
    pub fn on(&self, verb: Verb, resource: &str) -> Fault<'_> {
        Fault { faults: self, pattern: Pattern::new(verb, resource), times: None }
    }

    /// Ends the open watches of a resource, as a server does that restarts. Says how many there were.
    pub fn cut_watches(&self, resource: &str) -> usize {
        self.end_watches(resource, End::Cut)
    }

    /// Breaks the connections of the open watches of a resource. Says how many there were.
    pub fn reset_watches(&self, resource: &str) -> usize {
        self.end_watches(resource, End::Reset)
    }

    /// Ends the open watches of a resource with the event that says 410: the versions they are at have expired. Says how
    /// many there were.
    pub fn expire_watches(&self, resource: &str) -> usize {
        self.end_watches(resource, End::Expired)
    }

    fn end_watches(&self, resource: &str, end: End) -> usize {
        let pattern = Pattern::new(Verb::Watch, resource);
        let open: Vec<_> = self.shared.watches.lock().iter().filter_map(Weak::upgrade).collect();
        open.iter().filter(|watch| watch.matches(&pattern) && watch.end(end)).count()
    }

    /// How many watches are open.
    #[must_use]
    pub fn open_watches(&self) -> usize {
        self.shared.watches.lock().iter().filter(|watch| watch.strong_count() > 0).count()
    }

    /// Forgets all rules. Watches that were to be cut later go on.
    pub fn clear(&self) {
        self.shared.rules.lock().clear();
    }

    /// How many rules are left; those that were for some `times` vanish when they are used up.
    #[must_use]
    pub fn rules(&self) -> usize {
        self.shared.rules.lock().len()
    }

    /// The effects on a request, each of which is used up by it.
    fn take(&self, request: &Named<'_>) -> Vec<Effect> {
        let mut rules = self.shared.rules.lock();
        let mut effects = Vec::new();
        for rule in rules.iter_mut().filter(|rule| rule.pattern.matches(request)) {
            let Some(effect) = rule.apply() else { continue };
            let last = effect.is_final();
            effects.push(effect);
            if last {
                break;
            }
        }
        rules.retain(|rule| rule.left != Some(0));
        effects
    }

    fn watch(&self, control: &Arc<Control>) {
        let mut watches = self.shared.watches.lock();
        watches.retain(|watch| watch.strong_count() > 0);
        watches.push(Arc::downgrade(control));
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faults")
            .field("rules", &self.rules())
            .field("open_watches", &self.open_watches())
            .finish()
    }
}

/// A rule that is being made. Ended by the method that says what happens.
#[derive(Debug)]
#[must_use = "it does nothing until it is said what goes wrong"]
pub struct Fault<'a> {
    faults: &'a Faults,
    pattern: Pattern,
    times: Option<u32>,
}

impl Fault<'_> {
    /// Only the next `times` requests; otherwise all, until [`Faults::clear`].
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    /// They are answered with this failure, and do not reach the server.
    pub fn error(self, status: Status) {
        self.add(Effect::Error(status));
    }

    /// Their connection breaks before they reach the server.
    pub fn disconnect(self) {
        self.add(Effect::Disconnect);
    }

    /// They reach the server, which does what they ask, but the answer is lost.
    pub fn lose_answer(self) {
        self.add(Effect::LoseAnswer);
    }

    /// They are never answered, and do not reach the server.
    pub fn hang(self) {
        self.add(Effect::Hang);
    }

    /// They wait at a gate, and reach the server when the test opens it.
    pub fn hold(self) -> Gate {
        let gate = Gate::new();
        self.add(Effect::Hold(gate.lock()));
        gate
    }

    /// They reach the server only after this time. Delays of several rules add up.
    pub fn delay(self, delay: Duration) {
        self.add(Effect::Delay(delay));
    }

    /// Reads are answered as of an older version, as a lagging cache of a server does. The server must still know that
    /// version. Applies to get and list.
    pub fn read_at(self, version: u64) {
        self.add(Effect::ReadAt(version));
    }

    /// Watches end after so many events, bookmarks included.
    pub fn cut_after(self, events: usize) {
        self.add(Effect::EndAfter(events, End::Cut));
    }

    /// The connection of a watch breaks after so many events, bookmarks included.
    pub fn reset_after(self, events: usize) {
        self.add(Effect::EndAfter(events, End::Reset));
    }

    /// Watches end after so many events, bookmarks included, with one more that says 410.
    pub fn expire_after(self, events: usize) {
        self.add(Effect::EndAfter(events, End::Expired));
    }

    fn add(self, effect: Effect) {
        let rule = Rule { pattern: self.pattern, left: self.times, effect };
        if rule.left != Some(0) {
            self.faults.shared.rules.lock().push(rule);
        }
    }
}

type Answer = Response<super::reply::Body>;
