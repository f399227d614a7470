//! Checks of finished nodes: what a server would refuse is refused here, at the marker that is at fault.

use super::builder::{Builder, span};
use super::cel::{self, Gives, OldSelf, What};
use super::fits::fits;
use super::structs::has;
use super::{Keyword, Rule, Schema};
use crate::diagnostic::{Diagnostic, Problem, SchemaProblem, ServerProblem};
use crate::model::{Field, Marker, Place, TypeDef};
use serde_json::Value;
use std::ops::Range;

/// Markers whose meaning depends on the whole node.
const CHECKED: [&str; 10] = [
    "default",
    "kubebuilder:default",
    "listType",
    "k8s:listType",
    "listMapKey",
    "k8s:listMapKey",
    "kubebuilder:validation:EmbeddedResource",
    "kubebuilder:validation:XEmbeddedResource",
    RULE,
    ITEM_RULE,
];

const RULE: &str = "kubebuilder:validation:XValidation";
const ITEM_RULE: &str = "kubebuilder:validation:items:XValidation";

/// What a node belongs to.
struct Owner<'o> {
    name: &'o str,
    markers: &'o [Marker],
    place: &'o Place,
    label: &'static str,
}

impl Builder<'_> {
    /// Checks a field's node before it is put into the object around it.
    pub(super) fn check_field(&mut self, schema: &Schema, field: &Field) {
        let owner = Owner {
            name: &field.ident,
            markers: &field.markers,
            place: &field.place,
            label: "on this field",
        };
        if is_untyped(schema) && has(&field.markers, "kubebuilder:validation:Schemaless") {
            self.report(ServerProblem::Untyped { name: field.ident.clone() }, &field.place);
        }
        self.check_items(schema, &field.ident, &field.place);
        if field.markers.iter().any(|marker| CHECKED.contains(&marker.name.as_str())) {
            let finished = super::merge::finish(schema.clone(), &mut Vec::new());
            self.check(&finished, &owner);
        }
    }

    /// Checks a type's finished node.
    pub(super) fn check_type(&mut self, schema: &Schema, definition: &TypeDef) {
        let owner = Owner {
            name: &definition.path.name,
            markers: &definition.markers,
            place: &definition.place,
            label: "on this type",
        };
        if definition.container.custom || has(&definition.markers, "kubebuilder:validation:Type") {
            self.check_items(schema, &definition.path.name, &definition.place);
        }
        if definition.markers.iter().any(|marker| CHECKED.contains(&marker.name.as_str())) {
            self.check(schema, &owner);
        }
    }

    /// A list is a list of something.
    fn check_items(&mut self, schema: &Schema, name: &str, place: &Place) {
        if schema.kind() == "array" && schema.items.is_none() && schema.reference.is_none() {
            self.report(ServerProblem::NoItems { name: name.to_owned() }, place);
        }
    }

    fn check(&mut self, schema: &Schema, owner: &Owner<'_>) {
        if let Some(marker) = owner.first(&["kubebuilder:default", "default"])
            && let Some(value) = schema.get(Keyword::Default)
        {
            match fits(value, schema, "") {
                Err(misfit) => {
                    let at = at(&misfit.path);
                    let problem = SchemaProblem::DefaultMisfit {
                        name: owner.name.to_owned(),
                        at,
                        reason: misfit.reason,
                    };
                    self.complain_at(problem, marker, owner);
                }
                Ok(()) => self.check_default(value, schema, (marker, owner)),
            }
        }
        let embedded = owner
            .first(&["kubebuilder:validation:EmbeddedResource", "kubebuilder:validation:XEmbeddedResource"]);
        if let Some(marker) = embedded.filter(|_| schema.kind() != "object") {
            let found = super::bounds::described(schema);
            let name = owner.name.to_owned();
            let marker_name = marker.name.clone();
            let problem = SchemaProblem::Misapplied { marker: marker_name, name, wanted: "an object", found };
            self.complain_at(problem, marker, owner);
        }
        self.check_list(schema, owner);
        self.check_rules(schema, owner);
    }

    /// Defaults keep the rules, their own and those of what is in them.
    fn check_default(&mut self, value: &Value, schema: &Schema, (marker, owner): (&Marker, &Owner<'_>)) {
        for broken in super::defaults::broken(value, schema) {
            let problem = broken.problem(owner.name, at(&broken.path));
            let mut diagnostic = Diagnostic::new(Problem::from(problem), span(&marker.place));
            if let Some(place) = broken.rule.place.as_ref().filter(|place| place.line != marker.place.line) {
                diagnostic = diagnostic.with_related(span(place), "this rule");
            }
            self.diagnostics.push(diagnostic.with_related(span(owner.place), owner.label));
        }
    }

    /// CEL rules are expressions, of things that are there.
    fn check_rules(&mut self, schema: &Schema, owner: &Owner<'_>) {
        for marker in owner.markers {
            let node = match marker.name.as_str() {
                RULE => Some(schema),
                ITEM_RULE => schema.items.as_deref(),
                _ => None,
            };
            let Some(node) = node else { continue };
            let rule = super::markers::rule(marker);
            let old = if rule.optional_old_self == Some(true) { OldSelf::Optional } else { OldSelf::Present };
            for (argument, problem) in rule_faults(&rule, node, owner.name) {
                let diagnostic = Diagnostic::new(problem, span(marker.place_of(argument)));
                self.diagnostics.push(diagnostic.with_related(span(owner.place), owner.label));
            }
            let message = rule.message_expression.as_deref();
            for (argument, text, gives) in [
                ("rule", Some(rule.rule.as_str()), Gives::Verdict),
                ("messageExpression", message, Gives::Message),
            ] {
                let Some(Err(fault)) = text.map(|text| cel::check(text, node, gives, old)) else { continue };
                let place = within(marker, argument, &fault.bytes);
                let diagnostic = Diagnostic::new(rule_problem(fault.what, owner.name), span(&place));
                self.diagnostics.push(diagnostic.with_related(span(owner.place), owner.label));
            }
        }
    }

    fn check_list(&mut self, schema: &Schema, owner: &Owner<'_>) {
        let Some(marker) = owner.first(&["listType", "k8s:listType", "listMapKey", "k8s:listMapKey"]) else {
            return;
        };
        let name = || owner.name.to_owned();
        let Some(items) = schema.items.as_deref() else { return };
        match schema.text(Keyword::ListType) {
            Some("set") => {
                let is_atomic = items.text(Keyword::MapType) == Some("atomic")
                    || (items.kind() == "array"
                        && items.text(Keyword::ListType).is_none_or(|kind| kind == "atomic"));
                let is_scalar = !matches!(items.kind(), "object" | "array" | "");
                if items.is(Keyword::Nullable) || !(is_scalar || is_atomic || items.is(Keyword::IntOrString))
                {
                    let found = super::bounds::described(items);
                    self.complain_at(SchemaProblem::SetOf { name: name(), found }, marker, owner);
                }
            }
            Some("map") => {
                if items.kind() != "object" {
                    let found = super::bounds::described(items);
                    self.complain_at(SchemaProblem::MapOf { name: name(), found }, marker, owner);
                    return;
                }
                if schema.list_map_keys.is_empty() {
                    self.complain_at(SchemaProblem::NoMapKey { name: name() }, marker, owner);
                }
                for key in &schema.list_map_keys {
                    let keys = owner.markers.iter().filter(|marker| marker.name.ends_with("istMapKey"));
                    let mut said =
                        keys.filter(|marker| marker.value().and_then(|value| value.as_text()) == Some(key));
                    let marker = said.next_back().unwrap_or(marker);
                    self.check_key(items, key, (marker, owner));
                }
            }
            _ => {}
        }
    }

    /// A key of a list is always there, by requirement or by default.
    fn check_key(&mut self, items: &Schema, key: &str, (marker, owner): (&Marker, &Owner<'_>)) {
        let (name, key) = (owner.name.to_owned(), key.to_owned());
        let problem = match items.properties.get(&key) {
            None => SchemaProblem::KeyUnknown { name, key },
            Some(member) if matches!(member.kind(), "object" | "array") => {
                SchemaProblem::KeyNotScalar { name, key }
            }
            Some(member) if member.is(Keyword::Nullable) => SchemaProblem::KeyNullable { name, key },
            Some(member) if member.get(Keyword::Default).is_none() && !items.required.contains(&key) => {
                SchemaProblem::KeyOptional { name, key }
            }
            Some(_) => return,
        };
        self.complain_at(problem, marker, owner);
    }

    fn complain_at(&mut self, problem: SchemaProblem, marker: &Marker, owner: &Owner<'_>) {
        let diagnostic = Diagnostic::new(Problem::from(problem), span(&marker.place));
        self.diagnostics.push(diagnostic.with_related(span(owner.place), owner.label));
    }
}

/// What is wrong with what stands beside a rule, by the argument that says it.
pub(super) fn rule_faults(rule: &Rule, node: &Schema, name: &str) -> Vec<(&'static str, SchemaProblem)> {
    let mut found = Vec::new();
    let of = || name.to_owned();
    if rule.optional_old_self.is_some() && !cel::names(&rule.rule, "oldSelf") {
        found.push(("optionalOldSelf", SchemaProblem::RuleOldSelf { name: of() }));
    }
    for (argument, text) in [("message", &rule.message), ("messageExpression", &rule.message_expression)] {
        let Some(text) = text else { continue };
        let is_blank = argument == "message" && text.trim().is_empty();
        if is_blank || text.trim().contains(['\n', '\r']) {
            found.push((argument, SchemaProblem::RuleMessage { name: of(), argument }));
        }
    }
    let reasons = ["FieldValueInvalid", "FieldValueRequired", "FieldValueForbidden", "FieldValueDuplicate"];
    if let Some(reason) = rule.reason.clone().filter(|reason| !reasons.contains(&reason.as_str())) {
        found.push(("reason", SchemaProblem::RuleReason { name: of(), reason }));
    }
    let path = rule.field_path.as_deref().and_then(|path| field_path_fault(path, node));
    found.extend(path.map(|what| ("fieldPath", rule_problem(what, name))));
    found
}

/// What is wrong with the path of the field that is at fault when a rule fails.
fn field_path_fault(path: &str, node: &Schema) -> Option<What> {
    if path.contains('[') {
        return None;
    }
    let mut node = node;
    for name in path.trim_start_matches('.').split('.') {
        if let Some(member) = node.properties.get(name) {
            node = member;
        } else if let Some(values) = cel::values(node) {
            node = values;
        } else if node.kind() == "object" && node.additional.is_some() || node.kind().is_empty() {
            return None;
        } else {
            return Some(What::NoField(name.to_owned(), node.properties.keys().cloned().collect()));
        }
    }
    None
}

/// Where in a value, for messages.
pub(super) fn at(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" at `{path}`") }
}

