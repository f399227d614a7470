//! What a container is told of its own sizes.
//!
//! In: a container of a pod, and the reference of a variable to what it may take. Out: a whole number in units of the divisor, rounded up, or
//! why there is none.

use serde_json::Value;

use super::{launch::Refusal, node::allocatable};
use crate::{
    protocol::Fields,
    strategy::{Amount, at},
};

/// What `resourceFieldRef` stands for.
pub(super) fn size(pod: &Fields, own: &Value, reference: &Value) -> Result<String, Refusal> {
    let text = |name: &str| reference.get(name).and_then(Value::as_str).unwrap_or_default();
    let refused = |why: String| Err(("CreateContainerConfigError", why));
    let container = match text("containerName") {
        "" => own,
        name => match named(pod, name) {
            Some(container) => container,
            None => return refused(format!("container {name} not found")),
        },
    };
    let resource = text("resource");
    let known = resource.split_once('.').filter(|(part, _)| ["limits", "requests"].contains(part));
    let Some((part, name)) = known else {
        return refused(format!("unsupported container resource : {resource}"));
    };
    let resources = container.get("resources").and_then(|resources| resources.get(part));
    let set = resources.and_then(|resources| resources.get(name)).and_then(Value::as_str);
    // What has no limit may take all of the node.
    let bound = if part == "limits" { allocatable(name) } else { None };
    let amount = set.or(bound).and_then(Amount::parse).unwrap_or_default();
    let divisor = Amount::parse(text("divisor")).filter(|divisor| !divisor.is_zero());
    let divisor = divisor.or_else(|| Amount::parse("1")).unwrap_or_default();
    let (amount, divisor) = (units(amount, name), units(divisor, name).max(1));
    Ok(((amount + divisor - 1) / divisor).to_string())
}

/// Processors are counted in thousandths, all else in whole ones.
fn units(amount: Amount, name: &str) -> i128 {
    match name {
        "cpu" => {
            Amount::parse(&format!("{}", (amount.as_f64() * 1e6).round() / 1e3)).unwrap_or_default().whole()
        }
        _ => amount.whole(),
    }
}

fn named<'a>(pod: &'a Fields, name: &str) -> Option<&'a Value> {
    let lists = ["spec.containers", "spec.initContainers"];
    let mut all = lists.into_iter().filter_map(|list| at(pod, list)?.as_array()).flatten();
    all.find(|container| container.get("name").and_then(Value::as_str) == Some(name))
}
