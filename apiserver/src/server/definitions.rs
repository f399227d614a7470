//! Definitions at work: their names are reviewed, their kinds served, and their objects removed with them.
//!
//! In: the stored definitions, after every request. Out: their conditions, and a registry that serves what is established. A real server
//! has controllers for this; here it is done before the next request is looked at, so that a kind is served as soon as it is defined.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    access::User,
    definition::{
        Condition, Definition, FINALIZER, Names, Taken, approval, condition, is_true, review, set_condition,
    },
    protocol::{Fields, Form, Query},
    registry::Resource,
    store::{Selection, Stored},
};

use super::{
    Context, Core,
    delete::Outcome,
    options::{DeleteOptions, WriteOptions},
    owners::Writer,
    reply::Request,
    timestamp,
    write::{detached, draft, is_finished},
};

/// How far the definitions were looked at.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The version of the last change of a definition.
    version: u64,
    /// Whether some definition waits for its objects to go.
    waiting: bool,
    ends: Ends,
    /// What was read of them.
    read: BTreeMap<Arc<str>, Known>,
}

/// When a definition that is deleted goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ends {
    /// With the last of its objects.
    #[default]
    AtOnce,
    /// When somebody says so, who lets clients see it go, unless they have seen it wait for its objects.
    Later,
}

/// A stored definition, and what it says.
#[derive(Clone, Debug)]
struct Known {
    object: Arc<Stored>,
    definition: Arc<Definition>,
}

/// Whether a resource is that of definitions.
pub(super) fn is_definition(resource: &Resource) -> bool {
    resource.builtin && resource.plural == "customresourcedefinitions"
}

