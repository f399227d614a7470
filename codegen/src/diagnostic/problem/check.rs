//! Messages about the whole model.

/// The items do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum CheckProblem {
    #[error("no type has {wanted}")]
    Nothing { wanted: &'static str },
    #[error("groups `{first}` and `{second}` would both be called `{go_name}` in code")]
    SameGoName { first: String, second: String, go_name: String },
    #[error("groups `{first}` and `{second}` come from folders of one name, `{folder}`")]
    SameFolder { first: String, second: String, folder: String },
    #[error("group `{group}` has two names in code: `{first}` and `{second}`")]
    TwoGoNames { group: String, first: String, second: String },
    #[error("the packages of group `{group}` lie in folders of different names: `{first}` and `{second}`")]
    TwoFolders { group: String, first: String, second: String },
    #[error("two packages are version `{version}` of group `{group}`")]
    SameVersion { group: String, version: String },
    #[error("versions `{first}` and `{second}` of group `{group}` would share the name `{name}` in code")]
    SameVersionName { group: String, first: String, second: String, name: String },
    #[error("group `{group}` gives no name for code: `{go_name}` does not begin with a letter")]
    NoGoName { group: String, go_name: String },
    #[error("`{group}/{version}` has two kinds `{kind}`")]
    SameKind { group: String, version: String, kind: String },
    #[error("kinds `{first}` and `{second}` would share {what} `{name}`")]
    SameName { first: String, second: String, what: &'static str, name: String },
    #[error("kind `{kind}` would be written to `{file}`, which the generator needs for itself")]
    ReservedFile { kind: String, file: String },
    #[error("`{kind}` is {first} in version `{first_version}` and {second} in version `{second_version}`")]
    TwoScopes {
        kind: String,
        first: &'static str,
        first_version: String,
        second: &'static str,
        second_version: String,
    },
}

impl CheckProblem {
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::Nothing { .. } => {
                "put `// +genclient` above the root types, and check the list of packages"
            }
            Self::NoGoName { .. } => "give it a name with `// +groupGoName=Name` at the top of its packages",
            Self::SameGoName { .. } => {
                "give one of them a name with `// +groupGoName=Name` at the top of its packages"
            }
            Self::SameFolder { .. } => {
                "generated modules are named like the folders of the types; rename one of them"
            }
            Self::TwoGoNames { .. } => "write the same `+groupGoName` in all packages of the group",
            Self::TwoFolders { .. } => "put all versions of a group into one folder",
            Self::SameVersion { .. } => "check the `+groupName` and `+versionName` of the two",
            Self::SameKind { .. } | Self::SameName { .. } => {
                "rename one of them, or give one another `+resourceName`"
            }
            Self::TwoScopes { .. } => "the scope is a matter of the resource, not of the version",
            _ => return None,
        };
        Some(text.to_owned())
    }
}
