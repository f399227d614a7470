//! JSON for people.
//!
//! In: JSON text. Out: the same with line breaks and indentation, as Go indents it; the order of members stays.

use bytes::Bytes;

/// JSON with line breaks.
pub(crate) fn indented(json: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(json.len() * 2);
    let mut depth = 0;
    let mut bytes = json.iter().copied().peekable();
    let line = |out: &mut Vec<u8>, depth: usize| {
        out.push(b'\n');
        out.extend(std::iter::repeat_n(b' ', depth * 2));
    };
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                out.push(byte);
                while let Some(inside) = bytes.next() {
                    out.push(inside);
                    match inside {
                        b'\\' => out.extend(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'{' | b'[' => {
                out.push(byte);
                while bytes.next_if(u8::is_ascii_whitespace).is_some() {}
                if let Some(end) = bytes.next_if(|next| [b'}', b']'].contains(next)) {
                    out.push(end);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(byte);
            }
            b',' => {
                out.push(byte);
                line(&mut out, depth);
            }
            b':' => out.extend_from_slice(b": "),
            byte if byte.is_ascii_whitespace() => {}
            byte => out.push(byte),
        }
    }
    out.into()
}
