//! The attributes of kube's `#[derive(CustomResource)]`.

use super::attribute_markers::{self, Heard, Known, flag, unknown};
use super::serde_attributes::{Trouble, bad, each};
use crate::naming::kube_plural;
use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, LitStr};

/// The keys of the newest version.
const KEYS: [&str; 26] = [
    "group",
    "version",
    "kind",
    "doc",
    "root",
    "plural",
    "singular",
    "namespaced",
    "no_spec",
    "derive",
    "attr",
    "schema",
    "status",
    "category",
    "shortname",
    "printcolumn",
    "selectable",
    "scale",
    "crates",
    "annotation",
    "label",
    "validation",
    "cel",
    "storage",
    "served",
    "deprecated",
];

/// What `#[kube(..)]` says; keys that only matter to CRDs become markers.
#[derive(Debug, Clone, Default)]
pub(super) struct KubeAttributes {
    pub(super) group: Option<(String, Span)>,
    pub(super) version: Option<(String, Span)>,
    pub(super) kind: Option<(String, Span)>,
    pub(super) plural: Option<(String, Span)>,
    pub(super) namespaced: Option<Span>,
    /// The name of the struct that is written, when it is not the kind.
    pub(super) root: Option<String>,
    /// The path of the status type.
    pub(super) status: Option<syn::Path>,
    pub(super) no_spec: bool,
    pub(super) doc: Option<String>,
    pub(super) heard: Heard,
}

impl KubeAttributes {
    /// Reads them. `None` when there are none; what is wrong goes to `trouble`.
    pub(super) fn read(attributes: &[Attribute], trouble: &mut Vec<Trouble>) -> Option<Self> {
        let mut read = Self::default();
        let mut seen = false;
        let mut entry = |meta: ParseNestedMeta<'_>| {
            seen = true;
            let known = read.one(&meta).map_err(|error| bad("kube", &error))?;
            match (known, meta.path.get_ident()) {
                (Known::No, Some(key)) => Err(unknown("kube", &key.to_string(), &KEYS, key.span())),
                _ => Ok(()),
            }
        };
        each(attributes, "kube", &mut entry, trouble);
        seen.then_some(read)
    }

    /// The name in URLs: as it is said, or the plural of the name for one object.
    pub(super) fn plural_of(&self, kind: &str) -> String {
        let mut said = self.heard.said.iter().flat_map(|said| &said.arguments);
        let singular = said.find(|(name, _)| name == "singular").and_then(|(_, value)| value.as_text());
        match &self.plural {
            Some((plural, _)) => plural.clone(),
            None => kube_plural(singular.unwrap_or(kind)),
        }
    }

    /// The name of the struct which the derive writes.
    pub(super) fn root_name(&self) -> Option<&str> {
        self.root.as_deref().or(self.kind.as_ref().map(|(kind, _)| kind.as_str()))
    }

    fn one(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<Known> {
        let text = || meta.value()?.parse::<LitStr>();
        let spanned = |text: LitStr| Some((text.value(), text.span()));
        let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match key.as_str() {
            "group" => self.group = spanned(text()?),
            "version" => self.version = spanned(text()?),
            "kind" => self.kind = spanned(text()?),
            "plural" => self.plural = spanned(text()?),
            // Earlier versions of kube called it `struct`.
            "root" | "struct" => self.root = Some(text()?.value()),
            "doc" => self.doc = Some(text()?.value()),
            "no_spec" => self.no_spec = flag(meta)?,
            "namespaced" => {
                let span = meta.path.get_ident().map_or_else(Span::call_site, syn::Ident::span);
                self.namespaced = flag(meta)?.then_some(span);
            }
            "status" => {
                let value = meta.value()?;
                self.status = Some(if value.peek(LitStr) {
                    value.parse::<LitStr>()?.parse()?
                } else {
                    value.parse()?
                });
            }
            key => return attribute_markers::kube(key, meta, &mut self.heard),
        }
        Ok(Known::Yes)
    }
}
