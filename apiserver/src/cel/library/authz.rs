//! Questions about rights, put together from the variable `authorizer`.

use std::rc::Rc;

use super::{EvalError, Result, Val};
use crate::{
    cel::{
        authority::{Check, Stage},
        ops::text,
    },
    protocol::names::{dns_label_errors, dns_subdomain_errors},
};

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    if let ("jsonpatch.escapeKey", [key]) = (function, args) {
        return Some(text(key).map(|key| Val::text(key.replace('~', "~0").replace('/', "~1"))));
    }
    let (Val::Check(check), rest) = args.split_first()? else { return None };
    Some(match (&check.stage, rest) {
        (Stage::Decision(decided), []) => match function {
            "allowed" => Ok(Val::Bool(decided.allowed)),
            "reason" => Ok(Val::text(decided.reason.as_str())),
            "errored" => Ok(Val::Bool(false)),
            "error" => Ok(Val::text("")),
            _ => Err(EvalError::overload()),
        },
        (_, [word]) => text(word).and_then(|word| further(check, function, word)).map(wrapped),
        (Stage::Authorizer, [namespace, name]) if function == "serviceAccount" => {
            account(check, namespace, name).map(wrapped)
        }
        _ => Err(EvalError::overload()),
    })
}

fn wrapped(check: Check<'_>) -> Val<'_> {
    Val::Check(Rc::new(check))
}

type Asked<'v> = std::result::Result<Check<'v>, EvalError>;

fn further<'v>(check: &Check<'v>, function: &str, word: &str) -> Asked<'v> {
    let owned = word.to_owned();
    let filled = |what: &str| match word.trim() {
        "" => Err(EvalError::new(format!("{what} must not be empty"))),
        _ => Ok(()),
    };
    Ok(match (&check.stage, function) {
        (Stage::Authorizer, "path") => {
            filled("path")?;
            check.with(Stage::Path, |question| question.path = Some(owned))
        }
        (Stage::Authorizer, "group") => check.with(Stage::Group, |question| question.group = owned),
        (Stage::Group, "resource") => {
            filled("resource")?;
            check.with(Stage::Resource, |question| question.resource = owned)
        }
        (Stage::Resource, "subresource") => {
            check.with(Stage::Resource, |question| question.subresource = owned)
        }
        (Stage::Resource, "namespace") => check.with(Stage::Resource, |question| question.namespace = owned),
        (Stage::Resource, "name") => check.with(Stage::Resource, |question| question.name = owned),
        // Rights here do not depend on selectors.
        (Stage::Resource, "fieldSelector" | "labelSelector") => check.clone(),
        (Stage::Resource | Stage::Path, "check") => check.decided(word),
        _ => return Err(EvalError::overload()),
    })
}

fn account<'v>(check: &Check<'v>, namespace: &Val<'v>, name: &Val<'v>) -> Asked<'v> {
    let (namespace, name) = (text(namespace)?, text(name)?);
    if !dns_subdomain_errors(name).is_empty() {
        return Err(EvalError::new("Invalid service account name"));
    }
    if !dns_label_errors(namespace).is_empty() {
        return Err(EvalError::new("Invalid service account namespace"));
    }
    let account = (namespace.to_owned(), name.to_owned());
    Ok(check.with(Stage::Authorizer, |question| question.account = Some(account)))
}
