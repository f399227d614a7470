//! Admission policies and their bindings; every expression is compiled.

use crate::{
    cel::{
        admission::{Compiler, Named, Names, Wanted},
        is_reserved,
    },
    protocol::names::{dns_subdomain_errors, path_segment_errors},
};

use super::{
    Checks, Findings, NONE, Spot,
    admission::{Conditions, MATCHES, POLICIES, REINVOCATIONS, conditions, rule},
    conditions as status_conditions, formats, labels,
};

const REASONS: &[&str] = &["Forbidden", "Invalid", "RequestEntityTooLarge"];
const PATCHES: &[&str] = &["ApplyConfiguration", "JSONPatch"];
/// What changes objects is asked about these; nothing is changed in what goes away.
const CHANGING: &[&str] = &["*", "CONNECT", "CREATE", "UPDATE"];
const MOST_ANNOTATIONS: usize = 20;
const LONGEST_ANNOTATION: usize = 5 * 1024;

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "validatingadmissionpolicies" => Checks {
            create: |out, new| validating(out, new, Conditions::New),
            update: |out, new, old| validating(out, new, looked_at(new, old)),
            status: |out, new, _| {
                status_conditions::conditions(
                    out,
                    &new.get("status.conditions"),
                    status_conditions::Rules::Written,
                );
            },
        },
        "mutatingadmissionpolicies" => Checks {
            create: |out, new| mutating(out, new, Conditions::New),
            update: |out, new, old| mutating(out, new, looked_at(new, old)),
            ..NONE
        },
        "validatingadmissionpolicybindings" => {
            Checks { create: binding, update: |out, new, _| binding(out, new), ..NONE }
        }
        "mutatingadmissionpolicybindings" => {
            Checks { create: mutating_binding, update: |out, new, _| mutating_binding(out, new), ..NONE }
        }
        _ => NONE,
    }
}

fn looked_at(new: &Spot<'_>, old: &Spot<'_>) -> Conditions {
    let same = |path: &str| new.get(path).value() == old.get(path).value();
    if same("spec.paramKind") && same("spec.matchConditions") { Conditions::Known } else { Conditions::New }
}

/// The expressions of one policy.
struct Expressions {
    compiler: Compiler,
    names: Names,
}

impl Expressions {
    /// Compiles an expression; `shown` is how it is told.
    fn check(&self, out: &mut Findings, place: &Spot<'_>, (text, shown): (&str, &str), wanted: Wanted) {
        if let Err(why) = self.compiler.compile(text, self.names, wanted) {
            out.invalid_as(place, shown, why);
        }
    }
}

/// What both kinds of policies have before their rules.
fn common(
    out: &mut Findings,
    spec: &Spot<'_>,
    looked_at: Conditions,
    variables: Compiler,
    known: Option<&[&str]>,
) -> Expressions {
    let failure = spec.get("failurePolicy");
    if !failure.is_set() {
        out.required(&failure, "");
    }
    out.maybe_one_of(&failure, POLICIES);
    if spec.has("paramKind") {
        param_kind(out, &spec.get("paramKind"));
    }
    let params = Named::from(spec.has("paramKind"));
    let constraints = spec.get("matchConstraints");
    if constraints.is_set() {
        matches(out, &constraints);
        if constraints.count("resourceRules") == 0 {
            out.required(&constraints.get("resourceRules"), "");
        }
        operations(out, &constraints, known);
    } else {
        out.required(&constraints, "");
    }
    if looked_at == Conditions::New {
        conditions(out, spec, params);
    }
    let names = Names { params, authorizer: Named::Yes, objects: Named::No };
    let mut compiler = variables;
    for item in spec.items("variables") {
        variable(out, &item, &mut compiler, names);
    }
    Expressions { compiler, names }
}

/// Operations of which nothing can come; unknown ones are also told where the rule itself is looked at.
fn operations(out: &mut Findings, holder: &Spot<'_>, known: Option<&[&str]>) {
    let Some(known) = known else { return };
    let place = holder.get("resourceRules.operations");
    for rule in holder.items("resourceRules") {
        for operation in rule.get("operations").each().filter(|one| !known.contains(&one.str())) {
            out.not_supported(&operation.moved(&place), known);
        }
    }
}

fn variable(out: &mut Findings, item: &Spot<'_>, compiler: &mut Compiler, names: Names) {
    let (name, expression) = (item.get("name"), item.get("expression"));
    if name.str().trim().is_empty() {
        out.required(&name, "name is not specified");
    } else if !is_identifier(name.str()) {
        out.invalid(&name, "must be a valid CEL identifier");
    }
    if expression.str().trim().is_empty() {
        out.required(&expression, "expression is not specified");
    } else if let Err(why) = compiler.variable(name.str(), expression.str(), names) {
        out.invalid(&expression, why);
    }
}

