//! Types of other crates whose form on the wire is made of those of their arguments.

use super::builder::{Builder, Site};
use super::known::{Made, one_of};
use super::{Keyword, Schema};
use crate::diagnostic::SchemaProblem;
use crate::model::{ListKind, SetKind, TypeExpr};
use serde_json::Value;

impl Builder<'_> {
    /// The schema of such a type.
    pub(super) fn made(&mut self, made: Made<'_>, site: Site<'_>) -> Schema {
        match made {
            Made::Same(inner) => self.expr(inner, site),
            Made::List(item) => self.expr(&TypeExpr::List(ListKind::Vec, Box::new(item.clone())), site),
            Made::Set(item) => self.expr(&TypeExpr::Set(SetKind::BTreeSet, Box::new(item.clone())), site),
            Made::Map(key, value) => self.map(key, value, site),
            Made::Number(kind) => self.integer(kind, site),
            Made::NonZero(kind) => {
                let mut schema = self.integer(kind, site);
                if schema.get(Keyword::Minimum) == Some(&Value::from(0)) {
                    return schema.with(Keyword::Minimum, 1);
                }
                let zero = Schema::default().with(Keyword::Enum, Value::Array(vec![Value::from(0)]));
                schema.none_of.push(zero);
                schema
            }
            Made::OneOf(choices) => one_of(choices.map(|(name, ty)| (name.to_owned(), self.expr(ty, site)))),
            Made::Both(members) => {
                let mut schema = Schema::of_type("object");
                for (name, ty) in members {
                    schema.properties.insert(name.to_owned(), self.expr(ty, site));
                    schema.required.insert(name.to_owned());
                }
                schema
            }
            Made::Null => {
                let what = "`PhantomData`, which is `null` on the wire".to_owned();
                self.report(SchemaProblem::Unsupported { name: site.name.to_owned(), what }, site.place);
                Schema::default()
            }
        }
    }
}
