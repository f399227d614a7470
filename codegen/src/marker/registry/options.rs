//! Words of controller-gen's command line: markers without their `+`.

use super::{Category, Definition, Form, Kind, Parameter, Targets};

const TEXT: Kind = Kind::Text;
const LIST: Kind = Kind::TextList;

const HEADER_FILE: Parameter =
    Parameter::optional("headerFile", TEXT, "the file with the text that opens every written file");
const YEAR: Parameter = Parameter::optional("year", TEXT, "what stands for ` YEAR` in the header file");
const MAX_DESCRIPTION: Parameter = Parameter::optional(
    "maxDescLen",
    Kind::Integer,
    "the most bytes of a description, cut back to a whole sentence; 0 for none",
);
const EMBEDDED_METADATA: Parameter = Parameter::optional(
    "generateEmbeddedObjectMeta",
    Kind::Bool,
    "whether metadata within a type has its fields written out",
);
const OMIT_VERSION: Parameter =
    Parameter::optional("omitToolVersion", Kind::Bool, "whether the tool's version is left out");

const CRD: &[Parameter] = &[
    Parameter::optional("allowDangerousTypes", Kind::Bool, "whether floats are allowed"),
    Parameter::optional(
        "conventions",
        Kind::Choice(&["ignore", "warn", "deny"]),
        "what becomes of types that go against the conventions of Kubernetes APIs; `ignore` when left out",
    ),
    Parameter::optional("crdVersions", LIST, "the API versions of the CRDs themselves; `v1` is the only one"),
    Parameter::optional(
        "deprecatedV1beta1CompatibilityPreserveUnknownFields",
        Kind::Bool,
        "the value of `spec.preserveUnknownFields`, which is not written otherwise",
    ),
    EMBEDDED_METADATA,
    HEADER_FILE,
    Parameter::optional(
        "ignoreUnexportedFields",
        Kind::Bool,
        "known from Go; without effect, for what serde writes is what counts",
    ),
    MAX_DESCRIPTION,
    OMIT_VERSION,
    Parameter::optional(
        "refusals",
        Kind::Choice(&["ignore", "warn", "deny"]),
        "what becomes of definitions that a server would refuse though Go's tool writes them; `warn` when left out",
    ),
    YEAR,
];

const RBAC: &[Parameter] = &[
    Parameter::optional("fileName", TEXT, "the name of the file; `role.yaml` when left out"),
    HEADER_FILE,
    Parameter::required("roleName", TEXT, "the name of the roles whose markers name none"),
    YEAR,
];

const SCHEMA_PATCH: &[Parameter] = &[
    EMBEDDED_METADATA,
    Parameter::required("manifests", TEXT, "the folder of the CRDs that are to be updated"),
    MAX_DESCRIPTION,
];

const APPLY_CONFIGURATION: &[Parameter] = &[
    Parameter::optional(
        "externalApplyConfigurations",
        LIST,
        "known from Go; without effect, for types of other crates are used as they are",
    ),
    HEADER_FILE,
    OMIT_VERSION,
    YEAR,
];

const ARTIFACTS: &[Parameter] = &[
    Parameter::optional("code", TEXT, "the folder of Rust code; beside the types when left out"),
    Parameter::required("config", TEXT, "the folder of manifests"),
];

const fn generator(name: &'static str, parameters: &'static [Parameter], help: &'static str) -> Definition {
    Definition::new(name, Targets::PACKAGE, Form::Named(parameters), Category::Generators, help)
}

const fn rule(name: &'static str, form: Form, help: &'static str) -> Definition {
    Definition::new(name, Targets::PACKAGE, form, Category::OutputRules, help)
}

/// The four output rules, for all generators or for one.
macro_rules! rules {
    ($($prefix:literal),*) => {
        &[$(
            rule(
                concat!("output:", $prefix, "artifacts"),
                Form::Named(ARTIFACTS),
                "Manifests go to one folder, Rust code to another or beside the types.",
            ),
            rule(
                concat!("output:", $prefix, "dir"),
                Form::Value(TEXT, concat!("output:", $prefix, "dir=config")),
                "Everything goes to one folder.",
            ),
            rule(concat!("output:", $prefix, "none"), Form::Flag, "Nothing is written; the input is checked."),
            rule(concat!("output:", $prefix, "stdout"), Form::Flag, "Everything is printed, without names between."),
        )*]
    };
}

pub(super) static GENERATORS: &[Definition] = &[
    generator(
        "applyconfiguration",
        APPLY_CONFIGURATION,
        "Writes apply configurations, for server-side apply.",
    ),
    generator("crd", CRD, "Writes CustomResourceDefinitions."),
    generator("object", &[HEADER_FILE, YEAR], "Writes trait impls and list types beside the types."),
    generator("rbac", RBAC, "Writes ClusterRoles and Roles."),
    generator("schemapatch", SCHEMA_PATCH, "Updates the schemas in CRDs that are kept by hand."),
    generator(
        "webhook",
        &[HEADER_FILE, YEAR],
        "Writes MutatingWebhookConfigurations and ValidatingWebhookConfigurations.",
    ),
];

pub(super) static GENERIC: &[Definition] = &[Definition::new(
    "paths",
    Targets::PACKAGE,
    Form::Value(LIST, "paths=./..."),
    Category::Generic,
    "Where the source is: folders, files, or `./...` for all below; several with `;` between.",
)];

pub(super) static OUTPUT_RULES: &[Definition] =
    rules!("", "applyconfiguration:", "crd:", "object:", "rbac:", "schemapatch:", "webhook:");
