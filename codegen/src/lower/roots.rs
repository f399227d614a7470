//! Roots: which types are kinds, and in which of the three shapes they are written.

use super::attribute_markers::{Gap, Said};
use super::docs::{docs, public_lines};
use super::exprs::Context;
use super::imports::{Import, of_item};
use super::kube_attributes::KubeAttributes;
use super::notes::{Note, place};
use super::package::{RawItem, RawPackage, Syntax};
use super::serde_attributes::derives;
use super::types::Declared;
use super::universe::{Scope as Module, Universe};
use crate::diagnostic::{LowerProblem, Span};
use crate::model::{
    Container, Field, FieldDefault, FieldSerde, Marker, MarkerArgument, MarkerValue, Origin, SchemaGap,
    SchemaSource, Scope, Shape, TypeDef, TypeExpr, TypeKind, TypePath, WireName,
};
use crate::naming::rust_ident;
use crate::source::ItemKind;
use std::rc::Rc;

/// A kind before its tags are read.
#[derive(Debug)]
pub(super) struct Root {
    pub(super) kind: String,
    pub(super) path: TypePath,
    pub(super) shape: Shape,
    pub(super) definition: TypeDef,
    /// What the type itself says of its scope, and what says so.
    pub(super) scope: Option<(Scope, String)>,
    /// The REST plural that the type itself has.
    pub(super) plural: Option<String>,
    /// Where `#[kube(plural = "..")]` says so.
    pub(super) plural_span: Option<Span>,
    pub(super) group: Option<(String, Span)>,
    pub(super) version: Option<(String, Span)>,
    pub(super) module: Rc<Module>,
    pub(super) notes: Vec<Note>,
    /// What attributes say that markers could say.
    pub(super) said: Vec<Marker>,
    pub(super) span: Span,
}

