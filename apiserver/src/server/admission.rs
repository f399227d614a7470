//! Admission, in its place among the steps of a write.
//!
//! In: an object on its way into the store. Out: the object with what admission adds, or its refusal; counts of quotas, stored with it.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::{
    admission::{self, Asked, Asking, Attempt, Charge, Cluster, Operation, Read, Run},
    patch::apply::open_owners,
    protocol::{Fields, Status},
    registry::Found,
    store::Stored,
};

use super::{
    Context, Core,
    conversion::Step,
    options::{DeleteOptions, Propagation, WriteOptions},
    write::draft,
};

/// A write, as admission sees it.
#[derive(Clone, Copy)]
pub(super) struct Admitted<'a> {
    pub context: &'a Context<'a>,
    pub operation: Operation,
    pub options: Given<'a>,
    pub subresource: &'a str,
    /// How refusals name the object.
    pub name: &'a str,
    /// What is stored, for updates and deletes.
    pub old: Option<&'a Fields>,
}

/// The options of an operation.
#[derive(Clone, Copy)]
pub(super) enum Given<'a> {
    Write(&'a WriteOptions),
    Delete(&'a DeleteOptions),
    /// Of a connection, which has no options but what it asks for.
    None,
}

impl Given<'_> {
    fn run(self) -> Run {
        let dry = match self {
            Self::Write(options) => options.dry_run,
            Self::Delete(options) => options.dry_run,
            Self::None => false,
        };
        if dry { Run::Dry } else { Run::Real }
    }
}

impl<'a> Admitted<'a> {
    /// A write that creates something or replaces `old`.
    pub(super) fn write(
        context: &'a Context<'a>,
        options: &'a WriteOptions,
        old: Option<&'a Fields>,
    ) -> Self {
        let operation = if old.is_some() { Operation::Update } else { Operation::Create };
        Self {
            context,
            operation,
            options: Given::Write(options),
            subresource: "",
            name: context.name.as_str(),
            old,
        }
    }

    fn options(&self) -> Value {
        let mut out = Map::new();
        let mut add = |name: &str, value: Value| out.insert(name.to_owned(), value);
        let kind = match self.operation {
            Operation::Create => "CreateOptions",
            Operation::Update => "UpdateOptions",
            Operation::Delete => "DeleteOptions",
            Operation::Connect => return Value::Null,
        };
        add("kind", kind.into());
        add("apiVersion", "meta.k8s.io/v1".into());
        if self.options.run() == Run::Dry {
            add("dryRun", json!(["All"]));
        }
        match self.options {
            Given::Write(_) => {
                for name in ["fieldManager", "fieldValidation"] {
                    let text = self.context.query.text(name);
                    if !text.is_empty() {
                        add(name, text.into());
                    }
                }
            }
            Given::Delete(options) => {
                if let Some(seconds) = options.grace {
                    add("gracePeriodSeconds", seconds.into());
                }
                let policy = match options.propagation {
                    Propagation::Default => None,
                    Propagation::Background => Some("Background"),
                    Propagation::Foreground => Some("Foreground"),
                    Propagation::Orphan => Some("Orphan"),
                };
                if let Some(policy) = policy {
                    add("propagationPolicy", policy.into());
                }
                let mut conditions = Map::new();
                conditions.extend(options.uid.clone().map(|uid| ("uid".to_owned(), uid.into())));
                let version = options.resource_version.clone();
                conditions.extend(version.map(|version| ("resourceVersion".to_owned(), version.into())));
                if !conditions.is_empty() {
                    add("preconditions", conditions.into());
                }
            }
            Given::None => {}
        }
        out.into()
    }

    /// Requests about a namespace are in it.
    fn namespace(&self, object: Option<&'a Fields>) -> &'a str {
        let resource = &self.context.resource;
        if !(resource.group.is_empty() && resource.plural == "namespaces") {
            return &self.context.namespace;
        }
        match self.context.name.as_str() {
            "" => object.map_or("", |object| crate::strategy::text(object, "metadata.name")),
            name => name,
        }
    }
}

/// An object as those see it who are asked about it.
fn opened(object: &Fields) -> Fields {
    let mut object = object.clone();
    open_owners(&mut object);
    object
}

impl Core {
    /// Adds to an object what admission has to add, before its kind has its say.
    pub(super) fn admit_changes(
        &mut self,
        write: &Admitted<'_>,
        object: &mut Fields,
        warnings: &mut Vec<String>,
    ) -> Result<(), Status> {
        let built_in = write.subresource.is_empty();
        let namespace = write.namespace(Some(object)).to_owned();
        self.asking(write, &namespace, warnings, |configured, asking| {
            let (attempt, cluster) = (asking.attempt, asking.cluster);
            let settle = |object: &mut Fields| match built_in {
                true => admission::mutate(attempt, cluster, object),
                false => Ok(()),
            };
            settle(object)?;
            if !configured.is_empty() {
                open_owners(object);
            }
            configured.mutate(asking, Some(object), &settle)
        })
    }

