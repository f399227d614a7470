//! The grammar: `+name`, `+name=value`, `+name:argument=value,argument=value`.

use super::registry::{self, Definition, Form, Kind, Parameter};
use super::value::{Reader, Value};
use crate::diagnostic::MarkerProblem;
use crate::naming::nearest;
use std::ops::Range;

/// A marker that was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Marker {
    /// Its definition.
    pub definition: &'static Definition,
    /// Its arguments as written; the value of `+name=value` has an empty name.
    pub arguments: Vec<Argument>,
    /// The bytes of `+name` within the text.
    pub bytes: Range<usize>,
}

/// An argument of a marker.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// Its name; empty for the value of `+name=value`.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Its bytes within the text, name included.
    pub bytes: Range<usize>,
}

/// What is wrong with a marker, and where in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// What is wrong.
    pub problem: MarkerProblem,
    /// The bytes within the text.
    pub bytes: Range<usize>,
}

/// A marker of ours that was not understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Misread {
    /// Its definition, where its name is known.
    pub definition: Option<&'static Definition>,
    /// Everything that is wrong with it; never empty.
    pub faults: Vec<Fault>,
}

impl Fault {
    pub(super) fn new(problem: MarkerProblem, bytes: Range<usize>) -> Self {
        Self { problem, bytes }
    }
}

/// The markers that a text is read by.
#[derive(Debug, Clone, Copy)]
struct Table {
    find: fn(&str) -> Option<&'static Definition>,
    /// Why a name that is not among them is wrong; `None` when it is somebody else's.
    unknown: fn(&str, &str) -> Option<MarkerProblem>,
}

/// Reads one line of a comment. `None` when it is no marker, or one that belongs to somebody else.
///
/// # Errors
/// The marker is ours and unknown, or its arguments are not what its definition asks for.
pub fn parse(text: &str) -> Result<Option<Marker>, Misread> {
    parse_by(text, Table { find: registry::find, unknown })
}

/// Reads one word of a command line as `controller-gen` does: a marker without its `+`.
///
/// # Errors
/// There is no such option, or its arguments are not what its definition asks for.
pub fn parse_option(word: &str) -> Result<Marker, Misread> {
    let text = format!("+{}", word.trim_start_matches('+'));
    let table =
        Table { find: registry::find_option, unknown: |head, _| Some(registry::unknown_option(head)) };
    let unknown = || {
        let problem = registry::unknown_option(word);
        Misread { definition: None, faults: vec![Fault::new(problem, 0..text.len())] }
    };
    parse_by(&text, table)?.ok_or_else(unknown)
}

fn parse_by(text: &str, table: Table) -> Result<Option<Marker>, Misread> {
    let indent = text.len() - text.trim_start().len();
    let body = text.trim();
    let Some(tag) = body.strip_prefix('+').filter(|tag| tag.starts_with(|first: char| first.is_alphabetic()))
    else {
        return Ok(None);
    };
    let length =
        tag.find(|letter: char| matches!(letter, '=' | '(') || letter.is_whitespace()).unwrap_or(tag.len());
    let (head, after) = tag.split_at_checked(length).unwrap_or((tag, ""));
    // `:=` means the same as `=`.
    let head = if after.starts_with('=') { head.strip_suffix(':').unwrap_or(head) } else { head };
    let text = text.get(..indent + body.len()).unwrap_or(text);
    let start = indent + 1;
    let name_bytes = |name: &str| indent..start + name.len();
    let misread = |definition| move |faults| Misread { definition: Some(definition), faults };
    if let Some(definition) = (table.find)(head) {
        let reader = Reader { name: definition.name, text, at: start + length };
        let arguments = whole(definition, reader).map_err(misread(definition))?;
        return Ok(Some(Marker { definition, arguments, bytes: name_bytes(head) }));
    }
    if let Some((parent, first)) = head.rsplit_once(':').filter(|_| after.starts_with('='))
        && let Some(definition) = (table.find)(parent)
        && let Form::Named(parameters) = definition.form
    {
        let reader = Reader { name: definition.name, text, at: start + head.len() - first.len() };
        let arguments = named(definition, parameters, reader).map_err(misread(definition))?;
        return Ok(Some(Marker { definition, arguments, bytes: name_bytes(parent) }));
    }
    match (table.unknown)(head, after) {
        Some(problem) => {
            Err(Misread { definition: None, faults: vec![Fault::new(problem, name_bytes(head))] })
        }
        None => Ok(None),
    }
}

