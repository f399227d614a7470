//! Members: fields of structs and variants of enums.

use super::docs::{description, docs, headed, texts};
use super::exprs::Context;
use super::imports::plain;
use super::notes::{Note, Spot, notes, place, span};
use super::roots::{said_markers, schema_gaps};
use super::schema_functions::Given;
use super::schemars_attributes::{self, Site, Sized, Source};
use super::serde_attributes::{Cases, SerdeAttributes, Trouble};
use super::universe::Universe;
use crate::diagnostic::{Diagnostic, Diagnostics, MarkerProblem};
use crate::marker::Targets;
use crate::model::{
    Field, Marker, MarkerArgument, MarkerValue, SchemaGap, SchemaSource, TypeExpr, Variant, VariantShape,
    WireName,
};
use crate::naming::SerdeCase;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{Fields, FieldsNamed, FieldsUnnamed, Visibility};

/// What the fields of a type inherit from it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inherited {
    /// serde's case.
    pub(super) cases: Cases,
    /// Whether the package says that fields are optional.
    pub(super) optional: Option<Requiredness>,
    /// Whether `#[serde(default)]` is on the type.
    pub(super) default: bool,
    /// Whether the fields are those of an enum, which are as public as the enum.
    pub(super) of_variant: bool,
}

/// What a package says about fields of which nothing else is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Requiredness {
    /// `+kubebuilder:validation:Optional`.
    Optional,
}

/// Markers by which a document may leave a field out or not.
const PRESENCE: [&str; 6] = [
    "kubebuilder:validation:Optional",
    "kubebuilder:validation:Required",
    "k8s:optional",
    "k8s:required",
    "optional",
    "required",
];

/// Fields without names.
pub(super) enum Unnamed {
    /// That of a newtype.
    One(Box<Field>),
    /// Those of a tuple; what is never on the wire is none.
    Several(Vec<TypeExpr>),
}

