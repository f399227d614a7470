//! Schemas: from types and their markers to OpenAPI schemas as custom resource definitions have them.
//!
//! In: the model. Out: [`Schema`], plain data, and everything that is wrong with what markers say of types. The rules are
//! controller-gen's, except where Rust's types say more (integers that are not negative, enums with data) or where its
//! output would be refused by a server. It never sees a syntax tree, and knows nothing of versions and names.

mod bounds;
mod builder;
mod cel;
mod checks;
mod costs;
mod defaults;
mod description;
mod enums;
mod fits;
mod functions;
mod keyword;
mod known;
mod kubernetes;
mod literal;
mod made;
mod markers;
mod matching;
mod merge;
mod numbers;
mod props;
mod rules;
mod structs;
mod substitute;
mod values;
mod written;

pub use builder::Builder;
pub use costs::{PER_RULE, PER_SCHEMA, RuleCost, rule_costs};
pub use description::DescriptionLimit;
pub use keyword::Keyword;
pub use kubernetes::EmbeddedObjectMeta;
pub use props::{Additional, ExternalDocs, Rule, Schema};

/// What a caller decides about schemas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SchemaOptions {
    /// Whether metadata within a spec has its fields in the schema.
    pub embedded_object_meta: EmbeddedObjectMeta,
    /// Whether fractions may be sent as numbers.
    pub floats: Floats,
    /// How long descriptions may be.
    pub descriptions: DescriptionLimit,
    /// How sets of which some fields are there are written.
    pub one_of: OneOfStyle,
}

/// How sets of which some fields are there are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OneOfStyle {
    /// As rules in CEL, with a message; their cost counts.
    #[default]
    Rules,
    /// As alternatives of the schema, which cost nothing and have a server's own message.
    Alternatives,
}

/// Whether fractions may be sent as numbers, which not all languages read alike.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Floats {
    /// They are refused.
    #[default]
    Refused,
    /// They are allowed.
    Allowed,
}
