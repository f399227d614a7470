//! Markers of packages and of typed clients.

use super::{Category, Definition, Form, Kind, Targets};

const fn package(name: &'static str, form: Form, help: &'static str) -> Definition {
    Definition::new(name, Targets::PACKAGE, form, Category::Package, help)
}

const fn client(name: &'static str, form: Form, help: &'static str) -> Definition {
    Definition::new(name, Targets::TYPE, form, Category::Client, help)
}

const SWITCH: Form = Form::Value(Kind::Bool, "k8s:client-gen=false");

pub(super) static MARKERS: &[Definition] = &[
    package(
        "groupName",
        Form::ValueOrEmpty(Kind::Raw, "groupName=example.com"),
        "The API group of the package; empty for the core group.",
    ),
    package(
        "groupGoName",
        Form::Value(Kind::Raw, "groupGoName=Example"),
        "The group's name in code; needed when two groups share their first label.",
    ),
    package(
        "versionName",
        Form::Value(Kind::Raw, "versionName=v1"),
        "The API version; else the module's name.",
    ),
    package("k8s:client-gen", SWITCH, "`false` leaves the package without clients."),
    package("k8s:lister-gen", SWITCH, "`false` leaves the package without listers."),
    package("k8s:informer-gen", SWITCH, "`false` leaves the package without informers."),
    package("k8s:applyconfiguration-gen", SWITCH, "`false` leaves the package without apply configurations."),
    client(
        "genclient",
        Form::Flag,
        "The kind gets a client, a fake, a lister, an informer and an apply configuration.",
    ),
    client("genclient:nonNamespaced", Form::Flag, "Objects of the kind live outside of namespaces."),
    client("genclient:noStatus", Form::Flag, "No methods for the status, although the kind has one."),
    client("genclient:noVerbs", Form::Flag, "The client has no verbs; there is no lister and no informer."),
    client(
        "genclient:onlyVerbs",
        Form::Value(Kind::Raw, "genclient:onlyVerbs=get,list,watch"),
        "The client has these verbs only.",
    ),
    client(
        "genclient:skipVerbs",
        Form::Value(Kind::Raw, "genclient:skipVerbs=deleteCollection"),
        "The client has all verbs but these.",
    ),
    client("genclient:readonly", Form::Flag, "The client has get, list and watch only."),
    client(
        "genclient:method",
        Form::ValueOrEmpty(Kind::Raw, "genclient:method=GetScale,verb=get,subresource=scale"),
        "A further method, mostly for a subresource: name, verb=, subresource=, input=, result=.",
    ),
    client("resourceName", Form::Value(Kind::Raw, "resourceName=shelves"), "The resource's name in URLs."),
];
