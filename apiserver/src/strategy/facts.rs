//! The facts about kinds, as a table.
//!
//! In: group and plural. Out: [`Rules`]. What is not listed follows the ways of most kinds.

use crate::validation::Checks;

use super::{
    Dependents, Generation, NameRule, Plain, Rules, Strategy, account, api_service, batch, daemon,
    definition, device, namespace, node, pod, request, secret, service, volume, warnings,
};

/// The rules of a custom kind.
pub(crate) fn custom() -> Rules {
    Rules {
        name: NameRule::Subdomain,
        generation: Generation::Custom,
        status_metadata: &[],
        unconditional_update: false,
        create_on_update: false,
        status_on_create: false,
        answers_deleted: false,
        dependents: Dependents::Deleted,
        selectable: &[],
        strategy: &Plain,
        warnings: warnings::none,
        status_warnings: warnings::none,
        checks: Checks::none(),
    }
}

/// The rules of a built-in kind.
pub(crate) fn builtin(group: &str, plural: &str) -> Rules {
    Rules {
        name: name_rule(group, plural),
        generation: generation(plural),
        status_metadata: status_metadata(group, plural),
        unconditional_update: !CONDITIONAL.contains(&plural),
        create_on_update: CREATED_BY_UPDATE.contains(&plural),
        status_on_create: (group, plural) == ("", "nodes"),
        answers_deleted: ANSWER_DELETED.contains(&plural),
        dependents: match plural {
            "jobs" | "replicationcontrollers" => Dependents::Orphaned,
            "events" => Dependents::None,
            _ => Dependents::Deleted,
        },
        selectable: selectable(group, plural),
        strategy: strategy(group, plural),
        warnings: warnings::of(group, plural),
        status_warnings: warnings::of_status(group, plural),
        checks: Checks::of(group, plural),
    }
}

/// Updates of these must name a resource version.
const CONDITIONAL: &[&str] = &[
    "apiservices",
    "clustertrustbundles",
    "csidrivers",
    "csinodes",
    "csistoragecapacities",
    "customresourcedefinitions",
    "devicetaintrules",
    "leasecandidates",
    "leases",
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
    "mutatingwebhookconfigurations",
    "podcertificaterequests",
    "poddisruptionbudgets",
    "runtimeclasses",
    "storageversionmigrations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "validatingwebhookconfigurations",
    "volumeattachments",
];

/// An update of one of these that is not there creates it.
const CREATED_BY_UPDATE: &[&str] = &[
    "clusterrolebindings",
    "clusterroles",
    "endpoints",
    "events",
    "leases",
    "limitranges",
    "rolebindings",
    "roles",
    "runtimeclasses",
    "services",
];

/// A delete of one of these answers with the object.
const ANSWER_DELETED: &[&str] = &[
    "csidrivers",
    "csinodes",
    "deviceclasses",
    "persistentvolumeclaims",
    "persistentvolumes",
    "pods",
    "podtemplates",
    "resourceclaims",
    "resourceclaimtemplates",
    "resourcequotas",
    "resourceslices",
    "serviceaccounts",
    "services",
    "storageclasses",
    "volumeattachments",
    "volumeattributesclasses",
];

fn name_rule(group: &str, plural: &str) -> NameRule {
    match (group, plural) {
        ("", "namespaces" | "services") => NameRule::Label,
        ("networking.k8s.io", "ipaddresses") => NameRule::Address,
        ("certificates.k8s.io", "clustertrustbundles") => NameRule::BySigner,
        ("rbac.authorization.k8s.io" | "apiregistration.k8s.io", _) => NameRule::PathSegment,
        _ => NameRule::Subdomain,
    }
}

fn generation(plural: &str) -> Generation {
    match plural {
        "deployments" => Generation::ContentAndAnnotations,
        "endpointslices" => Generation::ContentAndLabels,
        "csidrivers" => Generation::ContentOnceChanged,
        "priorityclasses" => Generation::Once,
        "cronjobs"
        | "customresourcedefinitions"
        | "daemonsets"
        | "deviceclasses"
        | "devicetaintrules"
        | "flowschemas"
        | "horizontalpodautoscalers"
        | "ingressclasses"
        | "ingresses"
        | "jobs"
        | "mutatingadmissionpolicies"
        | "mutatingadmissionpolicybindings"
        | "mutatingwebhookconfigurations"
        | "networkpolicies"
        | "poddisruptionbudgets"
        | "pods"
        | "podtemplates"
        | "prioritylevelconfigurations"
        | "replicasets"
        | "replicationcontrollers"
        | "resourceslices"
        | "statefulsets"
        | "validatingadmissionpolicies"
        | "validatingadmissionpolicybindings"
        | "validatingwebhookconfigurations" => Generation::Content,
        _ => Generation::None,
    }
}