/// A marker whose whole name is registered: what follows is its value.
fn whole(definition: &'static Definition, reader: Reader<'_>) -> Result<Vec<Argument>, Vec<Fault>> {
    match definition.form {
        Form::Named(parameters) if reader.rest().is_empty() => named(definition, parameters, reader),
        form => single(definition, form, reader).map_err(|fault| vec![fault]),
    }
}

/// `+name`, or `+name=value`.
fn single(
    definition: &'static Definition,
    form: Form,
    mut reader: Reader<'_>,
) -> Result<Vec<Argument>, Fault> {
    let name = definition.name.to_owned();
    let here = reader.at;
    let end = reader.text.len();
    let has_value = reader.peek() == Some('=');
    match form {
        Form::Raw => {
            let value = reader.value(&Kind::Raw)?;
            Ok(vec![Argument { name: String::new(), value, bytes: here..end }])
        }
        Form::Flag if has_value => Err(Fault::new(MarkerProblem::TakesNoValue { name }, here..end)),
        Form::Named(_) if has_value => {
            let found = reader.rest().to_owned();
            Err(Fault::new(MarkerProblem::NotAPair { found }, here..end))
        }
        _ if !has_value && !reader.rest().is_empty() => Err(trailing(&reader)),
        Form::Flag | Form::Named(_) => Ok(Vec::new()),
        Form::Value(_, example) | Form::ValueOrEmpty(_, example) if !has_value => {
            let problem = MarkerProblem::NeedsValue { name, example: example.to_owned() };
            Err(Fault::new(problem, here.saturating_sub(definition.name.len() + 1)..here))
        }
        Form::Switch if !has_value => Ok(Vec::new()),
        Form::Switch => value(&mut reader, &Kind::Bool),
        Form::ValueOrEmpty(kind, _) => value(&mut reader, &kind),
        Form::Value(_, example) if reader.rest() == "=" => {
            Err(Fault::new(MarkerProblem::NeedsValue { name, example: example.to_owned() }, here..end))
        }
        Form::Value(kind, _) => value(&mut reader, &kind),
    }
}

fn value(reader: &mut Reader<'_>, kind: &Kind) -> Result<Vec<Argument>, Fault> {
    reader.at += 1;
    let start = reader.at;
    let value = reader.value(kind)?;
    let bytes = start..reader.at;
    reader.skip_blanks();
    if !reader.rest().is_empty() {
        return Err(trailing(reader));
    }
    Ok(vec![Argument { name: String::new(), value, bytes }])
}

fn trailing(reader: &Reader<'_>) -> Fault {
    let found = reader.rest().trim().to_owned();
    let problem = MarkerProblem::Trailing { name: reader.name.to_owned(), found };
    Fault::new(problem, reader.text.len() - reader.rest().trim_start().len()..reader.text.len())
}