impl Universe<'_> {
    /// Named fields.
    pub(super) fn fields(
        &mut self,
        context: &Context,
        fields: &FieldsNamed,
        inherited: Inherited,
    ) -> Vec<Field> {
        let mut after = context.item.absolute(fields.brace_token.span.open()).end;
        let mut lowered = Vec::new();
        for field in &fields.named {
            let bytes = extent(context, field);
            let spot = spot(context, after, &bytes, field_head(field));
            after = bytes.end;
            let Some(ident) = &field.ident else { continue };
            let name = (plain(ident), context.item.absolute(ident.span()));
            lowered.push(self.field(context, field, (&spot, name), inherited));
        }
        lowered
    }

    fn field(
        &mut self,
        context: &Context,
        field: &syn::Field,
        (spot, (ident, name)): (&Spot, (String, Range<usize>)),
        inherited: Inherited,
    ) -> Field {
        let serde = self.serde(context, &field.attrs);
        let ty = self.type_expr(context, &field.ty);
        let site = Site::Field(sized(&ty));
        let (said, gaps) = self.attribute_markers(context, &field.attrs, site);
        let (docs, description) = texts(&field.attrs);
        let (mut markers, description) = described(context, description, name.clone());
        markers.extend(said);
        markers.extend(self.member_markers(context, spot, (&name, "on this field")));
        let defaulted = serde.field.default.is_some() || inherited.default;
        Field {
            wire: wire(&ident, &serde, inherited.cases, SerdeCase::field),
            optional: is_optional(&markers, inherited.optional, ty.is_option() || defaulted),
            docs,
            description,
            ty,
            serde: serde.field,
            schema: self.schema_source(context, &field.attrs),
            gaps,
            public: inherited.of_variant || matches!(field.vis, Visibility::Public(_)),
            markers,
            place: place(&context.scope.module.file.span(name)),
            ident,
        }
    }

    /// Fields without names; the only one of a newtype has the name of what it is in.
    pub(super) fn unnamed(
        &mut self,
        context: &Context,
        fields: &FieldsUnnamed,
        (of, inherited): (&str, Inherited),
    ) -> Unnamed {
        let mut all = fields.unnamed.iter();
        let (Some(only), None) = (all.next(), all.next()) else {
            return Unnamed::Several(
                fields.unnamed.iter().map(|field| self.type_expr(context, &field.ty)).collect(),
            );
        };
        let after = context.item.absolute(fields.paren_token.span.open()).end;
        let spot = spot(context, after, &context.item.absolute(only.span()), field_head(only));
        let name = (of.to_owned(), context.item.absolute(only.ty.span()));
        let only = self.field(context, only, (&spot, name), inherited);
        for marker in only.markers.iter().filter(|marker| PRESENCE.contains(&marker.name.as_str())) {
            // It is there where the newtype is.
            let problem = MarkerProblem::WrongTarget {
                name: marker.name.clone(),
                allowed: "on a field with a name".to_owned(),
                found: "on that of a newtype".to_owned(),
            };
            self.report(problem, span(&marker.place));
        }
        if only.is_skipped() { Unnamed::Several(Vec::new()) } else { Unnamed::One(Box::new(only)) }
    }

    /// The variants of an enum.
    pub(super) fn variants(
        &mut self,
        context: &Context,
        item: &syn::ItemEnum,
        own: &SerdeAttributes,
        optional: Option<Requiredness>,
    ) -> Vec<Variant> {
        let mut after = context.item.absolute(item.brace_token.span.open()).end;
        let mut lowered = Vec::new();
        for variant in &item.variants {
            let bytes = context.item.absolute(variant.span());
            let spot = spot(context, after, &bytes, variant.ident.span());
            after = bytes.end;
            let serde = self.serde(context, &variant.attrs);
            let name = context.item.absolute(variant.ident.span());
            let markers = self.member_markers(context, &spot, (&name, "on this variant"));
            let ident = plain(&variant.ident);
            let cases = Cases {
                serialize: serde.rename_all.serialize.or(own.rename_all_fields.serialize),
                deserialize: serde.rename_all.deserialize.or(own.rename_all_fields.deserialize),
            };
            let inherited = Inherited { cases, optional, default: false, of_variant: true };
            lowered.push(Variant {
                wire: wire(&ident, &serde, own.rename_all, SerdeCase::variant),
                docs: docs(&variant.attrs),
                description: description(&variant.attrs),
                shape: self.shape(context, &variant.fields, (&ident, inherited)),
                skip: serde.field.skip_serializing
                    || serde.field.skip_deserializing
                    || matches!(schemars_attributes::source(&variant.attrs), Some(Source::Skipped)),
                markers,
                place: place(&context.scope.module.file.span(name)),
                ident,
            });
        }
        lowered
    }

    fn shape(
        &mut self,
        context: &Context,
        fields: &Fields,
        (of, inherited): (&str, Inherited),
    ) -> VariantShape {
        match fields {
            Fields::Unit => VariantShape::Unit,
            Fields::Named(fields) => VariantShape::Struct(self.fields(context, fields, inherited)),
            Fields::Unnamed(fields) => match self.unnamed(context, fields, (of, inherited)) {
                Unnamed::One(only) => VariantShape::Newtype(only),
                Unnamed::Several(types) => VariantShape::Tuple(types),
            },
        }
    }

    /// What attributes say that markers could say.
    pub(super) fn attribute_markers(
        &mut self,
        context: &Context,
        attributes: &[syn::Attribute],
        site: Site,
    ) -> (Vec<Marker>, Vec<SchemaGap>) {
        if !self.owns(&context.scope.crate_name) {
            return (Vec::new(), Vec::new());
        }
        let attributes = self.with_constants(&context.scope, attributes);
        let mut trouble = Vec::new();
        let heard = schemars_attributes::heard(&attributes, site, &mut trouble);
        self.troubles(context, trouble);
        (said_markers(context, &heard.said), schema_gaps(context, &heard.gaps))
    }

    /// Where attributes say that a schema comes from.
    pub(super) fn schema_source(&mut self, context: &Context, attributes: &[syn::Attribute]) -> SchemaSource {
        match schemars_attributes::source(attributes) {
            Some(Source::Skipped) => SchemaSource::Skipped,
            Some(Source::Type(ty)) => SchemaSource::Other(self.type_expr(context, &ty)),
            Some(Source::Function(path)) => match self.given_by(&context.scope, &path) {
                Some((_, Given::Json(value))) => SchemaSource::Literal(value),
                Some((scope, Given::Extended(ty, value))) => {
                    let context = Context { scope, ..context.clone() };
                    SchemaSource::Extended(self.type_expr(&context, &ty), value)
                }
                None => SchemaSource::Function(path),
            },
            None => SchemaSource::Type,
        }
    }

    /// serde's attributes, with what is wrong reported.
    pub(super) fn serde(&mut self, context: &Context, attributes: &[syn::Attribute]) -> SerdeAttributes {
        let mut trouble = Vec::new();
        let serde = SerdeAttributes::read(attributes, &mut trouble);
        self.troubles(context, trouble);
        serde
    }

    /// Reports what is wrong with attributes.
    pub(super) fn troubles(&mut self, context: &Context, trouble: Vec<Trouble>) {
        for (problem, span) in trouble {
            let span = context.scope.module.file.span(context.item.absolute(span));
            self.report(problem, span);
        }
    }

    fn member_markers(
        &mut self,
        context: &Context,
        spot: &Spot,
        (member, label): (&Range<usize>, &str),
    ) -> Vec<Marker> {
        if !self.owns(&context.scope.crate_name) {
            return Vec::new();
        }
        let file = &context.scope.module.file;
        let member = file.span(member.clone());
        let mut wrong = Diagnostics::new();
        let (own, _) = notes(file, spot, &mut wrong);
        self.diagnostics.extend(wrong.with_related(&member, label));
        let (right, wrong): (Vec<Note>, Vec<Note>) =
            own.into_iter().partition(|note| note.targets.allow(Targets::FIELD));
        for note in wrong {
            let problem = MarkerProblem::WrongTarget {
                name: note.marker.name,
                allowed: note.targets.describe().to_owned(),
                found: "on a field".to_owned(),
            };
            self.diagnostics.push(Diagnostic::new(problem, note.span).with_related(member.clone(), label));
        }
        right.into_iter().map(|note| note.marker).collect()
    }
}

