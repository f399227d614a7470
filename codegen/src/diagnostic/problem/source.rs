//! Messages about files.

/// A file cannot be read or is no Rust.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum SourceProblem {
    #[error("no type package `{group}/{version}` in `{apis}`")]
    PackageNotFound { apis: String, group: String, version: String, tried: Vec<String> },
    #[error("`{module}` is declared twice: as `{first}` and as `{second}`")]
    TwoFiles { module: String, first: String, second: String },
    #[error("the file of module `{module}` is missing")]
    ModuleNotFound { module: String, tried: Vec<String> },
    #[error("there is no source file in `{folder}`, so that this macro stands for no module")]
    NoModules { folder: String },
    #[error("module `{module}` is its own ancestor")]
    ModuleLoop { module: String },
    #[error("modules are nested deeper than {limit}")]
    ModulesTooDeep { limit: usize },
    #[error("there is no file or folder `{path}`")]
    NoSuchPath { path: String },
    #[error("cannot read `{file}`: {reason}")]
    Unreadable { file: String, reason: String },
    #[error("cannot read the folder `{folder}`: {reason}")]
    UnreadableFolder { folder: String, reason: String },
    #[error("`{file}` is no regular file")]
    NotAFile { file: String },
    #[error("`{file}` is {size} bytes long; the limit is {limit}")]
    TooLarge { file: String, size: u64, limit: u64 },
    #[error("the text is not UTF-8")]
    NotUtf8,
    #[error("cannot parse: {message}")]
    Parse { message: String },
    #[error("{what} is not closed")]
    NotClosed { what: &'static str },
    #[error("`{found}` closes nothing")]
    NothingToClose { found: char },
    #[error("`{expected}` is expected here, not `{found}`")]
    WrongClose { expected: char, found: char },
    #[error("this is nested too deep to be read")]
    TooDeep,
    #[error("an item of a module is expected here")]
    NotAnItem,
    #[error("the generator failed while reading: {reason}")]
    Internal { reason: String },
}

impl SourceProblem {
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::PackageNotFound { tried, .. } => {
                let looked =
                    if tried.is_empty() { String::new() } else { format!("; looked for {}", list(tried)) };
                format!("a type package is a folder with a `mod.rs`, a file, or a module in a file{looked}")
            }
            Self::TwoFiles { .. } => "keep one of the two files".to_owned(),
            Self::ModuleNotFound { tried, .. } => format!("looked for {}", list(tried)),
            Self::NoModules { .. } => "its path starts at the folder of `Cargo.toml`".to_owned(),
            Self::ModuleLoop { .. } => {
                "a `#[path]` or a link leads back to a file that includes this one".to_owned()
            }
            Self::TooLarge { .. } => "types are written by people; is this a generated file?".to_owned(),
            Self::UnreadableFolder { .. } => {
                "make it readable, or name the folders that are meant one by one".to_owned()
            }
            Self::NotUtf8 => "Rust source is UTF-8; save the file in that encoding".to_owned(),
            Self::TooDeep => "give the inner parts a name of their own with `type` or `struct`".to_owned(),
            Self::Internal { .. } => {
                "this is a fault of the generator; please report it with the input".to_owned()
            }
            _ => return None,
        };
        Some(text)
    }
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
