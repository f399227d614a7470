//! delete and deletecollection.
//!
//! In: a path and options. Out: the object marked or gone. Dependents are the garbage collector's; what it needs to know is left in the
//! finalizers `orphan` and `foregroundDeletion`.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::{
    protocol::{Fields, ListOptions, ResourceName, Status},
    registry::Resource,
    store::{Change, FOREGROUND, ORPHAN, Stored},
    strategy::{Dependents, at, set, text},
};

use super::{
    Context, Core,
    conversion::{Step, shown_again},
    definitions::is_definition,
    metadata::finalizer_names,
    options::{DeleteOptions, Propagation},
    read::{list_reply, object_reply, selection},
    reply::Reply,
    timestamp,
    write::{draft, is_finished, raise_generation},
};

/// What became of an object.
pub(super) enum Outcome {
    /// It is gone; this is the last that was said about it.
    Gone(Arc<Stored>),
    /// It stays for a while, as this.
    Stays(Arc<Stored>),
}

impl Core {
    pub(super) fn delete(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        let options = DeleteOptions::read(context)?;
        let mut warnings = preserved(&context.resource, &options);
        let reply = self.delete_one(context, &options, &mut warnings);
        Ok(reply.unwrap_or_else(Reply::from).warned(warnings))
    }

    fn delete_one(
        &mut self,
        context: &Context<'_>,
        options: &DeleteOptions,
        warnings: &mut Vec<String>,
    ) -> Result<Reply, Status> {
        let resource = &context.resource;
        let key = context.key();
        protected(context)?;
        let object = self.store.get(resource.table, &key).cloned().ok_or_else(|| context.not_found())?;
        let uid = object.uid.clone();
        let seen = self.seen(context, &object, Step::Read)?;
        self.admit_delete(context, options, &object, warnings)?;
        let inner = self.as_stored(context, &object);
        Ok(match self.remove(&inner, options, &object)? {
            Outcome::Stays(object) => {
                let code = if options.accepted { 202 } else { 200 };
                object_reply(context, code, &shown_again(resource, &seen, &object))
            }
            Outcome::Gone(object) if resource.rules.answers_deleted => {
                object_reply(context, 200, &resource.see(&object))
            }
            Outcome::Gone(_) => Reply::json(200, success(context, &uid).into()),
        })
    }

    pub(super) fn delete_collection(&mut self, context: &Context<'_>) -> Result<Reply, Status> {
        let options = DeleteOptions::read(context)?;
        let list = ListOptions::read(&context.query, false)?;
        let selection = selection(context, &list)?;
        let page = self.page(context, &list, &selection)?;
        self.converted(context, Step::List)?;
        let mut warnings = preserved(&context.resource, &options);
        let mut admitted = Vec::with_capacity(page.0.objects.len());
        let mut refusal = None;
        // Nothing is removed before all that may be is known: a request may be given up here and sent again.
        for object in &page.0.objects {
            let Some(current) = self.store.get(context.resource.table, &object.key).cloned() else {
                continue;
            };
            match self.admit_delete(context, &options, &current, &mut warnings) {
                Ok(()) => admitted.push(current),
                Err(status) => {
                    refusal = Some(status);
                    break;
                }
            }
        }
        for object in &admitted {
            let inner = self.as_stored(context, object);
            self.remove(&inner, &options, object)?;
        }
        if let Some(status) = refusal {
            return Err(status);
        }
        let version = self.store.version();
        let reply = list_reply(context, (page.0, version, page.2))?;
        Ok(reply.warned(warnings))
    }

