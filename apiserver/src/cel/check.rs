//! Types of expressions.
//!
//! In: an expression and the variables it may name. Out: the type of every node, or what does not fit, in the words of a real server.

use std::sync::Arc;

use super::{
    Decl, Environment, Type,
    ast::{Entry, Expr, Fold, Kind, Literal, Member},
    functions::overloads,
    literals::literals,
    message::{is_message, message_field},
    types::Bindings,
    wellknown::{NULL_VALUE, known_field, known_type},
};

/// The types of an expression.
pub(super) struct Checked {
    pub result: Type,
    pub types: Vec<Type>,
}

/// A fault, and where in the text it is.
pub(super) type Fault = (usize, String);

/// Finds the types of an expression's nodes.
pub(super) fn check(expr: &Expr, count: usize, environment: &Environment) -> Result<Checked, Vec<Fault>> {
    let mut checker = Checker {
        environment,
        scopes: Vec::new(),
        bindings: Bindings::default(),
        types: vec![Type::Dyn; count],
        faults: Vec::new(),
    };
    let result = checker.expr(expr);
    if checker.faults.is_empty() {
        let types = |expr: &Expr| checker.bindings.resolved(checker.types.get(expr.id).unwrap_or(&Type::Dyn));
        let mut faults = Vec::new();
        literals(expr, &types, &mut faults);
        checker.faults = faults;
    }
    if !checker.faults.is_empty() {
        checker.faults.sort_by_key(|(at, _)| *at);
        return Err(checker.faults);
    }
    let types = checker.types.iter().map(|of| checker.bindings.resolved(of)).collect();
    Ok(Checked { result: checker.bindings.resolved(&result), types })
}

struct Checker<'e> {
    environment: &'e Environment,
    scopes: Vec<(String, Type)>,
    bindings: Bindings,
    types: Vec<Type>,
    faults: Vec<Fault>,
}

/// The types that have names, as values.
fn named_type(name: &str) -> Option<Type> {
    Some(match name {
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::UInt,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "list" => Type::list(Type::Dyn),
        "map" => Type::map(Type::Dyn, Type::Dyn),
        "null_type" => Type::Null,
        "type" => Type::Kind(Arc::new(Type::Dyn)),
        "optional_type" => Type::optional(Type::Dyn),
        "google.protobuf.Timestamp" => Type::Timestamp,
        "google.protobuf.Duration" => Type::Duration,
        "kubernetes.Quantity" => Type::Opaque("kubernetes.Quantity"),
        "kubernetes.URL" => Type::Opaque("kubernetes.URL"),
        "kubernetes.Semver" => Type::Opaque("kubernetes.Semver"),
        "net.IP" => Type::Opaque("net.IP"),
        "net.CIDR" => Type::Opaque("net.CIDR"),
        _ => return None,
    })
}

/// The name that an expression spells, such as `optional.none`.
pub(super) fn qualified(expr: &Expr) -> Option<String> {
    match &expr.kind {
        Kind::Ident(name) => Some(name.clone()),
        Kind::Select { operand, field, test: false } => Some(format!("{}.{field}", qualified(operand)?)),
        _ => None,
    }
}

