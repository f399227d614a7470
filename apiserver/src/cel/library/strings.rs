//! Texts and regular expressions.

use super::{EvalError, Result, Val, compiled};
use crate::cel::ops::{int, text};

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    let Some(Val::Text(first)) = args.first() else {
        return match (function, args) {
            ("join", _) => Some(join(args)),
            _ => None,
        };
    };
    run(function, first, args.get(1..).unwrap_or_default())
}

fn run<'v>(function: &str, first: &str, rest: &[Val<'v>]) -> Option<Result<'v>> {
    let made = |text: String| Some(Ok(Val::text(text)));
    match (function, rest) {
        ("contains", [Val::Text(part)]) => Some(Ok(Val::Bool(first.contains(&**part)))),
        ("startsWith", [Val::Text(part)]) => Some(Ok(Val::Bool(first.starts_with(&**part)))),
        ("endsWith", [Val::Text(part)]) => Some(Ok(Val::Bool(first.ends_with(&**part)))),
        ("lowerAscii", []) => made(first.to_ascii_lowercase()),
        ("upperAscii", []) => made(first.to_ascii_uppercase()),
        ("trim", []) => made(first.trim().to_owned()),
        ("strings.quote", []) => made(crate::protocol::quoted(first)),
        ("charAt", [at]) => Some(char_at(first, at)),
        ("indexOf", [part, ..]) => Some(index_of(first, part, rest.get(1))),
        ("lastIndexOf", [part, ..]) => Some(last_index_of(first, part, rest.get(1))),
        ("replace", [from, to, ..]) => Some(replace(first, (from, to), rest.get(2))),
        ("split", [separator, ..]) => Some(split(first, separator, rest.get(1))),
        ("substring", [start, ..]) => Some(substring(first, start, rest.get(1))),
        ("find", [pattern]) => Some(find(first, pattern)),
        ("findAll", [pattern, ..]) => Some(find_all(first, pattern, rest.get(1))),
        ("format", [values]) => Some(format(first, values)),
        _ => None,
    }
}

fn out_of_range(at: i64) -> EvalError {
    EvalError::new(format!("index out of range: {at}"))
}

fn number(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}

fn join<'v>(args: &[Val<'v>]) -> Result<'v> {
    let (Some(list), rest) = (args.first(), args.get(1)) else { return Err(EvalError::overload()) };
    let items = list.items().ok_or_else(EvalError::overload)??;
    let separator = rest.map(text).transpose()?.unwrap_or_default();
    let texts = items.iter().map(text).collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(Val::text(texts.join(separator)))
}

fn char_at<'v>(first: &str, at: &Val<'v>) -> Result<'v> {
    let at = int(at)?;
    let length = number(first.chars().count());
    let place = usize::try_from(at).ok().filter(|_| at <= length).ok_or_else(|| out_of_range(at))?;
    Ok(Val::text(first.chars().nth(place).map(String::from).unwrap_or_default()))
}

fn index_of<'v>(first: &str, part: &Val<'v>, from: Option<&Val<'v>>) -> Result<'v> {
    let part: Vec<char> = text(part)?.chars().collect();
    let letters: Vec<char> = first.chars().collect();
    let from = from.map(int).transpose()?.unwrap_or_default();
    let start = usize::try_from(from).map_err(|_| out_of_range(from))?;
    if part.is_empty() {
        return Ok(Val::Int(from));
    }
    if start >= letters.len() {
        return Ok(Val::Int(-1));
    }
    let found =
        letters.windows(part.len()).enumerate().skip(start).find(|(_, window)| *window == part.as_slice());
    Ok(Val::Int(found.map_or(-1, |(at, _)| number(at))))
}

fn last_index_of<'v>(first: &str, part: &Val<'v>, from: Option<&Val<'v>>) -> Result<'v> {
    let part: Vec<char> = text(part)?.chars().collect();
    let letters: Vec<char> = first.chars().collect();
    let last = from.map(int).transpose()?.unwrap_or_else(|| number(letters.len()));
    let end = usize::try_from(last).map_err(|_| out_of_range(last))?;
    if part.is_empty() {
        return Ok(Val::Int(number(end.min(letters.len()))));
    }
    let mut found = letters
        .windows(part.len())
        .enumerate()
        .filter(|(at, window)| *at <= end && *window == part.as_slice());
    Ok(Val::Int(found.next_back().map_or(-1, |(at, _)| number(at))))
}

fn replace<'v>(first: &str, (from, to): (&Val<'v>, &Val<'v>), limit: Option<&Val<'v>>) -> Result<'v> {
    let (from, to) = (text(from)?, text(to)?);
    let limit = limit.map(int).transpose()?.unwrap_or(-1);
    Ok(Val::text(match usize::try_from(limit) {
        Ok(limit) => first.replacen(from, to, limit),
        Err(_) => first.replace(from, to),
    }))
}

