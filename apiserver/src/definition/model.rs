//! `Definition`: a typed view of a CustomResourceDefinition.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    printers::Column,
    protocol::Fields,
    schema::structural::{Structural, whole_numbers},
};

use super::is_true;

/// What a definition says.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub name: String,
    pub uid: String,
    pub group: String,
    pub namespaced: bool,
    /// The names that are asked for.
    pub names: Names,
    /// The names that it has got.
    pub accepted: Names,
    pub versions: Vec<Version>,
    pub established: bool,
    pub terminating: bool,
    /// The webhook that converts, where one does.
    pub conversion: Option<Value>,
}

/// The names of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    pub plural: String,
    pub singular: String,
    pub kind: String,
    pub list_kind: String,
    pub short_names: Vec<String>,
    pub categories: Vec<String>,
}

/// One version of a kind.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    pub name: String,
    pub served: bool,
    pub storage: bool,
    /// What every answer warns of, where the version is deprecated; empty for the usual words.
    pub deprecated: Option<String>,
    /// The schema as it was written.
    pub json: Value,
    pub schema: Arc<Structural>,
    pub status: bool,
    pub scale: Option<ScalePath>,
    pub columns: Vec<Column>,
    /// The fields that selectors may name, without their first dot.
    pub selectable: Vec<String>,
}

/// Where the scale of a kind lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScalePath {
    pub spec: String,
    pub status: String,
    pub selector: String,
}

fn text(value: Option<&Value>, name: &str) -> String {
    value.and_then(|value| value.get(name)).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn texts(value: Option<&Value>, name: &str) -> Vec<String> {
    let list = value.and_then(|value| value.get(name)).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

impl Names {
    pub(crate) fn read(value: Option<&Value>) -> Self {
        Self {
            plural: text(value, "plural"),
            singular: text(value, "singular"),
            kind: text(value, "kind"),
            list_kind: text(value, "listKind"),
            short_names: texts(value, "shortNames"),
            categories: texts(value, "categories"),
        }
    }
}

impl Definition {
    /// Reads a definition.
    pub(crate) fn read(object: &Fields) -> Self {
        let spec = object.get("spec");
        let status = object.get("status");
        let metadata = object.get("metadata");
        let versions = spec.and_then(|spec| spec.get("versions")).and_then(Value::as_array);
        let conversion = spec.and_then(|spec| spec.get("conversion"));
        let webhook = text(conversion, "strategy") == "Webhook";
        Self {
            name: text(metadata, "name"),
            uid: text(metadata, "uid"),
            group: text(spec, "group"),
            namespaced: text(spec, "scope") == "Namespaced",
            names: Names::read(spec.and_then(|spec| spec.get("names"))),
            accepted: Names::read(status.and_then(|status| status.get("acceptedNames"))),
            versions: versions.into_iter().flatten().map(Version::read).collect(),
            established: is_true(object, "Established"),
            terminating: metadata.is_some_and(|metadata| metadata.get("deletionTimestamp").is_some()),
            conversion: conversion
                .and_then(|conversion| conversion.get("webhook"))
                .filter(|_| webhook)
                .cloned(),
        }
    }

    /// The version in which objects are stored.
    pub(crate) fn storage(&self) -> Option<&Version> {
        self.versions.iter().find(|version| version.storage)
    }
}

impl Version {
    fn read(value: &Value) -> Self {
        let flag = |name: &str| value.get(name).and_then(Value::as_bool).unwrap_or_default();
        let list = |name: &str| value.get(name).and_then(Value::as_array).into_iter().flatten();
        let json = value.pointer("/schema/openAPIV3Schema").cloned().unwrap_or_default();
        let subresources = value.get("subresources");
        let scale = subresources.and_then(|subresources| subresources.get("scale"));
        let selectable = |field: &Value| text(Some(field), "jsonPath").trim_start_matches('.').to_owned();
        // What is stored has its whole numbers without a fraction.
        let json = whole_numbers(json);
        Self {
            name: text(Some(value), "name"),
            served: flag("served"),
            storage: flag("storage"),
            deprecated: flag("deprecated").then(|| text(Some(value), "deprecationWarning")),
            schema: Arc::new(Structural::read(&json)),
            json,
            status: subresources.is_some_and(|subresources| subresources.get("status").is_some()),
            scale: scale.map(|scale| ScalePath {
                spec: text(Some(scale), "specReplicasPath"),
                status: text(Some(scale), "statusReplicasPath"),
                selector: text(Some(scale), "labelSelectorPath"),
            }),
            columns: list("additionalPrinterColumns").filter_map(Column::read).collect(),
            selectable: list("selectableFields").map(selectable).collect(),
        }
    }
}
