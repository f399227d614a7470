//! What services are given: addresses of the cluster's network, and ports of its nodes.
//!
//! In: a service as it would be stored, and what its client has asked for. Out: the service with addresses and ports that no other has; or
//! the refusal of one that is taken, or out of range. There is one network, and it has addresses of one family.

use std::{
    collections::{HashMap, HashSet},
    net::Ipv4Addr,
    sync::Arc,
};

use serde_json::Value;

use crate::{
    protocol::{FieldError, Fields, Status},
    registry::Resource,
    store::{Change, Store, Stored, TableId},
    strategy::{address_errors, at, has_health_port, has_node_ports, set, text},
};

use super::{Context, Core, options::WriteOptions};

/// The network of services: 10.0.0.0/12.
const NETWORK: u32 = 0x0a00_0000;
const SIZE: u32 = 1 << 20;
const RANGE: &str = "10.0.0.0/12";
/// The ports of nodes that services may have.
const FIRST_PORT: u64 = 30000;
const LAST_PORT: u64 = 32767;

/// What is given out, and to whom.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// The last change that was looked at.
    seen: u64,
    addresses: HashMap<Ipv4Addr, Arc<str>>,
    ports: HashMap<u64, Arc<str>>,
    held: HashMap<Arc<str>, Held>,
}

/// What one service has.
#[derive(Debug, Default)]
struct Held {
    addresses: Vec<Ipv4Addr>,
    ports: Vec<u64>,
}

/// What a client asks for itself.
#[derive(Debug, Default)]
pub(super) struct Wish {
    address: bool,
    listed: bool,
    families: usize,
    ports: Vec<u64>,
    health_port: bool,
}

/// Whether a resource is that of services.
pub(super) fn is_service(resource: &Resource) -> bool {
    resource.group.is_empty() && resource.plural == "services"
}

fn items<'a>(object: &'a Fields, path: &str) -> &'a [Value] {
    at(object, path).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn node_port(port: &Value) -> u64 {
    port.get("nodePort").and_then(Value::as_u64).unwrap_or_default()
}

impl Wish {
    /// What a service asks for that is new, or replaces another.
    pub(super) fn of(service: &Fields, old: Option<&Fields>) -> Self {
        let address = text(service, "spec.clusterIP");
        let before = old.map_or("", |old| text(old, "spec.clusterIP"));
        Self {
            address: !["", "None", before].contains(&address),
            listed: !items(service, "spec.clusterIPs").is_empty(),
            families: items(service, "spec.ipFamilies").len(),
            ports: items(service, "spec.ports").iter().map(node_port).filter(|port| *port != 0).collect(),
            health_port: at(service, "spec.healthCheckNodePort")
                .and_then(Value::as_u64)
                .is_some_and(|port| port != 0),
        }
    }
}

impl Held {
    fn of(service: &Fields) -> Self {
        let ports = items(service, "spec.ports").iter().map(node_port);
        let health = at(service, "spec.healthCheckNodePort").and_then(Value::as_u64);
        Self {
            addresses: items(service, "spec.clusterIPs")
                .iter()
                .filter_map(|address| address.as_str()?.parse().ok())
                .collect(),
            ports: ports.chain(health).filter(|port| *port != 0).collect(),
        }
    }
}

impl Given {
    /// Takes note of what has changed.
    fn follow(&mut self, store: &Store, table: TableId) {
        let newest = store.newest(table);
        if newest == self.seen {
            return;
        }
        let followed = store.events_after(table, self.seen).map(|events| {
            for event in events {
                self.note(&event.object, event.change);
            }
        });
        if followed.is_err() {
            *self = Self::default();
            for service in store.all(table, "") {
                self.note(service, Change::Added);
            }
        }
        self.seen = newest;
    }

    fn note(&mut self, service: &Arc<Stored>, change: Change) {
        let key = &service.key;
        let before = self.held.remove(key).unwrap_or_default();
        for address in before.addresses {
            if self.addresses.get(&address).is_some_and(|owner| owner == key) {
                self.addresses.remove(&address);
            }
        }
        for port in before.ports {
            if self.ports.get(&port).is_some_and(|owner| owner == key) {
                self.ports.remove(&port);
            }
        }
        if change == Change::Deleted {
            return;
        }
        let held = Held::of(&service.fields());
        for address in &held.addresses {
            self.addresses.entry(*address).or_insert_with(|| Arc::clone(key));
        }
        for port in &held.ports {
            self.ports.entry(*port).or_insert_with(|| Arc::clone(key));
        }
        self.held.insert(Arc::clone(key), held);
    }