impl Checker<'_> {
    fn fault(&mut self, at: usize, text: impl Into<String>) -> Type {
        self.faults.push((at, text.into()));
        Type::Broken
    }

    fn expr(&mut self, expr: &Expr) -> Type {
        let found = match &expr.kind {
            Kind::Literal(value) => literal(value),
            Kind::Ident(name) => self.ident(name, expr.at),
            Kind::Select { operand, field, test: false } if self.dotted(operand, field).is_some() => {
                self.dotted(operand, field).unwrap_or(Type::Broken)
            }
            Kind::Select { operand, field, test } => {
                let whole = qualified(expr).filter(|_| !test);
                match whole.as_deref().and_then(named_type) {
                    Some(of) => Type::Kind(Arc::new(of)),
                    None if whole.as_deref() == Some(NULL_VALUE) => Type::Int,
                    None => self.select(expr.at, operand, (field, *test)),
                }
            }
            Kind::Call { function, target, args } => self.call(expr.at, function, target.as_deref(), args),
            Kind::List { items, optional } => self.list(items, optional),
            Kind::Map { entries } => self.map(entries),
            Kind::Message { name, fields } => self.message(expr.at, name, fields),
            Kind::Fold(fold) => self.fold(fold),
        };
        if let Some(place) = self.types.get_mut(expr.id) {
            *place = found.clone();
        }
        found
    }

    fn variable(&self, name: &str) -> Option<Type> {
        let own = self.scopes.iter().rev().find(|(own, _)| own == name).map(|(_, of)| of.clone());
        own.or_else(|| self.environment.variable_type(name))
    }

    /// The type of a variable whose name has a dot in it.
    fn dotted(&self, operand: &Expr, field: &str) -> Option<Type> {
        match &operand.kind {
            Kind::Ident(root) if self.environment.has_dotted_names() => {
                self.environment.variable_type(&format!("{root}.{field}"))
            }
            _ => None,
        }
    }

    fn message(&mut self, at: usize, name: &str, fields: &[Member]) -> Type {
        if let Some(of) = known_type(name) {
            for member in fields {
                self.known_member(name, member);
            }
            return of;
        }
        if !self.environment.makes_objects() || !is_message(name) {
            return self.fault(at, format!("undeclared reference to '{name}' (in container '')"));
        }
        let of = Type::Message(name.into());
        for Member { name: field, at, value } in fields {
            let found = self.expr(value);
            let wanted = match message_field(name, field) {
                Some(wanted) => wanted,
                None => {
                    let found = self.bindings.resolved(&found);
                    let text =
                        format!("expected type of field '{field}' is '' but provided type is '{found}'");
                    self.fault(*at, text)
                }
            };
            if !self.bindings.fits(&wanted, &found) {
                let found = self.bindings.resolved(&found);
                let text =
                    format!("expected type of field '{field}' is '{wanted}' but provided type is '{found}'");
                self.fault(*at, text);
            }
        }
        of
    }

    /// A field of a message of protobuf.
    fn known_member(&mut self, name: &str, Member { name: field, at, value }: &Member) {
        let found = self.expr(value);
        let Some(wanted) = known_field(name, field) else {
            self.fault(*at, format!("undefined field '{field}'"));
            return;
        };
        if !self.bindings.fits(&wanted, &found) {
            let found = self.bindings.resolved(&found);
            let text =
                format!("expected type of field '{field}' is '{wanted}' but provided type is '{found}'");
            self.fault(*at, text);
        }
    }

    fn ident(&mut self, name: &str, at: usize) -> Type {
        if let Some(of) = self.variable(name) {
            return of;
        }
        match named_type(name) {
            Some(of) => Type::Kind(Arc::new(of)),
            None => self.fault(at, format!("undeclared reference to '{name}' (in container '')")),
        }
    }

    fn select(&mut self, at: usize, operand: &Expr, (field, test): (&str, bool)) -> Type {
        let of = self.expr(operand);
        let found = self.field(at, &of, field);
        if test { Type::Bool } else { found }
    }

    fn field(&mut self, at: usize, of: &Type, field: &str) -> Type {
        match self.bindings.resolved(of) {
            // What is wrong further left is told there.
            Type::Broken | Type::Dyn => Type::Dyn,
            Type::Map(_, values) => (*values).clone(),
            Type::Message(name) => match message_field(&name, field) {
                Some(of) => of,
                None => self.fault(at, format!("undefined field '{field}'")),
            },
            Type::Object(decl) => match decl.field(field) {
                Some(field) => Decl::of(&field.decl),
                None => self.fault(at, format!("undefined field '{field}'")),
            },
            Type::Optional(inner) => match self.field(at, &inner, field) {
                Type::Optional(inner) => Type::Optional(inner),
                found => Type::optional(found),
            },
            Type::Opaque(name) if name.starts_with("kubernetes.") => {
                self.fault(at, format!("unexpected failed resolution of '{name}'"))
            }
            other => {
                self.fault(at, format!("type '{other}' does not support field selection"));
                Type::Dyn
            }
        }
    }

    fn call(&mut self, at: usize, function: &str, target: Option<&Expr>, args: &[Expr]) -> Type {
        if function == "_?._" {
            return self.optional_select(at, args);
        }
        if matches!(function, "_&&_" | "_||_") {
            for arg in args {
                let found = self.expr(arg);
                self.expect(&Type::Bool, &found, arg.at);
            }
            return Type::Bool;
        }
        let name = target.and_then(qualified).map(|target| format!("{target}.{function}"));
        if let Some(name) = name.filter(|name| {
            let root = name.split('.').next().unwrap_or_default();
            overloads(name).is_some() && self.variable(root).is_none() && self.serves(root)
        }) {
            let given: Vec<Type> = args.iter().map(|arg| self.expr(arg)).collect();
            return self.resolve(at, &name, (&given, false));
        }
        let mut given = Vec::with_capacity(args.len() + 1);
        given.extend(target.map(|target| self.expr(target)));
        given.extend(args.iter().map(|arg| self.expr(arg)));
        self.resolve(at, function, (&given, target.is_some()))
    }

    /// Whether there is such a library for the expressions of this environment.
    fn serves(&self, library: &str) -> bool {
        library != "jsonpatch" || self.environment.makes_objects()
    }

    fn optional_select(&mut self, at: usize, args: &[Expr]) -> Type {
        let [operand, field] = args else { return Type::Broken };
        let of = self.expr(operand);
        let Kind::Literal(Literal::String(name)) = &field.kind else { return Type::Broken };
        let of = match self.bindings.resolved(&of) {
            Type::Optional(inner) => (*inner).clone(),
            other => other,
        };
        Type::optional(self.field(at, &of, name))
    }

    fn resolve(&mut self, at: usize, function: &str, (given, member): (&[Type], bool)) -> Type {
        let Some(known) = overloads(function) else {
            return self.fault(at, format!("undeclared reference to '{function}' (in container '')"));
        };
        let mut found: Option<Type> = None;
        let mut after = None;
        for overload in known.iter().filter(|other| other.member == member && other.args.len() == given.len())
        {
            let mut bindings = self.bindings.clone();
            let (wanted, result) = overload.instance(&mut bindings);
            if !wanted.iter().zip(given).all(|(wanted, given)| bindings.fits(wanted, given)) {
                continue;
            }
            let result = if known.len() > 1 { bindings.resolved_open(&result) } else { result };
            found = match found {
                None => {
                    after = Some(bindings);
                    Some(result)
                }
                Some(other) if other == result => Some(other),
                Some(_) => Some(Type::Dyn),
            };
        }
        if let (Some(found), Some(bindings)) = (found, after) {
            self.bindings = bindings;
            return found;
        }
        let shown: Vec<String> = given.iter().map(|of| self.bindings.resolved(of).to_string()).collect();
        let applied = match (member, shown.split_first()) {
            (true, Some((first, rest))) => format!("{first}.({})", rest.join(", ")),
            _ => format!("({})", shown.join(", ")),
        };
        self.fault(at, format!("found no matching overload for '{function}' applied to '{applied}'"))
    }

    fn list(&mut self, items: &[Expr], optional: &[usize]) -> Type {
        let mut of: Option<Type> = None;
        for (index, item) in items.iter().enumerate() {
            let mut found = self.expr(item);
            if optional.contains(&index) {
                found = self.optional_part(&found, item.at);
            }
            of = Some(self.join(of, found));
        }
        let of = of.unwrap_or_else(|| Type::Var(self.bindings.fresh()));
        Type::list(of)
    }

    /// The type of a part of a literal that is left out where it is an empty optional.
    fn optional_part(&mut self, found: &Type, at: usize) -> Type {
        match self.bindings.resolved(found) {
            Type::Optional(inner) => (*inner).clone(),
            Type::Dyn => Type::Dyn,
            Type::Broken => Type::Broken,
            other => self.fault(at, format!("expected type 'optional_type({other})' but found '{other}'")),
        }
    }

    /// The one type of the parts of a literal, as far as there is one.
    fn join(&mut self, before: Option<Type>, found: Type) -> Type {
        let Some(before) = before else { return found };
        self.bindings.joined(&before, &found).unwrap_or(Type::Dyn)
    }

    fn map(&mut self, entries: &[Entry]) -> Type {
        let (mut keys, mut values) = (None, None);
        for Entry { key, value, optional } in entries {
            let found = self.expr(key);
            keys = Some(self.join(keys, found));
            let mut found = self.expr(value);
            if *optional {
                found = self.optional_part(&found, value.at);
            }
            values = Some(self.join(values, found));
        }
        let keys = keys.unwrap_or_else(|| Type::Var(self.bindings.fresh()));
        let values = values.unwrap_or_else(|| Type::Var(self.bindings.fresh()));
        Type::map(keys, values)
    }

    fn fold(&mut self, fold: &Fold) -> Type {
        let range = self.expr(&fold.range);
        let (first, second) = match self.bindings.resolved(&range) {
            Type::List(items) if fold.second.is_some() => (Type::Int, (*items).clone()),
            Type::List(items) => ((*items).clone(), Type::Dyn),
            Type::Map(keys, values) => ((*keys).clone(), (*values).clone()),
            Type::Dyn => (Type::Dyn, Type::Dyn),
            Type::Broken => (Type::Broken, Type::Broken),
            other => {
                let text = format!(
                    "expression of type '{other}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                let broken = self.fault(fold.range.at, text);
                (broken.clone(), broken)
            }
        };
        let total = self.expr(&fold.init);
        let outer = self.scopes.len();
        self.scopes.push((fold.total.clone(), total.clone()));
        self.scopes.push((fold.first.clone(), first));
        self.scopes.extend(fold.second.clone().map(|name| (name, second)));
        let condition = self.expr(&fold.condition);
        self.expect(&Type::Bool, &condition, fold.condition.at);
        let step = self.expr(&fold.step);
        self.expect(&total, &step, fold.step.at);
        self.scopes.truncate(outer + 1);
        let result = self.expr(&fold.result);
        self.scopes.truncate(outer);
        result
    }

    fn expect(&mut self, wanted: &Type, found: &Type, at: usize) {
        if !self.bindings.fits(wanted, found) {
            let (wanted, found) = (self.bindings.resolved(wanted), self.bindings.resolved(found));
            self.fault(at, format!("expected type '{wanted}' but found '{found}'"));
        }
    }
}

fn literal(value: &Literal) -> Type {
    match value {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::UInt(_) => Type::UInt,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}
