//! Expressions of admission: what those of policies and of webhooks' conditions may name, and what they have to give.
//!
//! In: the text of an expression and where it stands. Out: a program, or the words in which a real server refuses it.

use std::sync::Arc;

use super::{Decl, Environment, ListForm, Program, Type};

/// What an expression may name besides the object, the request and its namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    pub params: Named,
    pub authorizer: Named,
    /// The types `Object` and `JSONPatch`.
    pub objects: Named,
}

/// Whether something may be named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Named {
    #[default]
    No,
    Yes,
}

impl From<bool> for Named {
    fn from(named: bool) -> Self {
        if named { Self::Yes } else { Self::No }
    }
}

/// What an expression has to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Anything,
    Bool,
    Text,
    TextOrNull,
    /// An apply configuration.
    Object,
    /// A list of operations.
    Patches,
}

impl Wanted {
    fn is_met(self, found: &Type) -> bool {
        match self {
            Self::Anything => true,
            Self::Bool => *found == Type::Bool,
            Self::Text => *found == Type::String,
            Self::TextOrNull => matches!(found, Type::String | Type::Null),
            Self::Object => matches!(found, Type::Message(name) if **name == *"Object"),
            Self::Patches => {
                matches!(found, Type::List(items) if matches!(&**items, Type::Message(name) if **name == *"JSONPatch"))
            }
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Anything => "anything",
            Self::Bool => "bool",
            Self::Text => "string",
            Self::TextOrNull => "one of [string null_type]",
            Self::Object => "Object",
            Self::Patches => "list(JSONPatch)",
        }
    }
}

/// Compiles the expressions of one policy or webhook; variables that were compiled may be named by what comes later.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compiler {
    /// None where there are no variables at all.
    variables: Option<Vec<(String, Type)>>,
}

impl Compiler {
    /// A compiler for expressions that may name `variables`.
    pub(crate) fn with_variables() -> Self {
        Self { variables: Some(Vec::new()) }
    }

    /// Compiles an expression.
    ///
    /// # Errors
    ///
    /// In the words of a real server.
    pub(crate) fn compile(&self, expression: &str, names: Names, wanted: Wanted) -> Result<Program, String> {
        let program = self.environment(names).compile(expression).map_err(|error| error.to_string())?;
        if wanted.is_met(program.result()) {
            return Ok(program);
        }
        Err(format!("must evaluate to {} but got {}", wanted.words(), program.result().declared()))
    }

    /// Compiles a variable; what comes later may name it even where it is broken.
    ///
    /// # Errors
    ///
    /// In the words of a real server.
    pub(crate) fn variable(&mut self, name: &str, expression: &str, names: Names) -> Result<Program, String> {
        let result = self.compile(expression, names, Wanted::Anything);
        let kind = result.as_ref().map_or(Type::Dyn, |program| program.result().clone());
        self.variables.get_or_insert_default().push((name.to_owned(), plain(kind)));
        result
    }

    fn environment(&self, names: Names) -> Environment {
        let dynamic = || Arc::new(Decl::plain(Type::Dyn));
        let opaque = |name| Arc::new(Decl::plain(Type::Opaque(name)));
        let mut environment = Environment::default()
            .variable("object", dynamic())
            .variable("oldObject", dynamic())
            .variable("namespaceObject", Arc::new(namespace()))
            .variable("request", Arc::new(request()));
        if names.params == Named::Yes {
            environment = environment.variable("params", dynamic());
        }
        if names.authorizer == Named::Yes {
            environment = environment
                .variable("authorizer", opaque(super::authority::AUTHORIZER))
                .variable("authorizer.requestResource", opaque(super::authority::RESOURCE_CHECK));
        }
        if let Some(variables) = &self.variables {
            // Of two variables of one name the later counts.
            let fields = variables.iter().map(|(name, kind)| (name.clone(), Decl::plain(kind.clone())));
            environment =
                environment.variable("variables", Arc::new(Decl::named("kubernetes.variables", fields)));
        }
        if names.objects == Named::Yes { environment.making_objects() } else { environment }
    }
}

/// The type of a variable as others see it: what is no plain value, list or map may be anything.
fn plain(kind: Type) -> Type {
    match kind {
        Type::List(items) => Type::list(plain((*items).clone())),
        Type::Map(keys, values) => Type::map(plain((*keys).clone()), plain((*values).clone())),
        Type::Null
        | Type::Bool
        | Type::Int
        | Type::UInt
        | Type::Double
        | Type::String
        | Type::Bytes
        | Type::Timestamp
        | Type::Duration => kind,
        _ => Type::Dyn,
    }
}

fn fields(kind: &Type, names: &str) -> Vec<(String, Decl)> {
    names.split_whitespace().map(|name| (name.to_owned(), Decl::plain(kind.clone()))).collect()
}

fn list(items: Decl) -> Decl {
    Decl { max_elements: None, ..Decl::list(items, ListForm::Atomic, 0) }
}

fn map(values: Decl) -> Decl {
    Decl { max_elements: None, ..Decl::map(values, 0) }
}

fn text() -> Decl {
    Decl::plain(Type::String)
}

/// What expressions see of an admission request.
pub(crate) fn request() -> Decl {
    let kind = || Decl::named("kubernetes.GroupVersionKind", fields(&Type::String, "group version kind"));
    let resource =
        || Decl::named("kubernetes.GroupVersionResource", fields(&Type::String, "group version resource"));
    let mut user = fields(&Type::String, "username uid");
    user.push(("groups".to_owned(), list(text())));
    user.push(("extra".to_owned(), map(list(text()))));
    let texts = "subResource requestSubResource name namespace operation";
    let mut all = fields(&Type::String, texts);
    all.extend([
        ("kind".to_owned(), kind()),
        ("resource".to_owned(), resource()),
        ("requestKind".to_owned(), kind()),
        ("requestResource".to_owned(), resource()),
        ("userInfo".to_owned(), Decl::named("kubernetes.UserInfo", user)),
        ("dryRun".to_owned(), Decl::plain(Type::Bool)),
        ("options".to_owned(), Decl::plain(Type::Dyn)),
    ]);
    Decl::named("kubernetes.AdmissionRequest", all)
}

/// What expressions see of a namespace.
pub(crate) fn namespace() -> Decl {
    let mut condition = fields(&Type::String, "status type message reason");
    condition.extend(fields(&Type::Timestamp, "lastTransitionTime"));
    let mut metadata = fields(&Type::String, "name generateName namespace UID resourceVersion");
    metadata.extend(fields(&Type::Timestamp, "creationTimestamp deletionTimestamp"));
    metadata.extend(fields(&Type::Int, "deletionGracePeriodSeconds generation"));
    metadata.extend([
        ("labels".to_owned(), map(text())),
        ("annotations".to_owned(), map(text())),
        ("finalizers".to_owned(), list(text())),
    ]);
    let status = [
        ("conditions".to_owned(), list(Decl::named("kubernetes.NamespaceCondition", condition))),
        ("phase".to_owned(), text()),
    ];
    let spec = [("finalizers".to_owned(), list(text()))];
    Decl::named(
        "kubernetes.Namespace",
        [
            ("metadata".to_owned(), Decl::named("kubernetes.NamespaceMetadata", metadata)),
            ("spec".to_owned(), Decl::named("kubernetes.NamespaceSpec", spec)),
            ("status".to_owned(), Decl::named("kubernetes.NamespaceStatus", status)),
        ],
    )
}
