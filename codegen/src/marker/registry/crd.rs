//! Markers of CRDs, permissions and webhooks, with the names that controller-gen gave them.

use super::{Category, Definition, Form, Kind, Parameter, Targets};

const fn kind(name: &'static str, form: Form, help: &'static str) -> Definition {
    Definition::new(name, Targets::TYPE, form, Category::Crd, help)
}

const fn package(name: &'static str, form: Form, help: &'static str) -> Definition {
    Definition::new(name, Targets::PACKAGE, form, Category::Crd, help)
}

const fn config(name: &'static str, form: Form, help: &'static str) -> Definition {
    Definition::new(name, Targets::PACKAGE, form, Category::Config, help)
}

const TEXT: Kind = Kind::Text;
const LIST: Kind = Kind::TextList;

const RESOURCE: &[Parameter] = &[
    Parameter::optional("path", TEXT, "the plural"),
    Parameter::optional("shortName", LIST, "short names"),
    Parameter::optional("categories", LIST, "categories"),
    Parameter::optional("singular", TEXT, "the singular"),
    Parameter::optional("scope", Kind::Choice(&["Namespaced", "Cluster"]), "`Namespaced` or `Cluster`"),
];

const SCALE: &[Parameter] = &[
    Parameter::required("specpath", TEXT, "the path of the wished number, `.spec.replicas`"),
    Parameter::required("statuspath", TEXT, "the path of the seen number, `.status.replicas`"),
    Parameter::optional("selectorpath", TEXT, "the path of the label selector, `.status.selector`"),
];

const PRINT_COLUMN: &[Parameter] = &[
    Parameter::required("name", TEXT, "the heading"),
    Parameter::required("type", TEXT, "`string`, `integer`, `number`, `boolean` or `date`"),
    Parameter::required("JSONPath", TEXT, "the path of the value, `.spec.size`"),
    Parameter::optional("description", TEXT, "a few words on the column"),
    Parameter::optional("format", TEXT, "the format of the value"),
    Parameter::optional("priority", Kind::Integer, "0, or more for wide output only"),
];

const SELECTABLE: &[Parameter] = &[Parameter::required("JSONPath", TEXT, "the path of the field")];
const DEPRECATED: &[Parameter] = &[Parameter::optional("warning", TEXT, "what clients are told")];
const METADATA: &[Parameter] = &[
    Parameter::optional("annotations", LIST, "`key=value` pairs"),
    Parameter::optional("labels", LIST, "`key=value` pairs"),
];

const RBAC: &[Parameter] = &[
    Parameter::optional("groups", LIST, "API groups"),
    Parameter::optional("resources", LIST, "resources, with `/` and the subresource"),
    Parameter::optional("resourceNames", LIST, "names of objects"),
    Parameter::required("verbs", LIST, "what is allowed, `get;list;watch`"),
    Parameter::optional("urls", LIST, "paths that are no resources"),
    Parameter::optional("namespace", TEXT, "the namespace, for a Role in place of a ClusterRole"),
    Parameter::optional("roleName", TEXT, "the name of the role"),
];

const WEBHOOK: &[Parameter] = &[
    Parameter::required("mutating", Kind::Bool, "`true` or `false`"),
    Parameter::required("failurePolicy", TEXT, "`fail` or `ignore`"),
    Parameter::required("groups", LIST, "API groups"),
    Parameter::required("resources", LIST, "resources"),
    Parameter::required("verbs", LIST, "`create`, `update`, `delete`"),
    Parameter::required("versions", LIST, "API versions"),
    Parameter::required("name", TEXT, "a name with dots"),
    Parameter::optional("sideEffects", TEXT, "`None` or `NoneOnDryRun`"),
    Parameter::required("admissionReviewVersions", LIST, "`v1`"),
    Parameter::optional("path", TEXT, "the path on the service"),
    Parameter::optional("url", TEXT, "the whole URL, in place of a service"),
    Parameter::optional("matchPolicy", TEXT, "`Exact` or `Equivalent`"),
    Parameter::optional("timeoutSeconds", Kind::Integer, "1 to 30"),
    Parameter::optional("reinvocationPolicy", TEXT, "`Never` or `IfNeeded`"),
    Parameter::optional("serviceName", TEXT, "the service"),
    Parameter::optional("serviceNamespace", TEXT, "the namespace of the service"),
    Parameter::optional("servicePort", Kind::Integer, "the port of the service"),
    Parameter::optional("webhookVersions", LIST, "`v1`"),
    Parameter::optional("patch", TEXT, "JSON that is merged into the entry"),
];

const WEBHOOK_CONFIGURATION: &[Parameter] = &[
    Parameter::required("mutating", Kind::Bool, "`true` or `false`"),
    Parameter::optional("name", TEXT, "the name of the configuration"),
];

pub(super) static MARKERS: &[Definition] = &[
    kind(
        "kubebuilder:object:root",
        Form::Switch,
        "The type is a kind: an object with apiVersion, kind and metadata.",
    ),
    Definition::new(
        "kubebuilder:object:generate",
        Targets::PACKAGE_OR_TYPE,
        Form::Switch,
        Category::Crd,
        "Whether the `object` generator works on the package or type.",
    ),
    Definition::new(
        "kubebuilder:ac:generate",
        Targets::PACKAGE_OR_TYPE,
        Form::Switch,
        Category::Crd,
        "Whether the package or type gets apply configurations.",
    ),
    package(
        "kubebuilder:ac:output:package",
        Form::Value(TEXT, "kubebuilder:ac:output:package=applyconfiguration"),
        "Where they go.",
    ),
    package("kubebuilder:skip", Form::Flag, "The package has no CRDs."),
    kind("kubebuilder:resource", Form::Named(RESOURCE), "Names and scope of the resource."),
    kind("kubebuilder:subresource:status", Form::Flag, "The CRD has the subresource `status`."),
    kind("kubebuilder:subresource:scale", Form::Named(SCALE), "The CRD has the subresource `scale`."),
    kind("kubebuilder:printcolumn", Form::Named(PRINT_COLUMN), "A column of `kubectl get`."),
    kind("kubebuilder:selectablefield", Form::Named(SELECTABLE), "A field that field selectors may name."),
    kind("kubebuilder:storageversion", Form::Flag, "Objects are stored in this version."),
    kind("kubebuilder:skipversion", Form::Flag, "The version is left out of the CRD."),
    kind("kubebuilder:unservedversion", Form::Flag, "The version is not served."),
    kind("kubebuilder:deprecatedversion", Form::Named(DEPRECATED), "The version is deprecated."),
    kind("kubebuilder:metadata", Form::Named(METADATA), "Labels and annotations of the CRD."),
    config("kubebuilder:rbac", Form::Named(RBAC), "A permission."),
    config("kubebuilder:webhook", Form::Named(WEBHOOK), "An admission webhook."),
    config(
        "kubebuilder:webhookconfiguration",
        Form::Named(WEBHOOK_CONFIGURATION),
        "The configuration that holds the webhooks.",
    ),
];
