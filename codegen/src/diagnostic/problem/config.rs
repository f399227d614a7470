//! Messages about `kube-codegen.toml` and the command line.

/// The settings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum ConfigProblem {
    #[error("there is no `kube-codegen.toml` in `{folder}` or above")]
    NoConfig { folder: String },
    #[error("cannot read {what}: {reason}")]
    Unreadable { what: &'static str, reason: String },
    #[error("cannot read the header file `{file}`: {reason}")]
    Header { file: String, reason: String },
    #[error("{message}")]
    Invalid { message: String },
    #[error("there is no key `{key}`")]
    UnknownKey { key: String, nearest: Option<String> },
    #[error("nothing says {what}")]
    Missing { what: &'static str, key: &'static str },
    #[error("cannot find the types in `{apis}`: {reason}")]
    NoApis { apis: String, reason: String },
    #[error("there is no type package in `{apis}`")]
    NoPackages { apis: String },
    #[error("`{path}` is no type package: {reason}")]
    NotAPackage { path: String, reason: &'static str },
    #[error("`{output}` belongs to no crate, so nothing says how code names its modules")]
    NoModule { output: String },
    #[error("`{name}` cannot be the name of a role")]
    RoleName { name: String },
    #[error("`{output}` cannot become a module: `{part}` is no identifier")]
    BadModule { output: String, part: String },
}

impl ConfigProblem {
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::NoConfig { .. } => {
                "write one, or say everything on the command line: `--help` has examples of both"
            }
            Self::UnknownKey { nearest: Some(nearest), .. } => {
                return Some(format!("did you mean `{nearest}`?"));
            }
            Self::UnknownKey { .. } => {
                "the keys are apis, fake, generators, groups, header-file, output, plural-exceptions, and the tables crd, rbac and webhook"
            }
            Self::Missing { key, .. } => {
                return Some(format!(
                    "write `{key} = \"..\"` in `kube-codegen.toml`, or `--{key} ..` on the command line"
                ));
            }
            Self::NoApis { .. } => {
                "name the folder of the types, the folder of their crate, or a crate that cargo knows from here"
            }
            Self::NoPackages { .. } => {
                "a type package is a module `<group>/<version>` with `// +groupName=example.com` at the top of its file"
            }
            Self::NoModule { .. } => {
                "say it with `--output-pkg crate::module`, or choose a folder below the `src` of a crate"
            }
            Self::RoleName { .. } => {
                "a name is part of a path: it has no `/` and no `%`, and is neither empty nor `.` nor `..`"
            }
            Self::BadModule { .. } => "choose a folder whose names are Rust identifiers",
            Self::Header { .. } => {
                "`header-file` is the file with the licence note; relative paths count from the current folder, those in \
                 `kube-codegen.toml` from its own"
            }
            Self::Unreadable { .. } | Self::Invalid { .. } | Self::NotAPackage { .. } => return None,
        };
        Some(text.to_owned())
    }
}
