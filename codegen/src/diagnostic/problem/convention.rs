//! Messages about conventions of Kubernetes APIs: what a server accepts, and people regret.

use serde::Deserialize;

/// A convention, by which warnings can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Convention {
    /// Names on the wire are lowerCamelCase.
    FieldCase,
    /// A field that a document may leave out is one that the Rust type can be without.
    OptionalDefault,
    /// Numbers with fractions are texts or quantities.
    Floats,
    /// What can grow a third state is an enum of words.
    Booleans,
    /// Conditions are a list with the key `type`.
    Conditions,
    /// A status is a subresource.
    StatusSubresource,
}

impl Convention {
    /// The name by which it is switched off.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FieldCase => "field-case",
            Self::OptionalDefault => "optional-default",
            Self::Floats => "floats",
            Self::Booleans => "booleans",
            Self::Conditions => "conditions",
            Self::StatusSubresource => "status-subresource",
        }
    }
}

/// A type is not as the conventions of Kubernetes APIs have it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum ConventionProblem {
    #[error("field `{name}` is no lowerCamelCase")]
    FieldCase { name: String, better: String },
    #[error("`{name}` may be left out of a document, which then cannot be read: the Rust type needs it")]
    OptionalDefault { name: String },
    #[error("`{name}` is a float: not all clients read the same number")]
    Float { name: String },
    #[error("`{name}` is true or false, and there is no way to a third state")]
    Boolean { name: String },
    #[error("the conditions in `{name}` have no key, so that two writers overwrite each other")]
    Conditions { name: String },
    #[error(
        "`{kind}` has a status, but no subresource for it: whoever writes the spec writes the status too"
    )]
    StatusSubresource { kind: String },
}

impl ConventionProblem {
    /// The convention.
    pub fn convention(&self) -> Convention {
        match self {
            Self::FieldCase { .. } => Convention::FieldCase,
            Self::OptionalDefault { .. } => Convention::OptionalDefault,
            Self::Float { .. } => Convention::Floats,
            Self::Boolean { .. } => Convention::Booleans,
            Self::Conditions { .. } => Convention::Conditions,
            Self::StatusSubresource { .. } => Convention::StatusSubresource,
        }
    }

    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::FieldCase { better, .. } => {
                return Some(format!(
                    "put `#[serde(rename_all = \"camelCase\")]` on the type, or `#[serde(rename = \"{better}\")]` on the field"
                ));
            }
            Self::OptionalDefault { .. } => "make it an `Option`, or add `#[serde(default)]`",
            Self::Float { .. } => "use a whole number of smaller units, a text or a `Quantity`",
            Self::Boolean { .. } => {
                "an enum of words can grow; where that is out of the question, allow `booleans`"
            }
            Self::Conditions { .. } => "add `+listType=map` and `+listMapKey=type`",
            Self::StatusSubresource { .. } => "add `+kubebuilder:subresource:status`",
        };
        Some(text.to_owned())
    }
}
