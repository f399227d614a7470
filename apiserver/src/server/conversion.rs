//! Conversion webhooks: what cannot be converted is refused.
//!
//! In: a request for a kind whose versions a webhook converts. Out: the refusal of what would need it, in the words with which a real server
//! tells that a conversion webhook cannot be reached. Objects in the version in which they are stored need no conversion.

use http::Method;

use crate::{
    admission::calls::Mode,
    protocol::Status,
    registry::Conversion,
    store::{Selection, Stored},
    strategy::text,
};

use super::{Context, Core};

impl Core {
    /// Why a request cannot be answered without a conversion webhook; none where it can.
    pub(super) fn unconverted(&self, context: &Context<'_>) -> Option<Status> {
        let resource = &context.resource;
        let custom = resource.custom.as_ref().filter(|custom| custom.conversion == Conversion::Webhook)?;
        // What the server does by itself does not depend on how objects look.
        if self.calls.mode == Mode::Skipped {
            return None;
        }
        let method = context.request.method();
        let own = failed(&resource.group, &resource.version, &resource.kind);
        let plain = |why: String| Status::new(500, "", why);
        if context.name.is_empty() {
            if *method == Method::POST {
                return custom.is_stored_elsewhere().then(|| plain(own));
            }
            let prefix =
                if context.namespace.is_empty() { String::new() } else { format!("{}/", context.namespace) };
            let selection = Selection { prefix, ..Selection::default() };
            let all = self.store.select(resource.table, &selection);
            if let Some(foreign) = all.iter().find(|object| custom.is_foreign(object)) {
                let key = resource.storage_key(&foreign.key);
                return Some(initializing(&resource.name().to_string(), &key, foreign));
            }
            let watches = context.query.flag("watch").unwrap_or_default();
            return (watches && custom.is_stored_elsewhere()).then(|| plain(own));
        }
        let stored = self.store.get(resource.table, &context.key())?;
        match (custom.is_foreign(stored), *method == Method::GET || *method == Method::DELETE) {
            (true, true) => {
                let key = format!("/{}/{}/{}", resource.group, resource.plural, stored.key);
                Some(Status::internal(corrupt(&key, stored)))
            }
            (true, false) => Some(plain(undecodable(stored))),
            (false, true) => None,
            (false, false) => custom.is_stored_elsewhere().then(|| plain(own)),
        }
    }
}

fn failed(group: &str, version: &str, kind: &str) -> String {
    format!(
        "conversion webhook for {group}/{version}, Kind={kind} failed: this server calls no conversion webhooks"
    )
}

fn undecodable(object: &Stored) -> String {
    let fields = object.fields();
    let (group, version) = text(&fields, "apiVersion").rsplit_once('/').unwrap_or_default();
    let why = failed(group, version, text(&fields, "kind"));
    format!("object not decodable revision={}: {why}", object.version)
}

fn corrupt(key: &str, object: &Stored) -> String {
    format!(
        "StorageError: corrupt object, Code: 7, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: {}",
        undecodable(object)
    )
}

fn initializing(name: &str, key: &str, object: &Stored) -> Status {
    let why = format!(
        "storage is (re)initializing: failed to list <unspecified>: failed to read one or more {name} from the storage: {}",
        corrupt(key, object)
    );
    Status::new(429, "TooManyRequests", why).with_retry_after(1)
}
