//! The rules of a schema at work.
//!
//! In: a schema, compiled once; then values, for updates each with the value before. Out: what breaks a rule, and warnings where the
//! value has not changed. Rules that speak of the old value are run only where there is one.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;

use super::{Additional, Old, Path, Root, Rule, Structural, declare, validate::is_unchanged};
use crate::{
    cel::{CompileError, Decl, Environment, EvalError, Program, Type, Val},
    protocol::{FieldError, FieldErrorClass, printed},
};

/// What all rules together may spend on one object.
pub(crate) const BUDGET: u64 = 10_000_000;
const LONGEST_MESSAGE: usize = 5 * 1024;

/// The rules of a schema and of all below it.
#[derive(Debug)]
pub(crate) struct Rules {
    rules: Vec<CompiledRule>,
    decl: Arc<Decl>,
    /// The type by which errors name the value.
    kind: String,
    items: Option<Box<Rules>>,
    values: Option<Box<Rules>>,
    properties: BTreeMap<String, Rules>,
    all_of: Vec<Rules>,
}

/// One compiled rule.
#[derive(Debug)]
pub(crate) struct CompiledRule {
    pub rule: Rule,
    pub program: Result<Option<Program>, RuleError>,
    pub message: Option<Result<Program, RuleError>>,
    pub uses_old_self: bool,
}

/// Why a rule cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RuleError {
    #[error("{0}")]
    Compile(CompileError),
    #[error("cel expression must evaluate to a bool")]
    NoBool,
    #[error("messageExpression {0}")]
    Message(CompileError),
    #[error("messageExpression must evaluate to a string")]
    NoText,
}

/// Compiles one rule about values of a declaration.
pub(crate) fn compile_rule(rule: &Rule, decl: &Arc<Decl>) -> CompiledRule {
    let environment = Environment::default().variable("self", Arc::clone(decl));
    let environment = if rule.optional_old_self == Some(true) {
        environment.optional_variable("oldSelf", Arc::clone(decl))
    } else {
        environment.variable("oldSelf", Arc::clone(decl))
    };
    let program = if rule.rule.trim().is_empty() {
        Ok(None)
    } else {
        match environment.compile(&rule.rule) {
            Err(error) => Err(RuleError::Compile(error)),
            Ok(program) if !matches!(program.result(), Type::Bool | Type::Dyn) => Err(RuleError::NoBool),
            Ok(program) => Ok(Some(program)),
        }
    };
    let message = (!rule.message_expression.trim().is_empty()).then(|| {
        match environment.compile(&rule.message_expression) {
            Err(error) => Err(RuleError::Message(error)),
            Ok(program) if !matches!(program.result(), Type::String | Type::Dyn) => Err(RuleError::NoText),
            Ok(program) => Ok(program),
        }
    });
    let uses_old_self = matches!(&program, Ok(Some(program)) if program.names("oldSelf"));
    CompiledRule { rule: rule.clone(), program, message, uses_old_self }
}

/// What a run of rules has found and may still spend.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub errors: Vec<FieldError>,
    pub warnings: Vec<String>,
    pub budget: u64,
    /// Nothing more is run.
    stopped: bool,
}

/// A value and its schema.
type Node<'v> = (&'v Value, &'v Structural);

/// How a value relates to the one before.
#[derive(Clone, Copy, Debug)]
struct Before<'v> {
    /// The value before, as rules see it as `oldSelf`.
    old: Option<&'v Value>,
    /// The value before, as far as unchanged values are let through.
    same: Old<'v>,
    /// The nearest value above of which both states are known, the new one first, with its schema.
    above: Option<(&'v Value, &'v Value, &'v Structural)>,
}

impl<'v> Before<'v> {
    fn is_unchanged(&self, value: &Value, schema: &Structural) -> bool {
        match (self.same, self.above) {
            (Old::Known(old), _) => is_unchanged(value, old, schema),
            (Old::Unknown, Some((new, old, schema))) => is_unchanged(new, old, schema),
            (Old::Unknown, None) => false,
        }
    }

    fn member(&self, (value, schema): Node<'v>, name: &str) -> Self {
        let old = self.old.and_then(|old| old.get(name));
        let Old::Known(before) = self.same else { return Self { old, ..*self } };
        if self.above.is_none() && ["apiVersion", "kind"].contains(&name) {
            return Self { old, same: Old::Unknown, above: None };
        }
        Self { old, same: self.same.member(schema, name), above: Some((value, before, schema)) }
    }

    fn item(&self, (value, schema): Node<'v>, item: &Value) -> Self {
        let old = match self.old.map_or(Old::Unknown, Old::Known).item(schema, item) {
            Old::Known(old) => Some(old),
            Old::Unknown => None,
        };
        match self.same {
            Old::Known(before) => {
                Self { old, same: self.same.item(schema, item), above: Some((value, before, schema)) }
            }
            Old::Unknown => Self { old, ..*self },
        }
    }
}

