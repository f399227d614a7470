//! Messages about schemas: types that have none, and markers that do not fit theirs.

/// A type or a marker gives no schema that a server takes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message says what the variant is")]
pub enum SchemaProblem {
    #[error("`+{marker}` is for {wanted}, and `{name}` is {found}")]
    Misapplied { marker: String, name: String, wanted: &'static str, found: String },
    #[error("`+{marker}` has a fraction, and `{name}` is a whole number")]
    Fraction { marker: String, name: String },
    #[error("`{name}` has `uniqueItems`, which no server takes")]
    UniqueItems { name: String },
    #[error("`{name}` is a float, which languages do not read alike")]
    Float { name: String },
    #[error("`{name}` is {what}: a schema cannot say that")]
    Unsupported { name: String, what: String },
    #[error("the keys of `{name}` are {found}, and keys of a map are text")]
    MapKey { name: String, found: String },
    #[error("the form of `{name}` on the wire is made by `{by}`, and nothing says what it is")]
    Custom { name: String, by: &'static str },
    #[error("the form of `{name}` on the wire is written by hand, and nothing says what it is")]
    HandWritten { name: String },
    #[error("`{attribute}` of `{name}` is worked out by code, and no code is run here")]
    Computed { name: String, attribute: String },
    #[error("`{attribute}` gives the schema of `{name}` another form than serde gives the value")]
    OtherWire { name: String, attribute: String },
    #[error("`{attribute}` leaves `{name}` without a schema, and no server takes a definition without one")]
    SchemaDisabled { name: String, attribute: String },
    #[error("the schema of `{name}` is made by its own `impl JsonSchema`, and no code is run here")]
    OwnSchema { name: String },
    #[error("with `{attribute}` the schema of `{name}` is written by hand, which is not read here")]
    SchemaByHand { name: String, attribute: String },
    #[error("nothing is known of the form of `{path}`, the type of `{name}`")]
    NoSchema { name: String, path: String },
    #[error("`{name}` holds `{found}`, which holds itself")]
    Recursive { name: String, found: String },
    #[error("`{name}` holds `{found}`, more types below each other than a schema can have")]
    TooDeep { name: String, found: String },
    #[error(
        "the schema of `{name}` has more than {most} parts, and no server takes a definition of that size"
    )]
    TooLarge { name: String, most: usize },
    #[error("`{name}` is of type {first} by its Rust type and {second} by a marker")]
    Contradiction { name: String, first: String, second: String },
    #[error("`{name}` {what}")]
    EnumForm { name: String, what: &'static str },
    #[error("variants of `{name}` have different members of the name `{member}`")]
    VariantsClash { name: String, member: String },
    #[error("`{name}` is flattened, and its value is {found}, not an object")]
    FlattenNoObject { name: String, found: String },
    #[error("`{name}` is a flattened map of values of one type, beside members of other types")]
    FlattenMap { name: String },
    #[error("`+k8s:enum` on the field `{name}`")]
    EnumOnField { name: String },
    #[error("`+k8s:enum` on `{name}`, which is no enum of words")]
    EnumNotAnEnum { name: String },
    #[error("the marker and the variants of `{name}` disagree about `{value}`")]
    EnumDisagrees { name: String, value: String },
    #[error("the title of `{name}` is no text")]
    TitleNotText { name: String },
    #[error("`{url}` is no address")]
    BadUrl { url: String },
    #[error("`{name}` has a list map key, but no `+listType=map`")]
    KeyOfNoMap { name: String },
    #[error("the default of `{name}` does not fit{at}: {reason}")]
    DefaultMisfit { name: String, at: String, reason: String },
    #[error("a server refuses the schema that is written out for `{name}`{at}: {reason}")]
    Written { name: String, at: String, reason: String },
    #[error("`{name}` is a set, and its items are {found}")]
    SetOf { name: String, found: String },
    #[error("`{name}` is merged by keys, and its items are {found}")]
    MapOf { name: String, found: String },
    #[error("`{name}` is merged by keys, and has none")]
    NoMapKey { name: String },
    #[error("the items of `{name}` have no field `{key}`")]
    KeyUnknown { name: String, key: String },
    #[error("the key `{key}` of `{name}` is no single value")]
    KeyNotScalar { name: String, key: String },
    #[error("the key `{key}` of `{name}` may be null")]
    KeyNullable { name: String, key: String },
    #[error("the key `{key}` of `{name}` may be left out")]
    KeyOptional { name: String, key: String },
    #[error("`+{marker}` is no regular expression: {reason}")]
    BadPattern { marker: String, reason: String },
    #[error("a rule of `{name}` looks for what is no regular expression: {reason}")]
    RulePattern { name: String, reason: String },
    #[error("a rule of `{name}` is no expression: {reason}")]
    RuleSyntax { name: String, reason: String },
    #[error("a rule of `{name}` names the field `{field}`, which is not there")]
    RuleField { name: String, field: String, nearest: Option<String> },
    #[error("`{argument}` of a rule of `{name}` is empty, or has a line break in it")]
    RuleMessage { name: String, argument: &'static str },
    #[error("a rule of `{name}` has the reason `{reason}`, which is none")]
    RuleReason { name: String, reason: String },
    #[error("a rule of `{name}` has `optionalOldSelf`, and does not look at `oldSelf`")]
    RuleOldSelf { name: String },
    #[error(
        "a rule of `{name}` names the field `{field}`, which can be anything, so that rules see nothing of it"
    )]
    RuleHidden { name: String, field: String },
    #[error("a rule of `{name}` names `{found}`, which is neither a variable nor a type")]
    RuleName { name: String, found: String, nearest: Option<String> },
    #[error("a rule of `{name}` calls `{function}`, and there is no such function{}", on(of))]
    RuleFunction { name: String, function: String, of: String, nearest: Option<String> },
    #[error("a rule of `{name}` calls `{function}` with another number of arguments than it takes")]
    RuleArguments { name: String, function: String },
    #[error("a rule of `{name}` calls `{function}` with {found}, which it does not take")]
    RuleArgument { name: String, function: String, found: String },
    #[error("a rule of `{name}` calls `{function}` with what it can do nothing with: {reason}")]
    RuleLiteral { name: String, function: String, reason: String },
    #[error("a rule of `{name}` has `{sign}` {}", between(left, right))]
    RuleOperator { name: String, sign: String, left: String, right: String },
    #[error("an expression in a rule of `{name}` has to give {wanted}, and gives {found}")]
    RuleResult { name: String, wanted: &'static str, found: String },
    #[error("the default of `{name}`{at} breaks the rule `{rule}`")]
    DefaultBreaksRule { name: String, at: String, rule: String },
    #[error("the default of `{name}`{at} lacks what the rule `{rule}` asks for")]
    DefaultFailsRule { name: String, at: String, rule: String },
    #[error(
        "`{name}` has a default{at} whose rule sees nothing of it, since its parts can be anything: `{rule}`"
    )]
    DefaultHidden { name: String, at: String, rule: String },
    #[error("`+{marker}` is negative")]
    Negative { marker: String },
    #[error("`+{marker}` of `{of}` names `{name}`, which is below a field")]
    OneOfNested { marker: String, of: String, name: String },
    #[error("`+{marker}` of `{of}` names `{name}`, and there is no such field")]
    OneOfUnknown { marker: String, of: String, name: String },
    #[error("`+{marker}` of `{of}` names `{name}`, which is required")]
    OneOfRequired { marker: String, of: String, name: String, by: Option<&'static str> },
}

