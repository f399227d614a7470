//! A place in a JSON text, from which values are read one by one.
//!
//! In: JSON. Out: the members of an object or the items of an array, each decoded into what is asked for, with its own
//! text. Never: a second look at what was read; that is the point of it.

use std::borrow::Cow;

use serde::{Deserialize, de::Error as _};
use serde_json::{Deserializer, Error, Result};

#[derive(Clone, Copy)]
pub(in crate::informer) struct Cursor<'j> {
    text: &'j str,
    at: usize,
}

#[derive(Deserialize)]
struct Key<'j>(#[serde(borrow)] Cow<'j, str>);

impl<'j> Cursor<'j> {
    pub(super) fn new(text: &'j str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'j str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let white =
            self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
        self.at += white;
        self.rest().bytes().next()
    }

    /// Steps over one byte, if it is the next one.
    fn takes(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.at += 1;
        }
        there
    }

    fn expect(&mut self, byte: u8) -> Result<()> {
        if self.takes(byte) { Ok(()) } else { Err(self.unexpected(char::from(byte))) }
    }

    fn unexpected(&self, wanted: char) -> Error {
        Error::custom(format_args!("expected `{wanted}` at byte {}", self.at))
    }

    /// Whether an object is next.
    pub(in crate::informer) fn is_at_object(&mut self) -> bool {
        self.peek() == Some(b'{')
    }

    /// The next value, and its text. After a failure the cursor is where it was.
    pub(in crate::informer) fn value<T: Deserialize<'j>>(&mut self) -> Result<(T, &'j str)> {
        self.peek();
        let rest = self.rest();
        let mut values = Deserializer::from_str(rest).into_iter::<T>();
        let value = values.next().unwrap_or_else(|| Err(Error::custom("expected a value, found the end")))?;
        let end = values.byte_offset();
        self.at += end;
        Ok((value, rest.get(..end).unwrap_or_default()))
    }

    /// Hands the name of each member of the object that is next to `member`, which reads its value.
    pub(super) fn members(&mut self, mut member: impl FnMut(&str, &mut Self) -> Result<()>) -> Result<()> {
        self.expect(b'{')?;
        if self.takes(b'}') {
            return Ok(());
        }
        loop {
            let (Key(name), _) = self.value()?;
            self.expect(b':')?;
            member(&name, self)?;
            if !self.takes(b',') {
                return self.expect(b'}');
            }
        }
    }

    /// Lets `item` read each item of the array that is next; null is an empty one.
    pub(super) fn items(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.peek() == Some(b'n') {
            return self.value::<()>().map(drop);
        }
        self.expect(b'[')?;
        if self.takes(b']') {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.takes(b',') {
                return self.expect(b']');
            }
        }
    }

    /// That nothing is left.
    pub(super) fn end(&mut self) -> Result<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(Error::custom(format_args!("expected the end at byte {}", self.at))),
        }
    }
}
