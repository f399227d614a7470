//! Impersonation: to ask as somebody else.
//!
//! In: the `Impersonate-*` headers, who really asks, and what. Out: who is to be seen instead, or the 400 or 403 about it. Whether
//! somebody may do something is asked of the caller.

use std::collections::BTreeMap;

use http::HeaderMap;

use crate::protocol::{Status, quoted, unescape};

use super::{
    Attributes, ResourceAttributes, User,
    user::{ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, account, account_groups},
};

const USER: &str = "impersonate-user";
const UID: &str = "impersonate-uid";
const GROUP: &str = "impersonate-group";
const EXTRA: &str = "impersonate-extra-";
/// How names of nodes' users begin.
const NODE: &str = "system:node:";
/// Where those who impersonate nodes keep the name of their own.
const NODE_NAME: &str = "authentication.kubernetes.io/node-name";

/// Who is to be seen instead of `user`; none where nobody is impersonated.
pub(crate) fn impersonated(
    user: &User,
    headers: &HeaderMap,
    attributes: &Attributes,
    may: &dyn Fn(&User, &Attributes) -> bool,
) -> Result<Option<User>, Status> {
    let wanted = wanted(headers);
    if !wanted.name.is_empty() {
        let check = Check { user, wanted: &wanted, attributes, may };
        return check.run().map(Some);
    }
    if wanted == User::default() {
        return Ok(None);
    }
    Err(Status::bad_request(format!("requested {} without impersonating a user name", printed(&wanted))))
}

/// Whether headers ask for somebody else at all.
pub(crate) fn impersonates(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| name.as_str().starts_with("impersonate-"))
}

/// The user that the headers name, as they name it.
fn wanted(headers: &HeaderMap) -> User {
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let first = |name: &str| headers.get(name).map(text).unwrap_or_default();
    let mut extra: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in headers {
        if let Some(key) = name.as_str().strip_prefix(EXTRA) {
            extra.entry(unescape(key)).or_default().push(text(value));
        }
    }
    User {
        name: first(USER),
        uid: first(UID),
        groups: headers.get_all(GROUP).iter().map(text).collect(),
        extra,
    }
}

/// One attempt to impersonate.
struct Check<'a> {
    user: &'a User,
    wanted: &'a User,
    attributes: &'a Attributes,
    may: &'a dyn Fn(&User, &Attributes) -> bool,
}

/// A right to impersonate some users for some requests; the oldest right is for all requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    OwnNode,
    AnyNode,
    Account,
    Other,
    Unlimited,
}

impl Mode {
    const ALL: [Self; 5] = [Self::OwnNode, Self::AnyNode, Self::Account, Self::Other, Self::Unlimited];

    fn name(self) -> &'static str {
        match self {
            Self::OwnNode => "associated-node",
            Self::AnyNode => "arbitrary-node",
            Self::Account => "serviceaccount",
            Self::Other => "user-info",
            Self::Unlimited => "",
        }
    }
}

