//! Messages about `+genclient:method=`.

/// `+genclient:method=` is misused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum MethodProblem {
    #[error("`+genclient:method=` lacks the method's name")]
    NoName,
    #[error("`{name}` is no name for a method")]
    BadName { name: String },
    #[error("method `{method}` has no verb")]
    NoVerb { method: String },
    #[error("`{found}` is not an argument of the form `name=value`")]
    NotAPair { method: String, found: String },
    #[error("argument `{argument}` of method `{method}` is empty")]
    Empty { method: String, argument: String },
    #[error("method `{method}` has no argument `{argument}`")]
    UnknownArgument { method: String, argument: String, nearest: Option<String> },
    #[error("argument `{argument}` of method `{method}` is given twice")]
    RepeatedArgument { method: String, argument: String },
    #[error("method `{method}`: unknown verb `{verb}`")]
    UnknownVerb { method: String, verb: String, nearest: Option<String> },
    #[error("method `{method}`: verb `{verb}` cannot be extended")]
    UnsupportedVerb { method: String, verb: String },
    #[error("method `{method}`: verb `{verb}` has no `input`")]
    InputNotAllowed { method: String, verb: String },
    #[error("method `{method}`: `{path}` is no path of a type")]
    BadPath { method: String, path: String },
    #[error("method `{method}`: there is no type `{path}` in this package")]
    UnknownType { method: String, path: String, nearest: Option<String> },
    #[error("method `{method}`: `{subresource}` is no name of a subresource")]
    BadSubresource { method: String, subresource: String },
    #[error("method `{method}` would be called `{function}`, as a method that the client has already")]
    Clash { method: String, function: String },
    #[error("method `{method}` exists twice")]
    Twice { method: String },
}

impl MethodProblem {
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::NoName | Self::NoVerb { .. } | Self::NotAPair { .. } => {
                "for example `+genclient:method=GetScale,verb=get,subresource=scale,result=k8s_openapi::api::autoscaling::v1::Scale`"
            }
            Self::BadName { .. } => "a name is letters and digits, beginning with a letter: `GetScale`",
            Self::Empty { .. } => "give it a value or leave it out",
            Self::UnknownArgument { nearest: Some(nearest), .. } => {
                return Some(format!("did you mean `{nearest}`?"));
            }
            Self::UnknownArgument { .. } => "the arguments are `verb`, `subresource`, `input` and `result`",
            Self::UnknownVerb { nearest: Some(nearest), .. } => {
                return Some(format!("did you mean `{nearest}`?"));
            }
            Self::UnknownVerb { .. } | Self::UnsupportedVerb { .. } => {
                "the verbs of methods are `create`, `update`, `get`, `list`, `patch` and `apply`"
            }
            Self::InputNotAllowed { .. } => "only `create`, `update` and `apply` send an object",
            Self::BadPath { .. } => {
                "name a type of this package, or one of another crate by its whole path: `k8s_openapi::api::autoscaling::v1::Scale`"
            }
            Self::UnknownType { nearest: Some(nearest), .. } => {
                return Some(format!("did you mean `{nearest}`?"));
            }
            Self::UnknownType { .. } => {
                "a type of another crate is named by its whole path: `k8s_openapi::api::autoscaling::v1::Scale`"
            }
            Self::BadSubresource { .. } => "a subresource is one part of a URL path: `scale`, `eviction`",
            Self::Clash { .. } => "choose another name, such as one with the subresource in it",
            _ => return None,
        };
        Some(text.to_owned())
    }
}