fn status_metadata(group: &str, plural: &str) -> &'static [&'static str] {
    match (group, plural) {
        ("apps", "deployments") => &["annotations", "finalizers"],
        ("admissionregistration.k8s.io", "validatingadmissionpolicies")
        | ("flowcontrol.apiserver.k8s.io", _)
        | ("certificates.k8s.io", "podcertificaterequests")
        | ("networking.k8s.io", "servicecidrs")
        | ("resource.k8s.io", "devicetaintrules" | "resourceclaims")
        | ("storage.k8s.io", "csinodes" | "volumeattachments")
        | ("storagemigration.k8s.io", _) => &[],
        _ => &["annotations", "finalizers", "labels", "ownerReferences"],
    }
}

fn selectable(group: &str, plural: &str) -> &'static [&'static str] {
    match (group, plural) {
        ("", "pods") => &[
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.nominatedNodeName",
        ],
        ("", "events") => &[
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "reason",
            "reportingComponent",
            "source",
            "type",
        ],
        // In the order of the core group, whose table they share.
        ("events.k8s.io", "events") => &[
            "regarding.kind",
            "regarding.namespace",
            "regarding.name",
            "regarding.uid",
            "regarding.apiVersion",
            "regarding.resourceVersion",
            "regarding.fieldPath",
            "reason",
            "reportingController",
            "deprecatedSource.component",
            "type",
        ],
        ("", "secrets") => &["type"],
        ("", "namespaces") => &["status.phase"],
        ("", "nodes") => &["spec.unschedulable"],
        ("", "services") => &["spec.clusterIP", "spec.type"],
        ("", "replicationcontrollers") => &["status.replicas"],
        ("batch", "jobs") => &["status.successful"],
        ("certificates.k8s.io", "certificatesigningrequests" | "clustertrustbundles") => &["spec.signerName"],
        ("certificates.k8s.io", "podcertificaterequests") => {
            &["spec.signerName", "spec.podName", "spec.nodeName"]
        }
        ("resource.k8s.io", "resourceslices") => &["spec.nodeName", "spec.driver"],
        _ => &[],
    }
}

fn strategy(group: &str, plural: &str) -> &'static dyn Strategy {
    match (group, plural) {
        ("", "namespaces") => &namespace::Namespaces,
        ("", "pods") => &pod::Pods,
        ("", "secrets") => &secret::Secrets,
        ("", "services") => &service::Services,
        ("", "serviceaccounts") => &account::Accounts,
        ("apiextensions.k8s.io", _) => &definition::Definitions,
        ("", "nodes") => &node::Nodes,
        ("", "persistentvolumes") => &volume::Volumes,
        ("", "persistentvolumeclaims") => &volume::Claims,
        ("apiregistration.k8s.io", _) => &api_service::ApiServices,
        ("apps", "daemonsets") => &daemon::DaemonSets,
        ("certificates.k8s.io", "certificatesigningrequests") => &request::SigningRequests,
        ("batch", "jobs") => &batch::Jobs,
        ("resource.k8s.io", "resourceslices") => &device::Slices,
        ("resource.k8s.io", "devicetaintrules") => &device::TaintRules,
        _ => &Plain,
    }
}

/// The folder in which a real server's storage keeps a built-in kind.
pub(crate) fn storage_folder(group: &str, plural: &str) -> String {
    match (group, plural) {
        ("", "nodes") => "minions".to_owned(),
        ("", "services") => "services/specs".to_owned(),
        ("", "endpoints") => "services/endpoints".to_owned(),
        ("", "replicationcontrollers") => "controllers".to_owned(),
        ("networking.k8s.io", "ingresses") => "ingress".to_owned(),
        _ => plural.to_owned(),
    }
}
