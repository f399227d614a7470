//! From a container in a spec to a process.
//!
//! In: a container, its pod, and the config maps and secrets they name. Out: a command and its environment, or why there is none, in the words
//! of a kubelet. There are no images: what a command names is looked for on this machine.

use serde_json::Value;

use crate::{
    protocol::Fields,
    strategy::{at, text},
};

use super::{
    super::agent::Agent,
    node::Node,
    orders::{Launch, RunId},
    sizes::size,
};

/// Why a container cannot be started: a reason and a message.
pub(super) type Refusal = (&'static str, String);

/// Images whose command is known.
const SHELLS: [&str; 5] = ["alpine", "bash", "busybox", "debian", "ubuntu"];

/// What to start for a container.
pub(super) fn launch(
    agent: &Agent<'_>,
    pod: &Fields,
    container: &Value,
    run: RunId,
    (node, address): (&Node, &str),
) -> Result<Launch, Refusal> {
    let environment = environment(agent, pod, container, (node, address))?;
    let words = |name: &str| -> Vec<String> {
        let list = container.get(name).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(|word| expand(word, &environment)).collect()
    };
    let (mut command, arguments) = (words("command"), words("args"));
    if command.is_empty() && arguments.is_empty() {
        command.extend(known_command(container)?);
    }
    command.extend(arguments);
    Ok(Launch {
        run,
        command,
        environment,
        folder: text_of(container, "workingDir").trim_start_matches('/').to_owned(),
    })
}

fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn known_command(container: &Value) -> Result<Option<String>, Refusal> {
    let image = text_of(container, "image");
    let name = image.rsplit('/').next().unwrap_or(image).split([':', '@']).next().unwrap_or_default();
    if SHELLS.contains(&name) {
        return Ok(Some("sh".to_owned()));
    }
    let message =
        format!("no command is given, and images are not looked into: what {image:?} runs is not known here");
    Err(("CreateContainerError", message))
}

/// The environment: what config maps and secrets give, then what is set one by one.
fn environment(
    agent: &Agent<'_>,
    pod: &Fields,
    container: &Value,
    place: (&Node, &str),
) -> Result<Vec<(String, String)>, Refusal> {
    let mut all: Vec<(String, String)> = Vec::new();
    let list = |name: &str| container.get(name).and_then(Value::as_array).into_iter().flatten();
    for source in list("envFrom") {
        for (kind, member) in [("ConfigMap", "configMapRef"), ("Secret", "secretRef")] {
            let Some(reference) = source.get(member) else { continue };
            let prefix = text_of(source, "prefix");
            let values = values(agent, pod, kind, reference)?.unwrap_or_default();
            all.extend(values.into_iter().map(|(name, value)| (format!("{prefix}{name}"), value)));
        }
    }
    for variable in list("env") {
        let name = text_of(variable, "name").to_owned();
        let value = match variable.get("valueFrom") {
            None => Some(expand(text_of(variable, "value"), &all)),
            Some(from) => match from.get("resourceFieldRef") {
                Some(reference) => Some(size(pod, container, reference)?),
                None => value_from(agent, pod, from, place)?,
            },
        };
        if let Some(value) = value {
            all.retain(|(there, _)| *there != name);
            all.push((name, value));
        }
    }
    Ok(all)
}

fn value_from(
    agent: &Agent<'_>,
    pod: &Fields,
    from: &Value,
    place: (&Node, &str),
) -> Result<Option<String>, Refusal> {
    if let Some(field) = from.get("fieldRef") {
        return field_value(pod, text_of(field, "fieldPath"), place).map(Some);
    }
    for (kind, member) in [("ConfigMap", "configMapKeyRef"), ("Secret", "secretKeyRef")] {
        let Some(reference) = from.get(member) else { continue };
        let key = text_of(reference, "key");
        let Some(values) = values(agent, pod, kind, reference)? else { return Ok(None) };
        if let Some((_, value)) = values.into_iter().find(|(name, _)| name == key) {
            return Ok(Some(value));
        }
        if is_optional(reference) {
            return Ok(None);
        }
        let namespace = text(pod, "metadata.namespace");
        let name = text_of(reference, "name");
        return Err((
            "CreateContainerConfigError",
            format!("couldn't find key {key} in {kind} {namespace}/{name}"),
        ));
    }
    let what = from.as_object().and_then(|from| from.keys().next()).cloned().unwrap_or_default();
    Err(("CreateContainerConfigError", format!("valueFrom.{what} is not supported by this kubelet")))
}

fn is_optional(reference: &Value) -> bool {
    reference.get("optional").and_then(Value::as_bool).unwrap_or_default()
}

/// The values of a config map or a secret; nothing where it may be missing and is.
fn values(
    agent: &Agent<'_>,
    pod: &Fields,
    kind: &str,
    reference: &Value,
) -> Result<Option<Vec<(String, String)>>, Refusal> {
    use base64::{Engine as _, engine::general_purpose::STANDARD};

    let name = text_of(reference, "name");
    let resource = agent.core.registry().of_kind("v1", kind).cloned();
    let key = format!("{}/{name}", text(pod, "metadata.namespace"));
    let Some(object) = resource.and_then(|resource| agent.read(&resource, &key)) else {
        if is_optional(reference) {
            return Ok(None);
        }
        let message = format!("{} {name:?} not found", kind.to_lowercase());
        return Err(("CreateContainerConfigError", message));
    };
    let data = at(&object, "data").and_then(Value::as_object).into_iter().flatten();
    let values = data.map(|(name, value)| {
        let text = value.as_str().unwrap_or_default();
        let decoded = (kind == "Secret").then(|| STANDARD.decode(text).unwrap_or_default());
        let value =
            decoded.map_or_else(|| text.to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned());
        (name.clone(), value)
    });
    Ok(Some(values.collect()))
}

/// What the downward API gives for a field.
fn field_value(pod: &Fields, path: &str, (node, address): (&Node, &str)) -> Result<String, Refusal> {
    for part in ["labels", "annotations"] {
        let key = path.strip_prefix(&format!("metadata.{part}['")).and_then(|rest| rest.strip_suffix("']"));
        if let Some(key) = key {
            let all = at(pod, &format!("metadata.{part}"));
            return Ok(all.map(|all| text_of(all, key)).unwrap_or_default().to_owned());
        }
    }
    match path {
        "metadata.name"
        | "metadata.namespace"
        | "metadata.uid"
        | "spec.nodeName"
        | "spec.serviceAccountName" => Ok(text(pod, path).to_owned()),
        "status.hostIP" | "status.hostIPs" => Ok(node.address.clone()),
        "status.podIP" | "status.podIPs" => Ok(address.to_owned()),
        path => Err(("CreateContainerConfigError", format!("unsupported fieldPath: {path}"))),
    }
}

/// Puts values in the place of `$(NAME)`; `$$` is a dollar sign, and what is not set stays as it stands.
fn expand(text: &str, environment: &[(String, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('$') {
            out.push('$');
            rest = after;
            continue;
        }
        let name = after.strip_prefix('(').and_then(|inside| inside.split_once(')'));
        let found = name.and_then(|(name, after)| {
            let value = environment.iter().find(|(there, _)| there == name)?;
            Some((&value.1, after))
        });
        match found {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                out.push('$');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
