//! Foreign types: kinds of other crates, read from the source of the crate, with the structs that they are made of.

use super::kube_attributes::KubeAttributes;
use super::resolve::Found;
use super::roots::RootParts;
use super::types::Declared;
use super::universe::{Scope as Module, Universe};
use crate::diagnostic::ForeignProblem;
use crate::model::{Field, Scope, TypeDef, TypeExpr, TypeKind, TypePath, VariantShape, WireName};
use crate::naming::{SerdeCase, rust_ident};
use crate::source::{Item, ItemKind};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// A kind of another crate.
#[derive(Debug)]
pub(super) struct ForeignRoot {
    pub(super) definition: TypeDef,
    pub(super) kind: String,
    pub(super) group: String,
    pub(super) version: String,
    pub(super) plural: String,
    pub(super) scope: Scope,
}

/// What an impl or an attribute says of a kind.
struct KindFacts {
    kind: String,
    group: String,
    version: String,
    plural: String,
    scope: Scope,
}

impl Universe<'_> {
    /// Reads a kind of another crate.
    ///
    /// # Errors
    /// The source cannot be found, or has no such kind.
    pub(super) fn foreign_root(
        &mut self,
        path: &[String],
        from: &Path,
    ) -> Result<ForeignRoot, ForeignProblem> {
        let shown = path.join("::");
        let (Some(crate_name), Some(name)) = (path.first(), path.last()) else {
            return Err(ForeignProblem::NoType { path: shown });
        };
        self.add_foreign(crate_name, from)?;
        let written = written(path).ok_or_else(|| ForeignProblem::NoType { path: shown.clone() })?;
        if let Some((module, item)) = self.find_foreign(path) {
            let facts =
                resource_impl(&module, &item.name).ok_or(ForeignProblem::NoKind { path: shown.clone() })?;
            let definition =
                self.foreign_def(&module, &item, &written).ok_or(ForeignProblem::NoType { path: shown })?;
            return Ok(facts.root(definition));
        }
        self.foreign_derived(path, name, &written).ok_or(ForeignProblem::NoType { path: shown })
    }

    /// The structs of the same crate which a type of it is made of, and so on. Types of `apimachinery` are left as they
    /// are: they are the vocabulary of all kinds.
    pub(super) fn reachable(&mut self, start: &TypeDef, types: &mut BTreeMap<TypePath, TypeDef>) {
        let mut waiting: Vec<TypePath> = paths(start);
        while let Some(path) = waiting.pop() {
            if types.contains_key(&path) || !self.is_taken_apart(&path) {
                continue;
            }
            if let Some(definition) = self.foreign_type(&path) {
                waiting.extend(paths(&definition));
                types.insert(path, definition);
            }
        }
    }

    /// The definition of a type of another crate that is at hand.
    pub(super) fn foreign_type(&mut self, path: &TypePath) -> Option<TypeDef> {
        let segments: Vec<String> =
            path.segments().map(|name| name.trim_start_matches("r#").to_owned()).collect();
        let (module, item) = self.find_foreign(&segments)?;
        self.foreign_def(&module, &item, path)
    }

    fn is_taken_apart(&self, path: &TypePath) -> bool {
        !self.owns(&path.crate_name)
            && path.modules.first().is_none_or(|module| module != "apimachinery")
            && path.crate_name != "std"
    }

    fn find_foreign(&mut self, path: &[String]) -> Option<(Rc<Module>, Item)> {
        let (crate_name, rest) = path.split_first()?;
        let root = self.module(crate_name, &[])?;
        match self.resolve(&root, rest, false)? {
            Found::Item(module, item) => Some((module, *item)),
            _ => None,
        }
    }

    fn foreign_def(&mut self, module: &Rc<Module>, item: &Item, path: &TypePath) -> Option<TypeDef> {
        let declared = Declared { scope: module, item, markers: Vec::new(), optional: None };
        let mut definition = match item.kind {
            ItemKind::Struct => {
                let parsed = item.parse::<syn::ItemStruct>(&module.module.file).ok()?;
                self.struct_def(declared, &parsed)
            }
            ItemKind::Enum => {
                let parsed = item.parse::<syn::ItemEnum>(&module.module.file).ok()?;
                self.enum_def(declared, &parsed)
            }
            _ => return None,
        };
        definition.path = path.clone();
        definition.public = true;
        if definition.container.custom {
            wire_names(module, &item.name, &mut definition);
        }
        Some(definition)
    }

    /// A kind that kube's derive writes in another crate.
    fn foreign_derived(&mut self, path: &[String], name: &str, written: &TypePath) -> Option<ForeignRoot> {
        let (crate_name, rest) = path.split_first()?;
        let (_, modules) = rest.split_last()?;
        let root = self.module(crate_name, &[])?;
        let module = match modules {
            [] => root,
            _ => match self.resolve(&root, modules, false)? {
                Found::Module(module) => module,
                _ => return None,
            },
        };
        let file = Rc::clone(&module.module.file);
        for item in module.module.items.iter().filter(|item| item.kind == ItemKind::Struct) {
            if !file.slice(item.bytes.clone()).contains("CustomResource") {
                continue;
            }
            let parsed: syn::ItemStruct = item.parse(&file).ok()?;
            let kube = KubeAttributes::read(&parsed.attrs, &mut Vec::new()).unwrap_or_default();
            if kube.root_name() != Some(name) {
                continue;
            }
            let declared = Declared { scope: &module, item, markers: Vec::new(), optional: None };
            let context = declared.context(self, &parsed.generics);
            let status = kube.status.as_ref().map(|path| self.named_type(&context, path));
            let span = file.span(item.name_bytes.clone());
            let parts = RootParts {
                spec: context.own,
                no_spec: kube.no_spec,
                status,
                description: String::new(),
                place: super::notes::place(&span),
            };
            let docs = kube.doc.clone().unwrap_or_else(|| super::docs::docs(&parsed.attrs));
            return kube_facts(&kube).map(|facts| facts.root(parts.definition(written.clone(), docs, true)));
        }
        None
    }
}

