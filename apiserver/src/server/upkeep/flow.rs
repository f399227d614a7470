//! Flow schemas: whether the priority level that one names is there.

use std::sync::Arc;

use bytes::Bytes;
use http::{Method, header};
use jiff::Timestamp;
use serde_json::json;

use crate::{protocol::escaped_name, strategy::text};

use super::{super::timestamp, Core, says};

/// As whom the server writes of them.
const MANAGER: &str = "api-priority-and-fairness-config-consumer-v1";
const GROUP_VERSION: &str = "flowcontrol.apiserver.k8s.io/v1";

impl Core {
    pub(super) fn keep_flow(&mut self, now: Timestamp) {
        let Some((tables, seen)) = self.upkeep.flow else { return };
        let newest = |core: &Self| tables.map(|table| core.store.newest(table)).into_iter().max();
        if newest(self).unwrap_or_default() == seen {
            return;
        }
        let [schemas, levels] = tables;
        let stored: Vec<_> = self.store.objects(schemas, "").map(Arc::clone).collect();
        for schema in stored {
            let fields = schema.fields();
            let level = text(&fields, "spec.priorityLevelConfiguration.name");
            let named =
                format!("This FlowSchema references the PriorityLevelConfiguration object named {level:?}");
            let wanted = match self.store.get(levels, level) {
                Some(_) => ["False", "Found", &format!("{named} and it exists")],
                None => ["True", "NotFound", &format!("{named} but there is no such object")],
            };
            if !says(&fields, "Dangling", wanted) {
                self.write_condition(&schema.key, wanted, now);
            }
        }
        self.upkeep.flow = Some((tables, newest(self).unwrap_or_default()));
    }

    fn write_condition(&mut self, name: &str, [status, reason, message]: [&str; 3], now: Timestamp) {
        let condition = json!({
            "type": "Dangling",
            "status": status,
            "lastTransitionTime": timestamp(now),
            "reason": reason,
            "message": message,
        });
        let applied = json!({
            "apiVersion": GROUP_VERSION,
            "kind": "FlowSchema",
            "metadata": {"name": name},
            "status": {"conditions": [condition]},
        });
        let name = escaped_name(name);
        let path =
            format!("/apis/{GROUP_VERSION}/flowschemas/{name}/status?fieldManager={MANAGER}&force=true");
        let request = http::Request::builder()
            .method(Method::PATCH)
            .uri(path)
            .header(header::CONTENT_TYPE, "application/apply-patch+yaml")
            .body(Bytes::from(applied.to_string()));
        self.send_own(request, now);
    }

    /// Sends a request of the server's own, in the middle of another one.
    pub(super) fn send_own(&mut self, request: http::Result<super::super::Request>, now: Timestamp) {
        let Ok(request) = request else { return };
        let calls = std::mem::take(&mut self.calls);
        if let Err(why) = self.dispatch(&request, now) {
            tracing::warn!(%why, path = request.uri().path(), "the server could not keep up something of its own");
        }
        self.calls = calls;
    }
}
