//! Type arguments: a generic definition with what its parameters stand for.

use crate::model::{Alias, Field, SchemaSource, TypeDef, TypeExpr, TypeKind, VariantShape};
use std::collections::HashMap;

type Arguments<'a> = HashMap<&'a str, &'a TypeExpr>;

/// The definition with its parameters replaced; `None` when it has none.
pub(super) fn arguments(definition: &TypeDef, arguments: &[TypeExpr]) -> Option<TypeDef> {
    if definition.generics.is_empty() {
        return None;
    }
    let names = definition.generics.iter().map(|generic| generic.name.as_str());
    // Lifetimes and constants are not among the arguments.
    let names = names.filter(|name| !name.starts_with('\''));
    let arguments: Arguments<'_> = names.zip(arguments).collect();
    let mut definition = definition.clone();
    in_source(&mut definition.schema, &arguments);
    match &mut definition.kind {
        TypeKind::Struct(fields) => fields.iter_mut().for_each(|field| in_field(field, &arguments)),
        TypeKind::Newtype(only) => in_field(only, &arguments),
        TypeKind::Tuple(members) => {
            members.iter_mut().for_each(|member| *member = replaced(member, &arguments));
        }
        TypeKind::Unit => {}
        TypeKind::Enum(_, variants) => {
            for variant in variants {
                match &mut variant.shape {
                    VariantShape::Unit => {}
                    VariantShape::Newtype(only) => in_field(only, &arguments),
                    VariantShape::Tuple(members) => {
                        members.iter_mut().for_each(|member| *member = replaced(member, &arguments));
                    }
                    VariantShape::Struct(fields) => {
                        fields.iter_mut().for_each(|field| in_field(field, &arguments));
                    }
                }
            }
        }
    }
    Some(definition)
}

/// What an alias stands for with these arguments.
pub(super) fn alias(alias: &Alias, arguments: &[TypeExpr]) -> TypeExpr {
    match &alias.stands_for {
        TypeExpr::Named { path, arguments: own } if alias.parameters.is_empty() && own.is_empty() => {
            TypeExpr::Named { path: path.clone(), arguments: arguments.to_vec() }
        }
        ty => replaced(ty, &alias.parameters.iter().map(String::as_str).zip(arguments).collect()),
    }
}

fn in_field(field: &mut Field, arguments: &Arguments<'_>) {
    field.ty = replaced(&field.ty, arguments);
    in_source(&mut field.schema, arguments);
}

fn in_source(source: &mut SchemaSource, arguments: &Arguments<'_>) {
    if let SchemaSource::Other(ty) | SchemaSource::Extended(ty, _) = source {
        *ty = replaced(ty, arguments);
    }
}

fn replaced(ty: &TypeExpr, arguments: &Arguments<'_>) -> TypeExpr {
    let boxed = |inner: &TypeExpr| Box::new(replaced(inner, arguments));
    match ty {
        TypeExpr::Parameter(name) => {
            arguments.get(name.as_str()).map_or_else(|| ty.clone(), |found| (*found).clone())
        }
        TypeExpr::TypeMeta(inner) => TypeExpr::TypeMeta(boxed(inner)),
        TypeExpr::Option(inner) => TypeExpr::Option(boxed(inner)),
        TypeExpr::Pointer(kind, inner) => TypeExpr::Pointer(*kind, boxed(inner)),
        TypeExpr::List(kind, inner) => TypeExpr::List(*kind, boxed(inner)),
        TypeExpr::Set(kind, inner) => TypeExpr::Set(*kind, boxed(inner)),
        TypeExpr::Map(kind, key, value) => TypeExpr::Map(*kind, boxed(key), boxed(value)),
        TypeExpr::Array(inner, length) => TypeExpr::Array(boxed(inner), length.clone()),
        TypeExpr::Tuple(members) => {
            TypeExpr::Tuple(members.iter().map(|member| replaced(member, arguments)).collect())
        }
        TypeExpr::Named { path, arguments: own } => TypeExpr::Named {
            path: path.clone(),
            arguments: own.iter().map(|argument| replaced(argument, arguments)).collect(),
        },
        other => other.clone(),
    }
}