    fn is_free(&self, address: Ipv4Addr, key: &str) -> bool {
        self.addresses.get(&address).is_none_or(|owner| **owner == *key)
    }

    fn is_open(&self, port: u64, key: &str) -> bool {
        self.ports.get(&port).is_none_or(|owner| **owner == *key)
    }

    /// A free address, from this one on.
    fn next_address(&self, from: Ipv4Addr, key: &str) -> Option<Ipv4Addr> {
        let start = from.to_bits().wrapping_sub(NETWORK) % SIZE;
        // The first and the last are no addresses of anybody.
        let places =
            (0..SIZE).map(|step| (start + step) % SIZE).filter(|place| *place != 0 && *place != SIZE - 1);
        places.map(|place| Ipv4Addr::from_bits(NETWORK + place)).find(|address| self.is_free(*address, key))
    }

    /// A free port, from this one on.
    fn next_port(&self, from: u64, key: &str, taken: &HashSet<u64>) -> Option<u64> {
        let count = LAST_PORT - FIRST_PORT + 1;
        let start = from.saturating_sub(FIRST_PORT) % count;
        let mut ports = (0..count).map(|step| FIRST_PORT + (start + step) % count);
        ports.find(|port| self.is_open(*port, key) && !taken.contains(port))
    }
}

impl Core {
    /// Gives a service what it asks for, or what is free.
    pub(super) fn give(
        &mut self,
        context: &Context<'_>,
        options: &WriteOptions,
        service: &mut Fields,
        (wish, old): (&Wish, Option<&Fields>),
    ) -> Result<(), Status> {
        self.given.follow(&self.store, context.resource.table);
        let name = text(service, "metadata.name").to_owned();
        let key = context.resource.key(&context.namespace, &name);
        let gift = Gift { given: &self.given, key: &key, wish, is_dry: options.dry_run };
        let invalid = |errors: Vec<FieldError>| match errors.is_empty() {
            true => Ok(()),
            false => Err(Status::invalid(context.resource.kind_name(), &name, &errors)),
        };
        if text(service, "spec.type") != "ExternalName" {
            invalid(families(service, wish, old))?;
            invalid(gift.address(service).err().into_iter().collect())?;
        }
        if has_node_ports(service) {
            invalid(gift.ports(service).err().into_iter().collect())?;
        }
        if has_health_port(service) { gift.health_port(service) } else { Ok(()) }
    }
}

/// What is wrong with the addresses that a service asks for, by themselves: a real server says that before all else, and nothing more then.
/// An address that the server has chosen for a new service is none that it asks for.
pub(super) fn refuse_early(
    resource: &Resource,
    service: &mut Fields,
    wish: Option<&Wish>,
) -> Result<(), Status> {
    let chosen =
        wish.is_some_and(|wish| !wish.address && !wish.listed) && text(service, "spec.clusterIP") != "None";
    let mut kept = Vec::new();
    if let Some(spec) = service.get_mut("spec").and_then(Value::as_object_mut).filter(|_| chosen) {
        kept.extend(["clusterIP", "clusterIPs"].into_iter().filter_map(|name| spec.remove_entry(name)));
    }
    let errors = address_errors(service);
    if let Some(spec) = service.get_mut("spec").and_then(Value::as_object_mut) {
        spec.extend(kept);
    }
    match errors {
        errors if errors.is_empty() => Ok(()),
        errors => Err(Status::invalid(resource.kind_name(), text(service, "metadata.name"), &errors)),
    }
}

/// One service that is given something.
struct Gift<'a> {
    given: &'a Given,
    key: &'a str,
    wish: &'a Wish,
    is_dry: bool,
}

