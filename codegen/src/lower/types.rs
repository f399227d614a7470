//! Types: structs and enums of a module to definitions of the model.

use super::docs::texts;
use super::exprs::Context;
use super::imports::plain;
use super::kube_attributes::KubeAttributes;
use super::members::{Inherited, Requiredness, Unnamed, described};
use super::notes::place;
use super::roots::schema_gaps;
use super::schemars_attributes::Site;
use super::serde_attributes::derives;
use super::universe::{Scope, Universe};
use crate::model::{Generic, Marker, Origin, SchemaGap, TypeDef, TypeExpr, TypeKind};
use crate::source::Item;
use quote::ToTokens;
use std::collections::HashMap;
use std::rc::Rc;
use syn::{Fields, GenericParam, Generics};

/// A struct or an enum, with where it stands.
#[derive(Debug)]
pub(super) struct Declared<'a> {
    pub(super) scope: &'a Rc<Scope>,
    pub(super) item: &'a Item,
    pub(super) markers: Vec<Marker>,
    pub(super) optional: Option<Requiredness>,
}

impl Declared<'_> {
    /// The context of the types within it.
    pub(super) fn context(&self, universe: &Universe<'_>, generics: &Generics) -> Context {
        let parameters = generics.type_params().map(|parameter| plain(&parameter.ident));
        Context {
            scope: Rc::clone(self.scope),
            item: self.item.clone(),
            own: universe.path_of(self.scope, &self.item.name),
            generics: parameters
                .map(|name| (name.clone(), TypeExpr::Parameter(name)))
                .collect::<HashMap<_, _>>(),
        }
    }
}

impl Universe<'_> {
    /// The definition of a struct.
    pub(super) fn struct_def(&mut self, declared: Declared<'_>, item: &syn::ItemStruct) -> TypeDef {
        let context = declared.context(self, &item.generics);
        let (declared, gaps) = self.with_attributes(&context, declared, &item.attrs);
        let serde = self.serde(&context, &item.attrs);
        let inherited = Inherited {
            cases: serde.rename_all,
            optional: declared.optional,
            default: serde.container.default,
            of_variant: false,
        };
        let kind = match &item.fields {
            Fields::Unit => TypeKind::Unit,
            Fields::Named(fields) => TypeKind::Struct(self.fields(&context, fields, inherited)),
            Fields::Unnamed(fields) => {
                match self.unnamed(&context, fields, (&plain(&item.ident), inherited)) {
                    Unnamed::One(only) => TypeKind::Newtype(only),
                    Unnamed::Several(types) => TypeKind::Tuple(types),
                }
            }
        };
        let parts = Parts { attributes: &item.attrs, generics: &item.generics, kind, gaps };
        self.definition(declared, context, parts).with_container(serde.container)
    }

    /// Adds what attributes of a type say that markers could say.
    fn with_attributes<'d>(
        &mut self,
        context: &Context,
        mut declared: Declared<'d>,
        attributes: &[syn::Attribute],
    ) -> (Declared<'d>, Vec<SchemaGap>) {
        let (mut markers, mut gaps) = self.attribute_markers(context, attributes, Site::Type);
        if derives(attributes).contains("CustomResource") {
            // What is wrong with them is reported where the kind is made.
            let attributes = self.with_constants(&context.scope, attributes);
            let kube = KubeAttributes::read(&attributes, &mut Vec::new()).unwrap_or_default();
            gaps.extend(schema_gaps(context, &kube.heard.gaps));
        }
        markers.append(&mut declared.markers);
        declared.markers = markers;
        (declared, gaps)
    }

    /// The definition of an enum.
    pub(super) fn enum_def(&mut self, declared: Declared<'_>, item: &syn::ItemEnum) -> TypeDef {
        let context = declared.context(self, &item.generics);
        let (declared, mut gaps) = self.with_attributes(&context, declared, &item.attrs);
        for variant in &item.variants {
            gaps.extend(self.attribute_markers(&context, &variant.attrs, Site::Variant).1);
        }
        let serde = self.serde(&context, &item.attrs);
        let variants = self.variants(&context, item, &serde, declared.optional);
        let kind = TypeKind::Enum(serde.tagging(), variants);
        let parts = Parts { attributes: &item.attrs, generics: &item.generics, kind, gaps };
        self.definition(declared, context, parts).with_container(serde.container)
    }

    fn definition(&mut self, declared: Declared<'_>, context: Context, parts: Parts<'_>) -> TypeDef {
        let span = declared.scope.module.file.span(declared.item.name_bytes.clone());
        let own = self.owns(&declared.scope.crate_name);
        let re_exported = self.public_paths.values().any(|path| *path == context.own);
        let schema = self.own_schema(&context, parts.attributes);
        let (docs, description) = texts(parts.attributes);
        let (mut markers, description) = described(&context, description, declared.item.name_bytes.clone());
        markers.extend(declared.markers);
        TypeDef {
            public: re_exported || (declared.item.public && declared.scope.module.public),
            path: context.own,
            docs,
            description,
            generics: generics(parts.generics),
            kind: parts.kind,
            container: crate::model::Container::default(),
            derives: derives(parts.attributes),
            markers,
            gaps: parts.gaps,
            schema,
            origin: if own { Origin::Package } else { Origin::Foreign },
            place: place(&span),
        }
    }
}

/// What a definition is made of.
struct Parts<'a> {
    attributes: &'a [syn::Attribute],
    generics: &'a Generics,
    kind: TypeKind,
    gaps: Vec<SchemaGap>,
}

impl TypeDef {
    fn with_container(mut self, container: crate::model::Container) -> Self {
        let hand_written = !self.derives.contains("Serialize") && !self.derives.contains("Deserialize");
        self.container = container;
        self.container.custom |= hand_written;
        self
    }
}

fn generics(generics: &Generics) -> Vec<Generic> {
    let name = |parameter: &GenericParam| match parameter {
        GenericParam::Type(parameter) => parameter.ident.to_string(),
        GenericParam::Const(parameter) => parameter.ident.to_string(),
        GenericParam::Lifetime(parameter) => parameter.lifetime.to_string(),
    };
    generics
        .params
        .iter()
        .map(|parameter| Generic {
            name: name(parameter),
            declaration: parameter.to_token_stream().to_string(),
        })
        .collect()
}
