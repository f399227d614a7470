//! The registry: one table of all markers.

mod client;
mod crd;
mod options;
mod upstream;
mod validation;

use crate::diagnostic::MarkerProblem;
use crate::naming::nearest;
use std::collections::HashMap;
use std::sync::OnceLock;

/// What is known of a marker.
#[derive(Debug, PartialEq)]
pub struct Definition {
    /// Its name, without the `+`.
    pub name: &'static str,
    /// Where it may stand.
    pub targets: Targets,
    /// What follows the name.
    pub form: Form,
    /// Under which heading it is listed.
    pub category: Category,
    /// One sentence on what it does.
    pub help: &'static str,
}

impl Definition {
    const fn new(
        name: &'static str,
        targets: Targets,
        form: Form,
        category: Category,
        help: &'static str,
    ) -> Self {
        Self { name, targets, form, category, help }
    }
}

/// What follows the name of a marker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// Nothing.
    Flag,
    /// Nothing, or `=true` or `=false`.
    Switch,
    /// `=value`; with an example for messages.
    Value(Kind, &'static str),
    /// `=value`, where the value may be empty; with an example for messages.
    ValueOrEmpty(Kind, &'static str),
    /// `:argument=value,argument=value`.
    Named(&'static [Parameter]),
    /// Anything; not looked at here.
    Raw,
}

/// An argument that a marker takes.
#[derive(Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Whether it may not be left out.
    pub required: bool,
    /// A few words on what it is.
    pub help: &'static str,
}

impl Parameter {
    const fn required(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self { name, kind, required: true, help }
    }

    const fn optional(name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self { name, kind, required: false, help }
    }
}

/// The kinds of values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// `true`, `false`.
    Bool,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// Text: between `"` or backticks, or bare up to `,`, `;` or `}`.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of texts.
    TextList,
    /// A list of values of any kind.
    AnyList,
    /// A value whose kind is guessed from its form.
    Any,
    /// The rest of the line.
    Raw,
    /// The rest of the line, as JSON.
    Json,
}

/// Headings for lists of markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// Groups, versions and which generators run.
    Package,
    /// Typed clients.
    Client,
    /// Names, versions, subresources and columns of CRDs.
    Crd,
    /// What a schema allows.
    Validation,
    /// How a schema is processed.
    Processing,
    /// Permissions and webhooks.
    Config,
    /// Known to other Kubernetes generators; without effect here.
    Upstream,
    /// Options of controller-gen: what runs.
    Generators,
    /// Options of controller-gen: on what.
    Generic,
    /// Options of controller-gen: where to.
    OutputRules,
}

/// Where a marker may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Targets(u8);

impl Targets {
    /// On a type package.
    pub const PACKAGE: Self = Self(1);
    /// On a type.
    pub const TYPE: Self = Self(2);
    /// On a field or a variant.
    pub const FIELD: Self = Self(4);
    /// On a type or a field.
    pub const TYPE_OR_FIELD: Self = Self(6);
    /// On a package or a type.
    pub const PACKAGE_OR_TYPE: Self = Self(3);
    /// On a package or a field.
    pub const PACKAGE_OR_FIELD: Self = Self(5);
    /// Anywhere.
    pub const ANY: Self = Self(7);

    /// Whether all of these places are among the allowed ones.
    pub fn allow(self, place: Self) -> bool {
        self.0 & place.0 == place.0
    }

    /// In words, for messages.
    pub fn describe(self) -> &'static str {
        match self.0 {
            1 => "at the top of a type package",
            2 => "on a type",
            3 => "at the top of a type package or on a type",
            4 => "on a field",
            5 => "at the top of a type package or on a field",
            6 => "on a type or a field",
            _ => "anywhere",
        }
    }
}

/// All markers.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    let [bounds, schemas] = validation::GROUPS;
    [client::MARKERS, crd::MARKERS, bounds, schemas, upstream::MARKERS].into_iter().flatten()
}

/// All words of controller-gen's command line.
pub fn options() -> impl Iterator<Item = &'static Definition> {
    [options::GENERATORS, options::GENERIC, options::OUTPUT_RULES].into_iter().flatten()
}

/// The option of this name.
pub(super) fn find_option(name: &str) -> Option<&'static Definition> {
    options().find(|definition| definition.name == name)
}

/// What is said of an option that there is not.
pub(super) fn unknown_option(head: &str) -> MarkerProblem {
    let known = || options().map(|definition| definition.name);
    let parent = head.split([':', '=']).next().unwrap_or(head);
    let found = nearest(head, known()).or_else(|| nearest(parent, known()));
    MarkerProblem::UnknownOption { option: head.to_owned(), nearest: found.map(str::to_owned) }
}

/// The marker of this name.
pub fn find(name: &str) -> Option<&'static Definition> {
    static INDEX: OnceLock<HashMap<&'static str, &'static Definition>> = OnceLock::new();
    // Insertion marks of scaffolded files have any name below this one.
    let name = if name.starts_with("kubebuilder:scaffold:") { "kubebuilder:scaffold" } else { name };
    let index = INDEX.get_or_init(|| definitions().map(|definition| (definition.name, definition)).collect());
    index.get(name).copied()
}

/// Namespaces in which every marker must be known.
const OWNED: &[&str] = &["genclient", "k8s", "kubebuilder"];

/// Names without a namespace which are ours alone, so that a slip of the pen can be told from a foreign marker.
const OWN_NAMES: &[&str] = &["genclient", "groupName", "groupGoName", "versionName", "resourceName"];

/// Whether a name lies in a namespace in which every marker must be known.
pub(super) fn is_owned(name: &str) -> bool {
    OWNED.contains(&name.split(':').next().unwrap_or(name))
}

/// The known marker that was meant by a name which is in no namespace of ours: one that differs in case only, or one of
/// our own names or namespaces with a slip in it.
pub(super) fn meant(name: &str) -> Option<String> {
    let (space, rest) = name.split_once(':').map_or((name, None), |(space, rest)| (space, Some(rest)));
    if name.contains(['.', '/']) {
        return None;
    }
    if let Some(rest) = rest {
        let space = nearest(space, ["genclient", "kubebuilder"])?;
        return Some(format!("{space}:{rest}"));
    }
    let same = definitions().find(|definition| definition.name.eq_ignore_ascii_case(name));
    let near = || nearest(name, OWN_NAMES.iter().copied()).filter(|_| name.len() > 5);
    same.map(|definition| definition.name).or_else(near).map(str::to_owned)
}

/// What to write in place of an old spelling.
pub(super) fn retired(name: &str) -> Option<&'static str> {
    match name {
        "nonNamespaced" => Some("write `+genclient:nonNamespaced`, without a value"),
        "readonly" => Some("write `+genclient:readonly`, without a value"),
        "noMethods" | "genclient:noMethods" => Some("write `+genclient:noVerbs`, without a value"),
        "noStatus" | "genclientstatus" => Some("write `+genclient:noStatus`, without a value"),
        _ => None,
    }
}
