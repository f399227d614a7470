//! A number for a text that is the same everywhere.
//!
//! In: texts. Out: a number that does not depend on the machine, the process or the version of anything. Never: for secrets, or for maps
//! that strangers fill.

/// FNV-1a over the parts, whose bits are then mixed so that any of them may be used.
pub(crate) fn stable_hash(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xff]));
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mut hash = bytes.fold(0xcbf2_9ce4_8422_2325, step);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// The letters of [`letters`]: no vowels, so that they make no words.
const LETTERS: &[u8; 32] = b"bcdfghjklmnpqrstvwxz2456789y0137";

/// Twelve letters and digits for 60 bits of a number, as they may stand in any name.
pub(crate) fn letters(mut hash: u64) -> String {
    let mut text = String::with_capacity(12);
    for _ in 0..12 {
        let letter = usize::try_from(hash & 31).ok().and_then(|index| LETTERS.get(index));
        text.push(letter.map_or('y', |letter| char::from(*letter)));
        hash >>= 5;
    }
    text
}
