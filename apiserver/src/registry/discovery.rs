//! Discovery: the documents that tell clients what is served.
//!
//! In: the registry. Out: the legacy and the aggregated documents as JSON, with the members in the order of a real server.

use serde::Serialize;

use super::{
    Registry, Resource,
    resource::{Subresource, group_version},
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Versions<'a> {
    kind: &'static str,
    versions: Vec<&'a str>,
    #[serde(rename = "serverAddressByClientCIDRs")]
    addresses: [Address<'a>; 1],
}

#[derive(Serialize)]
struct Address<'a> {
    #[serde(rename = "clientCIDR")]
    clients: &'static str,
    #[serde(rename = "serverAddress")]
    server: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupList<'a> {
    kind: &'static str,
    api_version: &'static str,
    groups: Vec<Group<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Group<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_version: Option<&'static str>,
    name: &'a str,
    versions: Vec<GroupVersion<'a>>,
    preferred_version: Option<GroupVersion<'a>>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupVersion<'a> {
    group_version: String,
    version: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceList<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_version: Option<&'static str>,
    group_version: String,
    resources: Vec<Entry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    name: String,
    singular_name: &'a str,
    namespaced: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    kind: &'a str,
    verbs: Vec<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    short_names: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    categories: &'a [String],
    #[serde(skip_serializing_if = "str::is_empty")]
    storage_version_hash: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Aggregated<'a> {
    kind: &'static str,
    api_version: &'static str,
    metadata: Metadata<'a>,
    items: Vec<AggregatedGroup<'a>>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
}

#[derive(Serialize)]
struct AggregatedGroup<'a> {
    metadata: Metadata<'a>,
    versions: Vec<AggregatedVersion<'a>>,
}

#[derive(Serialize)]
struct AggregatedVersion<'a> {
    version: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<AggregatedEntry<'a>>,
    freshness: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AggregatedEntry<'a> {
    resource: &'a str,
    response_kind: ResponseKind<'a>,
    scope: &'static str,
    singular_resource: &'a str,
    verbs: Vec<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    short_names: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    categories: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    subresources: Vec<AggregatedSubresource<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AggregatedSubresource<'a> {
    subresource: &'a str,
    response_kind: ResponseKind<'a>,
    verbs: Vec<&'static str>,
}

#[derive(Serialize)]
struct ResponseKind<'a> {
    group: &'a str,
    version: &'a str,
    kind: &'a str,
}

fn json(document: &impl Serialize) -> Vec<u8> {
    // Nothing of these documents is what JSON cannot hold.
    serde_json::to_vec(document).unwrap_or_default()
}

impl Registry {
    /// `GET /api`.
    pub(crate) fn core_versions(&self, address: &str) -> Vec<u8> {
        let addresses = [Address { clients: "0.0.0.0/0", server: address }];
        json(&Versions { kind: "APIVersions", versions: self.versions(""), addresses })
    }

    /// `GET /apis`.
    pub(crate) fn group_list(&self) -> Vec<u8> {
        let groups = self.all_groups().into_iter().map(|group| self.group_entry(group)).collect();
        json(&GroupList { kind: "APIGroupList", api_version: "v1", groups })
    }

    /// The groups that are served, and then those that others serve.
    fn all_groups(&self) -> Vec<&str> {
        let mut groups = self.groups();
        let others =
            self.elsewhere.keys().map(String::as_str).filter(|group| !self.paths.contains_key(*group));
        groups.extend(others);
        groups
    }

