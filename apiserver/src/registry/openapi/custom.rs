//! The documents of custom kinds.
//!
//! In: a resource that is not built in. Out: what it adds to the document of its group version (v3) and to the one document of v2: its
//! paths and its schemas, as texts. They are the ones that a real server gives for the definitions in `data/template-crds.yaml`, with
//! other names in them; only the schema of the kind itself is made, from what the resource publishes.

use std::collections::BTreeMap;

use super::{data, published};
use crate::registry::Resource;

/// Names to texts, in the order in which they are written.
pub(super) type Members = BTreeMap<String, String>;

/// What one or more kinds have in a document.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) paths: Members,
    pub(super) schemas: Members,
}

/// The versions of OpenAPI that are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edition {
    V2,
    V3,
}

impl Edition {
    fn template(self) -> &'static str {
        match self {
            Self::V2 => "template-v2",
            Self::V3 => "template-v3",
        }
    }

    /// Where its schemas stand.
    pub(super) fn schemas(self) -> &'static [&'static str] {
        match self {
            Self::V2 => &["definitions"],
            Self::V3 => &["components", "schemas"],
        }
    }
}

impl Parts {
    /// Adds those of a resource.
    pub(super) fn add(&mut self, resource: &Resource, edition: Edition) {
        let Some(template) = data::document(edition.template()) else { return };
        let names = Names::of(resource);
        for (path, text) in template.members(&["paths"]) {
            if names.has_path(resource, &path) {
                self.paths.insert(names.put(&path), names.put(&text));
            }
        }
        let has_scale = resource.subresource("scale").is_some();
        for (name, text) in template.members(edition.schemas()) {
            if name.ends_with(names.kind) {
                self.schemas.insert(names.put(&name), published::schema(resource, edition));
            } else if name.ends_with(names.list) {
                let text = published::list_schema(resource, names.put(&text));
                self.schemas.insert(names.put(&name), text);
            } else if name.starts_with("io.k8s.") && (has_scale || !name.contains(".autoscaling.")) {
                self.schemas.entry(name).or_insert(text);
            }
        }
    }
}

/// The names of the template's kind that has the scope of a resource, and what is put in their place.
struct Names {
    plural: &'static str,
    kind: &'static str,
    list: &'static str,
    pairs: Vec<(&'static str, String)>,
}

impl Names {
    fn of(resource: &Resource) -> Self {
        let (plural, kind, list, article) = if resource.namespaced {
            ("templatexplurals", "Templatexkind", "Templatexlist", "a Templatexkind")
        } else {
            ("templateyplurals", "Templateykind", "Templateylist", "a Templateykind")
        };
        let group = resource.group.strip_suffix(".k8s.io").unwrap_or(&resource.group);
        let reversed: Vec<&str> = resource.group.rsplit('.').collect();
        let folder = match resource.group.as_str() {
            "" => "/api/".to_owned(),
            group => format!("/apis/{group}/"),
        };
        let (lower, upper) = (First::Kept, First::Upper);
        let pairs = vec![
            (article, published::with_article(&resource.kind)),
            (kind, resource.kind.clone()),
            (list, resource.list_kind.clone()),
            (plural, resource.plural.clone()),
            ("/apis/templatexgroup.example.com/", folder),
            ("templatexgroup.example.com", resource.group.clone()),
            ("com.example.templatexgroup", reversed.join(".")),
            ("templatexgroupExampleCom", operation_word(group, lower)),
            ("TemplatexgroupExampleCom", operation_word(group, upper)),
            ("v7alpha3", resource.version.clone()),
            ("V7alpha3", operation_word(&resource.version, upper)),
        ];
        Self { plural, kind, list, pairs }
    }

    fn put(&self, text: &str) -> String {
        self.pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    }

    /// Whether a path of the template is one of the resource's.
    fn has_path(&self, resource: &Resource, path: &str) -> bool {
        let last = path.rsplit('/').next().unwrap_or_default();
        let is_subresource = ["status", "scale"].contains(&last);
        path.split('/').any(|part| part == self.plural)
            && (!is_subresource || resource.subresource(last).is_some())
    }
}

/// What becomes of the first letter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Kept,
    Upper,
}

/// A name as operation ids write it: without what is no letter or digit, the letters after such in upper case.
fn operation_word(name: &str, first: First) -> String {
    let mut out = String::with_capacity(name.len());
    let mut upper = first == First::Upper;
    for (index, letter) in name.chars().enumerate() {
        if letter.is_alphabetic() || letter == '_' || (index > 0 && letter.is_ascii_digit()) {
            if upper {
                out.extend(letter.to_uppercase());
            } else {
                out.push(letter);
            }
            upper = false;
        } else {
            upper = true;
        }
    }
    out
}