impl Core {
    fn definition_resource(&self) -> Option<Arc<Resource>> {
        match self.registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions") {
            crate::registry::Found::Resource(resource) => Some(Arc::clone(resource)),
            _ => None,
        }
    }

    /// Brings conditions and the registry in line with the stored definitions.
    pub(super) fn follow_definitions(&mut self, now: Timestamp) {
        let Some(resource) = self.definition_resource() else { return };
        let changed = self.store.newest(resource.table);
        if changed == self.definitions.version && !self.definitions.waiting {
            return;
        }
        if changed != self.definitions.version {
            while self.name_definitions(&resource, now) {}
            self.serve_definitions(&resource);
        }
        self.finish_definitions(&resource, now, self.definitions.ends);
        self.definitions.version = self.store.newest(resource.table);
    }

    /// The served versions of the groups of definitions.
    pub(super) fn defined_versions(&self) -> Vec<(String, String)> {
        let known = self.definitions.read.values().map(|known| &known.definition);
        let served = |definition: &Arc<Definition>| {
            let group = definition.group.clone();
            let versions = definition.versions.iter().filter(|version| version.served);
            versions.map(|version| (group.clone(), version.name.clone())).collect::<Vec<_>>()
        };
        known.flat_map(served).collect()
    }

    /// Lets definitions that are deleted stay until [`Self::end_definitions`] is called.
    pub(crate) fn let_definitions_stay(&mut self) {
        self.definitions.ends = Ends::Later;
    }

    /// Goes on with the definitions that are deleted.
    pub(crate) fn end_definitions(&mut self, now: Timestamp) {
        if let Some(resource) = self.definition_resource() {
            self.finish_definitions(&resource, now, Ends::AtOnce);
            self.definitions.version = self.store.newest(resource.table);
            self.keep_up(now);
        }
    }

    /// The definitions as they are stored, each read once.
    fn stored_definitions(&mut self, resource: &Resource) -> Vec<Known> {
        let stored = self.store.select(resource.table, &Selection::default());
        let mut before = std::mem::take(&mut self.definitions.read);
        let read = |object: Arc<Stored>| {
            let definition = match before.remove(&object.key) {
                Some(known) if known.object.version == object.version => known.definition,
                _ => Arc::new(Definition::read(&object.fields())),
            };
            Known { object, definition }
        };
        let known: Vec<Known> = stored.into_iter().map(read).collect();
        self.definitions.read =
            known.iter().map(|known| (Arc::clone(&known.object.key), known.clone())).collect();
        known
    }

    /// Reviews the names of the first definition that needs it, and establishes it; whether anything has changed.
    fn name_definitions(&mut self, resource: &Arc<Resource>, now: Timestamp) -> bool {
        let known = self.stored_definitions(resource);
        for Known { object, definition } in &known {
            let mut taken = Taken::default();
            for other in known.iter().filter(|other| other.definition.group == definition.group) {
                taken.add(&other.definition.accepted);
            }
            let mut fields = object.fields();
            let mut changed = false;
            if let Some((status, reason, message)) = approval(&fields) {
                let kind = "KubernetesAPIApprovalPolicyConformant";
                let wanted = Condition { kind, status, reason, message: &message };
                changed |= self.condition(resource, &mut fields, wanted, now);
            }
            // Names that were accepted as they are asked for are not looked at again, whatever conditions a client has left.
            if definition.names != definition.accepted {
                changed |= self.review_names(resource, &mut fields, (definition, &taken), now);
            }
            if is_true(&fields, "NamesAccepted") && !is_true(&fields, "Established") {
                let established = Condition {
                    kind: "Established",
                    status: "True",
                    reason: "InitialNamesAccepted",
                    message: "the initial names have been accepted",
                };
                changed |= self.condition(resource, &mut fields, established, now);
            }
            if changed {
                return true;
            }
        }
        false
    }

    fn review_names(
        &mut self,
        resource: &Arc<Resource>,
        fields: &mut Fields,
        (definition, taken): (&Definition, &Taken),
        now: Timestamp,
    ) -> bool {
        let reviewed = review(definition, taken);
        let old = fields.clone();
        let (status, reason, message) = match &reviewed.conflict {
            Some((reason, message)) => ("False", *reason, message.as_str()),
            None => ("True", "NoConflicts", "no conflicts found"),
        };
        let time = timestamp(now);
        set_condition(fields, Condition { kind: "NamesAccepted", status, reason, message }, &time);
        if !definition.established {
            let (reason, message) = match status {
                "True" => ("Installing", "the initial names have been accepted"),
                _ => ("NotAccepted", "not all names are accepted"),
            };
            let known = condition(fields, "Established").is_some();
            if status == "True" || !known {
                set_condition(
                    fields,
                    Condition { kind: "Established", status: "False", reason, message },
                    &time,
                );
            }
        }
        set_names(fields, &reviewed.names);
        self.write_status(resource, &old, fields, now)
    }

    fn condition(
        &mut self,
        resource: &Arc<Resource>,
        fields: &mut Fields,
        wanted: Condition<'_>,
        now: Timestamp,
    ) -> bool {
        let old = fields.clone();
        set_condition(fields, wanted, &timestamp(now));
        self.write_status(resource, &old, fields, now)
    }

    /// Stores a definition whose status the server has changed itself; whether it differs at all.
    fn write_status(
        &mut self,
        resource: &Arc<Resource>,
        old: &Fields,
        fields: &mut Fields,
        now: Timestamp,
    ) -> bool {
        if fields == old {
            return false;
        }
        let request = Request::default();
        let context = own_context(&request, resource, now);
        let options = WriteOptions { manager: "kube-apiserver".to_owned(), ..WriteOptions::default() };
        let writer = Writer { context: &context, options: &options, subresource: "status" };
        *fields = writer.track(Some(old), std::mem::take(fields));
        let name = crate::strategy::text(fields, "metadata.name").to_owned();
        self.store.put(resource.table, draft(resource, name.into(), fields));
        true
    }

    /// Serves what is established, and ends the watches of kinds that are served otherwise than before.
    fn serve_definitions(&mut self, resource: &Resource) {
        let known = self.stored_definitions(resource);
        let definitions: Vec<(u64, Arc<Definition>)> =
            known.into_iter().map(|known| (known.object.version, known.definition)).collect();
        let closed = Arc::make_mut(&mut self.registry).define(&definitions);
        for table in closed {
            self.store.close(table);
        }
    }

    /// Marks a definition that is to go; it stays until its objects are gone.
    pub(super) fn end_definition(
        &mut self,
        context: &Context<'_>,
        options: &DeleteOptions,
        object: &Arc<Stored>,
        mut fields: Fields,
    ) -> Arc<Stored> {
        let resource = &context.resource;
        let now = timestamp(context.now);
        crate::strategy::set(&mut fields, "metadata.deletionTimestamp", now.as_str());
        let finalizers = crate::strategy::at(&fields, "metadata.finalizers").and_then(Value::as_array);
        let mut finalizers = finalizers.cloned().unwrap_or_default();
        if !finalizers.contains(&FINALIZER.into()) {
            finalizers.push(FINALIZER.into());
        }
        crate::strategy::set(&mut fields, "metadata.finalizers", finalizers);
        let wanted = Condition {
            kind: "Terminating",
            status: "True",
            reason: "InstanceDeletionPending",
            message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
        };
        set_condition(&mut fields, wanted, &now);
        if options.dry_run {
            return detached(context, &fields, object.version);
        }
        self.store.put(resource.table, draft(resource, Arc::clone(&object.key), &fields))
    }

    /// Removes the objects of definitions that are to go, and then these.
    fn finish_definitions(&mut self, resource: &Arc<Resource>, now: Timestamp, ends: Ends) {
        let mut waiting = false;
        let waited = self.definitions.waiting;
        let mut gone = false;
        for Known { object, definition } in self.stored_definitions(resource) {
            if !definition.terminating {
                continue;
            }
            let mut fields = object.fields();
            let finalizers = crate::strategy::at(&fields, "metadata.finalizers").and_then(Value::as_array);
            if finalizers.is_none_or(|list| !list.contains(&FINALIZER.into())) {
                continue;
            }
            let (reason, message) = if definition.established {
                let begun = Condition {
                    kind: "Terminating",
                    status: "True",
                    reason: "InstanceDeletionInProgress",
                    message: "CustomResource deletion is in progress",
                };
                if self.condition(resource, &mut fields, begun, now) {
                    self.remove_objects(&definition, now);
                }
                if self.objects_of(&definition) > 0 {
                    waiting = true;
                    continue;
                }
                if ends == Ends::Later && !waited {
                    continue;
                }
                ("InstanceDeletionCompleted", "removed all instances")
            } else if ends == Ends::Later {
                continue;
            } else {
                ("NeverEstablished", "resource was never established")
            };
            let done = Condition { kind: "Terminating", status: "False", reason, message };
            let old = fields.clone();
            set_condition(&mut fields, done, &timestamp(now));
            drop_finalizer(&mut fields);
            if is_finished(&fields) {
                self.store.remove(resource.table, &object.key);
            } else {
                self.write_status(resource, &old, &mut fields, now);
            }
            gone = true;
        }
        self.definitions.waiting = waiting;
        if gone {
            while self.name_definitions(resource, now) {}
            self.serve_definitions(resource);
        }
    }

    /// The resource under which the objects of a definition are served.
    fn served(&self, definition: &Definition) -> Option<Arc<Resource>> {
        self.registry.defined_by(&definition.name)
    }

    fn objects_of(&self, definition: &Definition) -> usize {
        self.served(definition).map_or(0, |resource| self.store.count(resource.table))
    }

    fn remove_objects(&mut self, definition: &Definition, now: Timestamp) {
        let Some(resource) = self.served(definition) else { return };
        let request = Request::default();
        for object in self.store.select(resource.table, &Selection::default()) {
            let mut context = own_context(&request, &resource, now);
            context.namespace = object.namespace().to_owned();
            context.name = object.name().to_owned();
            // An object that is being deleted already stays as it is.
            let inner = self.as_stored(&context, &object).into_owned();
            let _: Result<Outcome, _> = self.remove(&inner, &DeleteOptions::default(), &object);
        }
    }
}