    /// Deletes one object, or marks it.
    pub(super) fn remove(
        &mut self,
        context: &Context<'_>,
        options: &DeleteOptions,
        object: &Arc<Stored>,
    ) -> Result<Outcome, Status> {
        preconditions(context, options, object)?;
        let resource = &context.resource;
        let old = resource.see(object).fields();
        let mut fields = old.clone();
        if is_definition(resource) {
            if at(&fields, "metadata.deletionTimestamp").is_none() {
                // What becomes of dependents is not asked here.
                return Ok(Outcome::Stays(self.end_definition(context, options, object, fields)));
            }
            set(&mut fields, "metadata.deletionGracePeriodSeconds", 0);
        }
        propagate(&mut fields, options.propagation, resource);
        let namespace = resource.group.is_empty() && resource.plural == "namespaces";
        let grace = resource.rules.strategy.grace(&fields, options.grace);
        let marked = if namespace {
            terminate(&mut fields, context.now);
            true
        } else {
            let held = !finalizers(&fields).is_empty();
            let waits = grace.is_some() || held;
            waits && mark(&mut fields, grace, options.grace, context.now)
        };
        let gone = if namespace {
            // The first request only marks it, whatever still holds it.
            at(&old, "metadata.deletionTimestamp").is_some() && is_finished(&fields)
        } else {
            is_finished(&fields) || (grace.is_none() && finalizers(&fields).is_empty())
        };
        if !gone && fields == old {
            return Ok(Outcome::Stays(Arc::clone(object)));
        }
        if options.dry_run {
            let draft = draft(resource, Arc::clone(&object.key), &fields);
            let shown = Arc::new(Stored::write(draft, object.version, Change::Modified));
            return Ok(if gone { Outcome::Gone(shown) } else { Outcome::Stays(shown) });
        }
        let marked_object = ((marked || !gone) && fields != old)
            .then(|| self.store.put(resource.table, draft(resource, Arc::clone(&object.key), &fields)));
        if !gone {
            return Ok(Outcome::Stays(marked_object.unwrap_or_else(|| Arc::clone(object))));
        }
        let last = self.store.remove(resource.table, &object.key);
        Ok(Outcome::Gone(last.unwrap_or_else(|| Arc::clone(object))))
    }
}

/// What is said to those who delete jobs as they did before there was a choice.
fn preserved(resource: &Resource, options: &DeleteOptions) -> Vec<String> {
    let is_surprise = options.propagation == Propagation::Default
        && (resource.group.as_str(), resource.plural.as_str()) == ("batch", "jobs");
    let text = "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set \
                propagationPolicy=Orphan to suppress this warning";
    if is_surprise { vec![text.to_owned()] } else { Vec::new() }
}

fn finalizers(fields: &Fields) -> Vec<&str> {
    fields.get("metadata").and_then(Value::as_object).map(finalizer_names).unwrap_or_default()
}

/// Leaves the finalizer of the chosen propagation on the object.
fn propagate(fields: &mut Fields, propagation: Propagation, resource: &Resource) {
    let chosen = finalizers(fields).iter().any(|name| [FOREGROUND, ORPHAN].contains(name));
    let add = match (propagation, resource.rules.dependents) {
        (_, Dependents::None) | (Propagation::Default, Dependents::Deleted) => return,
        (Propagation::Default, Dependents::Orphaned) if chosen => return,
        (Propagation::Background, _) => None,
        (Propagation::Foreground, _) => Some(FOREGROUND),
        (Propagation::Orphan, _) | (Propagation::Default, Dependents::Orphaned) => Some(ORPHAN),
    };
    let mut names: Vec<Value> = finalizers(fields)
        .into_iter()
        .filter(|name| ![FOREGROUND, ORPHAN].contains(name))
        .map(Value::from)
        .collect();
    names.extend(add.map(Value::from));
    if names.is_empty() {
        if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.remove("finalizers");
        }
    } else {
        set(fields, "metadata.finalizers", names);
    }
}

/// Writes the time of the end into an object; says whether it is marked (now, or anew with less grace).
fn mark(fields: &mut Fields, grace: Option<i64>, wanted: Option<i64>, now: Timestamp) -> bool {
    let seconds = grace.unwrap_or_default();
    if at(fields, "metadata.deletionTimestamp").is_none() {
        set(fields, "metadata.deletionTimestamp", timestamp(later(now, seconds)));
        set(fields, "metadata.deletionGracePeriodSeconds", seconds);
        if at(fields, "metadata.generation").and_then(Value::as_i64).unwrap_or_default() > 0 {
            raise_generation(fields);
        }
        return true;
    }
    let before =
        at(fields, "metadata.deletionGracePeriodSeconds").and_then(Value::as_i64).unwrap_or_default();
    if grace.is_none() || wanted.is_none() || seconds >= before {
        return false;
    }
    let end = text(fields, "metadata.deletionTimestamp").parse().unwrap_or(now);
    set(fields, "metadata.deletionTimestamp", timestamp(later(end, seconds - before)));
    set(fields, "metadata.deletionGracePeriodSeconds", seconds);
    true
}

