//! `JsonPath`: the paths that columns are written in.
//!
//! In: a text such as `.spec.rows[?(@.name=="a")].value`. Out: what it finds in a value, in order. Known are names (plain, escaped with a
//! backslash, or quoted in brackets), `*`, indexes and slices, `..name`, and filters that compare a path with a literal; a text with
//! anything else is no path.

use serde_json::Value;

/// A path into a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JsonPath(Vec<Step>);

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Name(String),
    Every,
    Index(i64),
    Slice(Option<i64>, Option<i64>),
    /// Everything below, at any depth.
    Deep,
    Filter(JsonPath, Test),
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    Exists,
    Equal(Value),
    Unequal(Value),
    Less(Value),
    Greater(Value),
    AtMost(Value),
    AtLeast(Value),
}

impl JsonPath {
    /// Reads a path.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        let mut rest = text.trim();
        rest = rest.strip_prefix('$').unwrap_or(rest);
        while !rest.is_empty() {
            let (step, after) = if let Some(inside) = rest.strip_prefix('[') {
                let end = closing(inside)?;
                (bracket(inside.get(..end)?)?, inside.get(end + 1..)?)
            } else if let Some(after) = rest.strip_prefix("..") {
                steps.push(Step::Deep);
                name(after)?
            } else if let Some(after) = rest.strip_prefix('.') {
                if after.is_empty() || after.starts_with('[') {
                    rest = after;
                    continue;
                }
                name(after)?
            } else {
                name(rest)?
            };
            steps.push(step);
            rest = after;
        }
        Some(Self(steps))
    }

    /// What the path finds.
    pub(crate) fn find<'a>(&self, value: &'a Value) -> Vec<&'a Value> {
        let mut found = vec![value];
        for step in &self.0 {
            found = found.into_iter().flat_map(|value| step.find(value)).collect();
        }
        found
    }
}

impl Step {
    fn find<'a>(&self, value: &'a Value) -> Vec<&'a Value> {
        let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
        match self {
            Self::Name(name) => value.get(name.as_str()).into_iter().collect(),
            Self::Every => children(value),
            Self::Index(index) => {
                place(*index, items.len()).and_then(|at| items.get(at)).into_iter().collect()
            }
            Self::Slice(from, to) => {
                let bound = |at: Option<i64>, none: usize| match at {
                    None => none,
                    Some(at) => place(at, items.len()).unwrap_or(if at < 0 { 0 } else { items.len() }),
                };
                let (from, to) = (bound(*from, 0), bound(*to, items.len()));
                items.get(from..to).unwrap_or_default().iter().collect()
            }
            Self::Deep => {
                let mut all = vec![value];
                let mut next = 0;
                while let Some(value) = all.get(next) {
                    all.extend(children(value));
                    next += 1;
                }
                all
            }
            Self::Filter(path, test) => {
                items.iter().filter(|item| path.find(item).iter().any(|found| test.passes(found))).collect()
            }
        }
    }
}

impl Test {
    fn passes(&self, value: &Value) -> bool {
        let order = |other: &Value| match (value, other) {
            (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
            (a, b) => a.as_f64()?.partial_cmp(&b.as_f64()?),
        };
        match self {
            Self::Exists => true,
            Self::Equal(other) => equal(value, other),
            Self::Unequal(other) => !equal(value, other),
            Self::Less(other) => order(other).is_some_and(std::cmp::Ordering::is_lt),
            Self::Greater(other) => order(other).is_some_and(std::cmp::Ordering::is_gt),
            Self::AtMost(other) => order(other).is_some_and(std::cmp::Ordering::is_le),
            Self::AtLeast(other) => order(other).is_some_and(std::cmp::Ordering::is_ge),
        }
    }
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    }
}

/// The place that an index means; a negative one counts from the end.
fn place(index: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    usize::try_from(if index < 0 { length + index } else { index }).ok()
}

/// A name at the beginning of a text, and what follows.
fn name(text: &str) -> Option<(Step, &str)> {
    let mut out = String::new();
    let mut letters = text.char_indices();
    let mut end = text.len();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => out.push(letters.next()?.1),
            '.' | '[' => {
                end = at;
                break;
            }
            _ => out.push(letter),
        }
    }
    let step = match out.as_str() {
        "" => return None,
        "*" => Step::Every,
        _ => Step::Name(out),
    };
    Some((step, text.get(end..)?))
}

/// Where the bracket that was opened before a text is closed.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0, None);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[') => depth += 1,
            (None, ']') if depth == 0 => return Some(at),
            (None, ']') => depth -= 1,
            (None, _) => {}
        }
    }
    None
}

/// What stands between brackets.
fn bracket(text: &str) -> Option<Step> {
    let text = text.trim();
    if let Some(filter) = text.strip_prefix("?(").and_then(|rest| rest.strip_suffix(')')) {
        return filtered(filter);
    }
    if let Some(name) = quoted(text) {
        return Some(Step::Name(name));
    }
    if text == "*" || text == ":" {
        return Some(Step::Every);
    }
    let number = |text: &str| text.trim().parse::<i64>().ok();
    match text.split_once(':') {
        None => number(text).map(Step::Index),
        Some((from, to)) => {
            let bound = |text: &str| match text.trim() {
                "" => Some(None),
                text => number(text).map(Some),
            };
            Some(Step::Slice(bound(from)?, bound(to)?))
        }
    }
}

fn quoted(text: &str) -> Option<String> {
    let inside = ['\'', '"'].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote))?;
    Some(inside.replace("\\.", "."))
}

fn filtered(text: &str) -> Option<Step> {
    type Make = fn(Value) -> Test;
    const TESTS: [(&str, Make); 6] = [
        ("==", Test::Equal),
        ("!=", Test::Unequal),
        ("<=", Test::AtMost),
        (">=", Test::AtLeast),
        ("<", Test::Less),
        (">", Test::Greater),
    ];
    let split = TESTS.iter().find_map(|(sign, make)| Some((text.split_once(sign)?, make)));
    let Some(((left, right), make)) = split else {
        return Some(Step::Filter(JsonPath::parse(text.trim().strip_prefix('@')?)?, Test::Exists));
    };
    let right = right.trim();
    let literal = match quoted(right) {
        Some(text) => Value::from(text),
        None => serde_json::from_str(right).ok()?,
    };
    Some(Step::Filter(JsonPath::parse(left.trim().strip_prefix('@')?)?, make(literal)))
}
