//! Equality, order and arithmetic of values.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use serde_json::{Map, Value};

use super::{DeclKind, EvalError, ListForm, Opaque, Val, decl::Field, time::Moment, value::Text};

type Result<T> = std::result::Result<T, EvalError>;

/// Whether two values are equal; numbers are compared across types.
pub(super) fn equal<'v>(left: &Val<'v>, right: &Val<'v>) -> Result<bool> {
    Ok(match (left, right) {
        (Val::Null, Val::Null) => true,
        (Val::Bool(left), Val::Bool(right)) => left == right,
        (Val::Int(left), Val::Int(right)) => left == right,
        (Val::Text(left), Val::Text(right)) => **left == **right,
        (Val::Bytes(left), Val::Bytes(right)) => left == right,
        (Val::Duration(left), Val::Duration(right)) => left == right,
        (Val::Timestamp(left), Val::Timestamp(right)) => left == right,
        (Val::Type(left), Val::Type(right)) => left == right,
        (Val::Opaque(left), Val::Opaque(right)) => left == right,
        (Val::Optional(None), Val::Optional(None)) => true,
        (Val::Optional(Some(left)), Val::Optional(Some(right))) => equal(left, right)?,
        (Val::Array(left, None), Val::Array(right, None)) => left == right,
        (Val::Members(left, None), Val::Members(right, None)) => left == right,
        _ => match numbers(left, right) {
            Some(order) => order == Some(Ordering::Equal),
            None => return equal_parts(left, right),
        },
    })
}

fn equal_parts<'v>(left: &Val<'v>, right: &Val<'v>) -> Result<bool> {
    let parts =
        |value: &Val<'v>| matches!(value, Val::List(_) | Val::Array(..) | Val::Map(_) | Val::Members(..));
    // A value with a schema is only compared with its like.
    let declared = |value: &Val<'v>| matches!(value, Val::Array(_, Some(_)) | Val::Members(_, Some(_)));
    let lists = |value: &Val<'v>| matches!(value, Val::List(_) | Val::Array(..));
    if declared(left) && !matches!(right, Val::Null) && (!parts(right) || lists(left) != lists(right)) {
        return Err(EvalError::overload());
    }
    // What is of another size is not looked into, so that nothing in it can be of the wrong type.
    if parts(left) && parts(right) && left.size() != right.size() {
        return Ok(false);
    }
    if let (Some(lefts), Some(rights)) = (left.items(), right.items()) {
        return equal_lists(left, (&lefts?, &rights?));
    }
    if let (Val::Members(lefts, Some(decl)), Val::Members(rights, Some(_))) = (left, right)
        && let DeclKind::Object { fields, hidden, .. } = &decl.kind
    {
        return equal_objects((left, lefts), (right, rights), (fields, hidden));
    }
    if let (Some(lefts), Some(rights)) = (left.pairs(), right.pairs()) {
        let (lefts, rights) = (lefts?, rights?);
        if lefts.len() != rights.len() {
            return Ok(false);
        }
        for (key, value) in &lefts {
            match lookup(&rights, key)? {
                Some(other) if equal(value, &other)? => {}
                _ => return Ok(false),
            }
        }
        return Ok(true);
    }
    Ok(false)
}

