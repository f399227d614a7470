//! The wire format: keys, integers, lengths.
//!
//! In: bytes. Out: fields one by one; and back. Reading never looks beyond the bytes it was given, whatever they claim.

use super::error::ProtobufError;

type Result<T> = std::result::Result<T, ProtobufError>;

/// How the value of a field is written.
pub(super) const VARINT: u8 = 0;
pub(super) const FIXED64: u8 = 1;
pub(super) const BYTES: u8 = 2;
const START_GROUP: u8 = 3;
const END_GROUP: u8 = 4;
const FIXED32: u8 = 5;

/// A reader of one message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

/// The key of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub number: i32,
    pub wire: u8,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The key of the next field of a message of this name.
    pub(super) fn key(&mut self, message: &'static str) -> Result<Key> {
        let word = self.varint()?;
        let wire = (word & 7) as u8;
        // Upstream keeps the low 32 bits.
        let number = (word >> 3) as u32 as i32;
        match (wire, number) {
            (END_GROUP, _) => Err(ProtobufError::EndGroup(message)),
            (wire, ..=0) => Err(ProtobufError::IllegalTag { message, number, wire }),
            (wire, number) => Ok(Key { number, wire }),
        }
    }

    pub(super) fn varint(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.rest.split_first().ok_or(ProtobufError::UnexpectedEnd)?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Ok(value);
            }
        }
        Err(ProtobufError::Overflow)
    }

    pub(super) fn double(&mut self) -> Result<f64> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(ProtobufError::UnexpectedEnd)?;
        self.rest = rest;
        Ok(f64::from_le_bytes(*bytes))
    }

    /// Bytes with their length in front.
    pub(super) fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.varint()?;
        if length > i64::MAX as u64 {
            return Err(ProtobufError::NegativeLength);
        }
        let length = usize::try_from(length).map_err(|_| ProtobufError::UnexpectedEnd)?;
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or(ProtobufError::UnexpectedEnd)?;
        self.rest = rest;
        Ok(bytes)
    }

    /// Passes over the value of a field that nobody knows.
    pub(super) fn skip(&mut self, wire: u8) -> Result<()> {
        let mut depth = 0_usize;
        let mut wire = wire;
        loop {
            match wire {
                VARINT => {
                    self.varint()?;
                }
                FIXED64 => self.pass(8)?,
                BYTES => {
                    self.bytes()?;
                }
                START_GROUP => depth += 1,
                END_GROUP => depth = depth.checked_sub(1).ok_or(ProtobufError::UnexpectedEndOfGroup)?,
                FIXED32 => self.pass(4)?,
                other => return Err(ProtobufError::IllegalWireType(other)),
            }
            if depth == 0 {
                return Ok(());
            }
            wire = (self.varint()? & 7) as u8;
        }
    }

    fn pass(&mut self, count: usize) -> Result<()> {
        self.rest = self.rest.get(count..).ok_or(ProtobufError::UnexpectedEnd)?;
        Ok(())
    }
}

/// Appends an integer.
pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value as u8 & 0x7f) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends the key of a field.
pub(super) fn put_key(out: &mut Vec<u8>, number: u32, wire: u8) {
    put_varint(out, u64::from(number) << 3 | u64::from(wire));
}

/// Appends a field of bytes.
pub(super) fn put_bytes(out: &mut Vec<u8>, number: u32, bytes: &[u8]) {
    put_key(out, number, BYTES);
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Appends a field of an integer.
pub(super) fn put_integer(out: &mut Vec<u8>, number: u32, value: u64) {
    put_key(out, number, VARINT);
    put_varint(out, value);
}

/// How many bytes an integer takes.
pub(super) fn varint_length(value: u64) -> usize {
    ((64 - (value | 1).leading_zeros()) as usize).div_ceil(7)
}

/// Puts the length of everything after `start` in front of it.
pub(super) fn prefix_length(out: &mut Vec<u8>, start: usize) {
    let end = out.len();
    let length = end.saturating_sub(start) as u64;
    let count = varint_length(length);
    put_varint(out, length);
    // The length has been written behind what it is about; turning brings it to the front.
    if let Some(tail) = out.get_mut(start..) {
        tail.rotate_right(count);
    }
}
