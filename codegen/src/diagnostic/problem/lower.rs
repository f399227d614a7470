//! Messages about single items: types, fields, root types and their tags.

/// An item cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum LowerProblem {
    #[error("{item} is there under a condition only (`#[cfg(..)]`), but its clients would name it always")]
    ConditionalRoot { item: String },
    #[error("`#[{attribute}(..)]`: {message}")]
    BadAttribute { attribute: &'static str, message: String },
    #[error("`#[{attribute}(..)]` has no key `{key}`")]
    UnknownKey { attribute: &'static str, key: String, nearest: Option<String> },
    #[error("serde knows no case `{case}`")]
    UnknownCase { case: String, nearest: Option<String> },
    #[error("there is no type `{name}` here")]
    UnknownType { name: String, nearest: Option<String> },
    #[error("`{name}` is `{first}` or `{second}`, which are both imported with `*`")]
    Ambiguous { name: String, first: String, second: String },
    #[error(
        "`{name}` is declared twice in this module, each under a condition, and it cannot be seen which one holds"
    )]
    DeclaredTwice { name: String },
    #[error("the alias `{name}` leads back to itself")]
    AliasLoop { name: String },
    #[error("`{name}` is an alias of an alias of an alias, and so on, for too long to be followed")]
    AliasDepth { name: String },
    #[error("`+genclient` is on {item}, which is no root type")]
    NotARoot { item: String },
    #[error("`{name}` is a union, which is neither text nor an object on the wire")]
    UnionRoot { name: String },
    #[error("the kind `{name}` has parameters")]
    GenericRoot { name: String },
    #[error("`+genclient` is on `{name}`, which other crates cannot reach")]
    PrivateRoot { name: String },
    #[error("root type `{name}` has no field `metadata: ObjectMeta`")]
    NoMetadata { name: String },
    #[error("root type `{name}` has no `TypeMeta<{name}>`")]
    NoTypeMeta { name: String },
    #[error("it cannot be seen whose `{what}` the root type `{name}` has")]
    UnseenMeta { name: String, what: &'static str },
    #[error("`TypeMeta` of `{found}` in the root type `{name}`")]
    ForeignTypeMeta { name: String, found: String },
    #[error("the `TypeMeta` of `{name}` lacks `{missing}`")]
    TypeMetaSerde { name: String, missing: &'static str },
    #[error("`#[kube(..)]` of `{name}` lacks `{key}`")]
    KubeKeyMissing { name: String, key: &'static str },
    #[error("`+genclient` is on `use {path}`, which is not public")]
    PrivateUse { path: String },
    #[error("`+genclient` is on a `use` of everything in `{path}`")]
    GlobUse { path: String },
    #[error("`+genclient` is on a `use` of `{path}`, which is a type of this crate")]
    OwnUse { path: String },
    #[error("`+genclient:{tag}` names the unknown verb `{verb}`")]
    UnknownVerb { tag: &'static str, verb: String, nearest: Option<String> },
    #[error("`+genclient:{tag}` names verb `{verb}` twice")]
    RepeatedVerb { tag: &'static str, verb: String },
    #[error("`+genclient:{tag}` names no verb")]
    NoVerb { tag: &'static str },
    #[error("`+genclient:{first}` and `+genclient:{second}` contradict each other")]
    Contradiction { first: &'static str, second: &'static str },
    #[error("verb `{verb}` needs a status, and `{name}` has none")]
    NoStatus { name: String, verb: &'static str },
    #[error("`+genclient:skipVerbs` leaves `{name}` without any verb")]
    NothingLeft { name: String },
    #[error("`+{name}` is of no use without `+genclient`")]
    WithoutGenclient { name: String },
    #[error("`{first}` says that `{name}` is {scope}, `{second}` says that it is not")]
    ScopeConflict { name: String, scope: &'static str, first: String, second: String },
    #[error("`{name}` has two plurals: `{first}` and `{second}`")]
    PluralConflict { name: String, first: String, second: String },
    #[error("`{value}` is no name for {what}")]
    BadName { what: &'static str, value: String, rule: &'static str },
    #[error("the package has no `+groupName`")]
    NoGroup { package: String },
    #[error("`+{name}` is given twice, as `{first}` and as `{second}`")]
    TwoValues { name: String, first: String, second: String },
    #[error("`{kind}` says that its {what} is `{found}`, its package says `{expected}`")]
    NotOfPackage { kind: String, what: &'static str, found: String, expected: String },
    #[error("no version is known for this package")]
    NoVersion,
}

impl LowerProblem {
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::UnknownCase { nearest: Some(nearest), .. }
            | Self::UnknownType { nearest: Some(nearest), .. }
            | Self::UnknownKey { nearest: Some(nearest), .. }
            | Self::UnknownVerb { nearest: Some(nearest), .. } => {
                return Some(format!("did you mean `{nearest}`?"));
            }
            Self::UnknownKey { .. } => {
                "take it out; what it should say may have a marker: `kube-codegen markers`"
            }
            Self::UnknownVerb { .. } | Self::NoVerb { .. } => {
                "the verbs are create, update, updateStatus, delete, deleteCollection, get, list, watch, patch, apply, applyStatus"
            }
            Self::UnseenMeta { what: "TypeMeta", .. } => {
                "import it by its name: `use kube_codegen_runtime::object::TypeMeta;`"
            }
            Self::UnseenMeta { .. } => {
                "import it by its name: `use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;`"
            }
            Self::NotARoot { .. } => {
                "a root type is a struct with `TypeMeta<Self>` and `metadata: ObjectMeta`, a struct with `#[derive(CustomResource)]`, or a `pub use` of a type of another crate"
            }
            Self::ConditionalRoot { .. } => {
                "take the `cfg` away, or put it on the module of the type package and on that of the generated code"
            }
            Self::UnionRoot { .. } => "write a struct, or an enum whose variants hold data",
            Self::GenericRoot { .. } => "a kind is one type; write a struct without parameters",
            Self::PrivateRoot { .. } => {
                "make it `pub`, and the modules above it, or re-export it with `pub use`"
            }
            Self::NoMetadata { .. } => "add `pub metadata: ObjectMeta`",
            Self::NoTypeMeta { .. } | Self::TypeMetaSerde { .. } | Self::ForeignTypeMeta { .. } => {
                "write `#[serde(flatten, skip_deserializing)] pub type_meta: TypeMeta<Self>`, with the name of the struct for `Self`"
            }
            Self::KubeKeyMissing { key, .. } => return Some(format!("add `{key} = \"..\"`")),
            Self::PrivateUse { .. } => "write `pub use`, so that generated code can name the type",
            Self::GlobUse { .. } => "re-export each kind by its name",
            Self::OwnUse { .. } => "put `+genclient` on the type itself",
            Self::Contradiction { .. } => "keep one of them",
            Self::NoStatus { .. } => {
                "give the type a field `status` and no `+genclient:noStatus`, or take the verb out"
            }
            Self::NothingLeft { .. } => "write `+genclient:noVerbs` if that is meant",
            Self::WithoutGenclient { .. } => "add `+genclient`, or take this one out",
            Self::ScopeConflict { .. } => "say it in one place, or the same in both",
            Self::PluralConflict { .. } => "one name serves the client, the fake and the CRD; keep one",
            Self::BadName { rule, .. } => rule,
            Self::NoGroup { .. } => {
                "add `// +groupName=example.com` at the top of the module's file (`// +groupName=` for the core group)"
            }
            Self::TwoValues { .. } => "a package has one; keep one of them",
            Self::NotOfPackage { .. } => {
                "a package is one group and one version; make the two agree, or move the type"
            }
            Self::NoVersion => "add `// +versionName=v1` at the top of the module's file",
            _ => return self.cure_of_name().map(str::to_owned),
        };
        Some(text.to_owned())
    }

    /// What to do about a name that is not there, or there twice.
    fn cure_of_name(&self) -> Option<&'static str> {
        match self {
            Self::DeclaredTwice { .. } => Some(
                "declare it once, with conditions on what differs within, or give each a name of its own",
            ),
            Self::Ambiguous { .. } => Some("import the one that is meant by its name"),
            Self::UnknownType { .. } => Some("import it with `use`, or name it by its whole path"),
            _ => None,
        }
    }
}