impl Gift<'_> {
    fn address(&self, service: &mut Fields) -> Result<(), FieldError> {
        let shown = text(service, "spec.clusterIP").to_owned();
        let Ok(address) = shown.parse::<Ipv4Addr>() else { return Ok(()) };
        let list = at(service, "spec.clusterIPs").cloned().unwrap_or_default();
        let failed = |why: &str| {
            FieldError::invalid("spec.clusterIPs", &list, format!("failed to allocate IP {shown}: {why}"))
        };
        if self.wish.address {
            let is_inside = address.to_bits() & !(SIZE - 1) == NETWORK;
            let why = match (is_inside, self.is_dry) {
                (true, _) if self.given.is_free(address, self.key) => return Ok(()),
                (true, _) => "provided IP is already allocated".to_owned(),
                (false, false) => "the provided network does not match the current range".to_owned(),
                (false, true) => format!(
                    "the provided IP ({shown}) is not in the valid range. The range of valid IPs is {RANGE}"
                ),
            };
            return Err(failed(&why));
        }
        if self.given.is_free(address, self.key) {
            return Ok(());
        }
        let Some(next) = self.given.next_address(address, self.key) else {
            return Err(failed("range is full"));
        };
        let next = next.to_string();
        set(service, "spec.clusterIP", next.as_str());
        set(service, "spec.clusterIPs", vec![Value::from(next)]);
        Ok(())
    }

    fn ports(&self, service: &mut Fields) -> Result<(), FieldError> {
        let mut taken: HashSet<u64> = self.wish.ports.iter().copied().collect();
        let ports =
            service.get_mut("spec").and_then(|spec| spec.get_mut("ports")).and_then(Value::as_array_mut);
        for (index, port) in ports.into_iter().flatten().enumerate() {
            let number = node_port(port);
            let refused =
                |why: &str| FieldError::invalid(format!("spec.ports[{index}].nodePort"), &number.into(), why);
            if number == 0 {
                continue;
            }
            if self.wish.ports.contains(&number) {
                if let Some(why) = self.refusal(number) {
                    return Err(refused(&why));
                }
                continue;
            }
            let Some(next) = self.given.next_port(number, self.key, &taken) else {
                return Err(refused("range is full"));
            };
            taken.insert(next);
            port["nodePort"] = next.into();
        }
        Ok(())
    }

    fn health_port(&self, service: &mut Fields) -> Result<(), Status> {
        let number = at(service, "spec.healthCheckNodePort").and_then(Value::as_u64).unwrap_or_default();
        if number == 0 {
            return Ok(());
        }
        let why = match self.refusal(number) {
            Some(why) if self.wish.health_port => why,
            _ => {
                let taken: HashSet<u64> = items(service, "spec.ports").iter().map(node_port).collect();
                let next = self.given.next_port(number, self.key, &taken);
                let keeps = self.wish.health_port;
                match next.filter(|_| !keeps) {
                    Some(next) => set(service, "spec.healthCheckNodePort", next),
                    None if keeps => {}
                    None => {
                        return Err(Status::internal(
                            "failed to allocate a HealthCheck NodePort: range is full",
                        ));
                    }
                }
                return Ok(());
            }
        };
        Err(Status::internal(format!("failed to allocate requested HealthCheck NodePort {number}: {why}")))
    }

    /// Why a port cannot be had.
    fn refusal(&self, port: u64) -> Option<String> {
        if !(FIRST_PORT..=LAST_PORT).contains(&port) {
            return Some(format!(
                "provided port is not in the valid range. The range of valid ports is {FIRST_PORT}-{LAST_PORT}"
            ));
        }
        (!self.given.is_open(port, self.key)).then(|| "provided port is already allocated".to_owned())
    }
}

/// What a network of one family cannot give.
fn families(service: &Fields, wish: &Wish, old: Option<&Fields>) -> Vec<FieldError> {
    let differs = |path: &str| old.is_none_or(|old| at(old, path) != at(service, path));
    let addresses = items(service, "spec.clusterIPs");
    let list = at(service, "spec.clusterIPs").cloned().unwrap_or_default();
    let is_six = |address: &Value| address.as_str().is_some_and(|address| address.contains(':'));
    let strangers = addresses.iter().enumerate().skip(wish.families).filter(|(_, address)| is_six(address));
    let found: Vec<FieldError> = strangers
        .filter(|_| differs("spec.clusterIPs"))
        .map(|(index, _)| {
            let field = format!("spec.clusterIPs[{index}]");
            FieldError::invalid(field, &list, "IPv6 is not configured on this cluster")
        })
        .collect();
    let selects = at(service, "spec.selector").and_then(Value::as_object).is_some_and(|map| !map.is_empty());
    if !found.is_empty() || (text(service, "spec.clusterIP") == "None" && !selects) {
        return found;
    }
    let mut found = found;
    let policy = text(service, "spec.ipFamilyPolicy");
    if policy == "RequireDualStack" && differs("spec.ipFamilyPolicy") {
        let why = "this cluster is not configured for dual-stack services";
        found.push(FieldError::invalid_text("spec.ipFamilyPolicy", policy, why));
    }
    if differs("spec.ipFamilies") {
        for (index, family) in items(service, "spec.ipFamilies").iter().enumerate() {
            let field = format!("spec.ipFamilies[{index}]");
            match family.as_str().unwrap_or_default() {
                "IPv4" => {}
                "IPv6" => {
                    found.push(FieldError::invalid(field, family, "not configured on this cluster"));
                }
                _ => found.push(FieldError::not_supported(field, family, &["IPv4", "IPv6"])),
            }
        }
    }
    found
}
