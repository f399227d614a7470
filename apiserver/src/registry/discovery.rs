//! Discovery: the documents that tell clients what is served.
//!
//! In: the registry. Out: the legacy and the aggregated documents, as JSON values.

use serde_json::{Value, json};

use super::{
    Registry, Resource,
    resource::{Subresource, group_version},
};

impl Registry {
    /// `GET /api`.
    pub(crate) fn core_versions(&self, address: &str) -> Value {
        json!({
            "kind": "APIVersions",
            "versions": self.versions(""),
            "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": address}],
        })
    }

    /// `GET /apis`.
    pub(crate) fn group_list(&self) -> Value {
        let groups: Vec<Value> = self.groups().into_iter().map(|group| self.group_entry(group)).collect();
        json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
    }

    /// `GET /apis/<group>`.
    pub(crate) fn group_document(&self, group: &str) -> Option<Value> {
        if group.is_empty() || self.versions(group).is_empty() {
            return None;
        }
        let mut document = self.group_entry(group);
        if let Some(members) = document.as_object_mut() {
            members.insert("kind".to_owned(), "APIGroup".into());
            members.insert("apiVersion".to_owned(), "v1".into());
        }
        Some(document)
    }

    fn group_entry(&self, group: &str) -> Value {
        let versions: Vec<Value> = self
            .versions(group)
            .into_iter()
            .map(|version| json!({"groupVersion": group_version(group, version), "version": version}))
            .collect();
        let preferred = versions.first().cloned().unwrap_or_default();
        json!({"name": group, "versions": versions, "preferredVersion": preferred})
    }

    /// `GET /api/<version>` or `GET /apis/<group>/<version>`.
    pub(crate) fn resource_list(&self, group: &str, version: &str) -> Option<Value> {
        let mut entries = Vec::new();
        for resource in self.of_version(group, version) {
            entries.push(entry(resource));
            entries.extend(resource.subresources.iter().map(|sub| sub_entry(resource, sub)));
        }
        if entries.is_empty() {
            return None;
        }
        let mut document = json!({
            "kind": "APIResourceList",
            "groupVersion": group_version(group, version),
            "resources": entries,
        });
        // The oldest of these documents does without.
        if !group.is_empty()
            && let Some(members) = document.as_object_mut()
        {
            members.insert("apiVersion".to_owned(), "v1".into());
        }
        Some(document)
    }

    /// `GET /api` or `GET /apis`, in the aggregated form.
    pub(crate) fn aggregated(&self, core: bool) -> Value {
        let groups = if core { vec![""] } else { self.groups() };
        let items: Vec<Value> = groups.into_iter().map(|group| self.aggregated_group(group)).collect();
        json!({
            "kind": "APIGroupDiscoveryList",
            "apiVersion": "apidiscovery.k8s.io/v2",
            "metadata": {},
            "items": items,
        })
    }

    fn aggregated_group(&self, group: &str) -> Value {
        let versions: Vec<Value> = self
            .versions(group)
            .into_iter()
            .map(|version| {
                let resources: Vec<Value> = self.of_version(group, version).map(aggregated_entry).collect();
                json!({"version": version, "resources": resources, "freshness": "Current"})
            })
            .collect();
        let metadata = if group.is_empty() { json!({}) } else { json!({"name": group}) };
        json!({"metadata": metadata, "versions": versions})
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

fn entry(resource: &Resource) -> Value {
    let mut entry = json!({
        "name": resource.plural,
        "singularName": resource.singular,
        "namespaced": resource.namespaced,
        "kind": resource.kind,
        "verbs": resource.verbs.names(),
    });
    add(&mut entry, "shortNames", &resource.short_names);
    add(&mut entry, "categories", &resource.categories);
    if !resource.storage_hash.is_empty()
        && let Some(members) = entry.as_object_mut()
    {
        members.insert("storageVersionHash".to_owned(), resource.storage_hash.clone().into());
    }
    entry
}

fn sub_entry(resource: &Resource, sub: &Subresource) -> Value {
    let mut entry = json!({
        "name": format!("{}/{}", resource.plural, sub.name),
        "singularName": "",
        "namespaced": resource.namespaced,
        "kind": sub.kind,
        "verbs": sub.verbs.names(),
    });
    if let Some((group, version)) = &sub.group_version
        && let Some(members) = entry.as_object_mut()
    {
        members.insert("group".to_owned(), group.clone().into());
        members.insert("version".to_owned(), version.clone().into());
    }
    entry
}

fn aggregated_entry(resource: &Resource) -> Value {
    let mut entry = json!({
        "resource": resource.plural,
        "responseKind": response_kind(None, &resource.kind, resource),
        "scope": if resource.namespaced { "Namespaced" } else { "Cluster" },
        "singularResource": resource.singular,
        "verbs": resource.verbs.names(),
    });
    add(&mut entry, "shortNames", &resource.short_names);
    add(&mut entry, "categories", &resource.categories);
    let subresources: Vec<Value> = resource
        .subresources
        .iter()
        .map(|sub| {
            json!({
                "subresource": sub.name,
                "responseKind": response_kind(sub.group_version.as_ref(), &sub.kind, resource),
                "verbs": sub.verbs.names(),
            })
        })
        .collect();
    if !subresources.is_empty()
        && let Some(members) = entry.as_object_mut()
    {
        members.insert("subresources".to_owned(), subresources.into());
    }
    entry
}

/// A built-in kind leaves group and version empty where they are the document's own; a custom one writes them out.
fn response_kind(other: Option<&(String, String)>, kind: &str, resource: &Resource) -> Value {
    let (group, version) = match other {
        Some((group, version)) => (group.as_str(), version.as_str()),
        None if resource.builtin => ("", ""),
        None => (resource.group.as_str(), resource.version.as_str()),
    };
    json!({"group": group, "version": version, "kind": kind})
}

fn add(entry: &mut Value, name: &str, list: &[String]) {
    if !list.is_empty()
        && let Some(members) = entry.as_object_mut()
    {
        members.insert(name.to_owned(), list.into());
    }
}
