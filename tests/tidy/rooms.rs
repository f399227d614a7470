//! The rooms of each crate: which of its other rooms a room may import, and which crates it must do without.

/// A room is a top-level module, or one below (`emit/crd`).
pub(crate) struct Room {
    pub(crate) name: &'static str,
    /// The rooms of the same crate it may import.
    pub(crate) may: &'static [&'static str],
    /// Paths that it must not name: crates, or parts of `std`.
    pub(crate) never: &'static [&'static str],
}

const fn room(name: &'static str, may: &'static [&'static str], never: &'static [&'static str]) -> Room {
    Room { name, may, never }
}

/// What every generator may use, and what none may.
const fn generator(name: &'static str) -> Room {
    room(name, &["emit", "model", "naming", "output"], &["syn", "std::fs", "std::process", "std::env"])
}

/// `source -> marker -> lower -> model -> check -> emit -> output`; below them all naming and diagnostic.
pub(crate) const CODEGEN: &[Room] = &[
    room("source", &["diagnostic", "naming"], &["quote"]),
    room("marker", &["diagnostic", "naming"], &["quote", "std::fs"]),
    room("naming", &[], &["syn", "quote", "std::fs"]),
    room("model", &["naming"], &["syn", "quote", "std::fs"]),
    room("lower", &["source", "marker", "model", "naming", "diagnostic"], &["std::fs"]),
    room("check", &["model", "naming", "diagnostic"], &["syn", "quote", "std::fs"]),
    room("schema", &["model", "naming", "diagnostic"], &["syn", "quote", "std::fs"]),
    room("crd", &["schema", "model", "naming", "diagnostic"], &["syn", "quote", "std::fs"]),
    generator("emit"),
    generator("emit/client"),
    generator("emit/fake"),
    generator("emit/lister"),
    generator("emit/informer"),
    generator("emit/applyconfiguration"),
    generator("emit/object"),
    room(
        "emit/crd",
        &["emit", "crd", "naming", "output"],
        &["syn", "quote", "std::fs", "std::process", "std::env"],
    ),
    generator("emit/rbac"),
    generator("emit/graph"),
    generator("emit/webhook"),
    room("output", &[], &[]),
    room("config", &["emit", "output", "naming", "diagnostic", "source", "crd", "schema"], &["syn", "quote"]),
    room(
        "cli",
        &[
            "config",
            "generate",
            "check",
            "crd",
            "schema",
            "load",
            "marker",
            "model",
            "emit",
            "emit/crd",
            "emit/graph",
            "output",
            "naming",
            "diagnostic",
            "source",
        ],
        &["quote", "std::fs"],
    ),
    room(
        "generate",
        &[
            "load",
            "model",
            "emit",
            "crd",
            "emit/crd",
            "emit/object",
            "emit/rbac",
            "emit/webhook",
            "output",
            "config",
            "check",
            "source",
            "diagnostic",
            "new_crate",
        ],
        &["syn", "quote"],
    ),
    room("load", &["source", "lower", "check", "crd", "model", "naming", "diagnostic"], &["syn", "quote"]),
    room("new_crate", &["model", "emit"], &["syn", "quote"]),
    room("diagnostic", &[], &["syn", "quote", "std::fs"]),
];

/// `object` at the bottom, `manager` at the top.
pub(crate) const RUNTIME: &[Room] = &[
    room("object", &[], &["tokio", "futures", "kube::client", "kube::Client"]),
    room("client", &["object"], &[]),
    room("store", &["object"], &["kube::client", "kube::Client"]),
    room("lister", &["store", "object"], &["tokio", "kube::client", "kube::Client"]),
    room("published", &[], &["kube", "k8s_openapi", "serde", "futures", "tracing"]),
    room("informer", &["client", "store", "lister", "object", "published"], &[]),
    room("workqueue", &[], &["kube", "k8s_openapi", "serde", "serde_json", "futures", "tracing"]),
    room("clock", &[], &["kube", "futures", "tracing"]),
    room("cached", &["client", "object", "informer", "store"], &[]),
    room("wait", &["client", "object", "informer", "store"], &[]),
    room("events", &["client", "object", "clock"], &[]),
    room("leader_election", &["client", "object", "clock"], &[]),
    room("sharding", &["leader_election", "client", "object", "clock", "published"], &[]),
    room(
        "controller",
        &["informer", "workqueue", "lister", "store", "client", "object", "events", "clock", "sharding"],
        &[],
    ),
    room(
        "manager",
        &[
            "controller",
            "leader_election",
            "sharding",
            "events",
            "informer",
            "workqueue",
            "lister",
            "store",
            "client",
            "clock",
            "object",
        ],
        &[],
    ),
];

/// The state machine knows no time, no IO and no sleeping; what is around it does.
pub(crate) const APISERVER: &[Room] = &[
    room("protocol", &[], &["tokio", "std::fs", "std::time"]),
    room("cel", &["protocol"], &["tokio", "std::fs", "std::time"]),
    room("schema", &["protocol", "cel"], &["tokio", "std::fs", "std::time"]),
    room("patch", &["protocol", "schema"], &["tokio", "std::fs", "std::time"]),
    room("printers", &["protocol"], &["tokio", "std::fs", "std::time"]),
    room("store", &["protocol", "printers"], &["tokio", "std::fs", "std::time"]),
    room("definition", &["printers", "protocol", "schema", "cel"], &["tokio", "std::fs", "std::time"]),
    room("conversion", &["protocol"], &["tokio", "std::fs", "std::time"]),
    room(
        "registry",
        &["printers", "protocol", "schema", "strategy", "store", "definition", "conversion"],
        &["tokio", "std::fs", "std::time"],
    ),
    room("validation", &["protocol", "schema", "cel"], &["tokio", "std::fs", "std::time"]),
    room(
        "strategy",
        &["protocol", "schema", "validation", "registry", "store", "definition"],
        &["tokio", "std::fs", "std::time"],
    ),
    room("access", &["protocol", "registry", "store", "strategy"], &["tokio", "std::fs", "std::time"]),
    room(
        "admission",
        &["protocol", "schema", "cel", "patch", "registry", "store", "strategy", "access"],
        &["tokio", "std::fs", "std::time"],
    ),
    room(
        "server",
        &[
            "printers",
            "protocol",
            "schema",
            "patch",
            "registry",
            "strategy",
            "access",
            "admission",
            "store",
            "definition",
            "conversion",
        ],
        &["tokio", "std::fs", "std::time"],
    ),
    room(
        "controllers",
        &["protocol", "registry", "store", "strategy", "server"],
        &["tokio", "std::fs", "std::time"],
    ),
    room("serve", &["protocol", "registry", "store", "access", "admission", "server", "controllers"], &[]),
    room("testing", &["protocol", "registry", "store", "server", "controllers", "serve"], &["std::fs"]),
];
