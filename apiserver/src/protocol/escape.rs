//! JSON as a real server writes it: what HTML would read as its own is escaped in it.
//!
//! In: JSON. Out: the same JSON, with `<`, `>`, `&` and the line ends of Unicode written as `\u003c` and so on. Outside of strings JSON has
//! none of them, so that nothing needs to be read.

/// How many bytes are looked at together: without a branch, so that the processor takes many at once.
const CHUNK: usize = 64;

/// Escapes what stands at `from` and after it.
pub(crate) fn escape_html(json: &mut Vec<u8>, from: usize) {
    let Some(tail) = json.get(from..).filter(|tail| may_need_escapes(tail)) else { return };
    let mut out = Vec::with_capacity(tail.len() + 32);
    let mut rest = tail;
    while let [first, more @ ..] = rest {
        let (escape, length): (&[u8], usize) = match rest {
            [b'<', ..] => (b"\\u003c", 1),
            [b'>', ..] => (b"\\u003e", 1),
            [b'&', ..] => (b"\\u0026", 1),
            [0xe2, 0x80, 0xa8, ..] => (b"\\u2028", 3),
            [0xe2, 0x80, 0xa9, ..] => (b"\\u2029", 3),
            _ => {
                out.push(*first);
                rest = more;
                continue;
            }
        };
        out.extend_from_slice(escape);
        rest = rest.get(length..).unwrap_or_default();
    }
    json.truncate(from);
    json.append(&mut out);
}

/// Whether there is anything that may have to be escaped.
pub(crate) fn may_need_escapes(json: &[u8]) -> bool {
    json.chunks(CHUNK).any(|chunk| {
        let suspect = |byte: u8| (byte == b'<') | (byte == b'>') | (byte == b'&') | (byte == 0xe2);
        chunk.iter().fold(false, |found, byte| found | suspect(*byte))
    })
}
