//! Admission, in its place among the steps of a write.
//!
//! In: an object on its way into the store. Out: the object with what admission adds, or its refusal; counts of quotas, stored with it.

use crate::{
    admission::{self, Attempt, Charge, Cluster, Operation},
    protocol::{Fields, Status},
    registry::Found,
};

use super::{Context, Core, write::draft};

/// A write, as admission sees it.
#[derive(Clone, Copy)]
pub(super) struct Admitted<'a> {
    pub context: &'a Context<'a>,
    pub subresource: &'a str,
    /// How refusals name the object.
    pub name: &'a str,
    /// What is stored, for updates.
    pub old: Option<&'a Fields>,
}

impl<'a> Admitted<'a> {
    fn attempt(&self) -> Attempt<'a> {
        Attempt {
            operation: if self.old.is_some() { Operation::Update } else { Operation::Create },
            resource: &self.context.resource,
            subresource: self.subresource,
            namespace: &self.context.namespace,
            name: self.name,
            old: self.old,
        }
    }
}

impl Core {
    /// Adds to an object what admission has to add, before its kind has its say.
    pub(super) fn admit_changes(&self, write: &Admitted<'_>, object: &mut Fields) -> Result<(), Status> {
        admission::mutate(&write.attempt(), &self.cluster(), object)
    }

    /// Asks admission about an object that is complete and valid.
    pub(super) fn admit_object(
        &self,
        write: &Admitted<'_>,
        object: &Fields,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<Charge>, Status> {
        let verdict = admission::validate(&write.attempt(), &self.cluster(), object)?;
        warnings.extend(verdict.warnings);
        Ok(verdict.charges)
    }

    /// Stores what quotas have counted.
    pub(super) fn store_charges(&mut self, context: &Context<'_>, charges: Vec<Charge>) {
        let Found::Resource(quotas) = self.registry.find("", "v1", "resourcequotas") else { return };
        let quotas = std::sync::Arc::clone(quotas);
        for charge in charges {
            let key = quotas.key(&context.namespace, &charge.name);
            self.store.put(quotas.table, draft(&quotas, key, &charge.quota));
        }
    }

    fn cluster(&self) -> Cluster<'_> {
        Cluster { registry: &self.registry, store: &self.store }
    }
}