impl SchemaProblem {
    pub(super) fn help(&self) -> Option<String> {
        if let Self::RuleField { nearest: Some(nearest), .. }
        | Self::RuleName { nearest: Some(nearest), .. }
        | Self::RuleFunction { nearest: Some(nearest), .. } = self
        {
            return Some(format!("did you mean `{nearest}`?"));
        }
        self.cure_of_type()
            .or_else(|| self.cure_of_marker())
            .or_else(|| self.cure_of_rule())
            .map(str::to_owned)
    }

    /// What to do about a type.
    fn cure_of_type(&self) -> Option<&'static str> {
        Some(match self {
            Self::Float { .. } => {
                "use a whole number of smaller units, a text or a `Quantity`; `allowDangerousTypes=true` allows floats"
            }
            Self::Unsupported { .. } => {
                "use a struct with named fields, a list or a map, or say what is on the wire: `+kubebuilder:validation:Schemaless` with `+kubebuilder:validation:Type=..`"
            }
            Self::MapKey { .. } => {
                "use `String`, a newtype of it, or an enum of words: no schema that a server takes says more of keys, and one key that the type cannot hold makes whole lists unreadable; `#[schemars(with = \"BTreeMap<String, ..>\")]` leaves that to the writers of objects"
            }
            Self::Custom { .. } | Self::HandWritten { .. } => {
                "say it with `+kubebuilder:validation:Type=string` (or another type) and, where it helps, `Format` and `Pattern`; a list takes `Type=array` and `+kubebuilder:validation:items:Type=..`, its objects `+kubebuilder:validation:items:XPreserveUnknownFields` too"
            }
            Self::Computed { .. } => {
                "write the value itself, or say it with a marker; `kube-codegen markers` lists them"
            }
            Self::OtherWire { .. } => "say it with `#[serde(..)]`, so that the schema is that of the value",
            Self::SchemaDisabled { .. } | Self::SchemaByHand { .. } => {
                "take it out, so that the fields are the schema, or say what the spec holds with `+kubebuilder:validation:Type=object` and `+kubebuilder:pruning:PreserveUnknownFields`"
            }
            Self::OwnSchema { .. } => {
                "let `#[derive(JsonSchema)]` make it, let the function hold nothing but JSON (`json_schema!({ .. })`), or say what is on the wire with `+kubebuilder:validation:Type=..` above the type"
            }
            Self::NoSchema { .. } => {
                "say what is on the wire with `+kubebuilder:validation:Schemaless` and `+kubebuilder:validation:Type=..`, or use a type of this crate"
            }
            Self::Recursive { .. } => {
                "end the circle: put `+kubebuilder:validation:Schemaless` with a type, or `+kubebuilder:pruning:PreserveUnknownFields`, on this field"
            }
            Self::TooDeep { .. } | Self::TooLarge { .. } => {
                "leave out of the schema what need not be checked: put `+kubebuilder:pruning:PreserveUnknownFields` with `+kubebuilder:validation:Schemaless` on a field"
            }
            Self::Contradiction { .. } => {
                "take the `Type` marker out, or ignore the Rust type with `+kubebuilder:validation:Schemaless`"
            }
            Self::EnumForm { .. } => {
                "give every variant named fields or none, or use `#[serde(tag = \"..\")]` with structs"
            }
            Self::VariantsClash { .. } => "rename one of them, or let both have the same type",
            Self::FlattenNoObject { .. } => "flatten structs only",
            Self::FlattenMap { .. } => {
                "give the map a name of its own, or let it hold `serde_json::Value`: then unknown fields are kept as they are"
            }
            Self::Written { .. } => {
                "write what a definition may hold: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema"
            }
            _ => return None,
        })
    }

    /// What to do about a marker.
    fn cure_of_marker(&self) -> Option<&'static str> {
        Some(match self {
            Self::Misapplied { wanted: "the items of a list", .. } => {
                "put it on a list, or take out `items:`"
            }
            Self::Fraction { .. } => "write a whole number",
            Self::UniqueItems { .. } => "write `+listType=set`",
            Self::EnumOnField { .. } => {
                "put it on the enum; on a field write `+kubebuilder:validation:Enum=a;b`"
            }
            Self::EnumNotAnEnum { .. } => "write a Rust enum of words; its variants are the values",
            Self::EnumDisagrees { .. } => "take the marker out: the variants are the values",
            Self::TitleNotText { .. } => "put it between quotes",
            Self::BadUrl { .. } => "write a whole address, `https://example.com/docs`",
            Self::KeyOfNoMap { .. } => "add `+listType=map`",
            Self::DefaultBreaksRule { .. } => "a server asks defaults too; write one that keeps the rule",
            Self::DefaultFailsRule { .. } => {
                "defaults within a default are not filled in before rules are asked: write the value out, or ask with `has(..)` first"
            }
            Self::DefaultHidden { .. } => {
                "a server asks rules of defaults: give the parts a type, or leave the rule or the default out"
            }
            Self::DefaultMisfit { .. } => "a server validates defaults; write one that the schema allows",
            Self::SetOf { .. } => "items of a set are texts, numbers, or structs with `+structType=atomic`",
            Self::MapOf { .. } => "use `+listType=set` or `+listType=atomic`, or a list of structs",
            Self::NoMapKey { .. } => "name the fields that tell items apart: `+listMapKey=name`",
            Self::KeyUnknown { .. } => "name a field of the items as it is on the wire",
            Self::KeyNotScalar { .. } => "keys are texts, numbers, or true and false",
            Self::KeyNullable { .. } => "take `+nullable` off the field",
            Self::KeyOptional { .. } => {
                "make the field required, or give it a default with `+kubebuilder:default=`"
            }
            Self::BadPattern { .. } => {
                "write it in the syntax that servers read: https://pkg.go.dev/regexp/syntax"
            }
            Self::Negative { .. } => "write 0 or more",
            Self::OneOfNested { .. } => "put the marker on the type that has the field",
            Self::OneOfUnknown { .. } => "name fields as they are on the wire",
            Self::OneOfRequired { by: Some(_), .. } => "take the marker out that makes it required",
            Self::OneOfRequired { .. } => {
                "make it an `Option` with `#[serde(default, skip_serializing_if = \"Option::is_none\")]`"
            }
            _ => return None,
        })
    }

    /// What to do about a rule.
    fn cure_of_rule(&self) -> Option<&'static str> {
        Some(match self {
            Self::RulePattern { .. } => {
                "write it in the syntax that servers read: https://pkg.go.dev/regexp/syntax"
            }
            Self::RuleSyntax { .. } => {
                "rules are written in CEL: https://kubernetes.io/docs/reference/using-api/cel/"
            }
            Self::RuleField { .. } => "name fields as they are on the wire",
            Self::RuleMessage { .. } => "write one line",
            Self::RuleReason { .. } => {
                "write `FieldValueInvalid`, `FieldValueRequired`, `FieldValueForbidden` or `FieldValueDuplicate`"
            }
            Self::RuleOldSelf { .. } => "take it out: it only says that `oldSelf` may be absent",
            Self::RuleHidden { .. } => "give it a type, or leave it out of the rule",
            Self::RuleName { .. } => {
                "a rule knows `self` and `oldSelf`; fields are `self.name`, texts stand in quotes"
            }
            Self::RuleFunction { .. } => {
                "the functions are those of https://kubernetes.io/docs/reference/using-api/cel/"
            }
            Self::RuleArguments { .. } | Self::RuleArgument { .. } | Self::RuleLiteral { .. } => {
                "see https://kubernetes.io/docs/reference/using-api/cel/"
            }
            Self::RuleOperator { sign, .. } if sign.starts_with('.') => {
                "only objects and maps have fields, only lists and maps have items"
            }
            Self::RuleOperator { .. } => {
                "convert one of them: `string(..)`, `int(..)`, `double(..)`, `duration(..)`, `timestamp(..)`"
            }
            Self::RuleResult { .. } => "compare it with something, or call a function that gives that",
            _ => return None,
        })
    }
}

fn on(of: &str) -> String {
    if of.is_empty() { String::new() } else { format!(" on {of}") }
}

fn between(left: &str, right: &str) -> String {
    match (left.is_empty(), right.is_empty()) {
        (true, _) => format!("before {right}"),
        (false, true) => format!("behind {left}"),
        (false, false) => format!("between {left} and {right}"),
    }
}
