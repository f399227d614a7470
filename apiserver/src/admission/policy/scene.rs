//! `Scene`: everything that the expressions of one policy see in one run.
//!
//! In: the write, its namespace, the parameters. Out: the values of expressions. Variables of the policy are worked out when they are first
//! named, and once.

use std::{cell::Cell, cell::RefCell, collections::BTreeMap, rc::Rc};

use serde_json::{Map, Value};

use crate::{
    access::{Attributes, Decision, ResourceAttributes, Subject, User},
    admission::{Asked, Attempt},
    cel::{Authority, Check, Decided, EvalError, Lazy, Program, Question, Val},
    protocol::Fields,
};

use super::{
    SPENT,
    read::{Expression, Policy},
};

/// What expressions see.
pub(in crate::admission) struct Scene<'a> {
    pub object: Option<&'a Fields>,
    pub old: Option<&'a Fields>,
    pub request: Map<String, Value>,
    pub namespace: Option<&'a Fields>,
    pub params: Option<&'a Fields>,
    pub rights: Rights<'a>,
    pub question: Question,
}

/// What the sender of a request may do.
#[derive(Clone, Copy)]
pub(in crate::admission) struct Rights<'a>(Asked<'a>);

impl<'a> Rights<'a> {
    pub(in crate::admission) fn of(attempt: &Attempt<'a>) -> Self {
        Self(attempt.asked)
    }
}

impl std::fmt::Debug for Rights<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Rights")
    }
}

impl Authority for Rights<'_> {
    fn decide(&self, question: &Question) -> Decided {
        let account;
        let user = match &question.account {
            Some((namespace, name)) => {
                account = User::service_account(namespace, name);
                &account
            }
            None => self.0.user,
        };
        let attributes = match &question.path {
            Some(path) => Attributes { verb: question.verb.clone(), subject: Subject::Path(path.clone()) },
            None => Attributes::resource(
                &question.verb,
                ResourceAttributes {
                    group: question.group.clone(),
                    resource: question.resource.clone(),
                    subresource: question.subresource.clone(),
                    namespace: question.namespace.clone(),
                    name: question.name.clone(),
                },
            ),
        };
        let decision = match self.0.roles {
            Some(roles) => roles.decide(user, &attributes),
            None => Decision::Allowed(String::new()),
        };
        match decision {
            Decision::Allowed(reason) => Decided { allowed: true, reason },
            Decision::NoOpinion(reason) => Decided { allowed: false, reason },
        }
    }
}

/// What `authorizer.requestResource` is about.
pub(in crate::admission) fn question(attempt: &Attempt<'_>, name: &str) -> Question {
    Question {
        group: attempt.resource.group.clone(),
        resource: attempt.resource.plural.clone(),
        subresource: attempt.subresource.to_owned(),
        namespace: attempt.namespace.to_owned(),
        name: name.to_owned(),
        ..Question::default()
    }
}

fn members(fields: Option<&Fields>) -> Val<'_> {
    fields.map_or(Val::Null, Val::members)
}

impl Scene<'_> {
    fn variables(&self) -> Vec<(&str, Val<'_>)> {
        vec![
            ("object", members(self.object)),
            ("oldObject", members(self.old)),
            ("namespaceObject", members(self.namespace)),
            ("params", members(self.params)),
            ("request", Val::members(&self.request)),
            ("authorizer", Val::Check(Rc::new(Check::new(&self.rights)))),
            (
                "authorizer.requestResource",
                Val::Check(Rc::new(Check::about(&self.rights, self.question.clone()))),
            ),
        ]
    }
}

/// A run of the expressions of one policy.
pub(in crate::admission) struct Play<'v> {
    composer: Rc<Composer<'v>>,
}

/// Why an expression has no value.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::admission) enum Broken {
    /// It fails by itself.
    #[error("{0}")]
    One(String),
    /// Nothing more is run.
    #[error("{0}")]
    All(String),
}

struct Composer<'v> {
    variables: &'v [(String, Expression)],
    base: Vec<(&'v str, Val<'v>)>,
    known: RefCell<BTreeMap<String, Result<Val<'v>, EvalError>>>,
    budget: Cell<u64>,
}

impl<'v> Composer<'v> {
    fn run(self: &Rc<Self>, program: &'v Program) -> Result<Val<'v>, EvalError> {
        let own = Rc::clone(self);
        let mut variables = self.base.clone();
        variables.push(("variables", Val::Lazy(Lazy::new(move |name| own.member(name)))));
        let mut left = u64::MAX;
        let result = program.run(&variables, &mut left);
        self.budget.set(self.budget.get().saturating_sub(u64::MAX - left));
        result
    }

    fn member(self: &Rc<Self>, name: &str) -> Option<Result<Val<'v>, EvalError>> {
        let (_, expression) = self.variables.iter().rev().find(|(own, _)| own == name)?;
        if let Some(known) = self.known.borrow().get(name) {
            return Some(known.clone());
        }
        let value = match &expression.program {
            Ok(program) => self.run(program).map_err(|error| {
                EvalError::failed(format!("composited variable \"{name}\" fails to evaluate: {error}"))
            }),
            Err(why) => {
                Err(EvalError::failed(format!("composited variable \"{name}\" fails to compile: {why}")))
            }
        };
        self.known.borrow_mut().insert(name.to_owned(), value.clone());
        Some(value)
    }
}

impl<'v> Play<'v> {
    /// A run with so much to spend.
    pub(in crate::admission) fn new(
        scene: &'v Scene<'_>,
        variables: &'v [(String, Expression)],
        budget: u64,
    ) -> Self {
        let composer = Composer {
            variables,
            base: scene.variables(),
            known: RefCell::default(),
            budget: Cell::new(budget),
        };
        Self { composer: Rc::new(composer) }
    }

    /// The value of an expression.
    pub(in crate::admission) fn value(&self, expression: &'v Expression) -> Result<Val<'v>, Broken> {
        let program = match &expression.program {
            Ok(program) => program,
            Err(why) => return Err(Broken::One(format!("compilation error: {why}"))),
        };
        let result = self.composer.run(program);
        if self.composer.budget.get() == 0 {
            return Err(Broken::All(SPENT.to_owned()));
        }
        result.map_err(|error| {
            Broken::One(format!("expression '{}' resulted in error: {error}", expression.text))
        })
    }
}

/// Whether the conditions of a policy or webhook are met: if one is not, it does not matter whether others fail.
pub(in crate::admission) fn conditions(
    conditions: &[Expression],
    variables: &[(String, Expression)],
    scene: &Scene<'_>,
) -> Result<bool, String> {
    let play = Play::new(scene, variables, super::CONDITIONS);
    let mut failed = Vec::new();
    for condition in conditions {
        match play.value(condition) {
            Ok(Val::Bool(false)) => return Ok(false),
            Ok(_) => {}
            Err(Broken::All(why)) => return Err(why),
            Err(Broken::One(why)) => failed.push(why),
        }
    }
    failed.dedup();
    match failed.as_slice() {
        [] => Ok(true),
        [one] => Err(one.clone()),
        many => Err(format!("[{}]", many.join(", "))),
    }
}

/// Whether the conditions of a policy are met.
pub(super) fn applies(policy: &Policy, scene: &Scene<'_>) -> Result<bool, String> {
    conditions(&policy.conditions, &policy.variables, scene)
}
