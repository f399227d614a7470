//! API services: one for each version of a custom kind's group; and whether those of others can be reached.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use bytes::Bytes;
use http::{Method, header};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    protocol::Fields,
    registry::Found,
    store::TableId,
    strategy::{at, text},
};

use super::{
    super::{Request, SystemObjects, timestamp},
    Core, says,
};

const GROUP_VERSION: &str = "apiregistration.k8s.io/v1";
/// The label of API services that the server looks after.
const MANAGED: &str = "kube-aggregator.kubernetes.io/automanaged";
/// As whom the server writes of them.
const MANAGER: &str = "kube-apiserver";

/// How far API services were looked at.
#[derive(Debug)]
pub(super) struct Seen {
    /// API services, services and slices of endpoints.
    tables: Option<[TableId; 3]>,
    definitions: Option<TableId>,
    version: u64,
    /// The API services of others.
    remote: Vec<Arc<str>>,
}

impl Seen {
    pub(super) fn new(table: impl Fn(&str, &str) -> Option<TableId>, objects: SystemObjects) -> Self {
        let tables = [
            table(GROUP_VERSION, "APIService"),
            table("v1", "Service"),
            table("discovery.k8s.io/v1", "EndpointSlice"),
        ];
        let tables = match tables {
            [Some(own), Some(services), Some(slices)] => Some([own, services, slices]),
            _ => None,
        };
        // Where none of the system's API services are there, those of custom kinds are not looked for either.
        let definitions = (objects == SystemObjects::All)
            .then(|| table("apiextensions.k8s.io/v1", "CustomResourceDefinition"))
            .flatten();
        Self { tables, definitions, version: 0, remote: Vec::new() }
    }
}

impl Core {
    pub(super) fn keep_services(&mut self, now: Timestamp) {
        let Some(tables) = self.upkeep.services.tables else { return };
        let [own, services, slices] = tables;
        let seen = self.upkeep.services.version;
        let definitions = self.upkeep.services.definitions;
        let changed = |core: &Self, table: TableId| core.store.newest(table) > seen;
        let mut looks = changed(self, own);
        if definitions.is_some_and(|table| changed(self, table)) || (looks && definitions.is_some()) {
            self.follow_versions(own, now);
            looks = true;
        }
        let others =
            !self.upkeep.services.remote.is_empty() && (changed(self, services) || changed(self, slices));
        if !looks && !others {
            return;
        }
        if looks {
            self.find_remote(own);
        }
        for key in self.upkeep.services.remote.clone() {
            self.tell_of(own, &key, now);
        }
        self.upkeep.services.version = self.store.version();
    }

    /// Takes the API services as they are.
    pub(super) fn take_services_for_kept(&mut self) {
        if let Some([own, _, _]) = self.upkeep.services.tables
            && self.store.newest(own) > self.upkeep.services.version
        {
            self.find_remote(own);
            self.upkeep.services.version = self.store.version();
        }
    }

    /// Notes which API services are those of others.
    fn find_remote(&mut self, own: TableId) {
        let (mut remote, mut elsewhere) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
        for object in self.store.objects(own, "").filter(|object| object.label(MANAGED).is_none()) {
            let fields = object.fields();
            if at(&fields, "spec.service").is_some_and(Value::is_object) {
                let (group, version) = (text(&fields, "spec.group"), text(&fields, "spec.version"));
                elsewhere.entry(group.to_owned()).or_default().push(version.to_owned());
                remote.push(Arc::clone(&object.key));
            }
        }
        self.upkeep.services.remote = remote;
        if *self.registry.elsewhere() != elsewhere {
            Arc::make_mut(&mut self.registry).answer_elsewhere(elsewhere);
        }
    }

    /// Lets API services come and go with the versions that definitions have.
    fn follow_versions(&mut self, own: TableId, now: Timestamp) {
        let mut wanted = BTreeMap::new();
        for (group, version) in self.defined_versions() {
            wanted.insert(format!("{version}.{group}"), (group, version));
        }
        let mut there = BTreeSet::new();
        let mut left = Vec::new();
        for object in self.store.objects(own, "") {
            there.insert(object.name().to_owned());
            if object.label(MANAGED) == Some("true") && !wanted.contains_key(object.name()) {
                left.push(object.name().to_owned());
            }
        }
        for name in left {
            self.send_own(request(Method::DELETE, &name, &json!({})), now);
        }
        for (name, (group, version)) in wanted {
            if there.contains(&name) {
                continue;
            }
            let service = json!({
                "apiVersion": GROUP_VERSION,
                "kind": "APIService",
                "metadata": {"name": name, "labels": {MANAGED: "true"}},
                "spec": {
                    "group": group,
                    "version": version,
                    "groupPriorityMinimum": 1000,
                    "versionPriority": 100,
                },
            });
            self.send_own(request(Method::POST, "", &service), now);
        }
    }