    /// The versions of a group for which others would have to answer.
    fn stale_versions<'a>(&'a self, group: &str) -> impl Iterator<Item = &'a str> {
        let known = self.versions(group);
        let others = self.elsewhere.get(group).into_iter().flatten().map(String::as_str);
        others.filter(move |version| !known.contains(version))
    }

    /// `GET /apis/<group>`.
    pub(crate) fn group_document(&self, group: &str) -> Option<Vec<u8>> {
        if group.is_empty() || (self.versions(group).is_empty() && !self.elsewhere.contains_key(group)) {
            return None;
        }
        let entry = self.group_entry(group);
        Some(json(&Group { kind: Some("APIGroup"), api_version: Some("v1"), ..entry }))
    }

    fn group_entry<'a>(&'a self, group: &'a str) -> Group<'a> {
        let version = |version| GroupVersion { group_version: group_version(group, version), version };
        let versions = self.versions(group).into_iter().chain(self.stale_versions(group));
        let versions: Vec<GroupVersion<'_>> = versions.map(version).collect();
        let preferred_version = versions.first().cloned();
        Group { kind: None, api_version: None, name: group, versions, preferred_version }
    }

    /// `GET /api/<version>` or `GET /apis/<group>/<version>`.
    pub(crate) fn resource_list(&self, group: &str, version: &str) -> Option<Vec<u8>> {
        let mut resources = Vec::new();
        for resource in self.of_version(group, version) {
            resources.push(entry(resource));
            resources.extend(resource.subresources.iter().map(|sub| sub_entry(resource, sub)));
        }
        if resources.is_empty() {
            return None;
        }
        Some(json(&ResourceList {
            kind: "APIResourceList",
            // The oldest of these documents does without.
            api_version: (!group.is_empty()).then_some("v1"),
            group_version: group_version(group, version),
            resources,
        }))
    }

    /// `GET /api` or `GET /apis`, in the aggregated form.
    pub(crate) fn aggregated(&self, core: bool) -> Vec<u8> {
        let groups = if core { vec![""] } else { self.all_groups() };
        json(&Aggregated {
            kind: "APIGroupDiscoveryList",
            api_version: "apidiscovery.k8s.io/v2",
            metadata: Metadata { name: "" },
            items: groups.into_iter().map(|group| self.aggregated_group(group)).collect(),
        })
    }

    fn aggregated_group<'a>(&'a self, group: &'a str) -> AggregatedGroup<'a> {
        let version = |version| AggregatedVersion {
            version,
            resources: self.of_version(group, version).map(aggregated_entry).collect(),
            freshness: "Current",
        };
        let stale = |version| AggregatedVersion { version, resources: Vec::new(), freshness: "Stale" };
        let versions = self.versions(group).into_iter().map(version);
        let versions = versions.chain(self.stale_versions(group).map(stale)).collect();
        AggregatedGroup { metadata: Metadata { name: group }, versions }
    }

    fn of_version<'a>(&'a self, group: &'a str, version: &'a str) -> impl Iterator<Item = &'a Resource> {
        self.paths
            .get(group)
            .into_iter()
            .flatten()
            .map(|resource| &**resource)
            .filter(move |resource| resource.version == version)
    }
}

/// The verbs of a resource; those of custom kinds stand in an order of their own.
fn verbs(resource: &Resource) -> Vec<&'static str> {
    const ORDER: [&str; 8] =
        ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
    let names = resource.verbs.names();
    if resource.builtin {
        return names;
    }
    // What is being removed takes no further writes.
    let terminating = resource.custom.as_ref().is_some_and(|custom| custom.terminating);
    let closed = |verb: &str| terminating && ["create", "patch", "update"].contains(&verb);
    ORDER.into_iter().filter(|verb| names.contains(verb) && !closed(verb)).collect()
}

fn entry(resource: &Resource) -> Entry<'_> {
    Entry {
        name: resource.plural.clone(),
        singular_name: &resource.singular,
        namespaced: resource.namespaced,
        group: None,
        version: None,
        kind: &resource.kind,
        verbs: verbs(resource),
        short_names: &resource.short_names,
        categories: &resource.categories,
        storage_version_hash: &resource.storage_hash,
    }
}

fn sub_entry<'a>(resource: &Resource, sub: &'a Subresource) -> Entry<'a> {
    let other = sub.group_version.as_ref();
    Entry {
        name: format!("{}/{}", resource.plural, sub.name),
        singular_name: "",
        namespaced: resource.namespaced,
        group: other.map(|(group, _)| group.as_str()),
        version: other.map(|(_, version)| version.as_str()),
        kind: &sub.kind,
        verbs: sub.verbs.names(),
        short_names: &[],
        categories: &[],
        storage_version_hash: "",
    }
}

fn aggregated_entry(resource: &Resource) -> AggregatedEntry<'_> {
    AggregatedEntry {
        resource: &resource.plural,
        response_kind: response_kind(None, &resource.kind, resource),
        scope: if resource.namespaced { "Namespaced" } else { "Cluster" },
        singular_resource: &resource.singular,
        verbs: verbs(resource),
        short_names: &resource.short_names,
        categories: &resource.categories,
        subresources: resource
            .subresources
            .iter()
            .map(|sub| AggregatedSubresource {
                subresource: &sub.name,
                response_kind: response_kind(sub.group_version.as_ref(), &sub.kind, resource),
                verbs: sub.verbs.names(),
            })
            .collect(),
    }
}

/// A built-in kind leaves group and version empty where they are the document's own; a custom one writes them out.
fn response_kind<'a>(
    other: Option<&'a (String, String)>,
    kind: &'a str,
    resource: &'a Resource,
) -> ResponseKind<'a> {
    let (group, version) = match other {
        Some((group, version)) => (group.as_str(), version.as_str()),
        None if resource.builtin => ("", ""),
        None => (resource.group.as_str(), resource.version.as_str()),
    };
    ResponseKind { group, version, kind }
}
