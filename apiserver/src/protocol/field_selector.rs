//! `FieldSelector`: which values of a few fields a list or watch wants.
//!
//! In: the text of a `fieldSelector` parameter. Out: conditions on paths. Whether a kind has such a path is the registry's to say.

/// A conjunction of conditions; none means everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FieldSelector(pub(crate) Vec<Condition>);

/// One field that must, or must not, have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub path: String,
    pub value: String,
    pub test: Test,
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    Equal,
    NotEqual,
}

impl FieldSelector {
    /// Reads a selector.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut conditions = Vec::new();
        for term in terms(text).filter(|term| !term.is_empty()) {
            let (path, test, value) = split(term)
                .ok_or_else(|| format!("invalid selector: '{text}'; can't understand '{term}'"))?;
            conditions.push(Condition { path: path.to_owned(), value: plain(value)?, test });
        }
        Ok(Self(conditions))
    }
}

/// Splits at the commas that no backslash hides.
fn terms(text: &str) -> impl Iterator<Item = &str> {
    let mut escaped = false;
    text.split(move |c: char| {
        let splits = c == ',' && !escaped;
        escaped = c == '\\' && !escaped;
        splits
    })
}

fn split(term: &str) -> Option<(&str, Test, &str)> {
    let start = term.find(['=', '!'])?;
    let (path, rest) = term.split_at_checked(start)?;
    if let Some(value) = rest.strip_prefix("!=") {
        return Some((path, Test::NotEqual, value));
    }
    if let Some(value) = rest.strip_prefix("==") {
        return Some((path, Test::Equal, value));
    }
    rest.strip_prefix('=').map(|value| (path, Test::Equal, value))
}

/// Takes the backslashes out of a value.
fn plain(value: &str) -> Result<String, String> {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(c @ ('\\' | ',' | '=')) => out.push(c),
                Some(c) => return Err(format!("invalid field selector: invalid escape sequence: \\{c}")),
                None => return Err("invalid field selector: invalid escape sequence: \\".to_owned()),
            },
            ',' | '=' => {
                // A real server tells the number of the character.
                let code = u32::from(c);
                return Err(format!("invalid field selector: unescaped character in value: {code}"));
            }
            c => out.push(c),
        }
    }
    Ok(out)
}
