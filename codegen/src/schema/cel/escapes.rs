//! Escapes within texts and bytes.

/// A text without its escapes.
///
/// # Errors
/// What is no escape.
pub(super) fn text(written: &str) -> Result<String, String> {
    let mut text = String::with_capacity(written.len());
    each(written, |part| {
        text.push(match part {
            Part::Letter(letter) => letter,
            Part::Number(number) => char::from_u32(number)?,
        });
        Some(())
    })?;
    Ok(text)
}

/// Bytes without their escapes: numbers are bytes, letters their UTF-8.
///
/// # Errors
/// What is no escape.
pub(super) fn bytes(written: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(written.len());
    each(written, |part| {
        match part {
            Part::Letter(letter) => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            Part::Number(number) => bytes.push(u8::try_from(number).ok()?),
        }
        Some(())
    })?;
    Ok(bytes)
}

/// One letter as it is meant, or one that is told by its number.
enum Part {
    Letter(char),
    Number(u32),
}

fn each(written: &str, mut take: impl FnMut(Part) -> Option<()>) -> Result<(), String> {
    let mut rest = written;
    while let Some(letter) = rest.chars().next() {
        let (part, length) =
            if letter == '\\' { escape(rest)? } else { (Part::Letter(letter), letter.len_utf8()) };
        let (own, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        take(part).ok_or_else(|| own.to_owned())?;
        rest = behind;
    }
    Ok(())
}

/// The escape at the beginning, and its length.
fn escape(rest: &str) -> Result<(Part, usize), String> {
    let wrong = |length: usize| rest.chars().take(length).collect::<String>();
    let kind = rest.chars().nth(1).ok_or_else(|| wrong(1))?;
    let number = |from: usize, digits: usize, radix: u32| {
        let text = rest.get(from..from + digits).ok_or_else(|| wrong(from + digits))?;
        let number = u32::from_str_radix(text, radix).map_err(|_| wrong(from + digits))?;
        Ok((Part::Number(number), from + digits))
    };
    let letter = match kind {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' | '?' | '"' | '\'' | '`' => kind,
        'x' | 'X' => return number(2, 2, 16),
        'u' => return number(2, 4, 16),
        'U' => return number(2, 8, 16),
        '0'..='3' => return number(1, 3, 8),
        _ => return Err(wrong(2)),
    };
    Ok((Part::Letter(letter), 2))
}
