//! Messages about custom resource definitions as a whole.

/// A definition would not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum CrdProblem {
    #[error("`{kind}` has {count} versions, and none of them is stored")]
    NoStorage { kind: String, count: usize },
    #[error("`{kind}` has two stored versions, `{first}` and `{second}`")]
    TwoStorages { kind: String, first: String, second: String },
    #[error("no version of `{kind}` is served")]
    NothingServed { kind: String },
    #[error("versions of `{kind}` have different {what}: `{first}` and `{second}`")]
    Differs { kind: String, what: &'static str, first: String, second: String },
    #[error("`{text}` is no pair of key and value")]
    NoPair { text: String },
    #[error("group `{group}` has two kinds with the resource `{plural}`: `{first}` and `{second}`")]
    SamePlural { group: String, plural: String, first: String, second: String },
    #[error("`{path}` is no path into an object")]
    NoPath { path: String },
    #[error("`{path}` leads to no field: there is no `{missing}`")]
    PathUnknown { path: String, missing: String, nearest: Option<String> },
    #[error("column `{column}` is of the unknown type `{kind}`")]
    ColumnType { column: String, kind: String },
    #[error("`{path}` is no single value, so that nothing can be selected by it")]
    NotSelectable { path: String },
    #[error("`{path}` of the scale does not lie below `{root}`, or leads through a list")]
    ScaleRoot { path: String, root: &'static str },
    #[error("`{path}` of the scale is not of type {kind}")]
    ScaleType { path: String, kind: &'static str },
    #[error("two packages hold `{kind}` in version `{version}`")]
    SameVersion { kind: String, version: String },
}

impl CrdProblem {
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::NoStorage { .. } => {
                "put `+kubebuilder:storageversion` on the version that objects are stored in"
            }
            Self::TwoStorages { .. } => "objects are stored in one version; take one marker out",
            Self::NothingServed { .. } => "take `+kubebuilder:unservedversion` off one of them",
            Self::Differs { .. } => "say it on one version, or the same on all",
            Self::NoPair { .. } => "write `key=value`",
            Self::SamePlural { .. } => "give one of them another `+kubebuilder:resource:path=`",
            Self::NoPath { .. } => "write the path from the object on, `.spec.size`",
            Self::PathUnknown { nearest: Some(nearest), .. } => {
                return Some(format!("did you mean `{nearest}`?"));
            }
            Self::PathUnknown { .. } => "name fields as they are on the wire",
            Self::ColumnType { .. } => "the types are `string`, `integer`, `number`, `boolean` and `date`",
            Self::NotSelectable { .. } => "name a field with a text, a whole number, or true and false",
            Self::ScaleRoot { .. } => "the numbers of a scale are single fields of spec and status",
            Self::ScaleType { .. } => "point it at a field of that type",
            Self::SameVersion { .. } => "check the `+groupName` and `+versionName` of the two",
        };
        Some(text.to_owned())
    }
}