impl Check<'_> {
    /// The first right that is there decides; where none is, the first that was missing is told.
    fn run(&self) -> Result<User, Status> {
        let mut refusal = None;
        for mode in Mode::ALL.into_iter().filter(|mode| self.applies(*mode)) {
            match self.by(mode) {
                Ok(user) => return Ok(user),
                Err(status) => refusal = refusal.or(Some(status)),
            }
        }
        Err(refusal.unwrap_or_else(|| Status::internal("all impersonation modes failed")))
    }

    fn applies(&self, mode: Mode) -> bool {
        let wanted = self.wanted;
        let plain = wanted.uid.is_empty() && wanted.groups.is_empty() && wanted.extra.is_empty();
        let node = wanted.name.strip_prefix(NODE).filter(|name| !name.is_empty());
        match mode {
            Mode::OwnNode => {
                let own = self.user.extra.get(NODE_NAME).and_then(|names| match names.as_slice() {
                    [name] => Some(name.as_str()),
                    _ => None,
                });
                plain && node.is_some() && node == own && account(&self.user.name).is_some()
            }
            Mode::AnyNode => plain && node.is_some(),
            Mode::Account => plain && account(&wanted.name).is_some(),
            Mode::Other => node.is_none() && account(&wanted.name).is_none(),
            Mode::Unlimited => true,
        }
    }

    fn by(&self, mode: Mode) -> Result<User, Status> {
        if mode != Mode::Unlimited {
            let mut attributes = self.attributes.clone();
            attributes.verb = format!("impersonate-on:{}:{}", mode.name(), attributes.verb);
            self.allowed(&attributes)?;
        }
        let verb = match mode {
            Mode::Unlimited => "impersonate".to_owned(),
            mode => format!("impersonate:{}", mode.name()),
        };
        let group = if mode == Mode::Unlimited { "" } else { "authentication.k8s.io" };
        let mut seen = self.wanted.clone();
        self.allowed(&Attributes::resource(&verb, self.of_name(mode, group, &mut seen)))?;
        let named = |resource: &str, subresource: &str, group: &str, name: &str| {
            let resource = ResourceAttributes {
                group: group.to_owned(),
                resource: resource.to_owned(),
                subresource: subresource.to_owned(),
                name: name.to_owned(),
                ..ResourceAttributes::default()
            };
            self.allowed(&Attributes::resource(&verb, resource))
        };
        if !self.wanted.uid.is_empty() {
            named("uids", "", "authentication.k8s.io", &self.wanted.uid)?;
        }
        for name in &self.wanted.groups {
            named("groups", "", group, name)?;
        }
        for (key, values) in &self.wanted.extra {
            for value in values {
                named("userextras", key, "authentication.k8s.io", value)?;
            }
        }
        add_group(&mut seen);
        Ok(seen)
    }

    /// What it takes to have the name; the groups that come with it are added.
    fn of_name(&self, mode: Mode, group: &str, seen: &mut User) -> ResourceAttributes {
        let mut resource = ResourceAttributes {
            group: group.to_owned(),
            resource: "users".to_owned(),
            name: self.wanted.name.clone(),
            ..ResourceAttributes::default()
        };
        let node = self.wanted.name.strip_prefix(NODE).filter(|_| mode != Mode::Unlimited);
        if let Some(node) = node {
            resource.resource = "nodes".to_owned();
            resource.name = if mode == Mode::OwnNode { "*".to_owned() } else { node.to_owned() };
            seen.groups = vec!["system:nodes".to_owned()];
        }
        if let Some((namespace, name)) = account(&self.wanted.name) {
            resource.resource = "serviceaccounts".to_owned();
            resource.namespace = namespace.to_owned();
            resource.name = name.to_owned();
            if self.wanted.groups.is_empty() {
                seen.groups = account_groups(namespace);
            }
        }
        resource
    }

    fn allowed(&self, attributes: &Attributes) -> Result<(), Status> {
        if (self.may)(self.user, attributes) { Ok(()) } else { Err(attributes.forbidden(self.user, "")) }
    }
}

/// Everybody is known or unknown.
fn add_group(user: &mut User) {
    let missing = if user.name == ANONYMOUS {
        UNAUTHENTICATED
    } else if user.is_in(UNAUTHENTICATED) {
        return;
    } else {
        AUTHENTICATED
    };
    if !user.is_in(missing) {
        user.groups.push(missing.to_owned());
    }
}

/// A user as Go prints it.
fn printed(user: &User) -> String {
    let list = |texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
        format!("[]string{{{}}}", texts.join(", "))
    };
    let groups = if user.groups.is_empty() { "[]string(nil)".to_owned() } else { list(&user.groups) };
    let pairs: Vec<String> =
        user.extra.iter().map(|(key, values)| format!("{}:{}", quoted(key), list(values))).collect();
    let extra = match pairs.is_empty() {
        true => "map[string][]string(nil)".to_owned(),
        false => format!("map[string][]string{{{}}}", pairs.join(", ")),
    };
    format!(
        "&user.DefaultInfo{{Name:{}, UID:{}, Groups:{groups}, Extra:{extra}}}",
        quoted(&user.name),
        quoted(&user.uid)
    )
}