impl Rules {
    /// Compiles the rules of a schema; none where it has none.
    pub(crate) fn compile(schema: &Structural, root: Root) -> Option<Self> {
        schema.any(&|schema| !schema.rules.is_empty()).then_some(())?;
        Self::of(schema, schema, root)
    }

    /// The rules of `said` about values of `node`: the same schema, or a part of a junctor of it.
    fn of(said: &Structural, node: &Structural, root: Root) -> Option<Self> {
        let decl = Arc::new(declare(node, root)?);
        let rules: Vec<CompiledRule> = said.rules.iter().map(|rule| compile_rule(rule, &decl)).collect();
        let below = |said: &Structural, node: &Structural| Self::of(said, node, Root::of(node)).map(Box::new);
        let items = match (said.items.as_deref(), node.items.as_deref()) {
            (Some(said), Some(node)) => below(said, node),
            _ => None,
        };
        let values = match (
            said.additional.as_ref().and_then(Additional::schema),
            node.additional.as_ref().and_then(Additional::schema),
        ) {
            (Some(said), Some(node)) => below(said, node),
            _ => None,
        };
        let properties: BTreeMap<String, Self> = said
            .properties
            .iter()
            .filter_map(|(name, said)| {
                let node = node.properties.get(name)?;
                Some((name.clone(), Self::of(said, node, Root::of(node))?))
            })
            .collect();
        let all_of: Vec<Self> = said.all_of.iter().filter_map(|said| Self::of(said, node, root)).collect();
        let empty = rules.is_empty() && items.is_none() && values.is_none() && properties.is_empty();
        if empty && all_of.is_empty() {
            return None;
        }
        let kind = node.kind.clone();
        Some(Self { rules, decl, kind, items, values, properties, all_of })
    }

    /// Runs all rules over a value.
    pub(crate) fn run(&self, node: Node<'_>, old: Option<&Value>, path: &Path<'_>) -> Verdict {
        let mut verdict = Verdict { budget: BUDGET, ..Verdict::default() };
        let same = old.map_or(Old::Unknown, Old::Known);
        self.walk(node, Before { old, same, above: None }, path, &mut verdict);
        verdict
    }

    /// Runs all rules over a default: as if it replaced itself, and as if it were new.
    pub(crate) fn run_default(&self, node: Node<'_>, path: &Path<'_>) -> Verdict {
        let mut verdict = Verdict { budget: BUDGET, ..Verdict::default() };
        let before = Before { old: Some(node.0), same: Old::Unknown, above: None };
        self.walk(node, before, path, &mut verdict);
        if verdict.errors.is_empty() {
            self.walk(node, Before { old: None, ..before }, path, &mut verdict);
        }
        verdict
    }

