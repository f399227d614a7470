//! Messages about single markers.

/// A marker is unknown or malformed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum MarkerProblem {
    #[error("unknown marker `+{name}`")]
    Unknown { name: String, nearest: Option<String> },
    #[error("unknown option `{option}`")]
    UnknownOption { option: String, nearest: Option<String> },
    #[error("`+{written}` is an old spelling")]
    Retired { written: String, cure: &'static str },
    #[error("`+{name}` takes no value")]
    TakesNoValue { name: String },
    #[error("`+{name}` needs a value")]
    NeedsValue { name: String, example: String },
    #[error("`+{name}` has no argument `{argument}`")]
    UnknownArgument { name: String, argument: String, known: Vec<String>, nearest: Option<String> },
    #[error("`+{name}` lacks its argument `{argument}`")]
    MissingArgument { name: String, argument: String, help: String },
    #[error("argument `{argument}` of `+{name}` is given twice")]
    RepeatedArgument { name: String, argument: String },
    #[error("{}", not_a_pair(found))]
    NotAPair { found: String },
    #[error("argument `{argument}` of `+{name}` is empty")]
    EmptyArgument { name: String, argument: String },
    #[error("`+{name}`: {expected} is expected, not `{found}`")]
    WrongType { name: String, expected: String, found: String },
    #[error("`+{name}`: the text is not closed with {quote}")]
    NotClosed { name: String, quote: char },
    #[error("`+{name}`: `{escape}` is no escape")]
    BadEscape { name: String, escape: String },
    #[error("`+{name}`: this is no JSON: {reason}")]
    NotJson { name: String, reason: String },
    #[error("`+{name}`: nothing may follow here, found `{found}`")]
    Trailing { name: String, found: String },
    #[error("`+{name}` belongs {allowed}, not {found}")]
    WrongTarget { name: String, allowed: String, found: String },
    #[error("the marker `+{name}` stands in a `/* */` comment, where markers are not read")]
    InBlockComment { name: String },
    #[error("the marker `+{name}` stands in a `#[doc]` attribute, where markers are not read")]
    InDocAttribute { name: String },
    #[error("`+{name}` is given twice")]
    Repeated { name: String },
    #[error("`+{name}` belongs to no item")]
    Orphan { name: String },
}

impl MarkerProblem {
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::Unknown { nearest: Some(nearest), .. } => format!("a known marker with a similar name: `+{nearest}`"),
            Self::Unknown { nearest: None, name } if name.starts_with("genclient") => {
                "the tags are `nonNamespaced`, `noStatus`, `noVerbs`, `onlyVerbs`, `skipVerbs`, `readonly` and `method`"
                    .to_owned()
            }
            Self::Unknown { nearest: None, .. } => {
                "every marker of this namespace must be known; those of other namespaces are left alone".to_owned()
            }
            Self::UnknownOption { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::UnknownOption { nearest: None, .. } => "`-h` lists generators, `paths=` and output rules".to_owned(),
            Self::Retired { cure, .. } => (*cure).to_owned(),
            Self::TakesNoValue { name } => format!("write `+{name}` alone"),
            Self::NeedsValue { example, .. } => format!("for example `+{example}`"),
            Self::UnknownArgument { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Self::UnknownArgument { known, .. } if known.is_empty() => "it takes none".to_owned(),
            Self::UnknownArgument { known, .. } => format!("it takes {}", list(known)),
            Self::MissingArgument { argument, help, .. } => format!("`{argument}`: {help}"),
            Self::NotAPair { found } if found.is_empty() => "take the comma out".to_owned(),
            Self::NotAPair { .. } => "arguments are separated by commas; quote a value that has one".to_owned(),
            Self::NotClosed { quote, .. } => format!("a text ends on the same line, with {quote}"),
            Self::BadEscape { .. } => "put the text between backticks to have it taken as it is".to_owned(),
            Self::NotJson { name, .. } => format!("quote texts as JSON does, or use `+kubebuilder:{name}=..`"),
            Self::Trailing { .. } => "quote a value that has `,`, `;` or `}` in it".to_owned(),
            Self::InBlockComment { name } | Self::InDocAttribute { name } => {
                format!("write it on a line of its own: `// +{name}`, or `/// +{name}`")
            }
            Self::Repeated { .. } => "keep one of them".to_owned(),
            Self::Orphan { .. } => {
                "move it to the doc comment of a type, or to the comment block directly above one".to_owned()
            }
            _ => return None,
        };
        Some(text)
    }
}

fn not_a_pair(found: &str) -> String {
    match found {
        "" => "an argument is missing behind the comma".to_owned(),
        found => format!("`{found}` is not an argument of the form `name=value`"),
    }
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