fn later(moment: Timestamp, seconds: i64) -> Timestamp {
    moment.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(moment)
}

/// Marks a namespace: it has a phase for that, and no grace.
fn terminate(fields: &mut Fields, now: Timestamp) {
    if at(fields, "metadata.deletionTimestamp").is_none() {
        set(fields, "metadata.deletionTimestamp", timestamp(now));
    }
    set(fields, "status.phase", "Terminating");
}

/// What no cluster is without stays.
fn protected(context: &Context<'_>) -> Result<(), Status> {
    let resource = &context.resource;
    let (names, why): (&[&str], &str) = match (resource.group.as_str(), resource.plural.as_str()) {
        ("", "namespaces") => {
            (&["default", "kube-public", "kube-system"], "this namespace may not be deleted")
        }
        ("scheduling.k8s.io", "priorityclasses") => (
            &["system-node-critical", "system-cluster-critical"],
            "this is a system priority class and cannot be deleted",
        ),
        _ => return Ok(()),
    };
    if names.contains(&context.name.as_str()) {
        return Err(Status::forbidden(resource.name(), &context.name, why));
    }
    Ok(())
}

/// The object must be the one that the options mean.
pub(super) fn preconditions(
    context: &Context<'_>,
    options: &DeleteOptions,
    object: &Stored,
) -> Result<(), Status> {
    let resource = &context.resource;
    if deletes_itself(resource) {
        return own_preconditions(context, options, object);
    }
    // Events are known by the name that they have in the group that is no group.
    let group = if resource.plural == "events" { "" } else { &resource.group };
    let name = ResourceName { group, resource: &resource.kind };
    if let Some(uid) = options.uid.as_deref().filter(|uid| *uid != &*object.uid) {
        return Err(Status::conflict(
            name,
            object.name(),
            &format!(
                "the UID in the precondition ({uid}) does not match the UID in record ({}). The object might have been deleted and \
                 then recreated",
                object.uid
            ),
        ));
    }
    let version = object.version.to_string();
    if let Some(wanted) = options.resource_version.as_deref().filter(|wanted| *wanted != version) {
        return Err(Status::conflict(
            name,
            object.name(),
            &format!(
                "the ResourceVersion in the precondition ({wanted}) does not match the ResourceVersion in record ({version}). The \
                 object might have been modified"
            ),
        ));
    }
    Ok(())
}

/// Whether a kind looks at what a delete asks for by itself, and says it in its own words.
fn deletes_itself(resource: &Resource) -> bool {
    matches!((resource.group.as_str(), resource.plural.as_str()), ("", "namespaces"))
        || is_definition(resource)
}

fn own_preconditions(context: &Context<'_>, options: &DeleteOptions, object: &Stored) -> Result<(), Status> {
    let resource = &context.resource;
    let what = if is_definition(resource) { "precondition failed" } else { "Precondition failed" };
    let version = object.version.to_string();
    let parts = [
        ("UID", options.uid.as_deref(), &*object.uid),
        ("ResourceVersion", options.resource_version.as_deref(), version.as_str()),
    ];
    for (part, wanted, real) in parts {
        if let Some(wanted) = wanted.filter(|wanted| *wanted != real) {
            let why = format!("{what}: {part} in precondition: {wanted}, {part} in object meta: {real}");
            return Err(Status::conflict(resource.name(), object.name(), &why));
        }
    }
    Ok(())
}

fn success(context: &Context<'_>, uid: &str) -> String {
    let resource = &context.resource;
    let text = |text: &str| Value::from(text).to_string();
    let group = match resource.group.as_str() {
        "" => String::new(),
        group => format!(r#""group":{},"#, text(group)),
    };
    let (name, kind, uid) = (text(&context.name), text(&resource.plural), text(uid));
    format!(
        r#"{{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Success","details":{{"name":{name},{group}"kind":{kind},"uid":{uid}}}}}"#
    )
}