/// Which bounds a `length` of a field's type means.
fn sized(ty: &TypeExpr) -> Sized {
    match ty.inner() {
        TypeExpr::List(..) | TypeExpr::Set(..) | TypeExpr::Array(..) => Sized::List,
        TypeExpr::Map(..) => Sized::Map,
        _ => Sized::Single,
    }
}

fn field_head(field: &syn::Field) -> proc_macro2::Span {
    match &field.vis {
        Visibility::Inherited => field.ident.as_ref().map_or_else(|| field.ty.span(), Spanned::span),
        Visibility::Public(word) => word.span,
        other => other.span(),
    }
}

/// The bytes of a field. Asking syn for its span would write all its tokens out.
fn extent(context: &Context, field: &syn::Field) -> Range<usize> {
    let head = || field_head(field);
    let first = field.attrs.first().map_or_else(head, |attribute| attribute.pound_token.span);
    let last = match &field.ty {
        syn::Type::Path(path) => path.path.segments.last().and_then(|segment| match &segment.arguments {
            syn::PathArguments::None => Some(segment.ident.span()),
            syn::PathArguments::AngleBracketed(arguments) => Some(arguments.gt_token.span),
            syn::PathArguments::Parenthesized(_) => None,
        }),
        _ => None,
    };
    let last = last.unwrap_or_else(|| field.ty.span());
    context.item.absolute(first).start..context.item.absolute(last).end
}

/// Where a member is; to find its bytes its tokens are gone through, which is done once.
fn spot(context: &Context, after: usize, bytes: &Range<usize>, head: proc_macro2::Span) -> Spot {
    let head: Range<usize> = context.item.absolute(head);
    Spot { after, start: bytes.start.max(after), head: head.start.max(bytes.start) }
}

/// Whether a field may be left out of a document.
fn is_optional(markers: &[Marker], package: Option<Requiredness>, by_type: bool) -> bool {
    let has = |names: [&str; 2]| markers.iter().any(|marker| names.contains(&marker.name.as_str()));
    let (optional, required) = ("kubebuilder:validation:Optional", "kubebuilder:validation:Required");
    if has([optional, optional]) {
        return true;
    }
    if has([required, required]) {
        return false;
    }
    if has(["optional", "k8s:optional"]) {
        return true;
    }
    if has(["required", "k8s:required"]) {
        return false;
    }
    by_type || package == Some(Requiredness::Optional)
}

fn wire(
    ident: &str,
    serde: &SerdeAttributes,
    cases: Cases,
    apply: fn(SerdeCase, &str) -> String,
) -> WireName {
    let name = |explicit: &Option<String>, case: Option<SerdeCase>| match (explicit, case) {
        (Some(name), _) => name.clone(),
        (None, Some(case)) => apply(case, ident),
        (None, None) => ident.to_owned(),
    };
    WireName {
        serialize: name(&serde.rename_serialize, cases.serialize),
        deserialize: name(&serde.rename_deserialize, cases.deserialize),
        aliases: serde.aliases.clone(),
    }
}

/// The description of a member or type, and its title where schemars would make one of a heading.
pub(super) fn described(context: &Context, text: String, name: Range<usize>) -> (Vec<Marker>, String) {
    let file = &context.scope.module.file;
    let head = file.slice(context.item.bytes.start..context.item.head);
    if !head.contains("JsonSchema") && !head.contains("KubeSchema") {
        return (Vec::new(), text);
    }
    let Some((title, rest)) = headed(&text) else { return (Vec::new(), text) };
    let place = place(&file.span(name));
    let argument =
        MarkerArgument { name: String::new(), value: MarkerValue::Text(title), place: place.clone() };
    (vec![Marker { name: "kubebuilder:title".to_owned(), arguments: vec![argument], place }], rest)
}