fn split<'v>(first: &str, separator: &Val<'v>, limit: Option<&Val<'v>>) -> Result<'v> {
    let separator = text(separator)?;
    let limit = limit.map(int).transpose()?.unwrap_or(-1);
    if limit == 0 {
        return Ok(Val::list(Vec::new()));
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if separator.is_empty() {
        let letters: Vec<String> = first.chars().map(String::from).collect();
        let (single, rest) = letters.split_at(limit.saturating_sub(1).min(letters.len()));
        let mut parts: Vec<Val<'v>> = single.iter().map(|letter| Val::text(letter.as_str())).collect();
        if !rest.is_empty() {
            parts.push(Val::text(rest.concat()));
        }
        return Ok(Val::list(parts));
    }
    Ok(Val::list(first.splitn(limit, separator).map(Val::text).collect()))
}

fn substring<'v>(first: &str, start: &Val<'v>, end: Option<&Val<'v>>) -> Result<'v> {
    let length = number(first.chars().count());
    let start = int(start)?;
    let stop = end.map(int).transpose()?.unwrap_or(length);
    if end.is_some() && start > stop {
        return Err(EvalError::new(format!("invalid substring range. start: {start}, end: {stop}")));
    }
    if start < 0 || start > length {
        return Err(out_of_range(start));
    }
    if stop < 0 || stop > length {
        return Err(out_of_range(stop));
    }
    let place = |at: i64| usize::try_from(at).unwrap_or_default();
    let taken: String = first.chars().skip(place(start)).take(place(stop - start)).collect();
    Ok(Val::text(taken))
}

fn legal(pattern: &Val<'_>) -> std::result::Result<regex::Regex, EvalError> {
    compiled(text(pattern)?).map_err(|error| EvalError::new(format!("Illegal regex: {error}")))
}

fn find<'v>(first: &str, pattern: &Val<'v>) -> Result<'v> {
    let pattern = legal(pattern)?;
    Ok(Val::text(pattern.find(first).map(|found| found.as_str()).unwrap_or_default()))
}

fn find_all<'v>(first: &str, pattern: &Val<'v>, limit: Option<&Val<'v>>) -> Result<'v> {
    let pattern = legal(pattern)?;
    let limit = limit.map(int).transpose()?.unwrap_or(-1);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    Ok(Val::list(pattern.find_iter(first).take(limit).map(|found| Val::text(found.as_str())).collect()))
}

/// `%s`, `%d` and their kin.
fn format<'v>(first: &str, values: &Val<'v>) -> Result<'v> {
    let values = values.items().ok_or_else(EvalError::overload)??;
    let mut values = values.into_iter();
    let mut out = String::new();
    let mut letters = first.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            out.push(letter);
            continue;
        }
        if letters.peek() == Some(&'%') {
            letters.next();
            out.push('%');
            continue;
        }
        let mut precision = None;
        if letters.peek() == Some(&'.') {
            letters.next();
            let mut digits = String::new();
            while let Some(digit) = letters.peek().filter(|digit| digit.is_ascii_digit()) {
                digits.push(*digit);
                letters.next();
            }
            let wanted = digits.parse::<usize>().unwrap_or(usize::MAX);
            if !digits.is_empty() && wanted > PRECISION {
                return Err(EvalError::new(format!("a precision of more than {PRECISION} digits")));
            }
            precision = Some(wanted).filter(|_| !digits.is_empty());
        }
        let clause = letters.next().ok_or_else(|| EvalError::new("unexpected end of format string"))?;
        let value = values.next().ok_or_else(|| EvalError::new("index 0 out of range"))?;
        out.push_str(&clause_text(clause, precision, &value)?);
    }
    Ok(Val::text(out))
}

/// How many digits a number may be written with behind the point.
const PRECISION: usize = 1_000_000;
/// How many digits behind the point a double has at most.
const DIGITS: usize = 1_074;

/// What stands behind the last digit that a double can have.
fn zeros(precision: usize) -> String {
    "0".repeat(precision.saturating_sub(DIGITS))
}

fn clause_text(
    clause: char,
    precision: Option<usize>,
    value: &Val<'_>,
) -> std::result::Result<String, EvalError> {
    let precision = precision.unwrap_or(6);
    let refused = |words: &str| {
        let of = value.type_name();
        EvalError::new(format!("error during formatting: {words}, was given {of}"))
    };
    let float = |words: &str| match value {
        Val::Double(value) => Ok(*value),
        _ => Err(refused(words)),
    };
    Ok(match clause {
        's' => super::shown::formatted(value)?,
        'd' => match value {
            Val::Int(_) | Val::UInt(_) => super::shown(value),
            _ => return Err(refused("decimal clause can only be used on integers")),
        },
        'f' => {
            let (value, zeros) = (float("fixed-point clause can only be used on doubles")?, zeros(precision));
            format!("{value:.0$}{zeros}", precision - zeros.len())
        }
        'e' => {
            let (value, zeros) = (float("scientific clause can only be used on doubles")?, zeros(precision));
            let text = format!("{value:.0$e}", precision - zeros.len());
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let (sign, exponent) =
                exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
            format!("{digits}{zeros}e{sign}{exponent:0>2}")
        }
        'b' => match value {
            Val::Bool(value) => u8::from(*value).to_string(),
            other => whole(other, |size| format!("{size:b}"))?,
        },
        'o' => whole(value, |size| format!("{size:o}"))?,
        'x' | 'X' => {
            let bytes = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let hex = match value {
                Val::Text(text) => bytes(text.as_bytes()),
                Val::Bytes(value) => bytes(value),
                other => whole(other, |size| format!("{size:x}"))?,
            };
            if clause == 'X' { hex.to_uppercase() } else { hex }
        }
        other => return Err(EvalError::new(format!("unrecognized formatting clause \"{other}\""))),
    })
}

/// A whole number with its sign before its digits.
fn whole(value: &Val<'_>, digits: impl Fn(u64) -> String) -> std::result::Result<String, EvalError> {
    match value {
        Val::UInt(value) => Ok(digits(*value)),
        other => {
            let value = int(other)?;
            Ok(format!("{}{}", if value < 0 { "-" } else { "" }, digits(value.unsigned_abs())))
        }
    }
}
