//! DER, as far as the subject of a signing request: who somebody wants to be.
//!
//! In: the PEM of a request for a certificate. Out: the organizations of its subject. It verifies no signature.

use super::pem;

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT: u8 = 0x06;
/// 2.5.4.10, the name of an organization.
const ORGANIZATION: &[u8] = &[0x55, 0x04, 0x0a];

/// The organizations that the subject of a request names.
pub(crate) fn organizations(request: &[u8]) -> Vec<String> {
    let block = pem::blocks(request).into_iter().next();
    block.and_then(|block| of_request(&block.bytes)).unwrap_or_default()
}

fn of_request(bytes: &[u8]) -> Option<Vec<String>> {
    let (request, _) = element(bytes, SEQUENCE)?;
    let (info, _) = element(request, SEQUENCE)?;
    let (_, _, rest) = any(info)?;
    let (mut subject, _) = element(rest, SEQUENCE)?;
    let mut found = Vec::new();
    while !subject.is_empty() {
        let (mut names, rest) = element(subject, SET)?;
        subject = rest;
        while !names.is_empty() {
            let (name, rest) = element(names, SEQUENCE)?;
            names = rest;
            let (kind, value) = element(name, OBJECT)?;
            if kind == ORGANIZATION {
                let (_, text, _) = any(value)?;
                found.push(String::from_utf8_lossy(text).into_owned());
            }
        }
    }
    Some(found)
}

/// The content of an element of this kind, and what comes after it.
fn element(bytes: &[u8], kind: u8) -> Option<(&[u8], &[u8])> {
    let (tag, content, rest) = any(bytes)?;
    (tag == kind).then_some((content, rest))
}

/// The kind and content of an element, and what comes after it.
fn any(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let [tag, first, rest @ ..] = bytes else { return None };
    let (length, rest) = match *first {
        short @ 0..0x80 => (usize::from(short), rest),
        long => {
            let (digits, rest) = rest.split_at_checked(usize::from(long & 0x7f))?;
            if digits.len() > 4 {
                return None;
            }
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((*tag, content, rest))
}
