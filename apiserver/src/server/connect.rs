//! What only a node could answer: exec, attach, portforward and proxies, as a server says it whose nodes are out of reach; and the
//! health of the control plane's parts.
//!
//! In: a request for such a connection. Out: why there is none. Nothing is ever connected here.

use serde_json::{Value, json};

use crate::{
    printers::{Columns, Row, TableForm},
    protocol::{Fields, ResourceName, Status},
    registry::Found,
    strategy::{at, text},
};

use super::{Context, Core, log::container, reply::Reply};

/// Where a kubelet listens.
const KUBELET: u16 = 10250;
/// The order in which addresses of a node are tried.
const PREFERRED: [&str; 5] = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];

impl Core {
    /// exec, attach and portforward of a pod.
    pub(super) fn stream(&self, context: &Context<'_>, way: &str) -> Result<Reply, Status> {
        let missing = || context.not_found();
        let pod = self.store.get(context.resource.table, &context.key()).ok_or_else(missing)?.fields();
        if way != "portforward" {
            container(&pod, &context.name, context.query.text("container"))?;
        }
        let node = text(&pod, "spec.nodeName");
        if node.is_empty() {
            let name = &context.name;
            return Err(Status::bad_request(format!("pod {name} does not have a host assigned")));
        }
        let address = self.node_address(node, "pods")?;
        if !context.request.headers().contains_key(http::header::UPGRADE) {
            return Err(Status::bad_request("Upgrade request required"));
        }
        let why = format!("error dialing backend: dial tcp {address}:{KUBELET}: connect: no route to host");
        Err(Status::internal(why))
    }

    /// The proxies of pods, services and nodes.
    pub(super) fn proxy(&self, context: &Context<'_>) -> Result<Reply, Status> {
        let (name, port) = split(&context.name);
        match context.resource.plural.as_str() {
            "nodes" => {
                let address = self.node_address(name, "nodes")?;
                if is_local(&address) {
                    return Err(Status::bad_request("address not allowed"));
                }
                Err(unreachable(&address, port.unwrap_or("10250")))
            }
            "services" => self.proxy_service(context, name, port),
            _ => {
                let key = context.resource.key(&context.namespace, name);
                let missing = || Status::not_found(context.resource.name(), name);
                let pod = self.store.get(context.resource.table, &key).ok_or_else(missing)?.fields();
                let address = text(&pod, "status.podIP");
                if is_local(address) {
                    return Err(Status::bad_request("address not allowed"));
                }
                Err(unreachable(address, port.unwrap_or("80")))
            }
        }
    }

    fn proxy_service(&self, context: &Context<'_>, name: &str, port: Option<&str>) -> Result<Reply, Status> {
        if let Some(number) = port.and_then(|port| port.parse::<i64>().ok()) {
            let key = context.resource.key(&context.namespace, name);
            let missing = || Status::not_found(context.resource.name(), name);
            let service = self.store.get(context.resource.table, &key).ok_or_else(missing)?.fields();
            let ports = at(&service, "spec.ports").and_then(Value::as_array);
            let known = |port: &Value| port.get("port").and_then(Value::as_i64) == Some(number);
            if !ports.into_iter().flatten().any(known) {
                return Err(Status::service_unavailable(format!(
                    "no service port {number} found for service \"{name}\""
                )));
            }
        }
        Err(Status::service_unavailable(format!("no endpoints available for service \"{name}\"")))
    }

    /// Where the kubelet of a pod's node is to be found.
    pub(crate) fn kubelet_address(&self, node: &str) -> Result<String, Status> {
        self.node_address(node, "pods")
    }