fn written(path: &[String]) -> Option<TypePath> {
    let path: Vec<String> = path.iter().map(|segment| rust_ident(segment)).collect();
    TypePath::parse(&path.join("::"))
}

impl KindFacts {
    fn root(self, definition: TypeDef) -> ForeignRoot {
        ForeignRoot {
            definition,
            kind: self.kind,
            group: self.group,
            version: self.version,
            plural: self.plural,
            scope: self.scope,
        }
    }
}

fn kube_facts(kube: &KubeAttributes) -> Option<KindFacts> {
    let text = |value: &Option<(String, proc_macro2::Span)>| value.as_ref().map(|(text, _)| text.clone());
    let kind = text(&kube.kind)?;
    Some(KindFacts {
        group: text(&kube.group)?,
        version: text(&kube.version)?,
        plural: kube.plural_of(&kind),
        scope: if kube.namespaced.is_some() { Scope::Namespaced } else { Scope::Cluster },
        kind,
    })
}

/// The impl of a trait for a type, in the module of the type.
fn impl_of<'a>(module: &'a Module, name: &str, of: &str) -> Option<&'a str> {
    let file = &module.module.file;
    let ends = |text: &str| text.trim_start().starts_with('{') || text.starts_with("<");
    module.module.items.iter().filter(|item| item.kind == ItemKind::Impl).find_map(|item| {
        let text = file.slice(item.bytes.clone());
        let (head, after) = text.split_once(&format!(" for {name}"))?;
        let in_head = !head.contains('{') && head.trim_end().trim_end_matches("<'de>").ends_with(of);
        (in_head && ends(after)).then_some(text)
    })
}

/// What `impl k8s_openapi::Resource` says.
fn resource_impl(module: &Module, name: &str) -> Option<KindFacts> {
    let text = impl_of(module, name, "Resource")?;
    let constant = |name: &str| {
        let (_, after) = text.split_once(&format!("const {name}:"))?;
        let (value, _) = after.split_once(';')?;
        let (_, value) = value.split_once('=')?;
        syn::parse_str::<syn::LitStr>(value).ok().map(|value| value.value())
    };
    let (_, scope) = text.split_once("type Scope")?;
    let (scope, _) = scope.split_once(';')?;
    let scope = match scope.rsplit("::").next().unwrap_or(scope).trim() {
        "NamespaceResourceScope" => Scope::Namespaced,
        "ClusterResourceScope" => Scope::Cluster,
        _ => return None,
    };
    Some(KindFacts {
        kind: constant("KIND")?,
        group: constant("GROUP")?,
        version: constant("VERSION")?,
        plural: constant("URL_PATH_SEGMENT")?,
        scope,
    })
}

/// The wire names of a struct whose `Deserialize` is written by k8s-openapi's generator: arms of the form
/// `"hostIP" => Field::Key_host_ip`.
fn wire_names(module: &Module, name: &str, definition: &mut TypeDef) {
    let TypeKind::Struct(fields) = &mut definition.kind else { return };
    let text = impl_of(module, name, "Deserialize").unwrap_or_default();
    let names: BTreeMap<&str, &str> = text
        .match_indices("=> Field::Key_")
        .filter_map(|(at, mark)| {
            let wire = text.get(..at)?.trim_end().strip_suffix('"')?.rsplit('"').next()?;
            let key = text.get(at + mark.len()..)?;
            let end = key.find(|letter: char| letter != '_' && !letter.is_alphanumeric())?;
            Some((key.get(..end)?, wire))
        })
        .collect();
    for field in fields {
        let wire = names.get(field.ident.as_str()).map(|wire| (*wire).to_owned());
        field.wire = WireName::same(wire.unwrap_or_else(|| camel(&field.ident)));
    }
}

fn camel(ident: &str) -> String {
    SerdeCase::Camel.field(ident.trim_end_matches('_'))
}

/// The named types within a definition.
fn paths(definition: &TypeDef) -> Vec<TypePath> {
    let mut found = Vec::new();
    let of_fields = |fields: &[Field], found: &mut Vec<TypePath>| {
        fields.iter().for_each(|field| collect(&field.ty, found));
    };
    match &definition.kind {
        TypeKind::Struct(fields) => of_fields(fields, &mut found),
        TypeKind::Newtype(only) => collect(&only.ty, &mut found),
        TypeKind::Tuple(types) => types.iter().for_each(|ty| collect(ty, &mut found)),
        TypeKind::Unit => {}
        TypeKind::Enum(_, variants) => {
            for variant in variants {
                match &variant.shape {
                    VariantShape::Unit => {}
                    VariantShape::Newtype(only) => collect(&only.ty, &mut found),
                    VariantShape::Tuple(types) => types.iter().for_each(|ty| collect(ty, &mut found)),
                    VariantShape::Struct(fields) => of_fields(fields, &mut found),
                }
            }
        }
    }
    found
}

fn collect(ty: &TypeExpr, found: &mut Vec<TypePath>) {
    found.extend(ty.path().cloned());
    ty.children().into_iter().for_each(|child| collect(child, found));
}
