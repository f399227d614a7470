//! `Texts`: several short texts in one piece of memory.
//!
//! In: texts. Out: each by its place. A store of many objects holds many of them, and a piece of memory each would cost more than they do.

/// Texts, each with its place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    joined: Box<str>,
    /// Where each text ends.
    ends: Box<[u32]>,
}

impl Texts {
    /// How many texts there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text at a place.
    pub(crate) fn get(&self, place: usize) -> Option<&str> {
        let end = *self.ends.get(place)? as usize;
        let start =
            place.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| *end as usize);
        self.joined.get(start..end)
    }
}

impl<S: AsRef<str>> FromIterator<S> for Texts {
    fn from_iter<T: IntoIterator<Item = S>>(texts: T) -> Self {
        let (mut joined, mut ends) = (String::new(), Vec::new());
        for text in texts {
            joined.push_str(text.as_ref());
            // A request is far smaller than that.
            ends.push(u32::try_from(joined.len()).unwrap_or(u32::MAX));
        }
        Self { joined: joined.into(), ends: ends.into() }
    }
}
