//! Numbers: the integer types with the formats that Kubernetes knows, and the bounds without which a value could get
//! past the server that the Rust type cannot hold.

use super::builder::{Builder, Site};
use super::{Keyword, Schema};
use crate::diagnostic::SchemaProblem;
use crate::model::Integer;

impl Builder<'_> {
    /// An integer type.
    pub(super) fn integer(&mut self, kind: Integer, site: Site<'_>) -> Schema {
        let schema = Schema::of_type("integer");
        let within = |least: i64, greatest: i64| {
            Schema::of_type("integer").with(Keyword::Minimum, least).with(Keyword::Maximum, greatest)
        };
        match kind {
            Integer::I8 => within(i64::from(i8::MIN), i64::from(i8::MAX)),
            Integer::I16 => within(i64::from(i16::MIN), i64::from(i16::MAX)),
            Integer::U8 => within(0, i64::from(u8::MAX)),
            Integer::U16 => within(0, i64::from(u16::MAX)),
            Integer::U32 => within(0, i64::from(u32::MAX)).with(Keyword::Format, "int64"),
            Integer::U64 | Integer::Usize => schema.with(Keyword::Format, "int64").with(Keyword::Minimum, 0),
            Integer::I32 => schema.with(Keyword::Format, "int32"),
            Integer::I64 => schema.with(Keyword::Format, "int64"),
            Integer::Isize => schema,
            Integer::I128 | Integer::U128 => {
                let what = format!("`{}`, which is longer than a number in JSON", kind.name());
                self.report(SchemaProblem::Unsupported { name: site.name.to_owned(), what }, site.place);
                schema
            }
        }
    }
}
