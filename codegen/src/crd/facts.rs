//! What the markers of a kind say of its definition.

use super::{Column, Scale, Subresources};
use crate::model::{Marker, MarkerValue, Place, Resource, Shape};

/// What one version of a kind says of the definition.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub(super) singular: Option<String>,
    pub(super) short_names: Vec<String>,
    pub(super) categories: Vec<String>,
    pub(super) explicit_plural: bool,
    pub(super) skipped: bool,
    pub(super) served: bool,
    pub(super) storage: Option<Place>,
    pub(super) deprecated: Option<Option<String>>,
    pub(super) columns: Vec<(Column, Place)>,
    pub(super) selectable: Vec<(String, Place)>,
    pub(super) subresources: Option<Subresources>,
    pub(super) scale_place: Option<Place>,
    /// `labels` or `annotations`, and the pair as written.
    pub(super) metadata: Vec<(Metadata, String)>,
}

/// Which part of a definition's own metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Metadata {
    Labels,
    Annotations,
}

impl Facts {
    /// Reads the markers of a kind.
    pub(super) fn of(resource: &Resource) -> Self {
        let mut facts = Self { served: true, ..Self::default() };
        if matches!(resource.shape, Shape::KubeDerive { .. }) && resource.has_status {
            facts.subresources = Some(Subresources { status: true, scale: None });
        }
        for marker in &resource.markers {
            facts.one(marker);
        }
        if !facts.columns.is_empty() {
            // controller-gen leaves this behind, and an empty object means the same as nothing.
            facts.subresources.get_or_insert_default();
        }
        facts
    }

    fn one(&mut self, marker: &Marker) {
        match marker.name.as_str() {
            "kubebuilder:resource" => self.resource(marker),
            "resourceName" => self.explicit_plural = true,
            "kubebuilder:subresource:status" => self.subresources.get_or_insert_default().status = true,
            "kubebuilder:subresource:scale" => {
                self.scale_place = Some(marker.place.clone());
                self.subresources.get_or_insert_default().scale = Some(Scale {
                    spec_path: text(marker, "specpath"),
                    status_path: text(marker, "statuspath"),
                    selector_path: Some(text(marker, "selectorpath")).filter(|path| !path.is_empty()),
                });
            }
            "kubebuilder:printcolumn" => {
                let priority = match marker.argument("priority") {
                    Some(MarkerValue::Integer(priority)) => *priority,
                    _ => 0,
                };
                let column = Column {
                    name: text(marker, "name"),
                    kind: text(marker, "type"),
                    path: text(marker, "JSONPath"),
                    description: text(marker, "description"),
                    format: text(marker, "format"),
                    priority,
                };
                self.columns.push((column, marker.place.clone()));
            }
            "kubebuilder:selectablefield" => {
                self.selectable.push((text(marker, "JSONPath"), marker.place.clone()));
            }
            "kubebuilder:storageversion" => self.storage = Some(marker.place.clone()),
            "kubebuilder:skipversion" => self.skipped = true,
            "kubebuilder:unservedversion" => self.served = false,
            "kubebuilder:deprecatedversion" => {
                let warning = marker.argument("warning").and_then(MarkerValue::as_text);
                self.deprecated = Some(warning.map(str::to_owned));
            }
            "kubebuilder:metadata" => {
                for (part, name) in [(Metadata::Annotations, "annotations"), (Metadata::Labels, "labels")] {
                    let pairs = list(marker, name).into_iter();
                    self.metadata.extend(pairs.map(|pair| (part, pair)));
                }
            }
            _ => {}
        }
    }

    fn resource(&mut self, marker: &Marker) {
        self.explicit_plural |= marker.argument("path").is_some();
        if marker.argument("singular").is_some() {
            self.singular = Some(text(marker, "singular")).filter(|name| !name.is_empty());
        }
        self.short_names.extend(list(marker, "shortName"));
        self.categories.extend(list(marker, "categories"));
    }
}

fn text(marker: &Marker, name: &str) -> String {
    marker.argument(name).and_then(MarkerValue::as_text).unwrap_or_default().to_owned()
}

fn list(marker: &Marker, name: &str) -> Vec<String> {
    match marker.argument(name) {
        Some(MarkerValue::List(items)) => {
            items.iter().filter_map(|item| item.as_text().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}
