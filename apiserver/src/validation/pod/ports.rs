//! The ports of containers.

use crate::validation::{Findings, Spot, formats};

pub(super) const PROTOCOLS: &[&str] = &["SCTP", "TCP", "UDP"];

pub(super) fn container_ports(out: &mut Findings, container: &Spot<'_>) {
    let mut names: Vec<&str> = Vec::new();
    for port in container.items("ports") {
        let name = container_port_name(&port);
        if !name.is_empty() {
            let errors = formats::port_name_errors(name);
            if !errors.is_empty() {
                out.all(&port.get("name"), errors);
            } else if names.contains(&name) {
                out.duplicate(&port.get("name"));
            } else {
                names.push(name);
            }
        }
        let number = port.get("containerPort");
        if number.int().unwrap_or_default() == 0 {
            out.required(&number, "");
        } else {
            formats::port(out, &number);
        }
        if port.number("hostPort").is_some_and(|number| number != 0) {
            formats::port(out, &port.get("hostPort"));
        }
        out.one_of(&port.get("protocol"), PROTOCOLS);
    }
}

fn container_port_name<'a>(port: &Spot<'a>) -> &'a str {
    port.text("name")
}

/// Ports of the host that are asked for twice, in a list of containers.
pub(super) fn host_ports<'a>(out: &mut Findings, containers: impl Iterator<Item = Spot<'a>>) {
    let mut taken: Vec<String> = Vec::new();
    for container in containers {
        for port in container.items("ports") {
            let number = port.number("hostPort").unwrap_or_default();
            if number == 0 {
                continue;
            }
            let key = format!("{}/{}/{number}", port.text("protocol"), port.text("hostIP"));
            if taken.contains(&key) {
                out.duplicate_as(&port.get("hostPort"), key);
            } else {
                taken.push(key);
            }
        }
    }
}