/// What the server does by itself, as if it were a request.
fn own_context<'a>(request: &'a Request, resource: &Arc<Resource>, now: Timestamp) -> Context<'a> {
    Context {
        request,
        resource: Arc::clone(resource),
        query: Query::parse(None),
        namespace: String::new(),
        name: String::new(),
        now,
        user: User::admin(),
        form: Form::default(),
    }
}

fn drop_finalizer(fields: &mut Fields) {
    if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
        if let Some(list) = metadata.get_mut("finalizers").and_then(Value::as_array_mut) {
            list.retain(|name| name != FINALIZER);
        }
        super::metadata::drop_empty(metadata);
    }
}

fn set_names(fields: &mut Fields, names: &Names) {
    let mut accepted = json!({"kind": names.kind, "plural": names.plural});
    if let Some(members) = accepted.as_object_mut() {
        for (name, value) in [("singular", &names.singular), ("listKind", &names.list_kind)] {
            if !value.is_empty() {
                members.insert(name.to_owned(), value.clone().into());
            }
        }
        for (name, list) in [("shortNames", &names.short_names), ("categories", &names.categories)] {
            if !list.is_empty() {
                members.insert(name.to_owned(), list.clone().into());
            }
        }
    }
    crate::strategy::set(fields, "status.acceptedNames", accepted);
}
