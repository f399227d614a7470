//! Lists and sets.

use std::cmp::Ordering;

use super::{EvalError, Result, Val};
use crate::cel::ops::{arithmetic, contains, equal, int, order};

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    if function == "lists.range" {
        let [end] = args else { return None };
        return Some(int(end).and_then(|end| match end {
            ..0 => Err(EvalError::new(format!("lists.range: size must be non-negative, got {end}"))),
            end => Ok(Val::list((0..end).map(Val::Int).collect())),
        }));
    }
    let list = args.first()?;
    let one_by_one = match args {
        [_] => ["isSorted", "sum", "min", "max"].contains(&function),
        [_, _] => ["indexOf", "lastIndexOf"].contains(&function),
        _ => false,
    };
    if one_by_one {
        return Some(visit(function, list.each()?, args.get(1)));
    }
    let items = list.items()?;
    let known = [
        "slice",
        "flatten",
        "sort",
        "distinct",
        "reverse",
        "first",
        "last",
        "@sortByAssociatedKeys",
        "sets.contains",
        "sets.equivalent",
        "sets.intersects",
    ];
    known.contains(&function).then(|| run(function, items?, args.get(1..).unwrap_or_default()))
}

/// What looks at one item after the other: what an item is shows only when it is reached.
fn visit<'v>(function: &str, items: Vec<Result<'v>>, wanted: Option<&Val<'v>>) -> Result<'v> {
    if let Some(wanted) = wanted {
        let found = |item: &Result<'v>| item.as_ref().is_ok_and(|item| equal(item, wanted).unwrap_or(false));
        let at = match function {
            "indexOf" => items.iter().position(found),
            _ => items.iter().rposition(found),
        };
        return Ok(Val::Int(at.map_or(-1, |at| i64::try_from(at).unwrap_or(i64::MAX))));
    }
    let fits = |item: &Val<'_>| match item {
        Val::Int(_) | Val::UInt(_) | Val::Double(_) | Val::Duration(_) => true,
        Val::Bool(_) | Val::Timestamp(_) | Val::Text(_) | Val::Bytes(_) => function != "sum",
        _ => false,
    };
    // The first item says of which type the list is.
    if let Some(first) = items.first()
        && !first.as_ref().is_ok_and(fits)
    {
        return Err(EvalError::overload());
    }
    let item = |item: Result<'v>| match item {
        Ok(item) if fits(&item) => Ok(item),
        Ok(_) => Err(EvalError::part_overload()),
        Err(error) => Err(error),
    };
    let mut items = items.into_iter().map(item);
    let Some(first) = items.next() else {
        return match function {
            "isSorted" => Ok(Val::Bool(true)),
            "sum" => Ok(Val::Int(0)),
            _ => Err(EvalError::new(format!("{function} called on empty list"))),
        };
    };
    // Two that cannot be compared are in any order.
    let ordered = |left: &Val<'v>, right: &Val<'v>| order(left, right).ok().flatten();
    let mut kept = first?;
    for item in items {
        let item = item?;
        kept = match function {
            "isSorted" if ordered(&kept, &item).is_some_and(Ordering::is_gt) => return Ok(Val::Bool(false)),
            "isSorted" => item,
            "sum" => arithmetic("_+_", kept, item)?,
            "min" if ordered(&kept, &item).is_some_and(Ordering::is_gt) => item,
            "max" if ordered(&kept, &item).is_some_and(Ordering::is_lt) => item,
            _ => kept,
        };
    }
    Ok(if function == "isSorted" { Val::Bool(true) } else { kept })
}

fn run<'v>(function: &str, items: Vec<Val<'v>>, rest: &[Val<'v>]) -> Result<'v> {
    Ok(match (function, rest) {
        ("slice", [start, end]) => slice(&items, int(start)?, int(end)?)?,
        ("flatten", []) => Val::list(flat(items, 1)?),
        ("flatten", [depth]) => Val::list(flat(items, int(depth)?)?),
        ("sort", []) => sorted(&items, items.clone())?,
        ("@sortByAssociatedKeys", [keys]) => {
            let keys = keys.items().ok_or_else(EvalError::overload)??;
            sorted(&items, keys)?
        }
        ("distinct", []) => {
            let mut seen: Vec<Val<'v>> = Vec::new();
            for item in items {
                if !contains(&seen, &item)? {
                    seen.push(item);
                }
            }
            Val::list(seen)
        }
        ("reverse", []) => Val::list(items.into_iter().rev().collect()),
        ("first", []) => items.into_iter().next().map_or(Val::Optional(None), Val::some),
        ("last", []) => items.into_iter().next_back().map_or(Val::Optional(None), Val::some),
        ("sets.contains" | "sets.equivalent" | "sets.intersects", [other]) => {
            let others = other.items().ok_or_else(EvalError::overload)??;
            Val::Bool(sets(function, &items, &others)?)
        }
        _ => return Err(EvalError::overload()),
    })
}

fn sets<'v>(function: &str, left: &[Val<'v>], right: &[Val<'v>]) -> std::result::Result<bool, EvalError> {
    let covers = |outer: &[Val<'v>], inner: &[Val<'v>]| {
        for item in inner {
            if !contains(outer, item)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    Ok(match function {
        "sets.contains" => covers(left, right)?,
        "sets.equivalent" => covers(left, right)? && covers(right, left)?,
        _ => {
            for item in right {
                if contains(left, item)? {
                    return Ok(true);
                }
            }
            false
        }
    })
}

fn slice<'v>(items: &[Val<'v>], start: i64, end: i64) -> Result<'v> {
    if start < 0 || end < 0 {
        return Err(EvalError::new(format!("cannot slice({start}, {end}), negative indexes not supported")));
    }
    if start > end {
        return Err(EvalError::new(format!(
            "cannot slice({start}, {end}), start index must be less than or equal to end index"
        )));
    }
    let place = |at: i64| usize::try_from(at).unwrap_or(usize::MAX);
    match items.get(place(start)..place(end)) {
        Some(part) => Ok(Val::list(part.to_vec())),
        None => Err(EvalError::new(format!("cannot slice({start}, {end}), list is length {}", items.len()))),
    }
}

fn flat<'v>(items: Vec<Val<'v>>, depth: i64) -> std::result::Result<Vec<Val<'v>>, EvalError> {
    if depth < 0 {
        return Err(EvalError::new("level must be non-negative"));
    }
    let mut out = Vec::new();
    for item in items {
        match item.items().filter(|_| depth > 0) {
            Some(inner) => out.extend(flat(inner?, depth - 1)?),
            None => out.push(item),
        }
    }
    Ok(out)
}

fn sorted<'v>(items: &[Val<'v>], keys: Vec<Val<'v>>) -> Result<'v> {
    let mut failure = None;
    let mut pairs: Vec<(Val<'v>, Val<'v>)> = keys.into_iter().zip(items.iter().cloned()).collect();
    pairs.sort_by(|(left, _), (right, _)| match order(left, right) {
        Ok(order) => order.unwrap_or(Ordering::Equal),
        Err(error) => {
            failure.get_or_insert(error);
            Ordering::Equal
        }
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(Val::list(pairs.into_iter().map(|(_, item)| item).collect())),
    }
}
