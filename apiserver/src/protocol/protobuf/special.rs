//! Values whose JSON is not their message: moments, bytes, integers or texts.
//!
//! In: the value in JSON. Out: the bytes of its message.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use jiff::Timestamp;

use super::wire::{put_bytes, put_integer};

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    seconds: i64,
    micros: i64,
}

impl Moment {
    /// Reads a moment as objects hold it.
    pub(super) fn read(text: &str) -> Option<Self> {
        let moment: Timestamp = text.parse().ok()?;
        // Nanoseconds count forward in time, also before 1970.
        let micros = moment.as_microsecond();
        Some(Self { seconds: micros.div_euclid(1_000_000), micros: micros.rem_euclid(1_000_000) })
    }

    /// Appends it, to the microsecond.
    pub(super) fn write(self, out: &mut Vec<u8>) {
        put_integer(out, 1, self.seconds as u64);
        put_integer(out, 2, (self.micros * 1000) as u64);
    }

    /// Appends it, to the second.
    pub(super) fn write_seconds(self, out: &mut Vec<u8>) {
        put_integer(out, 1, self.seconds as u64);
        put_integer(out, 2, 0);
    }
}

/// The bytes that a text in base64 stands for.
pub(super) fn bytes(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Appends an integer, where a text could stand.
pub(super) fn integer(value: i64, out: &mut Vec<u8>) {
    put_integer(out, 1, 0);
    put_integer(out, 2, value as u64);
    put_bytes(out, 3, b"");
}

/// Appends a text, where an integer could stand.
pub(super) fn text(value: &str, out: &mut Vec<u8>) {
    put_integer(out, 1, 1);
    put_integer(out, 2, 0);
    put_bytes(out, 3, value.as_bytes());
}
