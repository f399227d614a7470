//! Blocks of PEM, as far as they must be looked at to say that they are none.
//!
//! In: a text. Out: its blocks, decoded. It verifies no signature and reads nothing of what the blocks say.

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// One block.
pub(super) struct Block {
    /// What it says it is.
    pub kind: String,
    /// Whether lines of headers stand before the content.
    pub headers: bool,
    /// The content.
    pub bytes: Vec<u8>,
}

/// The blocks of a text; what is broken is passed over.
pub(super) fn blocks(text: &[u8]) -> Vec<Block> {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(kind) =
            line.trim_end().strip_prefix("-----BEGIN ").and_then(|rest| rest.strip_suffix("-----"))
        {
            blocks.extend(block(kind, &mut lines));
        }
    }
    blocks
}

fn block<'t>(kind: &str, lines: &mut impl Iterator<Item = &'t str>) -> Option<Block> {
    let end = format!("-----END {kind}-----");
    let (mut content, mut headers) = (String::new(), false);
    for line in lines {
        let line = line.trim();
        if line == end {
            let bytes = STANDARD.decode(content).ok()?;
            return Some(Block { kind: kind.to_owned(), headers, bytes });
        }
        if line.contains(':') {
            headers = true;
        } else {
            content.push_str(line);
        }
    }
    None
}

/// Whether this is one sequence of DER, whole and with nothing behind it.
pub(super) fn is_sequence(bytes: &[u8]) -> bool {
    let [0x30, first, rest @ ..] = bytes else { return false };
    let (length, rest) = match *first {
        short @ 0..0x80 => (usize::from(short), rest),
        long => {
            let count = usize::from(long & 0x7f);
            let Some((digits, rest)) = rest.split_at_checked(count) else { return false };
            if count > 4 {
                return false;
            }
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
    };
    rest.len() == length
}
