//! `User`: who sends a request.
//!
//! Plain data: name, uid, groups and extra facts, as authentication or impersonation found them.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

use serde_json::{Value, json};

/// The group whose members may do everything.
pub(crate) const MASTERS: &str = "system:masters";
/// The group of everybody who is known.
pub(crate) const AUTHENTICATED: &str = "system:authenticated";
/// The group of everybody who is not.
pub(crate) const UNAUTHENTICATED: &str = "system:unauthenticated";
/// The name of those who show no credentials.
pub(crate) const ANONYMOUS: &str = "system:anonymous";
/// How names of service accounts begin.
const ACCOUNT: &str = "system:serviceaccount:";

/// Who sends a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct User {
    pub name: String,
    pub uid: String,
    pub groups: Vec<String>,
    pub extra: BTreeMap<String, Vec<String>>,
}

impl User {
    /// The one who may do everything: clients in this process, and the holder of the kubeconfig.
    pub(crate) fn admin() -> Arc<Self> {
        static ADMIN: LazyLock<Arc<User>> = LazyLock::new(|| {
            Arc::new(User {
                name: "admin".to_owned(),
                uid: "admin-uid".to_owned(),
                groups: vec![MASTERS.to_owned(), AUTHENTICATED.to_owned()],
                extra: BTreeMap::new(),
            })
        });
        Arc::clone(&ADMIN)
    }

    /// Somebody without credentials.
    pub(crate) fn anonymous() -> Self {
        Self { name: ANONYMOUS.to_owned(), groups: vec![UNAUTHENTICATED.to_owned()], ..Self::default() }
    }

    /// A service account.
    pub(crate) fn service_account(namespace: &str, name: &str) -> Self {
        let mut groups = account_groups(namespace);
        groups.push(AUTHENTICATED.to_owned());
        Self { name: format!("{ACCOUNT}{namespace}:{name}"), groups, ..Self::default() }
    }

    /// Whether the user is in a group.
    pub(crate) fn is_in(&self, group: &str) -> bool {
        self.groups.iter().any(|own| own == group)
    }

    /// Whether the user may do everything, whatever roles say.
    pub(crate) fn is_master(&self) -> bool {
        self.is_in(MASTERS)
    }

    /// Whether the user is this service account.
    pub(crate) fn is_account(&self, namespace: &str, name: &str) -> bool {
        account(&self.name) == Some((namespace, name))
    }

    /// As reviews and admission requests show it.
    pub(crate) fn to_value(&self) -> Value {
        let mut value = json!({});
        if let Some(members) = value.as_object_mut() {
            let mut add = |name: &str, value: Value, is_empty: bool| {
                if !is_empty {
                    members.insert(name.to_owned(), value);
                }
            };
            add("username", json!(self.name), self.name.is_empty());
            add("uid", json!(self.uid), self.uid.is_empty());
            add("groups", json!(self.groups), self.groups.is_empty());
            add("extra", json!(self.extra), self.extra.is_empty());
        }
        value
    }
}

/// Namespace and name of a service account, from the name of its user.
pub(crate) fn account(user: &str) -> Option<(&str, &str)> {
    let (namespace, name) = user.strip_prefix(ACCOUNT)?.split_once(':')?;
    let plain = |text: &str| !text.is_empty() && !text.contains(':');
    (plain(namespace) && plain(name)).then_some((namespace, name))
}

/// The groups that every service account of a namespace is in, but for that of all known users.
pub(crate) fn account_groups(namespace: &str) -> Vec<String> {
    vec!["system:serviceaccounts".to_owned(), format!("system:serviceaccounts:{namespace}")]
}
