//! Requests: what the methods of generated clients ask of a server.

use crate::model::{Resource, Verb};

/// The requests of a method: verbs as roles have them, with a subresource where there is one. None when the client has no such method.
pub(super) fn requests(resource: &Resource, method: &str) -> Vec<(String, Option<String>)> {
    let plain = method.strip_suffix("_with").unwrap_or(method);
    if let Some((verb, subresource)) = standard(plain) {
        return vec![(verb.to_owned(), subresource.map(str::to_owned))];
    }
    let further = resource.methods.iter().find(|further| {
        further.names.function == method
            || further.names.function_with == method
            || further.names.function == plain
    });
    let further =
        further.map(|further| (verb_of_roles(further.verb).to_owned(), further.subresource.clone()));
    further.into_iter().collect()
}

fn standard(method: &str) -> Option<(&'static str, Option<&'static str>)> {
    Some(match method {
        "create" => ("create", None),
        "update" => ("update", None),
        "update_status" => ("update", Some("status")),
        "delete" => ("delete", None),
        "delete_collection" => ("deletecollection", None),
        "get" => ("get", None),
        "list" | "pages" => ("list", None),
        "watch" | "watch_from" => ("watch", None),
        "patch" | "apply" => ("patch", None),
        "patch_status" | "apply_status" => ("patch", Some("status")),
        _ => return None,
    })
}

fn verb_of_roles(verb: Verb) -> &'static str {
    match verb {
        Verb::Create => "create",
        Verb::Update | Verb::UpdateStatus => "update",
        Verb::Delete => "delete",
        Verb::DeleteCollection => "deletecollection",
        Verb::Get => "get",
        Verb::List => "list",
        Verb::Watch => "watch",
        Verb::Patch | Verb::Apply | Verb::ApplyStatus => "patch",
    }
}

/// Parts of the runtime that send requests of their own: a type, and what its objects ask for.
pub(super) const OF_THE_RUNTIME: [(&str, (&str, &str), &[&str]); 3] = [
    ("LeaderElector", ("coordination.k8s.io", "leases"), &["create", "get", "update"]),
    // Its builder makes the elector.
    ("ManagerConfig", ("coordination.k8s.io", "leases"), &["create", "get", "update"]),
    ("EventBroadcaster", ("events.k8s.io", "events"), &["create", "patch"]),
];

/// Whether a method is one that only informers have.
pub(super) fn informer_method(method: &str) -> bool {
    let own = ["lister", "store", "has_synced", "wait_for_sync", "backlog", "stats", "resync", "is_started"];
    own.contains(&method) || method.starts_with("add_")
}
