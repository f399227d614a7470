//! The words of a command line: which generators run, on what, and where their files go.

use crate::marker::{Argument, Category, Marker, Value, parse_option};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where the files of a generator go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rule {
    Folder(PathBuf),
    Artifacts { config: PathBuf, code: Option<PathBuf> },
    Stdout,
    None,
}

/// What the words say.
#[derive(Debug, Default)]
pub(super) struct Request {
    /// The generators with their arguments, in the order written.
    pub(super) generators: Vec<Marker>,
    pub(super) paths: Vec<String>,
    rule: Option<Rule>,
    rules: BTreeMap<String, Rule>,
    /// What has no effect.
    pub(super) notes: Vec<String>,
}

impl Request {
    /// Reads the words.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub(super) fn read(words: &[String]) -> Result<Self, Vec<String>> {
        let mut request = Self::default();
        let mut complaints = Vec::new();
        for word in words {
            match parse_option(word) {
                Ok(option) => request.add(option, &mut complaints),
                Err(misread) => complaints.extend(misread.faults.into_iter().map(|fault| {
                    let problem = crate::diagnostic::Problem::from(fault.problem);
                    let help = problem.help().map(|help| format!(" ({help})")).unwrap_or_default();
                    // Options are markers without the sign.
                    format!("{problem}{help}").replace("`+", "`")
                })),
            }
        }
        if complaints.is_empty() && request.generators.is_empty() {
            complaints.push("no generators specified; `-h` lists them".to_owned());
        }
        for name in request.rules.keys().filter(|name| !request.runs(name)) {
            complaints.push(format!("`output:{name}` is for a generator that does not run; add `{name}`"));
        }
        if complaints.is_empty() { Ok(request) } else { Err(complaints) }
    }

    fn add(&mut self, option: Marker, complaints: &mut Vec<String>) {
        let name = option.definition.name;
        match option.definition.category {
            Category::Generators if self.runs(name) => {
                complaints.push(format!("the generator `{name}` is named twice"));
            }
            Category::Generators => self.generators.push(option),
            Category::OutputRules => {
                let parts: Vec<&str> = name.split(':').collect();
                let rule = rule(parts.last().copied().unwrap_or_default(), &option.arguments);
                match parts.as_slice() {
                    [_, generator, _] => {
                        self.rules.insert((*generator).to_owned(), rule);
                    }
                    _ => self.rule = Some(rule),
                }
            }
            _ => self.paths.extend(option.arguments.iter().flat_map(|argument| texts(&argument.value))),
        }
    }

    /// Whether a generator runs.
    pub(super) fn runs(&self, name: &str) -> bool {
        self.generators.iter().any(|generator| generator.definition.name == name)
    }

    /// Where the files of a generator go.
    pub(super) fn rule_of(&self, generator: &str) -> Rule {
        let usual = || Rule::Artifacts { config: PathBuf::from("config").join(generator), code: None };
        self.own_rule_of(generator).or(self.rule.as_ref()).cloned().unwrap_or_else(usual)
    }

    /// The rule that was given for this generator alone.
    pub(super) fn own_rule_of(&self, generator: &str) -> Option<&Rule> {
        self.rules.get(generator)
    }
}

fn rule(form: &str, arguments: &[Argument]) -> Rule {
    let text = |name: &str| {
        let found = arguments.iter().find(|argument| argument.name == name);
        found.and_then(|argument| texts(&argument.value).pop()).map(PathBuf::from)
    };
    match form {
        "dir" => Rule::Folder(text("").unwrap_or_default()),
        "artifacts" => Rule::Artifacts { config: text("config").unwrap_or_default(), code: text("code") },
        "stdout" => Rule::Stdout,
        _ => Rule::None,
    }
}

/// The texts of a value.
pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Text(text) => vec![text.clone()],
        Value::List(items) => items.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The text of an argument.
pub(super) fn text_of(marker: &Marker, name: &str) -> Option<String> {
    let found = marker.arguments.iter().find(|argument| argument.name == name);
    found.and_then(|argument| texts(&argument.value).pop()).filter(|text| !text.is_empty())
}
