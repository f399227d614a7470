//! `LabelSelector`: which labels a list or watch wants.
//!
//! In: the text of a `labelSelector` parameter. Out: requirements that labels meet or not, or the words of the real parser about what
//! it cannot read. It looks at nothing but labels.

use super::{
    field_error::quoted,
    names::{label_value_errors, qualified_name_errors},
};

/// A conjunction of requirements; none means everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LabelSelector(Vec<Requirement>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Requirement {
    pub(super) key: String,
    pub(super) rule: Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Exists,
    Absent,
    In(Vec<String>),
    NotIn(Vec<String>),
    Above(i64),
    Below(i64),
}

impl LabelSelector {
    /// Reads a selector.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        Parser::new(text).selector().map(Self)
    }

    pub(super) fn of_requirements(requirements: Vec<Requirement>) -> Self {
        Self(requirements)
    }

    /// Whether it selects everything.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether labels, looked up by key, meet every requirement.
    pub(crate) fn matches<'a>(&self, label: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.0.iter().all(|requirement| {
            let value = label(&requirement.key);
            match (&requirement.rule, value) {
                (Rule::Exists, value) => value.is_some(),
                (Rule::Absent, value) => value.is_none(),
                (Rule::In(values), Some(value)) => values.iter().any(|one| one == value),
                (Rule::NotIn(values), Some(value)) => values.iter().all(|one| one != value),
                (Rule::NotIn(_), None) => true,
                (Rule::Above(limit), Some(value)) => value.parse::<i64>().is_ok_and(|number| number > *limit),
                (Rule::Below(limit), Some(value)) => value.parse::<i64>().is_ok_and(|number| number < *limit),
                (Rule::In(_) | Rule::Above(_) | Rule::Below(_), None) => false,
            }
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    End,
    Word,
    In,
    NotIn,
    Equals,
    NotEquals,
    Not,
    Above,
    Below,
    Open,
    Close,
    Comma,
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Operators,
    Values,
}

