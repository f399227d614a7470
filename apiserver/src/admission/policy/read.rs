//! `Policy`: a policy as it is stored, compiled, with its bindings.
//!
//! In: the stored objects. Out: the same, ready to be run. What does not compile any more is kept with the reason.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{
    admission::matching::Matching,
    cel::{
        Program,
        admission::{Compiler, Named, Names, Wanted},
    },
    protocol::{Fields, LabelSelector},
    strategy::{at, text},
};

/// Which sort of policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::admission) enum Sort {
    Validating,
    Mutating,
}

/// A policy, ready to be run.
#[derive(Debug)]
pub(in crate::admission) struct Policy {
    pub name: String,
    pub failure: Failure,
    /// `apiVersion` and `kind` of its parameters.
    pub param_kind: Option<(String, String)>,
    pub constraints: Matching,
    pub conditions: Vec<Expression>,
    /// By name; of two of one name the later counts.
    pub variables: Vec<(String, Expression)>,
    pub validations: Vec<Validation>,
    pub annotations: Vec<Expression>,
    pub mutations: Vec<Mutation>,
    pub reinvocation: Reinvocation,
    pub bindings: Vec<Binding>,
}

/// What becomes of a write where a policy fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::admission) enum Failure {
    Fail,
    Ignore,
}

impl Failure {
    pub(in crate::admission) fn read(said: Option<&Value>) -> Self {
        if said.and_then(Value::as_str) == Some("Ignore") { Self::Ignore } else { Self::Fail }
    }
}

/// Whether something is run again when what came later has changed the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::admission) enum Reinvocation {
    Never,
    IfNeeded,
}

impl Reinvocation {
    pub(in crate::admission) fn read(said: Option<&Value>) -> Self {
        if said.and_then(Value::as_str) == Some("IfNeeded") { Self::IfNeeded } else { Self::Never }
    }
}

/// An expression, compiled, with its text.
#[derive(Debug)]
pub(in crate::admission) struct Expression {
    pub text: String,
    pub program: Result<Program, String>,
}

/// A rule of a validating policy.
#[derive(Debug)]
pub(in crate::admission) struct Validation {
    pub rule: Expression,
    pub said: Option<Expression>,
    pub message: String,
    pub reason: String,
}

/// A change that a mutating policy makes.
#[derive(Debug)]
pub(in crate::admission) enum Mutation {
    Apply(Expression),
    Patch(Expression),
}

/// A binding of a policy.
#[derive(Debug)]
pub(in crate::admission) struct Binding {
    pub name: String,
    pub params: Option<ParamRef>,
    pub matching: Option<Matching>,
    pub actions: Vec<String>,
}

/// Which objects are parameters.
#[derive(Debug)]
pub(in crate::admission) struct ParamRef {
    pub name: String,
    pub namespace: String,
    pub selector: Option<LabelSelector>,
    pub missing: String,
}

/// The policies that are bound, by name, each with its bindings by name.
pub(in crate::admission) fn bound(sort: Sort, policies: &[Fields], bindings: &[Fields]) -> Vec<Arc<Policy>> {
    let read = |policy: &Fields| {
        let name = text(policy, "metadata.name");
        let own = bindings.iter().filter(|binding| text(binding, "spec.policyName") == name);
        let own: Vec<Binding> = own.map(Binding::read).collect();
        (!own.is_empty()).then(|| Arc::new(Policy::read(sort, policy, own)))
    };
    policies.iter().filter_map(read).collect()
}

fn part<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn items<'a>(spec: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    spec.get(name).and_then(Value::as_array).into_iter().flatten()
}

impl Policy {
    /// Whether it is run again when webhooks have changed the object.
    pub(in crate::admission) fn runs_again(&self) -> bool {
        self.reinvocation == Reinvocation::IfNeeded
    }

    fn read(sort: Sort, policy: &Fields, bindings: Vec<Binding>) -> Self {
        let empty = Value::Object(Map::new());
        let spec = policy.get("spec").unwrap_or(&empty);
        let param_kind = spec
            .get("paramKind")
            .map(|kind| (part(kind, "apiVersion").to_owned(), part(kind, "kind").to_owned()));
        let names =
            Names { params: Named::from(param_kind.is_some()), authorizer: Named::Yes, objects: Named::No };
        let mut compiler = Compiler::with_variables();
        let mut variables = Vec::new();
        for variable in items(spec, "variables") {
            let (name, text) = (part(variable, "name").to_owned(), part(variable, "expression").to_owned());
            let program = compiler.variable(&name, &text, names);
            variables.push((name, Expression { text, program }));
        }
        let compile = |text: &str, names: Names, wanted: Wanted| Expression {
            program: compiler.compile(text, names, wanted),
            text: text.to_owned(),
        };
        let validation = |said: &Value| {
            let message = part(said, "messageExpression");
            let silent = Names { authorizer: Named::No, ..names };
            Validation {
                rule: compile(part(said, "expression"), names, Wanted::Bool),
                said: (!message.is_empty()).then(|| compile(message, silent, Wanted::Text)),
                message: part(said, "message").to_owned(),
                reason: part(said, "reason").to_owned(),
            }
        };
        let making = Names { objects: Named::Yes, ..names };
        let mutation = |said: &Value| {
            let expression = |name: &str| said.get(name).map(|patch| part(patch, "expression"));
            match part(said, "patchType") {
                "JSONPatch" => expression("jsonPatch")
                    .map(|text| Mutation::Patch(compile(text, making, Wanted::Patches))),
                _ => expression("applyConfiguration")
                    .map(|text| Mutation::Apply(compile(text, making, Wanted::Object))),
            }
        };
        let validates = sort == Sort::Validating;
        Self {
            name: text(policy, "metadata.name").to_owned(),
            failure: Failure::read(spec.get("failurePolicy")),
            constraints: Matching::of_policy(spec.get("matchConstraints").unwrap_or(&empty)),
            conditions: items(spec, "matchConditions")
                .map(|said| compile(part(said, "expression"), names, Wanted::Bool))
                .collect(),
            validations: items(spec, "validations").filter(|_| validates).map(validation).collect(),
            annotations: items(spec, "auditAnnotations")
                .filter(|_| validates)
                .map(|said| compile(part(said, "valueExpression"), names, Wanted::TextOrNull))
                .collect(),
            mutations: items(spec, "mutations").filter_map(mutation).collect(),
            reinvocation: Reinvocation::read(spec.get("reinvocationPolicy")),
            param_kind,
            variables,
            bindings,
        }
    }
}

impl Binding {
    fn read(binding: &Fields) -> Self {
        let params = at(binding, "spec.paramRef").map(|said| ParamRef {
            name: part(said, "name").to_owned(),
            namespace: part(said, "namespace").to_owned(),
            selector: said.get("selector").and_then(|said| LabelSelector::of_object(said).ok()),
            missing: part(said, "parameterNotFoundAction").to_owned(),
        });
        let actions = at(binding, "spec.validationActions").and_then(Value::as_array);
        Self {
            name: text(binding, "metadata.name").to_owned(),
            params,
            matching: at(binding, "spec.matchResources").map(Matching::of_policy),
            actions: actions.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }
}
