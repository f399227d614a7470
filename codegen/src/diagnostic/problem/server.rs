//! Messages about definitions that controller-gen writes, and a server refuses.

/// A server would refuse a definition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum ServerProblem {
    #[error("the rule `{rule}` of {} may cost {factor} times what a server lets a rule cost", at(path))]
    RuleCost { rule: String, path: String, factor: String },
    #[error(
        "the message of the rule `{rule}` of {} may cost {factor} times what a server lets it cost",
        at(path)
    )]
    MessageCost { rule: String, path: String, factor: String },
    #[error("the rules of `{kind}` together may cost {factor} times what a server lets a schema cost")]
    TotalCost { kind: String, factor: String },
    #[error(
        "the rule `{rule}` of {} asks for `oldSelf`, and which item of `{list}` was which before is not known",
        at(path)
    )]
    Uncorrelated { rule: String, path: String, list: String },
    #[error("`{found}` cannot be {what}")]
    BadWord { what: &'static str, found: String, rule: &'static str },
    #[error("a column has no name")]
    NamelessColumn,
    #[error("a server would refuse this warning: {fault}")]
    BadWarning { fault: String },
    #[error("`{name}` is a list, and nothing says of what")]
    NoItems { name: String },
    #[error("nothing says of what type `{name}` is")]
    Untyped { name: String },
}

impl ServerProblem {
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::RuleCost { .. } | Self::MessageCost { .. } => {
                "bound what it reads with `MaxItems`, `MaxProperties` and `MaxLength`, on the lists around it too, or make it simpler"
            }
            Self::TotalCost { .. } => {
                "bound lists, maps and texts with `MaxItems`, `MaxProperties` and `MaxLength`, or leave some out"
            }
            Self::Uncorrelated { .. } => {
                "give the list keys with `+listType=map` and `+listMapKey=..`, or put the rule on what is around the list"
            }
            Self::BadWord { rule, .. } => rule,
            Self::NamelessColumn => "write the column's head as `name=..`",
            Self::BadWarning { .. } => {
                "leave `warning` out for the warning that a server makes by itself, or say in a line what to use now"
            }
            Self::Untyped { .. } => {
                "add `+kubebuilder:validation:Type=..`, or `+kubebuilder:pruning:PreserveUnknownFields` for any value"
            }
            Self::NoItems { .. } => {
                "say it with `+kubebuilder:validation:items:Type=..` (of objects with any fields: `+kubebuilder:validation:items:XPreserveUnknownFields` too), or write `+kubebuilder:pruning:PreserveUnknownFields` in place of `Type=array`"
            }
        };
        Some(text.to_owned())
    }
}

fn at(path: &str) -> String {
    if path.is_empty() { "the whole object".to_owned() } else { format!("`{path}`") }
}