/// The place of some bytes of a marker's argument; that of the argument where the text is not as it was written.
fn within(marker: &Marker, name: &str, bytes: &Range<usize>) -> Place {
    let place = marker.place_of(name);
    let text = marker.text(name).unwrap_or_default();
    // `name=value`, or the same in quotes; with escapes it is longer.
    let (count, before) = (text.chars().count(), name.len() + 1);
    let quote = match place.length.checked_sub(before + count) {
        Some(0) => 0,
        Some(2) => 1,
        _ => return place.clone(),
    };
    let letters = |bytes: Range<usize>| text.get(bytes).map_or(0, |text| text.chars().count());
    Place {
        column: place.column + before + quote + letters(0..bytes.start),
        length: letters(bytes.clone()).max(1),
        ..place.clone()
    }
}

/// What is wrong with a rule, as a message.
pub(super) fn rule_problem(what: What, name: &str) -> SchemaProblem {
    let name = name.to_owned();
    let near = |found: &str, known: &[String]| {
        crate::naming::nearest(found, known.iter().map(String::as_str)).map(str::to_owned)
    };
    match what {
        What::Syntax(reason) => SchemaProblem::RuleSyntax { name, reason },
        What::NoField(field, known) => {
            SchemaProblem::RuleField { nearest: near(&field, &known), name, field }
        }
        What::Hidden(field) => SchemaProblem::RuleHidden { name, field },
        What::NoName(found, known) => SchemaProblem::RuleName { nearest: near(&found, &known), name, found },
        What::NoFunction { name: function, of, known } => {
            SchemaProblem::RuleFunction { nearest: near(&function, &known), name, function, of }
        }
        What::Arguments(function) => SchemaProblem::RuleArguments { name, function },
        What::Operator { sign, left, right } => SchemaProblem::RuleOperator { name, sign, left, right },
        What::Result { wanted, found } => SchemaProblem::RuleResult { name, wanted, found },
        What::Argument { name: function, found } => SchemaProblem::RuleArgument { name, function, found },
        What::Literal { name: function, reason } => SchemaProblem::RuleLiteral { name, function, reason },
        What::Pattern(reason) => SchemaProblem::RulePattern { name, reason },
    }
}

impl<'o> Owner<'o> {
    fn first(&self, names: &[&str]) -> Option<&'o Marker> {
        self.markers.iter().find(|marker| names.contains(&marker.name.as_str()))
    }
}

/// Whether nothing says what a value is.
pub(super) fn is_untyped(schema: &Schema) -> bool {
    schema.kind().is_empty()
        && schema.reference.is_none()
        && !schema.is(Keyword::IntOrString)
        && !schema.is(Keyword::PreserveUnknownFields)
}
