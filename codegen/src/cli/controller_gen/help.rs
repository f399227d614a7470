//! Lists of markers and of options, in four levels of detail, from the registry that also reads them.

use super::request::Request;
use crate::marker::{Category, Definition, Form, Kind, Parameter, Targets, definitions};
use serde_json::{Value, json};

/// Headings, in their order.
const HEADINGS: &[(Category, &str)] = &[
    (Category::Package, "Packages"),
    (Category::Client, "Clients"),
    (Category::Crd, "CRD"),
    (Category::Validation, "CRD validation"),
    (Category::Processing, "CRD processing"),
    (Category::Config, "Permissions and webhooks"),
    (Category::Upstream, "Of other generators"),
    (Category::Generators, "Generators"),
    (Category::Generic, "Generic"),
    (Category::OutputRules, "Output rules (optionally as output:<generator>:...)"),
];

/// The markers of the generators that are named.
pub(super) fn markers(request: &Request, level: u8) -> String {
    list(
        definitions().filter(|definition| {
            request.generators.iter().any(|named| uses(named.definition.name, definition))
        }),
        level,
    )
}

/// The words that a command line may have.
pub(super) fn options(level: u8) -> String {
    // The rules for one generator are those for all.
    list(crate::marker::options().filter(|option| option.name.matches(':').count() < 2), level)
}

/// Whether a generator reads a marker.
fn uses(generator: &str, marker: &Definition) -> bool {
    let name = marker.name;
    let is_object = name.starts_with("kubebuilder:object") || name.starts_with("k8s:deepcopy-gen");
    let is_configuration = name.starts_with("kubebuilder:ac:");
    match generator {
        "rbac" => name == "kubebuilder:rbac",
        "webhook" => name.starts_with("kubebuilder:webhook"),
        "object" => is_object,
        "applyconfiguration" => is_configuration || ["groupName", "versionName"].contains(&name),
        _ => match marker.category {
            Category::Crd => !is_object && !is_configuration,
            Category::Validation | Category::Processing => true,
            Category::Package => ["groupName", "versionName"].contains(&name),
            _ => false,
        },
    }
}

fn list(found: impl Iterator<Item = &'static Definition>, level: u8) -> String {
    let found: Vec<&Definition> = found.collect();
    if level >= 4 {
        let groups: Vec<Value> = HEADINGS.iter().filter_map(|heading| group_json(heading, &found)).collect();
        return format!("{}\n", Value::Array(groups));
    }
    let mut text = String::new();
    for (category, heading) in HEADINGS {
        let of_category: Vec<&&Definition> =
            found.iter().filter(|definition| definition.category == *category).collect();
        if of_category.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{heading}\n\n"));
        let width = of_category.iter().map(|definition| usage(definition).len()).max().unwrap_or_default();
        for definition in of_category {
            text.push_str(&entry(definition, level, width.min(60)));
        }
    }
    text
}

fn entry(definition: &Definition, level: u8, width: usize) -> String {
    let target = target(definition);
    if level <= 1 {
        return format!("  {:width$}  {target:13}  {}\n", usage(definition), definition.help);
    }
    let gap = if level >= 3 { "\n" } else { "" };
    let mut text = format!("{gap}  {}  {target}\n      {}\n", usage_name(definition), definition.help);
    match definition.form {
        Form::Named(parameters) => {
            let width = parameters.iter().map(|parameter| shown(parameter).len()).max().unwrap_or_default();
            for parameter in parameters {
                text.push_str(&format!("      {:width$}  {}\n", shown(parameter), parameter.help));
            }
        }
        Form::Value(_, example) | Form::ValueOrEmpty(_, example) if level >= 3 => {
            text.push_str(&format!("      for example {}{example}\n", sign(definition)));
        }
        _ => {}
    }
    text
}

/// `+` in front of markers, nothing in front of options.
fn sign(definition: &Definition) -> &'static str {
    match definition.category {
        Category::Generators | Category::Generic | Category::OutputRules => "",
        _ => "+",
    }
}

fn usage_name(definition: &Definition) -> String {
    let value = match definition.form {
        Form::Flag | Form::Named(_) => String::new(),
        Form::Switch => "[=<bool>]".to_owned(),
        Form::Value(kind, _) => format!("=<{}>", kind_name(kind)),
        Form::ValueOrEmpty(kind, _) => format!("=[<{}>]", kind_name(kind)),
        Form::Raw => "..".to_owned(),
    };
    format!("{}{}{value}", sign(definition), definition.name)
}

/// The name with all arguments.
fn usage(definition: &Definition) -> String {
    let Form::Named(parameters) = definition.form else { return usage_name(definition) };
    let arguments: Vec<String> = parameters.iter().map(shown).collect();
    let separator = if arguments.is_empty() { "" } else { ":" };
    format!("{}{separator}{}", usage_name(definition), arguments.join(","))
}

fn shown(parameter: &Parameter) -> String {
    let text = format!("{}=<{}>", parameter.name, kind_name(parameter.kind));
    if parameter.required { text } else { format!("[{text}]") }
}

fn kind_name(kind: Kind) -> String {
    match kind {
        Kind::Bool => "bool".to_owned(),
        Kind::Integer => "int".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Text => "string".to_owned(),
        Kind::Choice(words) => words.join("|"),
        Kind::TextList => "[]string".to_owned(),
        Kind::AnyList => "[]any".to_owned(),
        Kind::Any => "any".to_owned(),
        Kind::Raw | Kind::Json => "raw".to_owned(),
    }
}

fn target(definition: &Definition) -> &'static str {
    let targets = definition.targets;
    match (targets.allow(Targets::PACKAGE), targets.allow(Targets::TYPE), targets.allow(Targets::FIELD)) {
        _ if sign(definition).is_empty() => "",
        (true, false, false) => "package",
        (false, true, false) => "type",
        (false, false, true) => "field",
        (true, true, false) => "package, type",
        (true, false, true) => "package, field",
        (false, true, true) => "type, field",
        _ => "any",
    }
}

fn group_json((category, heading): &(Category, &str), found: &[&Definition]) -> Option<Value> {
    let markers: Vec<Value> = found
        .iter()
        .filter(|definition| definition.category == *category)
        .map(|definition| {
            json!({
                "name": definition.name,
                "target": target(definition),
                "help": definition.help,
                "usage": usage_name(definition),
                "arguments": match definition.form {
                    Form::Named(parameters) => parameters.iter().map(argument_json).collect(),
                    _ => Vec::new(),
                },
            })
        })
        .collect();
    (!markers.is_empty()).then(|| json!({ "category": heading, "markers": markers }))
}

fn argument_json(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name,
        "type": kind_name(parameter.kind),
        "optional": !parameter.required,
        "help": parameter.help,
    })
}
