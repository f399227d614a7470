//! The reference of all markers, as Markdown, from the registry that also checks them.

use crate::marker::{Category, Definition, Form, Kind, Parameter, definitions};

const INTRODUCTION: &str = "\
# Markers

<!-- Made from the marker registry. To update: UPDATE_EXPECT=1 cargo test -p kube-codegen --test cli_markers -->

Markers are lines in ordinary comments or doc comments: `// +name`, `// +name=value`, or
`// +name:argument=value,argument=value`. They count from the comment right above an item and from its doc comment;
markers of a package stand at the top of its file. An unknown marker in the namespaces `genclient`, `k8s` and
`kubebuilder` is an error; markers of other tools are left alone.
";

/// The headings, in the order of the page.
const CATEGORIES: [(Category, &str, &str); 7] = [
    (Category::Package, "Packages", "At the top of a type package."),
    (Category::Client, "Clients", "On a root type."),
    (Category::Crd, "Custom resource definitions", "On a root type or its package."),
    (Category::Validation, "Validation", "In the schemas of CRDs."),
    (Category::Processing, "Processing", "In the schemas of CRDs."),
    (
        Category::Config,
        "Permissions and webhooks",
        "In any Rust file: above a function or in its documentation, within one, or at the top of a file.",
    ),
    (Category::Upstream, "Of other generators", "Known and accepted, without effect here."),
];

/// The reference.
pub fn markdown() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (category, title, remark) in CATEGORIES {
        let rows: Vec<String> =
            definitions().filter(|definition| definition.category == category).map(row).collect();
        if rows.is_empty() {
            continue;
        }
        page.push_str(&format!(
            "\n## {title}\n\n{remark}\n\n| Marker | Where | Effect |\n| --- | --- | --- |\n"
        ));
        page.push_str(&rows.join("\n"));
        page.push('\n');
    }
    page
}

fn row(definition: &Definition) -> String {
    let arguments = match definition.form {
        Form::Named(parameters) => parameters.iter().map(argument).collect(),
        _ => String::new(),
    };
    let written = written(definition).replace('|', "\\|");
    format!("| `{written}` | {} | {}{arguments} |", definition.targets.describe(), cell(definition.help))
}

/// How the marker is written, by its form or by an example.
fn written(definition: &Definition) -> String {
    let name = definition.name;
    match definition.form {
        Form::Flag => format!("+{name}"),
        Form::Switch => format!("+{name}[=true|false]"),
        Form::Value(_, example) | Form::ValueOrEmpty(_, example) => {
            // Markers of one kind share their example.
            let value = example.split_once('=').map_or(example, |(_, value)| value);
            format!("+{name}={value}")
        }
        Form::Named(_) => format!("+{name}:.."),
        Form::Raw => format!("+{name}.."),
    }
}

fn argument(parameter: &Parameter) -> String {
    let needed = if parameter.required { "required, " } else { "" };
    format!("<br>`{}` ({needed}{}): {}", parameter.name, kind(parameter.kind), cell(parameter.help))
}

fn kind(kind: Kind) -> String {
    match kind {
        Kind::Bool => "`true` or `false`".to_owned(),
        Kind::Integer => "whole number".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::Choice(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or "),
        Kind::TextList => "list of texts, with `;` between".to_owned(),
        Kind::AnyList => "list, with `;` between".to_owned(),
        Kind::Any => "any value".to_owned(),
        Kind::Raw | Kind::Json => "rest of the line".to_owned(),
    }
}

/// A text that does not end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}
