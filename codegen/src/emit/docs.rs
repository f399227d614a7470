//! Documentation for generated items: the authors' own words, carried over from the types.
//!
//! In: text in Markdown as it stands above a type or a field, written for another place. Out: `#[doc]` attributes that
//! neither rustc, rustdoc nor clippy complain about and that mean nothing new here: links to items that are not in
//! scope become text, bare addresses become links, examples are shown but not run. It never drops a word.

use proc_macro2::TokenStream;
use quote::quote;

/// Doc attributes for text of our own, a line each.
pub(crate) fn doc(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
    quote!(#(#[doc = #lines])*)
}

/// Doc attributes for a sentence of our own, followed by the words of the type's author.
pub(crate) fn doc_with(own: &str, carried: &str) -> TokenStream {
    let carried = clean(carried);
    if carried.is_empty() { doc(own) } else { doc(&format!("{own}\n\n{carried}")) }
}

/// Doc attributes for the words of the type's author, or a sentence of our own where there are none.
pub(crate) fn doc_or(carried: &str, own: &str) -> TokenStream {
    let carried = clean(carried);
    doc(if carried.is_empty() { own } else { &carried })
}

/// The author's text, made fit for another place.
pub(crate) fn clean(text: &str) -> String {
    let mut cleaner = Cleaner::default();
    for line in text.lines() {
        cleaner.line(line);
    }
    cleaner.finish()
}

#[derive(Default)]
struct Cleaner {
    lines: Vec<String>,
    /// The marks that opened a code block, while in one.
    fence: Option<String>,
    /// How far the text of the current list item is indented, while in a list.
    item: Option<usize>,
}

impl Cleaner {
    fn line(&mut self, line: &str) {
        let line = line.trim_end().replace('\t', "    ");
        let text = line.trim_start();
        if let Some(fence) = &self.fence {
            if text.starts_with(fence.as_str()) && text.trim_matches(['`', '~']).is_empty() {
                self.fence = None;
            }
            self.lines.push(line);
        } else if let Some(fence) = fence_of(text) {
            // Examples belong to the place where they were written: shown, not run.
            self.lines.push(format!("{}{fence}text", " ".repeat(line.len() - text.len())));
            self.fence = Some(fence);
        } else if text.is_empty() {
            self.blank();
        } else {
            self.text(line.len() - text.len(), text);
        }
    }

    fn blank(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(String::new());
        }
    }

    /// A line of prose. A list item's further lines are aligned with its text; elsewhere four spaces would mean code.
    fn text(&mut self, indent: usize, text: &str) {
        let after_blank = self.lines.last().is_none_or(String::is_empty);
        let is_heading = indent < 4 && text.trim_start_matches('#').starts_with(' ');
        if indent == 0 && (after_blank || is_heading) {
            self.item = None;
        }
        let marker = list_marker(text);
        let indent = match (marker, self.item) {
            (Some(_), None) => indent.min(3),
            (Some(_), Some(item)) if indent >= item => item,
            (Some(_), Some(_)) => 0,
            (None, Some(item)) => item,
            (None, None) => indent.min(if after_blank { 0 } else { 3 }),
        };
        if let Some(width) = marker {
            self.item = Some(indent + width);
        }
        let (marker, words) = text.split_at_checked(marker.unwrap_or(0)).unwrap_or(("", text));
        let words = if self.lines.is_empty() { words.trim_start_matches('#').trim_start() } else { words };
        self.lines.push(format!("{}{marker}{}", " ".repeat(indent), prose(words)));
    }

    fn finish(mut self) -> String {
        self.lines.extend(self.fence);
        self.lines.join("\n").trim().to_owned()
    }
}

/// The marks that open a code block here.
fn fence_of(text: &str) -> Option<String> {
    let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let count = text.chars().take_while(|letter| *letter == mark).count();
    let rest = text.trim_start_matches(mark);
    (count >= 3 && !rest.contains('`')).then(|| mark.to_string().repeat(count))
}

/// The width of `- `, `* `, `+ ` or `1. ` at the start of a line.
fn list_marker(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match text.as_bytes().get(digits)? {
        b'-' | b'*' | b'+' if digits == 0 => 1,
        b'.' | b')' if (1..=9).contains(&digits) => digits + 1,
        _ => return None,
    };
    let spaces = text.bytes().skip(marker).take_while(|byte| *byte == b' ').count();
    (spaces > 0).then_some(marker + spaces.min(4))
}

