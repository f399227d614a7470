//! Which apply configurations can be compared: those of whose fields every type can. It emits nothing.

use std::collections::BTreeSet;

use super::super::Context;
use crate::model::{TypeExpr, TypePath};

/// The types whose apply configuration has no `PartialEq`, because something in it has none.
#[derive(Debug, Default)]
pub(super) struct Comparable<'a> {
    without: BTreeSet<&'a TypePath>,
}

impl<'a> Comparable<'a> {
    /// Looks at all apply configurations, until nothing changes.
    pub(super) fn of(context: &Context<'a>) -> Self {
        let mut found = Self::default();
        loop {
            let before = found.without.len();
            for place in context.configurations.iter() {
                let path = &place.def.path;
                let comparable = place.def.fields().iter().all(|field| found.holds(context, &field.ty));
                if !comparable {
                    found.without.insert(path);
                }
            }
            if found.without.len() == before {
                return found;
            }
        }
    }

    /// Whether the apply configuration of this type can be compared.
    pub(super) fn has(&self, path: &TypePath) -> bool {
        !self.without.contains(path)
    }

    fn holds(&self, context: &Context<'_>, ty: &TypeExpr) -> bool {
        let own = match ty {
            TypeExpr::TypeMeta(_) => return true,
            TypeExpr::Named { path, .. } if context.configurations.get(path).is_some() => self.has(path),
            // Types of other crates are taken to be comparable: those of Kubernetes all are.
            TypeExpr::Named { path, .. } => context
                .model
                .type_def(path)
                .is_none_or(|def| def.derives.contains("PartialEq") || def.derives.is_empty()),
            _ => true,
        };
        own && ty.children().into_iter().all(|child| self.holds(context, child))
    }
}
