//! Services: addresses, families, ports.
//!
//! Addresses are made from the object's uid rather than counted, since a strategy sees one object alone: the same service gets the same
//! address in every run, and two services the same one about once in a million.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

use crate::protocol::Fields;

use super::{Strategy, at, child, fill, set, text};

/// The strategy of services.
#[derive(Debug)]
pub(super) struct Services;

impl Strategy for Services {
    fn prepare_create(&self, object: &mut Fields) {
        set(object, "status", json!({"loadBalancer": {}}));
        if text(object, "spec.type") == "ExternalName" {
            return;
        }
        let seed = seed(object);
        let selects =
            at(object, "spec.selector").and_then(Value::as_object).is_some_and(|labels| !labels.is_empty());
        let numbered = matches!(text(object, "spec.type"), "NodePort" | "LoadBalancer");
        let Some(spec) = child(object, "spec") else { return };
        let given = spec.get("clusterIP").and_then(Value::as_str).unwrap_or_default().to_owned();
        let address = if given.is_empty() { address(seed) } else { given };
        spec.insert("clusterIP".to_owned(), address.clone().into());
        fill(spec, "clusterIPs", json!([address]));
        let everywhere = address == "None" && !selects;
        fill(spec, "ipFamilies", if everywhere { json!(["IPv4", "IPv6"]) } else { json!(["IPv4"]) });
        fill(spec, "ipFamilyPolicy", if everywhere { "RequireDualStack" } else { "SingleStack" }.into());
        if numbered {
            node_ports(spec, seed);
        }
    }

    fn prepare_update(&self, object: &mut Fields, old: &Fields) {
        if text(object, "spec.type") == "ExternalName" {
            return;
        }
        for name in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
            let path = format!("spec.{name}");
            if at(object, &path).is_none()
                && let Some(kept) = at(old, &path)
            {
                set(object, &path, kept.clone());
            }
        }
        if matches!(text(object, "spec.type"), "NodePort" | "LoadBalancer") {
            let seed = seed(object);
            if let Some(spec) = child(object, "spec") {
                node_ports(spec, seed);
            }
        }
    }
}

fn seed(object: &Fields) -> u64 {
    let mut hasher = DefaultHasher::new();
    text(object, "metadata.uid").hash(&mut hasher);
    hasher.finish()
}

/// An address of 10.96.0.0/12, none of the first ones.
fn address(seed: u64) -> String {
    let place = seed % 0x000f_ff00 + 0x80;
    format!("10.{}.{}.{}", 96 + (place >> 16), (place >> 8) & 0xff, place & 0xff)
}

fn node_ports(spec: &mut Fields, seed: u64) {
    let ports = spec.get_mut("ports").and_then(Value::as_array_mut);
    for (index, port) in (0..).zip(ports.into_iter().flatten().filter_map(Value::as_object_mut)) {
        let number = 30000 + (seed.wrapping_add(index) % 2768);
        if port.get("nodePort").and_then(Value::as_u64).unwrap_or_default() == 0 {
            port.insert("nodePort".to_owned(), number.into());
        }
    }
}
