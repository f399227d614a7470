//! `LogBook`: what containers have written.
//!
//! In: lines as they are written. Out: logs as a kubelet gives them: the last lines, those since a moment, with or without their times, as
//! they come. A log keeps its newest ten megabytes; what is older goes, as files that are rotated do.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use bytes::{Bytes, BytesMut};
use futures::StreamExt as _;
use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::{
    controllers::RunId,
    protocol::Status,
    server::{LogQuery, LogSide},
};

use super::{LogSource, LogStream};

/// How many bytes of a log are kept.
const KEPT: usize = 10 * 1024 * 1024;
/// How many runs of a container are kept.
const RUNS: usize = 2;

/// What containers have written.
#[derive(Clone, Default)]
pub(crate) struct LogBook(Arc<Mutex<Book>>);

type Book = BTreeMap<(Box<str>, String), VecDeque<(u32, Arc<Log>)>>;

/// What one run of a container has written.
struct Log {
    text: Mutex<Text>,
    /// How many lines there have been, and whether more may come.
    grown: watch::Sender<(u64, bool)>,
}

#[derive(Default)]
struct Text {
    lines: VecDeque<Line>,
    bytes: usize,
    /// The number of the first line that is kept.
    first: u64,
}

#[derive(Clone)]
struct Line {
    at: Timestamp,
    side: LogSide,
    /// With its end, where it has one.
    text: Bytes,
}

impl LogBook {
    /// Opens the log of a run.
    pub(crate) fn open(&self, run: &RunId) {
        self.log(run);
    }

    /// Writes a line.
    pub(crate) fn write(&self, run: &RunId, side: LogSide, text: Bytes, at: Timestamp) {
        let log = self.log(run);
        let mut kept = log.text.lock();
        kept.bytes += text.len();
        kept.lines.push_back(Line { at, side, text });
        while kept.bytes > KEPT
            && let Some(line) = kept.lines.pop_front()
        {
            kept.bytes -= line.text.len();
            kept.first += 1;
        }
        drop(kept);
        log.grown.send_modify(|(lines, _)| *lines += 1);
    }

    /// Nothing more comes from a run.
    pub(crate) fn close(&self, run: &RunId) {
        self.log(run).grown.send_modify(|(_, open)| *open = false);
    }

    /// Drops the logs of a pod.
    pub(crate) fn forget(&self, uid: &str) {
        self.0.lock().retain(|(pod, _), runs| {
            let stays = **pod != *uid;
            if !stays {
                runs.iter().for_each(|(_, log)| log.grown.send_modify(|(_, open)| *open = false));
            }
            stays
        });
    }

    fn log(&self, run: &RunId) -> Arc<Log> {
        let mut book = self.0.lock();
        let runs = book.entry((run.uid.clone(), run.container.clone())).or_default();
        if let Some((_, log)) = runs.iter().find(|(attempt, _)| *attempt == run.attempt) {
            return Arc::clone(log);
        }
        let log = Arc::new(Log { text: Mutex::default(), grown: watch::Sender::new((0, true)) });
        runs.push_back((run.attempt, Arc::clone(&log)));
        while runs.len() > RUNS {
            runs.pop_front();
        }
        log
    }
}

impl LogSource for LogBook {
    fn open(&self, query: &LogQuery) -> Result<LogStream, Status> {
        let LogQuery { pod, container, previous, waiting, .. } = query;
        let key = (Box::from(query.uid.as_str()), container.clone());
        let book = self.0.lock();
        let mut newest = book.get(&key).into_iter().flatten().rev().map(|(_, log)| Arc::clone(log));
        let log = if *previous { newest.nth(1) } else { newest.next() };
        let Some(log) = log else {
            return Err(Status::bad_request(match previous {
                true => format!("previous terminated container \"{container}\" in pod \"{pod}\" not found"),
                false => {
                    let why = if waiting.is_empty() { "ContainerCreating" } else { waiting };
                    format!("container \"{container}\" in pod \"{pod}\" is waiting to start: {why}")
                }
            }));
        };
        Ok(Reader::new(log, query.clone()).stream())
    }
}

/// A place in a log.
struct Reader {
    log: Arc<Log>,
    query: LogQuery,
    grown: watch::Receiver<(u64, bool)>,
    /// The number of the next line.
    next: u64,
    /// How many bytes may still be sent.
    left: u64,
}

impl Reader {
    fn new(log: Arc<Log>, query: LogQuery) -> Self {
        let grown = log.grown.subscribe();
        let left = query.limit.unwrap_or(u64::MAX);
        let mut reader = Self { log, query, grown, next: 0, left };
        reader.next = reader.start();
        reader
    }

    /// The first line that is wanted.
    fn start(&self) -> u64 {
        let text = self.log.text.lock();
        let Some(tail) = self.query.tail else { return text.first };
        let wanted = text.lines.iter().enumerate().rev().filter(|(_, line)| self.wants(line));
        let last = text.lines.len();
        let index = match usize::try_from(tail).unwrap_or(usize::MAX) {
            0 => last,
            tail => wanted.take(tail).last().map_or(last, |(index, _)| index),
        };
        text.first + index as u64
    }

    fn wants(&self, line: &Line) -> bool {
        self.query.stream.is_none_or(|side| side == line.side)
            && self.query.since.is_none_or(|since| line.at >= since)
    }

    /// The lines that have come since it was last asked.
    fn read(&mut self) -> Bytes {
        let mut out = BytesMut::new();
        let text = self.log.text.lock();
        let skip = usize::try_from(self.next.saturating_sub(text.first)).unwrap_or(usize::MAX);
        for line in text.lines.iter().skip(skip).filter(|line| self.wants(line)) {
            if self.query.timestamps {
                out.extend_from_slice(line.at.strftime("%Y-%m-%dT%H:%M:%S.%9fZ ").to_string().as_bytes());
            }
            out.extend_from_slice(&line.text);
        }
        self.next = text.first + text.lines.len() as u64;
        drop(text);
        let length = usize::try_from(self.left).unwrap_or(usize::MAX).min(out.len());
        out.truncate(length);
        self.left -= length as u64;
        out.freeze()
    }

    fn stream(self) -> LogStream {
        let next = |reader: Option<Self>| async move {
            let mut reader = reader?;
            loop {
                // Seen before the lines are read, so that what is written meanwhile is noticed.
                let (_, open) = *reader.grown.borrow_and_update();
                let text = reader.read();
                let goes_on = reader.query.follow && open && reader.left > 0;
                match (text.is_empty(), goes_on) {
                    (true, false) => return None,
                    (false, false) => return Some((text, None)),
                    (false, true) => return Some((text, Some(reader))),
                    (true, true) if reader.grown.changed().await.is_err() => return None,
                    (true, true) => {}
                }
            }
        };
        futures::stream::unfold(Some(self), next).boxed()
    }
}