impl Universe<'_> {
    /// The kinds that an item declares; types that are none give none.
    pub(super) fn roots(
        &mut self,
        package: &RawPackage,
        module: &Rc<Module>,
        raw: &RawItem,
        own: Option<&TypeDef>,
    ) -> Vec<Root> {
        self.check_condition(module, raw);
        if let Some(declaration) = raw.syntax.declaration()
            && derives(declaration.0).contains("CustomResource")
        {
            return self.kube_root(module, raw, declaration).into_iter().collect();
        }
        match (&raw.syntax, own) {
            (Syntax::Struct(item), Some(definition)) => {
                self.go_root(module, raw, item, definition).into_iter().collect()
            }
            (Syntax::Enum(_), _) => {
                self.refuse(raw, format!("the enum `{}`", raw.item.name));
                Vec::new()
            }
            (Syntax::Type, _) => {
                self.refuse(raw, format!("the alias `{}`", raw.item.name));
                Vec::new()
            }
            (Syntax::Use, _) => self.re_exports(package, module, raw),
            (Syntax::Struct(_), None) => Vec::new(),
        }
    }

    fn refuse(&mut self, raw: &RawItem, item: String) {
        if let Some(note) = raw.note("genclient") {
            self.report(LowerProblem::NotARoot { item }, note.span.clone());
        }
    }

    /// A struct that is written out with `TypeMeta<Self>` and `ObjectMeta`.
    fn go_root(
        &mut self,
        module: &Rc<Module>,
        raw: &RawItem,
        item: &syn::ItemStruct,
        definition: &TypeDef,
    ) -> Option<Root> {
        let name = raw.item.name.clone();
        let type_meta = definition.fields().iter().find(|field| matches!(field.ty, TypeExpr::TypeMeta(_)));
        let metadata = definition.field("metadata").filter(|field| field.ty == TypeExpr::ObjectMeta);
        let client = raw.note("genclient").map(|note| note.span.clone());
        let (type_meta, _) = match (type_meta, metadata, client) {
            (Some(type_meta), Some(metadata), _) => (type_meta, metadata),
            (_, _, None) => return None,
            (type_meta, metadata, Some(span)) if let Some(what) = unseen(item, type_meta, metadata) => {
                self.report(LowerProblem::UnseenMeta { name, what }, span);
                return None;
            }
            (Some(_), None, Some(span)) => {
                self.report(LowerProblem::NoMetadata { name }, span);
                return None;
            }
            (None, Some(_), Some(span)) => {
                self.report(LowerProblem::NoTypeMeta { name }, span);
                return None;
            }
            (None, None, Some(span)) => {
                self.report(LowerProblem::NotARoot { item: format!("the struct `{name}`") }, span);
                return None;
            }
        };
        self.check_type_meta(definition, type_meta);
        if !item.generics.params.is_empty() {
            self.report(
                LowerProblem::GenericRoot { name },
                module.module.file.span(raw.item.name_bytes.clone()),
            );
            return None;
        }
        Some(Root {
            kind: name,
            path: definition.path.clone(),
            shape: Shape::GoRoot,
            definition: definition.clone(),
            scope: None,
            plural: None,
            plural_span: None,
            group: None,
            version: None,
            module: Rc::clone(module),
            notes: raw.notes.clone(),
            said: Vec::new(),
            span: module.module.file.span(raw.item.name_bytes.clone()),
        })
    }

    /// Clients name a kind always, so it must be there always.
    fn check_condition(&mut self, module: &Module, raw: &RawItem) {
        let head = module.module.file.slice(raw.item.bytes.start..raw.item.head);
        if let (true, Some(note)) = (head.contains("#[cfg("), raw.note("genclient")) {
            let item = match raw.syntax {
                Syntax::Use => "this re-export".to_owned(),
                _ => format!("`{}`", raw.item.name),
            };
            self.report(LowerProblem::ConditionalRoot { item }, note.span.clone());
        }
    }

    fn check_type_meta(&mut self, definition: &TypeDef, field: &Field) {
        let name = definition.path.name.clone();
        let span = super::notes::span(&field.place);
        if let TypeExpr::TypeMeta(of) = &field.ty
            && of.path() != Some(&definition.path)
        {
            let found = of.path().map_or_else(|| "another type".to_owned(), |path| path.name.clone());
            self.report(LowerProblem::ForeignTypeMeta { name: name.clone(), found }, span.clone());
        }
        let missing = match (field.serde.flatten, field.serde.skip_deserializing) {
            (false, _) => "#[serde(flatten)]",
            (true, false) => "#[serde(skip_deserializing)]",
            (true, true) => return,
        };
        self.report(LowerProblem::TypeMetaSerde { name, missing }, span);
    }

    /// The struct which kube's derive writes for a spec, which is a struct or an enum.
    fn kube_root(
        &mut self,
        module: &Rc<Module>,
        raw: &RawItem,
        (attributes, generics): (&[syn::Attribute], &syn::Generics),
    ) -> Option<Root> {
        let declared = Declared { scope: module, item: &raw.item, markers: Vec::new(), optional: None };
        let context = declared.context(self, generics);
        let mut trouble = Vec::new();
        let kube =
            KubeAttributes::read(&self.with_constants(module, attributes), &mut trouble).unwrap_or_default();
        self.troubles(&context, trouble);
        let name_span = module.module.file.span(raw.item.name_bytes.clone());
        let absolute = |found: &(String, proc_macro2::Span)| {
            (found.0.clone(), module.module.file.span(context.item.absolute(found.1)))
        };
        for (key, value) in [("group", &kube.group), ("version", &kube.version), ("kind", &kube.kind)] {
            if value.is_none() {
                let problem = LowerProblem::KubeKeyMissing { name: raw.item.name.clone(), key };
                self.report(problem, name_span.clone());
            }
        }
        let (kind, _) = kube.kind.clone()?;
        if !generics.params.is_empty() {
            self.report(LowerProblem::GenericRoot { name: raw.item.name.clone() }, name_span);
            return None;
        }
        let struct_name = kube.root_name().unwrap_or(&kind).to_owned();
        let path = self.path_of(module, &struct_name);
        let status = kube.status.as_ref().map(|path| self.named_type(&context, path));
        let text = kube.doc.clone().unwrap_or_else(|| docs(attributes));
        let said = said_markers(&context, &kube.heard.said);
        let spec = RootParts {
            spec: context.own.clone(),
            no_spec: kube.no_spec,
            status,
            description: kube.doc.as_deref().map(public_lines).unwrap_or_default(),
            place: place(&name_span),
        };
        let rules = said.iter().filter(|marker| marker.name == "kubebuilder:validation:XValidation");
        let mut definition = spec.definition(path.clone(), text, false);
        definition.markers = rules.cloned().collect();
        let public = raw.item.public
            && (module.module.public || self.public_paths.values().any(|known| *known == path));
        let scope = match kube.namespaced {
            Some(_) => (Scope::Namespaced, "#[kube(namespaced)]".to_owned()),
            None => (Scope::Cluster, "#[kube(..)]` without `namespaced".to_owned()),
        };
        Some(Root {
            plural_span: kube.plural.as_ref().map(|plural| absolute(plural).1),
            plural: Some(kube.plural_of(&kind)),
            definition: TypeDef { public, ..definition },
            path,
            shape: Shape::KubeDerive { spec: context.own.clone() },
            scope: Some(scope),
            group: kube.group.as_ref().map(absolute),
            version: kube.version.as_ref().map(absolute),
            module: Rc::clone(module),
            notes: raw.notes.clone(),
            said,
            span: name_span,
            kind,
        })
    }

    /// The kinds that a `pub use` brings in.
    fn re_exports(&mut self, package: &RawPackage, module: &Rc<Module>, raw: &RawItem) -> Vec<Root> {
        let Some(note) = raw.note("genclient").cloned() else { return Vec::new() };
        let imports = of_item(&raw.item, &module.module.file).unwrap_or_default();
        imports
            .into_iter()
            .filter_map(|import| self.re_export(package, module, raw, (&note, import)))
            .collect()
    }

    fn re_export(
        &mut self,
        package: &RawPackage,
        module: &Rc<Module>,
        raw: &RawItem,
        (note, import): (&Note, Import),
    ) -> Option<Root> {
        let shown = import.path.join("::");
        if import.glob {
            self.report(LowerProblem::GlobUse { path: shown }, note.span.clone());
            return None;
        }
        if !import.public {
            self.report(LowerProblem::PrivateUse { path: shown }, note.span.clone());
            return None;
        }
        let name = import.name.clone()?;
        let first = import.path.first()?.clone();
        let is_own = matches!(first.as_str(), "crate" | "self" | "super")
            || self.owns(&first)
            || module.declared(&first).is_some_and(|item| item.kind == ItemKind::Module && !import.absolute);
        if is_own {
            self.report(LowerProblem::OwnUse { path: shown }, note.span.clone());
            return None;
        }
        let span = module.module.file.span(import.bytes.clone());
        let from = package.crate_root.clone().unwrap_or_else(|| package.input.apis.clone());
        let foreign = match self.foreign_root(&import.path, &from) {
            Ok(foreign) => foreign,
            Err(problem) => {
                self.report(problem, span);
                return None;
            }
        };
        let path = self.path_of(module, &name);
        let mut definition = foreign.definition;
        let original = std::mem::replace(&mut definition.path, path.clone());
        definition.public = true;
        let written = rust_ident(&original.name);
        let same_place = |value: String| (value, span.clone());
        Some(Root {
            kind: foreign.kind,
            path,
            shape: Shape::ReExport { original },
            definition,
            scope: Some((foreign.scope, format!("{written}::Scope"))),
            plural: Some(foreign.plural),
            plural_span: None,
            group: Some(same_place(foreign.group)),
            version: Some(same_place(foreign.version)),
            module: Rc::clone(module),
            notes: raw.notes.clone(),
            said: Vec::new(),
            span,
        })
    }
}

