//! `Decl`: what is known of a value before a rule runs.
//!
//! In: what a schema says. Out: the type that expressions see, and how large a value may get: what costs are reckoned from.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::Type;

/// The largest request that a server reads, in bytes: what bounds everything that has no bound of its own.
pub(crate) const MAX_REQUEST: u64 = 3 * 1024 * 1024;

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decl {
    pub kind: DeclKind,
    /// The most elements that it can have: characters, items or members.
    pub max_elements: Option<u64>,
    /// The fewest bytes that it takes in JSON.
    pub min_size: u64,
}

/// What kind of value it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DeclKind {
    /// A value without parts.
    Plain(Type),
    List {
        items: Arc<Decl>,
        list: ListForm,
    },
    Map {
        values: Arc<Decl>,
    },
    Object {
        /// How errors name the type; empty where it has no name of its own.
        name: &'static str,
        fields: BTreeMap<String, Field>,
        /// The members that a schema names but expressions cannot, by their names in JSON.
        hidden: BTreeSet<String>,
    },
}

/// How lists of a kind are compared and joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListForm {
    Atomic,
    Set,
    /// Items are told apart by these members.
    Map(Vec<String>),
}

/// A field of an object, under the name by which expressions know it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    /// Its name in JSON.
    pub name: String,
    pub decl: Arc<Decl>,
}

impl Decl {
    /// A value without parts and without a bound.
    pub(crate) fn plain(kind: Type) -> Self {
        let min_size = match kind {
            Type::Bool => 4,
            Type::String | Type::Bytes => 2,
            _ => 1,
        };
        Self { kind: DeclKind::Plain(kind), max_elements: None, min_size }
    }

    /// A text of so many bytes at most.
    pub(crate) fn text(max_elements: u64) -> Self {
        Self { max_elements: Some(max_elements), ..Self::plain(Type::String) }
    }

    /// An object with these fields, by their names in JSON.
    pub(crate) fn object(fields: impl IntoIterator<Item = (String, Self)>) -> Self {
        let fields = fields
            .into_iter()
            .filter_map(|(name, decl)| Some((escape(&name)?, Field { name, decl: Arc::new(decl) })));
        Self::of_fields("", fields.collect())
    }

    /// An object of a type with a name, whose fields are known by their names in JSON.
    pub(crate) fn named(name: &'static str, fields: impl IntoIterator<Item = (String, Self)>) -> Self {
        let fields =
            fields.into_iter().map(|(name, decl)| (name.clone(), Field { name, decl: Arc::new(decl) }));
        Self::of_fields(name, fields.collect())
    }

    fn of_fields(name: &'static str, fields: BTreeMap<String, Field>) -> Self {
        Self {
            kind: DeclKind::Object { name, fields, hidden: BTreeSet::new() },
            max_elements: None,
            min_size: 2,
        }
    }

    /// The same object with members that expressions cannot name.
    #[must_use]
    pub(crate) fn hiding(mut self, names: impl IntoIterator<Item = String>) -> Self {
        if let DeclKind::Object { hidden, .. } = &mut self.kind {
            hidden.extend(names);
        }
        self
    }

    /// A list.
    pub(crate) fn list(items: Self, list: ListForm, max_elements: u64) -> Self {
        let kind = DeclKind::List { items: Arc::new(items), list };
        Self { kind, max_elements: Some(max_elements), min_size: 2 }
    }

    /// A map with free keys.
    pub(crate) fn map(values: Self, max_elements: u64) -> Self {
        let kind = DeclKind::Map { values: Arc::new(values) };
        Self { kind, max_elements: Some(max_elements), min_size: 2 }
    }

    /// Whether it is an integer or a text: of what has no one type, only this has a bound.
    pub(super) fn is_integer_or_text(&self) -> bool {
        matches!(self.kind, DeclKind::Plain(Type::Dyn)) && self.max_elements.is_some()
    }

    /// The type that expressions see.
    pub(crate) fn of(self: &Arc<Self>) -> Type {
        match &self.kind {
            DeclKind::Plain(kind) => kind.clone(),
            DeclKind::List { items, .. } => Type::list(items.of()),
            DeclKind::Map { values } => Type::map(Type::String, values.of()),
            DeclKind::Object { .. } => Type::Object(Arc::clone(self)),
        }
    }

    /// A field, by the name that expressions use.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        match &self.kind {
            DeclKind::Object { fields, .. } => fields.get(name),
            _ => None,
        }
    }

    /// What items of a list or values of a map are.
    pub(crate) fn element(&self) -> Option<&Arc<Self>> {
        match &self.kind {
            DeclKind::List { items, .. } => Some(items),
            DeclKind::Map { values } => Some(values),
            _ => None,
        }
    }
}

/// Words that expressions cannot use as names.
const RESERVED: [&str; 21] = [
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Whether a word is none that expressions can use as a name.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// The name by which expressions know a field; none for names that they cannot say.
pub(crate) fn escape(name: &str) -> Option<String> {
    if is_reserved(name) {
        return Some(format!("__{name}__"));
    }
    let mut letters = name.chars();
    if !letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_') {
        return None;
    }
    let known = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-' | '/');
    if !letters.all(known) {
        return None;
    }
    Some(
        name.replace("__", "__underscores__")
            .replace('.', "__dot__")
            .replace('-', "__dash__")
            .replace('/', "__slash__"),
    )
}
