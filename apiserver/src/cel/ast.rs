//! `Expr`: an expression as it is checked and run.
//!
//! In: what the `cel` crate has parsed, macros expanded. Out: the same as a tree of our own, whose nodes are numbered so that types can
//! stand beside them, and know where they are in the text.

use cel::common::ast::{EntryExpr, Expr as Parsed, IdedExpr, LiteralValue, SourceInfo};

use super::{Environment, functions::overloads};

/// One node.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub id: usize,
    /// Where it is in the text, in bytes.
    pub at: usize,
    pub kind: Kind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Literal(Literal),
    Ident(String),
    Select {
        operand: Box<Expr>,
        field: String,
        test: bool,
    },
    Call {
        function: String,
        target: Option<Box<Expr>>,
        args: Vec<Expr>,
    },
    /// Items, and which of them are left out when they are empty optionals.
    List {
        items: Vec<Expr>,
        optional: Vec<usize>,
    },
    Map {
        entries: Vec<Entry>,
    },
    /// An object of a named type.
    Message {
        name: String,
        fields: Vec<Member>,
    },
    Fold(Box<Fold>),
}

/// A member of an object of a named type.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub name: String,
    /// Where it is in the text.
    pub at: usize,
    pub value: Expr,
}

/// A member of a map literal.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub key: Expr,
    pub value: Expr,
    pub optional: bool,
}

/// A loop over a list or map.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    pub range: Expr,
    pub first: String,
    pub second: Option<String>,
    pub total: String,
    pub init: Expr,
    pub condition: Expr,
    pub step: Expr,
    pub result: Expr,
}

/// A value in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Double(f64),
    String(String),
    Bytes(Vec<u8>),
}

/// Numbers the nodes of a parsed expression.
pub(super) struct Lowering<'a> {
    pub source: &'a SourceInfo,
    pub environment: &'a Environment,
    pub count: usize,
}

impl Lowering<'_> {
    fn boxed(&mut self, parsed: IdedExpr) -> Box<Expr> {
        Box::new(self.expr(parsed))
    }

    fn all(&mut self, parsed: Vec<IdedExpr>) -> Vec<Expr> {
        parsed.into_iter().map(|expr| self.expr(expr)).collect()
    }

    fn offset(&self, id: u64) -> usize {
        self.source.offset_for(id).map_or(0, |(start, _)| start as usize)
    }

    pub(super) fn expr(&mut self, parsed: IdedExpr) -> Expr {
        let at = self.offset(parsed.id);
        let id = self.count;
        self.count += 1;
        Expr { id, at, kind: self.kind(parsed.expr) }
    }

    fn kind(&mut self, parsed: Parsed) -> Kind {
        match parsed {
            Parsed::Unspecified => Kind::Literal(Literal::Null),
            Parsed::Literal(value) => Kind::Literal(literal(&value)),
            Parsed::Ident(name) => {
                let known = |name: &str| self.environment.variable_type(name).is_some();
                Kind::Ident(rooted(name, known))
            }
            Parsed::Select(select) => {
                Kind::Select { operand: self.boxed(*select.operand), field: select.field, test: select.test }
            }
            Parsed::Call(call) => Kind::Call {
                target: call.target.map(|target| self.boxed(*target)),
                args: self.all(call.args),
                function: rooted(call.func_name, |name| overloads(name).is_some()),
            },
            Parsed::List(list) => {
                Kind::List { items: self.all(list.elements), optional: list.optional_indices }
            }
            Parsed::Map(map) => {
                let entries = map.entries.into_iter().filter_map(|entry| match entry.expr {
                    EntryExpr::MapEntry(entry) => Some(Entry {
                        key: self.expr(entry.key),
                        value: self.expr(entry.value),
                        optional: entry.optional,
                    }),
                    EntryExpr::StructField(_) => None,
                });
                Kind::Map { entries: entries.collect() }
            }
            Parsed::Struct(message) => {
                let fields = message.entries.into_iter().filter_map(|entry| match entry.expr {
                    EntryExpr::StructField(field) => Some(Member {
                        at: self.offset(entry.id),
                        name: field.field,
                        value: self.expr(field.value),
                    }),
                    EntryExpr::MapEntry(_) => None,
                });
                Kind::Message { fields: fields.collect(), name: message.type_name }
            }
            Parsed::Comprehension(fold) => {
                let fold = *fold;
                Kind::Fold(Box::new(Fold {
                    range: self.expr(fold.iter_range),
                    first: fold.iter_var,
                    second: fold.iter_var2,
                    total: fold.accu_var,
                    init: self.expr(fold.accu_init),
                    condition: self.expr(fold.loop_cond),
                    step: self.expr(fold.loop_step),
                    result: self.expr(fold.result),
                }))
            }
        }
    }
}

/// A name without the dot before it that says where it is looked for: there is only one such place.
fn rooted(name: String, known: impl Fn(&str) -> bool) -> String {
    match name.strip_prefix('.') {
        Some(rest) if known(rest) => rest.to_owned(),
        _ => name,
    }
}

fn literal(value: &LiteralValue) -> Literal {
    match value {
        LiteralValue::Boolean(value) => Literal::Bool(*value.inner()),
        LiteralValue::Bytes(value) => Literal::Bytes(value.inner().to_vec()),
        LiteralValue::Double(value) => Literal::Double(*value.inner()),
        LiteralValue::Int(value) => Literal::Int(*value.inner()),
        LiteralValue::Null => Literal::Null,
        LiteralValue::String(value) => Literal::String(value.inner().to_owned()),
        LiteralValue::UInt(value) => Literal::UInt(*value.inner()),
    }
}

impl Expr {
    /// The nodes right below.
    pub(super) fn below(&self) -> Vec<&Self> {
        match &self.kind {
            Kind::Literal(_) | Kind::Ident(_) => Vec::new(),
            Kind::Message { fields, .. } => fields.iter().map(|field| &field.value).collect(),
            Kind::Select { operand, .. } => vec![operand],
            Kind::Call { target, args, .. } => target.as_deref().into_iter().chain(args).collect(),
            Kind::List { items, .. } => items.iter().collect(),
            Kind::Map { entries } => entries.iter().flat_map(|entry| [&entry.key, &entry.value]).collect(),
            Kind::Fold(fold) => {
                vec![&fold.range, &fold.init, &fold.condition, &fold.step, &fold.result]
            }
        }
    }

    /// Whether a variable is named anywhere.
    pub(super) fn names(&self, variable: &str) -> bool {
        matches!(&self.kind, Kind::Ident(name) if name == variable)
            || self.below().into_iter().any(|below| below.names(variable))
    }
}
