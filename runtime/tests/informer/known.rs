//! What a handler knows from what it was told, and what was wrong with that.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures::future::BoxFuture;
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::informer::{Delivery, Event, HandlerOptions, SharedInformer};
use parking_lot::Mutex;
use tokio::time::sleep;

use super::support::{name, value};

/// How a handler takes what it is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) millis: u16,
    pub(crate) delivery: Delivery,
}

/// What is known of one object: uid, value, version.
type About = (String, String, u64);

#[derive(Default)]
pub(crate) struct Known {
    objects: BTreeMap<String, About>,
    pub(crate) wrong: Vec<String>,
    pub(crate) told: usize,
}

pub(crate) type Shared = Arc<Mutex<Known>>;

fn about(object: &ConfigMap) -> About {
    let version = object.metadata.resource_version.as_deref().unwrap_or_default();
    (object.metadata.uid.clone().unwrap_or_default(), value(object), version.parse().unwrap_or_default())
}

impl Known {
    fn hear(&mut self, event: &Event<ConfigMap>) {
        self.told += 1;
        let wrong = match event {
            Event::Added { object, .. } => {
                self.objects.insert(name(object), about(object)).map(|_| "added what was there")
            }
            Event::Updated { old, new } => {
                let (was, is) = (about(old), about(new));
                let before = self.objects.insert(name(new), is.clone());
                match before {
                    Some(before) if before != was || was.0 != is.0 => Some("updated from something else"),
                    None => Some("updated what was not there"),
                    Some(before) if before.2 >= is.2 => Some("updated to what is no newer"),
                    Some(_) => None,
                }
            }
            Event::Deleted { key, last, .. } => {
                let before = self.objects.remove(key.name());
                let uid = last.as_ref().map(|last| about(last).0);
                (before.is_none() || before.map(|before| before.0) != uid)
                    .then_some("deleted what was not there")
            }
        };
        self.wrong.extend(wrong.map(|wrong| format!("{wrong}: {event:?}")));
    }

    /// Names and values of what there is, as far as was told.
    pub(crate) fn state(&self) -> BTreeMap<String, String> {
        self.objects.iter().map(|(name, (_, value, _))| (name.clone(), value.clone())).collect()
    }
}

/// Adds a handler that keeps what it is told.
pub(crate) fn listen(informer: &SharedInformer<ConfigMap>, pace: Pace) -> Shared {
    let known = Shared::default();
    let hearing = Arc::clone(&known);
    let options = HandlerOptions::default().delivery(pace.delivery);
    informer.add_async_event_handler(options, move |event| -> BoxFuture<'static, ()> {
        let hearing = Arc::clone(&hearing);
        Box::pin(async move {
            if pace.millis > 0 {
                sleep(Duration::from_millis(pace.millis.into())).await;
            }
            hearing.lock().hear(&event);
        })
    });
    known
}