/// Objects with declared fields: null counts as a member, but is equal to none.
fn equal_objects<'v>(
    (left, lefts): (&Val<'v>, &Map<String, Value>),
    (right, rights): (&Val<'v>, &Map<String, Value>),
    (fields, hidden): (&BTreeMap<String, Field>, &BTreeSet<String>),
) -> Result<bool> {
    if lefts.len() != rights.len() {
        return Ok(false);
    }
    let declared = |name: &str| fields.iter().find(|(_, field)| field.name == name).map(|(known, _)| known);
    for (name, value) in lefts {
        let same = match declared(name) {
            Some(known) => match (left.member(known).transpose()?, right.member(known).transpose()?) {
                (Some(left), Some(right)) => equal(&left, &right)?,
                (left, right) => left.is_none() && right.is_none(),
            },
            // What no schema names may be missing from the other.
            None => rights.get(name).map_or(!hidden.contains(name), |other| other == value),
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

fn equal_lists<'v>(left: &Val<'v>, (lefts, rights): (&[Val<'v>], &[Val<'v>])) -> Result<bool> {
    if lefts.len() != rights.len() {
        return Ok(false);
    }
    if form(left) == Form::Ordered {
        for (left, right) in lefts.iter().zip(rights) {
            if !equal(left, right)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    if let Form::Keyed(keys) = form(left) {
        return equal_keyed((lefts, rights), &keys);
    }
    for item in lefts {
        if !contains(rights, item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Lists whose items have keys, in any order. Of items with one key the last counts, and each must be equal to it.
fn equal_keyed<'v>((lefts, rights): (&[Val<'v>], &[Val<'v>]), keys: &[String]) -> Result<bool> {
    let mut seen: Vec<usize> = Vec::new();
    for right in rights {
        let wanted = keys_of(right, keys)?;
        let mut place = None;
        for (index, left) in lefts.iter().enumerate().rev() {
            if same_keys(&keys_of(left, keys)?, &wanted)? {
                place = Some((index, left));
                break;
            }
        }
        match place {
            Some((index, left)) if equal(left, right)? => {
                if !seen.contains(&index) {
                    seen.push(index);
                }
            }
            _ => return Ok(false),
        }
    }
    let mut distinct: Vec<Vec<Option<Val<'v>>>> = Vec::new();
    for left in lefts {
        let own = keys_of(left, keys)?;
        let mut known = false;
        for other in &distinct {
            known = known || same_keys(other, &own)?;
        }
        if !known {
            distinct.push(own);
        }
    }
    Ok(seen.len() == distinct.len())
}

fn keys_of<'v>(item: &Val<'v>, keys: &[String]) -> Result<Vec<Option<Val<'v>>>> {
    keys.iter().map(|key| item.member(key).transpose()).collect()
}

#[derive(Clone, PartialEq, Eq)]
enum Form {
    Ordered,
    Set,
    Keyed(Vec<String>),
}

fn form(list: &Val<'_>) -> Form {
    match list {
        Val::Array(_, Some(decl)) => match &decl.kind {
            DeclKind::List { list: ListForm::Set, .. } => Form::Set,
            DeclKind::List { list: ListForm::Map(keys), .. } => Form::Keyed(keys.clone()),
            _ => Form::Ordered,
        },
        _ => Form::Ordered,
    }
}

pub(super) fn contains<'v>(items: &[Val<'v>], wanted: &Val<'v>) -> Result<bool> {
    for item in items {
        if equal(item, wanted)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The value under a key.
pub(super) fn lookup<'v>(pairs: &[(Val<'v>, Val<'v>)], key: &Val<'v>) -> Result<Option<Val<'v>>> {
    for (known, value) in pairs {
        if equal(known, key)? {
            return Ok(Some(value.clone()));
        }
    }
    Ok(None)
}

/// How two numbers are ordered; none where one is no number, nothing inside where one is not comparable.
fn numbers(left: &Val<'_>, right: &Val<'_>) -> Option<Option<Ordering>> {
    Some(match (left, right) {
        (Val::Int(left), Val::Int(right)) => Some(left.cmp(right)),
        (Val::UInt(left), Val::UInt(right)) => Some(left.cmp(right)),
        (Val::Double(left), Val::Double(right)) => left.partial_cmp(right),
        (Val::Int(left), Val::UInt(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
        (Val::UInt(left), Val::Int(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
        (Val::Int(left), Val::Double(right)) => (*left as f64).partial_cmp(right),
        (Val::Double(left), Val::Int(right)) => left.partial_cmp(&(*right as f64)),
        (Val::UInt(left), Val::Double(right)) => (*left as f64).partial_cmp(right),
        (Val::Double(left), Val::UInt(right)) => left.partial_cmp(&(*right as f64)),
        _ => return None,
    })
}

/// How two values are ordered.
pub(super) fn order(left: &Val<'_>, right: &Val<'_>) -> Result<Option<Ordering>> {
    Ok(match (left, right) {
        (Val::Bool(left), Val::Bool(right)) => Some(left.cmp(right)),
        (Val::Text(left), Val::Text(right)) => Some((**left).cmp(&**right)),
        (Val::Bytes(left), Val::Bytes(right)) => Some(left.cmp(right)),
        (Val::Duration(left), Val::Duration(right)) => Some(left.cmp(right)),
        (Val::Timestamp(left), Val::Timestamp(right)) => Some(left.cmp(right)),
        _ => match numbers(left, right) {
            Some(order) => order,
            None => return Err(EvalError::overload()),
        },
    })
}

/// `+`, `-`, `*`, `/` and `%`.
pub(super) fn arithmetic<'v>(operator: &str, left: Val<'v>, right: Val<'v>) -> Result<Val<'v>> {
    let overflow = || EvalError::new("integer overflow");
    let unsigned = || EvalError::new("unsigned integer overflow");
    Ok(match (operator, left, right) {
        ("_+_", Val::Int(left), Val::Int(right)) => Val::Int(left.checked_add(right).ok_or_else(overflow)?),
        ("_-_", Val::Int(left), Val::Int(right)) => Val::Int(left.checked_sub(right).ok_or_else(overflow)?),
        ("_*_", Val::Int(left), Val::Int(right)) => Val::Int(left.checked_mul(right).ok_or_else(overflow)?),
        ("_/_", Val::Int(_), Val::Int(0)) | ("_/_", Val::UInt(_), Val::UInt(0)) => {
            return Err(EvalError::new("division by zero"));
        }
        ("_%_", Val::Int(_), Val::Int(0)) | ("_%_", Val::UInt(_), Val::UInt(0)) => {
            return Err(EvalError::new("modulus by zero"));
        }
        ("_/_", Val::Int(left), Val::Int(right)) => Val::Int(left.checked_div(right).ok_or_else(overflow)?),
        ("_%_", Val::Int(left), Val::Int(right)) => Val::Int(left.checked_rem(right).ok_or_else(overflow)?),
        ("_+_", Val::UInt(left), Val::UInt(right)) => {
            Val::UInt(left.checked_add(right).ok_or_else(unsigned)?)
        }
        ("_-_", Val::UInt(left), Val::UInt(right)) => {
            Val::UInt(left.checked_sub(right).ok_or_else(unsigned)?)
        }
        ("_*_", Val::UInt(left), Val::UInt(right)) => {
            Val::UInt(left.checked_mul(right).ok_or_else(unsigned)?)
        }
        ("_/_", Val::UInt(left), Val::UInt(right)) => {
            Val::UInt(left.checked_div(right).ok_or_else(unsigned)?)
        }
        ("_%_", Val::UInt(left), Val::UInt(right)) => {
            Val::UInt(left.checked_rem(right).ok_or_else(unsigned)?)
        }
        ("_+_", Val::Double(left), Val::Double(right)) => Val::Double(left + right),
        ("_-_", Val::Double(left), Val::Double(right)) => Val::Double(left - right),
        ("_*_", Val::Double(left), Val::Double(right)) => Val::Double(left * right),
        ("_/_", Val::Double(left), Val::Double(right)) => Val::Double(left / right),
        ("_+_", Val::Text(left), Val::Text(right)) => Val::text(format!("{}{}", &*left, &*right)),
        ("_+_", Val::Bytes(left), Val::Bytes(right)) => Val::Bytes([&*left, &*right].concat().into()),
        ("_+_", Val::Duration(left), Val::Duration(right)) => {
            Val::Duration(left.checked_add(right).ok_or_else(overflow)?)
        }
        ("_-_", Val::Duration(left), Val::Duration(right)) => {
            Val::Duration(left.checked_sub(right).ok_or_else(overflow)?)
        }
        ("_+_", Val::Timestamp(moment), Val::Duration(by))
        | ("_+_", Val::Duration(by), Val::Timestamp(moment)) => shifted(moment, by)?,
        ("_-_", Val::Timestamp(moment), Val::Duration(by)) => {
            shifted(moment, by.checked_neg().ok_or_else(overflow)?)?
        }
        ("_-_", Val::Timestamp(left), Val::Timestamp(right)) => {
            Val::Duration(left.since(right).ok_or_else(overflow)?)
        }
        ("_+_", left, right) => return joined(&left, &right),
        _ => return Err(EvalError::overload()),
    })
}

fn shifted<'v>(moment: Moment, by: i64) -> Result<Val<'v>> {
    moment.shifted(by).map(Val::Timestamp).ok_or_else(|| EvalError::new("timestamp overflow"))
}

/// Two lists as one; sets keep each item once, keyed lists each key.
fn joined<'v>(left: &Val<'v>, right: &Val<'v>) -> Result<Val<'v>> {
    let (Some(lefts), Some(rights)) = (left.items(), right.items()) else {
        return Err(EvalError::overload());
    };
    let form = form(left);
    let mut items = lefts?;
    for item in rights? {
        match &form {
            Form::Ordered => items.push(item),
            Form::Set => {
                if !contains(&items, &item)? {
                    items.push(item);
                }
            }
            Form::Keyed(keys) => {
                let wanted = keys_of(&item, keys)?;
                let mut place = None;
                for (index, other) in items.iter().enumerate() {
                    if same_keys(&keys_of(other, keys)?, &wanted)? {
                        place = Some(index);
                    }
                }
                match place.and_then(|index| items.get_mut(index)) {
                    Some(place) => *place = item,
                    None => items.push(item),
                }
            }
        }
    }
    Ok(Val::List(Rc::new(items)))
}

fn same_keys<'v>(left: &[Option<Val<'v>>], right: &[Option<Val<'v>>]) -> Result<bool> {
    for (left, right) in left.iter().zip(right) {
        let same = match (left, right) {
            (Some(left), Some(right)) => equal(left, right)?,
            (None, None) => true,
            _ => false,
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The text of a value.
pub(super) fn text<'a>(value: &'a Val<'_>) -> Result<&'a str> {
    match value {
        Val::Text(Text::Borrowed(text)) => Ok(text),
        Val::Text(Text::Made(text)) => Ok(text),
        _ => Err(EvalError::overload()),
    }
}

pub(super) fn int(value: &Val<'_>) -> Result<i64> {
    match value {
        Val::Int(value) => Ok(*value),
        Val::UInt(value) => i64::try_from(*value).map_err(|_| EvalError::new("integer overflow")),
        Val::Double(value) if value.fract() == 0.0 => Ok(*value as i64),
        _ => Err(EvalError::overload()),
    }
}

/// A value of a library.
pub(super) fn opaque<'a>(value: &'a Val<'_>) -> Result<&'a Opaque> {
    match value {
        Val::Opaque(value) => Ok(value),
        _ => Err(EvalError::overload()),
    }
}
