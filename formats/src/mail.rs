//! Addresses of mail, as Go's `mail.ParseAddress` takes them: `a@example.com`, `Name <a@example.com>`, a group with one member.

use super::addresses::is_ipv6;
use std::net::Ipv4Addr;

/// One address, with a name or without.
pub(super) fn is_address(text: &str) -> bool {
    let mut reader = Reader { rest: text };
    let count = reader.mailbox(Groups::Allowed);
    count == Some(1) && reader.comments().is_some() && reader.rest.is_empty()
}

/// Whether several addresses may stand under one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Groups {
    Allowed,
    None,
}

#[derive(Clone, Copy)]
struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn eat(&mut self, letter: char) -> bool {
        let rest = self.rest.strip_prefix(letter);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// An address, or a group; how many addresses that are.
    fn mailbox(&mut self, groups: Groups) -> Option<usize> {
        self.blanks();
        let before = *self;
        if self.plain().is_some() {
            self.blanks();
            return match self.eat('(') {
                true => {
                    self.comment().filter(|comment| !comment.split([' ', '\t']).any(is_foreign)).map(|_| 1)
                }
                false => Some(1),
            };
        }
        *self = before;
        if !self.rest.starts_with('<') {
            self.phrase()?;
        }
        self.blanks();
        if groups == Groups::Allowed && self.eat(':') {
            return self.group();
        }
        (self.eat('<') && self.plain().is_some() && self.eat('>')).then_some(1)
    }

    /// The members of a group, up to its `;`.
    fn group(&mut self) -> Option<usize> {
        let mut count = 0;
        self.blanks();
        while !(count == 0 && self.eat(';')) {
            count += self.mailbox(Groups::None)?;
            self.comments()?;
            if self.eat(';') {
                break;
            }
            if !self.eat(',') {
                return None;
            }
        }
        self.comments()?;
        Some(count)
    }

    /// `a@example.com`.
    fn plain(&mut self) -> Option<()> {
        self.blanks();
        if self.rest.starts_with('"') {
            self.quoted().filter(|text| !text.is_empty())?;
        } else {
            self.dotted()?;
        }
        if !self.eat('@') {
            return None;
        }
        self.blanks();
        if !self.eat('[') {
            return self.dotted();
        }
        let (address, rest) = self.rest.split_once(']')?;
        self.rest = rest;
        (address.parse::<Ipv4Addr>().is_ok() || is_ipv6(address)).then_some(())
    }

    /// Words with dots between.
    fn dotted(&mut self) -> Option<()> {
        let atom = self.atom()?;
        (!atom.starts_with('.') && !atom.ends_with('.') && !atom.contains("..")).then_some(())
    }

    fn atom(&mut self) -> Option<&'t str> {
        let is_of_atom = |letter: char| is_visible(letter) && !"()<>[]:;@\\,\"".contains(letter);
        let end = self.rest.find(|letter| !is_of_atom(letter)).unwrap_or(self.rest.len());
        let (atom, rest) = self.rest.split_at_checked(end).filter(|(atom, _)| !atom.is_empty())?;
        self.rest = rest;
        Some(atom)
    }

    /// A text between quotes.
    fn quoted(&mut self) -> Option<&'t str> {
        let text = self.rest.strip_prefix('"')?;
        let mut letters = text.char_indices();
        while let Some((at, letter)) = letters.next() {
            let is_fine = match letter {
                '"' => {
                    self.rest = text.get(at + 1..)?;
                    return text.get(..at);
                }
                '\\' => letters.next().is_some_and(|(_, letter)| is_inner(letter)),
                letter => is_inner(letter),
            };
            if !is_fine {
                return None;
            }
        }
        None
    }

    /// A name of one or more words.
    fn phrase(&mut self) -> Option<()> {
        let mut is_any = false;
        loop {
            if is_any {
                self.comments()?;
            }
            self.blanks();
            if self.rest.is_empty() {
                return Some(());
            }
            let is_word = match self.rest.starts_with('"') {
                true => self.quoted().is_some(),
                false => self.atom().is_some_and(|word| !is_foreign(word)),
            };
            if !is_word {
                return is_any.then_some(());
            }
            is_any = true;
        }
    }

    /// Comments, as far as there are any.
    fn comments(&mut self) -> Option<()> {
        self.blanks();
        while self.eat('(') {
            self.comment()?;
            self.blanks();
        }
        Some(())
    }

    /// A comment behind its bracket; others may be in it.
    fn comment(&mut self) -> Option<&'t str> {
        let text = self.rest;
        let mut depth = 1;
        let mut letters = text.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => {
                    letters.next();
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.rest = text.get(at + 1..)?;
                return text.get(..at);
            }
        }
        None
    }
}

fn is_visible(letter: char) -> bool {
    !letter.is_ascii() || letter.is_ascii_graphic()
}

fn is_inner(letter: char) -> bool {
    is_visible(letter) || matches!(letter, ' ' | '\t')
}

/// Whether a word is encoded, `=?set?q?text?=`, from a set of letters that is not known.
fn is_foreign(word: &str) -> bool {
    let Some(inner) = word.strip_prefix("=?").and_then(|word| word.strip_suffix("?=")) else { return false };
    let parts: Vec<&str> = inner.split('?').collect();
    let [set, encoding, text] = parts.as_slice() else { return false };
    let is_known = ["utf-8", "iso-8859-1", "us-ascii"].iter().any(|known| known.eq_ignore_ascii_case(set));
    let is_readable = match encoding.to_ascii_lowercase().as_str() {
        "q" => {
            let is_code = |rest: &str| {
                rest.get(..2).is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))
            };
            text.is_ascii() && text.split('=').skip(1).all(is_code)
        }
        "b" => super::has("byte", text) || text.is_empty(),
        _ => false,
    };
    !set.is_empty() && !is_known && is_readable
}