    /// Says of an API service of others why it cannot be reached.
    fn tell_of(&mut self, own: TableId, key: &str, now: Timestamp) {
        let Some(object) = self.store.get(own, key) else { return };
        let mut fields = object.fields();
        let (reason, message) = self.hindrance(&fields);
        if says(&fields, "Available", ["False", reason, &message]) {
            return;
        }
        let name = object.name().to_owned();
        let condition = json!({
            "type": "Available",
            "status": "False",
            "lastTransitionTime": timestamp(now),
            "reason": reason,
            "message": message,
        });
        crate::strategy::set(&mut fields, "status.conditions", json!([condition]));
        fields.insert("apiVersion".to_owned(), GROUP_VERSION.into());
        fields.insert("kind".to_owned(), "APIService".into());
        self.send_own(request(Method::PUT, &format!("{name}/status"), &fields.into()), now);
    }

    /// Why the service behind an API service cannot be reached.
    fn hindrance(&self, fields: &Fields) -> (&'static str, String) {
        let [namespace, name] =
            ["namespace", "name"].map(|part| text(fields, &format!("spec.service.{part}")));
        let port = at(fields, "spec.service.port").and_then(Value::as_i64).unwrap_or(443);
        let Some(service) = self.stored_service(namespace, name) else {
            return ("ServiceNotFound", format!("service/{name} in {namespace:?} is not present"));
        };
        if text(&service, "spec.type") == "ClusterIP" {
            let ports = at(&service, "spec.ports").and_then(Value::as_array).into_iter().flatten();
            let mut ports = ports.filter(|one| one.get("port").and_then(Value::as_i64) == Some(port));
            let Some(found) = ports.next() else {
                let why = format!("service/{name} in {namespace:?} is not listening on port {port}");
                return ("ServicePortError", why);
            };
            let port = found.get("name").and_then(Value::as_str).unwrap_or_default();
            let slices = self.slices(namespace, name);
            if slices.is_empty() {
                let why = format!("cannot find endpointslices for service/{name} in {namespace:?}");
                return ("EndpointsNotFound", why);
            }
            if !slices.iter().any(|slice| has_addresses(slice, port)) {
                let why = format!(
                    "endpointslices for service/{name} in {namespace:?} have no addresses with port name {port:?}"
                );
                return ("MissingEndpoints", why);
            }
        }
        ("FailedDiscoveryCheck", "this server passes no requests on to other API servers".to_owned())
    }

    fn stored_service(&self, namespace: &str, name: &str) -> Option<Fields> {
        let Found::Resource(resource) = self.registry.find("", "v1", "services") else { return None };
        self.store.get(resource.table, &resource.key(namespace, name)).map(|stored| stored.fields())
    }

    /// The endpoints of a service.
    fn slices(&self, namespace: &str, service: &str) -> Vec<Fields> {
        let Found::Resource(resource) = self.registry.find("discovery.k8s.io", "v1", "endpointslices") else {
            return Vec::new();
        };
        let prefix = format!("{namespace}/");
        let all = self.store.objects(resource.table, &prefix);
        let its = all.filter(|slice| slice.label("kubernetes.io/service-name") == Some(service));
        its.map(|slice| slice.fields()).collect()
    }
}

/// Whether a slice has somebody to talk to under a port of this name.
fn has_addresses(slice: &Fields, port: &str) -> bool {
    let list = |name: &str| slice.get(name).and_then(Value::as_array).into_iter().flatten();
    let named = |one: &Value| one.get("name").and_then(Value::as_str).unwrap_or_default() == port;
    let filled =
        |one: &Value| one.get("addresses").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
    list("ports").any(named) && list("endpoints").any(filled)
}

/// A request of the server's own about an API service.
fn request(method: Method, below: &str, body: &Value) -> http::Result<Request> {
    let separator = if below.is_empty() { "" } else { "/" };
    http::Request::builder()
        .method(method)
        .uri(format!("/apis/{GROUP_VERSION}/apiservices{separator}{below}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::USER_AGENT, MANAGER)
        .body(Bytes::from(body.to_string()))
}
