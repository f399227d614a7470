//! Messages about types of other crates.

/// A type of another crate cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum ForeignProblem {
    #[error("the source of crate `{name}` cannot be found: {reason}")]
    NoSource { name: String, reason: String },
    #[error("there is no type `{path}`")]
    NoType { path: String },
    #[error("`{path}` is no Kubernetes kind")]
    NoKind { path: String },
}

impl ForeignProblem {
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::NoSource { .. } => {
                "the fields of re-exported types are read from their crate; add it to the dependencies and run `cargo fetch`"
            }
            Self::NoType { .. } => "is it another version of the crate, or behind a feature?",
            Self::NoKind { .. } => {
                "only types with `k8s_openapi::Resource` or `#[derive(CustomResource)]` can have clients"
            }
        };
        Some(text.to_owned())
    }
}
