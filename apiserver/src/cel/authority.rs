//! `Check`: the variable `authorizer`, and what becomes of it while an expression asks whether somebody may do something.
//!
//! In: somebody who knows the rights. Out: questions put together word by word, and their answers. Rights are not known here.

use std::fmt;

pub(super) const AUTHORIZER: &str = "kubernetes.authorization.Authorizer";
pub(super) const PATH_CHECK: &str = "kubernetes.authorization.PathCheck";
pub(super) const GROUP_CHECK: &str = "kubernetes.authorization.GroupCheck";
pub(super) const RESOURCE_CHECK: &str = "kubernetes.authorization.ResourceCheck";
pub(super) const DECISION: &str = "kubernetes.authorization.Decision";

/// Who knows what users may do.
pub(crate) trait Authority: fmt::Debug {
    /// The answer to a question.
    fn decide(&self, question: &Question) -> Decided;
}

/// Whether somebody may do something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Question {
    /// Namespace and name of a service account, where it is not about the one who sends the request.
    pub account: Option<(String, String)>,
    pub verb: String,
    /// A path that is no resource.
    pub path: Option<String>,
    pub group: String,
    pub resource: String,
    pub subresource: String,
    pub namespace: String,
    pub name: String,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decided {
    pub allowed: bool,
    pub reason: String,
}

/// How far a question has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Authorizer,
    Path,
    Group,
    Resource,
    Decision(Decided),
}

/// A question that is being put.
#[derive(Clone, Debug)]
pub(crate) struct Check<'v> {
    authority: &'v dyn Authority,
    pub(super) stage: Stage,
    pub(super) question: Question,
}

impl<'v> Check<'v> {
    /// The variable `authorizer`.
    pub(crate) fn new(authority: &'v dyn Authority) -> Self {
        Self { authority, stage: Stage::Authorizer, question: Question::default() }
    }

    /// The variable `authorizer.requestResource`.
    pub(crate) fn about(authority: &'v dyn Authority, question: Question) -> Self {
        Self { authority, stage: Stage::Resource, question }
    }

    pub(super) fn type_name(&self) -> &'static str {
        match self.stage {
            Stage::Authorizer => AUTHORIZER,
            Stage::Path => PATH_CHECK,
            Stage::Group => GROUP_CHECK,
            Stage::Resource => RESOURCE_CHECK,
            Stage::Decision(_) => DECISION,
        }
    }

    /// The same at another stage, with one more word.
    pub(super) fn with(&self, stage: Stage, add: impl FnOnce(&mut Question)) -> Self {
        let mut question = self.question.clone();
        add(&mut question);
        Self { authority: self.authority, stage, question }
    }

    /// The answer for a verb.
    pub(super) fn decided(&self, verb: &str) -> Self {
        let question = Question { verb: verb.to_owned(), ..self.question.clone() };
        let decided = self.authority.decide(&question);
        Self { authority: self.authority, stage: Stage::Decision(decided), question }
    }
}
