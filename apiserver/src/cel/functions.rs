//! The functions that expressions may call: their names and types.
//!
//! One line an overload, `receiver.name(arguments) result`. Capital single letters stand for types that are found out.

use std::{collections::BTreeMap, sync::LazyLock};

use super::{
    Type,
    authority::{AUTHORIZER, DECISION, GROUP_CHECK, PATH_CHECK, RESOURCE_CHECK},
    types::Bindings,
};

/// One way of calling a function.
#[derive(Clone, Debug)]
pub(super) struct Overload {
    pub member: bool,
    /// The receiver first, where there is one.
    pub args: Vec<Type>,
    pub result: Type,
    /// How many types it leaves open.
    open: u32,
}

impl Overload {
    /// The same with its open types made unknown ones of an expression.
    pub(super) fn instance(&self, bindings: &mut Bindings) -> (Vec<Type>, Type) {
        let fresh: Vec<u32> = (0..self.open).map(|_| bindings.fresh()).collect();
        let args = self.args.iter().map(|arg| renamed(arg, &fresh)).collect();
        (args, renamed(&self.result, &fresh))
    }
}

fn renamed(of: &Type, fresh: &[u32]) -> Type {
    match of {
        Type::Var(id) => Type::Var(fresh.get(*id as usize).copied().unwrap_or(*id)),
        Type::List(items) => Type::list(renamed(items, fresh)),
        Type::Map(keys, values) => Type::map(renamed(keys, fresh), renamed(values, fresh)),
        Type::Optional(inner) => Type::optional(renamed(inner, fresh)),
        Type::Kind(inner) => Type::Kind(renamed(inner, fresh).into()),
        other => other.clone(),
    }
}

/// The overloads of a function.
pub(super) fn overloads(name: &str) -> Option<&'static [Overload]> {
    TABLE.get(name).map(Vec::as_slice)
}

static TABLE: LazyLock<BTreeMap<&'static str, Vec<Overload>>> = LazyLock::new(|| {
    let mut table: BTreeMap<&'static str, Vec<Overload>> = BTreeMap::new();
    for line in SIGNATURES.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let Some((name, overload)) = signature(line) else { continue };
        table.entry(name).or_default().push(overload);
    }
    table
});

/// Reads one line.
fn signature(line: &'static str) -> Option<(&'static str, Overload)> {
    let open_at = if line.starts_with(['_', '!', '-', '@']) { line.rfind("((")? } else { 0 };
    let head = line.get(open_at..)?;
    let (head, args) = head.split_once("((")?;
    let head = if open_at > 0 { line.get(..open_at)? } else { head };
    let (args, result) = args.split_once("))")?;
    let (receiver, name) = match head.split_once("::") {
        Some((receiver, name)) => (Some(receiver), name),
        None => (None, head),
    };
    let mut types: Vec<Type> = receiver.into_iter().map(read).collect();
    types.extend(args.split(';').map(str::trim).filter(|arg| !arg.is_empty()).map(read));
    let letters = ['A', 'B'].iter().filter(|letter| line.contains(**letter)).count();
    let open = u32::try_from(letters).unwrap_or_default();
    Some((name, Overload { member: receiver.is_some(), args: types, result: read(result.trim()), open }))
}

fn read(text: &str) -> Type {
    let inner = |prefix: &str| text.strip_prefix(prefix)?.strip_suffix('>');
    if let Some(items) = inner("list<") {
        return Type::list(read(items));
    }
    if let Some(both) = inner("map<") {
        let (keys, values) = both.split_once(',').unwrap_or((both, "dyn"));
        return Type::map(read(keys), read(values));
    }
    if let Some(value) = inner("optional<") {
        return Type::optional(read(value));
    }
    if let Some(value) = inner("type<") {
        return Type::Kind(read(value).into());
    }
    match text {
        "A" => Type::Var(0),
        "B" => Type::Var(1),
        "null" => Type::Null,
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::UInt,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        "quantity" => Type::Opaque("kubernetes.Quantity"),
        "url" => Type::Opaque("kubernetes.URL"),
        "ip" => Type::Opaque("net.IP"),
        "cidr" => Type::Opaque("net.CIDR"),
        "semver" => Type::Opaque("kubernetes.Semver"),
        "format" => Type::Opaque("kubernetes.NamedFormat"),
        "authorizer" => Type::Opaque(AUTHORIZER),
        "pathCheck" => Type::Opaque(PATH_CHECK),
        "groupCheck" => Type::Opaque(GROUP_CHECK),
        "resourceCheck" => Type::Opaque(RESOURCE_CHECK),
        "decision" => Type::Opaque(DECISION),
        _ => Type::Dyn,
    }
}

const SIGNATURES: &str = include_str!("functions.txt");
