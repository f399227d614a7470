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
            Self::SameVersion { .. } => "check the `+groupName` and `+versionName` of the two",
        };
        Some(text.to_owned())
    }
}
