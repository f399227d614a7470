//! Access: who asks, what is asked, and whether it may be.
//!
//! In: headers, paths, and the roles and bindings that are stored. Out: a [`User`], the [`Attributes`] of a request, and a [`Decision`].
//! It decides nothing about the content of objects, and changes none.

mod attributes;
mod impersonation;
mod jwt;
mod roles;
mod rule;
mod user;

pub(crate) use attributes::{Attributes, ResourceAttributes, Subject};
pub(crate) use impersonation::{impersonated, impersonates};
pub(crate) use jwt::{BadToken, TokenKey};
pub(crate) use roles::{Decision, RoleObjects, RoleRef, Roles};
pub(crate) use rule::{PolicyRule, missing, quoted_list};
pub(crate) use user::User;
