//! The OpenAPI documents of what is served: `/openapi/v3`, one document a group version, and `/openapi/v2`, all in one.
//!
//! In: the registry. Out: documents as texts, with their hashes. Those of the built-in kinds come out of a file and are those of a real
//! server, byte for byte. The documents of other kinds are made of the registry's resources: whoever puts a [`Resource`] there with
//! [`published`](Resource::published) set to an `openAPIV3Schema` has its documents; where it is unset, the kind takes any object. Nothing
//! else has to be told, and nothing has to be taken back when the resource goes: [`OpenApi`] holds only what follows from the resources it
//! was asked with, and belongs to one state of the registry.

mod custom;
mod data;
mod published;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use bytes::Bytes;
use sha2::{Digest as _, Sha512};

use self::custom::{Edition, Members, Parts};
use crate::protocol::protobuf;

use super::{Registry, Resource, resource::group_version};

/// A document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The SHA-512 of its text, in upper-case hexadecimal digits.
    pub hash: String,
    pub text: Bytes,
}

/// The documents that had to be made for one state of the registry.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenApi {
    custom: OnceLock<BTreeMap<String, Document>>,
    v2: OnceLock<Document>,
    v2_protobuf: OnceLock<Bytes>,
}

impl Document {
    fn new(text: String) -> Self {
        Self { hash: hash(text.as_bytes()), text: text.into() }
    }
}

impl From<&data::Document> for Document {
    fn from(document: &data::Document) -> Self {
        Self { hash: document.hash.clone(), text: document.text() }
    }
}

/// A SHA-512 as entity tags show it.
pub(crate) fn hash(text: &[u8]) -> String {
    Sha512::digest(text).iter().map(|byte| format!("{byte:02X}")).collect()
}

impl Registry {
    /// `/openapi/v3`: the paths of all documents with their hashes.
    pub(crate) fn openapi_index(&self) -> String {
        let own = self.custom_documents().iter().map(|(path, document)| (path.as_str(), &document.hash));
        let built_in = data::documents().map(|(path, document)| (path, &document.hash));
        let paths: BTreeMap<&str, &String> = own.chain(built_in).collect();
        let entries: Vec<String> = paths
            .into_iter()
            .map(|(path, hash)| {
                format!(r#""{path}":{{"serverRelativeURL":"/openapi/v3/{path}?hash={hash}"}}"#)
            })
            .collect();
        format!(r#"{{"paths":{{{}}}}}"#, entries.join(","))
    }

    /// `/openapi/v3/<path>`.
    pub(crate) fn openapi_v3(&self, path: &str) -> Option<Document> {
        if let Some(document) = self.custom_documents().get(path) {
            return Some(document.clone());
        }
        data::documents().find(|(name, _)| *name == path).map(|(_, document)| document.into())
    }

    /// `/openapi/v2`.
    pub(crate) fn openapi_v2(&self) -> Document {
        self.openapi.v2.get_or_init(|| self.make_v2()).clone()
    }

    /// `/openapi/v2`, as protobuf. It goes by the hash of its text.
    pub(crate) fn openapi_v2_protobuf(&self) -> Document {
        let Document { hash, text } = self.openapi_v2();
        let made = || protobuf::encode_openapi_v2(&text).unwrap_or_default().into();
        Document { hash, text: self.openapi.v2_protobuf.get_or_init(made).clone() }
    }

    fn custom_documents(&self) -> &BTreeMap<String, Document> {
        self.openapi.custom.get_or_init(|| {
            let versions: BTreeSet<String> = self.custom_resources().map(version_path).collect();
            versions.into_iter().map(|path| (path.clone(), self.make_v3(&path))).collect()
        })
    }

    fn custom_resources(&self) -> impl Iterator<Item = &Resource> {
        self.resources.iter().map(|resource| &**resource).filter(|resource| !resource.builtin)
    }

    fn make_v3(&self, path: &str) -> Document {
        let mut parts = Parts::default();
        for resource in self.custom_resources().filter(|resource| version_path(resource) == path) {
            parts.add(resource, Edition::V3);
        }
        // A kind that was added to a group of Kubernetes stands in that group's document.
        if let Some(built_in) = data::document(path) {
            let schemas = merged(built_in, Edition::V3.schemas(), &parts.schemas);
            let components = with(built_in, &["components"], &[("schemas", schemas)]);
            let paths = merged(built_in, &["paths"], &parts.paths);
            return Document::new(with(built_in, &[], &[("paths", paths), ("components", components)]));
        }
        let head =
            r#"{"openapi":"3.0.0","info":{"title":"Kubernetes CRD Swagger","version":"v0.1.0"},"paths":"#;
        let schemas = object(&parts.schemas);
        Document::new(format!(r#"{head}{},"components":{{"schemas":{schemas}}}}}"#, object(&parts.paths)))
    }

    fn make_v2(&self) -> Document {
        let Some(built_in) = data::document("openapi-v2") else {
            return Document::new("{}".to_owned());
        };
        let mut parts = Parts::default();
        for resource in self.custom_resources() {
            parts.add(resource, Edition::V2);
        }
        if parts.paths.is_empty() {
            return built_in.into();
        }
        let paths = merged(built_in, &["paths"], &parts.paths);
        let definitions = merged(built_in, Edition::V2.schemas(), &parts.schemas);
        Document::new(with(built_in, &[], &[("paths", paths), ("definitions", definitions)]))
    }
}

/// The object at a place of a document with more members, as text.
fn merged(document: &data::Document, path: &[&str], added: &Members) -> String {
    let mut all: Members = document.members(path).into_iter().collect();
    all.extend(added.iter().map(|(name, text)| (name.clone(), text.clone())));
    object(&all)
}

/// The object at a place of a document with other texts for some members.
fn with(document: &data::Document, path: &[&str], texts: &[(&str, String)]) -> String {
    let members: Vec<String> = document
        .members(path)
        .into_iter()
        .map(|(name, text)| {
            let other = texts.iter().find(|(other, _)| *other == name).map(|(_, text)| text);
            format!("\"{name}\":{}", other.unwrap_or(&text))
        })
        .collect();
    format!("{{{}}}", members.join(","))
}

/// `apis/<group>/<version>`.
fn version_path(resource: &Resource) -> String {
    let path = group_version(&resource.group, &resource.version);
    if resource.group.is_empty() { format!("api/{path}") } else { format!("apis/{path}") }
}

fn object(members: &Members) -> String {
    let members: Vec<String> = members.iter().map(|(name, text)| format!("\"{name}\":{text}")).collect();
    format!("{{{}}}", members.join(","))
}