    fn walk<'v>(&'v self, node: Node<'v>, before: Before<'v>, path: &Path<'_>, verdict: &mut Verdict) {
        let (value, schema) = node;
        if value.is_null() || verdict.stopped {
            return;
        }
        for rule in &self.rules {
            self.check(rule, (node, before), path, verdict);
            if verdict.stopped {
                return;
            }
        }
        for part in &self.all_of {
            part.walk(node, Before { same: Old::Unknown, ..before }, path, verdict);
        }
        match value {
            Value::Array(items) => {
                if let (Some(rules), Some(below)) = (&self.items, schema.items.as_deref()) {
                    for (index, item) in items.iter().enumerate() {
                        let before = before.item(node, item);
                        rules.walk((item, below), before, &path.index(index), verdict);
                    }
                }
            }
            Value::Object(members) => {
                let values = schema.additional.as_ref().and_then(Additional::schema);
                if let (Some(rules), Some(below)) = (&self.values, values) {
                    for (name, member) in members {
                        let before = before.member(node, name);
                        rules.walk((member, below), before, &path.key(name), verdict);
                    }
                }
                for (name, rules) in &self.properties {
                    if let (Some(member), Some(below)) = (members.get(name), schema.properties.get(name)) {
                        let before = before.member(node, name);
                        rules.walk((member, below), before, &path.member(name), verdict);
                    }
                }
            }
            _ => {}
        }
    }

    fn check<'v>(
        &'v self,
        compiled: &'v CompiledRule,
        (node, before): (Node<'v>, Before<'v>),
        path: &Path<'_>,
        verdict: &mut Verdict,
    ) {
        let value = node.0;
        let fail = |why: String| FieldError::invalid_text(path.field(), &self.kind, why);
        let program = match &compiled.program {
            Ok(Some(program)) => program,
            Ok(None) => return,
            Err(error) => {
                verdict.errors.push(fail(format!("rule compile error: {error}")));
                return;
            }
        };
        let optional = compiled.rule.optional_old_self == Some(true);
        // Null is no value to compare with.
        let old = before.old.filter(|old| !old.is_null());
        if compiled.uses_old_self && old.is_none() && !optional {
            return;
        }
        let variables = self.variables(value, old, optional);
        let before_run = verdict.budget;
        let result = program.run(&variables, &mut verdict.budget);
        if verdict.budget == 0 && before_run > 0 {
            let why = "validation failed due to running out of cost budget, no further validation rules will be run";
            verdict.errors.push(fail(why.to_owned()));
            verdict.stopped = true;
            return;
        }
        match result {
            Ok(Val::Bool(true)) => {}
            Ok(_) => self.broken(compiled, (node, before, &variables), path, verdict),
            Err(error) => {
                verdict.stopped = error.is_exhausted();
                verdict.errors.push(fail(failure(&error, &compiled.rule)));
            }
        }
    }

    fn variables<'v>(
        &'v self,
        value: &'v Value,
        old: Option<&'v Value>,
        optional: bool,
    ) -> Vec<(&'v str, Val<'v>)> {
        // What is of the wrong type is told where a rule looks at it.
        let typed = |value| {
            Val::typed(value, Some(&self.decl)).unwrap_or_else(|error| Val::Failed(std::rc::Rc::new(error)))
        };
        let mut variables = vec![("self", typed(value))];
        let old = old.map(typed);
        match (old, optional) {
            (old, true) => variables.push(("oldSelf", Val::Optional(old.map(std::rc::Rc::new)))),
            (Some(old), false) => variables.push(("oldSelf", old)),
            (None, false) => {}
        }
        variables
    }

    fn broken<'v>(
        &'v self,
        compiled: &'v CompiledRule,
        ((value, schema), before, variables): (Node<'v>, Before<'v>, &[(&'v str, Val<'v>)]),
        path: &Path<'_>,
        verdict: &mut Verdict,
    ) {
        let rule = &compiled.rule;
        let said = match &compiled.message {
            Some(Ok(program)) => message(program, variables, &mut verdict.budget),
            _ => None,
        };
        let detail = said.unwrap_or_else(|| match rule.message.trim() {
            "" => format!("failed rule: {}", rule.rule.trim()),
            message => message.to_owned(),
        });
        let field = match rule.field_path.as_str() {
            "" => path.field(),
            below => joined(path, below),
        };
        let plain = !["object", "array"].contains(&self.kind.as_str());
        let shown = if plain { printed(value) } else { String::new() };
        let error = match rule.reason.as_deref() {
            Some("FieldValueForbidden") => FieldError::forbidden(field, detail),
            Some("FieldValueRequired") => FieldError::required(field, detail),
            Some("FieldValueDuplicate") => {
                FieldError { field, class: FieldErrorClass::Duplicate, value: shown, detail: String::new() }
            }
            _ => FieldError { field, class: FieldErrorClass::Invalid, value: shown, detail },
        };
        if !compiled.uses_old_self && before.is_unchanged(value, schema) {
            verdict.warnings.push(error.to_string());
        } else {
            verdict.errors.push(error);
        }
    }
}

/// A path below another.
fn joined(path: &Path<'_>, below: &str) -> String {
    let mut below = below.to_owned();
    // Members in brackets are written as those of free maps are.
    while let (Some(open), Some(close)) = (below.find("['"), below.find("']")) {
        let name = below.get(open + 2..close).unwrap_or_default().to_owned();
        let tail = below.get(close + 2..).unwrap_or_default().to_owned();
        let head = below.get(..open).unwrap_or_default();
        below = format!("{head}.{name}{tail}");
    }
    match (path.to_string(), below.trim_start_matches('.')) {
        (path, below) if path.is_empty() => below.to_owned(),
        (path, below) => format!("{path}.{below}"),
    }
}

fn failure(error: &EvalError, rule: &Rule) -> String {
    let named = match rule.message.trim() {
        "" => rule.rule.trim(),
        message => message,
    };
    if error.is_overload() {
        format!(
            "'{error}': call arguments did not match a supported operator, function or macro signature for rule: {named}"
        )
    } else if error.is_exhausted() {
        format!(
            "'{error}': no further validation rules will be run due to call cost exceeds limit for rule: {named}"
        )
    } else {
        format!("{error} evaluating rule: {named}")
    }
}

/// What a message expression says, where it says something that can be shown.
fn message<'v>(program: &'v Program, variables: &[(&'v str, Val<'v>)], budget: &mut u64) -> Option<String> {
    let Ok(Val::Text(text)) = program.run(variables, budget) else { return None };
    let text = text.trim();
    let shown = !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n');
    shown.then(|| text.to_owned())
}
