//! serde's attributes, and the derives of a type.

use crate::diagnostic::LowerProblem;
use crate::model::{Container, EnumTagging, FieldDefault, FieldSerde};
use crate::naming::{SerdeCase, nearest};
use proc_macro2::Span;
use std::borrow::Cow;
use std::collections::BTreeSet;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, LitStr, Meta, Token};

/// Something wrong with an attribute, and where.
pub(super) type Trouble = (LowerProblem, Span);

/// serde's attributes of a type, a variant or a field, as written.
#[derive(Debug, Clone, Default)]
pub(super) struct SerdeAttributes {
    pub(super) container: Container,
    pub(super) field: FieldSerde,
    pub(super) rename_serialize: Option<String>,
    pub(super) rename_deserialize: Option<String>,
    pub(super) aliases: Vec<String>,
    pub(super) rename_all: Cases,
    pub(super) rename_all_fields: Cases,
    pub(super) tag: Option<String>,
    pub(super) content: Option<String>,
    pub(super) untagged: bool,
}

/// The cases of both directions.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cases {
    pub(super) serialize: Option<SerdeCase>,
    pub(super) deserialize: Option<SerdeCase>,
}

impl Cases {
    fn merge(&mut self, later: Self) {
        self.serialize = later.serialize.or(self.serialize);
        self.deserialize = later.deserialize.or(self.deserialize);
    }
}

impl SerdeAttributes {
    /// Reads them; what is wrong goes to `trouble`.
    pub(super) fn read(attributes: &[Attribute], trouble: &mut Vec<Trouble>) -> Self {
        let mut read = Self::default();
        each(attributes, "serde", &mut |meta| read.one(&meta), trouble);
        read
    }

    /// How an enum shows its variant.
    pub(super) fn tagging(&self) -> EnumTagging {
        match (&self.tag, &self.content) {
            _ if self.untagged => EnumTagging::Untagged,
            (Some(tag), Some(content)) => EnumTagging::Adjacent(tag.clone(), content.clone()),
            (Some(tag), None) => EnumTagging::Internal(tag.clone()),
            _ => EnumTagging::External,
        }
    }

    fn one(&mut self, meta: &ParseNestedMeta<'_>) -> Result<(), Trouble> {
        let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match key.as_str() {
            "rename" => {
                let (serialize, deserialize) = both(meta)?;
                let value = |name: Option<LitStr>| name.map(|name| name.value());
                self.rename_serialize = value(serialize).or(self.rename_serialize.take());
                self.rename_deserialize = value(deserialize).or(self.rename_deserialize.take());
            }
            "rename_all" => self.rename_all.merge(cases(meta)?),
            "rename_all_fields" => self.rename_all_fields.merge(cases(meta)?),
            "alias" => self.aliases.push(text(meta)?.value()),
            "default" => {
                self.container.default = true;
                self.field.default = Some(match optional_text(meta)? {
                    Some(path) => FieldDefault::Function(path.value()),
                    None => FieldDefault::Trait,
                });
            }
            "flatten" => self.field.flatten = true,
            "skip" => {
                self.field.skip_serializing = true;
                self.field.skip_deserializing = true;
            }
            "skip_serializing" => self.field.skip_serializing = true,
            "skip_deserializing" => self.field.skip_deserializing = true,
            "skip_serializing_if" => self.field.skip_serializing_if = Some(text(meta)?.value()),
            "with" => self.field.with = Some(text(meta)?.value()),
            "serialize_with" => self.field.serialize_with = Some(text(meta)?.value()),
            "deserialize_with" => self.field.deserialize_with = Some(text(meta)?.value()),
            "transparent" => self.container.transparent = true,
            "deny_unknown_fields" => self.container.deny_unknown_fields = true,
            "from" | "try_from" | "into" | "remote" => {
                text(meta)?;
                self.container.custom = true;
            }
            "tag" => self.tag = Some(text(meta)?.value()),
            "content" => self.content = Some(text(meta)?.value()),
            "untagged" => self.untagged = true,
            _ => skip_value(meta).map_err(|error| bad("serde", &error))?,
        }
        let field = &mut self.field;
        field.custom =
            field.with.is_some() || field.serialize_with.is_some() || field.deserialize_with.is_some();
        Ok(())
    }
}

