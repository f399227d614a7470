//! Who asks, and whether they may.
//!
//! In: the headers and the target of a request. Out: the user to answer, or the 401 or 403. Rights are looked up in the stored roles,
//! which are put in order anew when one of them has changed.

use std::sync::Arc;

use http::{HeaderMap, header};
use jiff::Timestamp;
use subtle::ConstantTimeEq as _;

use crate::{
    access::{Attributes, Decision, RoleObjects, Roles, TokenKey, User, impersonated, impersonates},
    protocol::{Fields, Status, Target},
    registry::Found,
};

use super::{Core, Settings, reply::Request, tokens::ISSUER};

/// Who decides what users may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Authorization {
    /// Everybody who is known may do everything.
    #[default]
    AlwaysAllow,
    /// The stored roles and bindings.
    Rbac,
}

/// From where a request comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// From this process: who shows no credentials is trusted.
    Inside,
    /// Over a connection: who shows no credentials is nobody.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only connections come through it"))]
    Outside,
}

/// What the server knows about users.
#[derive(Debug, Default)]
pub(super) struct Access {
    authorization: Authorization,
    tokens: Vec<(String, Arc<User>)>,
    /// What tokens of service accounts are signed with.
    key: Option<TokenKey>,
    /// The stored roles in order, and the version of the newest of them.
    roles: Option<(u64, Arc<Roles>)>,
}

/// What may be asked without credentials even where no roles say so, so that one may wait for the server.
const PUBLIC: [&str; 3] = ["/healthz", "/livez", "/readyz"];
const RBAC: &str = "rbac.authorization.k8s.io";

impl Access {
    pub(super) fn new(settings: &Settings) -> Self {
        let key = settings.token_secret.as_ref().and_then(TokenKey::new);
        Self { authorization: settings.authorization, key, ..Self::default() }
    }

    /// What tokens of service accounts are signed with.
    pub(super) fn key(&self) -> Option<&TokenKey> {
        self.key.as_ref()
    }
}

impl Core {
    /// Lets whoever shows `token` be `user`.
    #[cfg(feature = "http")]
    pub(crate) fn trust(&mut self, token: String, user: Arc<User>) {
        self.access.tokens.push((token, user));
    }

    /// Who sends a request with these headers.
    pub(crate) fn authenticate(
        &self,
        headers: &HeaderMap,
        path: &str,
        door: Door,
        now: Timestamp,
    ) -> Result<Arc<User>, Status> {
        if let Some(value) = headers.get(header::AUTHORIZATION) {
            let shown = value.to_str().ok().and_then(bearer).ok_or_else(Status::unauthorized)?;
            let known = self.holder(shown, &[ISSUER], now);
            return known.map(|(user, _)| user).map_err(|_| Status::unauthorized());
        }
        match (door, self.access.authorization) {
            (Door::Inside, _) => Ok(User::admin()),
            (Door::Outside, Authorization::Rbac) => Ok(Arc::new(User::anonymous())),
            (Door::Outside, Authorization::AlwaysAllow) if is_public(path) => Ok(Arc::new(User::anonymous())),
            (Door::Outside, Authorization::AlwaysAllow) => Err(Status::unauthorized()),
        }
    }

    /// The user that a token stands for, and which of the audiences it is for. How long that takes says nothing about the tokens.
    pub(super) fn holder(
        &self,
        shown: &str,
        audiences: &[&str],
        now: Timestamp,
    ) -> Result<(Arc<User>, Vec<String>), String> {
        let mut found = None;
        for (token, user) in &self.access.tokens {
            if bool::from(token.as_bytes().ct_eq(shown.as_bytes())) {
                found = Some(Arc::clone(user));
            }
        }
        if let Some(user) = found {
            return Ok((user, audiences.iter().map(|one| (*one).to_owned()).collect()));
        }
        self.account_of(shown, audiences, now)
    }

    /// The user to be answered: the one who asks, or whom they impersonate. Whether they may is asked here.
    pub(super) fn admit(&mut self, request: &Request, target: &Target) -> Result<Arc<User>, Status> {
        let known = request.extensions().get::<Arc<User>>();
        let user = known.map_or_else(User::admin, Arc::clone);
        let unlimited = self.access.authorization == Authorization::AlwaysAllow || user.is_master();
        if unlimited && !impersonates(request.headers()) {
            return Ok(user);
        }
        let attributes = Attributes::of(request, target);
        let roles = self.roles();
        let may = |user: &User, attributes: &Attributes| {
            matches!(decide(roles.as_deref(), user, attributes), Decision::Allowed(_))
        };
        let user = match impersonated(&user, request.headers(), &attributes, &may)? {
            Some(other) => Arc::new(other),
            None => user,
        };
        match decide(roles.as_deref(), &user, &attributes) {
            Decision::Allowed(_) => Ok(user),
            Decision::NoOpinion(why) => Err(attributes.forbidden(&user, &why)),
        }
    }

    /// Whether a user may do something.
    pub(super) fn decide(&mut self, user: &User, attributes: &Attributes) -> Decision {
        decide(self.roles().as_deref(), user, attributes)
    }

    /// The stored roles, in order; none where they do not count.
    pub(super) fn roles(&mut self) -> Option<Arc<Roles>> {
        if self.access.authorization == Authorization::AlwaysAllow {
            return None;
        }
        let tables =
            ["clusterroles", "roles", "clusterrolebindings", "rolebindings"].map(|plural| {
                match self.registry.find(RBAC, "v1", plural) {
                    Found::Resource(resource) => Some(resource.table),
                    _ => None,
                }
            });
        let newest = tables.iter().flatten().map(|table| self.store.newest(*table)).max().unwrap_or_default();
        if let Some((version, roles)) = &self.access.roles
            && *version == newest
        {
            return Some(Arc::clone(roles));
        }
        let [cluster_roles, roles, cluster_bindings, bindings] = tables.map(|table| -> Vec<Fields> {
            let stored = table.into_iter().flat_map(|table| self.store.all(table, ""));
            stored.map(|object| object.fields()).collect()
        });
        let objects = RoleObjects { cluster_roles, roles, cluster_bindings, bindings };
        let roles = Arc::new(Roles::new(&objects));
        self.access.roles = Some((newest, Arc::clone(&roles)));
        Some(roles)
    }
}

fn decide(roles: Option<&Roles>, user: &User, attributes: &Attributes) -> Decision {
    match roles {
        None => Decision::Allowed(String::new()),
        Some(roles) => roles.decide(user, attributes),
    }
}

/// The token of an `Authorization` header.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// A path of [`PUBLIC`], or one below it.
fn is_public(path: &str) -> bool {
    let mut rests = PUBLIC.iter().filter_map(|public| path.strip_prefix(public));
    rests.any(|rest| rest.is_empty() || rest.starts_with('/'))
}
