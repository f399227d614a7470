//! Lists and sets.

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
    let items = args.first()?.items()?;
    let known = [
        "isSorted",
        "sum",
        "min",
        "max",
        "indexOf",
        "lastIndexOf",
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

fn run<'v>(function: &str, items: Vec<Val<'v>>, rest: &[Val<'v>]) -> Result<'v> {
    let number = |at: usize| Val::Int(i64::try_from(at).unwrap_or(i64::MAX));
    Ok(match (function, rest) {
        ("isSorted", []) => {
            for pair in items.windows(2) {
                if let [left, right] = pair
                    && order(left, right)?.is_some_and(std::cmp::Ordering::is_gt)
                {
                    return Ok(Val::Bool(false));
                }
            }
            Val::Bool(true)
        }
        ("sum", []) => {
            let mut items = items.into_iter();
            let Some(mut total) = items.next() else { return Ok(Val::Int(0)) };
            for item in items {
                total = arithmetic("_+_", total, item)?;
            }
            total
        }
        ("min" | "max", []) => extreme(function, items)?,
        ("indexOf" | "lastIndexOf", [wanted]) => {
            let mut found = Val::Int(-1);
            for (at, item) in items.iter().enumerate() {
                if equal(item, wanted)? {
                    found = number(at);
                    if function == "indexOf" {
                        break;
                    }
                }
            }
            found
        }
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

fn extreme<'v>(function: &str, items: Vec<Val<'v>>) -> Result<'v> {
    let mut items = items.into_iter();
    let Some(mut best) = items.next() else {
        return Err(EvalError::new(format!("{function} called on empty list")));
    };
    for item in items {
        let better = order(&item, &best)?
            .is_some_and(|order| if function == "min" { order.is_lt() } else { order.is_gt() });
        if better {
            best = item;
        }
    }
    Ok(best)
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
        Ok(order) => order.unwrap_or(std::cmp::Ordering::Equal),
        Err(error) => {
            failure.get_or_insert(error);
            std::cmp::Ordering::Equal
        }
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(Val::list(pairs.into_iter().map(|(_, item)| item).collect())),
    }
}