/// What attributes say, as markers with places in the file.
pub(super) fn said_markers(context: &Context, said: &[Said]) -> Vec<Marker> {
    let marker = |said: &Said| {
        let bytes = context.item.absolute(said.span);
        let place = place(&context.scope.module.file.span(bytes));
        let argument = |(name, value): &(String, MarkerValue)| MarkerArgument {
            name: name.clone(),
            value: value.clone(),
            place: place.clone(),
        };
        Marker {
            name: said.name.to_owned(),
            arguments: said.arguments.iter().map(argument).collect(),
            place: place.clone(),
        }
    };
    said.iter().map(marker).collect()
}

/// What attributes say of schemas that is not known, with places in the file.
pub(super) fn schema_gaps(context: &Context, gaps: &[Gap]) -> Vec<SchemaGap> {
    let gap = |gap: &Gap| SchemaGap {
        attribute: gap.attribute.clone(),
        reason: gap.reason,
        place: place(&context.scope.module.file.span(context.item.absolute(gap.span))),
    };
    gaps.iter().map(gap).collect()
}

/// What the struct of kube's derive is made of.
pub(super) struct RootParts {
    pub(super) spec: TypePath,
    pub(super) no_spec: bool,
    pub(super) status: Option<TypeExpr>,
    /// The kind's text for users of the API.
    pub(super) description: String,
    pub(super) place: crate::model::Place,
}