/// `argument=value,argument=value`: everything that is wrong with them, not only the first.
fn named(
    definition: &'static Definition,
    parameters: &'static [Parameter],
    mut reader: Reader<'_>,
) -> Result<Vec<Argument>, Vec<Fault>> {
    let mut arguments: Vec<Argument> = Vec::new();
    let mut faults = Vec::new();
    let mut tried: Vec<String> = Vec::new();
    let marker_end = reader.at;
    while !reader.rest().trim().is_empty() {
        reader.skip_blanks();
        tried.push(reader.upcoming_name().to_owned());
        match argument(definition, parameters, &mut reader) {
            Ok(argument) if arguments.iter().any(|known| known.name == argument.name) => {
                let problem = MarkerProblem::RepeatedArgument {
                    name: definition.name.to_owned(),
                    argument: argument.name,
                };
                faults.push(Fault::new(problem, argument.bytes));
            }
            Ok(argument) => arguments.push(argument),
            Err(fault) => {
                faults.push(fault);
                reader.skip_argument();
            }
        }
        if reader.eat(',') {
            if reader.rest().trim().is_empty() {
                let problem = MarkerProblem::NotAPair { found: String::new() };
                faults.push(Fault::new(problem, reader.at - 1..reader.at));
            }
        } else if !reader.rest().trim().is_empty() {
            faults.push(trailing(&reader));
            reader.skip_argument();
            reader.eat(',');
        }
    }
    for missing in parameters.iter().filter(|parameter| parameter.required) {
        if !tried.iter().any(|name| name == missing.name) {
            let problem = MarkerProblem::MissingArgument {
                name: definition.name.to_owned(),
                argument: missing.name.to_owned(),
                help: missing.help.to_owned(),
            };
            let start = marker_end.saturating_sub(definition.name.len() + 2);
            faults.push(Fault::new(problem, start..reader.text.len()));
        }
    }
    if faults.is_empty() { Ok(arguments) } else { Err(faults) }
}

fn argument(
    definition: &'static Definition,
    parameters: &'static [Parameter],
    reader: &mut Reader<'_>,
) -> Result<Argument, Fault> {
    let start = reader.at;
    let rest = reader.rest();
    let end = rest.find(['=', ',']).unwrap_or(rest.len());
    let name = reader.upcoming_name();
    let bytes = start..start + name.len();
    let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
        let known = || parameters.iter().map(|parameter| parameter.name);
        let problem = MarkerProblem::UnknownArgument {
            name: definition.name.to_owned(),
            argument: name.to_owned(),
            known: known().map(str::to_owned).collect(),
            nearest: nearest(name, known()).map(str::to_owned),
        };
        return Err(Fault::new(problem, bytes));
    };
    reader.at += end;
    if !reader.eat('=') {
        return Err(Fault::new(MarkerProblem::NotAPair { found: name.to_owned() }, bytes));
    }
    let value = reader.value(&parameter.kind)?;
    Ok(Argument { name: name.to_owned(), value, bytes: start..reader.at })
}

/// Why a marker that is not registered is wrong; `None` when it is not ours.
fn unknown(head: &str, after: &str) -> Option<MarkerProblem> {
    if let Some(cure) = registry::retired(head) {
        let written = format!("{head}{}", after.trim_end());
        return Some(MarkerProblem::Retired { written, cure });
    }
    let known = || registry::definitions().map(|definition| definition.name);
    let parent = head.rsplit_once(':').map_or(head, |(parent, _)| parent);
    if registry::is_owned(head) {
        // `+name:argument=value` with a slip in the name.
        let with_arguments = registry::definitions()
            .filter(|definition| matches!(definition.form, Form::Named(_)))
            .map(|definition| definition.name);
        let (name, near) = match nearest(parent, with_arguments) {
            Some(near) if after.starts_with('=') => (parent, Some(near)),
            _ => (head, nearest(head, known())),
        };
        return Some(MarkerProblem::Unknown { name: name.to_owned(), nearest: near.map(str::to_owned) });
    }
    // `+nullable:x=1`: a marker of ours that takes no arguments.
    let ours = || head.split_once(':').and_then(|(name, _)| registry::find(name));
    registry::meant(head)
        .or_else(|| ours().map(|definition| definition.name.to_owned()))
        .map(|nearest| MarkerProblem::Unknown { name: head.to_owned(), nearest: Some(nearest) })
}
