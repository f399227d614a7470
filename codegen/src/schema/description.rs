//! The length of descriptions.

use super::{Additional, Schema};

/// How long a description may be, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DescriptionLimit {
    /// As long as it is.
    #[default]
    None,
    /// Cut at the last end of a sentence within this many bytes; 0 leaves descriptions out.
    Bytes(usize),
}

impl DescriptionLimit {
    /// Cuts the descriptions of a schema and of all within it.
    pub fn apply(self, schema: &mut Schema) {
        let Self::Bytes(limit) = self else { return };
        if schema.description.len() > limit {
            schema.description = cut(&schema.description, limit);
        }
        let additional = match &mut schema.additional {
            Some(Additional::Schema(inner)) => Some(&mut **inner),
            _ => None,
        };
        let lists = [&mut schema.all_of, &mut schema.any_of, &mut schema.one_of];
        lists
            .into_iter()
            .flatten()
            .chain(schema.properties.values_mut())
            .chain(schema.items.as_deref_mut())
            .chain(additional)
            .for_each(|inner| self.apply(inner));
    }
}

/// The text up to the last end of a sentence, else of a word, else as it comes.
fn cut(text: &str, limit: usize) -> String {
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = text.get(..end).unwrap_or_default();
    let ends_sentence = |letter: char| {
        ".!?\u{589}\u{61e}\u{61f}\u{6d4}\u{964}\u{965}\u{203c}\u{203d}\u{2047}\u{2048}\u{2049}\u{3002}\u{fe52}\u{fe56}\u{fe57}\u{ff01}\u{ff0e}\u{ff1f}\u{ff61}".contains(letter)
    };
    let sentence = head.char_indices().rfind(|(at, letter)| *at > 0 && ends_sentence(*letter));
    if let Some((at, letter)) = sentence {
        return head.get(..at + letter.len_utf8()).unwrap_or_default().to_owned();
    }
    if limit == 0 {
        return String::new();
    }
    match head.char_indices().rfind(|(at, letter)| *at > 0 && letter.is_whitespace()) {
        Some((at, _)) => format!("{}...", head.get(..at).unwrap_or_default()),
        None => format!("{head}..."),
    }
}