impl RootParts {
    /// The struct: `metadata`, `spec` and, where there is one, `status`.
    pub(super) fn definition(self, path: TypePath, docs: String, public: bool) -> TypeDef {
        let mut fields = vec![
            self.field("metadata", TypeExpr::ObjectMeta, FieldSerde::default()),
            self.field(
                "spec",
                TypeExpr::named(self.spec.clone()),
                FieldSerde { flatten: self.no_spec, ..FieldSerde::default() },
            ),
        ];
        if let Some(status) = &self.status {
            let serde = FieldSerde {
                default: Some(FieldDefault::Trait),
                skip_serializing_if: Some("Option::is_none".to_owned()),
                ..FieldSerde::default()
            };
            fields.push(self.field("status", TypeExpr::Option(Box::new(status.clone())), serde));
        }
        let derives = ["Clone", "Debug", "Deserialize", "Serialize"].map(str::to_owned).into();
        TypeDef {
            path,
            description: self.description,
            docs,
            generics: Vec::new(),
            kind: TypeKind::Struct(fields),
            container: Container::default(),
            derives,
            markers: Vec::new(),
            gaps: Vec::new(),
            schema: SchemaSource::Type,
            origin: Origin::KubeDerive,
            public,
            place: self.place,
        }
    }

    fn field(&self, ident: &str, ty: TypeExpr, serde: FieldSerde) -> Field {
        Field {
            ident: ident.to_owned(),
            wire: WireName::same(ident),
            docs: String::new(),
            description: String::new(),
            optional: ty.is_option(),
            ty,
            serde,
            schema: SchemaSource::default(),
            gaps: Vec::new(),
            public: true,
            markers: Vec::new(),
            place: self.place.clone(),
        }
    }
}

/// What a struct names as a root does, but without an import that says whose it is.
fn unseen(
    item: &syn::ItemStruct,
    type_meta: Option<&Field>,
    metadata: Option<&Field>,
) -> Option<&'static str> {
    let last = |field: &syn::Field| match &field.ty {
        syn::Type::Path(path) => path.path.segments.last().cloned(),
        _ => None,
    };
    let is_type_meta = |field: &syn::Field| {
        last(field).is_some_and(|last| last.ident == "TypeMeta" && !last.arguments.is_empty())
    };
    let is_object_meta = |field: &syn::Field| {
        let is_metadata = field.ident.as_ref().is_some_and(|ident| ident == "metadata");
        is_metadata && last(field).is_some_and(|last| last.ident == "ObjectMeta")
    };
    if type_meta.is_none() && item.fields.iter().any(is_type_meta) {
        Some("TypeMeta")
    } else if metadata.is_none() && item.fields.iter().any(is_object_meta) {
        Some("ObjectMeta")
    } else {
        None
    }
}