fn is_identifier(name: &str) -> bool {
    let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    starts && name.chars().all(plain) && !is_reserved(name)
}

fn validating(out: &mut Findings, object: &Spot<'_>, looked_at: Conditions) {
    const EITHER: &str = "validations or auditAnnotations must contain at least one item";
    let spec = object.get("spec");
    let compiler = if spec.count("variables") > 0 { Compiler::with_variables() } else { Compiler::default() };
    let expressions = common(out, &spec, looked_at, compiler, None);
    if spec.count("validations") == 0 && spec.count("auditAnnotations") == 0 {
        out.required(&spec.get("validations"), EITHER);
        out.required(&spec.get("auditAnnotations"), EITHER);
    }
    for item in spec.items("validations") {
        validation(out, &item, &expressions);
    }
    annotations(out, object, &expressions);
}

fn validation(out: &mut Findings, item: &Spot<'_>, expressions: &Expressions) {
    let (expression, said) = (item.get("expression"), item.get("messageExpression"));
    if expression.str().trim().is_empty() {
        out.required(&expression, "expression is not specified");
    } else {
        expressions.check(out, &expression, (expression.str(), expression.str()), Wanted::Bool);
    }
    if !said.str().is_empty() {
        if said.str().trim().is_empty() {
            out.invalid(&said, "must be non-empty if specified");
        } else {
            let names = Names { authorizer: Named::No, ..expressions.names };
            if let Err(why) = expressions.compiler.compile(said.str(), names, Wanted::Text) {
                out.invalid(&said, why);
            }
        }
    }
    let message = item.get("message");
    let text = message.str();
    if !text.is_empty() && text.trim().is_empty() {
        out.invalid(&message, "must be non-empty if specified");
    } else if text.trim().contains(['\n', '\r']) {
        out.invalid(&message, "must not contain line breaks");
    }
    out.maybe_one_of(&item.get("reason"), REASONS);
}

fn annotations(out: &mut Findings, object: &Spot<'_>, expressions: &Expressions) {
    let list = object.get("spec.auditAnnotations");
    if list.each().count() > MOST_ANNOTATIONS {
        out.invalid(&list, format!("must not have more than {MOST_ANNOTATIONS} auditAnnotations"));
    }
    let policy = object.text("metadata.name");
    let mut keys: Vec<String> = Vec::new();
    for item in list.each() {
        let (key, expression) = (item.get("key"), item.get("valueExpression"));
        if policy.is_empty() {
            out.invalid(&key, "requires metadata.name be non-empty");
        } else {
            let whole = format!("{policy}/{}", key.str());
            for error in crate::protocol::names::qualified_name_errors(&whole) {
                out.invalid_as(&key, whole.as_str(), error);
            }
        }
        let text = expression.str().trim();
        if text.is_empty() {
            out.required(&expression, "valueExpression is not specified");
        } else if text.len() > LONGEST_ANNOTATION {
            out.required(&expression, format!("must not exceed {LONGEST_ANNOTATION} bytes in length"));
        } else {
            expressions.check(out, &expression, (text, expression.str()), Wanted::TextOrNull);
        }
        if keys.iter().any(|known| known == key.str()) {
            out.duplicate(&key);
        }
        keys.push(key.str().to_owned());
    }
}

fn mutating(out: &mut Findings, object: &Spot<'_>, looked_at: Conditions) {
    let spec = object.get("spec");
    let mut expressions = common(out, &spec, looked_at, Compiler::with_variables(), Some(CHANGING));
    expressions.names.objects = Named::Yes;
    if spec.count("mutations") == 0 {
        out.required(&spec.get("mutations"), "mutations must contain at least one item");
    }
    for item in spec.items("mutations") {
        mutation(out, &item, &expressions);
    }
    out.one_of(&spec.get("reinvocationPolicy"), REINVOCATIONS);
}

