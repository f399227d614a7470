//! How long and how deep an expression may be: as long and as deep as for cel-go.
//!
//! In: the text of an expression, or its tree. Out: whether it is too much, in cel-go's words. It sees brackets and texts, not grammar;
//! what is counted are the places at which the grammar begins an expression anew.

use super::{
    Issue,
    ast::{Expr, Kind},
};

/// How many letters an expression may have.
const LETTERS: usize = 100_000;
/// How many expressions may stand in each other, and how many operators, members and calls.
pub(super) const DEPTH: usize = 250;

/// Refuses a text that is too long, or in which too many expressions stand in each other.
pub(super) fn check_text(source: &str) -> Result<(), Issue> {
    let letters = source.chars().count();
    if letters > LETTERS {
        return Err(Issue::of_all(format!(
            "expression code point size exceeds limit: size: {letters}, limit {LETTERS}"
        )));
    }
    if nesting(source) > DEPTH {
        return Err(Issue::of_all(format!("expression recursion limit exceeded: {DEPTH}")));
    }
    Ok(())
}

/// Refuses a tree in which too many operators, members and calls stand in each other.
pub(super) fn check_tree(expr: &Expr) -> Result<(), Issue> {
    if depth(expr) > DEPTH {
        return Err(Issue::of_all("max recursion depth exceeded".to_owned()));
    }
    Ok(())
}

fn depth(expr: &Expr) -> usize {
    let below = expr.below().into_iter().map(depth).max().unwrap_or_default();
    below + usize::from(counts(&expr.kind))
}

fn counts(kind: &Kind) -> bool {
    match kind {
        Kind::Select { .. } | Kind::Fold(_) => true,
        Kind::Call { target: Some(_), .. } => true,
        // Operators that stand between their arguments, but for those whose chains are balanced.
        Kind::Call { function, .. } => {
            function.starts_with('_') && function != "_&&_" && function != "_||_" || function == "@in"
        }
        Kind::Literal(_) | Kind::Ident(_) | Kind::List { .. } | Kind::Map { .. } | Kind::Message { .. } => {
            false
        }
    }
}

/// An open bracket.
#[derive(Default)]
struct Open {
    /// Whether anything stands in it.
    filled: bool,
    /// How many conditions of `? :` stand in it one behind the other.
    conditions: usize,
}

/// How many expressions stand in each other where it is worst.
fn nesting(source: &str) -> usize {
    let mut open = vec![Open { filled: true, conditions: 0 }];
    let (mut now, mut most) = (1, 1);
    let mut before = ' ';
    let mut letters = source.chars();
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() || skip_comment(letter, &mut letters) {
            continue;
        }
        let closes = matches!(letter, ')' | ']' | '}');
        if let Some(bracket) = open.last_mut()
            && !closes
            && !std::mem::replace(&mut bracket.filled, true)
        {
            now += 1;
        }
        match letter {
            '(' | '[' | '{' => open.push(Open::default()),
            ')' | ']' | '}' if open.len() > 1 => {
                let bracket = open.pop().unwrap_or_default();
                now -= usize::from(bracket.filled) + bracket.conditions;
            }
            ',' => {
                let ended = open.last_mut().map(|bracket| std::mem::take(&mut bracket.conditions));
                now -= ended.unwrap_or_default();
            }
            // Not the mark of an optional member, item or entry.
            '?' if !matches!(before, '.' | '[' | '{' | ',') => {
                now += 1;
                if let Some(bracket) = open.last_mut() {
                    bracket.conditions += 1;
                }
            }
            '"' | '\'' => skip_text(letter, before, &mut letters),
            _ => {}
        }
        most = most.max(now);
        before = letter;
    }
    most
}

/// Goes to the end of a comment, if one begins here.
fn skip_comment(letter: char, letters: &mut std::str::Chars<'_>) -> bool {
    let begins = letter == '/' && letters.as_str().starts_with('/');
    if begins {
        letters.find(|letter| *letter == '\n');
    }
    begins
}

/// Goes to the end of a text that has just begun.
fn skip_text(quote: char, before: char, letters: &mut std::str::Chars<'_>) {
    let is_raw = matches!(before, 'r' | 'R');
    let rest = if quote == '"' { "\"\"" } else { "''" };
    let long = letters.as_str().starts_with(rest);
    if long {
        letters.nth(1);
    }
    while let Some(letter) = letters.next() {
        if letter == '\\' && !is_raw {
            letters.next();
        } else if letter == quote && !long {
            return;
        } else if letter == quote && letters.as_str().starts_with(rest) {
            letters.nth(1);
            return;
        }
    }
}