    /// Asks admission about an object that is complete and valid, or about a request without one.
    pub(super) fn admit_object(
        &mut self,
        write: &Admitted<'_>,
        object: Option<&Fields>,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<Charge>, Status> {
        let namespace = write.namespace(object).to_owned();
        self.asking(write, &namespace, warnings, |configured, asking| {
            let verdict = admission::validate(asking.attempt, asking.cluster, object)?;
            asking.warnings.extend(verdict.warnings);
            let opened = object.filter(|_| !configured.is_empty()).map(opened);
            configured.validate(asking, opened.as_ref().or(object))?;
            admission::charges(asking.attempt, asking.cluster, object)
        })
    }

    /// Puts together what admission is asked about.
    fn asking<T>(
        &mut self,
        write: &Admitted<'_>,
        namespace: &str,
        warnings: &mut Vec<String>,
        ask: impl FnOnce(&Read, &mut Asking<'_>) -> Result<T, Status>,
    ) -> Result<T, Status> {
        let configured = Arc::clone(self.hooks.current(&self.store));
        let opened = write.old.filter(|_| !configured.is_empty()).map(opened);
        // Signers have rights of their own.
        let asks_rights = !configured.is_empty() || write.context.resource.group == "certificates.k8s.io";
        let roles = if asks_rights { self.roles() } else { None };
        let mut calls = std::mem::take(&mut self.calls);
        let options = || write.options();
        let attempt = Attempt {
            operation: write.operation,
            resource: &write.context.resource,
            subresource: write.subresource,
            namespace,
            name: write.name,
            old: opened.as_ref().or(write.old),
            asked: Asked {
                user: &write.context.user,
                roles: roles.as_deref(),
                options: &options,
                run: write.options.run(),
            },
        };
        let cluster = Cluster { registry: &self.registry, store: &self.store };
        let mut asking = Asking { attempt: &attempt, cluster: &cluster, calls: &mut calls, warnings };
        let result = ask(&configured, &mut asking);
        self.calls = calls;
        result
    }

    /// Asks webhooks about a write without an object, which they cannot change.
    fn admit_without_object(
        &mut self,
        write: &Admitted<'_>,
        warnings: &mut Vec<String>,
    ) -> Result<(), Status> {
        let namespace = write.namespace(None).to_owned();
        self.asking(write, &namespace, warnings, |configured, asking| {
            configured.mutate(asking, None, &|_| Ok(()))
        })
    }

    /// Asks admission about the end of an object.
    pub(super) fn admit_delete(
        &mut self,
        context: &Context<'_>,
        options: &DeleteOptions,
        object: &Arc<Stored>,
        warnings: &mut Vec<String>,
    ) -> Result<(), Status> {
        if !self.has_hooks() {
            return Ok(());
        }
        super::delete::preconditions(context, options, object)?;
        let old = self.seen(context, object, Step::Read)?.fields();
        let write = Admitted {
            context,
            operation: Operation::Delete,
            options: Given::Delete(options),
            subresource: "",
            name: object.name(),
            old: Some(&old),
        };
        self.admit_without_object(&write, warnings)?;
        self.admit_object(&write, None, warnings).map(drop)
    }

    /// Asks admission about something that is created below an object, or only answered.
    pub(super) fn admit_below(
        &mut self,
        context: &Context<'_>,
        options: &WriteOptions,
        (subresource, object): (&str, &mut Fields),
    ) -> Result<Vec<String>, Status> {
        let mut warnings = Vec::new();
        if !self.has_hooks() {
            return Ok(warnings);
        }
        let write = Admitted { subresource, ..Admitted::write(context, options, None) };
        self.admit_changes(&write, object, &mut warnings)?;
        self.admit_object(&write, Some(object), &mut warnings)?;
        Ok(warnings)
    }

    /// Asks admission about a connection to something.
    pub(super) fn admit_connection(
        &mut self,
        context: &Context<'_>,
        (subresource, mut asked): (&str, Fields),
    ) -> Result<Vec<String>, Status> {
        let mut warnings = Vec::new();
        if !self.has_hooks() {
            return Ok(warnings);
        }
        let write = Admitted {
            context,
            operation: Operation::Connect,
            options: Given::None,
            subresource,
            name: &context.name,
            old: None,
        };
        self.admit_changes(&write, &mut asked, &mut warnings)?;
        self.admit_object(&write, Some(&asked), &mut warnings)?;
        Ok(warnings)
    }

    /// Whether anything is configured that has to be asked.
    pub(super) fn has_hooks(&mut self) -> bool {
        !self.hooks.current(&self.store).is_empty()
    }

    /// The status of a quota: what it limits, and what of it is used.
    pub(crate) fn count_quota(&self, quota: &Fields) -> Value {
        let cluster = Cluster { registry: &self.registry, store: &self.store };
        admission::count_quota(&cluster, quota)
    }

    /// Stores what quotas have counted.
    pub(super) fn store_charges(&mut self, context: &Context<'_>, charges: Vec<Charge>) {
        let Found::Resource(quotas) = self.registry.find("", "v1", "resourcequotas") else { return };
        let quotas = Arc::clone(quotas);
        for charge in charges {
            let key = quotas.key(&context.namespace, &charge.name);
            self.store.put(quotas.table, draft(&quotas, key, &charge.quota));
        }
    }
}