struct Parser<'a> {
    tokens: Vec<(Token, &'a str)>,
    position: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Self { tokens: scan(text), position: 0 }
    }

    fn look(&self, context: Context) -> (Token, &'a str) {
        let (token, text) = self.tokens.get(self.position).copied().unwrap_or((Token::End, ""));
        match token {
            Token::In | Token::NotIn if context == Context::Values => (Token::Word, text),
            token => (token, text),
        }
    }

    fn take(&mut self, context: Context) -> (Token, &'a str) {
        let found = self.look(context);
        self.position += 1;
        found
    }

    fn selector(&mut self) -> Result<Vec<Requirement>, String> {
        let mut requirements = Vec::new();
        loop {
            match self.look(Context::Values) {
                (Token::Word | Token::Not, _) => {
                    let requirement = self.requirement();
                    requirements.push(requirement.map_err(|e| format!("unable to parse requirement: {e}"))?);
                    match self.take(Context::Values) {
                        (Token::End, _) => return Ok(requirements),
                        (Token::Comma, _) => match self.look(Context::Values) {
                            (Token::Word | Token::Not, _) => {}
                            (_, text) => {
                                return Err(format!("found '{text}', expected: identifier after ','"));
                            }
                        },
                        (_, text) => {
                            return Err(format!("found '{text}', expected: ',' or 'end of string'"));
                        }
                    }
                }
                (Token::End, _) => return Ok(requirements),
                (_, text) => {
                    return Err(format!("found '{text}', expected: !, identifier, or 'end of string'"));
                }
            }
        }
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let (mut token, mut key) = self.take(Context::Values);
        let negated = token == Token::Not;
        if negated {
            (token, key) = self.take(Context::Values);
        }
        if token != Token::Word {
            return Err(format!("found '{key}', expected: identifier"));
        }
        if let Some(error) = joined("<nil>", key, &qualified_name_errors(key)) {
            return Err(error);
        }
        let key_only = matches!(self.look(Context::Values).0, Token::End | Token::Comma);
        let rule = match (negated, key_only) {
            (true, _) => Rule::Absent,
            (false, true) => Rule::Exists,
            (false, false) => self.rule(key)?,
        };
        Ok(Requirement { key: key.to_owned(), rule })
    }

    fn rule(&mut self, key: &str) -> Result<Rule, String> {
        let (operator, text) = self.take(Context::Operators);
        let values = match operator {
            Token::In | Token::NotIn => self.values()?,
            Token::Equals | Token::NotEquals | Token::Above | Token::Below => vec![self.value()?],
            _ => {
                return Err(format!("found '{text}', expected: in, notin, =, ==, !=, gt, lt"));
            }
        };
        if values.is_empty() {
            return Err("values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"
                .to_owned());
        }
        let limit = values.first().and_then(|value| value.parse().ok());
        let rule = match (operator, limit) {
            (Token::Above, Some(limit)) => Rule::Above(limit),
            (Token::Below, Some(limit)) => Rule::Below(limit),
            (Token::Above | Token::Below, None) => {
                let value = values.first().map(String::as_str).unwrap_or_default();
                return Err(format!(
                    "values[0]: Invalid value: {}: for 'Gt', 'Lt' operators, the value must be an integer",
                    quoted(value)
                ));
            }
            (Token::NotIn | Token::NotEquals, _) => Rule::NotIn(values.clone()),
            _ => Rule::In(values.clone()),
        };
        for (index, value) in values.iter().enumerate() {
            let path = format!("values[{index}][{key}]");
            if let Some(error) = joined(&path, value, &label_value_errors(value)) {
                return Err(error);
            }
        }
        Ok(rule)
    }

    fn value(&mut self) -> Result<String, String> {
        if matches!(self.look(Context::Values).0, Token::End | Token::Comma) {
            return Ok(String::new());
        }
        match self.take(Context::Values) {
            (Token::Word, text) => Ok(text.to_owned()),
            (_, text) => Err(format!("found '{text}', expected: identifier")),
        }
    }

    fn values(&mut self) -> Result<Vec<String>, String> {
        let (token, text) = self.take(Context::Values);
        if token != Token::Open {
            return Err(format!("found '{text}' expected: '('"));
        }
        let mut values: Vec<String> = Vec::new();
        match self.look(Context::Values) {
            (Token::Close, _) => {
                self.take(Context::Values);
                // Nothing in brackets is an empty text.
                return Ok(vec![String::new()]);
            }
            (Token::Word | Token::Comma, _) => {}
            (_, text) => return Err(format!("found '{text}', expected: ',', ')' or identifier")),
        }
        loop {
            match self.take(Context::Values) {
                (Token::Word, text) => {
                    values.push(text.to_owned());
                    match self.look(Context::Values) {
                        (Token::Comma, _) => {}
                        (Token::Close, _) => break,
                        (_, text) => {
                            return Err(format!("found '{text}', expected: ',' or ')'"));
                        }
                    }
                }
                (Token::Comma, _) => {
                    if values.is_empty() {
                        values.push(String::new());
                    }
                    match self.look(Context::Values).0 {
                        Token::Close => {
                            values.push(String::new());
                            break;
                        }
                        Token::Comma => {
                            self.take(Context::Values);
                            values.push(String::new());
                        }
                        _ => {}
                    }
                }
                (_, text) => return Err(format!("found '{text}', expected: ',', or identifier")),
            }
        }
        self.take(Context::Values);
        values.sort();
        values.dedup();
        Ok(values)
    }
}

/// The error texts about one value, as a list of field errors prints them; none for none.
fn joined(path: &str, value: &str, errors: &[String]) -> Option<String> {
    let texts: Vec<String> =
        errors.iter().map(|error| format!("{path}: Invalid value: {}: {error}", quoted(value))).collect();
    match texts.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        many => Some(format!("[{}]", many.join(", "))),
    }
}

fn scan(text: &str) -> Vec<(Token, &str)> {
    let special = |c: char| matches!(c, '=' | '!' | '(' | ')' | ',' | '>' | '<');
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches([' ', '\t', '\r', '\n']);
    while let Some(first) = rest.chars().next() {
        let length = if special(first) {
            let two = rest.get(..2).unwrap_or_default();
            if matches!(two, "==" | "!=") { 2 } else { 1 }
        } else {
            rest.find(|c: char| special(c) || matches!(c, ' ' | '\t' | '\r' | '\n')).unwrap_or(rest.len())
        };
        let (word, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let token = match word {
            "=" | "==" => Token::Equals,
            "!=" => Token::NotEquals,
            "!" => Token::Not,
            ">" => Token::Above,
            "<" => Token::Below,
            "(" => Token::Open,
            ")" => Token::Close,
            "," => Token::Comma,
            "in" => Token::In,
            "notin" => Token::NotIn,
            "" => Token::Error,
            _ => Token::Word,
        };
        tokens.push((token, word));
        rest = tail.trim_start_matches([' ', '\t', '\r', '\n']);
    }
    tokens
}
