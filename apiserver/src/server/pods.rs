//! Binding: a pod gets its node.
//!
//! In: a Binding. Out: the pod on its node, or why it does not get there.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    admission::{Cluster, label_topology},
    protocol::{BodyFormat, FieldError, Fields, ResourceName, Status, decode_object},
    registry::{Found, Resource},
    strategy::{at, child, set, text},
};

use super::{
    Context, Core, decode,
    options::{OptionsOf, WriteOptions},
    reply::Reply,
    timestamp,
    write::draft,
};

impl Core {
    /// `POST .../pods/<name>/binding`, or `POST .../bindings` with the name in the body.
    pub(super) fn bind(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        let options = WriteOptions::read(context, OptionsOf::Create)?;
        let mut binding = body(context, "Binding")?;
        let given = text(&binding, "metadata.name");
        if !context.name.is_empty() && given != context.name {
            return Err(Status::bad_request("name in URL does not match name in Binding object"));
        }
        let below = if context.name.is_empty() { "" } else { "binding" };
        if below == "binding" && text(&binding, "target.kind") == "Node" {
            let node = text(&binding, "target.name").to_owned();
            let cluster = Cluster { registry: &self.registry, store: &self.store };
            label_topology(&cluster, &node, &mut binding);
        }
        let warnings = self.admit_below(context, &options, (below, &mut binding))?;
        let given = text(&binding, "metadata.name");
        let node = text(&binding, "target.name");
        let mut errors = Vec::new();
        let kind = text(&binding, "target.kind");
        if !["", "Node"].contains(&kind) {
            errors.push(
                FieldError::not_supported("target.kind", &kind.into(), &["Node", "<empty>"]).to_string(),
            );
        }
        if node.is_empty() {
            errors.push(FieldError::required("target.name", "").to_string());
        }
        match errors.as_slice() {
            [] => {}
            [one] => return Err(Status::new(500, "", one.as_str())),
            many => return Err(Status::new(500, "", format!("[{}]", many.join(", ")))),
        }
        let pods = self.pods()?;
        let key = pods.key(&context.namespace, given);
        let missing = || Status::not_found(pods.name(), given);
        let pod = self.store.get(pods.table, &key).cloned().ok_or_else(missing)?;
        let mut fields = pod.fields();
        bindable(&fields, given)?;
        set(&mut fields, "spec.nodeName", node);
        for part in ["labels", "annotations"] {
            let more = at(&binding, &format!("metadata.{part}")).and_then(Value::as_object).cloned();
            let there = child(&mut fields, "metadata").and_then(|metadata| match &more {
                Some(_) => child(metadata, part),
                None => None,
            });
            if let (Some(there), Some(more)) = (there, more) {
                there.extend(more);
            }
        }
        let condition = json!({
            "type": "PodScheduled",
            "status": "True",
            "lastProbeTime": null,
            "lastTransitionTime": timestamp(context.now),
        });
        set_condition(&mut fields, condition);
        if !options.dry_run {
            self.store.put(pods.table, draft(&pods, key, &fields));
        }
        Ok(created().warned(warnings))
    }

    pub(super) fn pods(&self) -> Result<Arc<Resource>, Status> {
        match self.registry.find("", "v1", "pods") {
            Found::Resource(pods) => Ok(Arc::clone(pods)),
            _ => Err(Status::no_such_resource()),
        }
    }
}

/// The object in a body that is not of the resource's own kind.
pub(super) fn body(context: &Context<'_>, kind: &str) -> Result<Fields, Status> {
    let content_type = context.header(http::header::CONTENT_TYPE);
    let format = BodyFormat::of(content_type).ok_or_else(|| decode::unknown_format(context))?;
    match decode_object(context.request.body(), format, kind)? {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Fields::new()),
    }
}

fn bindable(pod: &Fields, name: &str) -> Result<(), Status> {
    let refuse =
        |why: String| Err(Status::conflict(ResourceName { group: "", resource: "pods/binding" }, name, &why));
    let node = text(pod, "spec.nodeName");
    if at(pod, "metadata.deletionTimestamp").is_some() {
        return refuse(format!("pod {name} is being deleted, cannot be assigned to a host"));
    }
    if !node.is_empty() {
        return refuse(format!("pod {name} is already assigned to node \"{node}\""));
    }
    let gates = at(pod, "spec.schedulingGates").and_then(Value::as_array);
    if gates.is_some_and(|gates| !gates.is_empty()) {
        return refuse(format!("pod {name} has non-empty .spec.schedulingGates"));
    }
    Ok(())
}

/// Puts a condition in the place of the one of its type.
pub(super) fn set_condition(fields: &mut Fields, condition: Value) {
    let conditions = at(fields, "status.conditions").and_then(Value::as_array).cloned();
    let mut conditions = conditions.unwrap_or_default();
    conditions.retain(|there| there.get("type") != condition.get("type"));
    conditions.push(condition);
    set(fields, "status.conditions", conditions);
}

/// The answer to what is done and leaves no object.
pub(super) fn created() -> Reply {
    const DONE: &str = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}"#;
    Reply::json(201, DONE.into())
}
