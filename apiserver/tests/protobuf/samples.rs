//! Objects of every kind, written as JSON and as protobuf by the Go types themselves: one with every field set (lists and pointers as
//! deep as sixteen levels), one with none.

use std::{io::Read, sync::LazyLock};

use flate2::read::GzDecoder;
use serde_json::Value;

/// One object.
pub(crate) struct Sample {
    pub text: String,
    pub json: Value,
    pub protobuf: Vec<u8>,
}

/// All of them.
pub(crate) fn samples() -> &'static [Sample] {
    static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(read);
    &SAMPLES
}

fn read() -> Vec<Sample> {
    let mut texts = String::new();
    GzDecoder::new(&include_bytes!("objects.json.gz")[..]).read_to_string(&mut texts).unwrap();
    let mut bytes = Vec::new();
    GzDecoder::new(&include_bytes!("objects.protobuf.gz")[..]).read_to_end(&mut bytes).unwrap();
    let mut rest = &bytes[..];
    let sample = |text: &str| {
        let (length, tail) = rest.split_first_chunk::<4>().unwrap();
        let (protobuf, tail) = tail.split_at(u32::from_be_bytes(*length) as usize);
        rest = tail;
        Sample {
            text: text.to_owned(),
            json: serde_json::from_str(text).unwrap(),
            protobuf: protobuf.to_vec(),
        }
    };
    texts.lines().map(sample).collect()
}

impl Sample {
    /// A member of the object that is text.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.json[name].as_str().unwrap_or_default()
    }
}
