//! A handler that writes down what it is told.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use kube_codegen_runtime::object::Object;
use sample_controller::{Handler, HandlerError};
use tokio::{sync::watch, time::timeout};

/// What to write about an object.
pub(crate) type Describe<K> = fn(&K) -> String;

/// Decides whether a call fails, by the line that it would write.
type Failing = Box<dyn FnMut(&str) -> bool + Send>;

/// The handler; clones write into the same book.
pub(crate) struct Recorder<K> {
    describe: Describe<K>,
    lines: watch::Sender<Vec<String>>,
    failing: Arc<Mutex<Option<Failing>>>,
}

impl<K> Clone for Recorder<K> {
    fn clone(&self) -> Self {
        Self { describe: self.describe, lines: self.lines.clone(), failing: Arc::clone(&self.failing) }
    }
}

impl<K> Recorder<K> {
    pub(crate) fn new(describe: Describe<K>) -> Self {
        Self { describe, lines: watch::Sender::default(), failing: Arc::default() }
    }

    /// From now on, calls fail of which this holds.
    pub(crate) fn fail_if(&self, failing: impl FnMut(&str) -> bool + Send + 'static) {
        *self.failing.lock().unwrap() = Some(Box::new(failing));
    }

    /// All lines so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.borrow().clone()
    }

    /// Waits until there are so many lines, and gives them.
    #[track_caller]
    pub(crate) fn wait_for(&self, count: usize) -> impl Future<Output = Vec<String>> {
        self.wait_until(move |lines| lines.len() >= count)
    }

    /// Waits until this holds of the lines, and gives them.
    pub(crate) async fn wait_until(&self, holds: impl Fn(&[String]) -> bool) -> Vec<String> {
        let mut lines = self.lines.subscribe();
        let found = timeout(Duration::from_secs(60), lines.wait_for(|lines| holds(lines))).await;
        match found {
            Ok(lines) => lines.unwrap().clone(),
            Err(_) => panic!("still waiting, with {:?}", self.lines()),
        }
    }

    /// Writes a line, or fails without.
    fn write(&self, line: String) -> Result<(), HandlerError> {
        if self
            .failing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
            .is_some_and(|failing| failing(&line))
        {
            return Err(format!("cannot handle {line}").into());
        }
        self.lines.send_modify(|lines| lines.push(line));
        Ok(())
    }
}

impl<K: Object> Handler<K> for Recorder<K> {
    async fn created(&self, object: &Arc<K>) -> Result<(), HandlerError> {
        self.write(format!("+{}", (self.describe)(object)))
    }

    async fn updated(&self, old: &Arc<K>, new: &Arc<K>) -> Result<(), HandlerError> {
        self.write(format!("{}>{}", (self.describe)(old), (self.describe)(new)))
    }

    async fn deleted(&self, last: &Arc<K>) -> Result<(), HandlerError> {
        self.write(format!("-{}", (self.describe)(last)))
    }
}