fn mutation(out: &mut Findings, item: &Spot<'_>, expressions: &Expressions) {
    let kind = item.get("patchType");
    let (own, other, wanted) = match kind.str() {
        "JSONPatch" => ("jsonPatch", "applyConfiguration", Wanted::Patches),
        "ApplyConfiguration" => ("applyConfiguration", "jsonPatch", Wanted::Object),
        _ => return out.one_of(&kind, PATCHES),
    };
    let (patch, foreign) = (item.get(own), item.get(other));
    if patch.is_set() {
        let expression = patch.get("expression");
        let text = expression.str().trim();
        if text.is_empty() {
            out.required(&expression, "");
        } else {
            expressions.check(out, &expression, (text, text), wanted);
        }
    } else {
        out.required(&patch, format!("must be specified when patchType is {}", kind.str()));
    }
    if foreign.is_set() {
        let why = format!("must not be specified when patchType is {}", kind.str());
        out.invalid_as(&foreign, format!("{{{other}}}"), why);
    }
}

fn param_kind(out: &mut Findings, kind: &Spot<'_>) {
    let (version, name) = (kind.get("apiVersion"), kind.get("kind"));
    let text = version.str();
    if text.is_empty() {
        out.required(&version, "");
    } else if text.matches('/').count() > 1 {
        out.invalid(&version, format!("unexpected GroupVersion string: {text}"));
    } else {
        let (group, own) = text.split_once('/').unwrap_or(("", text));
        let errors = dns_subdomain_errors(group);
        if !group.is_empty() && !errors.is_empty() {
            out.invalid_as(&version, group, errors.join(","));
        }
        let errors = formats::dns_1035_errors(own);
        if own.is_empty() {
            out.invalid(&version, "version must be specified");
        } else if !errors.is_empty() {
            out.invalid_as(&version, own, errors.join(","));
        }
    }
    let errors = formats::dns_1035_errors(&name.str().to_lowercase());
    if name.is_empty() {
        out.required(&name, "");
    } else if !errors.is_empty() {
        out.invalid(&name, format!("may have mixed case, but should otherwise match: {}", errors.join(",")));
    }
}

fn matches(out: &mut Findings, matches: &Spot<'_>) {
    out.maybe_one_of(&matches.get("matchPolicy"), MATCHES);
    labels::selector(out, &matches.get("namespaceSelector"));
    labels::selector(out, &matches.get("objectSelector"));
    for list in ["resourceRules", "excludeResourceRules"] {
        for rule in matches.items(list) {
            let mut names: Vec<String> = Vec::new();
            for name in rule.items("resourceNames") {
                out.all(&name, path_segment_errors(name.str()));
                if names.iter().any(|taken| taken == name.str()) {
                    out.duplicate(&name);
                }
                names.push(name.str().to_owned());
            }
            self::rule(out, &rule);
        }
    }
}

fn binding(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let (policy, actions) = (spec.get("policyName"), spec.get("validationActions"));
    if policy.is_empty() {
        out.declared(|out| out.required(&policy, ""));
    }
    bound(out, &spec);
    let mut seen: Vec<String> = Vec::new();
    for action in actions.each() {
        out.maybe_one_of(&action, &["Audit", "Deny", "Warn"]);
        if seen.iter().any(|known| known == action.str()) {
            out.duplicate(&action);
        }
        seen.push(action.str().to_owned());
    }
    if ["Deny", "Warn"].iter().all(|name| seen.iter().any(|known| known == name)) {
        out.invalid(&actions, "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)");
    }
    if seen.is_empty() {
        out.declared(|out| out.required(&actions, ""));
    }
}

fn mutating_binding(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    out.present(&spec.get("policyName"));
    bound(out, &spec);
    operations(out, &spec.get("matchResources"), Some(CHANGING));
}

/// What both kinds of bindings have in common.
fn bound(out: &mut Findings, spec: &Spot<'_>) {
    let policy = spec.get("policyName");
    if !policy.is_empty() {
        out.all(&policy, dns_subdomain_errors(policy.str()));
    }
    if spec.has("paramRef") {
        param_ref(out, &spec.get("paramRef"));
    }
    if spec.has("matchResources") {
        matches(out, &spec.get("matchResources"));
    }
}

fn param_ref(out: &mut Findings, reference: &Spot<'_>) {
    let (name, selector) = (reference.get("name"), reference.get("selector"));
    if !name.is_empty() {
        out.all(&name, path_segment_errors(name.str()));
        if selector.is_set() {
            out.forbidden(&name, "name and selector are mutually exclusive");
        }
    }
    if selector.is_set() {
        labels::selector(out, &selector);
        if !name.is_empty() {
            out.forbidden(&selector, "name and selector are mutually exclusive");
        }
    } else if name.is_empty() {
        out.required(reference, "one of name or selector must be specified");
    }
    let missing = reference.get("parameterNotFoundAction");
    out.one_of(&missing, &["Deny", "Allow"]);
}