/// Calls back for each entry of each attribute of this name, those in `cfg_attr` included.
pub(super) fn each(
    attributes: &[Attribute],
    name: &'static str,
    entry: &mut dyn FnMut(ParseNestedMeta<'_>) -> Result<(), Trouble>,
    trouble: &mut Vec<Trouble>,
) {
    for attribute in expanded(attributes, name) {
        if !attribute.path().is_ident(name) || !matches!(attribute.meta, Meta::List(_)) {
            continue;
        }
        let mut found = None;
        let parsed = attribute.parse_nested_meta(|meta| {
            entry(meta).map_err(|wrong| {
                let error = syn::Error::new(wrong.1, "");
                found = Some(wrong);
                error
            })
        });
        if let Err(error) = parsed {
            trouble.push(found.unwrap_or_else(|| bad(name, &error)));
        }
    }
}

/// The attributes of this name; of `cfg_attr(condition, a, b)` those within, whatever the condition and their names.
fn expanded<'a>(attributes: &'a [Attribute], name: &'a str) -> impl Iterator<Item = Cow<'a, Attribute>> {
    let is_conditional = |attribute: &Attribute| attribute.path().is_ident("cfg_attr");
    let wanted = attributes
        .iter()
        .filter(move |attribute| attribute.path().is_ident(name) || is_conditional(attribute));
    wanted.flat_map(move |attribute| match is_conditional(attribute) {
        true => within(attribute).unwrap_or_default().into_iter().map(Cow::Owned).collect(),
        false => vec![Cow::Borrowed(attribute)],
    })
}

/// The attributes behind a condition.
fn within(attribute: &Attribute) -> syn::Result<Vec<Attribute>> {
    let list = attribute.meta.require_list()?;
    let metas = list.parse_args_with(syn::punctuated::Punctuated::<Meta, Token![,]>::parse_terminated)?;
    Ok(metas.into_iter().skip(1).map(|meta| Attribute { meta, ..attribute.clone() }).collect())
}

/// The last segments of the derived traits.
pub(super) fn derives(attributes: &[Attribute]) -> BTreeSet<String> {
    let mut derives = BTreeSet::new();
    for attribute in expanded(attributes, "derive").filter(|attribute| attribute.path().is_ident("derive")) {
        let paths =
            attribute.parse_args_with(syn::punctuated::Punctuated::<syn::Path, Token![,]>::parse_terminated);
        let names =
            paths.into_iter().flatten().filter_map(|path| Some(path.segments.last()?.ident.to_string()));
        derives.extend(names);
    }
    derives
}

pub(super) fn bad(attribute: &'static str, error: &syn::Error) -> Trouble {
    (LowerProblem::BadAttribute { attribute, message: error.to_string() }, error.span())
}

/// `key = "text"`.
pub(super) fn text(meta: &ParseNestedMeta<'_>) -> Result<LitStr, Trouble> {
    let parsed = meta.value().and_then(|value| value.parse::<LitStr>());
    parsed.map_err(|error| bad("serde", &error))
}

fn optional_text(meta: &ParseNestedMeta<'_>) -> Result<Option<LitStr>, Trouble> {
    if meta.input.peek(Token![=]) { text(meta).map(Some) } else { Ok(None) }
}

/// `key = "text"`, or `key(serialize = "text", deserialize = "text")`.
fn both(meta: &ParseNestedMeta<'_>) -> Result<(Option<LitStr>, Option<LitStr>), Trouble> {
    if meta.input.peek(Token![=]) {
        let name = text(meta)?;
        return Ok((Some(name.clone()), Some(name)));
    }
    let (mut serialize, mut deserialize) = (None, None);
    let parsed = meta.parse_nested_meta(|inner| {
        let name: LitStr = inner.value()?.parse()?;
        if inner.path.is_ident("serialize") {
            serialize = Some(name);
        } else if inner.path.is_ident("deserialize") {
            deserialize = Some(name);
        }
        Ok(())
    });
    parsed.map_err(|error| bad("serde", &error))?;
    Ok((serialize, deserialize))
}

fn cases(meta: &ParseNestedMeta<'_>) -> Result<Cases, Trouble> {
    let case = |name: Option<LitStr>| match name {
        None => Ok(None),
        Some(name) => match SerdeCase::from_name(&name.value()) {
            Some(case) => Ok(Some(case)),
            None => {
                let known = SerdeCase::ALL.iter().map(|(name, _)| *name);
                let near = nearest(&name.value(), known).map(str::to_owned);
                Err((LowerProblem::UnknownCase { case: name.value(), nearest: near }, name.span()))
            }
        },
    };
    let (serialize, deserialize) = both(meta)?;
    Ok(Cases { serialize: case(serialize)?, deserialize: case(deserialize)? })
}

/// Passes over the value of a key that does not matter here.
pub(super) fn skip_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<syn::Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        content.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}
