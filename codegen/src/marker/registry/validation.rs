//! Markers of schemas, with the names that controller-gen gave them.

use super::{Category, Definition, Form, Kind, Parameter, Targets};

const TEXT: Kind = Kind::Text;

const RULE: &[Parameter] = &[
    Parameter::required("rule", TEXT, "the CEL expression"),
    Parameter::optional("message", TEXT, "what the user is told"),
    Parameter::optional("messageExpression", TEXT, "a CEL expression that gives the message"),
    Parameter::optional(
        "reason",
        Kind::Choice(&[
            "FieldValueInvalid",
            "FieldValueRequired",
            "FieldValueForbidden",
            "FieldValueDuplicate",
        ]),
        "the reason in the server's answer",
    ),
    Parameter::optional("fieldPath", TEXT, "the field that is at fault"),
    Parameter::optional("optionalOldSelf", Kind::Bool, "whether the rule also runs on creation"),
];

const EXTERNAL_DOCS: &[Parameter] = &[
    Parameter::required("url", TEXT, "where the documentation is"),
    Parameter::optional("description", TEXT, "a few words on it"),
];

const fn either(name: &'static str, form: Form, help: &'static str) -> Definition {
    Definition::new(name, Targets::TYPE_OR_FIELD, form, Category::Validation, help)
}

const fn field(name: &'static str, form: Form, help: &'static str) -> Definition {
    Definition::new(name, Targets::FIELD, form, Category::Validation, help)
}

const fn of_type(name: &'static str, form: Form, help: &'static str) -> Definition {
    Definition::new(name, Targets::TYPE, form, Category::Validation, help)
}

const fn processing(name: &'static str, form: Form, help: &'static str) -> Definition {
    Definition::new(name, Targets::TYPE_OR_FIELD, form, Category::Processing, help)
}

const ONE_OF: Form = Form::Value(Kind::TextList, "kubebuilder:validation:ExactlyOneOf=a;b");
const LIST_TYPE: Form = Form::Value(Kind::Choice(&["atomic", "set", "map"]), "listType=map");
const MAP_TYPE: Form = Form::Value(Kind::Choice(&["atomic", "granular"]), "mapType=atomic");

/// A bound, for a value and for the items of a list.
macro_rules! bounds {
    ($($name:literal, $form:expr, $help:literal;)*) => {
        &[$(
            either(concat!("kubebuilder:validation:", $name), $form, $help),
            either(concat!("kubebuilder:validation:items:", $name), $form, concat!("For the items of a list. ", $help)),
        )*]
    };
}

static BOUNDS: &[Definition] = bounds! {
    "Maximum", Form::Value(Kind::Number, "kubebuilder:validation:Maximum=10"), "The greatest number.";
    "Minimum", Form::Value(Kind::Number, "kubebuilder:validation:Minimum=0"), "The least number.";
    "ExclusiveMaximum", Form::Value(Kind::Bool, "kubebuilder:validation:ExclusiveMaximum=true"), "The greatest number is excluded.";
    "ExclusiveMinimum", Form::Value(Kind::Bool, "kubebuilder:validation:ExclusiveMinimum=true"), "The least number is excluded.";
    "MultipleOf", Form::Value(Kind::Number, "kubebuilder:validation:MultipleOf=5"), "Numbers are multiples of this.";
    "MaxLength", Form::Value(Kind::Integer, "kubebuilder:validation:MaxLength=63"), "The greatest length of a text.";
    "MinLength", Form::Value(Kind::Integer, "kubebuilder:validation:MinLength=1"), "The least length of a text.";
    "Pattern", Form::Value(TEXT, "kubebuilder:validation:Pattern=`^[a-z]+$`"), "A regular expression for a text.";
    "MaxItems", Form::Value(Kind::Integer, "kubebuilder:validation:MaxItems=10"), "The greatest length of a list.";
    "MinItems", Form::Value(Kind::Integer, "kubebuilder:validation:MinItems=1"), "The least length of a list.";
    "UniqueItems", Form::Value(Kind::Bool, "kubebuilder:validation:UniqueItems=true"), "Items of a list differ.";
    "MaxProperties", Form::Value(Kind::Integer, "kubebuilder:validation:MaxProperties=10"), "The greatest number of keys.";
    "MinProperties", Form::Value(Kind::Integer, "kubebuilder:validation:MinProperties=1"), "The least number of keys.";
    "Enum", Form::Value(Kind::AnyList, "kubebuilder:validation:Enum=a;b"), "The values that are allowed.";
    "Format", Form::Value(TEXT, "kubebuilder:validation:Format=date-time"), "The format of a value.";
    "Type", Form::Value(TEXT, "kubebuilder:validation:Type=string"), "The type in the schema.";
    "XEmbeddedResource", Form::Flag, "The value is a whole object with apiVersion and kind.";
    "XIntOrString", Form::Flag, "The value is a number or a text.";
    "XPreserveUnknownFields", Form::Flag, "Unknown fields are kept.";
    "XValidation", Form::Named(RULE), "A CEL rule.";
};

