//! Nobody gives rights that they do not have.
//!
//! In: a role or binding that is to be stored, and who stores it. Out: nothing, or the 403 that lists what is missing.

use serde_json::Value;

use crate::{
    access::{
        Attributes, Decision, PolicyRule, ResourceAttributes, RoleRef, Roles, User, missing, quoted_list,
    },
    protocol::{Fields, Status, quoted},
    strategy::{at, text},
};

use super::{Context, Core};

const RBAC: &str = "rbac.authorization.k8s.io";

impl Core {
    /// Refuses a role or binding that gives more than its writer has. Other kinds pass, as does everything where roles do not count.
    pub(super) fn confirm_rights(
        &mut self,
        context: &Context<'_>,
        new: &Fields,
        old: Option<&Fields>,
    ) -> Result<(), Status> {
        if context.resource.group != RBAC || context.user.is_master() {
            return Ok(());
        }
        let Some(roles) = self.roles() else { return Ok(()) };
        if old.is_some_and(|old| same_rights(new, old)) {
            return Ok(());
        }
        let writer = Writer { context, roles: &roles, user: &context.user };
        match context.resource.plural.as_str() {
            "roles" => writer.confirm_role(new, None),
            "clusterroles" => writer.confirm_role(new, old),
            _ => writer.confirm_binding(new),
        }
    }
}

struct Writer<'a> {
    context: &'a Context<'a>,
    roles: &'a Roles,
    user: &'a User,
}

impl Writer<'_> {
    fn confirm_role(&self, new: &Fields, old: Option<&Fields>) -> Result<(), Status> {
        let context = self.context;
        if self.may("escalate", &context.resource.plural, &context.name) {
            return Ok(());
        }
        let name = text(new, "metadata.name");
        self.confirm(name, &PolicyRule::read_all(new.get("rules")))?;
        let aggregates = |role: &Fields| {
            let selectors = at(role, "aggregationRule.clusterRoleSelectors").and_then(Value::as_array);
            selectors.is_some_and(|selectors| !selectors.is_empty())
        };
        if (aggregates(new) || old.is_some_and(aggregates))
            && self.confirm(name, &PolicyRule::everything()).is_err()
        {
            let why = "must have cluster-admin privileges to use the aggregationRule";
            return Err(Status::forbidden(context.resource.name(), name, why));
        }
        Ok(())
    }

    fn confirm_binding(&self, new: &Fields) -> Result<(), Status> {
        let role = RoleRef::of(new);
        let plural = format!("{}s", role.kind.to_lowercase());
        if ["roles", "clusterroles"].contains(&plural.as_str()) && self.may("bind", &plural, &role.name) {
            return Ok(());
        }
        let rules = self.roles.rules_of(&role, &self.context.namespace);
        let rules = rules.map_err(|_| Status::not_found(self.context.resource.name(), &role.name))?;
        self.confirm(text(new, "metadata.name"), rules)
    }

    /// Whether the writer may do this to roles of a name in the request's namespace.
    fn may(&self, verb: &str, plural: &str, name: &str) -> bool {
        let resource = ResourceAttributes {
            group: RBAC.to_owned(),
            resource: plural.to_owned(),
            namespace: self.context.namespace.clone(),
            name: name.to_owned(),
            ..ResourceAttributes::default()
        };
        let decision = self.roles.decide(self.user, &Attributes::resource(verb, resource));
        matches!(decision, Decision::Allowed(_))
    }

    fn confirm(&self, name: &str, wanted: &[PolicyRule]) -> Result<(), Status> {
        let (held, broken) = self.roles.rules_for(self.user, &self.context.namespace);
        let Some(missing) = missing(&held, wanted) else { return Ok(()) };
        let mut why = format!(
            "user {} (groups={}) is attempting to grant RBAC permissions not currently held:\n{missing}",
            quoted(&self.user.name),
            quoted_list(&self.user.groups)
        );
        if let Some(broken) = broken {
            why.push_str(&format!("; resolution errors: [{broken}]"));
        }
        Err(Status::forbidden(self.context.resource.name(), name, &why))
    }
}

/// Whether nothing differs but what the garbage collector needs.
fn same_rights(new: &Fields, old: &Fields) -> bool {
    let bare = |fields: &Fields| {
        let mut fields = fields.clone();
        if let Some(meta) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
            for name in ["finalizers", "ownerReferences", "managedFields"] {
                meta.remove(name);
            }
        }
        fields
    };
    bare(new) == bare(old)
}