/// One line of prose: code spans stay, all else loses what only had a meaning at its old place.
fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let taken = match letter {
            '`' => code_span(rest, &mut out),
            '[' => bracket(rest, &mut out),
            '<' => angle(rest, &mut out),
            'h' if starts_word(text, rest) => address(rest, &mut out),
            '\\' => escape(rest, &mut out),
            ']' | '>' if !(letter == '>' && rest.len() == text.len()) => push_escaped(letter, &mut out),
            _ => {
                out.push(letter);
                letter.len_utf8()
            }
        };
        rest = rest.get(taken.max(1)..).unwrap_or_default();
    }
    out
}

fn push_escaped(letter: char, out: &mut String) -> usize {
    out.push('\\');
    out.push(letter);
    letter.len_utf8()
}

/// A backslash and what it escapes.
fn escape(rest: &str, out: &mut String) -> usize {
    let length = rest.chars().take(2).map(char::len_utf8).sum();
    out.push_str(rest.get(..length).unwrap_or_default());
    length
}

/// A code span as it is; a backtick without a partner on its line is escaped.
fn code_span(rest: &str, out: &mut String) -> usize {
    let marks = rest.bytes().take_while(|byte| *byte == b'`').count();
    let fence = "`".repeat(marks);
    let end = rest.get(marks..).and_then(|body| body.find(&fence)).map(|end| end + 2 * marks);
    match end.and_then(|end| rest.get(..end)) {
        Some(span) => {
            out.push_str(span);
            span.len()
        }
        None => {
            out.push_str(&"\\`".repeat(marks));
            marks
        }
    }
}

/// `[text](https://..)` is a link wherever it stands. A link to an item is not: its text stays, and any other bracket,
/// which could name an item, is escaped.
fn bracket(rest: &str, out: &mut String) -> usize {
    let close = rest.find(']').unwrap_or_default();
    let inner = rest.get(1..close).unwrap_or_default();
    let after = rest.get(close + 1..).unwrap_or_default();
    let target = after.strip_prefix('(').and_then(target_of);
    match target {
        _ if inner.is_empty() || inner.contains('[') => push_escaped('[', out),
        Some(target) if target.starts_with("https://") || target.starts_with("http://") => {
            out.push_str(rest.get(..close + target.len() + 3).unwrap_or_default());
            close + target.len() + 3
        }
        Some(target) => {
            out.push_str(&prose(inner));
            close + target.len() + 3
        }
        None if inner.starts_with('`') && inner.ends_with('`') && inner.len() > 2 => {
            out.push_str(inner);
            close + 1
        }
        None => push_escaped('[', out),
    }
}

/// What stands before the bracket that closes the target of a link; brackets within it come in pairs.
fn target_of(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return text.get(..at),
            ')' => depth -= 1,
            _ if letter.is_whitespace() || letter == '<' => return None,
            _ => {}
        }
    }
    None
}

/// `<https://..>` stays, any other angle could be read as HTML.
fn angle(rest: &str, out: &mut String) -> usize {
    let inner = rest.get(1..).unwrap_or_default();
    let end = rest.find('>').filter(|_| inner.starts_with("https://") || inner.starts_with("http://"));
    match end.and_then(|end| rest.get(..=end)) {
        Some(link) if !link.contains(char::is_whitespace) => {
            out.push_str(link);
            link.len()
        }
        _ => push_escaped('<', out),
    }
}

fn starts_word(text: &str, rest: &str) -> bool {
    let before = text.get(..text.len() - rest.len()).unwrap_or_default();
    !before.ends_with(char::is_alphanumeric)
}

/// A bare address becomes a link; the full stop or bracket after it is not part of it.
fn address(rest: &str, out: &mut String) -> usize {
    let is_address = rest.starts_with("https://") || rest.starts_with("http://");
    let end = rest.find(|letter: char| letter.is_whitespace() || "<>`[]\"'{}|\\^".contains(letter));
    let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    let mut link = word.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
    while link.ends_with(')') && link.matches(')').count() > link.matches('(').count() {
        link = link.strip_suffix(')').unwrap_or(link).trim_end_matches(['.', ',']);
    }
    if is_address && link.len() > "https://".len() {
        out.push('<');
        out.push_str(link);
        out.push('>');
        link.len()
    } else {
        out.push('h');
        1
    }
}