static OTHERS: &[Definition] = &[
    Definition::new(
        "kubebuilder:validation:Required",
        Targets::PACKAGE_OR_FIELD,
        Form::Flag,
        Category::Validation,
        "The field must be there; on a package, all fields must.",
    ),
    Definition::new(
        "kubebuilder:validation:Optional",
        Targets::PACKAGE_OR_FIELD,
        Form::Flag,
        Category::Validation,
        "The field may be left out; on a package, all fields may.",
    ),
    field("required", Form::Flag, "The field must be there."),
    field("optional", Form::Flag, "The field may be left out."),
    field("k8s:required", Form::Flag, "The field must be there and not be empty."),
    field("k8s:optional", Form::Flag, "The field may be left out."),
    field("nullable", Form::Flag, "The field may be null."),
    field(
        "kubebuilder:default",
        Form::Value(Kind::Any, "kubebuilder:default=1"),
        "The value when there is none.",
    ),
    field("default", Form::Value(Kind::Json, "default=1"), "The value when there is none, as JSON."),
    field("kubebuilder:example", Form::Value(Kind::Any, "kubebuilder:example=1"), "An example."),
    field(
        "kubebuilder:validation:EmbeddedResource",
        Form::Flag,
        "The value is a whole object with apiVersion and kind.",
    ),
    field("kubebuilder:validation:Schemaless", Form::Flag, "The Rust type is ignored; only markers count."),
    field("k8s:immutable", Form::Flag, "The value cannot change."),
    of_type("kubebuilder:validation:AtMostOneOf", ONE_OF, "At most one of these fields is set."),
    of_type("kubebuilder:validation:ExactlyOneOf", ONE_OF, "Exactly one of these fields is set."),
    of_type("kubebuilder:validation:AtLeastOneOf", ONE_OF, "At least one of these fields is set."),
    either("k8s:enum", Form::Flag, "The constants of the type are the values that are allowed."),
    field("k8s:minimum", Form::Value(Kind::Number, "k8s:minimum=0"), "The least number."),
    field("k8s:maximum", Form::Value(Kind::Number, "k8s:maximum=10"), "The greatest number."),
    field("k8s:maxItems", Form::Value(Kind::Integer, "k8s:maxItems=10"), "The greatest length of a list."),
    processing("kubebuilder:pruning:PreserveUnknownFields", Form::Flag, "Unknown fields are kept."),
    processing("kubebuilder:title", Form::Value(Kind::Any, "kubebuilder:title=Size"), "A title."),
    processing("kubebuilder:externalDocs", Form::Named(EXTERNAL_DOCS), "Further documentation."),
    processing("listType", LIST_TYPE, "How lists are merged."),
    processing("k8s:listType", LIST_TYPE, "How lists are merged."),
    processing(
        "listMapKey",
        Form::Value(TEXT, "listMapKey=name"),
        "A key of a list that is merged like a map.",
    ),
    processing(
        "k8s:listMapKey",
        Form::Value(TEXT, "k8s:listMapKey=name"),
        "A key of a list that is merged like a map.",
    ),
    processing("mapType", MAP_TYPE, "How maps are merged."),
    processing("structType", MAP_TYPE, "How structs are merged."),
];

pub(super) static GROUPS: [&[Definition]; 2] = [BOUNDS, OTHERS];
