//! Connections that broke.
//!
//! In: an error with its causes. Out: whether it says no more than that the other end has gone. Never: a judgement by words.

use std::{error::Error, io};

/// How deep an error's sources are searched; they could be a cycle.
const DEEPEST_SOURCE: usize = 16;

/// Whether a connection just ended: the usual end of a long watch behind a proxy, and of any request to a server that goes away.
pub(super) fn is_broken_off(error: &(dyn Error + 'static)) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, TimedOut, UnexpectedEof};
    const BROKEN: [io::ErrorKind; 5] =
        [BrokenPipe, ConnectionAborted, ConnectionReset, TimedOut, UnexpectedEof];
    let mut current = Some(error);
    for _ in 0..DEEPEST_SOURCE {
        let Some(error) = current else { return false };
        if error.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_incomplete_message) {
            return true;
        }
        current = match error.downcast_ref::<io::Error>() {
            Some(error) if BROKEN.contains(&error.kind()) => return true,
            // The source of an IO error is that of the error within it, which would skip one.
            Some(error) => error.get_ref().map(|inner| inner as _),
            None => error.source(),
        };
    }
    false
}