    /// Where a node is to be found. A node that is missing is told as one of the asked-for resource.
    fn node_address(&self, name: &str, resource: &str) -> Result<String, Status> {
        let node = match self.registry.find("", "v1", "nodes") {
            Found::Resource(nodes) => self.store.get(nodes.table, name).map(|node| node.fields()),
            _ => None,
        };
        let node = node.ok_or_else(|| Status::not_found(ResourceName { group: "", resource }, name))?;
        let known = at(&node, "status.addresses").and_then(Value::as_array).cloned().unwrap_or_default();
        let part = |address: &Value, name: &str| {
            address.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let found = PREFERRED.iter().find_map(|kind| known.iter().find(|one| part(one, "type") == *kind));
        match found {
            Some(address) => Ok(part(address, "address")),
            None => {
                let known: Vec<String> = known
                    .iter()
                    .map(|one| format!("{{{} {}}}", part(one, "type"), part(one, "address")))
                    .collect();
                let known = known.join(" ");
                Err(Status::new(500, "", format!("no preferred addresses found; known addresses: [{known}]")))
            }
        }
    }
}

/// Name and port of `name`, `name:port` or `scheme:name:port`.
/// What a connection asks for, as admission sees it.
pub(super) fn asked(context: &Context<'_>, way: &str) -> Fields {
    let kind = match (way, context.resource.plural.as_str()) {
        ("exec", _) => "PodExecOptions",
        ("attach", _) => "PodAttachOptions",
        ("portforward", _) => "PodPortForwardOptions",
        (_, "nodes") => "NodeProxyOptions",
        (_, "services") => "ServiceProxyOptions",
        _ => "PodProxyOptions",
    };
    let mut out = Fields::new();
    out.insert("kind".to_owned(), kind.into());
    out.insert("apiVersion".to_owned(), "v1".into());
    for name in ["stdin", "stdout", "stderr", "tty"] {
        if context.query.flag(name) == Some(true) {
            out.insert(name.to_owned(), true.into());
        }
    }
    for name in ["container", "path"] {
        let text = context.query.text(name);
        if !text.is_empty() {
            out.insert(name.to_owned(), text.into());
        }
    }
    let command: Vec<&str> = context.query.all("command").collect();
    if !command.is_empty() {
        out.insert("command".to_owned(), command.into());
    }
    let ports: Vec<i64> = context.query.all("ports").filter_map(|port| port.parse().ok()).collect();
    if !ports.is_empty() {
        out.insert("ports".to_owned(), ports.into());
    }
    out
}

fn split(id: &str) -> (&str, Option<&str>) {
    let parts: Vec<&str> = id.split(':').collect();
    match parts.as_slice() {
        [_, name, port] | [name, port] => (name, Some(*port).filter(|port| !port.is_empty())),
        _ => (id, None),
    }
}

/// Whether an address is none, or one that a server does not connect to on behalf of others.
fn is_local(address: &str) -> bool {
    address.parse::<std::net::IpAddr>().map_or(true, |ip| match ip {
        std::net::IpAddr::V4(ip) => {
            ip.is_loopback() || ip.is_link_local() || ip.is_unspecified() || ip.is_multicast()
        }
        std::net::IpAddr::V6(ip) => ip.is_loopback() || ip.is_unspecified() || ip.is_multicast(),
    })
}

fn unreachable(address: &str, port: &str) -> Status {
    let why = format!("error trying to reach service: dial tcp {address}:{port}: connect: no route to host");
    Status::service_unavailable(why)
}

/// The same as a table.
fn table(context: &Context<'_>, form: &TableForm) -> Result<Reply, Status> {
    let wanted = |name: &str| ["", name].contains(&context.name.as_str());
    let shown: Vec<(Vec<u8>, Vec<u8>)> = PARTS
        .iter()
        .filter(|(name, _)| wanted(name))
        .map(|(name, message)| {
            let metadata = format!("\"metadata\":{}", json!({"name": name}));
            let conditions = json!([{"type": "Healthy", "status": "True", "message": message}]);
            let tail = format!("{metadata},\"conditions\":{conditions}}}");
            (metadata.into_bytes(), tail.into_bytes())
        })
        .collect();
    if shown.is_empty() {
        let name = ResourceName { group: "", resource: "componentstatus" };
        return Err(Status::not_found(name, &context.name));
    }
    let rows: Vec<Row<'_>> = shown.iter().map(|(metadata, tail)| Row { metadata, tail }).collect();
    Ok(Reply::json(200, form.write("", &rows, Columns::Told, context.now).into()))
}

/// The parts of a control plane; all of them are this server, and well.
const PARTS: [(&str, &str); 3] = [("scheduler", "ok"), ("etcd-0", "ok"), ("controller-manager", "ok")];

/// `GET /api/v1/componentstatuses`, or one of them.
pub(super) fn components(context: &Context<'_>) -> Result<Reply, Status> {
    let part = |(name, message): &(&str, &str)| json!({"metadata": {"name": name}, "conditions": [{"type": "Healthy", "status": "True", "message": message}]});
    let warning = "v1 ComponentStatus is deprecated in v1.19+".to_owned();
    if let Some(form) = context.table()? {
        return Ok(table(context, &form)?.warned(vec![warning]));
    }
    let answer = if context.name.is_empty() {
        let items: Vec<Value> = PARTS.iter().map(part).collect();
        json!({"kind": "ComponentStatusList", "apiVersion": "v1", "metadata": {}, "items": items})
    } else {
        let found = PARTS.iter().find(|(name, _)| *name == context.name).map(part);
        let name = ResourceName { group: "", resource: "componentstatus" };
        let mut found = found.ok_or_else(|| Status::not_found(name, &context.name))?;
        if let Some(members) = found.as_object_mut() {
            let typed: Fields =
                [("kind".to_owned(), "ComponentStatus".into()), ("apiVersion".to_owned(), "v1".into())]
                    .into_iter()
                    .collect();
            members.extend(typed);
        }
        found
    };
    Ok(Reply::value(200, &answer).warned(vec![warning]))
}
